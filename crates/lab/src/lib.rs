//! Events: matches and tournaments of agents, with storage, resuming and ratings.
//!
//! This crate defines participants and rating scales, turns games into records and database rows, and resumes events.
//! It also selects the position type, so that callers are not generic over games.
//!
//! Deliberately absent: printing, command lines, and the presentation of games.
//!
//! Start with [`Draft`], [`Storage`] and [`play`] for events. [`Progress`] follows a run from another process,
//! [`Rated`] has ratings, [`records`] converts single games, and [`JobLog`] shows self-play and training to the Lab.
//! Matches and the database are defined in `arena`.

pub mod atomic_file;
mod draft;
mod error;
mod heartbeat;
mod job_log;
mod openings;
mod playing;
mod progress;
mod rated;
pub mod records;
mod storage;

use arena::{NO_NET, store::Participant};
use ladder::{AgentConfig, Player, Spec, Venue, WithoutNet};
use record::Config;

pub use draft::{Draft, Form, match_event};
pub use error::LabError;
pub use heartbeat::Heartbeat;
pub use job_log::JobLog;
pub use openings::{Judge, Openings};
pub use playing::{EventObserver, Finished, Plan, play};
pub use progress::{Point, Progress, Standing};
pub use rated::{Anchor, Rated, find, level, rate, scale_of, store_ratings};
pub use storage::{Storage, config_path, read_config};

/// The program that interprets specs, as stored with participants.
const ENGINE: &str = concat!("riftlab ", env!("CARGO_PKG_VERSION"));

/// The participant of an agent. A net contributes its content hash: the same net under another name is the same
/// participant, and another net under the same name is a different one.
pub fn participant(player: &Player) -> Participant {
    let (net, id) = match &player.net {
        Some(model) => (model.hash.as_str(), Some(model.id())),
        None => (NO_NET, None),
    };
    let policy = player.policy.as_ref().map(|model| model.id());
    let name = AgentConfig { net: id, policy, ..player.config.clone() }.composite_id();
    Participant::new(net, &player.by_content().resolved(), &name, ENGINE)
}

/// The participant of `spec`, even if its external program is not installed.
///
/// # Errors
/// If the spec cannot be resolved.
pub fn participant_of(spec: &Spec, venue: Venue) -> Result<Participant, LabError> {
    let named = |source| LabError::Player { spec: spec.to_string(), source };
    let player = Player::new(spec, venue, WithoutNet::Refuse).map_err(named)?;
    Ok(participant(&player))
}

/// The venue of a game configuration.
pub fn venue(config: &Config) -> Venue {
    match config {
        Config::RingRift(config) => Venue::RingRift { board: config.board, seats: config.rules.seats },
        Config::Go(config) => Venue::Go { size: config.rules.size },
    }
}

/// The board in reports, such as `square8` or `go/9x9`.
pub fn board(config: &Config) -> String {
    match config {
        Config::RingRift(config) => config.board.name().to_owned(),
        Config::Go(_) => venue(config).to_string(),
    }
}

/// The rating scale of games with these rules, such as `ringrift/square8/2p`. Rules that differ from the defaults are
/// appended.
pub fn scale(config: &Config) -> String {
    venue(config).to_string() + &config.differences()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use eval::Features;
    use ladder::Models;
    use nn::{Activation, Nnue, NnueShape};
    use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
    use ringrift::{Board, Rules, Square8};

    use super::*;

    #[test]
    fn non_default_rules_have_their_own_scale() {
        let usual = Rules::new(2);
        let scale = |board, rules| scale(&Config::ringrift(board, rules));
        assert_eq!(scale(Board::Square8, usual), "ringrift/square8/2p");
        let own = Rules { rings: Some(Board::Square8.rings_per_seat()), ..usual };
        assert_eq!(scale(Board::Square8, own), "ringrift/square8/2p", "the board's default is not appended");
        let other = Rules { rings: Some(4), swap: true, lps_rounds: 2, ..usual };
        assert_eq!(scale(Board::Hex8, other), "ringrift/hex8/2p+rings=4+swap+lps-rounds=2");
    }

    #[test]
    fn games_of_go_share_a_scale_if_their_rules_are_the_same() {
        let scale = |rules| scale(&Config::go(rules));
        assert_eq!(scale(go::Rules::new(9)), "go/9x9");
        let other = go::Rules { komi: "0.5".parse().unwrap(), handicap: 2, ..go::Rules::tromp_taylor(13) };
        assert_eq!(scale(other), "go/13x13+komi=0.5+handicap=2+suicide");
        assert_eq!(scale(go::Rules::japanese(19)), "go/19x19+komi=6.5+ko=simple+scoring=territory");
    }

    #[test]
    fn equivalent_specs_are_the_same_participant() {
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
    fn newer_settings_do_not_change_ids() {
        let spec = |text: &str| {
            let venue = venue(&Config::ringrift(Board::Square8, Rules::new(2)));
            participant_of(&text.parse().unwrap(), venue).unwrap().spec
        };
        // As stored in databases from before alpha-beta had the setting `reuse`.
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
        let write = |name: &str, seed: u64| {
            let shape = NnueShape {
                features: Features::<Square8>::count(),
                hidden: 16,
                activation: Activation::SquaredClippedRelu,
                layers: Vec::new(),
                buckets: 4,
                scalars: 0,
            };
            let net = Nnue::<f32>::random(&shape, 400, &mut Xoshiro256PlusPlus::seed_from_u64(seed));
            let bytes = net.to_file(&Features::<Square8>::id(), BTreeMap::new()).to_bytes();
            std::fs::write(folder.path().join(format!("{name}.safetensors")), bytes).unwrap();
        };
        write("one", 1);
        write("same", 1);
        write("other", 2);
        let venue = Venue::RingRift { board: Board::Square8, seats: 2 };
        let participant = |net: &str| {
            let spec: Spec = format!("minimax(nodes=50,net={net})").parse().unwrap();
            let player = Player::with_models(&spec, venue, WithoutNet::Refuse, &models).unwrap();
            super::participant(&player)
        };
        let one = participant("one");
        assert_eq!(one.net, models.get("one", venue).unwrap().hash);
        assert!(one.spec.contains(&one.net) && one.name.starts_with("one@"), "{one:?}");
        assert_eq!(participant("same").id, one.id);
        assert_ne!(participant("other").id, one.id);
        assert_ne!(participant("one,blend=0.5").id, one.id);
        let without = participant("one,use_neural_net=no");
        assert_eq!(without.net, NO_NET);
        assert_eq!(without.id, participant_of(&"minimax(nodes=50)".parse().unwrap(), venue).unwrap().id);
    }
}
