//! Well-behaved, misbehaving and crashing programs, as small shell scripts that speak the protocol.

use std::time::Duration;

use game::{ForfeitKind, Game, Notation};
use go::{Medium, Move, Points, Position, Rules, Small};
use gtp::{External, ExternalOptions, Program, ProgramError};
use search::{Agent, Limits, Report, Stop};

/// A program that answers every command with `=` and its id, except for `cases`, which are shell code.
///
/// `$id` is the id, and `$1` and following are the arguments.
fn script(cases: &str) -> String {
    let body = format!(
        "while read -r id name rest; do set -- $rest; case \"$name\" in \
         protocol_version) echo \"=$id 2\";; name) echo \"=$id Script\";; {cases} *) echo \"=$id\";; esac; echo; done"
    );
    format!("sh -c '{body}'")
}

fn options() -> ExternalOptions {
    ExternalOptions { timeout: Duration::from_millis(1500), ..ExternalOptions::default() }
}

fn think<P: Points>(agent: &mut External, position: &Position<P>) -> Report<Move> {
    agent.think(position, &Limits::nodes(0), &Stop::default())
}

fn after(moves: &str) -> Position<Small> {
    let mut position = Position::new(&Rules::new(5));
    for text in moves.split_whitespace() {
        position.play(position.parse_move(text).unwrap()).unwrap();
    }
    position
}

/// The forfeit of a program with these answers, after one move.
fn forfeit(cases: &str) -> (ForfeitKind, String) {
    let mut agent = External::new(script(cases), options());
    let report = think(&mut agent, &after("C3"));
    assert!(after("C3").is_legal(report.best), "a forfeit still reports a legal move");
    let forfeit = report.forfeit.unwrap();
    (forfeit.kind, forfeit.message)
}

#[test]
fn a_move_in_any_case_and_a_pass_are_understood() {
    for (answer, expected) in [("d4", "D4"), ("D4", "D4"), ("PASS", "pass"), ("pass", "pass")] {
        let mut agent = External::new(script(&format!("genmove) echo \"=$id {answer}\";;")), options());
        let report = think(&mut agent, &after("C3"));
        assert_eq!((report.best.to_string().as_str(), &report.forfeit), (expected, &None));
        assert_eq!(report.candidates.len(), 25, "24 points and a pass");
        assert_eq!((report.candidates[0].m, report.engine), (report.best, "gtp"));
    }
}

#[test]
fn resignations_and_illegal_moves_are_forfeits() {
    let (cause, words) = forfeit("genmove) echo \"=$id resign\";;");
    assert_eq!((cause, words.as_str()), (ForfeitKind::Resignation, "Script resigned"));
    let (cause, words) = forfeit("genmove) echo \"=$id c3\";;");
    assert_eq!((cause, words.as_str()), (ForfeitKind::IllegalMove, "White played C3, but C3 is occupied"));
    let (cause, words) = forfeit("genmove) echo \"=$id Z9\";;");
    assert_eq!(cause, ForfeitKind::IllegalMove, "{words}");
    let (cause, words) = forfeit("genmove) echo \"=$id nowhere\";;");
    assert_eq!((cause, words.as_str()), (ForfeitKind::Failure, "\"nowhere\" is not a move"));
}

#[test]
fn refusals_and_mismatched_replies_are_failures() {
    let (cause, words) = forfeit("genmove) echo \"?$id cannot\";;");
    assert_eq!((cause, words.as_str()), (ForfeitKind::Failure, "\"genmove W\" was refused: cannot"));
    let (cause, words) = forfeit("play) echo \"?$id illegal move\";;");
    assert_eq!((cause, words.as_str()), (ForfeitKind::Failure, "\"play B C3\" was refused: illegal move"));
    let (cause, words) = forfeit("genmove) echo \"=999 D4\";;");
    assert!(cause == ForfeitKind::Failure && words.contains("another command"), "{words}");
}

#[test]
fn a_crash_is_reported_with_the_error_output() {
    let (cause, words) = forfeit("genmove) echo out of luck >&2; exit 3;;");
    assert_eq!(cause, ForfeitKind::Failure);
    assert!(words.contains("exit status: 3") && words.contains("out of luck"), "{words}");
    let (_, words) = forfeit("genmove) kill -9 $$;;");
    assert!(words.contains("signal: 9"), "{words}");
}

#[test]
fn silence_and_endless_output_are_failures() {
    let (cause, words) = forfeit("genmove) sleep 60;;");
    assert_eq!(cause, ForfeitKind::Timeout);
    assert!(words.contains("\"genmove W\" within 1.5 seconds"), "{words}");
    // Lines outside replies are ignored.
    let (cause, _) = forfeit("genmove) while :; do echo nonsense; done;;");
    assert_eq!(cause, ForfeitKind::Timeout);
    let (cause, words) = forfeit("genmove) echo \"=$id D4\"; while :; do echo more; done;;");
    assert!(cause == ForfeitKind::Timeout || words.contains("bytes"), "{words}");
}

