use std::{net::IpAddr, time::Duration};

use futures_util::FutureExt;
use tempfile::TempDir;
use tokio::time::{sleep, timeout};

use super::*;
use crate::ErrorKind;

struct Fixture {
    games: Games,
    folder: TempDir,
}

impl Fixture {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { games: open(folder.path()), folder }
    }

    /// The service after a restart.
    fn restarted(self) -> Self {
        let Self { games, folder } = self;
        drop(games);
        Self { games: open(folder.path()), folder }
    }

    async fn begin(&self, json: &str) -> GameView {
        self.games.begin(serde_json::from_str(json).unwrap(), client(1)).await.unwrap()
    }

    /// Waits until no agent is to move, and returns the game.
    async fn idle(&self, id: &str) -> GameView {
        let wait = async {
            loop {
                let game = self.games.view(id).await.unwrap();
                let moving = game.view.to_move.map(|seat| &game.seats[seat - 1]);
                if moving.is_none_or(|seat| seat.who == "human") {
                    return game;
                }
                sleep(Duration::from_millis(5)).await;
            }
        };
        timeout(Duration::from_secs(30), wait).await.expect("agents finish in time")
    }
}

fn client(last: u8) -> Client {
    Client::from(IpAddr::from([10, 0, 0, last]))
}

fn open(folder: &Path) -> Games {
    Games::open(&folder.join("games.db"), Scheduler::new(16).unwrap(), 8, Arc::default()).unwrap()
}

const SQUARE: &str = r#"{"setup":{"game":"ringrift","board":"square8","swap":false},"seats":["human","d1"]}"#;

#[tokio::test]
async fn a_person_moves_and_the_agent_answers() {
    let service = Fixture::new();
    let game = service.begin(SQUARE).await;
    assert_eq!((game.ply, game.view.to_move, game.can_undo), (0, Some(1), false));
    let game = service.games.play(&game.id, "++d4", Some(0)).await.unwrap();
    assert_eq!(game.view.to_move, Some(1), "the stack just placed has to move");
    service.games.play(&game.id, "d4-d6", Some(1)).await.unwrap();
    let game = service.idle(&game.id).await;
    assert_eq!(game.view.to_move, Some(1));
    let seats: Vec<usize> = game.moves.iter().map(|entry| entry.seat).collect();
    assert!(seats.contains(&2) && seats.is_sorted(), "{seats:?}");
    assert!(game.moves.iter().all(|entry| entry.auto == entry.text.starts_with("no-")), "{:?}", game.moves);
}

