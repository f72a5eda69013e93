//! Statistics of a run: rate, lengths, results and duplicates.

use std::collections::HashSet;

use record::GameRecord;

use crate::tags;

/// What is known about the games of a run so far.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// The number of games.
    pub games: u64,
    /// The number of plies, including openings and forced moves.
    pub plies: u64,
    /// The number of decisions with statistics.
    pub decisions: u64,
    /// The number of games by length: entry `i` counts games of `i * LENGTH_STEP` plies up to the next step.
    pub lengths: Vec<u64>,
    /// The number of games won by each seat, and at the end the number without a winner.
    pub wins: Vec<u64>,
    /// The number of games that were as good as decided before their end.
    pub decided: u64,
    /// The number of those that another seat won than the one that was as good as certain to.
    pub misjudged: u64,
    /// The number of batches that an evaluator of interleaved games was asked to evaluate, and of the positions in them.
    pub batches: u64,
    /// The number of positions in these batches.
    pub evaluations: u64,
    /// The number of games that a thread plays at once, which is the size of a full batch.
    pub most: u64,
    /// A sample of the keys of positions, and how many were drawn.
    seen: HashSet<u64>,
    sampled: u64,
}

/// One in this many keys is remembered, chosen by the key itself, so that all occurrences of a position are counted or
/// none.
const SAMPLING: u64 = 16;

impl Statistics {
    /// The width of a class of lengths, in plies.
    pub const LENGTH_STEP: usize = 20;

    /// Counts a game; `keys` are those of its positions with statistics.
    pub(crate) fn push(&mut self, game: &GameRecord, keys: &[u64]) {
        self.games += 1;
        self.plies += game.moves.len() as u64;
        self.decisions += game.stats.len() as u64;
        let class = game.moves.len() / Self::LENGTH_STEP;
        if self.lengths.len() <= class {
            self.lengths.resize(class + 1, 0);
        }
        self.lengths[class] += 1;
        self.wins.resize(game.seats() + 1, 0);
        let winner = game.result.as_ref().and_then(|result| result.winner);
        self.wins[winner.map_or(game.seats(), |seat| seat - 1)] += 1;
        if let Some(leader) = game.tags.get(tags::LEADER) {
            self.decided += 1;
            self.misjudged += u64::from(winner.is_none_or(|seat| seat.to_string() != *leader));
        }
        for &key in keys {
            // The low bits of a key are used by hash tables; any bits are as good.
            if (key >> 32).is_multiple_of(SAMPLING) {
                self.sampled += 1;
                self.seen.insert(key);
            }
        }
    }

    /// How full the batches of interleaved games were, from 0 to 1; `None` if there were none.
    pub fn fill(&self) -> Option<f64> {
        (self.batches > 0).then(|| self.evaluations as f64 / (self.batches * self.most.max(1)) as f64)
    }

    /// The share of positions that occurred before, estimated from a sample.
    pub fn duplicates(&self) -> f64 {
        if self.sampled == 0 { 0.0 } else { 1.0 - self.seen.len() as f64 / self.sampled as f64 }
    }
}
