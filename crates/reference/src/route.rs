//! The routes of the service, with their paths and methods.

use crate::Choice;

/// A route of the service.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Route {
    /// `GET /`: the name and version of the service.
    Banner,
    /// `POST /ai/move`: chooses a move.
    Move,
    /// `POST /ai/moves_batch`: chooses moves in many games.
    MovesBatch,
    /// `POST /ai/evaluate`: evaluates a position for one seat.
    Evaluate,
    /// `POST /ai/evaluate_position`: evaluates a position for all seats.
    EvaluatePosition,
    /// `POST /ai/choice/…`: chooses one of several options.
    Choice(Choice),
    /// `POST /rules/evaluate_move`: checks whether a move is legal, and returns the state after it.
    EvaluateMove,
    /// `GET /ai/models`: lists the available nets.
    Models,
    /// `GET /ai/cache/stats`: statistics of the agent cache.
    CacheStats,
    /// `DELETE /ai/cache`: clears the agent cache.
    CacheClear,
    /// `GET /internal/ladder/health`: lists the levels and their agents.
    LadderHealth,
    /// `POST /api/online-learning/learn_from_game`: reports a game to learn from.
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

    /// The HTTP method of the route.
    pub const fn method(self) -> &'static str {
        match self {
            Self::Banner | Self::Models | Self::CacheStats | Self::LadderHealth => "GET",
            Self::CacheClear => "DELETE",
            _ => "POST",
        }
    }

    /// The route with this path, if any.
    pub fn at(path: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|route| route.path() == path)
    }
}
