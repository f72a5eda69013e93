//! The Go Text Protocol, version 2: commands, replies, and external programs as agents.
//!
//! [`Command`] and [`Reply`] are what is said, [`Lines`] reads it; an [`External`] is an external engine in the seat of an
//! agent. The other side, an engine that others speak to, is the crate `gtp-engine`.
//!
//! What is deliberately absent: the process's own streams, printing.

mod client;
mod command;
mod lines;
mod reply;

pub use client::{BadCommandLine, External, ExternalOptions, Program, ProgramError, words};
pub use command::{Command, colour, vertex, vertex_text};
pub use lines::{Line, Lines};
pub use reply::Reply;
