//! Imports of recorded traces, and of training games derived from them.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "helpers of tests are tests too")]

#[path = "../../record/tests/support/mod.rs"]
mod support;

use std::path::PathBuf;

use game::Game;
use interchange::{
    Format, GameState, ImportError, ImportFileError, ImportReader, TraceText, from_json,
    trace::{Trace, TraceMove},
};
use record::{GameRecord, LineReader};
use ringrift::{Board, Hex8, Phase, Position, Rules, Square8, on_board};
use serde_json::{Value, json};
use support::shared;

fn trace_files() -> Vec<PathBuf> {
    let Some(folder) = shared("traces") else { return Vec::new() };
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.to_string_lossy().ends_with(".jsonl.gz"));
    files.sort();
    files
}

/// All traces on the small boards and some on the large ones, which take a few seconds.
fn traces() -> impl Iterator<Item = (String, Trace)> {
    trace_files().into_iter().flat_map(|path| {
        let name = path.to_string_lossy().into_owned();
        let some = if name.contains("square19") || name.contains("hexagonal") { 3 } else { usize::MAX };
        LineReader::open(path).unwrap().take(some).map(|line| {
            let line = line.unwrap();
            let trace = serde_json::from_str(&line).unwrap();
            (line, trace)
        })
    })
}

#[test]
fn traces_replay_without_differences() {
    let mut plies = 0;
    for (_, trace) in traces() {
        let replay = trace.replay().unwrap();
        assert!(replay.mismatches.is_empty(), "{}", replay.mismatches.join("\n"));
        plies += replay.plies;
    }
    println!("{plies} plies compared");
}

#[test]
fn traces_become_records_that_replay() {
    let mut games = 0;
    for (line, trace) in traces() {
        let imported = interchange::import_line(&line, "unused").unwrap();
        assert_eq!((imported.format, imported.inserted), (Format::Trace, 0));
        let record = imported.record;
        assert_eq!((&record.id, record.moves.len()), (&trace.id, trace.plies.len()));
        let back = GameRecord::from_line(&record.to_line().unwrap()).unwrap();
        assert_eq!(back, record);
        assert_eq!(back.replay().unwrap().map(|o| o.ranks().to_vec()), trace.result.rank, "{}", trace.id);
        games += 1;
    }
    println!("{games} games imported");
}

fn point(key: &str) -> Value {
    let numbers: Vec<i32> = key.split(',').map(|number| number.parse().unwrap()).collect();
    match numbers[..] {
        [x, y, z] => json!({"x": x, "y": y, "z": z}),
        [x, y] => json!({"x": x, "y": y}),
        _ => panic!("{key}"),
    }
}

fn points(keys: &str) -> Value {
    keys.split(';').map(point).collect()
}

/// A move of a trace in the JSON of the reference service.
fn foreign(player: usize, m: &TraceMove) -> Value {
    let mut spelled = json!({"type": m.t, "player": player, "thinkTime": 0, "id": ""});
    let mut set = |name: &str, value: Option<Value>| {
        if let Some(value) = value {
            spelled[name] = value;
        }
    };
    set("from", m.from.as_deref().map(point));
    set("to", m.to.as_deref().map(point));
    set("captureTarget", m.over.as_deref().map(point));
    set("placementCount", m.n.map(Value::from));
    set("recoveryMode", m.mode.clone().map(Value::from));
    set("recoveryOption", m.opt.map(Value::from));
    set("extractionStacks", m.ex.as_ref().map(|key| json!([key])));
    set("eliminationContext", m.ctx.clone().map(Value::from));
    set("formedLines", m.line.as_deref().map(|keys| json!([{"positions": points(keys)}])));
    let collapsed = if m.t == "recovery_slide" { "collapsePositions" } else { "collapsedMarkers" };
    set(collapsed, m.col.as_deref().map(points));
    set("disconnectedRegions", m.region.as_deref().map(|keys| json!([{"spaces": points(keys)}])));
    spelled
}

