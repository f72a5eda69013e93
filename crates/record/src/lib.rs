//! Game records: a versioned format, crash-safe files of records, game options, and SGF for games of Go.
//!
//! A [`GameRecord`] is one line of JSON. It contains moves, not positions or tensors; [`GameRecord::replay`] replays them and
//! verifies every move and the result. [`RecordWriter`] appends records to a file, plain or compressed, and [`RecordReader`]
//! reads them as a stream. [`Config`] is a game with all its options.
//!
//! ```
//! use game::Game;
//! use record::{Config, GameRecord, RecordReader, RecordWriter};
//! use ringrift::{Board, Position, Rules, Square8};
//!
//! // Play the first legal move until the game is over.
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
//! // Store it. The file name determines the compression.
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("games.jsonl.zst");
//! RecordWriter::open(&path)?.append(&record)?;
//! let stored = RecordReader::open(&path)?.next().expect("one game was written")?;
//! assert_eq!(stored, record);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Deliberately absent: clocks and randomness (the caller passes time and seed), encodings of positions for networks (they
//! are computed when a batch is built, so that a new encoder can use old games), search and indexes over files, and the
//! rules of the games.
//!
//! Where to go next: `docs/record.md` for the format, [`Recorded`] for what a game must implement, [`mod@sgf`] for games of
//! Go, and the crate `interchange` for games of other programs.

mod compression;
mod config;
mod game_record;
mod reader;
mod recorded;
mod repair;
mod replay;
pub mod sgf;
mod writer;

pub use compression::Compression;
pub use config::{BadOption, Config, GameKind, GameOption, GoConfig, Options, RingRiftConfig, Value, Values};
pub use game_record::{BadRecord, GameRecord, GameResult, Leaf, PlyStats};
pub use reader::{LineReader, ReadError, RecordReader};
pub use recorded::Recorded;
pub use repair::Repair;
pub use replay::{ReplayError, ReplayProblem, Visitor};
pub use writer::{RecordWriter, WriteError, write_records};

/// Re-exports for the macro [`on_game`].
#[doc(hidden)]
pub mod games {
    pub use {go, ringrift};
}
