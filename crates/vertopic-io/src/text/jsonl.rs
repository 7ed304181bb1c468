//! JSON Lines, one document an object.
//!
//! A field can be named by a path: `meta.year` is the field `year` of the object `meta`, unless
//! there is a field `meta.year`. Id, label and time may be strings, numbers or booleans; `null`
//! stands for a value that is not there, and for an empty text.

use serde_json::{Map, Value};
use vertopic::corpus::DocumentInfo;

use crate::advice::{self, Advice};
use crate::error::IoError;
use crate::source::Source;
use crate::text::columns::{Columns, ID, LABEL, TEXT, TIME, cut, filled, join, list};
use crate::text::reader::{Place, TextReader};

/// Reads every line as a document.
pub fn read(
    source: Source,
    columns: &Columns,
    documents: &mut TextReader<'_>,
) -> Result<(), IoError> {
    let path = source.path.clone();
    let mut lines = source.lines();
    let mut fields: Option<Fields> = None;
    let mut blank = None;
    while let Some((number, line)) = lines.next()? {
        let place = Place::line(&path, number);
        documents.advance(line.len() as u64 + 1);
        if line.trim_ascii().is_empty() {
            blank.get_or_insert(number);
            continue;
        }
        if let Some(number) = blank {
            let problem = "an empty line is no JSON object; only the end may have some";
            return Err(Place::line(&path, number).error(problem, None));
        }
        let object = parse(&documents.decode(line, &place)?, &place)?;
        let fields = match &mut fields {
            Some(fields) => fields,
            none => none.insert(Fields::new(columns, &object, &place)?),
        };
        let (text, info) = fields.document(&object, &place)?;
        documents.push(text, info)?;
    }
    fields.map_or(Ok(()), |fields| fields.check(&Place { path: &path, line: None }))
}

fn parse(line: &str, place: &Place<'_>) -> Result<Map<String, Value>, IoError> {
    match serde_json::from_str::<Value>(line) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(other) => {
            let problem = format!("{} is not a JSON object", shown(&other));
            Err(place
                .error(problem, Some("every line must be an object such as {\"text\": \"…\"}")))
        }
        Err(e) => {
            let text = e.to_string();
            let what = text.split(" at line ").next().unwrap_or_default();
            Err(place.error(format!("not JSON: {what} at column {}", e.column()), None))
        }
    }
}

/// Which fields to read, and which of those the user named were ever seen.
struct Fields {
    text: Vec<String>,
    /// Id, label, time: the names to look for, whether the user gave one, whether it was seen.
    others: [(Vec<String>, bool, bool); 3],
}

impl Fields {
    /// Text is found by the usual names in the first object; it must then be in all.
    fn new(
        columns: &Columns,
        first: &Map<String, Value>,
        place: &Place<'_>,
    ) -> Result<Self, IoError> {
        let text = if columns.text.is_empty() {
            let usual = TEXT.iter().find(|name| first.contains_key(**name));
            let only = (first.len() == 1).then(|| first.keys().next()).flatten();
            let found = usual.map(|name| (*name).to_owned()).or_else(|| only.cloned());
            vec![found.ok_or_else(|| unknown_text(first, place))?]
        } else {
            columns.text.clone()
        };
        let other = |given: &Option<String>, usual: &[&str]| match given {
            Some(name) => (vec![name.clone()], true, false),
            None => (usual.iter().map(|n| (*n).to_owned()).collect(), false, false),
        };
        let others =
            [other(&columns.id, &ID), other(&columns.label, &LABEL), other(&columns.time, &TIME)];
        Ok(Self { text, others })
    }

    fn document(
        &mut self,
        object: &Map<String, Value>,
        place: &Place<'_>,
    ) -> Result<(String, DocumentInfo), IoError> {
        let mut scalars = [None, None, None];
        for (value, (names, _, seen)) in scalars.iter_mut().zip(&mut self.others) {
            if let Some((name, found)) = names.iter().find_map(|n| Some((n, get(object, n)?))) {
                *seen = true;
                *value = scalar(found, name, place)?;
            }
        }
        let [id, label, time] = scalars;
        let parts = self.text.iter().map(|name| text(object, name, place));
        let parts = parts.collect::<Result<_, _>>()?;
        Ok((join(parts), DocumentInfo { id, label, time }))
    }

    /// A field that the user named and no object has is a slip of the pen.
    fn check(&self, place: &Place<'_>) -> Result<(), IoError> {
        match self.others.iter().find(|(_, given, seen)| *given && !seen) {
            None => Ok(()),
            Some((names, ..)) => {
                Err(place.error(format!("no line has the field {:?}", names[0]), None))
            }
        }
    }
}

fn get<'o>(object: &'o Map<String, Value>, name: &str) -> Option<&'o Value> {
    object.get(name).or_else(|| {
        let (first, rest) = name.split_once('.')?;
        get(object.get(first)?.as_object()?, rest)
    })
}

fn text(object: &Map<String, Value>, name: &str, place: &Place<'_>) -> Result<String, IoError> {
    match get(object, name) {
        Some(Value::String(text)) => Ok(text.clone()),
        Some(Value::Null) => Ok(String::new()),
        Some(other) => {
            Err(place.error(format!("the text {name:?} is {}, not a string", shown(other)), None))
        }
        None => {
            let names: Vec<String> = object.keys().cloned().collect();
            let problem = format!("there is no field {name:?}; the fields are {}", list(&names));
            Err(place.advised(problem, Some(which_text())))
        }
    }
}

fn scalar(value: &Value, name: &str, place: &Place<'_>) -> Result<Option<String>, IoError> {
    match value {
        Value::Null => Ok(None),
        Value::String(text) => Ok(filled(text.clone())),
        Value::Number(number) => Ok(Some(number.to_string())),
        Value::Bool(yes) => Ok(Some(yes.to_string())),
        Value::Array(_) | Value::Object(_) => {
            let problem = format!("{name:?} is {}, not a string or a number", shown(value));
            Err(place.error(problem, None))
        }
    }
}

fn unknown_text(first: &Map<String, Value>, place: &Place<'_>) -> IoError {
    let names: Vec<String> = first.keys().cloned().collect();
    IoError::Usage {
        problem: format!(
            "{}: cannot tell which field is the text; the fields are {}",
            place.path.display(),
            list(&names)
        ),
        hint: Some(which_text()),
    }
}

fn which_text() -> Advice {
    Advice::change(&[advice::TEXT_COLUMN], "say which field is the text")
}

/// A value for a message, cut short.
fn shown(value: &Value) -> String {
    cut(&value.to_string())
}

#[cfg(test)]
mod tests;
