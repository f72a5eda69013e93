//! Sessions of the engine.

use super::*;

/// A small tree search.
const SEARCH: &str = "mcts(sims=60,leaves=rollout,select=uct,c=0.7)";

fn engine(rules: Rules, search: bool) -> Engine {
    let spec = if search { SEARCH } else { "random" };
    Engine::new(EngineOptions::new("test", "1", rules), spec.parse().unwrap()).unwrap()
}

/// The output of a session.
fn session(engine: &mut Engine, input: &str) -> String {
    let mut output = Vec::new();
    engine.serve(io::Cursor::new(input.to_owned().into_bytes()), &mut output).unwrap();
    String::from_utf8(output).unwrap()
}

/// The replies of a session that begins with an empty board of this size.
fn replies(size: u8, input: &str) -> Vec<String> {
    let said = session(&mut engine(Rules::new(size), true), input);
    said.split_terminator("\n\n").map(str::to_owned).collect()
}

/// Asserts the replies to commands that are sent one by one.
fn check(size: u8, dialogue: &[(&str, &str)]) {
    let input: String = dialogue.iter().map(|(command, _)| format!("{command}\n")).collect();
    let replies = replies(size, &input);
    let expected: Vec<&str> = dialogue.iter().map(|(_, reply)| *reply).collect();
    for ((command, _), (reply, expected)) in dialogue.iter().zip(replies.iter().zip(&expected)) {
        assert_eq!(reply, expected, "{command}, of {dialogue:?}");
    }
    assert_eq!(replies.len(), expected.len());
}

#[test]
fn a_session_introduces_itself_and_quits() {
    check(
        9,
        &[
            ("protocol_version", "= 2"),
            ("1 name", "=1 test"),
            ("2 version", "=2 0.17 (test 1)"),
            ("known_command genmove", "= true"),
            ("known_command lz-analyze", "= true"),
            ("known_command riftlab-agent", "= true"),
            ("known_command tea", "= false"),
            ("known_command", "= false"),
            ("tea", "? unknown command"),
            ("3", "?3 unknown command"),
            ("query_boardsize", "= 9"),
            ("get_komi", "= 7.5"),
            ("99 quit", "=99"),
        ],
    );
    assert_eq!(replies(9, "quit\nname\n"), ["="], "there is no output after quit");
    assert_eq!(replies(9, "\n# nothing\n\r\n  \nname # a question").len(), 1);
    let long = format!("{}\nname\n", "x".repeat(MAX_COMMAND + 1));
    assert_eq!(replies(9, &long), ["? a line of more than 65536 bytes", "= test"]);
    let list = &replies(9, "list_commands\n")[0];
    assert!(list.lines().count() > 40 && list.contains("\nkata-genmove_analyze\n"), "{list}");
}

#[test]
fn boards_komi_and_moves_are_set() {
    check(
        9,
        &[
            ("boardsize 5", "="),
            ("boardsize 1", "? unacceptable size"),
            ("boardsize 20", "? unacceptable size"),
            ("boardsize 99999999999999999999", "? unacceptable size"),
            ("boardsize x", "? syntax error"),
            ("boardsize", "? syntax error"),
            ("query_boardsize", "= 5"),
            ("komi 0.5", "="),
            ("komi -3", "="),
            ("komi 1e9", "? syntax error"),
            ("komi 6.25", "? syntax error"),
            ("komi 24.5", "="),
            ("get_komi", "= 24.5"),
            ("play b c3", "="),
            ("play w C3", "? illegal move"),
            ("play white F1", "? invalid color or coordinate"),
            ("play grey C4", "? invalid color or coordinate"),
            ("play b", "? syntax error"),
            ("play w PASS", "="),
            ("gogui-rules_side_to_move", "= black"),
            ("gogui-rules_board", "= . . . . .\n. . . . .\n. . X . .\n. . . . .\n. . . . ."),
            ("undo", "="),
            ("gogui-rules_side_to_move", "= white"),
            ("undo", "="),
            ("undo", "? cannot undo"),
        ],
    );
}

#[test]
fn a_colour_may_move_twice_and_play_may_continue_after_the_end() {
    check(
        5,
        &[
            ("play b C3", "="),
            ("play b C4", "="),
            ("play b pass", "="),
            ("play b D3", "="),
            ("play w pass", "="),
            ("play b pass", "="),
            ("gogui-rules_legal_moves", "="),
            ("genmove w", "= pass"),
            ("play w pass", "="),
            ("play w A1", "="),
            ("play w C3", "? illegal move"),
            ("gogui-rules_board", "= . . . . .\n. . X . .\n. . X X .\n. . . . .\nO . . . ."),
            ("undo", "="),
            ("undo", "="),
            ("undo", "="),
            ("undo", "="),
            ("undo", "="),
            ("undo", "="),
            ("undo", "="),
            ("gogui-rules_board", "= . . . . .\n. . . . .\n. . X . .\n. . . . .\n. . . . ."),
        ],
    );
}

