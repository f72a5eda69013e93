//! Self-play, training and the learning loop, as commands: killed at any time, they resume to the same result.

#![allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use arena::store::{RunState, Store};

/// How often each command is killed; the variable `KILLS` sets another number.
fn kills() -> u64 {
    std::env::var("KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(4)
}

fn riftlab(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_riftlab"));
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

fn succeed(arguments: &[&str]) {
    let output = riftlab(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Runs a command to its end, but first starts it several times and kills it after various times.
fn succeed_despite_kills(arguments: &[&str]) {
    for number in 0..kills() {
        let mut child = riftlab(arguments).spawn().unwrap();
        // Spread over the whole run: from right after the start to several hundred milliseconds later.
        thread::sleep(Duration::from_millis(3 + 61 * number % 400));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    succeed(arguments);
}

/// The names and contents of all files in a folder that satisfy `wanted`.
fn contents(folder: &Path, wanted: impl Fn(&str) -> bool + Copy) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if wanted(&path.file_name().unwrap().to_string_lossy()) {
                found.insert(path.strip_prefix(folder).unwrap().to_owned(), fs::read(&path).unwrap());
            }
        }
    }
    found
}

fn is_shard(name: &str) -> bool {
    name.ends_with(".jsonl.zst")
}

fn text(path: &Path) -> String {
    path.to_str().unwrap().to_owned()
}

/// The rows of the curves of a training run, without the columns that are times.
fn curves(net: &str) -> Vec<Vec<String>> {
    let table = fs::read_to_string(Path::new(net).with_extension("run").join("curves.csv")).unwrap();
    table.lines().map(|line| line.split(',').take(6).map(str::to_owned).collect()).collect()
}

#[test]
fn killed_self_play_and_training_resume_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, killed] = ["whole", "killed"].map(|name| text(&folder.path().join(name)));
    let play = |out: &str| {
        let fixed =
            "selfplay --agent minimax(nodes=60) --games 60 --shard-games 16 --rings 4 --threads 2 --out";
        fixed.split(' ').map(str::to_owned).chain([out.to_owned()]).collect::<Vec<_>>()
    };
    let run = |command: fn(&[&str]), arguments: Vec<String>| {
        command(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    };
    run(succeed, play(&whole));
    run(succeed_despite_kills, play(&killed));
    let shards = contents(Path::new(&whole), is_shard);
    assert_eq!(shards.len(), 4);
    assert_eq!(contents(Path::new(&killed), is_shard), shards);
    let train = |out: &str| {
        let fixed =
            format!("train nnue --data {whole} --steps 300 --batch 512 --hidden 16 --threads 1 --out {out}");
        fixed.split(' ').map(str::to_owned).collect::<Vec<_>>()
    };
    let [first, second] = ["a.safetensors", "b.safetensors"].map(|name| text(&folder.path().join(name)));
    run(succeed, train(&first));
    run(succeed_despite_kills, train(&second));
    assert_eq!(fs::read(&first).unwrap(), fs::read(&second).unwrap());
    assert_eq!(curves(&second), curves(&first));
    // Altered data and altered nets are refused by name.
    let shard = Path::new(&whole).join(shards.keys().next().unwrap());
    let mut bytes = fs::read(&shard).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    fs::write(&shard, bytes).unwrap();
    let third = text(&folder.path().join("c.safetensors"));
    let arguments = train(&third);
    let output = riftlab(&arguments.iter().map(String::as_str).collect::<Vec<_>>()).output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        !output.status.success() && message.contains(shard.file_name().unwrap().to_str().unwrap()),
        "{message}"
    );
    assert!(!Path::new(&third).exists());
}

