//! All integration tests of the rules in one binary, because they share an oracle that is slow to compile.

#![allow(clippy::unwrap_used, reason = "a test that cannot unwrap has failed")]

mod bless;
mod differential;
mod fuzz;
mod golden;
mod invariants;
mod keys;
mod kit;
mod literate;
mod metamorphic;
mod oracle;
mod perft;
mod scatter;
