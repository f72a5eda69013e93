//! `riftlab model`, `bench nnue`, and agents that play with nets of the user's folder.

#![allow(clippy::unwrap_used, reason = "output that is not JSON fails the test")]

mod support;

use std::{collections::BTreeMap, fs};

use eval::{Features, PvEncoder, RingRiftPv};
use nn::{Activation, Nnue, NnueShape, PvNet, PvPreset};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use ringrift::Square8;
use serde_json::Value;
use support::{Folder, Run, command};

/// A data folder with the net `mine` for square8.
fn data() -> Folder {
    let shape = NnueShape {
        features: Features::<Square8>::count(),
        hidden: 16,
        activation: Activation::SquaredClippedRelu,
        layers: Vec::new(),
        buckets: Features::<Square8>::heads(1),
        scalars: 0,
    };
    let net = Nnue::<f32>::random(&shape, 400, &mut Xoshiro256PlusPlus::seed_from_u64(1));
    let provenance = BTreeMap::from([("data".to_owned(), "no games at all".to_owned())]);
    let file = net.to_file(&Features::<Square8>::id(), provenance);
    let folder = Folder::new();
    fs::create_dir_all(folder.path().join("riftlab/models")).unwrap();
    fs::write(folder.path().join("riftlab/models/mine.safetensors"), file.to_bytes()).unwrap();
    folder
}

/// The same with the policy and value net `guide` for square boards.
fn data_with_policy() -> Folder {
    let folder = data();
    let shape = PvPreset::Tiny.shape(RingRiftPv::<Square8>::layout());
    let net = PvNet::<f32>::random(&shape, &mut Xoshiro256PlusPlus::seed_from_u64(1));
    let file = net.to_file(&RingRiftPv::<Square8>::id(), BTreeMap::new());
    fs::write(folder.path().join("riftlab/models/guide.safetensors"), file.to_bytes()).unwrap();
    folder
}

