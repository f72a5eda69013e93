//! Agents that play with policy and value nets.

use std::fs;

use game::{Game, pick};
use go::{Medium, Small};
use nn::PvPreset;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use ringrift::{Board, Geometry, Hex8, Position, Rules, Square8, on_board};
use search::{Report, Stop};
use tempfile::TempDir;

use super::SQUARE8;
use crate::{
    Level, Models, Playable, Player, Spec, Tier, Venue, WithoutNet,
    models::tests::{go_pv_net, pv_net, pv_net_of, small_net, twelve_plane_pv_net},
};

/// A folder with a policy and value net for square boards, one for hex boards and one for Go, as in `square`, `hex` and `go`,
/// and a second one of each, as in `square-other`.
fn nets() -> (TempDir, Models) {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: Vec<u8>| {
        fs::write(folder.path().join(format!("{name}.safetensors")), bytes).unwrap();
    };
    for (ending, seed) in [("", 1), ("-other", 2)] {
        write(&format!("square{ending}"), pv_net::<Square8>(seed));
        write(&format!("hex{ending}"), pv_net::<Hex8>(seed));
        write(&format!("go{ending}"), go_pv_net(seed));
    }
    write("square-planes", twelve_plane_pv_net::<Square8>(1));
    write("hex-planes", twelve_plane_pv_net::<Hex8>(1));
    write("nnue-square8", small_net::<Square8>(1));
    let models = Models::in_folder(folder.path());
    (folder, models)
}

fn player(spec: &str, venue: Venue, models: &Models) -> Player {
    Player::with_models(&spec.parse().unwrap(), venue, WithoutNet::Refuse, models).unwrap()
}

fn think<G: Playable>(player: &Player, position: &G) -> Report<G::Move> {
    player.agent(1).think(position, &player.limits(), &Stop::default())
}

/// A position with a choice after some random moves.
fn wandered<G: Game>(config: &G::Config, plies: usize) -> G {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut moves = Vec::new();
    let mut position = G::new(config);
    for played in 0.. {
        position.legal_moves(&mut moves);
        if played >= plies && moves.len() > 2 {
            break;
        }
        if moves.is_empty() {
            position = G::new(config);
            continue;
        }
        position.play_unchecked(moves[pick(&mut rng, moves.len())], &mut ());
    }
    position
}

fn ringrift<B: Geometry>(seats: u8, plies: usize) -> Position<B> {
    wandered(&Rules { rings: Some(4), ..Rules::new(seats) }, plies)
}

/// Every kind of agent that plays with such nets.
const SPECS: [&str; 15] = [
    "heuristic(net=NET)",
    "heuristic(net=NET,blend=0.4)",
    "policy(net=NET)",
    "policy(net=NET,temperature=0.7)",
    "minimax(nodes=40,net=NET)",
    "descent(nodes=40,net=NET)",
    "descent(nodes=40,net=NET,widen=4:0.5,blend=0.8)",
    "mcts(sims=20,net=NET)",
    "mcts(sims=20,net=NET,batch=4)",
    "mcts(sims=20,net=NET,blend=0.5,leaves=heuristic)",
    "mcts(sims=20,net=NET,threads=2)",
    "mcts(sims=10,leaves=after-turn,net=NET)",
    "gumbel(sims=20,net=NET)",
    "gumbel(sims=20,net=NET,batch=8)",
    "gumbel(sims=20,leaves=short-rollout,net=NET)",
];

/// Checks that every kind of agent plays in a position, with the same result twice.
fn check<G: Playable>(position: &G, net: &str, models: &Models) {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    for spec in SPECS {
        let player = player(&spec.replace("NET", net), position.venue(), models);
        assert!(player.has_policy() && player.net.as_ref().unwrap().name == net);
        let [report, again] = [(); 2].map(|()| think(&player, position));
        assert!(moves.contains(&report.best), "{spec}: {position:?}");
        assert_eq!(report.candidates.len(), moves.len(), "{spec}: {position:?}");
        assert_eq!((report.best, report.nodes), (again.best, again.nodes), "{spec} repeats itself");
        assert_eq!(
            (report.values, report.candidates),
            (again.values, again.candidates),
            "{spec} repeats itself"
        );
    }
}

