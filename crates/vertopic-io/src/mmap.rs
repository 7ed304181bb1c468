//! Memory as the system gives it: maps of files, large pages, and what is kept. The only unsafe code of the workspace.

use std::fs::File;
use std::io;
use std::ptr::NonNull;
use std::sync::Arc;

use arrow_buffer::Buffer;
use memmap2::Mmap;

/// The bytes of a file, read from the disk when they are looked at.
#[allow(unsafe_code)]
pub(crate) fn map(file: &File) -> io::Result<Buffer> {
    // SAFETY: the map is read-only. It is sound as long as nobody changes the file while it is mapped:
    // our own writers never do, because they write another file and rename it (`crate::atomic`).
    let map = unsafe { Mmap::map(file)? };
    let (start, len) = (NonNull::from(&*map).cast::<u8>(), map.len());
    // SAFETY: `start` and `len` are the memory of the map, which the buffer owns and keeps mapped.
    Ok(unsafe { Buffer::from_custom_allocation(start, len, Arc::new(map)) })
}

/// Asks for large pages behind memory that was not written to yet: less work for the system when it is, and when it is
/// given back.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
pub(crate) fn in_large_pages(memory: &mut [u32]) {
    const PAGE: usize = 1 << 21;
    let start = memory.as_mut_ptr().cast::<u8>();
    let before = start.align_offset(PAGE);
    let len = size_of_val(memory).saturating_sub(before) / PAGE * PAGE;
    if len > 0 {
        // SAFETY: these bytes are part of memory that is lent to us, and the advice does not change them. That it is
        // not taken is no failure.
        unsafe { libc::madvise(start.wrapping_add(before).cast(), len, libc::MADV_HUGEPAGE) };
    }
}

/// Other systems choose pages themselves.
#[cfg(not(target_os = "linux"))]
pub(crate) fn in_large_pages(_: &mut [u32]) {}

/// Keeps memory that was given back for what asks next, up to 64 MB: a fit makes and drops the sums of many passes, and to
/// have each page anew from the system takes as long as a short pass. For programs; a library leaves that to them.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[allow(unsafe_code)]
pub fn tune_allocator() {
    // SAFETY: the calls only set numbers of the allocator. That they are not taken is no failure.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGEST);
        libc::mallopt(libc::M_TRIM_THRESHOLD, KEPT);
    }
}

/// Other allocators have rules of their own.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn tune_allocator() {}

/// Pieces of more bytes come from the system and go back to it; it takes no larger number.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGEST: i32 = 32 << 20;
/// Bytes that are kept, at most, where they are the last in use.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const KEPT: i32 = 64 << 20;
