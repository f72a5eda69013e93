//! The Go Text Protocol, version 2.
mod client;
mod lines;
mod reply;

pub use client::{BadCommandLine, External, ExternalOptions, Program, ProgramError, words};