#[test]
fn one_net_plays_on_both_sizes_of_its_boards_for_any_number_of_seats() {
    let (_folder, models) = nets();
    let small =
        [Board::Square8, Board::Hex8].into_iter().flat_map(|board| [2, 3, 4].map(|seats| (board, seats)));
    for (board, seats) in small.chain([(Board::Square19, 3), (Board::Hexagonal, 2)]) {
        on_board!(board, B => {
            let position = ringrift::<B>(seats, 12);
            let net = if B::HEX { "hex" } else { "square" };
            check(&position, net, &models);
            if seats == 4 {
                check(&position, &format!("{net}-planes"), &models);
            }
        });
    }
}

#[test]
fn one_net_plays_go_on_boards_of_several_sizes() {
    let (_folder, models) = nets();
    check(&wandered::<go::Position<Small>>(&go::Rules::new(5), 9), "go", &models);
    check(&wandered::<go::Position<Small>>(&go::Rules::japanese(7), 20), "go", &models);
    check(&wandered::<go::Position<Medium>>(&go::Rules::new(9), 30), "go", &models);
}

/// Searches that combine a policy and value net with another evaluator.
const HYBRIDS: [&str; 8] = [
    "minimax(nodes=3000,net=nnue-square8,policy=square)",
    "minimax(nodes=3000,policy=square,policy_turns=1)",
    "maxn(nodes=1000,policy=square,policy_turns=1)",
    "brs(nodes=1000,net=nnue-square8,policy=square,policy_turns=1)",
    "mcts(sims=40,net=nnue-square8,policy=square)",
    "mcts(sims=40,net=nnue-square8,policy=square,leaves=alphabeta,leaf_nodes=50)",
    "mcts(sims=40,net=square,implicit=0.3)",
    "gumbel(sims=40,net=nnue-square8,leaves=alphabeta,leaf_nodes=50,policy=square)",
];

#[test]
fn hybrids_use_both_nets_and_repeat_themselves() {
    let (_folder, models) = nets();
    for seats in 2..=3 {
        let position = ringrift::<Square8>(seats, 14);
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        for spec in HYBRIDS {
            let player = player(spec, position.venue(), &models);
            let names = |net: &Option<std::sync::Arc<crate::Model>>| {
                net.as_ref().is_none_or(|net| player.by_content().resolved().contains(&net.hash))
            };
            assert!(names(&player.net) && names(&player.policy), "both nets are part of the identity");
            assert_eq!(player.policy.is_some(), spec.contains("policy="));
            let [report, again] = [(); 2].map(|()| think(&player, &position));
            assert!(moves.contains(&report.best), "{spec}: {position:?}");
            assert_eq!((report.values, &report.candidates), (again.values, &again.candidates), "{spec}");
        }
        // Another policy leads to another search.
        let counts = ["square", "square-other"].map(|net| {
            let spec = format!("mcts(sims=60,net=nnue-square8,policy={net})");
            let report = think(&player(&spec, position.venue(), &models), &position);
            report.candidates.iter().map(|one| (one.m, one.prior)).collect::<Vec<_>>()
        });
        assert_ne!(counts[0], counts[1]);
    }
}

