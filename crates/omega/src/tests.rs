//! The whole loop on 3×3, against proven values; interruptions; the variations of the method.

use std::{collections::BTreeMap, fs, path::Path, sync::Arc};

use eval::{OmegaKernels, OmegaNets, OmegaReader};
use go::{Colour, Komi, Move, Point, Points, Small, proven::Proven};
use tempfile::tempdir;

use crate::{
    Config, Event, OmegaRunError, Preset, RANDOM, generation_path,
    matches::Match,
    playing::{Play, result_for},
    report,
    rows::{Row, row_bytes},
    run,
    sheets::Sheets,
    targets::moves,
};

fn config() -> Config {
    Config {
        iterations: 2,
        random_positions: 1500,
        positions: 1500,
        continuations: 3,
        value_passes: 6,
        policy_passes: 6,
        batch: 64,
        learning_rate: 4e-3,
        temperature: 0.5,
        pairs: 60,
        shard: 256,
        net: "seed".to_owned(),
        policy_net: "seed".to_owned(),
        ..Config::new(Preset::Quick, 3)
    }
}

fn tiny() -> Config {
    Config {
        random_positions: 120,
        positions: 120,
        continuations: 2,
        value_passes: 2,
        policy_passes: 2,
        pairs: 8,
        shard: 32,
        ..config()
    }
}

/// Runs to the end, without a look at the events.
fn finish(config: &Config, folder: &Path) {
    let finished = run(config, None, folder, &mut |_: &Event<'_>| true).unwrap();
    assert!(finished.complete);
    assert_eq!(finished.generations, config.iterations + 1);
}

/// The files of a run with their contents.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            found.extend(files(&path).into_iter().map(|(inner, bytes)| (format!("{name}/{inner}"), bytes)));
        } else {
            found.insert(name, fs::read(&path).unwrap());
        }
    }
    found
}

/// Positions on 3×3 with the proven value of every move, none of which decides nothing.
fn solved() -> Vec<Proven> {
    let mut found: Vec<Proven> = Vec::new();
    let config = Config { komi: Some(0), seed: 77, ..config() };
    for number in 0.. {
        let mut play = Play::<Small>::begin(&config, 9, number);
        for _ in 0..2 + number % 5 {
            if play.result.is_none() {
                play.play_at_random();
            }
        }
        let stones = 9 - play.position.board().empty().len();
        if play.result.is_some() || stones < 2 || found.iter().any(|known| known.position == play.position) {
            continue;
        }
        let Ok(proven) = Proven::prove(&play.position, 40_000) else { continue };
        if proven.keepers() < proven.values.len() {
            found.push(proven);
        }
        if found.len() == 60 {
            break;
        }
    }
    found
}

/// The mean error of values without komi, whose truth is the sign of the proven value, and the mean probability of the moves
/// that keep the value, under a komi for which only such moves win.
fn judge(folder: &Path, generation: u32, set: &[Proven]) -> (f64, f64) {
    let nets = OmegaNets::from_bytes(&fs::read(generation_path(folder, generation)).unwrap()).unwrap();
    let mut reader = OmegaReader::new(Arc::new(OmegaKernels::new(&nets, 3)));
    let (mut error, mut kept) = (0.0, 0.0);
    for proven in set {
        let (position, question) = (&proven.position, proven.question());
        let truth = result_for(position.turn(), proven.value().signum() as f32);
        let value = reader.values(std::iter::once((position, eval::sensible(position))))[0];
        error += f64::from((truth - value).abs());
        let row = Row::new(&question, 0.0);
        let map = reader.maps(std::iter::once((&question, row.sensible))).next().unwrap();
        let place = |m: Move| m.point().map_or(9, |point| 3 * point.row() + point.column());
        let mut shares: Vec<f32> = moves(&row).map(|m| map[place(m)]).collect();
        nn::softmax(&mut shares);
        let keeping = moves(&row).zip(&shares).filter(|(m, _)| proven.keeps(*m));
        kept += f64::from(keeping.map(|(_, share)| share).sum::<f32>());
    }
    (error / set.len() as f64, kept / set.len() as f64)
}

