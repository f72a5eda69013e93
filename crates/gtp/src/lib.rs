//! The Go Text Protocol, version 2, from both sides.
//!
//! An [`Engine`] lets any agent be spoken to; an [`External`] is an external program in the seat of an agent.
//! `docs/games/gtp.md` lists the commands and explains what they do here.
//!
//! What is deliberately absent: which agent plays (a [`Roster`] says), the process's own streams (they are handed in),
//! printing.

mod client;
mod command;
mod engine;
mod lines;
mod reply;

pub use client::{BadCommandLine, External, ExternalOptions, Program, ProgramError, words};
pub use engine::{Engine, EngineOptions, Roster, SeatedAgent};
