//! `riftlab ladder`, and the signature of the decisions of all agents.

#![allow(clippy::unwrap_used, reason = "output that is not JSON fails the test")]

mod support;

use support::{Folder, riftlab};

/// The output of `bench signature`. A change of behaviour updates it here.
const SIGNATURE: &str = "ccd8558f0e55f6aa";

#[test]
fn the_signature_is_unchanged() {
    let report = riftlab(&["bench", "signature", "--json"]).json();
    assert_eq!(report["signature"], SIGNATURE, "if the change of behaviour is intended, update SIGNATURE");
    assert!(report["nodes"].as_u64().unwrap() > 100_000);
}

#[test]
fn every_level_is_listed_with_its_agent() {
    let report = riftlab(&["ladder", "show", "--board", "hex8", "--players", "3", "--json"]).json();
    let levels = report["levels"].as_array().unwrap();
    assert_eq!((&report["venue"], levels.len()), (&"ringrift/hex8/3p".into(), 10));
    for level in levels {
        let needs_net = level["use_neural_net"] == true;
        assert_eq!(needs_net, level["model_id"].is_string(), "{level}");
        assert_eq!(needs_net, level["fallback"].is_string() || level["net"].is_string(), "{level}");
        assert!(level["fallback"].is_null() || level["net"].is_null(), "{level}");
    }
    let text = riftlab(&["ladder", "show", "go", "--size", "19"]).success();
    assert!(text.contains("d10") && text.contains("no net of kind pv is shipped"), "{text}");
}

#[test]
fn a_level_without_its_net_is_left_out_by_default() {
    let words = "match go --size 19 --a d5 --b d3 --games 2";
    let refusal = riftlab(&words.split(' ').collect::<Vec<_>>()).failure();
    assert!(refusal.contains("of kind pv") && refusal.contains("use_neural_net=no"), "{refusal}");
    let words = "ladder check go --size 19 --games 2 --from 5 --to 6 --json";
    let words: Vec<&str> = words.split(' ').collect();
    let run = riftlab(&words);
    assert!(run.err.contains("d5 is left out"), "{}", run.err);
    let report: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(report["left_out"], serde_json::json!(["d5", "d6"]));
    assert_eq!(report["pairs"], serde_json::json!([]));
}

#[test]
fn a_check_plays_every_pair_and_resumes_where_it_stopped() {
    let folder = Folder::new();
    let out = folder.file("check");
    let words = ["ladder", "check", "--games", "4", "--rings", "3", "--to", "3", "--json", "--out", &out];
    let first = riftlab(&words);
    let report: serde_json::Value = serde_json::from_str(&first.out).unwrap();
    let pairs = report["pairs"].as_array().unwrap();
    assert_eq!(pairs.len(), 2);
    for (pair, (above, below)) in pairs.iter().zip([("d2", "d1"), ("d3", "d2")]) {
        assert_eq!((&pair["above"], &pair["below"]), (&above.into(), &below.into()));
        assert_eq!(pair["games"], 4);
        let [low, score, high] =
            ["score_low", "score", "score_high"].map(|name| pair[name].as_f64().unwrap());
        assert!(low <= score && score <= high, "{pair}");
    }
    let again = riftlab(&words);
    assert!(again.err.contains("resuming after 4 recorded games"), "{}", again.err);
    let repeated: serde_json::Value = serde_json::from_str(&again.out).unwrap();
    assert_eq!(repeated["pairs"][1]["score"], pairs[1]["score"]);
}