#[test]
fn agents_use_the_net_that_they_name_and_blend_it_with_the_heuristic() {
    let (_folder, models) = nets();
    let position = ringrift::<Square8>(2, 20);
    for spec in SPECS {
        let [one, other] = ["square", "square-other"].map(|net| {
            let report = think(&player(&spec.replace("NET", net), SQUARE8, &models), &position);
            (report.values, report.candidates)
        });
        assert_ne!(one, other, "{spec}");
    }
    let mut values = ["net=square", "net=square,blend=0.25", "profile=balanced"].map(|settings| {
        let player = player(&format!("heuristic({settings})"), SQUARE8, &models);
        let mut answers = [game::Evaluation::default()];
        let request = game::Request { position: &position, moves: &[], wants: game::Wants::Values };
        player.batch_evaluator::<Position<Square8>>().evaluate(&[request], &mut answers);
        assert_eq!(answers[0].values, player.evaluator().values(&position), "both forms agree");
        answers[0].values.0[0]
    });
    values[0] = 0.25 * values[0] + 0.75 * values[2];
    assert!((values[0] - values[1]).abs() < 1e-6, "{values:?}");
}

#[test]
fn reports_have_the_policy_and_the_values_of_the_net() {
    let (_folder, models) = nets();
    let position = ringrift::<Square8>(3, 20);
    let reports = ["policy", "mcts(sims=30)", "gumbel(sims=30)", "descent(nodes=60)"].map(|spec| {
        let spec = spec.parse::<Spec>().unwrap().to_string();
        let spec = match spec.strip_suffix(')') {
            Some(open) => format!("{open},net=square)"),
            None => format!("{spec}(net=square)"),
        };
        think(&player(&spec, position.venue(), &models), &position)
    });
    let priors = |report: &Report<ringrift::Move>| {
        let mut priors: Vec<_> = report.candidates.iter().map(|one| (one.m, one.prior.unwrap())).collect();
        priors.sort_by_key(|prior| prior.0);
        priors
    };
    let expected = priors(&reports[0]);
    assert!((expected.iter().map(|prior| prior.1).sum::<f32>() - 1.0).abs() < 1e-4);
    for report in &reports {
        let pairs = priors(report).into_iter().zip(&expected).collect::<Vec<_>>();
        assert!(
            pairs.iter().all(|(one, other)| one.0 == other.0 && (one.1 - other.1).abs() < 1e-5),
            "{report:?}"
        );
        assert!(report.values.unwrap().0[..3].iter().all(|value| value.abs() < 1.0), "{report:?}");
    }
}

#[test]
fn a_policy_is_played_greedily_or_by_temperature() {
    let (_folder, models) = nets();
    let position = ringrift::<Square8>(2, 20);
    let report = think(&player("policy(net=square)", SQUARE8, &models), &position);
    assert_eq!((report.engine, report.best), ("policy", report.candidates[0].m));
    assert!(report.candidates.is_sorted_by(|one, other| one.prior >= other.prior));
    let (first, share) = (report.best, f64::from(report.candidates[0].prior.unwrap()));
    for (temperature, expected) in [(1.0, share), (0.001, 1.0)] {
        let player = player(&format!("policy(net=square,temperature={temperature})"), SQUARE8, &models);
        let mut agent = player.agent(2);
        let played =
            (0..2_000).filter(|_| agent.think(&position, &player.limits(), &Stop::default()).best == first);
        let found = played.count() as f64 / 2_000.0;
        assert!((found - expected).abs() < 0.04, "{temperature}: {found} instead of {expected}");
    }
}

#[test]
fn nets_of_other_games_and_topologies_are_refused_by_name() {
    let (_folder, models) = nets();
    let go = Venue::Go { size: 7 };
    for (spec, venue, parts) in [
        ("gumbel(sims=50,net=hex)", SQUARE8, ["hex@", "ringrift-square-pv1"]),
        ("policy(net=go)", SQUARE8, ["go@", "ringrift-square-pv1"]),
        ("mcts(sims=50,net=square)", go, ["square@", "go-pv1"]),
        ("policy(net=nnue-missing)", go, ["nnue-missing", "not found"]),
        ("mcts(sims=50,leaves=rollout,net=square)", SQUARE8, ["leaves", "square"]),
        ("mcts(sims=50,leaves=after-turn,policy=square)", SQUARE8, ["no use for the policy", "square"]),
        ("minimax(nodes=50,policy=nnue-square8)", SQUARE8, ["nnue-square8@", "has no policy"]),
        ("minimax(nodes=50,policy=hex)", SQUARE8, ["hex@", "ringrift-square-pv1"]),
    ] {
        let spec: Spec = spec.parse().unwrap();
        let error = Player::with_models(&spec, venue, WithoutNet::Refuse, &models).unwrap_err().to_string();
        assert!(parts.iter().all(|part| error.contains(part)), "{spec}: {error}");
        let fallback = Player::with_models(&spec, venue, WithoutNet::FallBack, &models).unwrap().fallback;
        assert!(fallback.unwrap().contains("plays instead"), "{spec}");
    }
}