#[tokio::test]
async fn invalid_requests_are_refused_and_change_nothing() {
    let service = Fixture::new();
    let id = service.begin(SQUARE).await.id;
    for (text, ply, kind) in [
        ("d4-d6", Some(0), ErrorKind::Input),
        ("nonsense", Some(0), ErrorKind::Input),
        ("+z9", None, ErrorKind::Input),
        ("+d4", Some(3), ErrorKind::Conflict),
    ] {
        assert_eq!(service.games.play(&id, text, ply).await.unwrap_err().kind, kind, "{text}");
    }
    assert_eq!(service.games.view(&id).await.unwrap().ply, 0);
    assert_eq!(service.games.view("unknown").await.unwrap_err().kind, ErrorKind::Missing);
    let refused = |json: &str| service.games.begin(serde_json::from_str(json).unwrap(), client(1));
    for (json, kind) in [
        (r#"{"setup":{"game":"ringrift"},"seats":["human"]}"#, ErrorKind::Input),
        (r#"{"setup":{"game":"ringrift"},"seats":["human","gtp(\"x\")"]}"#, ErrorKind::Forbidden),
        (r#"{"setup":{"game":"go"},"seats":["human","gtp(\"gnugo --mode gtp\")"]}"#, ErrorKind::Forbidden),
        (r#"{"setup":{"game":"go"},"seats":["human","mcts(net=/etc/passwd)"]}"#, ErrorKind::Forbidden),
        (r#"{"setup":{"game":"go"},"seats":["human","d9(net=/etc/passwd)"]}"#, ErrorKind::Forbidden),
        (r#"{"setup":{"game":"go"},"seats":["human","minimax(policy=/etc/passwd)"]}"#, ErrorKind::Forbidden),
        (
            r#"{"setup":{"game":"ringrift","players":3,"swap":true},"seats":["human","d1","d1"]}"#,
            ErrorKind::Input,
        ),
        (r#"{"seats":["human","d1"]}"#, ErrorKind::Input),
        (r#"{"start":"square8 nonsense","seats":["human","d1"]}"#, ErrorKind::Input),
    ] {
        let error = refused(json).await.unwrap_err();
        assert_eq!(error.kind, kind, "{json}: {error}");
    }
}

#[tokio::test]
async fn a_game_survives_a_restart_and_resumes() {
    let service = Fixture::new();
    let id = service.begin(SQUARE).await.id;
    service.games.play(&id, "++d4", None).await.unwrap();
    service.games.play(&id, "d4-d6", None).await.unwrap();
    let before = service.idle(&id).await;
    let service = service.restarted();
    service.games.resume_unfinished().await.unwrap();
    let after = service.games.view(&id).await.unwrap();
    assert_eq!(after.moves, before.moves);
    assert_eq!(after.view.text, before.view.text);
    assert_eq!(service.games.list(10).await.unwrap().games.len(), 1);
    let first = after.view.moves[0].text.clone();
    assert_eq!(service.games.play(&id, &first, Some(after.ply)).await.unwrap().ply, after.ply + 1);
}

#[tokio::test]
async fn an_undo_returns_to_the_last_decision_of_a_person() {
    let service = Fixture::new();
    let id = service.begin(SQUARE).await.id;
    let start = service.games.view(&id).await.unwrap().view.text;
    service.games.play(&id, "++d4", None).await.unwrap();
    let placed = service.games.view(&id).await.unwrap().view.text;
    service.games.play(&id, "d4-d6", None).await.unwrap();
    service.idle(&id).await;
    assert_eq!(service.games.undo(&id).await.unwrap().view.text, placed);
    let game = service.games.undo(&id).await.unwrap();
    assert_eq!((game.view.text, game.ply), (start.clone(), 0));
    assert_eq!(service.games.undo(&id).await.unwrap_err().kind, ErrorKind::Conflict);
    let service = service.restarted();
    assert_eq!(service.games.view(&id).await.unwrap().view.text, start, "the undo is saved");
}

#[tokio::test]
async fn the_seat_that_resigns_loses() {
    let service = Fixture::new();
    let id = service.begin(SQUARE).await.id;
    let game = service.games.resign(&id, Some(1)).await.unwrap();
    let result = game.view.result.unwrap();
    assert_eq!((game.status, result.winner), (Status::Over, Some(2)));
    assert_eq!(service.games.play(&id, "+d4", None).await.unwrap_err().kind, ErrorKind::Conflict);
    assert_eq!(service.games.resign(&id, None).await.unwrap_err().kind, ErrorKind::Conflict);
    let record = service.games.with_game(&id, Game::record).await.unwrap();
    assert_eq!(
        record.replay().unwrap().and_then(|outcome| outcome.winner()).map(::game::Seat::number),
        Some(2)
    );
}

#[tokio::test]
async fn a_resignation_out_of_turn_waits_for_the_turn() {
    let service = Fixture::new();
    let id =
        service.begin(r#"{"setup":{"game":"go","size":5},"seats":["mcts(sims=1000000)","human"]}"#).await.id;
    let game = service.games.resign(&id, Some(2)).await.unwrap();
    assert_eq!(game.status, Status::Playing, "the agent is still thinking");
    let game = service.idle(&id).await;
    assert_eq!(game.view.result.unwrap().winner, Some(1));
}

#[tokio::test]
async fn agents_pause_step_and_resume_on_request() {
    let service = Fixture::new();
    let json = r#"{"setup":{"game":"ringrift"},"seats":["d1","d1"],"paused":true}"#;
    let id = service.begin(json).await.id;
    sleep(Duration::from_millis(50)).await;
    assert_eq!(service.games.view(&id).await.unwrap().ply, 0);
    let step = Control { paused: None, delay_ms: None, step: true };
    service.games.control(&id, &step).await.unwrap();
    let mut watcher = service.games.watch(&id).await.unwrap();
    while service.games.view(&id).await.unwrap().ply == 0 {
        timeout(Duration::from_secs(10), watcher.next()).await.unwrap();
    }
    sleep(Duration::from_millis(50)).await;
    let decisions = |game: &GameView| game.moves.iter().filter(|entry| !entry.auto).count();
    assert_eq!(decisions(&service.games.view(&id).await.unwrap()), 1);
    service.games.control(&id, &Control { paused: Some(false), delay_ms: None, step: false }).await.unwrap();
    let game = service.idle(&id).await;
    assert_eq!(game.status, Status::Over);
    let record = service.games.with_game(&id, Game::record).await.unwrap();
    assert!(record.replay().unwrap().is_some());
}

#[tokio::test]
async fn people_agree_on_dead_stones_after_both_have_passed() {
    let service = Fixture::new();
    let id =
        service.begin(r#"{"setup":{"game":"go","size":5,"komi":0.5},"seats":["human","human"]}"#).await.id;
    for text in ["C1", "D5", "C2", "D4", "C3", "D3", "C4", "D2", "C5", "D1", "A1", "B3", "pass", "pass"] {
        service.games.play(&id, text, None).await.unwrap();
    }
    let game = service.games.view(&id).await.unwrap();
    assert_eq!(game.status, Status::Scoring);
    let score = |game: &GameView| game.view.score.clone().unwrap().text;
    assert_eq!((game.dead.clone(), score(&game)), (vec!["B3".to_owned()], "B+4.5".to_owned()));
    let game = service.games.toggle_dead(&id, "B3").await.unwrap();
    assert_eq!(game.dead, Vec::<String>::new());
    let game = service.games.toggle_dead(&id, "B3").await.unwrap();
    assert_eq!(score(&game), "B+4.5");
    assert_eq!(service.games.toggle_dead(&id, "E5").await.unwrap_err().kind, ErrorKind::Input);
    let game = service.games.accept(&id).await.unwrap();
    assert_eq!((game.status, game.view.result.unwrap().winner), (Status::Over, Some(1)));
    let record = service.games.with_game(&id, Game::record).await.unwrap();
    assert_eq!(record.result.as_ref().unwrap().score.as_deref(), Some("B+4.5"));
    record.replay().unwrap();
    assert!(record::sgf::write(&record).unwrap().contains("RE[B+4.5]"));
    let service = service.restarted();
    assert_eq!(service.games.view(&id).await.unwrap().status, Status::Over);
}

#[tokio::test]
async fn a_swap_exchanges_the_participants() {
    let json = r#"{"setup":{"game":"ringrift","swap":true},"seats":["human","d1"]}"#;
    let begun: NewGame = serde_json::from_str(json).unwrap();
    let mut game = Game::new("swap".into(), String::new(), begun, &Models::default()).unwrap();
    for text in ["+d4", "d4-d6"] {
        game.play(text).unwrap();
    }
    assert!(game.agent().is_some());
    game.play("swap").unwrap();
    assert_eq!(game.people(), [Seat::new(1)]);
    let moves = game.hosted.plies().to_vec();
    let (begun, progress) = (game.begun.clone(), game.progress());
    let again =
        Game::restored("swap".into(), String::new(), begun, moves, progress, &Models::default()).unwrap();
    assert_eq!((again.people(), again.to_view()), (game.people(), game.to_view()));
}

#[tokio::test]
async fn initial_moves_may_omit_bookkeeping_moves() {
    let service = Fixture::new();
    let with = r#"["++d4","d4-d6","no-line","no-territory","+a1","a1-a3"]"#;
    let without = r#"["++d4","d4-d6","+a1","a1-a3"]"#;
    let mut views = Vec::new();
    for moves in [with, without] {
        let json = format!(
            r#"{{"setup":{{"game":"ringrift","swap":false}},"seats":["human","human"],"moves":{moves}}}"#
        );
        views.push(service.begin(&json).await);
    }
    assert_eq!(views[0].moves, views[1].moves);
    assert_eq!((views[0].ply, views[0].view.to_move), (8, Some(1)));
}

#[tokio::test]
async fn all_watchers_receive_the_latest_state() {
    let service = Fixture::new();
    let id = service.begin(SQUARE).await.id;
    let mut watchers = vec![service.games.watch(&id).await.unwrap(), service.games.watch(&id).await.unwrap()];
    let game = |seen: Option<WatchEvent>| match seen {
        Some(WatchEvent::Game(text)) => serde_json::from_slice::<serde_json::Value>(&text).unwrap(),
        other => panic!("expected a game: {other:?}"),
    };
    for watcher in &mut watchers {
        assert_eq!(game(watcher.next().await)["ply"], 0);
    }
    // Two changes that no watcher reads in between, and a new watcher after them.
    service.games.play(&id, "++d4", None).await.unwrap();
    service.games.play(&id, "d4-d6", None).await.unwrap();
    let now = service.idle(&id).await;
    watchers.push(service.games.watch(&id).await.unwrap());
    for mut watcher in watchers {
        let received = game(watcher.next().await);
        assert_eq!(received["moves"], serde_json::to_value(&now.moves).unwrap());
        let more = timeout(Duration::from_millis(50), watcher.next()).await;
        assert!(more.is_err(), "there is no further event: {more:?}");
    }
    // This change has no watchers; a later watcher still receives it.
    let first = now.view.moves[0].text.clone();
    let ply = service.games.play(&id, &first, None).await.unwrap().ply;
    let received = game(service.games.watch(&id).await.unwrap().next().await);
    assert!(received["ply"].as_u64().unwrap() >= ply as u64);
}

#[tokio::test]
async fn a_change_contains_new_moves_and_legal_moves_for_people_only() {
    let service = Fixture::new();
    let id = service.begin(SQUARE).await.id;
    let mut watcher = service.games.watch(&id).await.unwrap();
    let Some(WatchEvent::Game(whole)) = watcher.next().await else { panic!("the whole game comes first") };
    let (mut received, mut changes): (Vec<serde_json::Value>, _) = (Vec::new(), 0);
    let moves = |json: &serde_json::Value| json["moves"].as_array().unwrap().clone();
    for text in ["++d4", "d4-d6"] {
        service.games.play(&id, text, None).await.unwrap();
        let now = service.idle(&id).await;
        while received.len() < now.ply {
            match timeout(Duration::from_secs(30), watcher.next()).await.unwrap() {
                // A watcher that has missed a change gets the whole game again.
                Some(WatchEvent::Game(game)) => received = moves(&serde_json::from_slice(&game).unwrap()),
                Some(WatchEvent::Change(change)) => {
                    changes += 1;
                    assert!(change.len() < 2 * whole.len(), "{} bytes after {}", change.len(), whole.len());
                    let change: serde_json::Value = serde_json::from_slice(&change).unwrap();
                    received.truncate(change["from"].as_u64().unwrap() as usize);
                    received.extend(moves(&change));
                    let offered = !change["view"]["moves"].as_array().unwrap().is_empty();
                    let to_move = change["view"]["to_move"].as_u64();
                    assert_eq!(offered, to_move == Some(1), "seat 2 is an agent: {to_move:?}");
                }
                Some(WatchEvent::Thinking(_)) => {}
                None => panic!("the game continues"),
            }
        }
        assert_eq!(serde_json::Value::from(received.clone()), serde_json::to_value(&now.moves).unwrap());
    }
    assert!(changes > 0, "the first move of a turn is one change");
    let (generations, plies) = service
        .games
        .with_game(&id, |game| (game.hosted.generations(), game.hosted.plies().len()))
        .await
        .unwrap();
    assert_eq!(generations, plies as u64 + 1, "once for every position");
}

#[tokio::test]
async fn a_change_is_completed_even_if_the_client_disconnects() {
    let service = Fixture::new();
    let id = service.begin(SQUARE).await.id;
    service.games.play(&id, "++d4", None).await.unwrap();
    let mut watcher = service.games.watch(&id).await.unwrap();
    assert!(matches!(watcher.next().await, Some(WatchEvent::Game(_))));
    // The client disconnects before its move is on disk: the request is polled once and dropped.
    let left = service.games.play(&id, "d4-d6", None).now_or_never();
    assert!(left.is_none(), "a move is acknowledged after it is on disk");
    let event = timeout(Duration::from_secs(30), watcher.next()).await.expect("watchers are notified");
    assert!(matches!(event, Some(WatchEvent::Change(_))), "{event:?}");
    let answered = async {
        while !service.games.view(&id).await.unwrap().moves.iter().any(|ply| ply.seat == 2) {
            sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(Duration::from_secs(30), answered).await.expect("the agent answers");
    let before = service.idle(&id).await;
    let service = service.restarted();
    assert_eq!(service.games.view(&id).await.unwrap().moves, before.moves);
}

#[tokio::test]
async fn an_undo_is_completed_even_if_the_client_disconnects() {
    let service = Fixture::new();
    let id = service.begin(SQUARE).await.id;
    service.games.play(&id, "++d4", None).await.unwrap();
    let mut watcher = service.games.watch(&id).await.unwrap();
    assert!(matches!(watcher.next().await, Some(WatchEvent::Game(_))));
    let left = service.games.undo(&id).now_or_never();
    assert!(left.is_none(), "an undo is acknowledged after it is on disk");
    let event = timeout(Duration::from_secs(30), watcher.next()).await.expect("watchers are notified");
    assert!(matches!(event, Some(WatchEvent::Change(_))), "{event:?}");
    assert_eq!(service.games.view(&id).await.unwrap().ply, 0);
    let service = service.restarted();
    assert_eq!(service.games.view(&id).await.unwrap().ply, 0, "the undo is saved");
}

#[tokio::test]
async fn an_agent_whose_move_could_not_be_saved_moves_when_the_game_is_opened_again() {
    let service = Fixture::new();
    let id = service.begin(SQUARE).await.id;
    let database = rusqlite::Connection::open(service.folder.path().join("games.db")).unwrap();
    let full = "CREATE TRIGGER full BEFORE INSERT ON moves WHEN NEW.entry LIKE '%\"seat\":2%'
                BEGIN SELECT RAISE(FAIL, 'the disk is full'); END";
    database.execute_batch(full).unwrap();
    for text in ["++d4", "d4-d6"] {
        service.games.play(&id, text, None).await.unwrap();
    }
    let active = service.games.inner.cache.get(&id).unwrap();
    let gave_up = async {
        while active.driven.load(Ordering::Relaxed) {
            sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(Duration::from_secs(30), gave_up).await.expect("the agent gives up");
    assert!(active.state.lock().await.game.agent().is_some(), "what is not on disk was not played");
    database.execute_batch("DROP TRIGGER full").unwrap();
    let game = service.idle(&id).await;
    assert!(game.moves.iter().any(|ply| ply.seat == 2), "{:?}", game.moves);
}

#[tokio::test]
async fn a_damaged_row_hides_no_other_game() {
    let service = Fixture::new();
    let ids =
        [service.begin(SQUARE).await.id, service.begin(SQUARE).await.id, service.begin(SQUARE).await.id];
    let database = rusqlite::Connection::open(service.folder.path().join("games.db")).unwrap();
    database.execute("UPDATE games SET begun = '{' WHERE id = ?1", [&ids[0]]).unwrap();
    database.execute("UPDATE games SET plies = 'many', begun = x'ff' WHERE id = ?1", [&ids[1]]).unwrap();
    let service = service.restarted();
    service.games.resume_unfinished().await.unwrap();
    let list = service.games.list(10).await.unwrap();
    assert_eq!(list.games.iter().map(|game| game.id.as_str()).collect::<Vec<_>>(), [&ids[2]]);
    assert_eq!(list.unreadable.len(), 2, "{:?}", list.unreadable);
    assert_eq!(service.games.view(&ids[0]).await.unwrap_err().kind, ErrorKind::Internal);
    assert_eq!(service.games.view(&ids[2]).await.unwrap().ply, 0);
}

#[tokio::test]
async fn a_watcher_receives_the_progress_of_a_search() {
    let service = Fixture::new();
    let json = r#"{"setup":{"game":"go","size":9},"seats":["mcts(sims=1000000)","human"]}"#;
    let id = service.begin(json).await.id;
    let mut watcher = service.games.watch(&id).await.unwrap();
    assert!(matches!(watcher.next().await, Some(WatchEvent::Game(_))));
    let report = timeout(Duration::from_secs(30), watcher.next()).await.unwrap();
    let Some(WatchEvent::Thinking(report)) = report else { panic!("expected a report: {report:?}") };
    assert_eq!(serde_json::from_slice::<serde_json::Value>(&report).unwrap()["partial"], true);
    service.games.stop(&id).await.unwrap();
    let played = async { while !matches!(watcher.next().await, Some(WatchEvent::Change(_))) {} };
    timeout(Duration::from_secs(30), played).await.unwrap();
}

#[tokio::test]
async fn active_games_are_bounded_in_total_and_per_client() {
    let service = Fixture::new();
    let slow = r#"{"setup":{"game":"go","size":9},"seats":["mcts(sims=1000000)","mcts(sims=1000000)"]}"#;
    let begin = |who: u8, json: &str| service.games.begin(serde_json::from_str(json).unwrap(), client(who));
    let mut ids = Vec::new();
    for _ in 0..4 {
        ids.push(begin(1, slow).await.unwrap().id);
    }
    for _ in 0..8 {
        begin(3, SQUARE).await.unwrap();
    }
    assert_eq!(
        begin(1, slow).await.unwrap_err().kind,
        ErrorKind::QuotaExceeded,
        "the quota is four of eight"
    );
    for _ in 0..4 {
        ids.push(begin(2, slow).await.unwrap().id);
    }
    assert_eq!(begin(3, slow).await.unwrap_err().kind, ErrorKind::Busy);
    assert!(service.games.counts().0 <= 16, "{:?}", service.games.counts());
    let wait = Control { paused: Some(true), delay_ms: None, step: false };
    for id in &ids {
        service.games.control(id, &wait).await.unwrap();
        service.games.stop(id).await.unwrap();
    }
    let freed = async {
        while begin(1, SQUARE).await.is_err() {
            sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(Duration::from_secs(30), freed).await.expect("paused games are not active");
}

#[tokio::test]
async fn games_evicted_from_memory_can_be_played() {
    let service = Fixture::new();
    let mut ids = Vec::new();
    for _ in 0..40 {
        ids.push(service.begin(SQUARE).await.id);
    }
    assert!(service.games.counts().0 <= 9, "{:?}", service.games.counts());
    for id in ids {
        assert_eq!(service.games.play(&id, "+a1", Some(0)).await.unwrap().ply, 1);
    }
}

#[test]
fn a_database_of_another_program_is_refused_and_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    let other = rusqlite::Connection::open(&path).unwrap();
    other.execute_batch("CREATE TABLE theirs (x); PRAGMA application_id = 7;").unwrap();
    drop(other);
    let before = std::fs::read(&path).unwrap();
    assert!(Games::open(&path, Scheduler::new(1).unwrap(), 1, Arc::default()).is_err());
    assert_eq!(std::fs::read(&path).unwrap(), before);
}
