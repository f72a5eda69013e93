//! Specs, levels, and the agents built from them.

mod go;
mod nets;
mod omega;
mod promptness;
mod pv;

use game::{Game, Seat, pick};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use ringrift::{Board, Position, Rules, Square8, on_board};
use search::Stop;

use crate::{Level, Playable, Player, Spec, Tier, Venue, WithoutNet};

const SQUARE8: Venue = Venue::RingRift { board: Board::Square8, seats: 2 };

fn player(spec: &str, venue: Venue) -> Player {
    Player::new(&spec.parse().unwrap(), venue, WithoutNet::FallBack).unwrap()
}

#[test]
fn specs_survive_a_round_trip() {
    let list = "random,heuristic,heuristic(profile=defensive),policy(net=pv),policy(temperature=0.5,net=runs/x.safetensors),minimax(depth=3),minimax(depth=3,nodes=20000),\
                maxn(nodes=900),brs(nodes=20000),descent(nodes=700,mode=descent),descent(nodes=700,widen=4:0.5,net=pv),mcts(sims=50),\
                mcts(sims=7,seconds=0.5),mcts(sims=400,leaves=heuristic),mcts(sims=400,sharpness=4),mcts(sims=400,leaves=short-rollout,rollout_plies=5),\
                mcts(sims=400,select=uct,c=0.9,widen=2:0.5),gumbel(sims=64,m=8,interior=puct:1.5,max_depth=10),\
                gumbel(sims=64,net=models/x),gumbel(sims=64,leaves=alphabeta,leaf_nodes=100,scale=unscaled),\
                mcts(sims=400,implicit=0.2,net=nnue,policy=pv),minimax(nodes=20000,net=nnue,policy=pv,policy_turns=3),d1,d10,d7(randomness=0.1)";
    let specs = Spec::list(list).unwrap();
    assert_eq!(specs.iter().map(Spec::to_string).collect::<Vec<_>>().join(","), list);
    assert_eq!("heuristic(profile=balanced)".parse::<Spec>().unwrap().to_string(), "heuristic");
    assert_eq!("mcts".parse::<Spec>().unwrap().to_string(), "mcts(sims=400)");
}

#[test]
fn predecessor_names_and_any_order_of_settings_are_accepted() {
    for (written, meant) in [
        ("mcts( mcts_simulations=9, think_time=1500 )", "mcts(sims=9,seconds=1.5)"),
        ("gumbel(gumbel_num_sampled_actions=8,gumbel_simulation_budget=200)", "gumbel(sims=200,m=8)"),
        ("minimax(nodes=500,depth=2)", "minimax(depth=2,nodes=500)"),
        ("mcts(c=0.9,select=uct)", "mcts(sims=400,select=uct,c=0.9)"),
        ("mcts(priors=20,select=uct)", "mcts(sims=400,select=uct,c=0.7,priors=20)"),
        ("mcts(priors=0,select=uct)", "mcts(sims=400,select=uct,c=0.7)"),
        ("mcts(reuse=true,rng_seed=3)", "mcts(sims=400,reuse=yes,seed=3)"),
        // Former names of leaf evaluations.
        ("mcts(leaves=sighted)", "mcts(sims=400)"),
        ("descent(leaves=settled)", "descent(nodes=1000)"),
        ("gumbel(leaves=short)", "gumbel(sims=100,leaves=short-rollout,rollout_plies=3)"),
        (
            "minimax(nnue_model_path=models/n,neural_blend_ratio=0.5)",
            "minimax(nodes=20000,net=models/n,blend=0.5)",
        ),
    ] {
        assert_eq!(written.parse::<Spec>().unwrap().to_string(), meant);
    }
}

