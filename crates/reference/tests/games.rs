//! States that nobody recorded: random games on every board, written as both clients write them.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "helpers of tests are tests too")]

mod support;

use std::collections::BTreeMap;

use game::{Game, pick};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use record::export::{Client, client_move, client_state};
use ringrift::{Board, Geometry, Kind, Phase, Position, Rules, on_board};
use serde_json::{Value, json};

/// What the answers were, to see that a test looked at everything.
type Seen = BTreeMap<String, usize>;

fn body<B: Geometry>(position: &Position<B>, history: &[Value], client: Client, difficulty: u8) -> Value {
    let mut body = json!({
        "game_state": client_state(position, history, client),
        "player_number": position.to_move().number(),
        "difficulty": difficulty,
    });
    if client == Client::GameServer {
        body["ai_type"] = if difficulty == 1 { "random" } else { "heuristic" }.into();
        body["seed"] = 7.into();
    }
    body
}

/// Asks in this position as both clients would, and looks at the answers.
fn ask<B: Geometry>(position: &Position<B>, history: &[Value], difficulty: u8, seen: &mut Seen) {
    for client in [Client::GameServer, Client::Sandbox] {
        let body = body(position, history, client, difficulty);
        let answer = support::post("/ai/move", body.to_string().as_bytes());
        assert_eq!(answer.status, 200, "{position:?} {client:?}: {}", answer.body);
        let found = &answer.body["move"];
        if let Err(fault) = support::accepted(position, found) {
            panic!("{position:?} {client:?} D{difficulty}: {fault}\n{found}\n{body}");
        }
        assert!(answer.body.get("repairs").is_none(), "{position:?} {client:?}: {}", answer.body);
        let option = ["option", "recoveryOption"].iter().find_map(|name| found.get(*name)).cloned();
        // The page has no move with this field, the server none with the other.
        let foreign = if client == Client::Sandbox { "recoveryOption" } else { "option" };
        assert!(found.get(foreign).is_none(), "{found}");
        let kind = found["type"].as_str().unwrap();
        let detail =
            found["eliminationContext"].as_str().or(found["recoveryMode"].as_str()).unwrap_or_default();
        *seen.entry(format!("{kind} {detail} {}", option.unwrap_or_default())).or_default() += 1;
    }
}

/// A random game in which every so many plies both clients ask.
fn game<B: Geometry>(mut position: Position<B>, seed: u64, every: usize, longest: usize, seen: &mut Seen) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let (mut moves, mut history) = (Vec::new(), Vec::new());
    for ply in 0..longest {
        position.legal_moves(&mut moves);
        if moves.is_empty() {
            break;
        }
        // The phases that random play seldom sees are always asked about.
        let rare = !matches!(position.phase(), Phase::RingPlacement | Phase::Movement | Phase::Capture)
            && moves.iter().any(|m| !m.kind().is_bookkeeping())
            || moves.iter().any(|m| m.kind() == Kind::SkipRecovery);
        if rare || ply % every == seed as usize % every {
            let difficulty = if position.phase() == Phase::RingPlacement && B::SIZE > 10 {
                1
            } else {
                1 + (ply / every % 2) as u8
            };
            ask(&position, &history, difficulty, seen);
        }
        // Skipping and swapping end the interesting part early: less often.
        let m = moves[pick(&mut rng, moves.len())];
        let mut spelled = client_move(&position, m, Client::GameServer);
        spelled.insert("id".to_owned(), "".into());
        spelled.insert("timestamp".to_owned(), "2026-01-01T00:00:00.000Z".into());
        history.push(Value::Object(spelled));
        position.play_unchecked(m, &mut ());
    }
}

fn play(boards: &[Board], games: u64, every: usize, rings: &[Option<u16>]) -> Seen {
    let mut seen = Seen::new();
    for &board in boards {
        for seats in 2..=4 {
            for seed in 0..games {
                let rings = rings[seed as usize % rings.len()];
                let rules = Rules { swap: seats == 2, rings, ..Rules::new(seats) };
                on_board!(board, B => {
                    game(Position::<B>::new(&rules), seed, every, 600, &mut seen);
                });
            }
        }
    }
    seen
}

