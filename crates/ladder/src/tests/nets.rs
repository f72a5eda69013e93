//! Agents that play with nets.

use std::fs;

use game::{Game, pick};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use ringrift::{Board, Hex8, Position, Rules, Square8, on_board};
use search::Stop;
use tempfile::TempDir;

use super::SQUARE8;
use crate::{
    Models, Playable, Player, Spec, Venue, WithoutNet,
    models::tests::{small_net, twelve_plane_net},
};

/// A folder with three nets for every board, as in `square8`, `square8-other` and `square8-planes`.
fn nets() -> (TempDir, Models) {
    let folder = tempfile::tempdir().unwrap();
    for board in Board::ALL {
        for (name, seed) in [(format!("{board}"), 1), (format!("{board}-other"), 2)] {
            let bytes = on_board!(board, B => small_net::<B>(seed));
            fs::write(folder.path().join(format!("{name}.safetensors")), bytes).unwrap();
        }
        let bytes = on_board!(board, B => twelve_plane_net::<B>(1));
        fs::write(folder.path().join(format!("{board}-planes.safetensors")), bytes).unwrap();
    }
    let models = Models::in_folder(folder.path());
    (folder, models)
}

fn player(spec: &str, venue: Venue, models: &Models) -> Player {
    Player::with_models(&spec.parse().unwrap(), venue, WithoutNet::Refuse, models).unwrap()
}

/// A position after some random moves of a game with few rings.
fn wandered<B: ringrift::Geometry>(seats: u8, plies: usize) -> Position<B> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut moves = Vec::new();
    let mut position = Position::<B>::new(&Rules { rings: Some(4), ..Rules::new(seats) });
    for _ in 0..plies {
        position.legal_moves(&mut moves);
        position.play_unchecked(moves[pick(&mut rng, moves.len())], &mut ());
    }
    position
}

/// Every kind of agent that plays with nets.
const SPECS: [&str; 11] = [
    "heuristic(net=NET)",
    "heuristic(net=NET,blend=0.4)",
    "minimax(nodes=60,net=NET)",
    "minimax(nodes=60,net=NET,blend=0.5)",
    "maxn(nodes=60,net=NET)",
    "brs(nodes=60,net=NET)",
    "descent(nodes=40,net=NET)",
    "mcts(sims=20,net=NET)",
    "mcts(sims=20,leaves=after-turn,net=NET,blend=0.5)",
    "gumbel(sims=20,leaves=heuristic,net=NET)",
    "gumbel(sims=20,leaves=short-rollout,net=NET)",
];

#[test]
fn agents_of_every_kind_play_with_a_net_on_every_board_for_any_number_of_seats() {
    let (_folder, models) = nets();
    for (board, seats) in Board::ALL.into_iter().flat_map(|board| (2..=4).map(move |seats| (board, seats))) {
        on_board!(board, B => {
            let position = wandered::<B>(seats, 12);
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            let planes = format!("{board}-planes");
            for (spec, net) in SPECS.into_iter().flat_map(|spec| [(spec, board.name()), (spec, &planes)]) {
                let player = player(&spec.replace("NET", net), position.venue(), &models);
                assert_eq!(player.net.as_ref().unwrap().name, net);
                let think = || player.agent(1).think(&position, &player.limits(), &Stop::default());
                let (report, again) = (think(), think());
                assert!(moves.contains(&report.best), "{spec}: {position:?}");
                assert_eq!((report.best, report.nodes), (again.best, again.nodes), "{spec} repeats itself");
                assert_eq!(report.values, again.values, "{spec} repeats itself");
            }
        });
    }
}

#[test]
fn agents_use_the_net_that_they_name() {
    let (_folder, models) = nets();
    let position = wandered::<Square8>(2, 30);
    for spec in SPECS {
        let values = ["square8", "square8-other", "square8-planes"].map(|net| {
            let player = player(&spec.replace("NET", net), SQUARE8, &models);
            player.agent(1).think(&position, &player.limits(), &Stop::default()).values
        });
        assert!(values[0] != values[1] && values[0] != values[2], "{spec}");
    }
}

