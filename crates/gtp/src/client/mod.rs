//! The client side: external programs as agents.

mod external;
mod history;
mod program;
mod words;

pub use external::{External, ExternalOptions};
pub use program::{Program, ProgramError};
pub use words::{CommandLineError, words};
