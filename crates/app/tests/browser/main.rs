//! The web app as people use it: a real browser at the real service.
//!
//! The rules are tested elsewhere. Here it is whether everything that they allow can be done by pointing, tapping and
//! typing, and whether the pages keep up.

#![expect(
    clippy::print_stderr,
    reason = "what was measured, and why nothing was, is said beside the results"
)]

mod access;
mod analyse;
mod around;
mod driver;
mod hand;
mod harness;
mod lab;
mod learn;
mod pages;
mod play;
mod special_moves;

#[path = "../support/server.rs"]
mod server;
