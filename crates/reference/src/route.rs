//! The paths that are answered.

use crate::Choice;

/// One thing the service does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Route {
    /// `GET /`: who is there.
    Banner,
    /// `POST /ai/move`: a move.
    Move,
    /// `POST /ai/moves_batch`: moves in many games.
    MovesBatch,
    /// `POST /ai/evaluate`: what one seat's position is worth.
    Evaluate,
    /// `POST /ai/evaluate_position`: what it is worth to all.
    EvaluatePosition,
    /// `POST /ai/choice/…`: one of some options.
    Choice(Choice),
    /// `POST /rules/evaluate_move`: whether a move is legal and what it leads to.
    EvaluateMove,
    /// `GET /ai/models`: the nets there are.
    Models,
    /// `GET /ai/cache/stats`: the cache of agents.
    CacheStats,
    /// `DELETE /ai/cache`: empties it.
    CacheClear,
    /// `GET /internal/ladder/health`: who plays at which level.
    LadderHealth,
    /// `POST /api/online-learning/learn_from_game`: a game that was won by a person.
    Learn,
}

impl Route {
    /// All routes.
    pub const ALL: [Self; 16] = [
        Self::Banner,
        Self::Move,
        Self::MovesBatch,
        Self::Evaluate,
        Self::EvaluatePosition,
        Self::Choice(Choice::LineReward),
        Self::Choice(Choice::RingElimination),
        Self::Choice(Choice::RegionOrder),
        Self::Choice(Choice::LineOrder),
        Self::Choice(Choice::CaptureDirection),
        Self::EvaluateMove,
        Self::Models,
        Self::CacheStats,
        Self::CacheClear,
        Self::LadderHealth,
        Self::Learn,
    ];

    /// The path, without a query.
    pub const fn path(self) -> &'static str {
        match self {
            Self::Banner => "/",
            Self::Move => "/ai/move",
            Self::MovesBatch => "/ai/moves_batch",
            Self::Evaluate => "/ai/evaluate",
            Self::EvaluatePosition => "/ai/evaluate_position",
            Self::Choice(Choice::LineReward) => "/ai/choice/line_reward_option",
            Self::Choice(Choice::RingElimination) => "/ai/choice/ring_elimination",
            Self::Choice(Choice::RegionOrder) => "/ai/choice/region_order",
            Self::Choice(Choice::LineOrder) => "/ai/choice/line_order",
            Self::Choice(Choice::CaptureDirection) => "/ai/choice/capture_direction",
            Self::EvaluateMove => "/rules/evaluate_move",
            Self::Models => "/ai/models",
            Self::CacheStats => "/ai/cache/stats",
            Self::CacheClear => "/ai/cache",
            Self::LadderHealth => "/internal/ladder/health",
            Self::Learn => "/api/online-learning/learn_from_game",
        }
    }

    /// The only method it takes.
    pub const fn method(self) -> &'static str {
        match self {
            Self::Banner | Self::Models | Self::CacheStats | Self::LadderHealth => "GET",
            Self::CacheClear => "DELETE",
            _ => "POST",
        }
    }

    /// Whoever answers this path; `None` if nobody does.
    pub fn at(path: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|route| route.path() == path)
    }
}
