//! The database: no game is lost or stored twice, and foreign files are not modified.
#![expect(clippy::unwrap_used, reason = "a helper that fails fails its test")]

use std::{
    env, fs,
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, Command, Stdio},
    time::Duration,
};

use arena::{
    Cost, End, Estimate, GameSummary, Interval, NO_NET, Placing, SeatSummary,
    store::{
        Entrant, Event, Job, JobKind, JobRow, Participant, RatingRow, RunState, Store, StoreError, StoredGame,
    },
};
use game::ForfeitKind;

fn participant(spec: &str) -> Participant {
    Participant::new(NO_NET, spec, spec, "riftlab test")
}

fn event() -> Event {
    Event::new("tournament", "toy/take/2p", r#"{"seed":1}"#)
}

/// Game `number` between two participants.
fn game(number: u64) -> StoredGame {
    let seat = |spec: &str, rank| SeatSummary {
        player: participant(spec).id,
        rank,
        engines: [spec.to_owned(), "one ply".to_owned()].into(),
        cost: Some(Cost { decisions: number, nodes: 10 * number, time: Duration::from_micros(7) }),
    };
    let ranks = if number.is_multiple_of(3) { [2, 1] } else { [1, 2] };
    let end =
        if number == 5 { End::Forfeit(ForfeitKind::Timeout) } else { End::Rule("last token".to_owned()) };
    StoredGame {
        summary: GameSummary {
            index: number,
            seats: vec![seat("mcts", ranks[0]), seat("random", ranks[1])],
            plies: 40,
            opening_plies: 4,
            end,
            fingerprint: format!("{number:016x}"),
        },
        seed: u64::MAX - number,
        record: Some(format!("{{\"game\":{number}}}")),
    }
}

/// A database with the two participants and the event.
fn prepared(path: &Path) -> Store {
    let mut store = Store::open(path).unwrap();
    for spec in ["mcts", "random"] {
        store.register(&participant(spec)).unwrap();
    }
    store.begin(&event()).unwrap();
    store
}

#[test]
fn everything_survives_a_round_trip() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lab.db");
    let mut store = prepared(&path);
    assert!(!store.register(&participant("random")).unwrap(), "known already");
    assert!(!store.begin(&event()).unwrap(), "known already");
    assert_eq!(store.add_games(&event().id, &[game(1), game(0)]).unwrap(), 2);
    assert!(!store.add_game(&event().id, &StoredGame { seed: 99, ..game(1) }).unwrap());
    drop(store);

    let mut store = Store::open_existing(&path).unwrap();
    assert_eq!(
        store.games(&event().id).unwrap(),
        [game(0), game(1)],
        "in order, and the first version stays"
    );
    assert_eq!(store.participants().unwrap(), [participant("mcts"), participant("random")]);
    assert_eq!(store.participant(&participant("mcts").id).unwrap(), Some(participant("mcts")));
    assert_eq!(store.participant("nobody").unwrap(), None);
    assert_eq!(store.events().unwrap(), [event()]);
    assert_eq!(store.scales().unwrap(), [("toy/take/2p".to_owned(), 2)]);
    let scale = store.scale("toy/take/2p").unwrap();
    assert_eq!(scale.participants, [participant("mcts"), participant("random")]);
    let placing = |ranks: [u8; 2]| Placing { players: vec![0, 1], ranks: ranks.to_vec() };
    assert_eq!(scale.games, [placing([2, 1]), placing([1, 2])]);
    assert!(store.scale("toy/take/3p").unwrap().games.is_empty());

    let interval = Interval { low: 50.0, high: 150.0 };
    let rated = RatingRow {
        participant: participant("mcts").id,
        rating: Some(Estimate { elo: 100.0, interval }),
        games: 2,
        anchor: false,
    };
    let unrated = RatingRow { participant: participant("random").id, rating: None, ..rated.clone() };
    store.take_snapshot("toy/take/2p", 2, &[unrated.clone(), rated.clone()]).unwrap();
    let history = store.history("toy/take/2p").unwrap();
    assert_eq!((history.len(), history[0].games), (1, 2));
    assert_eq!(history[0].rows, [rated, unrated]);
    assert!(history[0].taken.ends_with('Z'), "{}", history[0].taken);
}

#[test]
fn games_with_unknown_participants_or_events_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = prepared(&folder.path().join("lab.db"));
    assert!(matches!(store.add_game("no event", &game(0)), Err(StoreError::Refused { .. })));
    let mut stranger = game(1);
    stranger.summary.seats[1].player = "nobody".to_owned();
    assert!(store.add_games(&event().id, &[game(0), stranger]).is_err());
    assert_eq!(store.count_games(&event().id).unwrap(), 0, "all or none");
}

