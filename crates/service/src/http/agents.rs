//! Who can be played against.

use axum::Json;
use ladder::{Kind, Level, Player, Spec, Tier, WithoutNet};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    body::Asked,
    options::{self, Pairs},
};
use crate::ApiError;

/// Everybody who can be played against.
#[derive(Serialize, ToSchema)]
pub(super) struct Agents {
    /// The levels, the easiest first.
    levels: Vec<LevelView>,
    /// The kinds of agents that can be named with settings of their own.
    kinds: Vec<KindView>,
    /// Who gives hints.
    hint: String,
}

/// A level.
#[derive(Serialize, ToSchema)]
struct LevelView {
    /// As a seat is written.
    spec: String,
    /// As people say it.
    name: String,
    /// The agent that really plays.
    plays: String,
    /// Why it is not the one that should, if it is not.
    fallback: Option<String>,
    /// What to know about it.
    about: String,
}

/// A kind of agent.
#[derive(Serialize, ToSchema)]
struct KindView {
    /// Its name.
    spec: String,
    /// What it does.
    about: String,
    /// Its settings.
    settings: Vec<&'static str>,
}

#[utoipa::path(get, path = "/api/agents", tag = "agents", responses((status = 200, body = Agents)),
    params(("game" = String, Query), ("board" = Option<String>, Query), ("players" = Option<u8>, Query),
        ("size" = Option<u8>, Query)))]
pub(super) async fn list(Asked(pairs): Asked<Pairs>) -> Result<Json<Agents>, ApiError> {
    let venue = lab::venue(&options::setup(&pairs)?.config()?);
    let level = |level: Level| {
        let spec = Spec::Level { level, overrides: Vec::new() };
        let player = Player::new(&spec, venue, WithoutNet::FallBack).map_err(ApiError::input)?;
        Ok(LevelView {
            spec: level.to_string(),
            name: level.to_string().to_uppercase(),
            plays: player.config.to_string(),
            fallback: player.fallback,
            about: Tier::at(level, venue).notes.to_owned(),
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
        hint: "d7".to_owned(),
    }))
}
