//! What was played: the versioned game record, files of records that survive a crash, and importers of games that
//! other programs wrote.
//!
//! A [`GameRecord`] is one line of JSON. It holds moves, not positions or tensors; [`GameRecord::replay`] plays them
//! again and verifies every one of them, and the result. [`RecordWriter`] appends records to a file, plain or packed,
//! and [`RecordReader`] streams them back.
//!
//! ```
//! use game::Game;
//! use record::{Config, GameRecord, RecordReader, RecordWriter};
//! use ringrift::{Board, Position, Rules, Square8};
//!
//! // Play the first moves there are until the game is over.
//! let rules = Rules::new(2);
//! let config = Config::ringrift(Board::Square8, rules);
//! let mut record = GameRecord::new("doc-1", config, vec!["first".into(), "first".into()]);
//! let mut position = Position::<Square8>::new(&rules);
//! let mut moves = Vec::new();
//! loop {
//!     position.legal_moves(&mut moves);
//!     let Some(&m) = moves.first() else { break };
//!     record.push(&position, m);
//!     position.play(m)?;
//! }
//! record.conclude(&position);
//! assert_eq!(record.replay()?, position.outcome());
//!
//! // Keep it. The name says how the file is packed.
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("games.jsonl.zst");
//! RecordWriter::open(&path)?.append(&record)?;
//! let kept = RecordReader::open(&path)?.next().expect("one game was written")?;
//! assert_eq!(kept, record);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What is deliberately absent: clocks and randomness (time and seed are handed in), encodings of positions for
//! networks (those are made when a batch is built, so that a new encoder can learn from old games), searching or
//! indexing files, and any rule of the game: a record is only as right as its replay.
//!
//! Where to go next: `docs/record.md` for the format, [`Recorded`] for what a game has to provide, [`import`] for
//! games from elsewhere, [`export`] for the other way, [`mod@sgf`] for games of Go, [`trace`] for the comparison of our
//! rules with recorded games of the reference engine.

mod compression;
mod config;
pub mod export;
mod game_record;
pub mod import;
mod reader;
mod recorded;
mod repair;
mod replay;
pub mod sgf;
pub mod trace;
mod writer;

pub use compression::Compression;
pub use config::{Config, GoConfig, RingRiftConfig};
pub use game_record::{BadRecord, GameRecord, GameResult, PlyStats};
pub use reader::{LineReader, ReadError, RecordReader};
pub use recorded::Recorded;
pub use repair::Repair;
pub use replay::{ReplayError, ReplayProblem, Visit};
pub use writer::{RecordWriter, WriteError, write_records};

/// The games whose records are known, for [`on_game`].
#[doc(hidden)]
pub mod games {
    pub use {go, ringrift};
}
