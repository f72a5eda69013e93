//! The Go Text Protocol, version 2: commands, replies, and external programs as agents.
//!
//! [`Command`] and [`Reply`] are the messages and [`Lines`] reads them; [`External`] is an agent that runs an external
//! program. The crate `gtp-engine` is the other side: an engine for other programs.
//!
//! Deliberately absent: the process's own standard streams, and printing.

mod client;
mod command;
mod lines;
mod reply;

pub use client::{CommandLineError, External, ExternalOptions, Program, ProgramError, words};
pub use command::{Command, colour, vertex, vertex_text};
pub use lines::{Line, Lines};
pub use reply::Reply;
