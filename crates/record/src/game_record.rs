//! [`GameRecord`], the record of one game, and its JSON form.

use std::collections::BTreeMap;

use game::{ForfeitKind, Notation, Outcome};
use serde::{Deserialize, Serialize};

use crate::{Config, Recorded};

/// The record of one game: its options, players, moves and result.
///
/// A record contains moves, not positions. [`GameRecord::replay`] reconstructs the positions and verifies that every move
/// is legal and that the moves lead to the recorded result.
///
/// `docs/record.md` describes the format field by field.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameRecord {
    /// The version of the format; [`GameRecord::FORMAT`] in new records.
    pub format: u32,
    /// A name, unique among the games stored together.
    pub id: String,
    /// The game and its options.
    pub config: Config,
    /// The start position as text; `None` for the normal start.
    pub start: Option<String>,
    /// The seed from which the game can be reproduced, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The spec of the player of each seat before the first move.
    pub players: Vec<String>,
    /// The moves in the notation of the game, including forced no-ops.
    pub moves: Vec<String>,
    /// Search statistics, in ascending order of ply. Plies without statistics are absent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stats: Vec<PlyStats>,
    /// Positions that searches evaluated, in ascending order of ply.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub leaves: Vec<Leaf>,
    /// The result; `None` if the game is not over.
    pub result: Option<GameResult>,
    /// When the game was played; RFC 3339 by convention, not interpreted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// Any other information.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tags: BTreeMap<String, String>,
}

/// Statistics of the search for one move. All fields but the ply are optional.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlyStats {
    /// Index of the move in [`GameRecord::moves`], from 0.
    pub ply: u32,
    /// Value per seat, absolute, in [−1, 1].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub value: Vec<f32>,
    /// The number of simulations, or of visits to the root.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub visits: Option<u64>,
    /// The number of positions searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The time spent, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<u64>,
    /// Moves with their probabilities.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub policy: Vec<(String, f32)>,
    /// Candidates, best first: the index in the list of legal moves, the probability, and the value for the seat to
    /// move, if the search determined one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<(u16, f32, Option<f32>)>,
}

/// A position at which a search called its evaluator, with the values of a search of its own.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Leaf {
    /// Index of the move in [`GameRecord::moves`] that the search decided.
    pub ply: u32,
    /// The position as text.
    pub position: String,
    /// Value per seat, absolute, in [−1, 1].
    pub value: Vec<f32>,
}

/// The result of a game. Seats are counted from 1.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameResult {
    /// The winner, if there is one.
    pub winner: Option<usize>,
    /// The name of the rule that ended the game, or of a [`ForfeitKind`].
    pub reason: String,
    /// The rank of each seat, 1 for the best; equal seats share a rank.
    pub ranking: Vec<u8>,
    /// Number of moves.
    pub plies: u32,
    /// The margin in a game of Go, as in `B+3.5`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<String>,
    /// The stones that the players of Go agreed are dead.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dead: Vec<String>,
    /// The stones that the players of Go agreed are in seki, which matters for territory scoring.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seki: Vec<String>,
}

/// An error for a line that is not a valid game record.
#[derive(Debug, thiserror::Error)]
pub enum BadRecord {
    /// The record has a later version of the format.
    #[error(
        "game record format {found}, but this program reads up to {}: use a newer version",
        GameRecord::FORMAT
    )]
    Newer {
        /// The version found.
        found: u32,
    },
    /// The line is not JSON of the expected form.
    #[error("not a game record: {0}")]
    Json(#[from] serde_json::Error),
    /// The record contradicts itself.
    #[error("game {id:?}: {}", faults.join("; "))]
    Faulty {
        /// The id of the game.
        id: String,
        /// All contradictions.
        faults: Vec<String>,
    },
}

impl GameRecord {
    /// The version of the format that is written, and the latest one that is read.
    pub const FORMAT: u32 = 1;

    /// Creates a record without moves, from the normal start.
    pub fn new(id: impl Into<String>, config: Config, players: Vec<String>) -> Self {
        Self {
            format: Self::FORMAT,
            id: id.into(),
            config,
            start: None,
            seed: None,
            players,
            moves: Vec::new(),
            stats: Vec::new(),
            leaves: Vec::new(),
            result: None,
            time: None,
            tags: BTreeMap::new(),
        }
    }

    /// Creates a record without moves that starts from `position`.
    pub fn from_position<P: Recorded>(id: impl Into<String>, position: &P, players: Vec<String>) -> Self {
        let options = position.config();
        let start = (*position != P::new(&options)).then(|| position.to_text());
        Self { start, ..Self::new(id, P::to_config(&options), players) }
    }

    /// Number of seats.
    pub fn seats(&self) -> usize {
        self.config.seats()
    }

    /// Appends the move `m`, which is about to be played in `position`.
    pub fn push<G: Notation>(&mut self, position: &G, m: G::Move) {
        self.moves.push(position.move_text(m));
    }