#[test]
fn levels_use_a_shipped_net_and_otherwise_name_the_agent_that_plays() {
    let (_folder, models) = nets();
    for venue in Venue::all() {
        for level in Level::all() {
            let [with, without] = [Tier::with_net(level, venue), Tier::without_net(level, venue)];
            assert_eq!((with.kind, with.net, with.has_net), (without.kind, without.net, with.net.is_some()));
            assert!(!without.has_net);
            if with.net != Some("pv") {
                assert!(with.budget <= without.budget, "{with:?}");
                continue;
            }
            assert!(with.budget < without.budget && with.budget > Some(0), "{with:?}");
            // The tier plays with a net of its venue, wherever that comes from.
            let name = match venue {
                Venue::Go { .. } => "go",
                Venue::RingRift { board: Board::Square8 | Board::Square19, .. } => "square",
                Venue::RingRift { .. } => "hex",
            };
            let mut config = with.config();
            config.net = Some(name.to_owned());
            let spec = Spec::Agent(Box::new(config));
            let player = Player::with_models(&spec, venue, WithoutNet::Refuse, &models).unwrap();
            assert_eq!(player.limits().nodes, with.budget.unwrap());
            // Without a shipped net, measurements refuse the level and others say what plays.
            let spec: Spec = level.to_string().parse().unwrap();
            let shipped = Models::shipped_for("pv", venue).is_some();
            assert_eq!(Player::new(&spec, venue, WithoutNet::Refuse).is_ok(), shipped, "{level} {venue}");
            let player = Player::new(&spec, venue, WithoutNet::FallBack).unwrap();
            assert_eq!(player.fallback.is_some(), !shipped, "{level} {venue}");
            assert_eq!(player.limits().nodes, Tier::at(level, venue).budget.unwrap());
            let declined: Spec = format!("{level}(use_neural_net=no)").parse().unwrap();
            let declined = Player::new(&declined, venue, WithoutNet::Refuse).unwrap();
            assert_eq!(declined.limits().nodes, without.budget.unwrap(), "{level} {venue}");
        }
    }
}

#[test]
#[ignore = "measures for some seconds"]
fn speed_of_searches_with_a_small_net() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = pv_net_of::<Position<Square8>>(PvPreset::Small, 1);
    fs::write(folder.path().join("small.safetensors"), bytes).unwrap();
    let models = Models::in_folder(folder.path());
    let positions: Vec<Position<Square8>> =
        (0..12).map(|index| wandered(&Rules::new(2), 4 + 5 * index)).collect();
    for spec in [
        "gumbel(sims=64,net=small)",
        "gumbel(sims=400,net=small)",
        "gumbel(sims=400,net=small,batch=16)",
        "mcts(sims=400,net=small)",
        "mcts(sims=400,net=small,batch=8)",
        "mcts(sims=400,net=small,batch=32)",
        "descent(nodes=400,net=small,widen=4:0.5)",
    ] {
        let player = player(spec, SQUARE8, &models);
        let (mut nodes, mut seconds) = (0, 0.0);
        for position in &positions {
            let report = think(&player, position);
            (nodes, seconds) = (nodes + report.nodes, seconds + report.time.as_secs_f64());
        }
        println!("{:8.0} nodes/s  {spec}", nodes as f64 / seconds);
    }
}
