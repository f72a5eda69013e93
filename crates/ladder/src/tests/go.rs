//! Agents that play Go.

use game::{Evaluation, Evaluator, Game, Outcome, Request, Wants, pick};
use go::{Ko, Komi, Large, Medium, Move, Points, Position, Rules, Score, Small, solve::Solver};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use search::Stop;

use super::player;
use crate::{GoRollout, Level, Playable, Player, Spec, Tier, Venue, WithoutNet};

/// A position after some random stones.
fn wandered<P: Points>(rules: Rules, stones: usize, seed: u64) -> Position<P> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut moves = Vec::new();
    let mut position = Position::<P>::new(&rules);
    for _ in 0..stones {
        position.legal_moves(&mut moves);
        // The last legal move is the pass.
        let stones = (moves.len() - 1).max(1);
        position.play_unchecked(moves[pick(&mut rng, stones)], &mut ());
    }
    position
}

fn check_kinds<P: Points>(rules: Rules, stones: usize) {
    let specs = [
        "random",
        "heuristic",
        "minimax(nodes=60)",
        "maxn(nodes=60)",
        "brs(nodes=60)",
        "descent(nodes=60)",
        "descent(nodes=60,leaves=rollout,mode=descent)",
        "mcts(sims=25)",
        "mcts(sims=25,leaves=rollout,select=uct)",
        "mcts(sims=25,leaves=rollout,rave=50,widen=2:0.5,batch=4)",
        "mcts(sims=24,leaves=rollout,threads=2)",
        "mcts(sims=25,leaves=rollout,select=uct,rave=100,priors=20,policy=omega)",
        "gumbel(sims=25)",
        "gumbel(sims=25,leaves=short-rollout)",
        "mcts(sims=25,leaves=after-turn,randomness=0.5)",
    ];
    let position = wandered::<P>(rules, stones, 3);
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    for spec in specs {
        let player = player(spec, position.venue());
        let think = || player.agent(1).think(&position, &player.limits(), &Stop::default());
        let (report, again) = (think(), think());
        assert!(moves.contains(&report.best), "{spec}: {position:?}");
        assert_eq!(report.candidates.len(), moves.len(), "{spec}: {position:?}");
        assert!(report.nodes <= player.limits().nodes.max(moves.len() as u64), "{spec}: {position:?}");
        assert_eq!(
            (again.best, again.nodes),
            (report.best, report.nodes),
            "{spec} repeats itself: {position:?}"
        );
    }
}

#[test]
fn agents_of_every_kind_are_sound_on_boards_of_go() {
    check_kinds::<Small>(Rules::new(5), 8);
    check_kinds::<Small>(Rules::tromp_taylor(7), 20);
    check_kinds::<Medium>(Rules::new(9), 30);
    check_kinds::<Medium>(Rules::japanese(9), 30);
    check_kinds::<Large>(Rules::new(13), 50);
}

#[test]
fn every_level_of_go_plays_and_has_a_description() {
    for venue in Venue::all().filter(|venue| matches!(venue, Venue::Go { .. })) {
        for level in Level::all() {
            let tier = Tier::at(level, venue);
            assert_eq!((tier.level, tier.venue), (level, venue));
            let Venue::Go { size } = venue else { unreachable!("filtered") };
            assert_eq!(tier.model_id, tier.use_neural_net.then(|| format!("go_best_{size}")));
        }
    }
    // A policy guides the playouts of the highest levels on the boards that it reads.
    for (level, venue, policy) in [("d7", NINE, None), ("d9", NINE, Some("omega")), ("d9", NINETEEN, None)] {
        let found = player(level, venue);
        assert_eq!(found.config.policy.as_deref(), policy, "{level} {venue}");
        assert_eq!(found.policy.is_some(), policy.is_some(), "{level} {venue}");
        assert_eq!(player(&format!("{level}(use_neural_net=no)"), venue).config.policy, None);
    }
    let position = wandered::<Small>(Rules::new(5), 6, 1);
    assert_eq!(position.venue().to_string(), "go/5x5");
    for level in Level::all() {
        let player = player(&level.to_string(), position.venue());
        let limits = search::Limits { nodes: player.limits().nodes.min(200), time: None };
        let report = player.agent::<Position<Small>>(1).think(&position, &limits, &Stop::default());
        assert!(position.is_legal(report.best), "{level}");
    }
}

