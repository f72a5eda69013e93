//! An unfriendly day in the life of the service: malformed requests, clients that leave during their moves, watchers that
//! do not read, and kills. Nothing may get stuck or lost.
//!
//! The counts are small by default. A long run, which prints the latency of `/live` and the memory use:
//!
//! ```text
//! REQUESTS=10000 ABANDONED=300 KILLS=100 cargo test --release -p app --test endurance -- --nocapture
//! ```

#![allow(clippy::print_stderr, reason = "prints its measurements")]

#[path = "../../service/tests/robust/requests.rs"]
#[allow(dead_code, reason = "the tests of the service use the rest")]
mod requests;
#[path = "support/server.rs"]
mod server;

use std::{
    env,
    io::{Read, Write},
    net::{Shutdown, SocketAddr, TcpStream},
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use requests::Maker;
use server::{Served, TIMEOUT, try_to_ask};

/// A count from the environment.
fn count(name: &str, default: usize) -> usize {
    env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Measures the latency of `/live` until it is stopped.
struct Pulse {
    times: Mutex<Vec<Duration>>,
    stop: AtomicBool,
}

impl Pulse {
    /// Runs `work` while the latency is being measured, and returns its result.
    fn during<T>(&self, address: SocketAddr, work: impl FnOnce() -> T) -> T {
        self.stop.store(false, Ordering::Relaxed);
        thread::scope(|scope| {
            scope.spawn(|| {
                while !self.stop.load(Ordering::Relaxed) {
                    let begun = Instant::now();
                    // A service that is being killed need not answer.
                    if try_to_ask(address, "GET", "/live", None).is_ok_and(|answer| answer.status == 200) {
                        self.times.lock().expect("no panic").push(begun.elapsed());
                    }
                    thread::sleep(Duration::from_millis(5));
                }
            });
            let _stop = StopOnDrop(&self.stop);
            work()
        })
    }

    fn report(&self, phase: &str) {
        let mut times = std::mem::take(&mut *self.times.lock().expect("no panic"));
        times.sort_unstable();
        let percentile = |share: f64| {
            times.get(((times.len().max(1) - 1) as f64 * share) as usize).map_or(0.0, Duration::as_secs_f64)
                * 1e3
        };
        let (p50, p99, longest) = (percentile(0.5), percentile(0.99), percentile(1.0));
        eprintln!(
            "{phase}: {} × /live, p50 {p50:.1} ms, p99 {p99:.1} ms, longest {longest:.1} ms",
            times.len()
        );
    }
}

/// Sets a flag when it is dropped, also by a panic.
struct StopOnDrop<'a>(&'a AtomicBool);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Sends malformed requests from several clients. The service must answer every one or close the connection.
fn send_malformed(address: SocketAddr, game: &str, requests: usize) {
    let client = |seed: u64| {
        let mut maker = Maker::new(seed, game);
        for _ in 0..requests / 4 {
            let request = maker.next();
            let Ok(mut stream) = TcpStream::connect(address) else { panic!("the service is gone") };
            stream.set_read_timeout(Some(TIMEOUT)).expect("a timeout");
            let _ = stream.write_all(&request.bytes);
            if request.may_close {
                let _ = stream.shutdown(Shutdown::Write);
            }
            let mut answer = Vec::new();
            if let Err(error) = stream.read_to_end(&mut answer) {
                let hangs =
                    matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut);
                assert!(!hangs, "no answer to {}", request.bytes.escape_ascii());
            }
            assert!(!answer.starts_with(b"HTTP/1.1 5"), "{}", answer.escape_ascii());
        }
    };
    thread::scope(|scope| {
        for seed in 0..4 {
            scope.spawn(move || client(seed));
        }
    });
}

