//! Files that are there whole or not at all.
//!
//! A file is written to a temporary one beside it, synced, then renamed: a reader never sees half a
//! file, and a run that fails leaves what was there before. A link is followed, a file that is there keeps
//! its permissions, and what is not an ordinary file (a device, a pipe) is written to, never replaced. A run that is killed
//! leaves its temporary file; the next one that writes in the folder removes it.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use crate::error::IoError;

/// Bytes given to the system at a time.
const BUFFER: usize = 1 << 18;
/// How the names of temporary files begin
const PREFIX: &str = ".vertopic-";
/// and end.
const SUFFIX: &str = ".tmp";

/// Writes the file `path` by `write`. If anything fails, `path` is as it was and nothing is left behind.
///
/// Errors of the writer itself are best made with [`write_error`].
pub fn write_atomically(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), IoError>,
) -> Result<(), IoError> {
    let target = target_of(path);
    let there = std::fs::metadata(&target).ok();
    if there.as_ref().is_some_and(|m| !m.is_file() && !m.is_dir()) {
        return write_into(path, write);
    }
    let folder = folder_of(&target)?;
    remove_left(&folder);
    // Dropped before it is renamed, the temporary file is removed.
    let file = temporary(&folder).map_err(|e| write_error(path, e))?;
    let mut out = BufWriter::with_capacity(BUFFER, file);
    write(&mut out)?;
    let file = out.into_inner().map_err(|e| write_error(path, e.into_error()))?;
    if let Some(there) = there {
        file.as_file().set_permissions(there.permissions()).map_err(|e| write_error(path, e))?;
    }
    file.as_file().sync_all().map_err(|e| write_error(path, e))?;
    file.persist(&target).map_err(|e| write_error(path, e.error))?;
    sync_folder(&folder);
    Ok(())
}

/// A temporary file with a lock, by which others know that it is in use.
fn temporary(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    ordinary_mode(&mut builder);
    loop {
        let file = builder.tempfile_in(folder)?;
        // Not every file system has locks: on one without them nothing is ever removed.
        let locked = file.as_file().lock().is_ok();
        // Between its making and the lock it looked like one that was left.
        if !locked || file.path().exists() {
            return Ok(file);
        }
    }
}

/// Removes the temporary files that runs which were killed have left in a folder: those that nobody has a lock on.
fn remove_left(folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with(PREFIX) && name.ends_with(SUFFIX) {
            let path = entry.path();
            let Ok(file) = File::open(&path) else { continue };
            if file.try_lock().is_ok() {
                let _ = std::fs::remove_file(path); // to be tidy is no reason to fail
            }
        }
    }
}

/// The file that is meant: the end of a link, if it leads somewhere.
fn target_of(path: &Path) -> PathBuf {
    if path.is_symlink() {
        return path.canonicalize().unwrap_or_else(|_| path.to_owned());
    }
    path.to_owned()
}

/// Writes into a device or a pipe.
fn write_into(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), IoError>,
) -> Result<(), IoError> {
    let file = File::options().write(true).open(path).map_err(|e| write_error(path, e))?;
    let mut out = BufWriter::with_capacity(BUFFER, file);
    write(&mut out)?;
    out.flush().map_err(|e| write_error(path, e))
}

/// Whether a file could be written to `path`: asked before a long computation, so that it is not lost.
pub fn check_writable(path: &Path) -> Result<(), IoError> {
    let target = target_of(path);
    let special = std::fs::metadata(&target).is_ok_and(|m| !m.is_file() && !m.is_dir());
    if special {
        return Ok(()); // opening a pipe would wait for its reader
    }
    let folder = folder_of(&target)?;
    tempfile::tempfile_in(folder).map(drop).map_err(|e| write_error(path, e))
}

/// The error for a failed write to `path`.
pub fn write_error(path: &Path, source: io::Error) -> IoError {
    IoError::File { path: path.to_owned(), what: "cannot write", source }
}

/// The folder that the file is to stand in; an error if it does not exist.
fn folder_of(path: &Path) -> Result<PathBuf, IoError> {
    let problem = |problem: String, hint: &str| IoError::Data {
        path: path.to_owned(),
        line: None,
        problem: format!("cannot write: {problem}"),
        hint: Some(hint.into()),
    };
    if path.file_name().is_none() || path.is_dir() {
        let hint = "give the name of a file in it";
        return Err(problem("it is a folder".to_owned(), hint));
    }
    let folder = match path.parent() {
        Some(parent) if parent != Path::new("") => parent.to_owned(),
        _ => PathBuf::from("."),
    };
    if !folder.is_dir() {
        let hint = format!("create it first: mkdir -p '{}'", folder.display());
        return Err(problem(format!("the folder {} does not exist", folder.display()), &hint));
    }
    Ok(folder)
}

