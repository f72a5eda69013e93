//! What a network should say about the positions of a game.

use record::{GameRecord, PlyStats};
use selfplay::tags;
use serde_json::{Value, json};

use crate::{
    MAX_SEATS,
    encoding::{blend, outcome_shares, search_shares},
};

/// How targets are computed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PvLabels {
    /// The weight of the game's result in the target of the value; values of searches have the rest.
    pub result_share: f32,
    /// How much of the searches' part comes from later decisions: every decision has the rest of what the one before left.
    pub lambda: f32,
    /// The share of positions without a policy to learn that become rows: those inside searches, with only one legal move,
    /// or with a search too short to learn from.
    pub value_rows: f32,
    /// Whether every game counts as much as any other, so that long games do not outweigh short ones.
    pub by_game: bool,
    /// The factor from the logit of a search value to that of the expected result, fitted to the folder.
    pub scale: f32,
    /// Policies are a softmax of the candidates' values, in \[−1, 1\], at this temperature where values are stored. Without
    /// it, they are the candidates' probabilities.
    pub value_temperature: Option<f32>,
}

impl Default for PvLabels {
    fn default() -> Self {
        Self {
            result_share: 0.3,
            lambda: 0.7,
            value_rows: 0.3,
            by_game: false,
            scale: 1.0,
            value_temperature: None,
        }
    }
}

impl PvLabels {
    /// The options, without what is fitted.
    pub(crate) fn resolved(&self) -> Value {
        let mut resolved = json!({
            "result_share": self.result_share,
            "lambda": self.lambda,
            "value_rows": self.value_rows,
            "by_game": self.by_game,
        });
        if let Some(temperature) = self.value_temperature {
            resolved["value_temperature"] = json!(temperature);
        }
        resolved
    }

    /// The share of the game that a value of a search stands for.
    pub(super) fn search_shares(&self, values: &[f32]) -> [f32; MAX_SEATS] {
        search_shares(values, self.scale)
    }

    /// The target of the value before every decision with a value, with its ply, in order; behind them the target after the
    /// last one, which is the result.
    ///
    /// The searches' part is a λ-return: the search's own value times 1 − λ, plus λ times that of the next decision.
    pub(super) fn values(&self, game: &GameRecord, ranking: &[u8]) -> Vec<(u32, [f32; MAX_SEATS])> {
        let result = outcome_shares(ranking);
        let mut later = result;
        let mut targets = vec![(u32::MAX, result)];
        for stats in game.stats.iter().rev().filter(|stats| !stats.value.is_empty()) {
            later = blend(&later, &self.search_shares(&stats.value), self.lambda);
            targets.push((stats.ply, blend(&result, &later, self.result_share)));
        }
        targets.reverse();
        targets
    }
}

/// The policy to learn at a decision: the candidates that were stored, or the move that a search chose. Empty if there is
/// none.
pub(super) fn policy(
    game: &GameRecord,
    stats: &PlyStats,
    played: Option<usize>,
    labels: &PvLabels,
    policy: &mut Vec<(u16, f32)>,
) {
    policy.clear();
    if let Some(temperature) = labels.value_temperature {
        let values = stats.candidates.iter().filter_map(|&(index, _, value)| Some((index, value?)));
        // The opponents' side of the value does not matter to its share.
        policy.extend(
            values.map(|(index, value)| (index, 2.0 * labels.search_shares(&[value, -value])[0] - 1.0)),
        );
        if policy.len() > 1 {
            let best = policy.iter().map(|&(_, value)| value).fold(f32::MIN, f32::max);
            for (_, share) in policy.iter_mut() {
                *share = ((*share - best) / temperature).exp();
            }
            let sum: f32 = policy.iter().map(|&(_, share)| share).sum();
            for (_, share) in policy.iter_mut() {
                *share /= sum;
            }
            return;
        }
        policy.clear();
    }
    let sum: f32 = stats.candidates.iter().map(|candidate| candidate.1).sum();
    if sum > 0.0 {
        let candidates = stats.candidates.iter().filter(|candidate| candidate.1 > 0.0);
        policy.extend(candidates.map(|&(index, share, _)| (index, share / sum)));
        return;
    }
    let only_candidates = game.tags.get(tags::POLICY).is_some_and(|tag| tag == tags::CANDIDATES);
    // An agent that moves at random searches nothing.
    let is_choice = !stats.value.is_empty() && stats.nodes != Some(0);
    if let Some(index) = played.filter(|_| is_choice && !only_candidates) {
        policy.push((index as u16, 1.0));
    }
}
