//! What a shell notes for itself in a model or a sketch.

use std::fmt;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::error::Error;

/// A value that a shell notes in a model or a sketch, such as the options of its tokenizer. The library keeps, compares
/// and hashes it, but does not look inside.
///
/// ```
/// use vertopic::note::Note;
/// let note = Note::of(&("lowercase", true))?;
/// assert_eq!(note.read::<(String, bool)>()?, ("lowercase".to_owned(), true));
/// assert_eq!(note.to_string(), r#"["lowercase",true]"#);
/// # Ok::<(), vertopic::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Note(serde_json::Value);

impl Note {
    /// Notes `value`, which must have a form as JSON.
    pub fn of<T: Serialize + ?Sized>(value: &T) -> Result<Self, Error> {
        serde_json::to_value(value).map(Self).map_err(|e| Error::BadModel(e.to_string()))
    }

    /// The noted value; an error if it is not a `T`.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, Error> {
        T::deserialize(&self.0).map_err(|e| Error::BadModel(e.to_string()))
    }

    /// The part of the note with this name, if the note has named parts.
    pub fn get(&self, name: &str) -> Option<Self> {
        self.0.get(name).cloned().map(Self)
    }

    /// The noted text, if the note is a text.
    pub fn as_str(&self) -> Option<&str> {
        self.0.as_str()
    }

    /// Whether nothing is noted.
    pub fn is_empty(&self) -> bool {
        self.0.is_null()
    }
}

/// As JSON.
impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
