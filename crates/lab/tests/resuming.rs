//! Events are resumed from a file, a database or both, written by this version or an earlier one.
#![expect(clippy::unwrap_used, reason = "a helper that fails fails its test")]

use std::{
    fs,
    ops::ControlFlow,
    path::{Path, PathBuf},
    time::Duration,
};

use arena::{GameSummary, Side, Tally, store::Store};
use lab::{Draft, Finished, Form, LabError, Openings, Plan, Storage, play};
use ladder::Models;
use record::Config;
use ringrift::{Board, Rules};
use search::Stop;

/// The match in `old/match.jsonl` and `old/match.sql`, which version 0.1.0 wrote before results were typed.
fn old_match() -> Draft {
    draft(Form::Match { sprt: None }, &["random", "random(seed=1)"], true, 1, 8, 26)
}

/// The tournament in `old/tournament.sql`.
fn old_tournament() -> Draft {
    let agents = ["random", "random(seed=1)", "random(seed=2)"];
    draft(Form::Tournament { rounds: None, tables: None }, &agents, false, 4, 2, 2)
}

fn draft(form: Form, agents: &[&str], swap: bool, opening_plies: u32, games: u64, seed: u64) -> Draft {
    let rules = Rules { rings: Some(2), swap, ..Rules::new(2) };
    let config = Config::ringrift(Board::Square8, rules);
    let agents = agents.iter().map(|agent| agent.parse().unwrap()).collect();
    Draft { form, agents, config, opening_plies, openings: Openings::Random, games, seed }
}

fn plan(draft: &Draft) -> Plan {
    draft.plan(2, &Models::default()).unwrap()
}

/// Plays the missing games and returns all games without their times.
fn all(plan: &Plan, storage: &mut Storage) -> Result<(Vec<GameSummary>, Finished), LabError> {
    let mut games = Vec::new();
    let finished = play(plan, storage, &Stop::default(), &mut |mut game: GameSummary| {
        game.seats.iter_mut().flat_map(|seat| &mut seat.cost).for_each(|cost| cost.time = Duration::ZERO);
        games.push(game);
        ControlFlow::Continue(())
    })?;
    Ok((games, finished))
}

fn old(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/old").join(name)
}

/// A database written by an earlier version.
fn old_database(folder: &Path, name: &str) -> PathBuf {
    let path = folder.join("lab.db");
    let database = rusqlite::Connection::open(&path).unwrap();
    database.execute_batch("PRAGMA foreign_keys = OFF").unwrap();
    database.execute_batch(&fs::read_to_string(old(name)).unwrap()).unwrap();
    database.execute_batch("PRAGMA application_id = 1380533844; PRAGMA user_version = 2").unwrap();
    path
}

#[test]
fn records_and_databases_of_earlier_versions_are_resumed_as_the_same_games() {
    let folder = tempfile::tempdir().unwrap();
    let records = folder.path().join("match.jsonl");
    fs::copy(old("match.jsonl"), &records).unwrap();
    fs::copy(old("match.jsonl.config.json"), lab::config_path(&records)).unwrap();
    let database = old_database(folder.path(), "match.sql");
    let plan = plan(&old_match());
    let (from_scratch, played) = all(&plan, &mut Storage::default()).unwrap();
    assert_eq!((played.resumed, from_scratch.len()), (0, 8));
    let text = fs::read_to_string(&records).unwrap();
    assert!(text.contains("\"swap\",") || text.contains("\"swap\"]"), "some game uses the pie rule");
    for (file, database) in
        [(Some(&records), None), (None, Some(&database)), (Some(&records), Some(&database))]
    {
        let mut storage = Storage::open(file.map(PathBuf::as_path), database.map(PathBuf::as_path)).unwrap();
        let (games, finished) = all(&plan, &mut storage).unwrap();
        assert_eq!((finished.resumed, finished.complete), (8, true));
        assert_eq!(games, from_scratch, "random play is unchanged");
    }
    let mut tally = Tally::new(2, None);
    for game in from_scratch {
        tally.push(game);
    }
    assert_eq!((tally.wins(Side::A), tally.wins(Side::B)), (3, 5), "as the earlier version reported");
    assert_eq!((tally.cost(Side::A).decisions, tally.cost(Side::B).decisions), (56, 61));
    assert_eq!(Store::open(&database).unwrap().count_games(&plan.event.id).unwrap(), 8);
}