/// Temporary files are for their owner alone; ours becomes an ordinary file, so the umask decides.
#[cfg(unix)]
fn ordinary_mode(builder: &mut Builder<'_, '_>) {
    use std::os::unix::fs::PermissionsExt as _;
    builder.permissions(std::fs::Permissions::from_mode(0o666));
}

#[cfg(not(unix))]
fn ordinary_mode(_: &mut Builder<'_, '_>) {}

/// Makes the rename itself last through a power cut, where folders can be synced. The file is whole
/// either way, so a system that refuses is no failure.
fn sync_folder(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).expect("a folder");
        entries.map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_modes_kept_and_devices_written_to() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().expect("a folder");
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        std::fs::write(&real, "old").expect("written");
        std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o640)).expect("set");
        std::os::unix::fs::symlink(&real, &link).expect("linked");
        let put = |path: &Path| {
            write_atomically(path, |out| out.write_all(b"new").map_err(|e| write_error(path, e)))
        };
        put(&link).expect("written");
        assert!(link.is_symlink());
        assert_eq!(std::fs::read_to_string(&real).expect("there"), "new");
        let mode = std::fs::metadata(&real).expect("there").permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
        let full = Path::new("/dev/full");
        if full.exists() {
            let err = put(full).expect_err("full");
            assert!(err.to_string().starts_with("/dev/full: cannot write"), "{err}");
            assert!(!full.is_file(), "a device stays a device");
        }
    }

    #[test]
    fn a_file_is_written_and_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("out.txt");
        for text in ["first", "second"] {
            write_atomically(&path, |out| {
                out.write_all(text.as_bytes()).map_err(|e| write_error(&path, e))
            })
            .expect("written");
            assert_eq!(std::fs::read_to_string(&path).expect("there"), text);
        }
        assert_eq!(names(folder.path()), ["out.txt"]);
    }

    #[test]
    fn a_failed_write_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("out.txt");
        let full = |out: &mut dyn Write| {
            out.write_all(&vec![b'x'; 3 * BUFFER]).expect("a little fits");
            Err(write_error(&path, io::Error::from(io::ErrorKind::StorageFull)))
        };
        let err = write_atomically(&path, full).expect_err("full");
        let message = format!("{}: cannot write: no storage space", path.display());
        assert_eq!(err.to_string(), message);
        assert!(names(folder.path()).is_empty());

        std::fs::write(&path, "old").expect("written");
        write_atomically(&path, full).expect_err("full");
        assert_eq!(std::fs::read_to_string(&path).expect("there"), "old");
        assert_eq!(names(folder.path()), ["out.txt"]);
    }

    #[test]
    fn what_a_killed_run_left_is_removed_and_what_is_in_use_is_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let put = |name: &str| {
            let path = folder.path().join(name);
            write_atomically(&path, |_| Ok(())).expect("written");
        };
        for name in [".vertopic-left.tmp", ".vertopic-mine", "other.tmp"] {
            std::fs::write(folder.path().join(name), "half").expect("written");
        }
        let used = temporary(folder.path()).expect("made");
        let in_use = used.path().file_name().expect("a name").to_string_lossy().into_owned();
        put("out");
        let mut expected = vec![".vertopic-mine", in_use.as_str(), "other.tmp", "out"];
        expected.sort_unstable();
        let mut found = names(folder.path());
        found.sort();
        assert_eq!(found, expected);
        drop(used.keep().expect("kept")); // as a run that is killed does
        put("out");
        let mut found = names(folder.path());
        found.sort();
        assert_eq!(found, [".vertopic-mine", "other.tmp", "out"]);
    }

    #[test]
    fn a_missing_folder_is_named_and_a_folder_is_no_file() {
        let err = write_atomically(Path::new("no/such/m.bin"), |_| Ok(())).expect_err("missing");
        assert_eq!(
            err.to_string(),
            "no/such/m.bin: cannot write: the folder no/such does not exist"
        );
        assert_eq!(err.hint().as_deref(), Some("create it first: mkdir -p 'no/such'"));
        check_writable(Path::new("no/such/m.bin")).expect_err("missing");
        let err = write_atomically(Path::new("."), |_| Ok(())).expect_err("a folder");
        assert_eq!(err.to_string(), ".: cannot write: it is a folder");
    }

    #[cfg(unix)]
    #[test]
    fn the_file_has_the_mode_of_any_other() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().expect("a folder");
        let (ours, plain) = (folder.path().join("ours"), folder.path().join("plain"));
        write_atomically(&ours, |_| Ok(())).expect("written");
        std::fs::write(&plain, "").expect("written");
        let mode = |p: &Path| std::fs::metadata(p).expect("there").permissions().mode();
        assert_eq!(mode(&ours), mode(&plain));
    }
}