#[test]
fn a_stop_ends_a_program_that_is_searching() {
    let mut agent = External::new(script("genmove) sleep 60;;"), ExternalOptions::default());
    let stop = Stop::default();
    let position = after("C3");
    let report = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(100));
            stop.raise();
        });
        agent.think(&position, &Limits::nodes(0), &stop)
    });
    assert_eq!((report.best, report.forfeit), (Move::PASS, None));
}

#[test]
fn a_program_gets_only_new_moves_and_starts_over_if_necessary() {
    // The program returns the log of its commands as a refusal of genmove.
    let log = "genmove) echo \"?$id $log\"; log=;; *undo) echo \"?$id cannot undo\";; \
               boardsize|clear_board|komi|play|time_settings) log=\"$log$name $rest,\"; echo \"=$id\";;";
    let commands_sent = |agent: &mut External, position: &Position<Small>, limits: Limits| {
        let words = agent.think(position, &limits, &Stop::default()).forfeit.unwrap().message;
        words.split_once("refused: ").unwrap().1.to_owned()
    };
    let mut agent = External::new(script(log), options());
    let limits = Limits::nodes(0).within(Duration::from_secs(7));
    let first = commands_sent(&mut agent, &after("C3"), limits);
    assert_eq!(first, "boardsize 5,clear_board ,komi 7.5,play B C3,time_settings 0 7 1,");

    // A program whose moves are played gets only the opponent's moves.
    let playing = "genmove) moved=1; echo \"=$id B2\";; \
                   play) if [ -n \"$moved\" ]; then echo \"?$id $rest\"; else echo \"=$id\"; fi;;";
    let mut agent = External::new(script(playing), options());
    assert_eq!(think(&mut agent, &after("C3")).forfeit, None);
    let words = think(&mut agent, &after("C3 B2 D4")).forfeit.unwrap().message;
    // The first attempt sends only D4; after the refusal everything is sent again and refused at once.
    assert_eq!(words, "\"play B C3\" was refused: B C3");

    // A different game after the same beginning, without undo.
    let mut agent = External::new(script("genmove) echo \"=$id B2\";; undo) echo \"?$id no\";;"), options());
    assert_eq!(think(&mut agent, &after("C3")).forfeit, None);
    assert_eq!(think(&mut agent, &after("C3 D2 A1")).forfeit, None);
}

#[test]
fn unusable_programs_are_reported_before_the_game() {
    let probe = |line: &str| {
        let options = ExternalOptions { startup: Duration::from_millis(700), ..options() };
        External::new(line, options).probe(&after(""), &Limits::nodes(0))
    };
    assert_eq!(probe(&script("x) ;;")).unwrap(), "Script");
    let error = probe("no-such-program-at-all --mode gtp").unwrap_err();
    assert!(error.to_string().starts_with("\"no-such-program-at-all\" cannot be started"), "{error}");
    assert!(matches!(probe("sh -c 'exit 1'").unwrap_err(), ProgramError::Ended { .. }));
    assert!(matches!(probe("sh -c 'sleep 9'").unwrap_err(), ProgramError::Timeout { .. }));
    assert!(matches!(probe("cat").unwrap_err(), ProgramError::Timeout { .. }), "an echo is not a reply");
    assert!(matches!(probe("").unwrap_err(), ProgramError::CommandLine(_)));
    let one = "sh -c 'while read -r id name; do echo \"=$id 1\"; echo; done'";
    assert_eq!(probe(one).unwrap_err(), ProgramError::Protocol("1".to_owned()));
    let error = probe(&script("boardsize) echo \"?$id unacceptable size\";;")).unwrap_err();
    assert_eq!(error.to_string(), "\"boardsize 5\" was refused: unacceptable size");
}

#[test]
fn no_process_is_left_behind() {
    let process = |line: &str| {
        let program = Program::start(line, Duration::from_secs(5)).unwrap();
        program.process()
    };
    let stubborn = script("x) ;;").replace("echo; done", "echo; done; sleep 60");
    for line in [script("x) ;;"), stubborn] {
        let number = process(&line);
        let state =
            std::process::Command::new("ps").args(["-o", "stat=", "-p", &number.to_string()]).output();
        if let Ok(state) = state {
            assert!(state.stdout.is_empty(), "{line}: {:?}", String::from_utf8_lossy(&state.stdout));
        }
    }
}

#[test]
fn boards_of_all_sizes_are_supported() {
    let mut agent = External::new(script("genmove) echo \"=$id E5\";;"), options());
    let medium = Position::<Medium>::new(&Rules::new(9));
    let large = Position::<go::Large>::new(&Rules::new(19));
    assert_eq!(think(&mut agent, &medium).best.to_string(), "E5");
    assert_eq!(think(&mut agent, &large).best.to_string(), "E5", "the same program in another game");
}