#[test]
fn every_answer_on_the_small_boards_is_accepted_in_all_phases() {
    let seen = play(&[Board::Square8, Board::Hex8], 10, 5, &[Some(3), Some(5), None]);
    println!("{seen:#?}");
    let wanted = [
        "place_ring",
        "skip_placement",
        "no_placement_action",
        "move_stack",
        "overtaking_capture",
        "continue_capture_segment",
        "process_line",
        "choose_line_option",
        "eliminate_rings_from_stack line",
        "eliminate_rings_from_stack territory",
        "choose_territory_option",
        "no_line_action",
        "no_territory_action",
        "recovery_slide",
        "forced_elimination",
        "no_movement_action",
    ];
    for kind in wanted {
        assert!(seen.keys().any(|key| key.starts_with(kind)), "no {kind} was answered");
    }
    for kind in ["skip_capture", "skip_territory_processing"] {
        assert!(!seen.keys().any(|key| key.starts_with(kind)), "{kind} was answered");
    }
}

#[test]
fn a_swap_of_sides_is_offered_and_spelled_with_its_placeholder() {
    let mut position = Position::<ringrift::Hex8>::new(&Rules { swap: true, ..Rules::new(2) });
    let (mut moves, mut history) = (Vec::new(), Vec::new());
    while position.to_move().number() == 1 {
        position.legal_moves(&mut moves);
        history.push(Value::Object(client_move(&position, moves[0], Client::GameServer)));
        position.play_unchecked(moves[0], &mut ());
    }
    let mut body = body(&position, &history, Client::GameServer, 1);
    let swapped = (0..3_000).any(|seed| {
        body["seed"] = seed.into();
        let found = support::post("/ai/move", body.to_string().as_bytes()).body["move"].take();
        let m = support::accepted(&position, &found).unwrap_or_else(|fault| panic!("{fault}: {found}"));
        m.kind() == Kind::SwapSides
    });
    assert!(swapped, "no random player ever swapped");
}

#[test]
fn every_answer_on_the_large_boards_is_accepted() {
    let seen = play(&[Board::Square19, Board::Hexagonal], 2, 23, &[Some(9), Some(20)]);
    println!("{seen:#?}");
    assert!(seen.values().sum::<usize>() > 100);
}

#[test]
fn states_that_contradict_themselves_are_answered_all_the_same() {
    let mut position = Position::<ringrift::Square8>::new(&Rules::new(2));
    let mut moves = Vec::new();
    for _ in 0..30 {
        position.legal_moves(&mut moves);
        position.play_unchecked(moves[moves.len() / 3], &mut ());
    }
    let base = body(&position, &[], Client::Sandbox, 2);
    let changes: [(&str, Value); 12] = [
        ("/game_state/players/0/ringsInHand", json!(-3)),
        ("/game_state/players/1/ringsInHand", json!(99_999_999)),
        ("/game_state/players/0/eliminatedRings", json!(70_000)),
        ("/game_state/players/1/playerNumber", json!(1)),
        ("/game_state/mustMoveFromStackKey", json!("9,9")),
        (
            "/game_state/lpsTracking",
            json!({"consecutiveExclusiveRounds": 900, "consecutiveExclusivePlayer": 9}),
        ),
        ("/game_state/lpsRoundsRequired", json!(0)),
        ("/game_state/rulesOptions", json!({"ringsPerPlayer": 0, "swapRuleEnabled": true})),
        ("/game_state/board/collapsedSpaces", json!({"77,1": 1, "0,0": 7, "nonsense": 2})),
        (
            "/game_state/board/stacks/0,0",
            json!({"rings": vec![1; 60], "controllingPlayer": 1, "capHeight": 60}),
        ),
        ("/game_state/board/stacks/7,7", json!({"rings": [1, 2, 9], "controllingPlayer": 2, "capHeight": 1})),
        ("/game_state/board/markers/0,1", json!({"player": 2})),
    ];
    for (place, value) in &changes {
        let mut body = base.clone();
        set(&mut body, place, value.clone());
        let answer = support::post("/ai/move", body.to_string().as_bytes());
        assert_eq!(answer.status, 200, "{place} = {value}: {}", answer.body);
        assert!(answer.body["move"].is_object(), "{place} = {value}: {}", answer.body);
    }
}

