//! Thousands of invalid requests: each is refused, none causes a panic, a leak or a change.
//!
//! `REQUESTS=10000 cargo test --release -p service --test robust -- --nocapture` sets their number.

use std::{
    env, fs, panic,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use serde_json::json;

use crate::{
    requests::Maker,
    wire::{Reply, Wired, shown},
};

/// The number of concurrent clients.
const CLIENTS: usize = 4;

/// How much memory a run may retain, whatever its length: what the allocator does not return.
const GROWTH_KB: i64 = 24 * 1024;

static PANICS: AtomicUsize = AtomicUsize::new(0);

/// The resident memory of this process, where the system reports it.
fn resident_kb() -> Option<i64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// The outcomes of the requests of one client.
#[derive(Default)]
struct Counts {
    refused: usize,
    closed: usize,
    accepted: usize,
}

fn send(wired: &Wired, game: &str, seed: u64, count: usize) -> Counts {
    let mut maker = Maker::new(seed, game);
    let mut counts = Counts::default();
    for _ in 0..count {
        let request = maker.next();
        let Reply { status, body, .. } = wired.send_and(&request.bytes, request.may_close);
        let what = || format!("{status:?} {body}\n{}", shown(&request.bytes));
        match status {
            Some(400..500) => counts.refused += 1,
            None => {
                assert!(request.may_close, "the connection was closed: {}", what());
                counts.closed += 1;
            }
            Some(200) => {
                assert!(request.may_succeed, "it was accepted: {}", what());
                counts.accepted += 1;
            }
            Some(_) => panic!("{}", what()),
        }
    }
    counts
}

/// Sends requests from several clients at once.
fn round(wired: &Wired, game: &str, seed: u64, count: usize) -> Counts {
    let counts = thread::scope(|scope| {
        let client = |client| scope.spawn(move || send(wired, game, seed + client as u64, count / CLIENTS));
        let clients: Vec<_> = (0..CLIENTS).map(client).collect();
        clients.into_iter().map(thread::ScopedJoinHandle::join).collect::<Vec<_>>()
    });
    let mut all = Counts::default();
    for counts in counts {
        let Counts { refused, closed, accepted } = counts.unwrap_or_else(|panic| panic::resume_unwind(panic));
        all.refused += refused;
        all.closed += closed;
        all.accepted += accepted;
    }
    all
}

#[test]
fn invalid_requests_are_refused_and_leave_nothing_behind() {
    let wanted = env::var("REQUESTS").ok().and_then(|text| text.parse().ok()).unwrap_or(1_500);
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        PANICS.fetch_add(1, Ordering::Relaxed);
        usual(info);
    }));
    let wired = Wired::start(|options| options);
    let setup = json!({ "game": "ringrift", "swap": false });
    let begun = json!({ "setup": setup, "seats": ["human", "human"] }).to_string();
    let begun = wired.ask("POST", "/api/games", &[], &begun);
    assert_eq!(begun.status, Some(201), "{}", begun.body);
    let game = begun.json();
    let id = game["id"].as_str().expect("a name").to_owned();

    // The first requests fill buffers and pools that persist; from then on memory must stay constant.
    round(&wired, &id, 1_000, wanted / 3);
    let before = resident_kb();
    let counts = round(&wired, &id, 2_000, wanted);
    let after = resident_kb();
    let Counts { refused, closed, accepted } = counts;
    eprintln!("{refused} refused, {closed} closed, {accepted} accepted; memory {before:?} to {after:?} kB");
    if let Some((before, after)) = before.zip(after) {
        assert!(after - before < GROWTH_KB, "memory grew from {before} to {after} kB");
    }
    assert_eq!(PANICS.load(Ordering::Relaxed), 0, "a request caused a panic");
    assert!(refused > wanted * 2 / 3, "most requests are HTTP");

    assert_eq!(wired.ask("GET", "/health", &[], "").json()["status"], "healthy");
    assert_eq!(wired.ask("GET", &format!("/api/games/{id}"), &[], "").json(), game, "the game is unchanged");
    let played = wired.ask("POST", &format!("/api/games/{id}/moves"), &[], r#"{"move":"+d4","ply":0}"#);
    assert_eq!(played.status, Some(200), "{}", played.body);
}