/// Plays games against an agent. The client leaves as soon as it has sent a move. Returns how many moves were played.
fn abandon_moves(server: &Served, moves: usize) -> usize {
    let (mut id, mut played) = (String::new(), 0);
    for _ in 0..moves {
        if id.is_empty() || server.game(&id)["status"] != "playing" {
            let setup = json!({ "game": "ringrift", "board": "square8" });
            id = server.begin(&json!({ "setup": setup, "seats": ["human", "d1"] }));
        }
        let game = waits_for_person(server, &id);
        let Some(choice) = game["view"]["moves"].as_array().and_then(|moves| moves.get(moves.len() / 2))
        else {
            continue;
        };
        let body = json!({ "move": choice["text"], "ply": game["ply"] }).to_string();
        let mut stream = TcpStream::connect(server.address()).expect("a connection");
        write!(
            stream,
            "POST /api/games/{id}/moves HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        )
        .expect("it is sent");
        drop(stream);
        // The move was played or not, but the game goes on.
        let after = waits_for_person(server, &id);
        played += usize::from(after["ply"].as_u64() > game["ply"].as_u64());
    }
    played
}

/// Waits until a person is to move or the game is over, and returns the game.
fn waits_for_person(server: &Served, id: &str) -> Value {
    let begun = Instant::now();
    loop {
        let game = server.game(id);
        let seat = game["view"]["to_move"].as_u64().map(|seat| &game["seats"][seat as usize - 1]);
        if seat.is_none_or(|seat| seat["who"] == "human") {
            return game;
        }
        assert!(begun.elapsed() < TIMEOUT, "the game is stuck: {game}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Opens event streams of a game that nobody reads, while the game changes.
fn watch_without_reading(server: &Served, watchers: usize, changes: usize) -> Vec<TcpStream> {
    let setup = json!({ "game": "ringrift", "board": "hexagonal" });
    let id = server.begin(&json!({ "setup": setup, "seats": ["human", "human"], "paused": true }));
    let watch = |_| {
        let mut stream = TcpStream::connect(server.address()).expect("a connection");
        write!(stream, "GET /api/games/{id}/events HTTP/1.1\r\nHost: localhost\r\n\r\n").expect("it is sent");
        stream
    };
    let streams: Vec<TcpStream> = (0..watchers).map(watch).collect();
    for change in 0..changes {
        let control = json!({ "paused": change % 2 == 0 });
        server.post(&format!("/api/games/{id}/control"), &control).json(200);
    }
    streams
}

/// The moves of a game, in order.
fn moves(game: &Value) -> Vec<String> {
    let text = |entry: &Value| entry["text"].as_str().expect("a move").to_owned();
    game["moves"].as_array().expect("a list of moves").iter().map(text).collect()
}

/// Prints the memory that the service holds, and returns it in megabytes.
fn memory(server: &Served, phase: &str) -> f64 {
    // A thread returns freed memory to the system, after some milliseconds, when it has something to do.
    for _ in 0..100 {
        server.get("/live");
        thread::sleep(Duration::from_millis(5));
    }
    let megabytes = server.allocated_kb().map_or(0.0, |kb| kb as f64 / 1024.0);
    eprintln!("memory {phase}: {megabytes:.1} MB");
    megabytes
}

/// What the service may hold in megabytes whatever it held before: pools and caches that are filled on demand.
const POOLS: f64 = 40.0;

#[test]
fn malformed_requests_abandoned_moves_and_watchers_that_do_not_read() {
    let (requests, abandoned) = (count("REQUESTS", 400), count("ABANDONED", 12));
    let watchers = count("WATCHERS", 40);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Served::start(folder.path());
    let setup = json!({ "game": "ringrift", "swap": false });
    let id = server.begin(&json!({ "setup": setup, "seats": ["human", "human"] }));
    let before = server.game(&id);
    let pulse = Pulse { times: Mutex::default(), stop: AtomicBool::new(false) };
    // The first requests fill buffers and pools that persist.
    send_malformed(server.address(), &id, requests.min(400));
    abandon_moves(&server, abandoned.min(12));
    let start = memory(&server, "at the start");

    pulse.during(server.address(), || send_malformed(server.address(), &id, requests));
    pulse.report(&format!("{requests} malformed requests"));
    assert_eq!(server.game(&id), before, "the game is unchanged");
    memory(&server, "after malformed requests");

    let played = pulse.during(server.address(), || abandon_moves(&server, abandoned));
    pulse.report(&format!("{abandoned} abandoned moves, {played} of them played"));
    memory(&server, "after abandoned moves");

    let streams = pulse.during(server.address(), || watch_without_reading(&server, watchers, 60));
    pulse.report(&format!("{watchers} watchers that do not read"));
    memory(&server, "with watchers");
    drop(streams);
    let begun = Instant::now();
    let open = |server: &Served| !server.get("/metrics").body.contains("riftlab_streams_open 0");
    while open(&server) {
        assert!(begun.elapsed() < TIMEOUT, "streams of clients that have left are open");
    }
    let end = memory(&server, "after watchers");
    assert!(end <= 1.2 * start.max(POOLS), "{start:.1} MB at the start, {end:.1} MB at the end");
    assert_eq!(server.get("/health").json(200)["status"], "healthy");
}

#[test]
fn kills_at_any_moment_lose_nothing() {
    let kills = count("KILLS", 3);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut server = Served::start(folder.path());
    let setup = json!({ "game": "ringrift", "board": "square8" });
    let mut ids = Vec::new();
    for seats in [["human", "d1"], ["d1", "d1"], ["human", "human"]] {
        ids.push(server.begin(&json!({ "setup": setup, "seats": seats, "delay_ms": 3 })));
    }
    let pulse = Pulse { times: Mutex::default(), stop: AtomicBool::new(false) };
    let mut state = 1_u64;
    let mut acknowledged: Vec<Vec<String>> = vec![Vec::new(); ids.len()];
    for kill in 0..kills {
        // Plays for a random number of moves; the last ones are in flight when the service is killed.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let requests = (state >> 33) as usize % 40;
        let address = server.address();
        pulse.during(address, || {
            for request in 0..requests {
                let which = request % ids.len();
                let game = server.game(&ids[which]);
                acknowledged[which] = moves(&game);
                let legal = game["view"]["moves"].as_array().expect("moves");
                if let Some(choice) = legal.get(legal.len() / 3) {
                    let body = json!({ "move": choice["text"], "ply": game["ply"] });
                    let path = format!("/api/games/{}/moves", ids[which]);
                    let answer = server.post(&path, &body);
                    // An agent may have moved, or be to move.
                    if answer.status == 200 {
                        acknowledged[which] = moves(&answer.json(200));
                    }
                }
            }
        });
        // One more move is on its way at the moment of the kill.
        let (id, victim) = (ids[2].clone(), server.game(&ids[2]));
        let flight = thread::spawn(move || {
            let body = json!({ "move": victim["view"]["moves"][0]["text"], "ply": victim["ply"] });
            try_to_ask(address, "POST", &format!("/api/games/{id}/moves"), Some(&body))
        });
        thread::sleep(Duration::from_micros(state >> 52));
        server.kill();
        if let Ok(Ok(answer)) = flight.join()
            && answer.status == 200
        {
            acknowledged[2] = moves(&answer.json(200));
        }
        server = Served::start(folder.path());
        for (id, acknowledged) in ids.iter_mut().zip(&mut acknowledged) {
            let game = server.game(id);
            let kept = moves(&game);
            assert!(
                kept.starts_with(acknowledged),
                "kill {kill}: acknowledged {acknowledged:?}, kept {kept:?}"
            );
            if game["status"] == "over" {
                let seats: Vec<Value> = game["seats"].as_array().expect("seats").clone();
                let seat = |seat: &Value| seat["spec"].as_str().unwrap_or("human").to_owned();
                let seats: Vec<String> = seats.iter().map(seat).collect();
                *id = server.begin(&json!({ "setup": setup, "seats": seats, "delay_ms": 3 }));
                acknowledged.clear();
            }
        }
    }
    pulse.report(&format!("{kills} kills"));
    waits_for_person(&server, &ids[0]);
    assert_eq!(server.get("/health").json(200)["status"], "healthy");
}
