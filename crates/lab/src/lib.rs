//! Events: schedules of agents played into the database, and the ratings that follow.
//!
//! Here is what everybody who keeps and rates many games has in common: who a participant is, on which scale a game
//! counts, how a game becomes a record and a row of the database, how an event is resumed. This is also where the type
//! of the position is chosen: whoever plays events through this crate is not generic over games.
//!
//! What is deliberately absent: printing, command lines, and how games are shown.
//!
//! Where to go next: [`Draft`], [`Storage`] and [`play`] for events, [`Progress`] for those who look on, [`Rated`] for
//! ratings, [`records`] for single games, `arena` for what a match is and what is in the database.

mod draft;
mod error;
mod playing;
mod presence;
mod progress;
mod rated;
pub mod records;
mod storage;
pub mod whole_files;

use arena::{NO_NET, store::Participant};
use ladder::{AgentConfig, ModelError, Models, Player, Spec, Venue, WithoutNet};
use record::{Config, GoConfig, RingRiftConfig};

pub use draft::{Draft, Form, match_event};
pub use error::LabError;
pub use playing::{EventObserver, Finished, Plan, play};
pub use presence::Presence;
pub use progress::{Point, Progress, Standing};
pub use rated::{Anchor, Rated, find, level, rate, remember, scale_of};
pub use storage::{Storage, config_path, read_config};

/// Which program knows what a specification means.
const ENGINE: &str = concat!("riftlab ", env!("CARGO_PKG_VERSION"));

/// An agent as the database knows it. A net is part of it by its content: the same net under another name is the same
/// participant, and another net under the same name is not.
///
/// # Errors
/// If the agent names a net that is not among `models`.
pub fn participant(config: &AgentConfig, models: &Models) -> Result<Participant, ModelError> {
    let name = config.composite_id();
    let Some(net) = config.net.as_deref().filter(|_| config.wants_net()) else {
        return Ok(Participant::new(NO_NET, &config.resolved(), &name, ENGINE));
    };
    let hash = models.get(net)?.hash.clone();
    let by_content = AgentConfig { net: Some(hash.clone()), ..config.clone() };
    Ok(Participant::new(&hash, &by_content.resolved(), &name, ENGINE))
}

/// The participant that played as `spec`, whether or not its program runs here.
///
/// # Errors
/// If there is no such agent.
pub fn participant_of(spec: &Spec, venue: Venue) -> Result<Participant, LabError> {
    let named = |source| LabError::Player { spec: spec.to_string(), source };
    let player = Player::new(spec, venue, WithoutNet::Refuse).map_err(named)?;
    Ok(participant(&player.config, &Models::default())?)
}

/// What is played, as far as levels depend on it.
pub fn venue(config: &Config) -> Venue {
    match config {
        Config::RingRift(config) => Venue::RingRift { board: config.board, seats: config.rules.seats },
        Config::Go(config) => Venue::Go { size: config.rules.size },
    }
}

/// The board in reports: `square8`, `go/9x9`.
pub fn board(config: &Config) -> String {
    match config {
        Config::RingRift(config) => config.board.name().to_owned(),
        Config::Go(_) => venue(config).to_string(),
    }
}

/// The scale on which games by these rules are comparable: `ringrift/square8/2p`, with everything added that differs
/// from the rules as they are usually played.
pub fn scale(config: &Config) -> String {
    let mut scale = venue(config).to_string();
    let mut differ = |differs: bool, text: String| {
        if differs {
            scale += "+";
            scale += &text;
        }
    };
    match config {
        Config::RingRift(RingRiftConfig { rules, board, .. }) => {
            let usual = ringrift::Rules::new(rules.seats);
            if let Some(rings) = rules.rings.filter(|&rings| rings != board.rings_per_seat()) {
                differ(true, format!("rings={rings}"));
            }
            differ(rules.swap, "swap".to_owned());
            differ(rules.lps_rounds != usual.lps_rounds, format!("lps-rounds={}", rules.lps_rounds));
            differ(rules.variant != usual.variant, format!("variant={}", rules.variant.name()));
            differ(rules.recovery != usual.recovery, format!("recovery={}", rules.recovery.name()));
        }
        Config::Go(GoConfig { rules, .. }) => {
            let usual = go::Rules::new(rules.size);
            differ(rules.komi != usual.komi, format!("komi={}", rules.komi));
            differ(rules.handicap != usual.handicap, format!("handicap={}", rules.handicap));
            differ(rules.ko != usual.ko, format!("ko={}", rules.ko.name()));
            differ(rules.scoring != usual.scoring, format!("scoring={}", rules.scoring.name()));
            differ(rules.suicide, "suicide".to_owned());
        }
    }
    scale
}

