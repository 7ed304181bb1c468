//! What is done stays done: a file with a line for every finished piece of work.
//!
//! A long experiment may be stopped at any moment. Its pieces are named by all that decides their
//! outcome (settings, sizes, seed), and a finished one is written down at once; the next run reads them
//! again and does the rest. A last line that was cut off is dropped, so its piece is done again.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use vertopic::context::Context;
use vertopic_io::IoError;

/// Pieces of work that are done, by name.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    done: BTreeMap<String, Value>,
    file: Mutex<File>,
}

#[derive(serde::Serialize, serde::Deserialize)]
struct Line<'a> {
    key: std::borrow::Cow<'a, str>,
    value: Value,
}

impl Journal {
    /// Opens the journal, or begins one.
    pub fn open(path: &Path) -> Result<Self, IoError> {
        let failed = |what| move |source| IoError::File { path: path.to_owned(), what, source };
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(failed("cannot open"))?;
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(failed("cannot read"))?;
        let whole = text.iter().rposition(|&b| b == b'\n').map_or(0, |end| end + 1);
        let mut done = BTreeMap::new();
        for (n, line) in text[..whole].split(|&b| b == b'\n').enumerate() {
            if line.is_empty() {
                continue;
            }
            let Line { key, value } = serde_json::from_slice(line).map_err(|e| IoError::Data {
                path: path.to_owned(),
                line: Some(n as u64 + 1),
                problem: format!("not a line of a journal of finished work: {e}"),
                hint: Some("remove the file to begin anew".into()),
            })?;
            done.insert(key.into_owned(), value);
        }
        file.set_len(whole as u64).map_err(failed("cannot write"))?;
        file.seek(SeekFrom::End(0)).map_err(failed("cannot write"))?;
        Ok(Self { path: path.to_owned(), done, file: Mutex::new(file) })
    }

    /// Does all pieces of work that are not done yet, `at_a_time` at a time, and gives the outcomes of all in
    /// order. Pieces that are timed are best done one at a time.
    pub fn carry_out<T, V>(
        &mut self,
        stage: &'static str,
        pieces: &[T],
        key: impl Fn(&T) -> String,
        at_a_time: usize,
        ctx: &Context<'_>,
        work: impl Fn(&T) -> Result<V, IoError> + Sync,
    ) -> Result<Vec<V>, IoError>
    where
        T: Sync,
        V: Serialize + DeserializeOwned,
    {
        let keys: Vec<String> = pieces.iter().map(&key).collect();
        let open: Vec<usize> =
            (0..pieces.len()).filter(|&i| !self.done.contains_key(&keys[i])).collect();
        let progress = ctx.stage(stage, pieces.len() as u64);
        progress.advance((pieces.len() - open.len()) as u64);
        let next = AtomicUsize::new(0);
        let fresh: Mutex<Vec<(usize, Value)>> = Mutex::new(Vec::new());
        let failure: Mutex<Option<IoError>> = Mutex::new(None);
        let one = || {
            while locked(&failure).is_none() {
                let Some(&at) = open.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
                let outcome = work(&pieces[at]).and_then(|value| self.note(&keys[at], &value));
                match outcome {
                    Ok(value) => locked(&fresh).push((at, value)),
                    Err(error) => *locked(&failure) = Some(error),
                }
                progress.advance(1);
            }
        };
        std::thread::scope(|scope| {
            (0..at_a_time.min(open.len())).for_each(|_| {
                scope.spawn(one);
            });
        });
        if let Some(error) = locked(&failure).take() {
            return Err(error);
        }
        for (at, value) in locked(&fresh).drain(..) {
            self.done.insert(keys[at].clone(), value);
        }
        keys.iter().map(|key| self.read(key)).collect()
    }

    /// Writes a finished piece down.
    fn note<V: Serialize>(&self, key: &str, value: &V) -> Result<Value, IoError> {
        let failed =
            |source| IoError::File { path: self.path.clone(), what: "cannot write", source };
        let value = serde_json::to_value(value).map_err(|e| failed(e.into()))?;
        let line = Line { key: key.into(), value };
        let mut text = serde_json::to_vec(&line).map_err(|e| failed(e.into()))?;
        text.push(b'\n');
        let mut file = locked(&self.file);
        file.write_all(&text).and_then(|()| file.flush()).map_err(failed)?;
        Ok(line.value)
    }

    fn read<V: DeserializeOwned>(&self, key: &str) -> Result<V, IoError> {
        let value = self.done.get(key).cloned().unwrap_or(Value::Null);
        serde_json::from_value(value).map_err(|e| IoError::Data {
            path: self.path.clone(),
            line: None,
            problem: format!("the outcome of {key} cannot be read: {e}"),
            hint: Some("remove the file to begin anew".into()),
        })
    }
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(path: &Path, calls: &AtomicUsize) -> Result<Vec<u64>, IoError> {
        let ctx = Context::silent()?;
        let mut journal = Journal::open(path)?;
        journal.carry_out("squaring", &[3_u64, 1, 2], ToString::to_string, 2, &ctx, |n| {
            calls.fetch_add(1, Ordering::Relaxed);
            Ok(n * n)
        })
    }

    #[test]
    fn finished_work_is_not_done_again_and_a_torn_line_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("journal.jsonl");
        let calls = AtomicUsize::new(0);
        assert_eq!(squares(&path, &calls).expect("done"), [9, 1, 4]);
        assert_eq!(squares(&path, &calls).expect("done"), [9, 1, 4]);
        assert_eq!(calls.load(Ordering::Relaxed), 3);
        let text = std::fs::read_to_string(&path).expect("there");
        std::fs::write(&path, &text[..text.len() - 3]).expect("torn");
        assert_eq!(squares(&path, &calls).expect("done"), [9, 1, 4]);
        assert_eq!(calls.load(Ordering::Relaxed), 4);
        std::fs::write(&path, "nonsense\n").expect("spoilt");
        let error = squares(&path, &calls).expect_err("not a journal").to_string();
        assert!(error.contains("line 1"), "{error}");
    }

    #[test]
    fn a_failure_ends_the_work_and_keeps_what_is_done() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("journal.jsonl");
        let ctx = Context::silent().expect("threads");
        let fail = |n: &u64| match n {
            2 => Err(vertopic::Error::NoPairs.into()),
            n => Ok(*n),
        };
        let mut journal = Journal::open(&path).expect("new");
        let pieces = [1_u64, 2];
        assert!(journal.carry_out("failing", &pieces, ToString::to_string, 2, &ctx, fail).is_err());
        let kept = std::fs::read_to_string(&path).expect("there");
        assert!(kept.contains("\"key\":\"1\"") && !kept.contains("\"key\":\"2\""), "{kept}");
    }
}