#[test]
fn a_tournament_of_an_earlier_version_is_the_same_event_with_more_games() {
    let folder = tempfile::tempdir().unwrap();
    let database = old_database(folder.path(), "tournament.sql");
    let run = Store::open(&database).unwrap().run(&plan(&old_tournament()).event.id).unwrap().unwrap();
    assert_eq!(Draft::parse(&run.asked.unwrap()), Some(old_tournament()), "its openings were random");
    let more = plan(&Draft { games: 4, ..old_tournament() });
    assert_eq!(more.event, plan(&old_tournament()).event);
    let (games, finished) = all(&more, &mut Storage::open(None, Some(&database)).unwrap()).unwrap();
    assert_eq!((finished.resumed, finished.complete, games.len()), (6, true, 12));
    assert_eq!(games, all(&more, &mut Storage::default()).unwrap().0);
    let store = Store::open(&database).unwrap();
    let scale = store.scale(&more.event.scale).unwrap();
    assert_eq!((scale.participants.len(), scale.games.len()), (3, 12));
}

#[test]
fn every_form_of_event_is_stored_in_a_file_and_resumed_from_it() {
    let agents = ["random", "random(seed=1)", "random(seed=2)", "random(seed=3)"];
    let swiss = Form::Tournament { rounds: Some(3), tables: None };
    for (form, agents) in [(swiss, &agents[..]), (Form::Gauntlet, &agents), (old_match().form, &agents[..2])]
    {
        let folder = tempfile::tempdir().unwrap();
        let records = folder.path().join("games.jsonl.zst");
        // Far more games than the workers can play before the first one is reported.
        let plan = plan(&Draft { openings: Openings::Balanced, ..draft(form, agents, false, 2, 60, 9) });
        let (from_scratch, _) = all(&plan, &mut Storage::default()).unwrap();
        let stop = Stop::default();
        let mut storage = Storage::open(Some(&records), None).unwrap();
        let interrupted = play(&plan, &mut storage, &stop, &mut |_| {
            stop.raise();
            ControlFlow::Continue(())
        });
        assert!(!interrupted.unwrap().complete, "{form:?}");
        drop(storage);
        // The rest is also stored in a database, which is first completed from the file.
        let database = folder.path().join("lab.db");
        let mut storage = Storage::open(Some(&records), Some(&database)).unwrap();
        let (games, finished) = all(&plan, &mut storage).unwrap();
        assert!(finished.resumed > 0 && finished.complete, "{form:?}: {finished:?}");
        assert_eq!(games, from_scratch, "{form:?}");
        drop(storage);
        let (again, finished) = all(&plan, &mut Storage::open(None, Some(&database)).unwrap()).unwrap();
        assert_eq!((again, finished.resumed), (from_scratch, plan.schedule.total()), "{form:?}");
    }
}

#[test]
fn a_file_of_another_event_and_a_file_that_is_being_written_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let records = folder.path().join("games.jsonl");
    let mut storage = Storage::open(Some(&records), None).unwrap();
    all(&plan(&old_match()), &mut storage).unwrap();
    assert!(matches!(Storage::open(Some(&records), None), Err(LabError::Write(_))), "one writer at a time");
    let before = fs::read(&records).unwrap();
    let other = all(&plan(&Draft { seed: 4, ..old_match() }), &mut storage).unwrap_err().to_string();
    assert!(other.contains("seed is 26 there and 4 here"), "{other}");
    assert!(matches!(all(&plan(&old_tournament()), &mut storage), Err(LabError::OtherEvent { .. })));
    assert_eq!(fs::read(&records).unwrap(), before);
}
