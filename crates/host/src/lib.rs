//! One interface for games of any kind: playing, undo, scoring, descriptions for people, and agents that take seats.
//!
//! [`HostedGame`] is object-safe, so that a server, a terminal or a protocol can hold a `Box<dyn HostedGame>` without knowing
//! the position type. A game is opened from options, a position text or a record. Moves are given as text or as an index into
//! the list of legal moves, which is generated once per position.
//!
//! ```
//! use host::{Occupant, Status};
//! use record::Config;
//! use search::Stop;
//!
//! let mut game = host::open(&Config::go(go::Rules::new(5)))?;
//! let occupants = vec![Occupant::Human, Occupant::agent("mcts(sims=30)", game.venue())?];
//! game.take_seats(occupants, 7)?;
//! game.play("C3")?;
//!
//! // The agent thinks about a copy, on any thread, and stays alive for its next decision.
//! let mut thinker = game.thinker().expect("an agent is to move");
//! let limits = thinker.player().limits();
//! let report = thinker.think(&limits, 5, &Stop::default(), &mut |_| ());
//! game.play_report(&report)?;
//! assert_eq!((game.plies().len(), game.status()), (2, Status::Playing));
//!
//! assert!(game.undo_decision());
//! assert_eq!(game.plies().len(), 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Agents
//!
//! An agent lives as long as its game: its tree, its transposition table and its novelty counts persist from one decision to
//! the next. Its seed depends on the game's seed and on its seat, so that a game replayed from the start with the same seeds
//! has the same decisions. An agent that was dropped (after an undo, after reopening the game, or to limit memory) is rebuilt
//! when it is next needed, with a seed that also depends on the ply.
//!
//! What is deliberately absent: files, sockets, threads, printing, colours (drawings take a [`Painter`]), and rules.
//!
//! Where to go next: [`HostedGame`] is the interface, [`GoGame`] the part that is specific to Go, and `hostable.rs` what a
//! game must provide to be hosted.

mod agreement;
pub mod bench;
mod drawing;
mod error;
mod go;
mod hostable;
mod hosted_game;
mod open;
mod ply;
mod report;
mod ringrift;
mod seating;
mod shape;
#[cfg(test)]
mod tests;
mod thinker;
mod typed;
pub mod view;
mod words;

pub use agreement::Agreement;
pub use drawing::{Highlight, Ink, Marks, Painter};
pub use error::{OpenError, PlayError, SeatError};
pub use go::{ChainStatus, Estimate, Forecast, GoGame};
pub use hosted_game::{HostedGame, Status};
pub use open::{open, open_position, open_record, open_sgf};
pub use ply::Ply;
pub use seating::{AgentSlot, Occupant};
pub use thinker::Thinker;
pub use words::{capitalised, count_of, remark, spelled};
