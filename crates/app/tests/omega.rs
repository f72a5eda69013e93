//! `riftlab omega`: killed at any time, it resumes to the same result, which then plays.

#![allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]

#[path = "support/server.rs"]
mod server;
mod support;

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Stdio,
    thread,
    time::{Duration, SystemTime},
};

use serde_json::{Value, json};
use server::Served;
use support::{Folder, command, riftlab, typed};

const QUICK: [&str; 18] = [
    "omega",
    "run",
    "--preset",
    "quick",
    "--size",
    "3",
    "--random-positions",
    "300",
    "--positions",
    "300",
    "--iterations",
    "1",
    "--pairs",
    "10",
    "--threads",
    "1",
    "--db",
    "lab.db",
];

fn arguments<'a>(folder: &'a str, database: &'a str) -> Vec<&'a str> {
    let mut all: Vec<&str> = QUICK.to_vec();
    all[17] = database;
    all.extend(["--out", folder]);
    all
}

/// The names and contents of all files in a folder, except unfinished ones.
fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|ending| ending != "tmp") {
                found.insert(path.strip_prefix(folder).unwrap().to_owned(), fs::read(&path).unwrap());
            }
        }
    }
    found
}

/// What appears in the folder of a run, part by part of both stages.
const PARTS: [&str; 11] = [
    "config.json",
    "stage-000/positions",
    "stage-000/targets",
    "stage-000/policy.safetensors",
    "generation-000.safetensors",
    "matches.json",
    "stage-001/positions",
    "stage-001/value.safetensors",
    "stage-001/targets",
    "stage-001/policy.safetensors",
    "generation-001.safetensors",
];

/// When each finished file of a run was written, except for the lists of matches, which grow.
fn written(folder: &Path) -> BTreeMap<PathBuf, SystemTime> {
    let lasting =
        |path: &PathBuf| path.extension().is_some_and(|ending| ending == "sheet" || ending == "safetensors");
    let found = contents(folder).into_keys().filter(lasting);
    found
        .map(|path| {
            let time = fs::metadata(folder.join(&path)).unwrap().modified().unwrap();
            (path, time)
        })
        .collect()
}

#[test]
fn a_killed_run_resumes_and_its_networks_play() {
    let folder = Folder::new();
    let (whole, killed) = (folder.file("whole"), folder.file("killed"));
    let (one, other) = (folder.file("one.db"), folder.file("other.db"));
    let out = riftlab(&arguments(&whole, &one)).success();
    assert!(out.contains("generation-1") && out.contains("2 generations"), "{out}");
    let mut before: BTreeMap<PathBuf, SystemTime> = BTreeMap::new();
    for part in PARTS {
        let mut child =
            command(&arguments(&killed, &other)).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let reached = Path::new(&killed).join(part);
        while !reached.exists() && child.try_wait().unwrap().is_none() {
            thread::sleep(Duration::from_millis(1));
        }
        thread::sleep(Duration::from_millis(15));
        child.kill().unwrap();
        child.wait().unwrap();
        let now = written(killed.as_ref());
        for (path, time) in &before {
            assert_eq!(now.get(path), Some(time), "{} is kept and not made again", path.display());
        }
        before = now;
    }
    riftlab(&arguments(&killed, &other)).success();
    let (expected, found) = (contents(whole.as_ref()), contents(killed.as_ref()));
    assert_eq!(expected.keys().collect::<Vec<_>>(), found.keys().collect::<Vec<_>>());
    for (path, bytes) in &expected {
        assert!(found[path] == *bytes, "{} differs", path.display());
    }
    let mut changed = arguments(&whole, &one);
    changed.extend(["--cooling", "0.9"]);
    let refused = riftlab(&changed).failure();
    assert!(refused.contains("cooling is 0.6"), "{refused}");

    let agent = format!("omega(net={whole},mode=value)");
    let played = typed(&["gtp", "--agent", &agent], "boardsize 3\nclear_board\ngenmove b\nquit\n");
    assert!(!played.err.contains("plays instead"), "{}", played.err);
    let reply = played.success();
    assert!(reply.lines().any(|line| line.len() > 2 && line.starts_with("= ")), "{reply}");

    // In the folder of the service's nets, a run can be analysed and played with, generation by generation.
    let data = folder.file("data");
    let nets = Path::new(&data).join("models");
    fs::create_dir_all(&nets).unwrap();
    fs::rename(&whole, nets.join("small")).unwrap();
    let server = Served::start(data.as_ref());
    let setup = json!({ "game": "go", "size": 3 });
    let analysed = |agent: &str| {
        let answer = server.post("/api/analyse", &json!({ "setup": setup, "agent": agent }));
        // Around the lines of the report are those of the transfer encoding.
        let last = answer.body.lines().rfind(|line| line.starts_with('{')).unwrap();
        serde_json::from_str::<Value>(last).unwrap()
    };
    let nets = ["omega(net=small/generation-000.safetensors)", "omega(net=small)"].map(|agent| {
        let report = analysed(agent);
        assert!(report["candidates"].as_array().is_some_and(|moves| moves.len() > 1), "{report}");
        report["net"].as_str().unwrap().to_owned()
    });
    assert!(nets[0].starts_with("generation-000@") && nets[1].starts_with("generation-001@"), "{nets:?}");
    server.begin(&json!({ "setup": setup, "seats": ["human", "omega(net=small)"] }));
    assert!(analysed("omega(net=../games.db)")["error"].is_string());
}

#[test]
fn rates_are_measured() {
    let out =
        riftlab(&["omega", "rates", "--size", "3", "--policy-net", "seed", "--seconds", "0.01"]).success();
    assert!(out.contains("positions/s by random play") && out.contains("4 layers of 20 channels"), "{out}");
    let refused = riftlab(&["omega", "rates", "--net", "huge"]).failure();
    assert!(refused.contains("huge"), "{refused}");
}