#[test]
fn playouts_are_scored_with_komi() {
    let rng = Xoshiro256PlusPlus::seed_from_u64(5);
    for (half_points, black_wins) in [(100, false), (-100, true)] {
        let rules = Rules { komi: Komi::from_half_points(half_points), ..Rules::new(5) };
        let position = Position::<Small>::new(&rules);
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let mut answers = [Evaluation::default(), Evaluation::default()];
        let request = |wants| Request { position: &position, moves: &moves, wants };
        let requests = [request(Wants::Values), request(Wants::Policy)];
        GoRollout::new(rng.clone()).evaluate(&requests, &mut answers);
        let winner = usize::from(!black_wins);
        assert_eq!(answers[0].values, Outcome::win(2, game::Seat::new(winner)).values());
        assert!(!answers[0].playout.is_empty() && answers[1].playout.is_empty());
        assert_eq!(
            answers.map(|answer| answer.logits.len()),
            [0, moves.len()],
            "a policy where one is wanted"
        );
    }
}

/// The outcome of best play, if a small search can solve the position.
fn solved(position: &Position<Small>, nodes: u64) -> Option<Outcome> {
    let area = Solver::new(nodes).value(position).ok()?;
    Some(Score::from_half_points(2 * area - position.rules().komi.half_points()).outcome())
}

#[test]
fn searches_keep_the_value_of_solved_positions() {
    let specs = ["minimax(nodes=60000)", "descent(nodes=60000)", "mcts(sims=6000,leaves=rollout,select=uct)"];
    let mut counts = [0; 3];
    for (size, stones, komi) in [(2, 1, 1), (2, 2, 0), (3, 6, 1), (3, 7, 0), (3, 8, -3)] {
        let rules = Rules { komi: Komi::from_half_points(komi), ko: Ko::Situational, ..Rules::new(size) };
        for seed in 0..8 {
            let position = wandered::<Small>(rules, stones, seed);
            if position.is_over() {
                continue;
            }
            let Some(worth) = solved(&position, 3_000) else { continue };
            for (count, spec) in counts.iter_mut().zip(specs) {
                let player = player(spec, position.venue());
                let report = player.agent(seed).think(&position, &player.limits(), &Stop::default());
                let mut after = position.clone();
                after.play(report.best).unwrap();
                let kept = after.outcome().or_else(|| solved(&after, 100_000));
                assert_eq!(kept, Some(worth), "{spec} plays {:?} in {position:?}", report.best);
                *count += 1;
            }
        }
    }
    assert!(counts.iter().all(|&count| count >= 20), "too few positions: {counts:?}");
}

/// How many of `games` the first agent wins, with alternating colours.
fn wins(specs: [&str; 2], rules: Rules, games: u64) -> usize {
    let mut won = 0;
    for seed in 0..games {
        let first = (seed % 2) as usize;
        let mut position = wandered::<Small>(rules, 2, seed / 2);
        let players = specs.map(|spec| player(spec, position.venue()));
        let mut agents = players.each_ref().map(|player| player.agent(seed));
        while !position.is_over() {
            let side = position.to_move().index() ^ first;
            let report = agents[side].think(&position, &players[side].limits(), &Stop::default());
            position.play(report.best).unwrap();
        }
        let winner = position.outcome().unwrap().winner();
        won += usize::from(winner.is_some_and(|seat| seat.index() == first));
    }
    won
}

#[test]
fn the_heuristic_beats_random_play_and_playouts_beat_the_heuristic() {
    let rules = |size| Rules { komi: Komi::from_half_points(1), ..Rules::new(size) };
    let won = wins(["heuristic", "random"], rules(5), 20);
    assert!(won >= 19, "the heuristic won {won} of 20");
    for (size, sims) in [(5, 1_000), (7, 1_000)] {
        let spec = format!("mcts(sims={sims},leaves=rollout,select=uct)");
        let won = wins([&spec, "heuristic"], rules(size), 10);
        assert!(won >= 7, "{spec} won {won} of 10 on {size} lines");
    }
}

