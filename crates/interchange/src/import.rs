//! Games that other programs wrote, as [`GameRecord`]s.
//!
//! Three formats of lines are told apart by [`detect_format`]: our own records, conformance [traces](Trace), and the
//! [training](Training) format of the reference service. Files whose names end in `.sgf` hold games of Go, see
//! [`record::sgf`]. Importing plays the game by our rules; what comes out [replays](GameRecord::replay).

use std::path::PathBuf;

use record::{BadRecord, GameRecord, LineReader, ReadError, sgf};
use serde::{Deserialize, de::IgnoredAny};

use crate::{
    BadJson, from_text,
    trace::{BadTrace, Trace},
    training::Training,
};

/// The formats that can be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Our own game record.
    Record,
    /// A conformance trace.
    Trace,
    /// The training format of the reference service.
    Training,
    /// A game of Go in the Smart Game Format.
    Sgf,
}

/// A game, and what had to be done to read it.
#[derive(Clone, PartialEq, Debug)]
pub struct Imported {
    /// What the line was.
    pub format: Format,
    /// The game.
    pub record: GameRecord,
    /// Forced bookkeeping moves that the source left out and that were put in.
    pub inserted: usize,
}

/// A line that is no game, or none that our rules can follow. Plies count from 0.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// None of the formats.
    #[error(
        "neither a game record (config), a trace (plies) nor a training game (moves with board_type or initial_state)"
    )]
    UnknownFormat,
    /// Not the JSON of the format it looks like.
    #[error("{what}: {source}")]
    Json {
        /// What it looks like.
        what: &'static str,
        /// What is wrong with it.
        source: BadJson,
    },
    /// A bad record of our own.
    #[error(transparent)]
    Record(#[from] BadRecord),
    /// A trace that cannot be set up.
    #[error("trace {id:?}: {source}")]
    Trace {
        /// Name of the game.
        id: String,
        /// Why not.
        source: BadTrace,
    },
    /// A training game that cannot be set up.
    #[error("game {id:?}: {}", faults.join("; "))]
    Setup {
        /// Name of the game.
        id: String,
        /// Everything that is wrong.
        faults: Vec<String>,
    },
    /// A move that is not legal.
    #[error("game {id:?}, ply {ply}: {text:?} is not legal for seat {seat} in the phase {phase}: {reason}")]
    Illegal {
        /// Name of the game.
        id: String,
        /// Index among the moves of the source.
        ply: usize,
        /// The move as recorded, in interchange spelling.
        text: String,
        /// The seat to move by our rules.
        seat: usize,
        /// The phase by our rules.
        phase: &'static str,
        /// What would be legal.
        reason: String,
    },
    /// A result that the moves do not lead to.
    #[error("game {id:?}: recorded as {recorded}, but the moves lead to {replayed}")]
    Result {
        /// Name of the game.
        id: String,
        /// The result as recorded.
        recorded: String,
        /// The result by our rules.
        replayed: String,
    },
}

/// Which format a line is in; `None` if it is none of them.
///
/// ```
/// use interchange::{Format, detect_format};
/// assert_eq!(detect_format(r#"{"board_type":"square8","moves":[],"winner":1}"#), Some(Format::Training));
/// assert_eq!(detect_format(r#"{"answer":42}"#), None);
/// ```
pub fn detect_format(line: &str) -> Option<Format> {
    #[derive(Deserialize)]
    struct Keys {
        format: Option<IgnoredAny>,
        config: Option<IgnoredAny>,
        plies: Option<IgnoredAny>,
        moves: Option<IgnoredAny>,
        initial_state: Option<IgnoredAny>,
        board_type: Option<IgnoredAny>,
    }
    let keys: Keys = serde_json::from_str(line).ok()?;
    if keys.config.is_some() && keys.format.is_some() {
        Some(Format::Record)
    } else if keys.plies.is_some() {
        Some(Format::Trace)
    } else if keys.moves.is_some() && (keys.initial_state.is_some() || keys.board_type.is_some()) {
        Some(Format::Training)
    } else {
        None
    }
}

