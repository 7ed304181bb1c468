//! Watches the bytes on their way to the CSV reader for what it does not tell: the line on which a
//! row begins, and quotes that swallow rows.
//!
//! The reader ends an open quote at the end of the file, and goes on with a field after its closing
//! quote. So `"` by mistake makes one document of many, in silence. A quoted field that runs over a
//! line break must therefore be closed, and closed before a delimiter or a line end.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, Read};
use std::rc::Rc;

const BYTE_ORDER_MARK: [u8; 3] = [0xef, 0xbb, 0xbf];

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    FieldStart,
    Plain,
    Quoted,
    /// After a quote in a quoted field: its end, or the first of two.
    Closing,
}

/// What was seen so far; shared by the reader and by who asks.
#[derive(Clone)]
pub(super) struct Watch(Rc<RefCell<Seen>>);

struct Seen {
    state: State,
    delimiter: u8,
    bytes: u64,
    lines: u64,
    /// Where lines end that are not yet part of a row.
    breaks: VecDeque<u64>,
    rows_lines: u64,
    /// Line on which the quoted field under way opened, and whether it went on to another.
    opened: u64,
    broken: bool,
    fault: Option<Fault>,
}

/// A quote that is not closed, or not where a field ends.
#[derive(Clone, Copy)]
pub(super) struct Fault {
    at: u64,
    /// Line on which the quote was opened.
    pub(super) line: u64,
    pub(super) problem: &'static str,
}

impl Watch {
    pub(super) fn new(delimiter: u8) -> Self {
        Self(Rc::new(RefCell::new(Seen {
            state: State::FieldStart,
            delimiter,
            bytes: 0,
            lines: 0,
            breaks: VecDeque::new(),
            rows_lines: 0,
            opened: 0,
            broken: false,
            fault: None,
        })))
    }

    /// The line, from 1, on which the row in these bytes begins.
    pub(super) fn take_row(&self, start: u64, end: u64) -> u64 {
        let seen = &mut *self.0.borrow_mut();
        // Blank lines before it, and the second half of `\r\n`.
        let blank = (start..).zip(&seen.breaks).take_while(|&(at, &b)| at == b).count() as u64;
        let line = seen.rows_lines + blank + 1;
        let ended = seen.breaks.partition_point(|&at| at < end);
        seen.breaks.drain(..ended);
        seen.rows_lines += ended as u64;
        line
    }

    /// The first fault before `end`.
    pub(super) fn fault(&self, end: u64) -> Option<Fault> {
        self.0.borrow().fault.filter(|fault| fault.at <= end)
    }

    pub(super) fn over(&self, inner: Box<dyn Read + Send>) -> Watched {
        Watched { inner, watch: self.clone() }
    }
}

impl Seen {
    fn step(&mut self, byte: u8) {
        let ends_field = byte == self.delimiter || byte == b'\n' || byte == b'\r';
        let of_mark = BYTE_ORDER_MARK.get(self.bytes as usize) == Some(&byte);
        self.state = match self.state {
            State::FieldStart if of_mark => State::FieldStart,
            State::FieldStart if byte == b'"' => {
                (self.opened, self.broken) = (self.lines + 1, false);
                State::Quoted
            }
            State::Quoted if byte == b'"' => State::Closing,
            State::Quoted => {
                self.broken |= byte == b'\n';
                State::Quoted
            }
            State::Closing if byte == b'"' => State::Quoted,
            _ if ends_field => State::FieldStart,
            State::Closing => {
                if self.broken {
                    self.fail("the quote (\") opened here is closed in the middle of a field");
                }
                State::Plain
            }
            State::FieldStart | State::Plain => State::Plain,
        };
        if byte == b'\n' {
            self.breaks.push_back(self.bytes);
            self.lines += 1;
        }
        self.bytes += 1;
    }

    fn fail(&mut self, problem: &'static str) {
        let fault = Fault { at: self.bytes, line: self.opened, problem };
        self.fault.get_or_insert(fault);
    }
}

/// The bytes, watched.
pub(super) struct Watched {
    inner: Box<dyn Read + Send>,
    watch: Watch,
}

impl Read for Watched {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buffer)?;
        let seen = &mut *self.watch.0.borrow_mut();
        buffer[..n].iter().for_each(|&byte| seen.step(byte));
        if n == 0 && seen.state == State::Quoted {
            seen.fail("the quote (\") opened here is never closed");
        }
        Ok(n)
    }
}
