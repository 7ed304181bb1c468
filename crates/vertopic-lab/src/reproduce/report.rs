//! Where an experiment leaves its files: a table of raw numbers, figures, a page.

use std::path::{Path, PathBuf};

use vertopic_io::IoError;
use vertopic_io::atomic::{write_atomically, write_error};

use crate::figure::to_png;

/// The folder of one experiment.
#[derive(Debug, Clone)]
pub struct Folder {
    path: PathBuf,
}

/// Pixels of a PNG per unit of the SVG.
const SHARPNESS: f32 = 2.0;

impl Folder {
    /// Makes the folder if it is not there.
    pub fn new(path: &Path) -> Result<Self, IoError> {
        std::fs::create_dir_all(path).map_err(|source| IoError::File {
            path: path.to_owned(),
            what: "cannot create",
            source,
        })?;
        Ok(Self { path: path.to_owned() })
    }

    /// The path of a file in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Writes a text file.
    pub fn text(&self, name: &str, text: &str) -> Result<(), IoError> {
        self.bytes(name, text.as_bytes())
    }

    fn bytes(&self, name: &str, bytes: &[u8]) -> Result<(), IoError> {
        let path = self.file(name);
        write_atomically(&path, |out| out.write_all(bytes).map_err(|e| write_error(&path, e)))
    }

    /// Writes a figure as `name.svg` and `name.png`.
    pub fn figure(&self, name: &str, svg: &str) -> Result<(), IoError> {
        self.text(&format!("{name}.svg"), svg)?;
        let file = format!("{name}.png");
        let png = to_png(svg, SHARPNESS).map_err(|e| IoError::Data {
            path: self.file(&file),
            line: None,
            problem: e.to_string(),
            hint: None,
        })?;
        self.bytes(&file, &png)
    }

    /// Writes raw numbers as CSV.
    pub fn csv(&self, name: &str, head: &[&str], rows: &[Vec<String>]) -> Result<(), IoError> {
        let path = self.file(name);
        write_atomically(&path, |out| {
            let mut csv = csv::Writer::from_writer(out);
            csv.write_record(head).map_err(|e| write_error(&path, e.into()))?;
            for row in rows {
                csv.write_record(row).map_err(|e| write_error(&path, e.into()))?;
            }
            csv.flush().map_err(|e| write_error(&path, e))
        })
    }
}

/// Heads of columns that hold text.
const TEXT: [&str; 4] = ["words", "why", "step", "in"];

/// A Markdown table. Numbers are best right-aligned: so is every column but the first and those of text.
pub fn markdown(head: &[&str], rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let escaped = |cells: &[String]| -> Vec<String> {
        cells.iter().map(|c| c.replace('|', "\\|").replace('\n', " ")).collect()
    };
    let head: Vec<String> = head.iter().map(|&h| h.to_owned()).collect();
    let left = |(i, h): (usize, &String)| i == 0 || TEXT.contains(&h.as_str());
    let align = |column| if left(column) { "---" } else { "---:" }.to_owned();
    let rule: Vec<String> = head.iter().enumerate().map(align).collect();
    let mut out = line(&escaped(&head)) + &line(&rule);
    rows.iter().for_each(|row| out.push_str(&line(&escaped(row))));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_markdown_whatever_its_words_are() {
        let table = markdown(&["word", "n"], &[vec!["a|b".into(), "1".into()]]);
        assert_eq!(table, "| word | n |\n| --- | ---: |\n| a\\|b | 1 |\n");
    }
}