#[test]
fn a_blend_is_the_weighted_mean_and_finished_games_keep_their_values() {
    let (_folder, models) = nets();
    let mut evaluators = ["net=square8", "net=square8,blend=0", "net=square8,blend=0.25", "profile=balanced"]
        .map(|settings| {
            player(&format!("heuristic({settings})"), SQUARE8, &models).evaluator::<Position<Square8>>()
        });
    let mut position = wandered::<Square8>(2, 0);
    let (mut rng, mut moves) = (Xoshiro256PlusPlus::seed_from_u64(5), Vec::new());
    loop {
        let all = evaluators.each_mut().map(|evaluator| evaluator.values(&position));
        assert_eq!(all[1], all[3]);
        let [net, _, quarter, heuristic] = all.map(|values| values.0[0]);
        assert!((quarter - (0.25 * net + 0.75 * heuristic)).abs() < 1e-6, "{quarter} {net} {heuristic}");
        if let Some(outcome) = position.outcome() {
            assert_eq!([all[0], all[2]], [outcome.values(); 2]);
            break;
        }
        position.legal_moves(&mut moves);
        position.play_unchecked(moves[pick(&mut rng, moves.len())], &mut ());
    }
}

#[test]
fn nets_that_cannot_play_are_refused_by_name_or_replaced_visibly() {
    let (folder, models) = nets();
    fs::write(folder.path().join("broken.safetensors"), &small_net::<Square8>(1)[..3000]).unwrap();
    let mut other_kind = nn::ModelFile::from_bytes(&small_net::<Square8>(1)).unwrap();
    other_kind.header.kind = "linear".to_owned();
    fs::write(folder.path().join("kind.safetensors"), other_kind.to_bytes()).unwrap();
    let go = Venue::Go { size: 9 };
    for (spec, venue, parts) in [
        ("minimax(nodes=50,net=nothing)", SQUARE8, ["\"nothing\" was not found", "nothing.safetensors"]),
        ("minimax(nodes=50,net=hex8)", SQUARE8, ["hex8@", "ringrift-square8-nnue1"]),
        ("minimax(nodes=50,net=kind)", SQUARE8, ["kind@", "linear"]),
        ("minimax(nodes=50,net=broken)", SQUARE8, ["broken.safetensors", "not a model file"]),
        ("minimax(nodes=50,net=square8@00000000)", SQUARE8, ["square8", "altered"]),
        ("minimax(nodes=50,net=square8)", go, ["square8@", "do not play Go"]),
        ("minimax(nodes=50,net=nnue)", go, ["nnue", "go/9x9"]),
        ("mcts(sims=50,leaves=rollout,net=square8)", SQUARE8, ["leaves", "square8"]),
        ("gumbel(sims=50,net=pv)", Venue::Go { size: 19 }, ["kind pv", "is shipped"]),
        ("policy(net=square8)", SQUARE8, ["square8@", "has no policy"]),
    ] {
        let spec: Spec = spec.parse().unwrap();
        let error = Player::with_models(&spec, venue, WithoutNet::Refuse, &models).unwrap_err().to_string();
        for part in parts {
            assert!(error.contains(part), "{spec}: {error}");
        }
        let player = Player::with_models(&spec, venue, WithoutNet::FallBack, &models).unwrap();
        assert!(player.net.is_none() && !player.config.wants_net());
        let fallback = player.fallback.unwrap();
        assert!(fallback.contains(&format!("{} plays instead", player.config)), "{fallback}");
    }
}

#[test]
fn the_identity_of_a_player_contains_the_content_of_its_net() {
    let (_folder, models) = nets();
    let resolved = |net: &str| {
        let player = player(&format!("minimax(nodes=50,net={net})"), SQUARE8, &models);
        player.by_content().resolved()
    };
    let square8 = models.get("square8", SQUARE8).unwrap();
    assert!(resolved("square8").contains(&square8.hash));
    assert_eq!(resolved("square8"), resolved(&square8.id()));
    assert_eq!(resolved("square8"), resolved(&square8.hash[..10]));
    assert_ne!(resolved("square8"), resolved("square8-other"));
}

#[test]
fn the_fourth_level_plays_with_the_shipped_net_or_falls_back_visibly() {
    for venue in Venue::all() {
        let spec: Spec = "d4".parse().unwrap();
        let player = Player::new(&spec, venue, WithoutNet::FallBack).unwrap();
        let shipped = Models::default().get("nnue", venue).ok();
        assert_eq!(player.net, shipped);
        assert_eq!(player.fallback.is_some(), shipped.is_none());
        assert_eq!(Player::new(&spec, venue, WithoutNet::Refuse).is_ok(), shipped.is_some());
    }
    let wrong = player_error("minimax(net=nnue)", Position::<Hex8>::new(&Rules::new(3)).venue());
    assert!(wrong.is_none_or(|error| error.contains("ringrift/hex8/3p")), "the error names the venue");
}

fn player_error(spec: &str, venue: Venue) -> Option<String> {
    let spec: Spec = spec.parse().unwrap();
    Player::new(&spec, venue, WithoutNet::Refuse).err().map(|error| error.to_string())
}