#[test]
fn foreign_files_are_refused_and_not_modified() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("notes.txt");
    fs::write(&text, "a page of notes that is no database at all, and is longer than a header").unwrap();
    let foreign = folder.path().join("other.db");
    let other = rusqlite::Connection::open(&foreign).unwrap();
    other.execute_batch("CREATE TABLE birds (name TEXT); INSERT INTO birds VALUES ('wren')").unwrap();
    drop(other);
    let newer = folder.path().join("newer.db");
    drop(Store::open(&newer).unwrap());
    let later = rusqlite::Connection::open(&newer).unwrap();
    later.execute_batch("PRAGMA user_version = 99; PRAGMA journal_mode = DELETE").unwrap();
    drop(later);
    for (path, part) in [
        (&text, "is no SQLite file"),
        (&foreign, "another program"),
        (&newer, "schema 99: expected at most 3"),
    ] {
        let before = fs::read(path).unwrap();
        let error = Store::open(path).unwrap_err().to_string();
        assert!(error.contains(part) && error.contains(path.to_str().unwrap()), "{error}");
        assert!(fs::read(path).unwrap() == before, "{} was changed", path.display());
    }
    let error = Store::open_existing(folder.path().join("none.db")).unwrap_err();
    assert!(matches!(error, StoreError::Missing { .. }), "{error}");
    assert!(!folder.path().join("none.db").exists());
    let error = Store::open(folder.path().join("no/folder/lab.db")).unwrap_err();
    assert!(matches!(error, StoreError::Unreachable { .. }), "{error}");
}

#[test]
fn damage_is_found_when_the_file_is_opened() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lab.db");
    let mut store = prepared(&path);
    let games: Vec<StoredGame> = (0..300).map(game).collect();
    store.add_games(&event().id, &games).unwrap();
    drop(store);
    let whole = fs::read(&path).unwrap();
    assert!(whole.len() > 10 * 4096);
    // Overwrite pages one after the other, except for the header of the first.
    let mut found = 0;
    for page in (1..whole.len() / 4096).step_by(3) {
        let mut bytes = whole.clone();
        bytes[page * 4096..(page + 1) * 4096].fill(0xa5);
        fs::write(&path, &bytes).unwrap();
        match Store::open(&path) {
            Err(StoreError::Corrupt { what, .. }) => found += usize::from(!what.is_empty()),
            other => panic!("page {page}: {other:?}"),
        }
    }
    assert!(found >= 5);
    // Truncate the file.
    fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    assert!(matches!(Store::open(&path), Err(StoreError::Corrupt { .. })));
}

/// Environment variables for a child process: the database, and how many games to write.
const DATABASE: &str = "ARENA_TEST_DATABASE";
const GAMES: &str = "ARENA_TEST_GAMES";

/// Not a test itself, but the writer that the tests below start as a process. It prints the number of every game that
/// the database has acknowledged.
#[test]
fn writer_process() {
    let (Ok(path), Ok(games)) = (env::var(DATABASE), env::var(GAMES)) else { return };
    let mut store = prepared(Path::new(&path));
    let mut out = std::io::stdout();
    for number in 0..games.parse().unwrap() {
        let new = store.add_game(&event().id, &game(number)).unwrap();
        writeln!(out, "\nkept {number} {new}").unwrap();
        out.flush().unwrap();
    }
}

