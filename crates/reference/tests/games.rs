//! States of random games on every board, in the form of both clients.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "helpers of tests are tests too")]

mod support;

use std::{collections::BTreeMap, time::Duration};

use game::{Game, pick};
use interchange::{Client, TraceText, client_move, client_state};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use reference::{Caps, Request, Service};
use ringrift::{Board, Content, Draft, Geometry, Kind, Phase, Position, Rules, on_board};
use search::Stop;
use serde_json::{Value, json};

/// Counts of phases and move types in responses, to check the coverage of a test.
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

/// Fields that clients may omit, because the history implies them.
const DERIVED: [&str; 5] = [
    "mustMoveFromStackKey",
    "chainCapturePosition",
    "pendingLineRewardElimination",
    "lpsTracking",
    "lpsRoundsRequired",
];

/// Sends the position as both clients would, with and without derivable fields, and checks the responses.
fn ask<B: Geometry>(position: &Position<B>, history: &[Value], difficulty: u8, seen: &mut Seen) {
    for client in [Client::GameServer, Client::Sandbox] {
        for bare in [false, true] {
            let mut body = body(position, history, client, difficulty);
            if bare {
                for name in DERIVED {
                    body["game_state"].as_object_mut().unwrap().remove(name);
                }
            }
            look(position, client, &body, seen);
        }
    }
}

fn look<B: Geometry>(position: &Position<B>, client: Client, body: &Value, seen: &mut Seen) {
    let answer = support::post("/ai/move", body.to_string().as_bytes());
    assert_eq!(answer.status, 200, "{position:?} {client:?}: {}", answer.body);
    let found = &answer.body["move"];
    if let Err(fault) = support::accepted(position, found) {
        panic!("{position:?} {client:?}: {fault}\n{found}\n{body}");
    }
    assert!(answer.body.get("repairs").is_none(), "{position:?} {client:?}: {}", answer.body);
    let option = ["option", "recoveryOption"].iter().find_map(|name| found.get(*name)).cloned();
    // The browser has no move with this field, and the game server none with the other.
    let foreign = if client == Client::Sandbox { "recoveryOption" } else { "option" };
    assert!(found.get(foreign).is_none(), "{found}");
    let kind = found["type"].as_str().unwrap();
    let detail = found["eliminationContext"].as_str().or(found["recoveryMode"].as_str()).unwrap_or_default();
    let option = option.map_or_else(String::new, |option| format!(" {option}"));
    for key in [
        format!("{client:?}, {kind} {detail}{option}").trim_end().to_owned(),
        format!("{client:?} in {}", position.phase().name()),
        format!("{} for {}", B::BOARD, position.seats()),
    ] {
        *seen.entry(key).or_default() += 1;
    }
}

