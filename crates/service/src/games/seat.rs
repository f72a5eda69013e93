//! Who sits where.

use host::Occupant;
use ladder::{Player, Spec, Tier, Venue, WithoutNet};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{ApiError, ErrorKind, caps};

/// A seat as the pages get it.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct SeatView {
    /// Its number.
    pub seat: usize,
    /// `human` or `agent`.
    pub who: &'static str,
    /// The agent as asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spec: Option<String>,
    /// The agent that really plays.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plays: Option<String>,
    /// Why it is not the one that was asked for, if it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fallback: Option<String>,
}

impl SeatView {
    pub(super) fn of(occupant: &Occupant, seat: usize) -> Self {
        match occupant {
            Occupant::Human => Self { seat, who: "human", spec: None, plays: None, fallback: None },
            Occupant::Agent(player) => Self {
                seat,
                who: "agent",
                spec: Some(player.spec.to_string()),
                plays: Some(player.config.to_string()),
                fallback: player.fallback.clone(),
            },
        }
    }
}

/// Reads `human` or an agent that a request may name.
pub(super) fn occupant(text: &str, venue: Venue) -> Result<Occupant, ApiError> {
    if text == "human" { Ok(Occupant::Human) } else { player(text, venue).map(Occupant::from) }
}

/// The longest specification that is read.
const LONGEST: usize = 400;

/// An agent that a request may name: one that starts no program and reads no file.
///
/// # Errors
/// If there is no such agent, or it may not be used from here.
pub fn player(text: &str, venue: Venue) -> Result<Player, ApiError> {
    if text.len() > LONGEST {
        return Err(ApiError::input(format!(
            "an agent of more than {LONGEST} bytes: expected one such as d3"
        )));
    }
    let spec: Spec = text.parse().map_err(ApiError::input)?;
    let own_net = match &spec {
        Spec::Agent(config) => config.net.is_some(),
        Spec::Level { level, .. } => {
            let config = spec.resolve(venue).map_err(ApiError::input)?;
            config.net != Tier::at(*level, venue).model_id
        }
    };
    if spec.names_program() || own_net {
        let words = format!("{spec}: agents that start programs or name files are for the command line");
        return Err(ApiError::new(ErrorKind::Forbidden, words));
    }
    let player = Player::new(&spec, venue, WithoutNet::FallBack).map_err(ApiError::input)?;
    caps::check(&player)?;
    Ok(player)
}