fn start_writer(path: &Path, games: u64) -> Child {
    Command::new(env::current_exe().unwrap())
        .args(["--exact", "writer_process", "--nocapture", "--test-threads", "1"])
        .env(DATABASE, path)
        .env(GAMES, games.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// The number of an acknowledged game, and whether it was new.
fn kept(line: &str) -> Option<(u64, bool)> {
    let (number, new) = line.strip_prefix("kept ")?.split_once(' ')?;
    Some((number.parse().ok()?, new.parse().ok()?))
}

#[test]
fn a_killed_writer_neither_loses_nor_duplicates_games() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lab.db");
    let games = 150;
    let mut acknowledged = vec![0; games as usize];
    for killed_after in [0, 1, 7, 20, 45, 80, 110, 140, u64::MAX] {
        let mut writer = start_writer(&path, games);
        for line in BufReader::new(writer.stdout.take().unwrap()).lines() {
            if let Some((number, new)) = kept(&line.unwrap()) {
                acknowledged[number as usize] += u32::from(new);
                if number == killed_after {
                    writer.kill().unwrap();
                }
            }
        }
        writer.wait().unwrap();
        let stored = Store::open(&path).unwrap().games(&event().id).unwrap();
        let numbers: Vec<u64> = stored.iter().map(|game| game.summary.index).collect();
        for (number, &times) in (0..).zip(&acknowledged) {
            assert!(times == 0 || numbers.contains(&number), "game {number} was lost");
            assert!(times <= 1, "game {number} was new twice");
        }
        assert!(stored.iter().all(|stored| *stored == game(stored.summary.index)), "each is complete");
    }
    let stored = Store::open(&path).unwrap().games(&event().id).unwrap();
    assert_eq!(stored, (0..games).map(game).collect::<Vec<_>>());
}

#[test]
fn writers_at_the_same_time_store_every_game_once() {
    let folder = tempfile::tempdir().unwrap();
    // The file does not exist yet, so they also race to create it.
    let path = folder.path().join("lab.db");
    let games = 80;
    let writers: Vec<Child> = (0..4).map(|_| start_writer(&path, games)).collect();
    let mut new = vec![0; games as usize];
    for writer in writers {
        let output = writer.wait_with_output().unwrap();
        assert!(output.status.success());
        let text = String::from_utf8(output.stdout).unwrap();
        for (number, first) in text.lines().filter_map(kept) {
            new[number as usize] += u32::from(first);
        }
    }
    assert_eq!(new, vec![1; games as usize]);
    assert_eq!(Store::open(&path).unwrap().count_games(&event().id).unwrap(), games);
}

fn entrants() -> Vec<Entrant> {
    ["mcts", "random"]
        .map(|spec| Entrant { participant: participant(spec).id, label: spec.to_owned() })
        .to_vec()
}

#[test]
fn a_run_is_visible_to_other_processes_during_and_after_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lab.db");
    let (mut player, onlooker) = (prepared(&path), Store::open(&path).unwrap());
    assert_eq!(onlooker.runs(9).unwrap(), []);
    player.begin_run(&event().id, 4, &entrants(), Some("{}")).unwrap();
    player.add_games(&event().id, &[game(2), game(0)]).unwrap();
    let [run] = &onlooker.runs(9).unwrap()[..] else { panic!("there is one run") };
    assert_eq!((run.state, run.played, run.planned), (RunState::Running, 2, 4));
    assert_eq!((&run.event, &run.entrants, run.asked.as_deref()), (&event(), &entrants(), Some("{}")));
    let first = onlooker.endings(&event().id, 0).unwrap();
    assert_eq!(first.iter().map(|ending| ending.ranks.clone()).collect::<Vec<_>>(), [[1, 2], [2, 1]]);
    player.add_game(&event().id, &game(3)).unwrap();
    let later = onlooker.endings(&event().id, first[1].place).unwrap();
    assert_eq!(later.len(), 1, "only what is new");
    assert_eq!(later[0].participants, [participant("mcts").id, participant("random").id]);
    player.end_run(&event().id, RunState::Failed, Some("no room on the disk")).unwrap();
    let run = onlooker.run(&event().id[..8]).unwrap().unwrap();
    assert_eq!((run.state, run.error.as_deref()), (RunState::Failed, Some("no room on the disk")));
    player.begin_run(&event().id, 6, &entrants(), None).unwrap();
    let run = onlooker.run(&event().id).unwrap().unwrap();
    assert_eq!((run.state, run.planned, run.error), (RunState::Running, 6, None), "begun again");
    assert_eq!(onlooker.run("0000").unwrap(), None);
}

#[test]
fn a_run_without_heartbeats_is_lost_until_the_next_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lab.db");
    let mut store = prepared(&path);
    store.begin_run(&event().id, 4, &entrants(), None).unwrap();
    let state = |store: &Store| store.run(&event().id).unwrap().unwrap().state;
    assert_eq!(state(&store), RunState::Running);
    let other = rusqlite::Connection::open(&path).unwrap();
    other.execute("UPDATE runs SET seen = seen - 60", []).unwrap();
    assert_eq!(state(&store), RunState::Lost);
    store.record_heartbeat(&event().id).unwrap();
    assert_eq!(state(&store), RunState::Running);
}