    /// Sets the result from `position`, the position after the last move; to `None` if the game is not over.
    pub fn conclude<P: Recorded>(&mut self, position: &P) {
        self.result = position.result(self.moves.len() as u32);
    }

    /// Sets the result to a forfeit by the seat to move in `position`, the position after the last move.
    pub fn forfeit<P: Recorded>(&mut self, position: &P, how: ForfeitKind) {
        self.result = Some(position.forfeited(how, self.moves.len() as u32));
    }

    /// Returns all contradictions in the record, in words. It does not check whether the moves are legal, as
    /// [`GameRecord::replay`] does.
    pub fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let mut demand = |holds: bool, otherwise: &dyn Fn() -> String| {
            if !holds {
                faults.push(otherwise());
            }
        };
        let (seats, plies) = (self.seats(), self.moves.len());
        demand(self.format == Self::FORMAT, &|| {
            format!("format {}: this program writes {}", self.format, Self::FORMAT)
        });
        demand(!self.id.is_empty(), &|| "the id is empty: expected a name".to_owned());
        demand(self.players.len() == seats, &|| format!("{} players for {seats} seats", self.players.len()));
        if let Some(result) = &self.result {
            let ranks = &result.ranking;
            let sane = ranks.len() == seats
                && ranks.contains(&1)
                && ranks.iter().all(|rank| *rank as usize <= seats);
            demand(sane && !ranks.contains(&0), &|| {
                format!("ranking {ranks:?}: expected {seats} ranks from 1")
            });
            let first = (1..).zip(ranks).filter(|(_, rank)| **rank == 1).map(|(seat, _)| seat);
            let firsts: Vec<usize> = first.collect();
            let winner = if let [only] = firsts[..] { Some(only) } else { None };
            demand(result.winner == winner, &|| {
                format!("winner {:?}, but the ranking {ranks:?} says {winner:?}", result.winner)
            });
            demand(result.plies as usize == plies, &|| format!("{} plies, but {plies} moves", result.plies));
        }
        let ascending = self.stats.is_sorted_by(|before, after| before.ply < after.ply);
        demand(ascending, &|| "statistics out of order: each ply once, ascending".to_owned());
        for stats in &self.stats {
            let ply = stats.ply;
            demand((ply as usize) < plies, &|| {
                format!("statistics for ply {ply}, but there are {plies} moves")
            });
            let values = &stats.value;
            demand(values.is_empty() || values.len() == seats, &|| {
                format!("ply {ply}: {} values for {seats} seats", values.len())
            });
            let finite = {
                let shares = stats.policy.iter().map(|(_, share)| share);
                let candidates =
                    stats.candidates.iter().flat_map(|(_, share, value)| [Some(share), value.as_ref()]);
                values.iter().chain(shares).chain(candidates.flatten()).all(|n| n.is_finite())
            };
            demand(finite, &|| format!("ply {ply}: a value or share is not a finite number"));
        }
        for Leaf { ply, value, .. } in &self.leaves {
            let sound =
                (*ply as usize) < plies && value.len() == seats && value.iter().all(|n| n.is_finite());
            demand(sound, &|| {
                format!("leaf of ply {ply}: expected one finite value per seat and one of {plies} plies")
            });
        }
        faults
    }

    /// The record as one line of JSON, without the line break.
    ///
    /// # Errors
    /// If the record has [faults](GameRecord::faults), because it could not be read again.
    pub fn to_line(&self) -> Result<String, BadRecord> {
        self.refuse_faults()?;
        Ok(serde_json::to_string(self)?)
    }

    /// Parses a line of JSON.
    ///
    /// # Errors
    /// If it is not a record, is one of a newer format, or contradicts itself.
    pub fn from_line(line: &str) -> Result<Self, BadRecord> {
        #[derive(Deserialize)]
        struct Version {
            format: u32,
        }
        let record: Self = serde_json::from_str(line).map_err(|error| {
            // A newer format may have unknown fields; then the version is the better explanation.
            match serde_json::from_str(line) {
                Ok(Version { format: found }) if found > Self::FORMAT => BadRecord::Newer { found },
                _ => BadRecord::Json(error),
            }
        })?;
        if record.format > Self::FORMAT {
            return Err(BadRecord::Newer { found: record.format });
        }
        record.refuse_faults()?;
        Ok(record)
    }

    fn refuse_faults(&self) -> Result<(), BadRecord> {
        let faults = self.faults();
        if faults.is_empty() { Ok(()) } else { Err(BadRecord::Faulty { id: self.id.clone(), faults }) }
    }
}

impl GameResult {
    /// Creates the result of a game of `plies` moves.
    pub fn new(outcome: &Outcome, reason: impl Into<String>, plies: u32) -> Self {
        Self {
            winner: outcome.winner().map(game::Seat::number),
            reason: reason.into(),
            ranking: outcome.ranks().to_vec(),
            plies,
            score: None,
            dead: Vec::new(),
            seki: Vec::new(),
        }
    }
}