#[test]
fn invalid_specs_are_refused_with_the_reason() {
    for (text, part) in [
        ("robot", "robot"),
        ("d0", "d10"),
        ("d11", "d10"),
        ("d07", "d10"),
        ("mcts(sims=0)", "sims=0"),
        ("mcts(sims=-4)", "sims=-4"),
        ("mcts(sims=9", "parenthesis"),
        ("mcts(speed=9)", "sims"),
        ("random(sims=3)", "seed"),
        ("mcts(seconds=0)", "seconds=0"),
        ("mcts(seconds=-1)", "seconds=-1"),
        ("mcts(seconds=NaN)", "seconds=NaN"),
        ("minimax(depth=0)", "from 1 to 64"),
        ("minimax(sims=5)", "nodes"),
        ("mcts(leaf_nodes=50)", "has no effect"),
        ("minimax(policy_turns=3)", "has no effect"),
        ("minimax(policy=pv,blend=0.5)", "has no effect"),
        ("descent(policy=pv)", "no setting"),
        ("mcts(implicit=2)", "from 0 to 1"),
        ("policy(temperature=-1)", "from 0"),
        ("policy(sims=5)", "temperature"),
        ("gumbel(m=0)", "m=0"),
        ("gumbel(interior=uct)", "puct:1.5"),
        ("mcts(widen=2)", "2:0.5"),
        ("descent(mode=up)", "ubfm or descent"),
        ("mcts(leaves=heuristic,sharpness=4)", "sharpness"),
        ("mcts(rollout_plies=4)", "has no effect"),
        ("mcts(virtual_loss=3)", "has no effect"),
        ("mcts(blend=0.5)", "has no effect"),
        ("mcts(net=x,use_neural_net=no,blend=0.5)", "has no effect"),
        ("mcts(select=uct,fpu=0.1)", "puct"),
        ("mcts(priors=20)", "uct"),
        ("heuristic(profile=bold)", "territorial"),
        ("heuristic(aggressive)", "aggressive"),
        ("heuristic(randomness=1.5)", "from 0 to 1"),
    ] {
        let error = text.parse::<Spec>().unwrap_err().to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
    assert!(Spec::list("random,,random").is_err());
    let level = "d1(sims=3)".parse().unwrap();
    let error = Player::new(&level, SQUARE8, WithoutNet::FallBack).unwrap_err().to_string();
    assert!(error.contains("random has no setting \"sims\""), "{error}");
}

#[test]
fn a_resolved_spec_is_complete_and_survives_a_round_trip() {
    for spec in
        ["random", "heuristic", "minimax", "maxn", "brs(depth=2)", "descent", "mcts", "gumbel", "d2", "d9"]
    {
        let config = player(spec, SQUARE8).config;
        let resolved = config.resolved();
        let Spec::Agent(again) = resolved.parse().unwrap() else { panic!("{resolved} is a kind") };
        assert_eq!(*again, config, "{resolved}");
    }
}

#[test]
fn participants_have_short_names() {
    for (spec, id) in [
        ("random", "none:random:base"),
        ("mcts(sims=400)", "none:mcts:s400"),
        ("gumbel(sims=64,m=8,c_scale=0.5)", "none:gumbel:s64m8cs0p5"),
        ("minimax(depth=3)", "none:minimax:dp3"),
    ] {
        assert_eq!(player(spec, SQUARE8).config.composite_id(), id);
    }
}

#[test]
fn an_agent_without_its_net_is_refused_or_reports_the_fallback() {
    for spec in ["gumbel(sims=64,net=models/x)", "policy(net=models/x)", "mcts(sims=400,use_neural_net=yes)"]
    {
        let parsed: Spec = spec.parse().unwrap();
        let error = Player::new(&parsed, SQUARE8, WithoutNet::Refuse).unwrap_err().to_string();
        assert!(error.contains(spec) && error.contains("needs"), "{error}");
        let player = player(spec, SQUARE8);
        let said = player.fallback.unwrap();
        assert!(said.contains(&player.config.to_string()) && !player.config.wants_net(), "{said}");
    }
    for spec in ["d1", "d2", "d3", "d7", "d10(use_neural_net=no)", "mcts", "mcts(net=x,use_neural_net=no)"] {
        let player = Player::new(&spec.parse().unwrap(), SQUARE8, WithoutNet::Refuse).unwrap();
        assert_eq!(player.fallback, None, "{spec}");
    }
}

#[test]
fn reuse_between_decisions_is_a_setting_of_every_kind_that_supports_it() {
    for (spec, reuse) in
        [("mcts", false), ("descent", true), ("minimax", true), ("maxn", true), ("brs", true)]
    {
        let written = |text: &str| format!("{spec}({text})").parse::<Spec>().unwrap().to_string();
        let default = spec.parse::<Spec>().unwrap().to_string();
        let [yes, no] = ["reuse=yes", "reuse=no"].map(written);
        let (same, other) = if reuse { (yes, no) } else { (no, yes) };
        assert_eq!(same, default);
        assert!(other.contains("reuse=") && other.parse::<Spec>().unwrap().to_string() == other, "{other}");
    }
    for spec in ["random(reuse=yes)", "heuristic(reuse=no)", "gumbel(reuse=yes)", "mcts(reuse=maybe)"] {
        assert!(spec.parse::<Spec>().is_err(), "{spec}");
    }
}

#[test]
fn every_level_of_every_venue_is_complete() {
    for venue in Venue::all() {
        let tiers: Vec<Tier> = Level::all().map(|level| Tier::at(level, venue)).collect();
        for tier in &tiers {
            assert_eq!(tier.budget.is_some(), tier.kind.searches(), "{tier:?}");
            assert!(tier.budget != Some(0) && !tier.think_time.is_zero(), "{tier:?}");
            assert_eq!(tier.use_neural_net, tier.model_id.is_some(), "{tier:?}");
            let config = tier.config();
            assert_eq!(tier.use_neural_net, config.net.is_some() || config.policy.is_some(), "{tier:?}");
            assert_eq!(tier.net.map(str::to_owned), config.net, "{tier:?}");
            assert!(tier.use_neural_net || !tier.has_net, "{tier:?}");
            assert_eq!(config.wants_net(), tier.use_neural_net, "{tier:?}");
        }
        assert!(tiers.is_sorted_by(|low, high| low.think_time <= high.think_time), "{venue}");
        assert!(tiers[1..].is_sorted_by(|low, high| low.randomness >= high.randomness), "{venue}");
    }
}

#[test]
fn agents_of_every_kind_are_sound_on_every_board_for_any_number_of_seats() {
    let specs = [
        "random",
        "heuristic(profile=territorial)",
        "policy",
        "policy(temperature=1)",
        "minimax(nodes=60)",
        "maxn(nodes=60)",
        "brs(nodes=60)",
        "descent(nodes=60)",
        "descent(nodes=60,leaves=heuristic,mode=descent)",
        "mcts(sims=25)",
        "mcts(sims=25,leaves=rollout,select=uct)",
        "mcts(sims=25,leaves=prior,rave=50,widen=2:0.5,batch=4)",
        "mcts(sims=10,leaves=alphabeta,leaf_nodes=40,implicit=0.3)",
        "gumbel(sims=25)",
        "gumbel(sims=25,leaves=uniform,completion=seed,interior=puct:1.5)",
        "mcts(sims=25,randomness=0.5)",
    ];
    for (board, seats) in Board::ALL.into_iter().flat_map(|board| (2..=4).map(move |seats| (board, seats))) {
        on_board!(board, B => {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
            let mut moves = Vec::new();
            let mut position = Position::<B>::new(&Rules { rings: Some(3), ..Rules::new(seats) });
            for _ in 0..10 {
                position.legal_moves(&mut moves);
                position.play_unchecked(moves[pick(&mut rng, moves.len())], &mut ());
            }
            position.legal_moves(&mut moves);
            for spec in specs {
                let player = player(spec, position.venue());
                let report = player.agent(1).think(&position, &player.limits(), &Stop::default());
                assert!(moves.contains(&report.best), "{spec}: {position:?}");
                assert_eq!(report.candidates.len(), moves.len(), "{spec}: {position:?}");
                assert!(report.nodes <= player.limits().nodes.max(moves.len() as u64), "{spec}: {position:?}");
            }
        });
    }
}

#[test]
fn randomness_is_the_probability_of_a_random_move() {
    let position = Position::<Square8>::new(&Rules::new(2));
    let engines = |randomness: &str| {
        let player = player(&format!("heuristic(randomness={randomness})"), position.venue());
        let mut agent = player.agent(5);
        (0..400)
            .filter(|_| agent.think(&position, &player.limits(), &Stop::default()).engine == "random")
            .count()
    };
    assert_eq!((engines("0"), engines("1")), (0, 400));
    assert!((90..150).contains(&engines("0.3")));
}

/// How many of ten games an agent wins against random play.
fn wins_against_random(spec: &str, rings: Option<u16>) -> usize {
    let rules = Rules { rings, ..Rules::new(2) };
    let mut won = 0;
    for seed in 0..10 {
        let searcher = Seat::new((seed % 2) as usize);
        let mut position = Position::<Square8>::new(&rules);
        let players = [spec, "random"].map(|spec| player(spec, SQUARE8));
        let mut agents = players.each_ref().map(|player| player.agent(seed));
        while !position.is_over() {
            let mover = usize::from(position.to_move() != searcher);
            let report = agents[mover].think(&position, &players[mover].limits(), &Stop::default());
            position.play(report.best).unwrap();
        }
        won += usize::from(position.outcome().unwrap().winner() == Some(searcher));
    }
    won
}

#[test]
fn searches_and_the_heuristic_beat_random_play() {
    // Few rings make searches fast; the heuristic's weights are for full hands.
    for (spec, rings) in [
        ("heuristic", None),
        ("minimax(nodes=1000)", Some(5)),
        ("descent(nodes=200)", Some(5)),
        ("mcts(sims=60)", Some(5)),
        ("gumbel(sims=60)", Some(5)),
    ] {
        let won = wins_against_random(spec, rings);
        assert!(won >= 8, "{spec} won {won} of 10");
    }
}
