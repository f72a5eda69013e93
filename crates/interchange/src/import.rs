//! Imports games of other programs as [`GameRecord`]s.
//!
//! [`detect_format`] distinguishes three line formats: our own records, conformance [traces](Trace), and the
//! [training](Training) format of the reference service. Files that end in `.sgf` contain games of Go, see [`record::sgf`].
//! An import replays the game by our rules, so that the resulting record [replays](GameRecord::replay).

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

/// An imported game.
#[derive(Clone, PartialEq, Debug)]
pub struct Imported {
    /// The format of the line.
    pub format: Format,
    /// The game.
    pub record: GameRecord,
    /// The number of forced no-ops that the source lacks and the import inserted.
    pub inserted: usize,
}

/// The error for a line that is not a game, or violates our rules. Plies count from 0.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The line has none of the formats.
    #[error(
        "neither a game record (with config), nor a trace (with plies), nor a training game (with moves and board_type or initial_state)"
    )]
    UnknownFormat,
    /// The line is not valid JSON of the detected format.
    #[error("{what}: {source}")]
    Json {
        /// The detected format.
        what: &'static str,
        /// The faults.
        source: BadJson,
    },
    /// The line is an invalid record of our own.
    #[error(transparent)]
    Record(#[from] BadRecord),
    /// The start of a trace cannot be set up.
    #[error("trace {id:?}: {source}")]
    Trace {
        /// The id of the game.
        id: String,
        /// The reason.
        source: BadTrace,
    },
    /// The start of a training game cannot be set up.
    #[error("game {id:?}: {}", faults.join("; "))]
    Setup {
        /// The id of the game.
        id: String,
        /// All faults.
        faults: Vec<String>,
    },
    /// A move is illegal.
    #[error("game {id:?}, ply {ply}: {text:?} is not legal for seat {seat} in the phase {phase}: {reason}")]
    Illegal {
        /// The id of the game.
        id: String,
        /// The index among the moves of the source.
        ply: usize,
        /// The move as recorded.
        text: String,
        /// The seat to move by our rules.
        seat: usize,
        /// The phase by our rules.
        phase: &'static str,
        /// The legal moves.
        reason: String,
    },
    /// The recorded result differs from that of the moves.
    #[error("game {id:?}: the recorded result is {recorded}, but the moves lead to {replayed}")]
    Result {
        /// The id of the game.
        id: String,
        /// The result as recorded.
        recorded: String,
        /// The result by our rules.
        replayed: String,
    },
}

/// Detects the format of a line; `None` if it has none of them.
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

/// Imports a line of any of the formats. A game without an id gets the id `name`.
///
/// # Errors
/// If the line has none of the formats, or the game violates our rules. Our own records are parsed but not replayed.
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
        // SGF is not a line format, so no line is detected as SGF.
        Format::Sgf => return Err(ImportError::UnknownFormat),
    };
    Ok(Imported { format, record, inserted })
}

fn in_json<E: Into<BadJson>>(what: &'static str) -> impl Fn(E) -> ImportError {
    move |error| ImportError::Json { what, source: error.into() }
}

/// The error for a file, or one of its lines, that cannot be imported. Lines count from 1.
#[derive(Debug, thiserror::Error)]
pub enum ImportFileError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A line cannot be imported. Reading can continue after it.
    #[error("{}:{line}: {source}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line number.
        line: u64,
        /// The reason.
        source: Box<ImportError>,
    },
    /// An SGF file cannot be imported.
    #[error("{}: {source}", path.display())]
    Sgf {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: Box<sgf::BadGame>,
    },
}

/// An iterator over the games of an SGF file, or of a file whose lines have any of the formats, even mixed.
///
/// It continues after an invalid line, like [`LineReader`]. Games without an id are named after the file and the line.
pub struct ImportReader(Source);

enum Source {
    Lines(Box<LineReader>),
    /// The games of an SGF file, which are read when the file is opened.
    Games(std::vec::IntoIter<GameRecord>, u64),
}

impl ImportReader {
    /// Opens a file, with the compression that its name implies.
    ///
    /// # Errors
    /// If it cannot be opened, has another compression, or is an invalid SGF file.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, ImportFileError> {
        let path = path.into();
        let is_sgf = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("sgf"));
        if !is_sgf {
            return Ok(Self(Source::Lines(Box::new(LineReader::open(path)?))));
        }
        let bytes = std::fs::read(&path).map_err(|source| ReadError::Io { path: path.clone(), source })?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let games = sgf::read_bytes(&bytes, &name);
        let games = games.map_err(|source| ImportFileError::Sgf { path, source: Box::new(source) })?;
        Ok(Self(Source::Games(games.into_iter(), 0)))
    }

    /// The number of the last line read, or of the game in an SGF file, from 1.
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