#[test]
fn a_killed_learning_loop_resumes_to_the_same_networks_and_they_beat_random_play() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, killed] = ["whole", "killed"].map(|name| text(&folder.path().join(name)));
    let arguments = |out: &str| {
        let fixed = "pipeline nnue --players 2 --games 240 --nodes 100 --relabel-nodes 50 --generations 2 --steps 150 \
                     --batch 1024 --hidden 16 --gate-games 12 --gate-nodes 60 --threads 1 --out";
        fixed
            .split(' ')
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .chain([out.to_owned()])
            .collect::<Vec<_>>()
    };
    let run = |command: fn(&[&str]), arguments: &[String]| {
        command(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    };
    run(succeed, &arguments(&whole));
    let database = text(&folder.path().join("lab.db"));
    let recorded = [arguments(&killed), vec!["--db".to_owned(), database.clone()]].concat();
    run(succeed_despite_kills, &recorded);
    let results = |folder: &str| {
        contents(Path::new(folder), |name| {
            is_shard(name) && !name.starts_with("gate") || name == "net.safetensors"
        })
    };
    let networks = results(&whole);
    assert_eq!(networks.keys().filter(|path| path.ends_with("net.safetensors")).count(), 2);
    assert_eq!(results(&killed), networks);
    // For the Lab it is one job, with every generation and every step once.
    let store = Store::open_existing(&database).unwrap();
    let [job] = &store.jobs(9).unwrap()[..] else { panic!("there is one job") };
    assert_eq!((job.state, job.done, job.job.planned), (RunState::Complete, 2, 2));
    let rows = store.job_rows(&job.job.id).unwrap();
    let rows: Vec<(&str, u64)> = rows.iter().map(|row| (row.table.as_str(), row.number)).collect();
    assert_eq!(rows[..3], [("generations", 0), ("generations", 1), ("training-00", 150)]);
    assert!(rows.len() > 3 && rows[3..].iter().all(|row| row.0 == "training-01"), "{rows:?}");
    assert!(rows.is_sorted_by(|a, b| a < b), "{rows:?}");
    assert_eq!(store.events().unwrap(), [], "nothing of it is rated");
    let net = Path::new(&whole).join("generation-01/net.safetensors");
    let spec = format!("heuristic(net={})", text(&net));
    let output = riftlab(&["match", "--a", &spec, "--b", "random", "--games", "60", "--json"])
        .stdout(Stdio::piped())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let result: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let low = result["score_a_low"].as_f64().unwrap();
    assert!(low > 0.5, "one ply of the network is better than random play: {result}");
    continues_from(&net, folder.path());
}

/// A loop that starts from a network plays with it, trains on from its weights, and forgets games outside its window.
fn continues_from(net: &Path, folder: &Path) {
    let (net, out) = (text(net), text(&folder.join("further")));
    let fixed = "pipeline nnue --players 2 --games 40 --nodes 60 --generations 2 --steps 20 --batch 512 --hidden 16 \
                 --gate-games 4 --gate-nodes 60 --threads 1 --warm --window 1 --start";
    let arguments: Vec<&str> = fixed.split_whitespace().chain([&*net, "--out", &out]).collect();
    succeed(&arguments);
    assert_eq!(fs::read(&net).unwrap(), fs::read(Path::new(&out).join("start.safetensors")).unwrap());
    let hash = nn::ModelFile::hash(&fs::read(&net).unwrap());
    let config = |path: &str| -> serde_json::Value {
        serde_json::from_slice(&fs::read(Path::new(&out).join(path)).unwrap()).unwrap()
    };
    assert_eq!(config("generation-00/net.run/config.json")["start"], hash.as_str());
    assert!(config("generation-00/games-2p/config.json").to_string().contains(&hash));
    let report = config("report.json");
    let best = if report["generations"][0]["promoted"] == true { "generation-00/net" } else { "start" };
    let best = fs::read(Path::new(&out).join(format!("{best}.safetensors"))).unwrap();
    let second = config("generation-01/net.run/config.json");
    assert_eq!(second["start"], nn::ModelFile::hash(&best).as_str());
    assert_eq!(second["games"], 40, "only those of its own generation: {second}");
    // A smaller network cannot continue from these weights.
    let other = text(&folder.join("other"));
    let wrong: Vec<&str> = arguments
        .iter()
        .map(|&word| match word {
            "16" => "8",
            _ if word == out => &other,
            _ => word,
        })
        .collect();
    let output = riftlab(&wrong).output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && message.contains("16 neurons"), "{message}");
}

