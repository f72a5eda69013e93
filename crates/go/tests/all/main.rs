//! All integration tests of the rules in one binary, because they share an oracle.

#![allow(clippy::unwrap_used, reason = "a test that cannot unwrap has failed")]

mod counts;
mod differential;
mod fuzz;
mod kit;
mod oracle;
mod records;
mod repetition;
mod rules;
mod scoring;
mod verdict;
mod wild;