fn set(body: &mut Value, place: &str, value: Value) {
    let (parent, name) = place.rsplit_once('/').unwrap();
    match body.pointer_mut(parent).unwrap() {
        Value::Object(fields) => drop(fields.insert(name.to_owned(), value)),
        other => panic!("{other} has no {name}"),
    }
}

#[test]
fn a_capture_phase_without_a_capture_can_only_be_skipped() {
    let position = Position::<ringrift::Hex8>::new(&Rules::new(3));
    let mut body = body(&position, &[], Client::Sandbox, 1);
    body["game_state"]["currentPhase"] = "capture".into();
    let answer = support::post("/ai/move", body.to_string().as_bytes());
    assert_eq!(answer.body["move"]["type"], "skip_capture");
    assert_eq!(answer.body["move"]["to"], json!({"x": 0, "y": 0}));
    for phase in ["chain_capture", "forced_elimination"] {
        body["game_state"]["currentPhase"] = phase.into();
        let answer = support::post("/ai/move", body.to_string().as_bytes());
        assert_eq!((answer.status, &answer.body["move"]), (200, &Value::Null), "{phase}");
    }
}

#[test]
fn a_batch_decides_every_game_within_its_budget() {
    let position = Position::<ringrift::Square8>::new(&Rules::new(2));
    let state = client_state(&position, &[], Client::GameServer);
    let over = {
        let mut over = state.clone();
        over.insert("gameStatus".to_owned(), "completed".into());
        over
    };
    let body = json!({
        "game_states": [state, over, state], "player_numbers": [1, 1, 2], "difficulty": 9, "simulation_budget": 10,
    });
    let answer = support::post("/ai/moves_batch", body.to_string().as_bytes());
    assert_eq!(answer.status, 200, "{}", answer.body);
    let moves = answer.body["moves"].as_array().unwrap();
    support::accepted(&position, &moves[0]["move"]).unwrap();
    assert!(moves[1]["move"].is_null() && moves[2]["move"].is_null());
    assert_eq!((&answer.body["games_processed"], &answer.body["mode"]), (&json!(3), &json!("batch")));
    let refused = [
        json!({"game_states": [], "player_numbers": []}),
        json!({"game_states": [state], "player_numbers": [1, 2]}),
        json!({"game_states": [state], "player_numbers": [3]}),
        json!({"game_states": [state], "player_numbers": [1], "simulation_budget": 9}),
        json!({"game_states": [state], "player_numbers": [1], "mode": "all"}),
        json!({"game_states": vec![Value::Null; 65], "player_numbers": vec![1; 65]}),
    ];
    for body in refused {
        let answer = support::post("/ai/moves_batch", body.to_string().as_bytes());
        assert_eq!(answer.status, 422, "{body}");
    }
}

#[test]
fn every_engine_that_clients_name_plays_and_says_who_it_was() {
    let mut position = Position::<ringrift::Square8>::new(&Rules::new(2));
    let mut moves = Vec::new();
    for _ in 0..40 {
        position.legal_moves(&mut moves);
        position.play_unchecked(moves[moves.len() / 2], &mut ());
    }
    for (asked, plays) in [
        ("random", "random"),
        ("heuristic", "heuristic"),
        ("minimax", "minimax"),
        ("mcts", "mcts"),
        ("descent", "descent"),
        ("policy_only", "heuristic"),
        ("gumbel_mcts", "gumbel_mcts"),
        ("ig_gmo", "heuristic"),
        ("nnue_maxn", "maxn"),
        ("brs", "brs"),
    ] {
        let mut body = body(&position, &[], Client::GameServer, 6);
        body["ai_type"] = asked.into();
        let answer = support::post("/ai/move", body.to_string().as_bytes());
        support::accepted(&position, &answer.body["move"]).unwrap();
        assert_eq!(answer.body["ai_type"], plays);
        assert_eq!(answer.label.unwrap().ai_type, plays);
        assert_eq!(
            answer.body["fallback"].is_null(),
            asked == plays && asked != "descent",
            "{}",
            answer.body
        );
    }
}
