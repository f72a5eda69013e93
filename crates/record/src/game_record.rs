//! The record of one game, and how it is written as a line of JSON.

use std::collections::BTreeMap;

use game::{ForfeitKind, Notation, Outcome};
use serde::{Deserialize, Serialize};

use crate::{Config, Recorded};

/// What was played in one game: how it was set up, who played, every move, and how it ended.
///
/// A record holds moves, not positions: [`GameRecord::replay`] rebuilds the positions and, on the way, verifies
/// that every move was legal and that the result is the one the moves lead to.
///
/// `docs/record.md` describes the format field by field.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameRecord {
    /// Version of the format, [`GameRecord::FORMAT`] in everything written here.
    pub format: u32,
    /// A name that is unique among the games it is kept with.
    pub id: String,
    /// What was agreed before the first move.
    pub config: Config,
    /// The position the game started from, as text; `None` for the normal start.
    pub start: Option<String>,
    /// The seed from which the game can be played again, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Who played: the agent's specification per seat, as seated before the first move.
    pub players: Vec<String>,
    /// The moves in the notation of the game, one per decision, forced ones included.
    pub moves: Vec<String>,
    /// What searches found, for the plies that have it, in the order of the plies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stats: Vec<PlyStats>,
    /// How it ended; `None` while it has not.
    pub result: Option<GameResult>,
    /// When it was played, as the writer likes to say it; RFC 3339 is the habit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// Anything else worth keeping.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tags: BTreeMap<String, String>,
}

/// What a search found before one move. Everything but the ply is optional and absent when not known.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlyStats {
    /// Index of the move in [`GameRecord::moves`], from 0.
    pub ply: u32,
    /// Value per seat, absolute, in [−1, 1].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub value: Vec<f32>,
    /// Simulations, or visits of the root.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub visits: Option<u64>,
    /// Positions looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Time spent, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<u64>,
    /// Moves with the share of attention they got.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub policy: Vec<(String, f32)>,
}

/// How a game ended. Seats are counted from 1.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameResult {
    /// The winner, if there is one.
    pub winner: Option<usize>,
    /// By which rule, in the words of the game, or the name of a [`ForfeitKind`].
    pub reason: String,
    /// Rank per seat, 1 for the best, shared where seats are equal.
    pub ranking: Vec<u8>,
    /// Number of moves.
    pub plies: u32,
    /// By how much, in a game that counts points: `B+3.5`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<String>,
    /// The stones that the players of Go agreed to be dead, where the score counts them so.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dead: Vec<String>,
    /// The stones that the players of Go agreed to live in seki; it matters to territory scoring.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seki: Vec<String>,
}

/// A line that is no game record.
#[derive(Debug, thiserror::Error)]
pub enum BadRecord {
    /// The record is from a later version of this program.
    #[error(
        "game record format {found}, but this program reads up to {}: use a newer version",
        GameRecord::FORMAT
    )]
    Newer {
        /// The version found.
        found: u32,
    },
    /// Not the JSON of a record.
    #[error("not a game record: {0}")]
    Json(#[from] serde_json::Error),
    /// Parts that contradict each other.
    #[error("game {id:?}: {}", faults.join("; "))]
    Faulty {
        /// Name of the game.
        id: String,
        /// All contradictions.
        faults: Vec<String>,
    },
}

impl GameRecord {
    /// The version of the format that is written, and the latest that is read.
    pub const FORMAT: u32 = 1;

    /// A game that is about to start normally.
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
            result: None,
            time: None,
            tags: BTreeMap::new(),
        }
    }

    /// A game that is about to start from `position`.
    pub fn from_position<P: Recorded>(id: impl Into<String>, position: &P, players: Vec<String>) -> Self {
        let options = position.config();
        let start = (*position != P::new(&options)).then(|| position.to_text());
        Self { start, ..Self::new(id, P::written(&options), players) }
    }

    /// Number of seats.
    pub fn seats(&self) -> usize {
        self.config.seats()
    }

    /// Notes the move `m`, about to be played in `position`.
    pub fn push<G: Notation>(&mut self, position: &G, m: G::Move) {
        self.moves.push(position.move_text(m));
    }

    /// Notes how the game stands at `position`, after the last move: the result if it is over, none if not.
    pub fn conclude<P: Recorded>(&mut self, position: &P) {
        self.result = position.result(self.moves.len() as u32);
    }

    /// Notes that the seat to move at `position`, after the last move, gave the game up or lost it by default.
    pub fn forfeit<P: Recorded>(&mut self, position: &P, how: ForfeitKind) {
        self.result = Some(position.forfeited(how, self.moves.len() as u32));
    }

    /// Everything that contradicts itself in the record, in words. Whether the moves are legal is not looked at:
    /// [`GameRecord::replay`] does that.
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
        demand(!self.id.is_empty(), &|| "the id is empty: every game needs a name".to_owned());
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
            let finite =
                values.iter().chain(stats.policy.iter().map(|(_, share)| share)).all(|n| n.is_finite());
            demand(finite, &|| format!("ply {ply}: a value or share is not a finite number"));
        }
        faults
    }

    /// The record as one line of JSON, without the line break.
    ///
    /// # Errors
    /// If the record has [faults](GameRecord::faults): nothing is written that would not be read back.
    pub fn to_line(&self) -> Result<String, BadRecord> {
        self.refuse_faults()?;
        Ok(serde_json::to_string(self)?)
    }

    /// Reads a line of JSON.
    ///
    /// # Errors
    /// If it is not a record, is one of a newer format, or contradicts itself.
    pub fn from_line(line: &str) -> Result<Self, BadRecord> {
        #[derive(Deserialize)]
        struct Version {
            format: u32,
        }
        let record: Self = serde_json::from_str(line).map_err(|error| {
            // A newer format may have fields that are unknown here; the version is then the better explanation.
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
    /// The result of a game of `plies` moves.
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