/// Plays a random game and sends a request from both clients every few plies.
fn game<B: Geometry>(mut position: Position<B>, seed: u64, every: usize, longest: usize, seen: &mut Seen) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let (mut moves, mut history) = (Vec::new(), Vec::new());
    for ply in 0..longest {
        position.legal_moves(&mut moves);
        if moves.is_empty() {
            break;
        }
        // Phases that are rare in random play are always requested.
        let common = matches!(position.phase(), Phase::RingPlacement | Phase::Movement | Phase::Capture)
            || position.phase() == Phase::ChainCapture && !ply.is_multiple_of(4);
        let rare = !common && moves.iter().any(|m| !m.kind().is_bookkeeping())
            || moves.iter().any(|m| m.kind() == Kind::SkipRecovery);
        if rare || ply % every == seed as usize % every {
            let difficulty = if position.phase() == Phase::RingPlacement && B::SIZE > 10 {
                1
            } else {
                1 + (ply / every % 2) as u8
            };
            ask(&position, &history, difficulty, seen);
        }
        // Skips and swaps are chosen less often, because they end the interesting part early.
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

/// Checks that each phase and move type occurred often enough for both clients.
fn covers(seen: &Seen, wanted: &[(&str, usize)]) {
    println!("{seen:#?}");
    for client in [Client::GameServer, Client::Sandbox] {
        for (what, least) in wanted {
            let key = format!("{client:?}{what}");
            let count = seen.get(&key).copied().unwrap_or_default();
            assert!(count >= *least, "{key}: {count} times, expected {least}");
        }
    }
    for kind in ["skip_capture", "skip_territory_processing"] {
        assert!(!seen.keys().any(|key| key.ends_with(kind)), "{kind} was answered");
    }
}

#[test]
fn every_move_on_the_small_boards_is_accepted_in_all_phases() {
    let seen = play(&[Board::Square8, Board::Hex8], 10, 7, &[Some(3), Some(5), None]);
    covers(
        &seen,
        &[
            (" in ring_placement", 100),
            (" in movement", 100),
            (" in capture", 20),
            (" in chain_capture", 50),
            (" in line_processing", 100),
            (" in territory_processing", 100),
            (" in forced_elimination", 20),
            (", place_ring", 100),
            (", skip_placement", 2),
            (", no_placement_action", 50),
            (", move_stack", 100),
            (", overtaking_capture", 50),
            (", continue_capture_segment", 50),
            (", recovery_slide fallback", 20),
            (", recovery_slide stack_strike", 5),
            (", no_movement_action", 2),
            (", process_line", 20),
            (", choose_line_option", 2),
            (", eliminate_rings_from_stack line", 20),
            (", no_line_action", 100),
            (", choose_territory_option", 50),
            (", eliminate_rings_from_stack territory", 50),
            (", eliminate_rings_from_stack recovery", 2),
            (", no_territory_action", 100),
            (", forced_elimination", 20),
        ],
    );
    for board in [Board::Square8, Board::Hex8] {
        for seats in 2..=4 {
            assert!(seen[&format!("{board} for {seats}")] >= 200, "{board} for {seats}");
        }
    }
}

/// A position in which the mover has no stacks, and a slide of a marker completes an overlength line.
fn before_a_long_recovery<B: Geometry>(seats: u8) -> Position<B> {
    let rules = Rules::new(seats);
    let mut draft = Draft::new::<B>(rules);
    draft.hands.fill(0);
    draft.phase = Phase::Movement;
    let at = |x: i32, y: i32| B::cell(x, y).unwrap();
    let (x, y) = if B::HEX { (-2, 0) } else { (1, 2) };
    let length = i32::from(rules.goals(B::BOARD).line_length);
    let own = Content::Marker(draft.seat);
    draft.cells = (0..=length).filter(|step| *step != 2).map(|step| (at(x + step, y), own)).collect();
    // A marker beside the gap, to slide into it, and elsewhere a stack that pays.
    draft.cells.push((at(x + 2, y + 1), own));
    draft.cells.push((at(x, y - 1), Content::Stack("12".parse().unwrap())));
    draft.cells.push((at(x + 2, y - 2), Content::Stack("2".parse().unwrap())));
    draft.build().unwrap_or_else(|faults| panic!("{} for {seats}: {faults:?}", B::BOARD))
}

#[test]
fn both_options_of_an_overlength_recovery_are_written_in_each_clients_form() {
    let history = [json!({"id": "", "type": "no_placement_action", "player": 1, "to": {"x": 0, "y": 0}})];
    let mut seen = Seen::new();
    for board in Board::ALL {
        for seats in 2..=4 {
            on_board!(board, B => {
                let position = before_a_long_recovery::<B>(seats);
                let keys = position.legal_keys();
                assert!(keys.iter().any(|key| key.ends_with("line 2")), "{board} for {seats}: {keys:?}");
                for client in [Client::GameServer, Client::Sandbox] {
                    for seed in 0..40 {
                        let mut body = body(&position, &history, client, 1);
                        body["game_state"]["rngSeed"] = seed.into();
                        if client == Client::GameServer {
                            body["seed"] = seed.into();
                        }
                        look(&position, client, &body, &mut seen);
                        options_agree(&position, client, body);
                    }
                }
            });
        }
    }
    covers(&seen, &[(", recovery_slide line 1", 12), (", recovery_slide line 2", 12)]);
}

/// Checks that `/rules/evaluate_move` accepts a returned recovery and applies its option.
fn options_agree<B: Geometry>(position: &Position<B>, client: Client, mut body: Value) {
    let found = support::post("/ai/move", body.to_string().as_bytes()).body["move"].take();
    if found["from"]["y"] == found["to"]["y"] {
        // A marker of the line itself that moves within it makes a shorter line, without a choice.
        return;
    }
    let name = if client == Client::Sandbox { "option" } else { "recoveryOption" };
    let window = match found[name].as_u64() {
        Some(1) => {
            assert_eq!(found["extractionStacks"].as_array().map(Vec::len), Some(1), "{found}");
            assert!(found.get("collapsePositions").is_none(), "{found}");
            None
        }
        Some(2) => {
            assert_eq!(found["extractionStacks"], json!([]), "{found}");
            let window = found["collapsePositions"].as_array().unwrap();
            assert!(window.contains(&found["to"]), "{found}");
            Some(window.len())
        }
        _ => panic!("no option in {found}"),
    };
    body["move"] = found;
    let played = support::post("/rules/evaluate_move", body.to_string().as_bytes()).body;
    assert_eq!(played["valid"], true, "{played}\n{body}");
    let collapsed = played["next_state"]["board"]["collapsedSpaces"].as_object().unwrap().len();
    let length = usize::from(position.goals().line_length);
    assert_eq!(window.unwrap_or(length + 1), collapsed, "{body}");
    assert!(window.is_none_or(|cells| cells == length));
    let credited = played["next_state"]["players"][0]["eliminatedRings"].as_u64();
    assert_eq!(credited, Some(u64::from(window.is_none())), "{played}");
}

#[test]
fn a_seat_that_cannot_slide_skips_its_recovery() {
    let mut draft = Draft::new::<ringrift::Square8>(Rules::new(2));
    draft.hands.fill(0);
    draft.phase = Phase::Movement;
    let at = |x, y| <ringrift::Square8 as Geometry>::cell(x, y).unwrap();
    draft.cells =
        vec![(at(0, 0), Content::Marker(draft.seat)), (at(5, 5), Content::Stack("12".parse().unwrap()))];
    draft.cells.extend([(1, 0), (0, 1), (1, 1)].map(|(x, y)| (at(x, y), Content::Collapsed(draft.seat))));
    let position = draft.build::<ringrift::Square8>().unwrap();
    let mut seen = Seen::new();
    let history = [json!({"id": "", "type": "no_placement_action", "player": 1, "to": {"x": 0, "y": 0}})];
    ask(&position, &history, 2, &mut seen);
    covers(&seen, &[(", skip_recovery", 2)]);
}

#[test]
fn a_swap_is_returned_with_its_placeholder_cell() {
    let mut position = Position::<ringrift::Hex8>::new(&Rules { swap: true, ..Rules::new(2) });
    let (mut moves, mut history) = (Vec::new(), Vec::new());
    while position.to_move().number() == 1 {
        position.legal_moves(&mut moves);
        let mut spelled = client_move(&position, moves[0], Client::GameServer);
        spelled.insert("id".to_owned(), "".into());
        history.push(Value::Object(spelled));
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
fn every_move_on_the_large_boards_is_accepted() {
    let seen = play(&[Board::Square19, Board::Hexagonal], 2, 43, &[Some(9), Some(20)]);
    covers(
        &seen,
        &[
            (" in ring_placement", 10),
            (" in movement", 50),
            (" in capture", 2),
            (" in chain_capture", 50),
            (" in line_processing", 20),
            (" in territory_processing", 50),
            (" in forced_elimination", 5),
            (", process_line", 5),
            (", choose_territory_option", 20),
            (", recovery_slide fallback", 20),
        ],
    );
    for board in [Board::Square19, Board::Hexagonal] {
        for seats in 2..=4 {
            assert!(seen[&format!("{board} for {seats}")] >= 20, "{board} for {seats}");
        }
    }
}

#[test]
fn contradictory_states_still_get_a_move() {
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
            json!({
                "position": {"x": 0, "y": 0}, "rings": vec![1; 60], "stackHeight": 60, "controllingPlayer": 1,
                "capHeight": 60,
            }),
        ),
        (
            "/game_state/board/stacks/7,7",
            json!({
                "position": {"x": 7, "y": 7}, "rings": [1, 2, 9], "stackHeight": 3, "controllingPlayer": 2,
                "capHeight": 1,
            }),
        ),
        (
            "/game_state/board/markers/0,1",
            json!({"player": 2, "position": {"x": 5, "y": 5}, "type": "regular"}),
        ),
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
        json!({"game_states": [state], "player_numbers": [1], "simulation_budget": 9}),
        json!({"game_states": vec![Value::Null; 65], "player_numbers": vec![1; 65]}),
    ];
    for body in refused {
        let answer = support::post("/ai/moves_batch", body.to_string().as_bytes());
        assert_eq!(answer.status, 422, "{body}");
    }
}

#[test]
fn every_engine_plays_and_is_reported() {
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
        ("nnue_maxn", "nnue_maxn"),
        ("brs", "brs"),
    ] {
        let mut body = body(&position, &[], Client::GameServer, 6);
        body["ai_type"] = asked.into();
        let answer = support::post("/ai/move", body.to_string().as_bytes());
        support::accepted(&position, &answer.body["move"]).unwrap();
        assert_eq!(answer.body["ai_type"], plays);
        assert_eq!(answer.label.unwrap().ai_type, plays);
        assert_eq!(answer.body["fallback"].is_null(), asked == plays, "{}", answer.body);
        // Level 6 is played by best-first minimax with the policy and value net of the board.
        assert_eq!(answer.body["nn_checkpoint"].is_string(), asked == "descent", "{}", answer.body);
    }
}

#[test]
fn a_request_that_has_waited_too_long_gets_a_legal_move_at_once() {
    let position = Position::<ringrift::Hexagonal>::new(&Rules::new(3));
    let hurried = Service::new(Caps::default()).hurried(Duration::from_mins(1), 100);
    for ai_type in ["minimax", "mcts", "descent", "gumbel_mcts", "maxn", "brs"] {
        let mut body = body(&position, &[], Client::GameServer, 10);
        body["ai_type"] = ai_type.into();
        let text = body.to_string();
        let request =
            Request { method: "POST", path: "/ai/move", query: None, body: text.as_bytes(), admin_key: None };
        let answer = hurried.handle(&request, &Stop::default());
        support::accepted(&position, &answer.body["move"]).unwrap();
    }
}