/// Runs the program with the user's data in `folder`.
fn riftlab_in(folder: &Folder, arguments: &[&str]) -> Run {
    let output = command(arguments).env("XDG_DATA_HOME", folder.path()).output().unwrap();
    Run {
        code: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

#[test]
fn nets_are_listed_shown_and_verified() {
    let folder = data();
    let listed = riftlab_in(&folder, &["model", "list", "--json"]).json();
    let mine = &listed["own"][0];
    assert_eq!(
        (&mine["name"], &mine["kind"], &mine["shipped"]),
        (&"mine".into(), &"nnue".into(), &false.into())
    );
    let (id, hash) = (mine["id"].as_str().unwrap(), mine["hash"].as_str().unwrap());
    let text = riftlab_in(&folder, &["model", "list"]).success();
    assert!(text.contains(id) && text.contains("Shipped"), "{text}");
    let shown = riftlab_in(&folder, &["model", "show", &hash[..10]]).success();
    assert!(shown.contains("no games at all") && shown.contains("input.weight"), "{shown}");
    let verified = riftlab_in(&folder, &["model", "verify", "mine", "--games", "3", "--json"]).json();
    assert_eq!((&verified["passed"], &verified["id"]), (&true.into(), &id.into()), "{verified}");
    assert!(verified["reach"].as_i64().unwrap() > 0 && verified["positions"].as_u64().unwrap() > 100);
    assert!(verified["largest_error"].as_f64().unwrap() < 0.1, "{verified}");
}

#[test]
fn an_altered_net_fails_verification_by_name_and_is_refused_in_play() {
    let folder = data();
    let listed = riftlab_in(&folder, &["model", "list", "--json"]).json();
    let id = listed["own"][0]["id"].as_str().unwrap();
    let file = folder.path().join("riftlab/models/mine.safetensors");
    let mut bytes = fs::read(&file).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&file, &bytes).unwrap();
    let run = riftlab_in(&folder, &["model", "verify", id]);
    assert!(
        run.code == 1 && run.out.contains("mine") && run.out.contains("damaged"),
        "{} {}",
        run.out,
        run.err
    );
    let agent = format!("minimax(nodes=50,net={id})");
    let refusal = riftlab_in(&folder, &["match", "--a", &agent, "--b", "random", "--games", "2"]).failure();
    assert!(refusal.contains("mine") && refusal.contains("damaged"), "{refusal}");
    fs::write(&file, &bytes[..bytes.len() - 9]).unwrap();
    let run = riftlab_in(&folder, &["model", "verify"]);
    assert!(run.code == 1 && run.out.contains("not a model file"), "{} {}", run.out, run.err);
    let other = riftlab_in(&folder, &["model", "show", "nothing"]).failure();
    assert!(other.contains("nothing"), "{other}");
}

#[test]
fn nets_are_exported_by_the_extension_of_the_file() {
    let folder = data();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let onnx = path("net.onnx");
    riftlab_in(&folder, &["model", "export", "mine", "--out", &onnx]).success();
    assert!(fs::read(&onnx).unwrap().len() > 4 * 16 * Features::<Square8>::count());
    let json = path("net.json");
    riftlab_in(&folder, &["model", "export", "mine", "--out", &json]).success();
    let summary: Value = serde_json::from_str(&fs::read_to_string(&json).unwrap()).unwrap();
    assert_eq!(summary["shape"]["hidden"], "16");
    assert_eq!(summary["tensors"].as_array().unwrap().len(), 2 + 2 * Features::<Square8>::heads(1));
    let half = path("half.safetensors");
    riftlab_in(&folder, &["model", "export", "mine", "--out", &half]).success();
    assert!(fs::read(&half).unwrap().len() < 3 * 16 * Features::<Square8>::count());
    riftlab_in(&folder, &["model", "show", &half]).success();
    let refusal = riftlab_in(&folder, &["model", "export", "mine", "--out", &path("net.txt")]).failure();
    assert!(refusal.contains(".onnx, .json or .safetensors"), "{refusal}");
}

#[test]
fn agents_play_and_are_measured_with_nets_of_the_folder() {
    let folder = data();
    let speed = riftlab_in(&folder, &["bench", "nnue", "--net", "mine", "--seconds", "0.1", "--json"]).json();
    assert!(
        speed["evals_per_s"].as_f64().unwrap() > 0.0 && speed["net"].as_str().unwrap().starts_with("mine@")
    );
    let words = [
        "bench",
        "alphabeta",
        "--agent",
        "minimax(nodes=300)",
        "--net",
        "mine",
        "--seconds",
        "0.1",
        "--json",
    ];
    let speed = riftlab_in(&folder, &words).json();
    assert!(
        speed["nodes_per_s"].as_f64().unwrap() > 0.0 && speed["net"].as_str().unwrap().starts_with("mine@")
    );
    let words = [
        "match",
        "--a",
        "minimax(nodes=50,net=mine)",
        "--b",
        "random",
        "--games",
        "2",
        "--rings",
        "3",
        "--json",
    ];
    riftlab_in(&folder, &words).success();
    let wrong =
        riftlab_in(&folder, &["match", "--board", "hex8", "--a", "heuristic(net=mine)", "--b", "random"]);
    let wrong = wrong.failure();
    assert!(wrong.contains("mine@") && wrong.contains("ringrift-hex8-nnue1"), "{wrong}");
}

#[test]
fn policy_and_value_nets_are_listed_verified_exported_measured_and_played() {
    let folder = data_with_policy();
    let listed = riftlab_in(&folder, &["model", "list", "--json"]).json();
    assert_eq!((&listed["own"][0]["name"], &listed["own"][0]["kind"]), (&"guide".into(), &"pv".into()));
    let shown = riftlab_in(&folder, &["model", "show", "guide"]).success();
    assert!(shown.contains("ringrift-square-pv1") && shown.contains("policy.planes.weight"), "{shown}");
    let verified = riftlab_in(&folder, &["model", "verify", "guide", "--games", "3", "--json"]).json();
    assert!(verified["passed"].as_bool().unwrap() && verified["positions"].as_u64().unwrap() > 100);
    let onnx = folder.path().join("guide.onnx").display().to_string();
    riftlab_in(&folder, &["model", "export", "guide", "--out", &onnx]).success();
    assert!(fs::read(&onnx).unwrap().len() > 50_000);
    let half = folder.path().join("half.safetensors").display().to_string();
    let refusal = riftlab_in(&folder, &["model", "export", "guide", "--out", &half]).failure();
    assert!(refusal.contains("floating point"), "{refusal}");
    let words =
        ["bench", "gumbel", "--agent", "gumbel(sims=32)", "--net", "guide", "--seconds", "0.2", "--json"];
    let speed = riftlab_in(&folder, &words).json();
    assert!(
        speed["sims_per_s"].as_f64().unwrap() > 0.0 && speed["mean_batch"].as_f64().unwrap() > 1.5,
        "{speed}"
    );
    assert!(speed["net"].as_str().unwrap().starts_with("guide@"));
    let agents = ["policy(net=guide,temperature=0.5)", "gumbel(sims=8,net=guide)"];
    let words = ["match", "--a", agents[0], "--b", agents[1], "--games", "2", "--rings", "3", "--json"];
    riftlab_in(&folder, &words).success();
    let refusal =
        riftlab_in(&folder, &["match", "--a", "policy(net=mine)", "--b", "random", "--games", "2"]).failure();
    assert!(refusal.contains("mine@") && refusal.contains("no policy"), "{refusal}");
    let missing = riftlab_in(&folder, &["model", "show", "pv", "--go", "19"]).failure();
    assert!(missing.contains("kind pv") && missing.contains("go/19x19"), "{missing}");
}
