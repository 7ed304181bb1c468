//! A folder of text files, one document a file; the path in the folder is the document's id.
//!
//! Files come in the order of their paths. Hidden files and folders are left out, links are
//! followed.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use vertopic::corpus::DocumentInfo;
use walkdir::{DirEntry, WalkDir};

use crate::advice::{self, Advice};
use crate::error::IoError;
use crate::source;
use crate::text::reader::{Place, TextReader};
use crate::text::without_mark;

/// What is read unless the user says otherwise.
const DEFAULT: &str = "*.{txt,text,md,txt.gz,text.gz,md.gz,txt.zst,text.zst,md.zst}";

/// Which files are documents: globs such as `*.txt` for names, `letters/**/*.txt` for paths.
#[derive(Debug, Clone)]
pub struct Include {
    names: GlobSet,
    paths: GlobSet,
}

impl Include {
    /// Files that match one of the globs; without globs, `.txt`, `.text` and `.md` files,
    /// compressed ones too. A glob with a slash is matched with the path in the folder, else with
    /// the name.
    pub fn new(globs: &[String]) -> Result<Self, IoError> {
        let (mut names, mut paths) = (GlobSetBuilder::new(), GlobSetBuilder::new());
        let bad = |glob: &str, e: globset::Error| IoError::Usage {
            problem: format!("the pattern {glob:?} is not a glob: {}", e.kind()),
            hint: Some(Advice::change(
                &[advice::INCLUDE],
                "for example '*.txt' or 'letters/**/*.md'",
            )),
        };
        let default = [DEFAULT.to_owned()];
        for glob in if globs.is_empty() { &default } else { globs } {
            let built = GlobBuilder::new(glob)
                .literal_separator(true)
                .case_insensitive(globs.is_empty())
                .build();
            let built = built.map_err(|e| bad(glob, e))?;
            if glob.contains('/') {
                paths.add(built)
            } else {
                names.add(built)
            };
        }
        let all = globs.join(" ");
        Ok(Self {
            names: names.build().map_err(|e| bad(&all, e))?,
            paths: paths.build().map_err(|e| bad(&all, e))?,
        })
    }

    /// Whether a file at this path in the folder is a document.
    pub fn matches(&self, path: &Path) -> bool {
        path.file_name().is_some_and(|name| self.names.is_match(name)) || self.paths.is_match(path)
    }
}

/// A file that is a document.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Found {
    /// The path in the folder, with `/`.
    pub id: String,
    /// The file.
    pub path: PathBuf,
    /// Its size on disk.
    pub bytes: u64,
}

/// The documents of a folder in the order of their ids. None at all is an error that says what is
/// there instead.
pub fn find(folder: &Path, include: &Include) -> Result<Vec<Found>, IoError> {
    let mut found = Vec::new();
    let mut others: BTreeMap<String, u64> = BTreeMap::new();
    let visible =
        |e: &DirEntry| e.depth() == 0 || !e.file_name().as_encoded_bytes().starts_with(b".");
    for entry in WalkDir::new(folder).follow_links(true).into_iter().filter_entry(visible) {
        let entry = match entry {
            Ok(entry) => entry,
            Err(e) if can_be_passed(&e, folder, include) => continue,
            Err(e) => return Err(walk_error(folder, e)),
        };
        let inside = entry.path().strip_prefix(folder).unwrap_or(entry.path());
        if !entry.file_type().is_file() {
            continue;
        }
        if include.matches(inside) {
            let bytes = entry.metadata().map_or(0, |m| m.len());
            found.push(Found { id: id(inside), path: entry.path().to_owned(), bytes });
        } else {
            *others.entry(ending(inside)).or_default() += 1;
        }
    }
    if found.is_empty() {
        return Err(none_found(folder, &others));
    }
    found.sort_unstable();
    Ok(found)
}

/// Reads the files as documents.
pub fn read(files: Vec<Found>, documents: &mut TextReader<'_>) -> Result<(), IoError> {
    let mut bytes = Vec::new();
    for file in files {
        bytes.clear();
        let mut reader = source::open(&file.path)?.into_reader();
        reader.read_to_end(&mut bytes).map_err(|e| source::read_error(&file.path, e))?;
        let text =
            documents.decode(without_mark(&bytes), &Place { path: &file.path, line: None })?;
        documents.advance(file.bytes);
        documents.push(text, DocumentInfo { id: Some(file.id), ..DocumentInfo::default() })?;
    }
    Ok(())
}

/// A link back to a folder above is not walked again; a broken link only matters if it is to be
/// read.
fn can_be_passed(error: &walkdir::Error, folder: &Path, include: &Include) -> bool {
    if error.loop_ancestor().is_some() {
        return true;
    }
    error.path().is_some_and(|path| {
        let inside = path.strip_prefix(folder).unwrap_or(path);
        path.is_symlink() && !path.exists() && !include.matches(inside)
    })
}

fn walk_error(folder: &Path, error: walkdir::Error) -> IoError {
    let path = error.path().unwrap_or(folder).to_owned();
    IoError::File { path, what: "cannot read", source: error.into() }
}

fn id(inside: &Path) -> String {
    let parts: Vec<_> = inside.components().map(|c| c.as_os_str().to_string_lossy()).collect();
    parts.join("/")
}

fn ending(path: &Path) -> String {
    path.extension().map_or_else(
        || "no ending".to_owned(),
        |e| format!(".{}", e.to_string_lossy().to_ascii_lowercase()),
    )
}

fn none_found(folder: &Path, others: &BTreeMap<String, u64>) -> IoError {
    let mut endings: Vec<(&String, &u64)> = others.iter().collect();
    endings.sort_by_key(|&(ending, n)| (std::cmp::Reverse(*n), ending));
    let listed: Vec<String> = endings.iter().take(8).map(|(e, n)| format!("{e} ({n})")).collect();
    let there = if listed.is_empty() {
        "it has no files".to_owned()
    } else {
        format!("it has files with the endings {}", listed.join(", "))
    };
    let hint = endings.iter().find(|(e, _)| e.starts_with('.')).map_or_else(
        || "say which files to read".to_owned(),
        |(e, _)| format!("include '*{e}' to read files with that ending"),
    );
    IoError::Data {
        path: folder.to_owned(),
        line: None,
        problem: format!("no file in this folder is to be read; {there}"),
        hint: Some(Advice::change(&[advice::INCLUDE], hint)),
    }
}

#[cfg(test)]
mod tests;