/// The start of a trace as a game state, with rings listed from the top or from the bottom.
fn state(trace: &Trace, start: &str, top_first: bool) -> Value {
    let fields: Vec<&str> = start.split('|').collect();
    let numbers = |field: &str| -> Vec<u32> { field[2..].split(',').map(|n| n.parse().unwrap()).collect() };
    let entries = |field: &str| -> Vec<(String, String)> {
        let entries = field[2..].split(';').filter(|entry| !entry.is_empty());
        entries
            .map(|entry| entry.split_once('=').unwrap())
            .map(|(a, b)| (a.to_owned(), b.to_owned()))
            .collect()
    };
    let (hands, credits, territory) = (numbers(fields[2]), numbers(fields[3]), numbers(fields[4]));
    let mut board = json!({"stacks": {}, "markers": {}, "collapsedSpaces": {}, "eliminatedRings": {}});
    for (key, rings) in entries(fields[5]) {
        let mut rings: Vec<u32> = rings.chars().map(|digit| digit.to_digit(10).unwrap()).collect();
        let top = *rings.last().unwrap();
        let cap = rings.iter().rev().take_while(|&&ring| ring == top).count();
        if top_first {
            rings.reverse();
        }
        board["stacks"][&key] = json!({
            "position": point(&key), "rings": rings, "stackHeight": rings.len(), "capHeight": cap, "controllingPlayer": top,
        });
    }
    for (key, owner) in entries(fields[6]) {
        board["markers"][&key] = json!({"player": owner.parse::<u32>().unwrap(), "type": "regular"});
    }
    for (key, owner) in entries(fields[7]) {
        board["collapsedSpaces"][&key] = json!(owner.parse::<u32>().unwrap());
    }
    let player = |index: usize| {
        json!({
            "playerNumber": index + 1, "ringsInHand": hands[index], "eliminatedRings": credits[index],
            "territorySpaces": territory[index], "type": "ai",
        })
    };
    json!({
        "id": trace.id, "boardType": trace.board, "board": board, "moveHistory": [],
        "players": (0..hands.len()).map(player).collect::<Vec<_>>(),
        "currentPlayer": fields[0].parse::<usize>().unwrap(), "currentPhase": fields[1],
        "rulesOptions": {"swapRuleEnabled": trace.swap}, "lpsRoundsRequired": trace.lps_rounds,
    })
}

fn is_bookkeeping(name: &str) -> bool {
    matches!(name, "no_placement_action" | "no_movement_action" | "no_line_action" | "no_territory_action")
}

#[test]
fn training_games_become_records_even_without_no_ops() {
    let mut games = 0;
    // The training format does not have the variant of hex8, so our default applies.
    for (_, trace) in traces().filter(|(_, trace)| trace.board != "hex8" || trace.variant != "base") {
        let expected = trace.to_record().unwrap();
        for keep in [true, false] {
            let moves: Vec<Value> = trace
                .plies
                .iter()
                .filter(|ply| keep || !is_bookkeeping(&ply.m.t))
                .map(|ply| foreign(ply.p, &ply.m))
                .collect();
            let left_out = trace.plies.len() - moves.len();
            let start = trace.start.as_deref().map(|start| state(&trace, start, keep));
            let line = json!({
                "initial_state": start, "moves": moves, "winner": trace.result.winner, "board_type": trace.board,
                "num_players": trace.players, "game_id": trace.id,
            });
            let imported = interchange::import_line(&line.to_string(), "unused").unwrap();
            assert_eq!(imported.format, Format::Training);
            assert_eq!(imported.inserted, left_out, "{}", trace.id);
            let record = imported.record;
            assert_eq!((&record.moves, &record.result), (&expected.moves, &expected.result), "{}", trace.id);
            assert_eq!(record.tags.contains_key("inserted"), left_out > 0);
            record.replay().unwrap();
            games += 1;
        }
    }
    println!("{games} games imported");
}

/// The JSON requests of recorded exchanges, with the name of each.
fn requests() -> Vec<(String, Value)> {
    let Some(path) = shared("reference-api/exchanges.jsonl") else { return Vec::new() };
    let lines = LineReader::open(path).unwrap();
    let exchange = |line: String| -> Value { serde_json::from_str(&line).unwrap() };
    let exchanges = lines.map(|line| exchange(line.unwrap()));
    exchanges.map(|mut one| (one["name"].as_str().unwrap().to_owned(), one["request"].take())).collect()
}

