//! The players that the command line can name: people, and agents of the ladder.

use std::{
    fmt,
    str::FromStr,
    time::{SystemTime, UNIX_EPOCH},
};

use host::{Occupant, SeatError};
use ladder::{Player, Spec, SpecError, Venue, WithoutNet};
use record::Config;
use ringrift::Board;

use crate::data_folder::models;

/// The player of a seat, as `--seats` and records name it.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum SeatSpec {
    /// A person at the terminal.
    Human,
    /// An agent.
    Agent(Spec),
}

impl SeatSpec {
    /// The strongest agent for this game that takes at most about a second per decision.
    pub(crate) fn best(config: &Config) -> Self {
        Self::Agent(best(config))
    }

    /// Parses the value of `--seats`, a list separated by commas.
    pub(crate) fn list(text: &str) -> Result<Vec<Self>, SpecError> {
        ladder::split(text).map(str::parse).collect()
    }

    /// Resolves the player for a venue. An agent whose net is missing falls back to the same search with the
    /// heuristic.
    pub(crate) fn occupant(&self, venue: Venue) -> Result<Occupant, SeatError> {
        match self {
            Self::Human => Ok(Occupant::Human),
            Self::Agent(spec) => {
                let player = Player::with_models(spec, venue, WithoutNet::FallBack, models())?;
                // An external program that does not run is reported before the game starts.
                player.probe(venue)?;
                Ok(player.into())
            }
        }
    }
}

impl FromStr for SeatSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        if text == "human" { Ok(Self::Human) } else { text.parse().map(Self::Agent) }
    }
}

impl fmt::Display for SeatSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Human => f.write_str("human"),
            Self::Agent(spec) => spec.fmt(f),
        }
    }
}

/// The strongest agent for this game that takes at most about a second per decision.
pub(crate) fn best(config: &Config) -> Spec {
    let text = match config {
        Config::RingRift(config) => match config.board {
            Board::Square8 | Board::Hex8 => "minimax(nodes=400000)".to_owned(),
            Board::Square19 | Board::Hexagonal => "minimax(nodes=100000)".to_owned(),
        },
        Config::Go(config) => {
            let (sims, policy) = match config.rules.size {
                0..=7 => (24_000, ",policy=omega"),
                8..=9 => (12_000, ",policy=omega"),
                10 => (14_000, ""),
                11..=13 => (8_000, ""),
                _ => (4_000, ""),
            };
            format!(
                "mcts(sims={sims},leaves=rollout,select=uct,c=0.05,rave=1000,priors=20,reuse=yes{policy})"
            )
        }
    };
    text.parse().expect("the text is a valid spec")
}

/// A seed that differs from run to run.
pub(crate) fn seed_from_clock() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |since| since.as_micros() as u64)
}

/// Parses the spec of an agent, for commands in which people cannot play.
pub(crate) fn parse(text: &str) -> Result<Spec, String> {
    match by_id(text).as_deref().unwrap_or(text).parse() {
        Ok(SeatSpec::Agent(spec)) => Ok(spec),
        Ok(SeatSpec::Human) => {
            Err("expected an agent, not a person: people play with riftlab play".to_owned())
        }
        Err(fault) => Err(fault.to_string()),
    }
}

/// The spec of an agent that is named by an id of the reference's gauntlets: a version such as `gmo_v1` is the agent of that
/// kind, and `mcts_100` has a hundred simulations.
fn by_id(text: &str) -> Option<String> {
    if let Some(sims) = text.strip_prefix("mcts_") {
        return sims.bytes().all(|digit| digit.is_ascii_digit()).then(|| format!("mcts(sims={sims})"));
    }
    let version = |kind: &&str| {
        let version = text.strip_prefix(*kind).and_then(|rest| rest.strip_prefix('_'));
        version.is_some_and(|name| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric()))
    };
    ["gmo", "ig_gmo", "ebmo"].into_iter().find(version).map(str::to_owned)
}

/// Parses specs of agents, separated by commas.
pub(crate) fn parse_list(text: &str) -> Result<Vec<Spec>, String> {
    ladder::split(text).map(parse).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use search::Stop;

    #[test]
    fn people_and_agents_round_trip_through_text() {
        let list = "human,random,mcts(sims=7,seconds=0.5),d3";
        let seats = SeatSpec::list(list).unwrap();
        assert_eq!(seats.iter().map(SeatSpec::to_string).collect::<Vec<_>>().join(","), list);
        assert!(SeatSpec::list("human,,random").is_err());
    }

    #[test]
    fn ids_of_the_reference_name_agents() {
        let read = |text: &str| parse(text).map(|spec| spec.to_string());
        let named =
            ["gmo_v1", "ig_gmo_best", "ebmo_v2", "mcts_100", "gmo(top_k=5)"].map(|id| read(id).unwrap());
        assert_eq!(named, ["gmo", "ig_gmo", "ebmo", "mcts(sims=100)", "gmo(top_k=5)"]);
        for wrong in ["gmo_", "gmov1", "gmo_v1(top_k=5)", "mcts_", "mcts_x", "heuristic_v1"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn an_agent_swaps_exactly_when_the_other_side_is_better() {
        let agents = ["mcts(sims=300)", "heuristic"];
        let cases = agents.into_iter().flat_map(|agent| [(agent, "17,0", true), (agent, "0,17", false)]);
        for (agent, credits, swaps) in cases {
            let text = format!(
                "square8 2 2:ring_placement hands=10,10 credits={credits} cells=d4:1,e5:2,d5:1 swap=open turn=1"
            );
            let game = host::open_position(&text).unwrap();
            let player = Player::new(&agent.parse().unwrap(), game.venue(), WithoutNet::FallBack).unwrap();
            let report =
                game.analyse(&player, &player.limits(), 1, 1, &Stop::default(), &mut |_| ()).unwrap();
            assert_eq!(
                report.best == "swap",
                swaps,
                "{agent}, {credits}: {} {:?}",
                report.best,
                report.values
            );
            assert!(game.find_move(&report.best).is_ok());
        }
    }
}