#[cfg(test)]
mod tests {
    use super::*;
    use ringrift::{Board, Rules};

    #[test]
    fn unusual_rules_have_a_scale_of_their_own() {
        let usual = Rules::new(2);
        let scale = |board, rules| scale(&Config::ringrift(board, rules));
        assert_eq!(scale(Board::Square8, usual), "ringrift/square8/2p");
        let own = Rules { rings: Some(Board::Square8.rings_per_seat()), ..usual };
        assert_eq!(scale(Board::Square8, own), "ringrift/square8/2p", "the board's own number is no option");
        let other = Rules { rings: Some(4), swap: true, lps_rounds: 2, ..usual };
        assert_eq!(scale(Board::Hex8, other), "ringrift/hex8/2p+rings=4+swap+lps-rounds=2");
    }

    #[test]
    fn games_of_go_compare_if_their_rules_are_the_same() {
        let scale = |rules| scale(&Config::go(rules));
        assert_eq!(scale(go::Rules::new(9)), "go/9x9");
        let other = go::Rules { komi: "0.5".parse().unwrap(), handicap: 2, ..go::Rules::tromp_taylor(13) };
        assert_eq!(scale(other), "go/13x13+komi=0.5+handicap=2+suicide");
        assert_eq!(scale(go::Rules::japanese(19)), "go/19x19+komi=6.5+ko=simple+scoring=territory");
    }

    #[test]
    fn the_same_agent_is_the_same_participant_however_it_is_written() {
        let id = |text: &str| {
            let venue = venue(&Config::ringrift(Board::Square8, Rules::new(2)));
            participant_of(&text.parse().unwrap(), venue).unwrap()
        };
        assert_eq!(id("mcts"), id("mcts(sims=400)"));
        assert_ne!(id("mcts(sims=400)").id, id("mcts(sims=401)").id);
        assert_eq!(id("mcts(sims=50)").name, "none:mcts:s50");
        assert_eq!(id("d1").spec, "random");
    }

    #[test]
    fn settings_that_came_later_leave_ids_as_they_were() {
        let spec = |text: &str| {
            let venue = venue(&Config::ringrift(Board::Square8, Rules::new(2)));
            participant_of(&text.parse().unwrap(), venue).unwrap().spec
        };
        // As it stands in databases that were written before alpha-beta could forget.
        let old = "minimax(nodes=50,profile=balanced,reductions=yes,megabytes=16,randomness=0)";
        assert_eq!(
            (spec("minimax(nodes=50)").as_str(), spec("minimax(nodes=50,reuse=yes)").as_str()),
            (old, old)
        );
        assert!(spec("minimax(nodes=50,reuse=no)").contains("reuse=no"));
        assert!(!spec("descent").contains("reuse") && spec("descent(reuse=no)").contains("reuse=no"));
        assert!(spec("mcts").contains("reuse=no") && spec("mcts(reuse=yes)").contains("reuse=yes"));
    }

    #[test]
    fn a_net_is_part_of_a_participant_by_its_content() {
        let folder = tempfile::tempdir().unwrap();
        let models = Models::in_folder(folder.path());
        let header = r#"{"__metadata__":{"kind":"nnue","encoder":"ringrift-sq8-v1"}}"#;
        let net = |name: &str, weights: &[u8]| {
            let length = (header.len() as u64).to_le_bytes();
            let bytes = [&length[..], header.as_bytes(), weights].concat();
            std::fs::write(folder.path().join(format!("{name}.safetensors")), bytes).unwrap();
        };
        net("one", b"weights");
        net("same", b"weights");
        net("other", b"others");
        let participant = |net: &str| {
            let spec: Spec = format!("minimax(nodes=50,net={net})").parse().unwrap();
            let config = spec.resolve(Venue::RingRift { board: Board::Square8, seats: 2 }).unwrap();
            super::participant(&config, &models)
        };
        let one = participant("one").unwrap();
        assert_eq!(one.net, models.get("one").unwrap().hash);
        assert!(one.spec.contains(&one.net) && one.name.starts_with("one:"), "{one:?}");
        assert_eq!(participant("same").unwrap().id, one.id);
        assert_ne!(participant("other").unwrap().id, one.id);
        let without = participant("one,use_neural_net=no").unwrap();
        assert_eq!(without.net, NO_NET);
        assert!(matches!(participant("none"), Err(ModelError::Missing { .. })));
    }
}