#[test]
fn states_of_the_reference_client_are_positions() {
    let (mut states, mut replayed, mut against_the_rules) = (0, 0, 0);
    for (name, mut request) in requests() {
        let refused = name.starts_with("err_") || name == "move_game_over";
        let state = request.get_mut("game_state").map(Value::take).unwrap_or_default();
        if refused || !state.is_object() || state["board"].is_null() {
            continue;
        }
        let history = state["moveHistory"].clone();
        let state: GameState = from_json(state).unwrap_or_else(|error| panic!("{name}: {error}"));
        let rules = state.rules().unwrap();
        states += 1;
        let text = on_board!(state.board().unwrap(), B => {
            let position = state.position::<B>(&rules).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(position.phase().name(), &*state.current_phase, "{name}");
            position.state_string()
        });
        // A history from the normal start must lead to the state in the request.
        let complete =
            history.as_array().is_some_and(|moves| !moves.is_empty() && moves[0]["moveNumber"] == 1);
        if !complete || history[0]["type"] != "place_ring" {
            continue;
        }
        let line =
            json!({"moves": history, "board_type": &*state.board_type, "num_players": state.players.len()});
        let record = match interchange::import_line(&line.to_string(), &name) {
            Ok(imported) => imported.record,
            // The game server allows a stack other than the one just placed on to move, which the rules forbid.
            Err(ImportError::Illegal { ply, .. }) if moves_another_stack(&history, ply) => {
                against_the_rules += 1;
                continue;
            }
            Err(error) => panic!("{name}: {error}"),
        };
        on_board!(state.board().unwrap(), B => {
            let last = record.replay_as::<Position<B>>(|_, _| {}).unwrap();
            assert_eq!(last.state_string(), text, "{name}");
        });
        replayed += 1;
    }
    println!("{states} states read, {replayed} histories replayed, {against_the_rules} against the rules");
}

fn moves_another_stack(history: &Value, ply: usize) -> bool {
    let (placed, moved) = (&history[ply - 1], &history[ply]);
    placed["type"] == "place_ring" && placed["player"] == moved["player"] && placed["to"] != moved["from"]
}

fn placed(x: i16, y: i16) -> Value {
    json!({"type": "place_ring", "player": 1, "to": {"x": x, "y": y, "z": null}, "placementCount": 2})
}

fn slid(player: usize, from: (i16, i16), to: (i16, i16)) -> Value {
    let [from, to] = [from, to].map(|(x, y)| json!({"x": x, "y": y}));
    json!({"type": "move_ring", "player": player, "from": from, "to": to})
}

fn training(moves: &[Value], winner: Option<usize>) -> String {
    json!({"moves": moves, "winner": winner, "board_type": "square8"}).to_string()
}

#[test]
fn an_unfinished_game_keeps_its_claimed_winner() {
    let line = training(&[placed(3, 3), slid(1, (3, 3), (3, 5))], Some(2));
    let imported = interchange::import_line(&line, "file:1").unwrap();
    assert_eq!(imported.record.moves, ["++d4", "d4-d6", "no-line", "no-territory"]);
    assert_eq!((imported.inserted, imported.record.id.as_str()), (2, "file:1"));
    assert_eq!(imported.record.result, None);
    assert_eq!(imported.record.tags["claimed-winner"], "2");
}

#[test]
fn resignation_ends_a_training_game() {
    let resign = |player: usize| json!({"type": "resign", "player": player});
    let line = training(&[placed(3, 3), resign(1)], Some(2));
    let record = interchange::import_line(&line, "x").unwrap().record;
    assert_eq!(record.moves, ["++d4"]);
    let result = record.result.clone().unwrap();
    assert_eq!((result.winner, result.reason.as_str()), (Some(2), "resignation"));
    record.replay().unwrap();
    for moves in [vec![placed(3, 3), resign(2)], vec![resign(1), placed(3, 3)], vec![resign(1), resign(1)]] {
        let error = interchange::import_line(&training(&moves, None), "x").unwrap_err();
        assert!(matches!(error, ImportError::Illegal { .. }), "{error}");
    }
    let error = interchange::import_line(&training(&[placed(3, 3), resign(1)], Some(1)), "x").unwrap_err();
    assert!(error.to_string().contains("won by seat 1, but the moves lead to seat 2 wins"), "{error}");
}

