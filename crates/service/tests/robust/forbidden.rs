//! Well-formed requests that are not allowed: from other sites, without the token, or for agents that start programs.

use serde_json::json;

use crate::wire::Wired;

const GAME: &str = r#"{"setup":{"game":"ringrift"},"seats":["human","human"]}"#;

fn begin(wired: &Wired, lines: &[&str]) -> Option<u16> {
    wired.ask("POST", "/api/games", lines, GAME).status
}

#[test]
fn requests_from_other_sites_are_refused() {
    let wired = Wired::start(|options| options);
    let own = format!("Origin: http://{}", wired.address);
    assert_eq!(begin(&wired, &[&own]), Some(201));
    assert_eq!(begin(&wired, &[]), Some(201), "programs send no origin");
    for line in [
        "Origin: http://evil.example",
        "Origin: null",
        "Sec-Fetch-Site: cross-site",
        "Sec-Fetch-Site: same-site",
    ] {
        assert_eq!(begin(&wired, &[line]), Some(403), "{line}");
        assert_eq!(wired.ask("GET", "/api/games", &[line], "").status, Some(403), "{line}");
    }
    // A form of another site cannot send the content type of JSON.
    let form = wired.send(
        format!("POST /api/games HTTP/1.1\r\nHost: {}\r\nContent-Type: text/plain\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{GAME}",
            wired.address, GAME.len()).as_bytes(),
    );
    assert_eq!(form.status, Some(415));
    let listed = wired.ask("GET", "/api/games", &[], "").json();
    assert_eq!(listed["games"].as_array().map(Vec::len), Some(2), "only the two that were allowed");
}

#[test]
fn unknown_host_names_are_refused() {
    let wired = Wired::start(|options| options);
    for host in [
        "evil.example",
        "evil.example:7878",
        "localhost.evil.example",
        "169.254.169.254",
        "",
        "[::1]evil",
        "localhost:80:evil",
    ] {
        let line = format!("Host: {host}");
        assert_eq!(begin(&wired, &[&line]), Some(403), "{host}");
        assert_eq!(wired.ask("GET", "/", &[&line], "").status, Some(403), "{host}");
    }
    assert_eq!(begin(&wired, &["Host: localhost:1"]), Some(201));
    let two = ["Host: localhost", "Host: evil.example"];
    assert_eq!(begin(&wired, &two), Some(400), "which of two names counts is unclear");
    assert_eq!(begin(&wired, &["Host: localhost", "Host: localhost"]), Some(400));
    let other = wired.ask("GET", "http://evil.example/", &["Host: localhost"], "");
    assert_eq!(other.status, Some(400), "the address names another host");
    let named = Wired::start(|options| service::Options { hosts: vec!["lab.example".to_owned()], ..options });
    assert_eq!(begin(&named, &["Host: lab.example"]), Some(201));
}

#[test]
fn with_a_token_requests_without_it_are_refused() {
    let wired = Wired::start(|options| service::Options { token: Some("open sesame".to_owned()), ..options });
    for path in ["/api/games", "/api/view", "/api/analyse", "/api/review", "/api/open", "/api/games/x/moves"]
    {
        assert_eq!(wired.ask("POST", path, &[], GAME).status, Some(401), "{path}");
        let guess = wired.ask("POST", path, &["Authorization: Bearer open sesam"], GAME);
        assert_eq!(guess.status, Some(401), "{path}");
    }
    assert_eq!(begin(&wired, &["Authorization: Bearer open sesame"]), Some(201));
    assert_eq!(wired.ask("GET", "/api/games", &[], "").status, Some(200), "reading needs no token");
}

#[test]
fn agents_that_start_programs_or_name_files_are_refused() {
    let wired = Wired::start(|options| options);
    let marker = std::env::temp_dir().join(format!("riftlab-started-{}", std::process::id()));
    let program = format!("gtp(\"touch {}\")", marker.display());
    let specs = [
        program.as_str(),
        "gtp(\"gnugo --mode gtp\")",
        "mcts(net=/etc/passwd)",
        "mcts(net=../../x)",
        "d9(net=x)",
    ];
    for spec in specs {
        let seats = json!({ "setup": { "game": "go", "size": 9 }, "seats": ["human", spec] });
        let begun = wired.ask("POST", "/api/games", &[], &seats.to_string());
        assert!(matches!(begun.status, Some(403 | 422)), "{spec}: {:?} {}", begun.status, begun.body);
        for path in ["/api/analyse", "/api/review"] {
            let question = json!({ "setup": { "game": "go", "size": 9 }, "agent": spec });
            let answer = wired.ask("POST", path, &[], &question.to_string());
            assert!(matches!(answer.status, Some(403 | 422)), "{spec}: {:?} {}", answer.status, answer.body);
        }
        let agents = json!(["random", spec]);
        let run =
            json!({ "kind": "gauntlet", "setup": { "game": "go", "size": 9 }, "agents": agents, "games": 2 });
        let answer = wired.ask("POST", "/api/lab/runs", &[], &run.to_string());
        assert!(matches!(answer.status, Some(403 | 422)), "{spec}: {:?} {}", answer.status, answer.body);
    }
    assert!(!marker.exists(), "a program was started");
    let kinds = wired.ask("GET", "/api/agents?game=go&size=9", &[], "").json();
    let kinds = kinds["kinds"].as_array().expect("kinds").clone();
    assert!(kinds.iter().all(|kind| kind["spec"] != "gtp"), "what is not allowed is not offered");
}
