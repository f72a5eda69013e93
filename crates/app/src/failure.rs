//! Error reporting: the message, its causes, the offending text with carets, and a hint where there is one.

use std::{fmt, io};

use game::{Fault, Faults};

use crate::{
    carets,
    printer::{Printer, Style},
};

/// An error with a hint about its cure.
#[derive(Debug)]
pub(crate) struct ErrorWithHint {
    message: String,
    hint: String,
}

impl ErrorWithHint {
    pub(crate) fn error(message: impl Into<String>, hint: impl Into<String>) -> anyhow::Error {
        Self::context(message, hint).into()
    }

    /// An error to attach to another one with `anyhow::Error::context`.
    pub(crate) fn context(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { message: message.into(), hint: hint.into() }
    }
}

impl fmt::Display for ErrorWithHint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ErrorWithHint {}

/// Invalid user input, with all its faults.
#[derive(Debug)]
pub(crate) struct BadText {
    message: String,
    text: String,
    faults: Vec<Fault>,
}

impl BadText {
    pub(crate) fn error(message: impl Into<String>, text: &str, faults: Faults) -> anyhow::Error {
        Self { message: message.into(), text: text.to_owned(), faults: faults.0 }.into()
    }
}

impl fmt::Display for BadText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for BadText {}

/// Whether the error is a closed output pipe, which counts as success.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let broken = |cause: &io::Error| cause.kind() == io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref::<io::Error>().is_some_and(broken))
}

/// What to do about an error of the file system, where it does not follow from its message.
fn cure(error: &anyhow::Error) -> Option<&'static str> {
    let kinds = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>()).map(io::Error::kind);
    kinds.into_iter().find_map(|kind| match kind {
        io::ErrorKind::FileTooLarge => Some("raise the limit on file sizes (ulimit -f), or write less"),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            Some("free some space, or write elsewhere")
        }
        _ => None,
    })
}

/// Prints an error with its causes, carets and hint to standard error.
pub(crate) fn report(error: &anyhow::Error, printer: &Printer) {
    printer.note(format!("{} {error}", printer.paint_error(Style::Error, "error:")));
    let mut printed = error.to_string();
    for cause in error.chain().skip(1) {
        let text = cause.to_string();
        // Many messages already end with their cause.
        if !printed.ends_with(&text) {
            printer.note(format!("  because {text}"));
            printed = text;
        }
    }
    if let Some(bad) = error.downcast_ref::<BadText>() {
        for fault in &bad.faults {
            printer.note("");
            let mark = |text: &str| printer.paint_error(Style::Error, text);
            for line in carets::excerpt(&bad.text, fault, mark) {
                printer.note(format!("  {line}"));
            }
        }
    }
    let hint = error.downcast_ref::<ErrorWithHint>().map(|hinted| hinted.hint.as_str());
    if let Some(hint) = hint.or_else(|| cure(error)) {
        printer.note("");
        printer.note(format!("{} {hint}", printer.paint_error(Style::Hint, "hint:")));
    }
}