#[test]
fn a_pass_that_was_not_played_is_not_answered_with_a_pass() {
    // Black wins as it stands with any stone on the board, so a pass would be answered with a pass.
    let said = replies(5, "genmove b\ngenmove b\ngenmove b\n");
    assert!(said.iter().all(|reply| reply.starts_with("= ") && reply != "= pass"), "{said:?}");
    // How Sabaki sets up a position.
    let said = replies(
        9,
        "set_free_handicap C3 G7 C7\nplay W G3\nplay W E5\nplay W E7\nplay W F6\ngenmove W\nreg_genmove W\n",
    );
    assert!(said[5..].iter().all(|reply| reply.starts_with("= ") && reply != "= pass"), "{said:?}");
    let assumed = "play b C3\nplay b pass\nplay b pass\nplay b pass\ngogui-rules_final_result\n";
    assert_eq!(replies(5, assumed)[4], "=", "White has not passed");
    assert_ne!(replies(5, "play b C3\nplay w pass\nplay b pass\ngogui-rules_final_result\n")[3], "=");
}

#[test]
fn suicide_and_repetition_are_illegal() {
    check(
        4,
        &[
            ("play b A2", "="),
            ("play b B1", "="),
            ("play w A1", "? illegal move"),
            ("is_legal w A1", "= 0"),
            ("is_legal b A1", "= 1"),
            ("clear_board", "="),
            ("play b B3", "="),
            ("play w C3", "="),
            ("play b A2", "="),
            ("play w D2", "="),
            ("play b B1", "="),
            ("play w C1", "="),
            ("play b C2", "="),
            ("play w B2", "="),
            ("play b C2", "? illegal move"),
            ("play b A4", "="),
            ("play w D4", "="),
            ("play b C2", "="),
        ],
    );
}

#[test]
fn handicaps_are_placed() {
    check(
        9,
        &[
            ("fixed_handicap 1", "? invalid number of stones"),
            ("fixed_handicap 10", "? invalid number of stones"),
            ("fixed_handicap x", "? syntax error"),
            ("fixed_handicap 3", "= C3 G7 C7"),
            ("fixed_handicap 3", "? board not empty"),
            ("gogui-rules_side_to_move", "= white"),
            ("clear_board", "="),
            ("play b A1", "="),
            ("place_free_handicap 3", "? board not empty"),
            ("clear_board", "="),
            ("set_free_handicap A1", "? bad vertex list"),
            ("set_free_handicap A1 A1", "? bad vertex list"),
            ("set_free_handicap A1 pass", "? bad vertex list"),
            ("set_free_handicap A1 B5 E5", "="),
            ("play w E5", "? illegal move"),
            ("undo", "? cannot undo"),
            ("boardsize 5", "="),
            ("place_free_handicap 1", "? invalid number of stones"),
            ("place_free_handicap 25", "? invalid number of stones"),
            ("place_free_handicap 2", "= C3 B2"),
            ("gogui-rules_side_to_move", "= white"),
        ],
    );
}

#[test]
fn moves_are_generated_legally_until_the_game_ends() {
    for (search, size) in [(false, 9), (true, 5), (true, 7)] {
        let mut engine = engine(Rules::new(size), search);
        let mut said = 0;
        let mut before = String::new();
        while !engine.go().is_over() {
            let colour = engine.go().turn().letter();
            let wanted = session(&mut engine, &format!("reg_genmove {colour}\n"));
            assert!(wanted.starts_with("= "), "{wanted}");
            before = session(&mut engine, &format!("genmove {colour}\n"));
            assert!(before.starts_with("= "), "{before}");
            said += 1;
            assert!(said < 400, "the game does not end");
        }
        assert!(said > 10, "{said} moves");
        assert_eq!(before, "= pass\n\n");
        let score = session(&mut engine, "final_score\n");
        assert!(score.starts_with("= B+") || score.starts_with("= W+"), "{score}");
    }
}

#[test]
fn moves_are_generated_for_either_colour_and_bad_arguments_refused() {
    let said = replies(5, "genmove w\ngenmove w\ngenmove black\ngenmove\ngenmove green\nreg_genmove\n");
    assert!(said[..3].iter().all(|reply| reply.starts_with("= ") && reply.len() <= 6), "{said:?}");
    assert_eq!(said[3..], ["? syntax error", "? invalid color", "? syntax error"]);
}

