//! The memory map, and with it the only unsafe code of the workspace.

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
    // our own writers never do, because they write another file and rename it (`crate::atomic`). Who cuts
    // a file of counts short while we read it ends the program; who writes into it gets what he wrote.
    let map = unsafe { Mmap::map(file)? };
    let (start, len) = (NonNull::from(&*map).cast::<u8>(), map.len());
    // SAFETY: `start` and `len` are the memory of the map, which the buffer owns and keeps mapped.
    Ok(unsafe { Buffer::from_custom_allocation(start, len, Arc::new(map)) })
}