#[test]
fn exported_games_are_imported_again_and_existing_files_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let [games, lines, rows, records] =
        ["games", "games.jsonl", "rows.npz", "records.jsonl"].map(|name| text(&folder.path().join(name)));
    succeed(&["selfplay", "--agent", "random", "--games", "6", "--rings", "4", "--out", &games]);
    succeed(&["export", "--data", &games, "--format", "jsonl", "--out", &lines]);
    succeed(&["import", &lines, "--out", &records]);
    let count = |path: &str| fs::read_to_string(path).unwrap().lines().count();
    assert_eq!((count(&lines), count(&records)), (6, 6));
    for preset in ["default", "seed"] {
        let rows = format!("{rows}-{preset}");
        succeed(&["export", "--data", &games, "--format", "npz", "--preset", preset, "--out", &rows]);
        assert!(fs::read(rows).unwrap().starts_with(b"PK"), "an archive");
    }
    let again =
        riftlab(&["export", "--data", &games, "--format", "jsonl", "--out", &lines]).output().unwrap();
    let message = String::from_utf8_lossy(&again.stderr).into_owned();
    assert!(!again.status.success() && message.contains("games.jsonl already exists"), "{message}");
}

#[test]
fn policy_and_value_networks_are_trained_and_improved() {
    let folder = tempfile::tempdir().unwrap();
    let [games, net, out] = ["games", "net.safetensors", "loop"].map(|name| text(&folder.path().join(name)));
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let json = |line: &str| -> serde_json::Value {
        let arguments = words(line);
        let output = riftlab(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
            .stdout(Stdio::piped())
            .output()
            .unwrap();
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let played = json(&format!(
        "selfplay go --size 5 --agent gumbel(sims=6) --candidates 100 --cheap sims=2 --full-share 0.5 --decided 0.9 \
         --interleave 4 --games 30 --threads 1 --json --out {games}"
    ));
    assert!(
        played["fill"].as_f64().unwrap() > 0.5 && played["evaluations_per_s"].as_f64().unwrap() > 0.0,
        "{played}"
    );
    let trained = json(&format!(
        "train pv --data {games} --preset tiny --steps 20 --batch 32 --threads 1 --json --out {net}"
    ));
    assert!(trained["complete"] == true && trained["policy_accuracy"].is_number(), "{trained}");
    let improved = json(&format!(
        "pipeline pv --game go --size 5 --preset tiny --start {net} --generations 1 --games 12 --sims 4 --cheap-sims 2 \
         --gate-games 2 --gate-sims 4 --panel random --panel-games 2 --steps 10 --batch 32 --threads 1 --json --out {out}"
    ));
    assert!(improved["complete"] == true && improved["generations"][0]["panel"][0]["against"] == "random");
    assert!(Path::new(&out).join("report.svg").exists());
}

#[test]
fn interrupted_self_play_says_so_by_its_exit_code_and_continues() {
    let folder = tempfile::tempdir().unwrap();
    let out = text(&folder.path().join("games"));
    // More games than can be played before the signal arrives.
    let arguments = ["selfplay", "--agent", "minimax(nodes=2000)", "--games", "100000", "--out", &out];
    fs::create_dir(&out).unwrap();
    let mut child = riftlab(&arguments).spawn().unwrap();
    // Once it has stored a game, it also listens for the signal.
    while contents(Path::new(&out), is_shard).is_empty() {
        assert!(child.try_wait().unwrap().is_none(), "it runs until it is interrupted");
        thread::sleep(Duration::from_millis(5));
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    succeed(&["selfplay", "--agent", "minimax(nodes=2000)", "--games", "1", "--out", &out]);
}