#[test]
fn a_hopeless_game_is_resigned_if_allowed() {
    // White owns everything except a single dead black stone.
    let setup = "boardsize 5\nkomi 30\nplay b C3\n";
    let mut patient = engine(Rules::new(5), true);
    let mut weary = engine(Rules::new(5), true);
    weary.options.resign = Some(0.2);
    let asks = format!("{setup}{}", "genmove b\nundo\n".repeat(4));
    assert!(!session(&mut patient, &asks).contains("resign"));
    let said = session(&mut weary, &asks);
    let moves: Vec<&str> = said.split_terminator("\n\n").skip(3).step_by(2).collect();
    assert!(moves[..2].iter().all(|reply| !reply.contains("resign")) && moves[2] == "= resign", "{said}");
}

#[test]
fn dead_stones_and_scores_are_estimated() {
    let black = ["A4", "B4", "C4", "D4", "E4", "B5"];
    let white = ["A3", "B3", "C3", "D3", "E3", "B1", "D1", "A2", "B2", "C2", "D2", "E2", "D5"];
    let mut input = String::from("boardsize 5\nkomi 0.5\n");
    input.extend(black.map(|point| format!("play b {point}\n")));
    input.extend(white.map(|point| format!("play w {point}\n")));
    let at = input.lines().count();
    input += "final_status_list dead\nfinal_status_list alive\nfinal_status_list seki\nfinal_status_list x\nfinal_score\n";
    let said = replies(5, &input);
    // Black's eyes are A5 and the three points next to it, one of which has a white stone.
    assert_eq!(said[at], "= D5", "{said:?}");
    assert_eq!(said[at + 1].lines().count(), 2, "a chain of each colour lives: {said:?}");
    assert_eq!(said[at + 2], "=");
    assert_eq!(said[at + 3], "? invalid status");
    assert_eq!(said[at + 4], "= W+5.5");
}

#[test]
fn clocks_are_set_and_malformed_ones_refused() {
    check(
        9,
        &[
            ("time_settings 600 30 5", "="),
            ("time_settings 0 30 0", "="),
            ("time_settings 1 2", "? syntax error"),
            ("time_settings -1 2 3", "? syntax error"),
            ("time_settings nan 2 3", "? syntax error"),
            ("time_settings 1e99 2 3", "? syntax error"),
            ("time_settings 1 2 99999999999", "? syntax error"),
            ("time_left b 10 0", "="),
            ("time_left b x 0", "? syntax error"),
            ("kgs-time_settings none", "="),
            ("kgs-time_settings absolute 300", "="),
            ("kgs-time_settings byoyomi 300 30 5", "="),
            ("kgs-time_settings canadian 300 30 25", "="),
            ("kgs-time_settings byoyomi 300 30 0", "? syntax error"),
            ("kgs-time_settings hourglass 3", "? syntax error"),
        ],
    );
}

#[test]
fn a_move_never_takes_more_than_the_clock_allows() {
    let mut engine = engine(Rules::new(9), true);
    session(&mut engine, "time_settings 0 1 1\n");
    let limits = engine.limits(Colour::Black);
    assert!(limits.time.unwrap() < Duration::from_secs(1));
    session(&mut engine, "time_left black 0.4 1\n");
    assert!(engine.limits(Colour::Black).time.unwrap() <= Duration::from_millis(400));
    assert_eq!(engine.limits(Colour::Black).nodes, 60, "the agent's own budget is unchanged");
    session(&mut engine, "kgs-time_settings none\n");
    assert_eq!(engine.limits(Colour::Black).time, None);
}

#[test]
fn records_are_written_and_loaded() {
    let path = std::env::temp_dir().join(format!("gtp-test-{}.sgf", std::process::id()));
    let text = &replies(9, "play b E5\nplay w C3\nplay b pass\nplay w G7\nprintsgf\n")[4];
    std::fs::write(&path, text.trim_start_matches("= ")).unwrap();
    let file = path.display();
    let said = replies(
        5,
        &format!(
            "loadsgf {file}\nquery_boardsize\nget_komi\nprintsgf\nloadsgf {file} 3\nprintsgf\nundo\n\
             loadsgf {file} 1\nundo\nloadsgf {file} x\nloadsgf /no/such/file\nloadsgf\nloadsgf {file} 99\nprintsgf"
        ),
    );
    std::fs::remove_file(&path).unwrap();
    assert_eq!(said[..3], ["=", "= 9", "= 7.5"]);
    assert_eq!(&said[3], text);
    assert!(said[5].contains(";W[cg]") && !said[5].contains(";B[]"), "{}", said[5]);
    assert_eq!(said[6..9], ["=", "=", "? cannot undo"]);
    assert!(said[9..11].iter().all(|reply| reply.starts_with("? cannot load file")), "{said:?}");
    assert_eq!(said[11..13], ["? syntax error", "="]);
    assert_eq!(&said[13], text);
}