#[test]
fn a_pass_that_wins_is_played() {
    // With an empty board and komi, White wins by passing after Black's pass.
    let mut position = Position::<Small>::new(&Rules::new(5));
    position.play(Move::PASS).unwrap();
    for spec in ["heuristic", "minimax(nodes=500)", "descent(nodes=500)", "mcts(sims=500)", "d7(sims=500)"] {
        let player = player(spec, position.venue());
        let report = player.agent::<Position<Small>>(1).think(&position, &player.limits(), &Stop::default());
        assert_eq!(report.best, Move::PASS, "{spec}");
    }
}

const NINE: Venue = Venue::Go { size: 9 };
const NINETEEN: Venue = Venue::Go { size: 19 };

#[test]
fn program_specs_survive_a_round_trip() {
    for text in [
        r#"gtp("gnugo --mode gtp")"#,
        r#"gtp("gnugo --mode gtp --level 1",seconds=5,timeout=20,startup=2.5)"#,
        r#"gtp("engine 'a (b), c' \"d, e\" \\x")"#,
    ] {
        let spec: Spec = text.parse().unwrap();
        assert_eq!(spec.to_string(), text);
        assert!(spec.names_program());
        let Spec::Agent(config) = &spec else { panic!("{text} is an agent") };
        assert_eq!(config.resolved().parse::<Spec>().unwrap(), spec);
        let list = format!("random,{text},mcts(sims=9)");
        assert_eq!(Spec::list(&list).unwrap()[1], spec, "{list}");
    }
    assert!(!"mcts".parse::<Spec>().unwrap().names_program());
    assert!(!"d3(seed=4)".parse::<Spec>().unwrap().names_program());
    let Spec::Agent(config) = r#"gtp("gnugo --mode gtp --level 3",timeout=9)"#.parse().unwrap() else {
        panic!("an agent")
    };
    assert_eq!(config.resolved(), r#"gtp("gnugo --mode gtp --level 3",timeout=9,startup=30)"#);
    assert_eq!(config.composite_id(), "none:gtp:gnugo-mode-gtp-level-3to9");
}

#[test]
fn a_program_that_cannot_play_is_refused_with_the_reason() {
    for (text, part) in [
        ("gtp", "command line"),
        ("gtp()", "command line"),
        ("gtp(\"\")", "command line"),
        ("gtp(\"'open\")", "command line"),
        ("gtp(\"cat\",sims=4)", "timeout"),
        ("gtp(\"cat\",seconds=0.5)", "whole seconds"),
        ("mcts(\"cat\")", "mcts has no setting \"command\""),
    ] {
        let error = text.parse::<Spec>().unwrap_err().to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
    let refusal = |text: &str, venue| {
        let player = Player::new(&text.parse().unwrap(), venue, WithoutNet::Refuse);
        player.and_then(|player| player.probe(venue)).unwrap_err().to_string()
    };
    let error = refusal("gtp(\"no-such-engine\")", NINE);
    assert!(error.starts_with("gtp(\"no-such-engine\") cannot play: \"no-such-engine\" cannot be started"));
    assert!(refusal("gtp(\"true\")", NINE).contains("the program ended"));
    let error = refusal("gtp(\"cat\")", Venue::RingRift { board: ringrift::Board::Hex8, seats: 3 });
    assert_eq!(error, "gtp(\"cat\") plays Go, not ringrift/hex8/3p");
}

#[cfg(unix)]
#[test]
fn a_program_starts_with_its_first_decision_and_not_before() {
    let folder = tempfile::tempdir().unwrap();
    let marker = folder.path().join("started");
    let text = format!("gtp(\"touch {}\")", marker.display());
    let player = player(&text, NINE);
    let mut agent = player.agent::<Position<Medium>>(1);
    assert!(!marker.exists(), "creating a player and an agent starts nothing");
    assert!(player.probe(NINE).is_err() && marker.exists(), "a probe starts it");
    std::fs::remove_file(&marker).unwrap();
    let position = Position::<Medium>::new(&Rules::new(9));
    let report = agent.think(&position, &player.limits(), &Stop::default());
    assert!(report.forfeit.is_some() && marker.exists(), "a decision starts it");
}
