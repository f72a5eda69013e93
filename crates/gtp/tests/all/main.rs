//! External programs as agents.
#![expect(clippy::unwrap_used, reason = "a helper that fails fails its test")]

mod programs;
