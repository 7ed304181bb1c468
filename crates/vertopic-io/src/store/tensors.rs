//! What the files that are safetensors have in common.

use std::collections::HashMap;
use std::path::Path;

use safetensors::tensor::{SafeTensorError, SafeTensors, TensorView, serialize};

use crate::advice::Advice;
use vertopic::Parameter;

use crate::error::IoError;

/// What a file should be, in messages.
pub(super) struct Kind {
    /// Its name.
    pub(super) name: &'static str,
    /// The one key of its metadata. safetensors writes metadata in the order of a hash map, so
    /// two keys would come in another order in every run, and the file would not be the same twice.
    pub(super) key: &'static str,
    /// What to do about one that was cut or altered.
    pub(super) again: &'static str,
    /// The parameters that keep its vocabulary small.
    pub(super) smaller: &'static [Parameter],
    /// Where such files come from.
    pub(super) made_by: &'static str,
}

impl Kind {
    /// The tensors and the metadata of a file that is of this kind.
    pub(super) fn open<'b>(
        &self,
        path: &Path,
        bytes: &'b [u8],
    ) -> Result<(SafeTensors<'b>, String), IoError> {
        let refused = |e: SafeTensorError| self.not_safetensors(path, bytes, &e);
        let file = SafeTensors::deserialize(bytes).map_err(refused)?;
        let (_, header) = SafeTensors::read_metadata(bytes).map_err(refused)?;
        let Some(metadata) = header.metadata().as_ref().and_then(|m| m.get(self.key)) else {
            let (name, key) = (self.name, self.key);
            let problem = format!("not a vertopic {name}: its metadata have no key {key:?}");
            return Err(bad(path, problem, Some(self.made_by)));
        };
        Ok((file, metadata.clone()))
    }

    /// The bytes of a file of this kind.
    pub(super) fn bytes<'v>(
        &self,
        path: &Path,
        metadata: String,
        tensors: impl IntoIterator<Item = (&'static str, Result<TensorView<'v>, SafeTensorError>)>,
    ) -> Result<Vec<u8>, IoError> {
        let named = tensors.into_iter().map(|(name, tensor)| Ok((name, tensor?)));
        let serialized = named
            .collect::<Result<Vec<_>, SafeTensorError>>()
            .and_then(|t| serialize(t, Some(HashMap::from([(self.key.to_owned(), metadata)]))));
        serialized.map_err(|e| match e {
            SafeTensorError::HeaderTooLarge => {
                let name = self.name;
                let problem =
                    format!("the vocabulary is too large for a {name} file (100 MB with the rest)");
                let hint = Advice::change(self.smaller, "keep fewer words");
                IoError::Data { path: path.to_owned(), line: None, problem, hint: Some(hint) }
            }
            other => bad(path, format!("cannot be written: {other}"), None),
        })
    }

    /// Tells a file that was cut from one that never was of this kind.
    fn not_safetensors(&self, path: &Path, bytes: &[u8], error: &SafeTensorError) -> IoError {
        let header = bytes.first_chunk::<8>().map(|b| u64::from_le_bytes(*b));
        let begins_well = bytes.get(8).is_none_or(|&b| b == b'{');
        let short = header.is_none_or(|n| n < 1 << 27 && n > bytes.len() as u64 - 8);
        let name = self.name;
        if begins_well && (short || matches!(error, SafeTensorError::MetadataIncompleteBuffer)) {
            let problem = format!(
                "not a whole {name} file: its {} bytes are not what its header says; it was cut or lengthened",
                bytes.len()
            );
            return bad(path, problem, Some(self.again));
        }
        let problem = format!("not a {name} file (safetensors): {error}");
        bad(path, problem, Some(self.made_by))
    }
}

/// The whole file.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, IoError> {
    let what = "cannot read";
    std::fs::read(path).map_err(|source| IoError::File { path: path.to_owned(), what, source })
}

pub(super) fn bad(path: &Path, problem: String, hint: Option<&str>) -> IoError {
    IoError::Data { path: path.to_owned(), line: None, problem, hint: hint.map(Advice::from) }
}