#[test]
fn records_are_loaded_with_their_rules_from_any_path_and_repairs_are_named() {
    let folder = std::env::temp_dir().join(format!("gtp test {}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (path, numbered) = (folder.join("two  words.sgf"), folder.join("game 2"));
    std::fs::write(&path, "(;SZ[5]KM[6.5]RU[Japanese];B[cc];W[dd])").unwrap();
    std::fs::write(&numbered, "(;SZ[7]AB[aa]AB[bb];W[cc]").unwrap();
    let (path, numbered) = (path.display(), numbered.display());
    let said = replies(
        9,
        &format!(
            "loadsgf {path}\nkata-get-rules\nloadsgf {path} 2\nlist_stones white\nloadsgf {numbered}\n\
             list_stones black\nkata-get-rules\nloadsgf \"{numbered}\" 1\nlist_stones white\n"
        ),
    );
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(said[1].contains("TERRITORY") && said[1].contains("SIMPLE"), "{said:?}");
    assert_eq!(said[2..4], ["=", "="]);
    let repairs = "= line 1, column 26: 1 missing ) at the end\nline 1, column 14: AB is repeated; all its points count";
    assert_eq!(said[4], repairs);
    assert_eq!(said[5], "= B6 A7");
    assert!(said[6].contains("TERRITORY"), "without RU the rules stay as they are: {said:?}");
    assert_eq!(said[8], "=");
}

#[test]
fn the_processor_time_is_measured() {
    let said = replies(5, "cputime\ngenmove b\ncputime\n");
    let seconds = |reply: &str| reply[2..].parse::<f64>().unwrap();
    assert!(seconds(&said[2]) >= seconds(&said[0]) && seconds(&said[0]) >= 0.0, "{said:?}");
}

#[test]
fn moves_are_taken_back_one_or_several_at_a_time() {
    check(
        5,
        &[
            ("gogui-play_sequence b C3 w D3 b C2 b C4", "="),
            ("gogui-play_sequence b A1 w C3", "? illegal move White C3"),
            ("gogui-play_sequence b A1 w", "? syntax error"),
            ("list_stones black", "= C2 C3 C4"),
            ("undo 2", "="),
            ("list_stones black", "= C3"),
            ("undo 3", "? cannot undo"),
            ("undo 0", "? syntax error"),
            ("gg-undo", "="),
            ("list_stones white", "="),
            ("undo", "="),
            ("undo", "? cannot undo"),
        ],
    );
}

#[test]
fn positions_are_set_up_and_described() {
    check(
        5,
        &[
            ("gogui-setup b A2 b B1 w A1 w E5", "? the stone on A1 has no liberty"),
            ("gogui-setup b A2 b B1 w E5 w D4", "="),
            ("list_stones black", "= B1 A2"),
            ("list_stones white", "= D4 E5"),
            ("list_stones grey", "? invalid color"),
            ("gogui-rules_side_to_move", "= black"),
            ("gogui-setup_player w", "="),
            ("gogui-rules_side_to_move", "= white"),
            ("play w C3", "="),
            ("gogui-setup_player b", "? there are moves already"),
            ("gogui-setup b A1 w", "? syntax error"),
            ("gogui-setup b pass", "? invalid color or coordinate"),
            ("clear_board", "="),
            ("gogui-play_sequence w A1 b A2 b B1", "="),
            ("captures black", "= 1"),
            ("captures white", "= 0"),
            ("clear_board", "="),
            ("gogui-play_sequence b C1 w D1 b C2 w D2 b C3 w D3 b C4 w D4 b C5 w D5 b E3", "="),
            ("final_status C1", "= alive"),
            ("final_status E3", "= dead"),
            ("final_status A1", "= black_territory"),
            ("final_status E1", "= white_territory"),
            ("final_status Z1", "? invalid coordinate"),
            ("clear_cache", "="),
            ("stop", "="),
            ("gogui-interrupt", "="),
        ],
    );
}

#[test]
fn rules_change_during_a_game() {
    check(
        5,
        &[
            ("play b C3", "="),
            ("kgs-rules japanese", "="),
            ("get_komi", "= 7.5"),
            ("list_stones black", "= C3"),
            ("kata-set-rules {\"ko\": \"POSITIONAL\", \"scoring\": \"AREA\", \"suicide\": true}", "="),
            ("gogui-play_sequence b A2 w A3 w B2 w C1 b B1 b A1", "="),
            // The suicide was legal by the rules of the moment, so the game goes on from this board.
            ("kata-set-rules chinese", "="),
            ("list_stones black", "= C3"),
            ("list_stones white", "= C1 B2 A3"),
            ("undo", "? cannot undo"),
            (
                "kgs-rules go-moku",
                "? unknown rules \"go-moku\": expected chinese, tromp-taylor, japanese, aga, new-zealand or an object",
            ),
        ],
    );
}

#[test]
fn a_handicap_is_part_of_the_record() {
    let said =
        replies(9, "fixed_handicap 3\nprintsgf\nclear_board\nset_free_handicap A1 B5 E5 C3\nprintsgf\n");
    assert!(said[1].contains("HA[3]") && said[4].contains("HA[4]AB"), "{said:?}");
    assert!(!replies(9, "fixed_handicap 3\nclear_board\nprintsgf\n")[2].contains("HA"));
}

#[test]
fn the_agent_can_be_replaced_within_a_game() {
    check(
        5,
        &[
            ("riftlab-agent", "= mcts(sims=60,leaves=rollout,select=uct,c=0.7)"),
            ("play b C3", "="),
            ("riftlab-agent random", "="),
            ("riftlab-agent", "= random"),
            (
                "riftlab-agent the cleverest",
                "? \"the cleverest\" is not an agent: expected random, heuristic, policy, omega, minimax, maxn, brs, descent, mcts, gumbel, gmo, ig_gmo, ebmo, gtp, or a level d1 to d10",
            ),
            ("riftlab-agent", "= random"),
            ("is_legal w C3", "= 0"),
        ],
    );
}

#[test]
fn the_board_is_shown() {
    let said = replies(3, "play b B2\nplay w A1\nshowboard\ngogui-analyze_commands\n");
    let board =
        "=  \n3 . . .\n2 . X .\n1 O . .\n  A B C\nBlack to move, komi 7.5, prisoners: 0 black, 0 white";
    assert_eq!(said[2], board);
    assert!(said[3].contains("plist/Dead Stones/final_status_list dead"));
}

/// The fields of every `info`.
fn infos(reply: &str) -> Vec<Vec<&str>> {
    reply.lines().filter(|line| line.starts_with("info ")).map(|line| line.split(' ').collect()).collect()
}

#[test]
fn an_analysis_runs_until_the_next_line() {
    let said = replies(
        5,
        "7 lz-analyze b 1\nname\nkata-analyze 1 maxmoves 2\nlz-analyze x\nlz-analyze 5 avoid b Z3 3\n",
    );
    assert_eq!(said[0].lines().next(), Some("=7"));
    let infos_0 = infos(&said[0]);
    let last = infos_0.last().unwrap();
    assert_eq!((last[1], last[3], last[5]), ("move", "visits", "winrate"), "{last:?}");
    assert!(last.contains(&"pv") && last.contains(&"order"));
    assert_eq!(said[1], "= test");
    let two = infos(&said[2]);
    assert!(two.iter().all(|info| info.iter().filter(|word| **word == "info").count() <= 2));
    assert!(said[3].starts_with("? syntax error") && said[4].starts_with("? syntax error"), "{said:?}");
}

#[test]
fn a_move_can_be_generated_with_analysis() {
    let said = replies(5, "3 lz-genmove_analyze b 1\nkata-genmove_analyze w\ngogui-rules_side_to_move\n");
    for (reply, first, scale) in [(&said[0], "=3", 10_000.0), (&said[1], "=", 1.0)] {
        assert_eq!(reply.lines().next(), Some(first));
        let (best, play) = (infos(reply).last().unwrap()[2].to_owned(), reply.lines().last().unwrap());
        assert_eq!(play, format!("play {best}"), "{reply}");
        for info in infos(reply) {
            let at = info.iter().position(|word| *word == "winrate").unwrap();
            let winrate: f64 = info[at + 1].parse().unwrap();
            assert!((0.0..=scale).contains(&winrate), "{reply}");
        }
    }
    assert_eq!(said[2], "= black");
}

#[test]
fn a_long_analysis_ends_when_the_input_does() {
    // The search would run forever; the end of the input ends it.
    let said = replies(19, "lz-analyze 1\n");
    assert_eq!(said.len(), 1);
    assert!(!infos(&said[0]).is_empty());
}
