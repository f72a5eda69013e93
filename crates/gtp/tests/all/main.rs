//! Programs of somebody else's as agents, and our engine spoken to.
#![expect(clippy::unwrap_used, reason = "a helper that fails fails its test")]

mod programs;
