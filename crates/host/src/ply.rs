//! A move that was played.

use record::PlyStats;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A move of a game, as it is shown and stored.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = Entry)]
pub struct Ply {
    /// The number of the seat that played it.
    pub seat: usize,
    /// The number of the turn that it belongs to, from 1.
    #[serde(default)]
    pub turn: u32,
    /// The move in the notation of the game.
    pub text: String,
    /// A description of the move, to follow the name of a seat.
    pub words: String,
    /// Whether the move was forced and played automatically.
    pub auto: bool,
    /// Whether a person chose it.
    #[serde(default)]
    pub human: bool,
    /// The value for each seat, as evaluated by the agent that played the move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<f64>>,
    /// Nodes or simulations that the agent spent on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Milliseconds that the agent spent on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<u64>,
}

impl Ply {
    /// The search statistics for a record, if there was a search.
    pub(crate) fn stats(&self, ply: u32) -> Option<PlyStats> {
        let value = self.values.as_ref()?.iter().map(|&value| value as f32).collect();
        Some(PlyStats { ply, value, visits: self.nodes, time_ms: self.time_ms, ..PlyStats::default() })
    }

    /// Sets the search statistics from a record.
    pub(crate) fn set_stats(&mut self, stats: &PlyStats) {
        let values = stats.value.iter().map(|&value| f64::from(value)).collect::<Vec<_>>();
        self.values = (!values.is_empty()).then_some(values);
        (self.nodes, self.time_ms) = (stats.visits, stats.time_ms);
    }
}