#[test]
fn a_swap_is_imported_without_the_option() {
    let swap = json!({"type": "swap_sides", "player": 2, "to": {"x": 0, "y": 0}});
    let line = training(&[placed(3, 3), slid(1, (3, 3), (3, 5)), swap], None);
    let record = interchange::import_line(&line, "x").unwrap().record;
    assert_eq!(record.moves.last().unwrap(), "swap");
    record.replay().unwrap();
}

#[test]
fn import_errors_name_the_reason() {
    let unknown = json!({"type": "pass", "player": 1});
    let cases = [
        ("{}".to_owned(), "neither a game record"),
        ("[1]".to_owned(), "neither a game record"),
        (training(&[slid(1, (3, 3), (3, 5))], None), "game \"x\", ply 0: \"move_ring 3,3>3,5\" is not legal for seat 1 in the phase ring_placement: the legal moves are place_ring 0,0 x1;"),
        (training(&[placed(3, 3), slid(2, (3, 3), (3, 5))], None), "ply 1: \"move_ring 3,3>3,5\" is not legal for seat 1 in the phase movement: it is a move of player 2"),
        (training(&[placed(8, 3)], None), "ply 0: \"place_ring 8,3\""),
        (training(&[unknown], None), "ply 0: \"pass\""),
        (r#"{"moves":[],"board_type":"square9"}"#.to_owned(), "\"square9\" is not a board"),
        (r#"{"moves":[],"board_type":"square8","num_players":7}"#.to_owned(), "7 seats"),
        (r#"{"moves":[{"type":"place_ring","to":7}],"board_type":"square8"}"#.to_owned(), "training game: moves.0.to: Input should be a valid dictionary"),
        (r#"{"moves":[],"board_type":"hex8","initial_state":{"boardType":"square8","board":{},"players":[],"currentPlayer":1,"currentPhase":"movement"}}"#.to_owned(), "board_type is hex8, but the initial state is on square8"),
        (r#"{"plies":[],"v":2}"#.to_owned(), "trace: missing field"),
    ];
    for (line, expected) in cases {
        let error = interchange::import_line(&line, "x").unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

fn small_state(change: impl Fn(&mut Value)) -> GameState {
    let mut state = json!({
        "boardType": "square8", "currentPlayer": 1, "currentPhase": "ring_placement",
        "board": {
            "stacks": {"3,3": {"rings": [1, 2], "controllingPlayer": 1, "capHeight": 1}},
            "markers": {"0,0": {"player": 2}}, "collapsedSpaces": {"7,7": 1}, "eliminatedRings": {"2": 4},
        },
        "players": [{"playerNumber": 2, "ringsInHand": 9}, {"playerNumber": 1, "ringsInHand": 5, "eliminatedRings": 3}],
    });
    change(&mut state);
    from_json(state).unwrap()
}

fn position(state: &GameState) -> Result<Position<Square8>, String> {
    let rules = state.rules().map_err(|bad| bad.to_string())?;
    state.position(&rules).map_err(|bad| bad.to_string())
}

#[test]
fn the_order_of_rings_is_detected() {
    let text = |change: &dyn Fn(&mut Value)| position(&small_state(change)).unwrap().state_string();
    let top_first = "1|ring_placement|h:5,9|e:3,4|t:1,0|S:3,3=21|M:0,0=2|C:7,7=1";
    assert_eq!(text(&|_| ()), top_first);
    let reversed = |state: &mut Value| state["board"]["stacks"]["3,3"]["rings"] = json!([2, 1]);
    assert_eq!(text(&reversed), top_first);
    // The second stack matches both orders, so the first stack decides.
    let ambiguous = json!({"rings": [1, 2, 2, 1, 2, 1], "controllingPlayer": 1, "capHeight": 1});
    let both = text(&|state| state["board"]["stacks"]["5,5"] = ambiguous.clone());
    assert!(both.contains("3,3=21;5,5=121221"), "{both}");
    let both = text(&|state| {
        reversed(state);
        state["board"]["stacks"]["5,5"] = ambiguous.clone();
    });
    assert!(both.contains("3,3=21;5,5=122121"), "{both}");
}

#[test]
fn all_faults_of_a_state_are_reported() {
    let fault = |change: &dyn Fn(&mut Value)| position(&small_state(change)).unwrap_err();
    let all = fault(&|state| {
        state["currentPhase"] = json!("pause");
        state["board"]["stacks"]["3,3"]["capHeight"] = json!(2);
        state["board"]["stacks"]["4,4"] = json!({"rings": [12]});
        state["board"]["markers"]["9,9"] = json!({"player": 1});
        state["board"]["collapsedSpaces"]["1,1"] = json!(5);
        state["players"][0]["playerNumber"] = json!(1);
    });
    for part in [
        "\"pause\" is not a phase",
        "do not match",
        "ring of player 12",
        "\"9,9\" is not a cell",
        "1,1: player 5",
        "each once",
    ] {
        assert!(all.contains(part), "{part}: {all}");
    }
    assert!(fault(&|state| state["currentPhase"] = json!("game_over")).contains("already over"));
    assert!(fault(&|state| state["currentPlayer"] = json!(0)).contains("current player 0"));
    assert!(fault(&|state| state["players"] = json!([])).contains("0 seats"));
    assert!(
        fault(&|state| state["currentPhase"] = json!("chain_capture"))
            .contains("capturing stack must be named")
    );
}

#[test]
fn files_may_mix_formats() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mixed.jsonl");
    let own = support::short_game(4);
    let lines = [training(&[placed(3, 3)], None), "{}".to_owned(), own.to_line().unwrap()];
    std::fs::write(&path, lines.join("\n")).unwrap();
    let found: Vec<_> = ImportReader::open(&path).unwrap().collect();
    assert_eq!(found.len(), 3);
    assert_eq!(found[0].as_ref().unwrap().record.id, "mixed.jsonl:1");
    let error = found[1].as_ref().unwrap_err().to_string();
    assert!(error.contains("mixed.jsonl:2: neither"), "{error}");
    assert_eq!(found[2].as_ref().unwrap().record, own);
}

#[test]
fn a_game_may_start_in_the_middle_of_a_turn() {
    // Only the history shows which stack was just placed on.
    let state = small_state(|state| {
        state["currentPhase"] = json!("movement");
        state["moveHistory"] = json!([{"type": "place_ring", "player": 1, "to": {"x": 3, "y": 3}}]);
    });
    let position = position(&state).unwrap();
    assert_eq!((position.phase(), position.has_acted()), (Phase::Movement, true));
    assert_eq!(position.focus(), interchange::parse_cell_key::<Square8>("3,3"));
    // Hex cells may lack z.
    let hex = json!({"moves": [{"type": "place_ring", "to": {"x": 0, "y": 0}}], "board_type": "hex8"});
    let record = interchange::import_line(&hex.to_string(), "x").unwrap().record;
    let rules = Rules::new(2);
    assert_eq!(record.start_as::<Position<Hex8>>().unwrap(), Position::new(&rules));
    assert_eq!((record.moves.len(), Board::Hex8.cells()), (1, 61));
    assert!(!record.replay_as::<Position<Hex8>>(|_, _| {}).unwrap().is_over());
}

#[test]
fn sgf_files_are_detected_by_their_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("two.sgf");
    std::fs::write(&path, "(;SZ[5];B[cc];W[dd])(;SZ[19]C[\u{e9}];B[pd])").unwrap();
    let games: Vec<_> = ImportReader::open(&path).unwrap().map(Result::unwrap).collect();
    assert_eq!(games.iter().map(|game| game.record.id.as_str()).collect::<Vec<_>>(), ["two", "two-2"]);
    assert!(games.iter().all(|game| game.format == Format::Sgf && game.record.replay().is_ok()));
    for (content, expected) in [
        ("(;SZ[5];B[cc];W[cc])", "two.sgf: game 1: White's move C3 in node 2: "),
        ("(;GM[2];B[cc])", "two.sgf: game 1: the record is not a game of Go"),
        ("what", "two.sgf: game 1: not an SGF record"),
    ] {
        std::fs::write(&path, content).unwrap();
        let error = ImportReader::open(&path).err().unwrap();
        assert!(
            matches!(error, ImportFileError::Sgf { .. }) && error.to_string().contains(expected),
            "{error}"
        );
    }
}