/// Reads a line of any of the formats. A game without a name of its own is called `name`.
///
/// # Errors
/// If it is none of them, or the game does not follow our rules. Records of our own are read but not replayed.
pub fn import_line(line: &str, name: &str) -> Result<Imported, ImportError> {
    let format = detect_format(line).ok_or(ImportError::UnknownFormat)?;
    let (record, inserted) = match format {
        Format::Record => (GameRecord::from_line(line)?, 0),
        Format::Trace => {
            let trace: Trace = serde_json::from_str(line).map_err(in_json("trace"))?;
            (trace.to_record()?, 0)
        }
        Format::Training => {
            let training: Training = from_text(line).map_err(in_json("training game"))?;
            training.to_record(name)?
        }
        // Not a format of lines, so no line is detected as it.
        Format::Sgf => return Err(ImportError::UnknownFormat),
    };
    Ok(Imported { format, record, inserted })
}

fn in_json<E: Into<BadJson>>(what: &'static str) -> impl Fn(E) -> ImportError {
    move |error| ImportError::Json { what, source: error.into() }
}

/// A file that cannot be imported, or one of its lines. Lines count from 1.
#[derive(Debug, thiserror::Error)]
pub enum ImportFileError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A line that cannot be imported. Reading can go on behind it.
    #[error("{}:{line}: {source}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Which line.
        line: u64,
        /// Why not.
        source: Box<ImportError>,
    },
    /// An SGF file that cannot be imported.
    #[error("{}: {source}", path.display())]
    Sgf {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: Box<sgf::BadGame>,
    },
}

/// The games of a file whose lines are in any of the formats, even mixed, or of an SGF file.
///
/// An iterator that goes on after a bad line, as [`LineReader`] does. Games without a name are called after the
/// file and their line.
pub struct ImportReader(Source);

enum Source {
    Lines(Box<LineReader>),
    /// SGF is no format of lines: the games were read when the file was opened.
    Games(std::vec::IntoIter<GameRecord>, u64),
}

impl ImportReader {
    /// Opens a file, packed as its name says.
    ///
    /// # Errors
    /// If it cannot be opened, is packed in another way, or is an SGF file that cannot be read.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, ImportFileError> {
        let path = path.into();
        let is_sgf = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("sgf"));
        if !is_sgf {
            return Ok(Self(Source::Lines(Box::new(LineReader::open(path)?))));
        }
        let bytes = std::fs::read(&path).map_err(|source| ReadError::Io { path: path.clone(), source })?;
        // Old files have names in other encodings; moves are plain letters in all of them.
        let text = String::from_utf8_lossy(&bytes);
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let games = sgf::read(&text, &name);
        let games = games.map_err(|source| ImportFileError::Sgf { path, source: Box::new(source) })?;
        Ok(Self(Source::Games(games.into_iter(), 0)))
    }

    /// The number of the line that was read last, or of the game in an SGF file, from 1.
    pub fn line_number(&self) -> u64 {
        match &self.0 {
            Source::Lines(lines) => lines.line_number(),
            Source::Games(_, number) => *number,
        }
    }
}

impl Iterator for ImportReader {
    type Item = Result<Imported, ImportFileError>;

    fn next(&mut self) -> Option<Self::Item> {
        let lines = match &mut self.0 {
            Source::Lines(lines) => lines,
            Source::Games(games, number) => {
                *number += 1;
                return games.next().map(|record| Ok(Imported { format: Format::Sgf, record, inserted: 0 }));
            }
        };
        let text = lines.next()?;
        let (path, number) = (lines.path(), lines.line_number());
        Some(text.map_err(ImportFileError::Read).and_then(|text| {
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            import_line(&text, &format!("{file}:{number}")).map_err(|source| ImportFileError::Line {
                path: path.to_owned(),
                line: number,
                source: Box::new(source),
            })
        }))
    }
}
