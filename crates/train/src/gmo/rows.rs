//! Positions with labelled moves.

use eval::GmoEncoder;
use game::{Symmetry, derive_seed};
use nn::{GmoInput, GmoLabels};
use record::{GameRecord, PlyStats, Recorded};

use crate::{
    RowStore, TrainError,
    encoding::{opening_plies, outcome_shares, search_shares},
};

/// How moves are labelled.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GmoLabelOptions {
    /// The weight of the game's result in the label of a move that was played without stored candidates; the search's
    /// value has the rest.
    pub result_share: f32,
    /// The factor from the logit of a search value to that of the expected result.
    pub scale: f32,
    /// The most moves of a position that are learned from; the others are left out at random.
    pub most_moves: usize,
}

impl Default for GmoLabelOptions {
    fn default() -> Self {
        Self { result_share: 0.3, scale: 1.0, most_moves: 64 }
    }
}

/// A position with labelled moves.
#[derive(Clone, PartialEq, Debug)]
pub struct GmoRow {
    /// What a network reads of it.
    pub input: GmoInput,
    /// What it should say.
    pub labels: GmoLabels<f32>,
    /// The number of symmetries of the board that hold for it.
    pub symmetries: u8,
}

/// Rows in memory.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GmoRows {
    /// The rows.
    pub rows: Vec<GmoRow>,
}

impl RowStore for GmoRows {
    fn len(&self) -> usize {
        self.rows.len()
    }

    fn bytes(&self) -> usize {
        let of_row = |row: &GmoRow| {
            row.input.bytes()
                + size_of::<GmoRow>()
                + 4 * (2 * row.labels.values.len() + row.labels.policy.len())
        };
        self.rows.iter().map(of_row).sum()
    }

    fn append(&mut self, other: Self) {
        self.rows.extend(other.rows);
    }
}

/// Adds the rows of a game: every decision after the opening whose search is recorded.
///
/// All candidates with values are labelled by them alone: the result is that of one move, and would be noise in its
/// comparison with the others. Without candidates, the move that was played is labelled by the value of the search and the
/// game's result, and is preferred to all other legal moves. Every position counts the same, however many moves it has.
pub(super) fn add_game<P: Recorded + Symmetry, E: GmoEncoder<P>>(
    game: &GameRecord,
    options: &GmoLabelOptions,
    rows: &mut GmoRows,
) -> Result<(), TrainError> {
    let result = game.result.as_ref().ok_or_else(|| TrainError::Unfinished(game.id.clone()))?;
    let result = outcome_shares(&result.ranking);
    let opening = opening_plies(game);
    let mut decisions = game.stats.iter().peekable();
    let (mut ply, mut encoder, mut legal) = (0, E::default(), Vec::new());
    // The moves that are learned from, by index, each with its value or with the probability that it should have.
    let mut told: Vec<(usize, f32)> = Vec::new();
    game.replay_as::<P>(|position, played| {
        let decision = loop {
            match decisions.next_if(|stats| stats.ply as usize <= ply) {
                Some(stats) if stats.ply as usize == ply => break Some(stats),
                Some(_) => {}
                None => break None,
            }
        };
        // An agent that moves at random searches nothing, and the result says little about its move.
        let is_random = |stats: &PlyStats| stats.value.is_empty() && stats.nodes == Some(0);
        if let Some(stats) = decision.filter(|stats| ply >= opening && !is_random(stats)) {
            position.legal_moves(&mut legal);
            let draw = derive_seed(position.key(), ply as u64, 0);
            told.clear();
            candidates(stats, options.scale, legal.len(), &mut told);
            let labels = if told.is_empty() {
                let place = legal.iter().position(|&m| m == played).expect("a replayed move is legal");
                let seat = position.to_move().index();
                let of_result = 2.0 * result[seat] - 1.0;
                let searched = if stats.value.is_empty() {
                    of_result
                } else {
                    2.0 * search_shares(&stats.value, options.scale)[seat] - 1.0
                };
                let value = options.result_share * of_result + (1.0 - options.result_share) * searched;
                told.extend((0..legal.len()).map(|m| (m, f32::from(u8::from(m == place)))));
                thin_out(&mut told, options.most_moves, draw);
                let policy: Vec<f32> = told.iter().map(|told| told.1).collect();
                let values = policy.iter().map(|share| share * value).collect();
                GmoLabels { values, weights: policy.clone(), policy, draw }
            } else {
                thin_out(&mut told, options.most_moves, draw);
                let weights = vec![1.0 / told.len() as f32; told.len()];
                let values = told.iter().map(|told| told.1).collect();
                GmoLabels { values, weights, policy: Vec::new(), draw }
            };
            let moves: Vec<P::Move> = told.iter().map(|told| legal[told.0]).collect();
            let mut input = GmoInput::default();
            encoder.encode(position, &moves, &mut input);
            rows.rows.push(GmoRow { input, labels, symmetries: position.symmetries() as u8 });
        }
        ply += 1;
    })?;
    Ok(())
}

/// The moves that a search valued, with values in [−1, 1].
fn candidates(stats: &PlyStats, scale: f32, legal: usize, told: &mut Vec<(usize, f32)>) {
    for &(index, _, value) in &stats.candidates {
        if let Some(value) = value.filter(|_| usize::from(index) < legal) {
            // The opponents' side of the value does not matter to its share.
            let value = 2.0 * search_shares(&[value, -value], scale)[0] - 1.0;
            told.push((usize::from(index), value));
        }
    }
}

/// Leaves out moves at random until `most` are left, but none of the best quarter of those: a choice is between them.
fn thin_out(told: &mut Vec<(usize, f32)>, most: usize, draw: u64) {
    if told.len() <= most.max(1) {
        return;
    }
    told.sort_by(|one, other| other.1.total_cmp(&one.1));
    for place in most.div_ceil(4).max(1)..most {
        let rest = told.len() - place;
        let other = place + (derive_seed(draw, place as u64, 1) % rest as u64) as usize;
        told.swap(place, other);
    }
    told.truncate(most.max(1));
}