#[test]
fn the_loop_approaches_what_is_proven_and_beats_its_predecessors() {
    let folder = tempdir().unwrap();
    finish(&config(), folder.path());
    let set = solved();
    let judged: Vec<(f64, f64)> = (0..=2).map(|generation| judge(folder.path(), generation, &set)).collect();
    let at_random: f64 =
        set.iter().map(|proven| proven.keepers() as f64 / proven.values.len() as f64).sum::<f64>()
            / set.len() as f64;
    let (first, last) = (judged[0], judged[2]);
    assert!(last.0 < first.0 && last.0 < 0.7, "values come closer: {judged:?}");
    assert!(
        last.1 > first.1 && last.1 > at_random + 0.2,
        "moves keep values: {judged:?}, at random {at_random}"
    );
    let matches = report::read_matches(folder.path()).unwrap();
    assert_eq!(matches.len(), 6, "each generation meets random play and all earlier ones");
    let score = |one: &str, other: &str| {
        matches.iter().find(|played| played.one == one && played.other == other).unwrap().score()
    };
    assert!(score("generation-2", RANDOM) > 0.8, "{matches:?}");
    assert!(score("generation-2", "generation-0") > 0.5, "{matches:?}");
    let files = files(folder.path());
    for name in ["config.json", "elo.csv", "elo.svg", "matches.csv"] {
        assert!(files.contains_key(name), "{:?}", files.keys());
    }
}

#[test]
fn an_interrupted_run_ends_with_the_same_bytes() {
    let (whole, pieces) = (tempdir().unwrap(), tempdir().unwrap());
    let config = Config { prioritised: 0.6, ..tiny() };
    finish(&config, whole.path());
    for attempt in 0..1000 {
        let mut events = 0;
        let mut observe = |_: &Event<'_>| {
            events += 1;
            events < 3
        };
        let finished = run(&config, None, pieces.path(), &mut observe).unwrap();
        if finished.complete {
            assert!(attempt > 10, "it was interrupted often");
            break;
        }
        // A kill can come before a checkpoint is written, or while a file is.
        if attempt % 3 == 0 {
            for stage in 0..=2 {
                let folder = pieces.path().join(format!("stage-{stage:03}"));
                for name in ["value.checkpoint", "policy.checkpoint"] {
                    let _ = fs::remove_file(folder.join(name));
                }
                if folder.join("positions").exists() {
                    fs::write(folder.join("positions/00000-12345678.sheet.1.tmp"), "half").unwrap();
                }
            }
        }
    }
    let without_rests = |folder: &Path| {
        files(folder).into_iter().filter(|(name, _)| !name.contains(".tmp")).collect::<BTreeMap<_, _>>()
    };
    let (one, other) = (without_rests(whole.path()), without_rests(pieces.path()));
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
    for (name, bytes) in &one {
        assert!(other[name] == *bytes, "{name} differs");
    }
}

#[test]
fn changed_options_and_damaged_files_are_refused() {
    let folder = tempdir().unwrap();
    let mut left = 2;
    let mut observe = |_: &Event<'_>| {
        left -= 1;
        left > 0
    };
    assert!(!run(&tiny(), None, folder.path(), &mut observe).unwrap().complete);
    let changed = Config { temperature: 0.7, ..tiny() };
    let error = run(&changed, None, folder.path(), &mut |_: &Event<'_>| true).unwrap_err();
    assert!(matches!(&error, OmegaRunError::Changed { field, .. } if field == "temperature"), "{error}");
    let sheets = folder.path().join("stage-000/positions");
    let sheet = fs::read_dir(&sheets).unwrap().next().unwrap().unwrap().path();
    let mut bytes = fs::read(&sheet).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&sheet, bytes).unwrap();
    let error = run(&tiny(), None, folder.path(), &mut |_: &Event<'_>| true).unwrap_err();
    assert!(matches!(&error, OmegaRunError::Damaged { path, .. } if *path == sheet), "{error}");
    fs::remove_file(&sheet).unwrap();
    finish(&tiny(), folder.path());
    for bad in [
        Config { net: "huge".to_owned(), ..tiny() },
        Config { size: 1, ..tiny() },
        Config { continuations: 0, ..tiny() },
        Config { temperature: 0.0, ..tiny() },
    ] {
        assert!(matches!(bad.check(), Err(OmegaRunError::Options(_))), "{bad:?}");
    }
}

