//! Panics of decoders become errors.
//!
//! The Parquet and Arrow decoders check most of what they read, but a damaged file can still run
//! into an assertion in them. A bad file must not take the program down, nor print a stack trace.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

static HOOK: Once = Once::new();

/// Runs `work`; a panic in it is given back as its message. What `work` changed must not be used
/// after a panic.
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    // The message of a panic is printed before it can be caught, hence this: silent while guarded.
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !GUARDED.get() {
                before(info);
            }
        }));
    });
    let outer = GUARDED.replace(true);
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    GUARDED.set(outer);
    result.map_err(|payload| {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
        format!("damaged: {}", text.unwrap_or("its parts do not fit together"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_error_and_a_value_stays_a_value() {
        assert_eq!(guarded(|| 3), Ok(3));
        assert_eq!(
            guarded(|| panic!("bad offset")),
            Err::<(), _>("damaged: bad offset".to_owned())
        );
        let n = 4;
        assert_eq!(guarded(|| panic!("at {n}")), Err::<(), _>("damaged: at 4".to_owned()));
    }
}
