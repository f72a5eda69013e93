//! What the commands that keep and rate many games have in common: who a participant is, on which scale a game counts,
//! how a game becomes a row of the database.

pub(crate) mod playing;
pub(crate) mod rated;
pub(crate) mod records;

use std::path::Path;

use anyhow::{Context, bail};
use arena::{
    NO_NET,
    store::{Participant, Store, StoreError},
};
use ladder::{Player, Venue};
use record::{Config, RingRiftConfig};
use ringrift::{Board, Rules};

/// Which program knows what a specification means.
const ENGINE: &str = concat!("riftlab ", env!("CARGO_PKG_VERSION"));

/// A player as the database knows it.
pub(crate) fn participant(player: &Player) -> Participant {
    Participant::new(NO_NET, &player.config.resolved(), &player.config.composite_id(), ENGINE)
}

/// The configuration of a game of RingRift.
pub(crate) fn ringrift(config: &Config) -> anyhow::Result<&RingRiftConfig> {
    match config {
        Config::RingRift(config) => Ok(config),
        Config::Go(_) => bail!("this command knows RingRift only"),
    }
}

/// What is played, as far as levels depend on it.
pub(crate) fn venue(board: Board, rules: &Rules) -> Venue {
    Venue::RingRift { board, seats: rules.seats }
}

/// The scale on which games by these rules are comparable: `ringrift/square8/2p`, with everything added that differs
/// from the rules as they are usually played.
pub(crate) fn scale(board: Board, rules: &Rules) -> String {
    let usual = Rules::new(rules.seats);
    let mut scale = venue(board, rules).to_string();
    let mut differ = |differs: bool, text: String| {
        if differs {
            scale += "+";
            scale += &text;
        }
    };
    if let Some(rings) = rules.rings.filter(|&rings| rings != board.rings_per_seat()) {
        differ(true, format!("rings={rings}"));
    }
    differ(rules.swap, "swap".to_owned());
    differ(rules.lps_rounds != usual.lps_rounds, format!("lps-rounds={}", rules.lps_rounds));
    differ(rules.variant != usual.variant, format!("variant={}", rules.variant.name()));
    differ(rules.recovery != usual.recovery, format!("recovery={}", rules.recovery.name()));
    scale
}

/// The database at `path`; games that nobody wants to keep go to one in memory.
pub(crate) fn open(path: Option<&Path>) -> Result<Store, StoreError> {
    Store::open(path.unwrap_or(Path::new(":memory:")))
}

/// Registers whoever plays.
pub(crate) fn register(store: &mut Store, players: &[Player]) -> anyhow::Result<Vec<Participant>> {
    let participants: Vec<Participant> = players.iter().map(participant).collect();
    for who in &participants {
        store.register(who).with_context(|| format!("{} cannot be registered", who.name))?;
    }
    Ok(participants)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ladder::WithoutNet;

    #[test]
    fn unusual_rules_have_a_scale_of_their_own() {
        let usual = Rules::new(2);
        assert_eq!(scale(Board::Square8, &usual), "ringrift/square8/2p");
        let own = Rules { rings: Some(Board::Square8.rings_per_seat()), ..usual };
        assert_eq!(scale(Board::Square8, &own), "ringrift/square8/2p", "the board's own number is no option");
        let other = Rules { rings: Some(4), swap: true, lps_rounds: 2, ..usual };
        assert_eq!(scale(Board::Hex8, &other), "ringrift/hex8/2p+rings=4+swap+lps-rounds=2");
    }

    #[test]
    fn the_same_agent_is_the_same_participant_however_it_is_written() {
        let board = Board::Square8;
        let id = |text: &str| {
            let venue = venue(board, &Rules::new(2));
            let player = Player::new(&text.parse().unwrap(), venue, WithoutNet::Refuse).unwrap();
            participant(&player)
        };
        assert_eq!(id("mcts"), id("mcts(sims=400)"));
        assert_ne!(id("mcts(sims=400)").id, id("mcts(sims=401)").id);
        assert_eq!(id("mcts(sims=50)").name, "none:mcts:s50");
        assert_eq!(id("d1").spec, id("d1").spec);
    }
}