#[test]
fn every_variation_runs_and_changes_the_result() {
    let plain = tempdir().unwrap();
    finish(&tiny(), plain.path());
    let last = |folder: &Path| fs::read(generation_path(folder, 2)).unwrap();
    for variation in [
        Config { prioritised: 0.6, ..tiny() },
        Config { candidates: 4, ..tiny() },
        Config { backward: true, ..tiny() },
        Config { stages: 3, ..tiny() },
        Config { td_plies: 2, ..tiny() },
        Config { net: "residual".to_owned(), ..tiny() },
        Config { policy_net: "light".to_owned(), ..tiny() },
        Config { komi: Some(1), ..tiny() },
        Config { threads: 2, ..tiny() },
    ] {
        let folder = tempdir().unwrap();
        finish(&variation, folder.path());
        assert!(last(folder.path()) != last(plain.path()), "{variation:?}");
    }
}

#[test]
fn networks_move_to_another_size() {
    let (small, large) = (tempdir().unwrap(), tempdir().unwrap());
    finish(&tiny(), small.path());
    let bytes = fs::read(generation_path(small.path(), 2)).unwrap();
    let config = Config { size: 4, iterations: 1, start: Some(nn::ModelFile::hash(&bytes)), ..tiny() };
    assert!(run(&config, Some(&bytes), large.path(), &mut |_: &Event<'_>| true).unwrap().complete);
    assert_eq!(
        fs::read(generation_path(large.path(), 0)).unwrap(),
        bytes,
        "generation 0 is what it starts from"
    );
    assert!(!large.path().join("stage-000").exists());
}

#[test]
fn rows_read_back_and_keep_passes_and_komi() {
    let mut play = Play::<Small>::begin(&Config { komi: Some(-7), ..config() }, 0, 5);
    for m in [Move::at(Point::parse("B2").unwrap()), Move::PASS] {
        play.play(m);
    }
    let row = Row::new(&play.position, -0.2);
    let mut bytes = Vec::new();
    row.write(&mut bytes);
    assert_eq!(bytes.len(), row_bytes(3));
    assert_eq!(Row::read(&bytes, 3).as_ref(), Some(&row));
    let again = row.position();
    assert_eq!(
        (again.turn(), again.passes(), again.rules().komi),
        (Colour::Black, 1, Komi::from_half_points(-7))
    );
    bytes[0] |= bytes[2] | 0x10;
    bytes[2] |= 0x10;
    assert_eq!(Row::<Small>::read(&bytes, 3), None, "a point with two stones");
}

#[test]
fn ratings_follow_results() {
    let played = |one: &str, other: &str, wins, losses| Match {
        one: one.to_owned(),
        other: other.to_owned(),
        wins,
        draws: 0,
        losses,
    };
    let matches = [played("generation-0", RANDOM, 90, 10), played("generation-1", "generation-0", 75, 25)];
    let rated = report::rate(&matches).unwrap();
    assert_eq!(rated[0].name, RANDOM);
    assert!(rated[0].elo == 0.0 && rated[1].elo > 300.0 && rated[2].elo > rated[1].elo + 100.0, "{rated:?}");
}

#[test]
fn sheets_do_not_depend_on_the_number_of_threads() {
    let (one, two) = (tempdir().unwrap(), tempdir().unwrap());
    let work = |number: u64| Ok(vec![number as u8; 5]);
    let hash = |folder: &Path, threads| {
        let mut sheets = Sheets::open(folder).unwrap();
        assert!(sheets.make(9, threads, &work, &mut |_| true).unwrap());
        assert_eq!(Sheets::open(folder).unwrap().read(3).unwrap(), [3; 5]);
        sheets.hash()
    };
    assert_eq!(hash(one.path(), 1), hash(two.path(), 3));
}
