//! The handler that lists the agents to play against.

use axum::Json;
use ladder::{Kind, Level, Player, Spec, Standing, Step, Tier, WithoutNet};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    body::Params,
    options::{self, Pairs},
    positions::ADVISER,
};
use crate::ApiError;

/// The agents to play against.
#[derive(Serialize, ToSchema)]
pub(super) struct Agents {
    /// The levels, easiest first.
    levels: Vec<LevelView>,
    /// The kinds of agents that a spec can name, with settings.
    kinds: Vec<KindView>,
    /// The spec of the agent that gives hints.
    hint: String,
}

/// A level of the ladder.
#[derive(Serialize, ToSchema)]
struct LevelView {
    /// The spec of the level.
    spec: String,
    /// The name to display.
    name: String,
    /// The agent that plays, with all its settings.
    plays: String,
    /// The id of the net that it plays with.
    net: Option<String>,
    /// Why another agent than the intended one plays, if so.
    fallback: Option<String>,
    /// A note on the level.
    about: String,
    /// How strong the level is, if all steps up to it have been measured.
    standing: Option<StandingView>,
    /// The level against the one below, if that has been measured.
    step: Option<StepView>,
}

/// The measured strength of a level.
#[derive(Serialize, ToSchema)]
struct StandingView {
    /// The difference in Elo to the first level.
    elo: f64,
    /// The lower end of the 95 % interval.
    low: f64,
    /// The upper end of the 95 % interval.
    high: f64,
}

/// A level measured against the one below.
#[derive(Serialize, ToSchema)]
struct StepView {
    /// The number of games.
    games: u64,
    /// The score, from 0 to 1.
    score: f64,
    /// The lower end of its 95 % interval.
    low: f64,
    /// The upper end of its 95 % interval.
    high: f64,
    /// The mean time per decision in milliseconds, on the machine of the measurement.
    ms: f64,
}

impl From<Standing> for StandingView {
    fn from(Standing { elo, bounds: [low, high] }: Standing) -> Self {
        Self { elo, low, high }
    }
}

impl From<Step> for StepView {
    fn from(Step { games, score, score_bounds: [low, high], ms, .. }: Step) -> Self {
        Self { games, score, low, high, ms }
    }
}

/// A kind of agent.
#[derive(Serialize, ToSchema)]
struct KindView {
    /// The name of the kind in a spec.
    spec: String,
    /// A description of the algorithm.
    about: String,
    /// The names of its settings.
    settings: Vec<&'static str>,
}

#[utoipa::path(get, path = "/api/agents", tag = "agents", responses((status = 200, body = Agents)),
    params(("game" = String, Query), ("board" = Option<String>, Query), ("players" = Option<u8>, Query),
        ("size" = Option<u8>, Query)))]
pub(super) async fn list(Params(pairs): Params<Pairs>) -> Result<Json<Agents>, ApiError> {
    let venue = lab::venue(&options::setup(&pairs)?.config()?);
    let level = |level: Level| {
        let spec = Spec::Level { level, overrides: Vec::new() };
        let player = Player::new(&spec, venue, WithoutNet::FallBack).map_err(ApiError::input)?;
        Ok(LevelView {
            spec: level.to_string(),
            name: level.to_string().to_uppercase(),
            plays: player.config.to_string(),
            net: player.net.as_ref().map(|net| net.id()),
            fallback: player.fallback,
            about: Tier::at(level, venue).notes.to_owned(),
            standing: Standing::of(level, venue).map(StandingView::from),
            step: Step::to(level, venue).map(StepView::from),
        })
    };
    let kind = |kind: Kind| KindView {
        spec: kind.name().to_owned(),
        about: kind.about().to_owned(),
        settings: kind.settings(),
    };
    Ok(Json(Agents {
        levels: Level::all().map(level).collect::<Result<_, ApiError>>()?,
        kinds: Kind::ALL.into_iter().filter(|&kind| kind != Kind::Gtp).map(kind).collect(),
        hint: ADVISER.to_owned(),
    }))
}
