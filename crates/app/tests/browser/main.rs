//! Tests of the web app in a real browser with the real service.
//!
//! The rules are tested elsewhere. These tests check that every legal move can be played with the pointer, by touch and with
//! the keyboard, and that the pages follow the game.

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
mod newcomers;
mod pages;
mod play;
mod replay;
mod special_moves;

#[path = "../support/server.rs"]
mod server;
