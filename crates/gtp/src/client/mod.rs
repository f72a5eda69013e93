//! The client side: external programs as agents.

mod course;
mod external;
mod program;
mod words;

pub use external::{External, ExternalOptions};
pub use program::{Program, ProgramError};
pub use words::{BadCommandLine, words};