#[test]
fn a_database_of_the_first_version_is_brought_up_to_date_with_its_games() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lab.db");
    prepared(&path).add_game(&event().id, &game(1)).unwrap();
    let old = rusqlite::Connection::open(&path).unwrap();
    old.execute_batch(
        "DROP TABLE job_rows; DROP TABLE jobs; DROP TABLE entrants; DROP TABLE runs; PRAGMA user_version = 1",
    )
    .unwrap();
    drop(old);
    let mut store = Store::open(&path).unwrap();
    assert_eq!(store.games(&event().id).unwrap(), [game(1)]);
    store.begin_run(&event().id, 1, &entrants(), None).unwrap();
    assert_eq!(store.runs(9).unwrap().len(), 1);
}

#[test]
fn a_database_without_jobs_is_brought_up_to_date_with_its_runs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lab.db");
    prepared(&path).begin_run(&event().id, 4, &entrants(), None).unwrap();
    let old = rusqlite::Connection::open(&path).unwrap();
    old.execute_batch("DROP TABLE job_rows; DROP TABLE jobs; PRAGMA user_version = 2").unwrap();
    drop(old);
    let mut store = Store::open(&path).unwrap();
    assert_eq!(store.runs(9).unwrap().len(), 1);
    store.begin_job(&job()).unwrap();
    assert_eq!(store.jobs(9).unwrap().len(), 1);
    let version: i64 = rusqlite::Connection::open(&path)
        .unwrap()
        .query_row("PRAGMA user_version", [], |row| row.get(0))
        .unwrap();
    assert_eq!(version, 3);
}

fn job() -> Job {
    Job::new(JobKind::Train, "/nets/a.safetensors", "a.safetensors", r#"{"hidden":64}"#, 4000)
}

fn row(table: &str, number: u64) -> JobRow {
    JobRow { table: table.to_owned(), number, values: format!(r#"{{"loss":{number}}}"#) }
}

#[test]
fn a_job_is_visible_to_other_processes_and_is_no_event() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lab.db");
    let (mut trainer, onlooker) = (prepared(&path), Store::open(&path).unwrap());
    trainer.begin_job(&job()).unwrap();
    trainer.advance_job(&job().id, 200, "step 200").unwrap();
    let [run] = &onlooker.jobs(9).unwrap()[..] else { panic!("there is one job") };
    assert_eq!((&run.job, run.state, run.done), (&job(), RunState::Running, 200));
    assert_eq!(run.stage, "step 200");
    assert_eq!(onlooker.runs(9).unwrap(), []);
    assert_eq!(onlooker.events().unwrap(), [event()]);
    let other = rusqlite::Connection::open(&path).unwrap();
    other.execute("UPDATE jobs SET seen = seen - 60", []).unwrap();
    assert_eq!(onlooker.job(&job().id[..8]).unwrap().unwrap().state, RunState::Lost);
    trainer.record_job_heartbeat(&job().id).unwrap();
    assert_eq!(onlooker.job(&job().id).unwrap().unwrap().state, RunState::Running);
    trainer.end_job(&job().id, RunState::Failed, Some("no room on the disk")).unwrap();
    let run = onlooker.job(&job().id).unwrap().unwrap();
    assert_eq!((run.state, run.error.as_deref()), (RunState::Failed, Some("no room on the disk")));
    trainer.configure_job(&job().id, "{}").unwrap();
    assert_eq!(onlooker.job(&job().id).unwrap().unwrap().job.config, "{}");
    // The same output is the same job, even with other options.
    let longer = Job { planned: 8000, ..job() };
    trainer.begin_job(&longer).unwrap();
    let [run] = &onlooker.jobs(9).unwrap()[..] else { panic!("there is still one job") };
    assert_eq!((&run.job, run.state, run.error.as_ref()), (&longer, RunState::Running, None));
    assert_eq!(onlooker.job("0000").unwrap(), None);
}

#[test]
fn rows_of_a_job_are_replaced_when_its_work_is_done_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lab.db");
    let mut store = Store::open(&path).unwrap();
    store.begin_job(&job()).unwrap();
    for number in [200, 400, 600] {
        store.put_job_row(&job().id, &row("progress", number)).unwrap();
    }
    store.put_job_row(&job().id, &row("generations", 0)).unwrap();
    let again = JobRow { values: "{}".to_owned(), ..row("progress", 400) };
    store.put_job_row(&job().id, &again).unwrap();
    let expected = [row("generations", 0), row("progress", 200), again];
    assert_eq!(store.job_rows(&job().id).unwrap(), expected);
    assert!(store.put_job_row("unknown", &row("progress", 1)).is_err());
}
