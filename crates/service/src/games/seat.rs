//! Seats: who occupies them, and which agents a request may seat.

use host::Occupant;
use ladder::{ModelError, Models, Player, Spec, Venue, WithoutNet};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{ApiError, ErrorKind, caps};

/// A seat of a game, for clients.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct SeatView {
    /// The number of the seat.
    pub seat: usize,
    /// `human` or `agent`.
    pub who: &'static str,
    /// The agent as requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spec: Option<String>,
    /// The agent that plays, with all its settings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plays: Option<String>,
    /// The id of the net that it plays with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub net: Option<String>,
    /// Why another agent than the requested one plays, if so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fallback: Option<String>,
}

impl SeatView {
    pub(super) fn of(occupant: &Occupant, seat: usize) -> Self {
        match occupant {
            Occupant::Human => {
                Self { seat, who: "human", spec: None, plays: None, net: None, fallback: None }
            }
            Occupant::Agent(player) => Self {
                seat,
                who: "agent",
                spec: Some(player.spec.to_string()),
                plays: Some(player.config.to_string()),
                net: player.net.as_ref().map(|net| net.id()),
                fallback: player.fallback.clone(),
            },
        }
    }
}

/// Parses `human` or the spec of an agent that a request may name.
pub(super) fn occupant(text: &str, venue: Venue, nets: &Models) -> Result<Occupant, ApiError> {
    if text == "human" { Ok(Occupant::Human) } else { player(text, venue, nets).map(Occupant::from) }
}

/// The maximum length of a spec, in bytes.
const MAX_SPEC_BYTES: usize = 400;

/// Builds the player for a spec in a request, with the shipped nets and those of `nets`. Agents that start programs or read
/// other files are not allowed.
///
/// # Errors
/// Returns an error if the text is no spec, or names an agent that is not available here.
pub fn player(text: &str, venue: Venue, nets: &Models) -> Result<Player, ApiError> {
    if text.len() > MAX_SPEC_BYTES {
        return Err(ApiError::input(format!(
            "the agent has more than {MAX_SPEC_BYTES} bytes: expected a spec such as d3 or mcts(sims=400)"
        )));
    }
    let spec: Spec = text.parse().map_err(ApiError::input)?;
    let config = spec.resolve(venue).map_err(ApiError::input)?;
    let names_file = [config.net, config.policy].iter().flatten().any(|net| {
        let found = nets.get(net, venue);
        !matches!(found, Ok(_) | Err(ModelError::NotShipped { .. }))
    });
    if spec.names_program() || names_file {
        let message = format!(
            "{spec}: agents that start programs or name files can only be used on the command line; nets in the folder \
             models of the service's data can be used by name"
        );
        return Err(ApiError::new(ErrorKind::Forbidden, message));
    }
    let player = Player::with_models(&spec, venue, WithoutNet::FallBack, nets).map_err(ApiError::input)?;
    caps::check(&player)?;
    Ok(player)
}
