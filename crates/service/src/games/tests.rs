use std::{net::IpAddr, time::Duration};

use tempfile::TempDir;
use tokio::time::{sleep, timeout};

use super::*;
use crate::Sort;

struct Room {
    games: Games,
    folder: TempDir,
}

impl Room {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { games: open(folder.path()), folder }
    }

    /// The service after a restart.
    fn again(self) -> Self {
        let Self { games, folder } = self;
        drop(games);
        Self { games: open(folder.path()), folder }
    }

    async fn begin(&self, json: &str) -> GameView {
        self.games.begin(serde_json::from_str(json).unwrap(), client(1)).await.unwrap()
    }

    /// The game once no agent is to move any more.
    async fn rested(&self, id: &str) -> GameView {
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
        timeout(Duration::from_secs(30), wait).await.expect("agents come to an end")
    }
}

fn client(last: u8) -> Client {
    Client::from(IpAddr::from([10, 0, 0, last]))
}

fn open(folder: &Path) -> Games {
    Games::open(&folder.join("games.db"), Work::new(16).unwrap(), 8).unwrap()
}

const SQUARE: &str = r#"{"setup":{"game":"ringrift","board":"square8","swap":false},"seats":["human","d1"]}"#;

#[tokio::test]
async fn a_person_moves_and_the_agent_answers() {
    let room = Room::new();
    let game = room.begin(SQUARE).await;
    assert_eq!((game.ply, game.view.to_move, game.can_undo), (0, Some(1), false));
    let game = room.games.play(&game.id, "++d4", Some(0)).await.unwrap();
    assert_eq!(game.view.to_move, Some(1), "the stack just placed has to move");
    room.games.play(&game.id, "d4-d6", Some(1)).await.unwrap();
    let game = room.rested(&game.id).await;
    assert_eq!(game.view.to_move, Some(1));
    let seats: Vec<usize> = game.moves.iter().map(|entry| entry.seat).collect();
    assert!(seats.contains(&2) && seats.is_sorted(), "{seats:?}");
    assert!(game.moves.iter().all(|entry| entry.auto == entry.text.starts_with("no-")), "{:?}", game.moves);
}

#[tokio::test]
async fn what_cannot_be_played_is_refused_and_changes_nothing() {
    let room = Room::new();
    let id = room.begin(SQUARE).await.id;
    for (text, ply, sort) in [
        ("d4-d6", Some(0), Sort::Input),
        ("nonsense", Some(0), Sort::Input),
        ("+z9", None, Sort::Input),
        ("+d4", Some(3), Sort::Conflict),
    ] {
        assert_eq!(room.games.play(&id, text, ply).await.unwrap_err().sort, sort, "{text}");
    }
    assert_eq!(room.games.view(&id).await.unwrap().ply, 0);
    assert_eq!(room.games.view("nobody").await.unwrap_err().sort, Sort::Missing);
    let refused = |json: &str| room.games.begin(serde_json::from_str(json).unwrap(), client(1));
    for (json, sort) in [
        (r#"{"setup":{"game":"ringrift"},"seats":["human"]}"#, Sort::Input),
        (r#"{"setup":{"game":"ringrift"},"seats":["human","gtp(\"x\")"]}"#, Sort::Forbidden),
        (r#"{"setup":{"game":"go"},"seats":["human","gtp(\"gnugo --mode gtp\")"]}"#, Sort::Forbidden),
        (r#"{"setup":{"game":"go"},"seats":["human","mcts(net=/etc/passwd)"]}"#, Sort::Forbidden),
        (r#"{"setup":{"game":"go"},"seats":["human","d9(net=/etc/passwd)"]}"#, Sort::Forbidden),
        (r#"{"setup":{"game":"ringrift","players":3,"swap":true},"seats":["human","d1","d1"]}"#, Sort::Input),
        (r#"{"seats":["human","d1"]}"#, Sort::Input),
        (r#"{"start":"square8 nonsense","seats":["human","d1"]}"#, Sort::Input),
    ] {
        let refusal = refused(json).await.unwrap_err();
        assert_eq!(refusal.sort, sort, "{json}: {refusal}");
    }
}

#[tokio::test]
async fn a_game_is_there_again_after_a_restart_and_goes_on() {
    let room = Room::new();
    let id = room.begin(SQUARE).await.id;
    room.games.play(&id, "++d4", None).await.unwrap();
    room.games.play(&id, "d4-d6", None).await.unwrap();
    let before = room.rested(&id).await;
    let room = room.again();
    room.games.go_on().await.unwrap();
    let after = room.games.view(&id).await.unwrap();
    assert_eq!(after.moves, before.moves);
    assert_eq!(after.view.text, before.view.text);
    assert_eq!(room.games.list(10).await.unwrap().len(), 1);
    let first = after.view.moves[0].text.clone();
    assert_eq!(room.games.play(&id, &first, Some(after.ply)).await.unwrap().ply, after.ply + 1);
}

#[tokio::test]
async fn taking_back_returns_to_the_last_decision_of_a_person() {
    let room = Room::new();
    let id = room.begin(SQUARE).await.id;
    let start = room.games.view(&id).await.unwrap().view.text;
    room.games.play(&id, "++d4", None).await.unwrap();
    let placed = room.games.view(&id).await.unwrap().view.text;
    room.games.play(&id, "d4-d6", None).await.unwrap();
    room.rested(&id).await;
    assert_eq!(room.games.undo(&id).await.unwrap().view.text, placed);
    let game = room.games.undo(&id).await.unwrap();
    assert_eq!((game.view.text, game.ply), (start.clone(), 0));
    assert_eq!(room.games.undo(&id).await.unwrap_err().sort, Sort::Conflict);
    let room = room.again();
    assert_eq!(room.games.view(&id).await.unwrap().view.text, start, "the file knows of it");
}

#[tokio::test]
async fn whoever_gives_up_loses() {
    let room = Room::new();
    let id = room.begin(SQUARE).await.id;
    let game = room.games.resign(&id, Some(1)).await.unwrap();
    let result = game.view.result.unwrap();
    assert_eq!((game.status, result.winner), (Status::Over, Some(2)));
    assert_eq!(room.games.play(&id, "+d4", None).await.unwrap_err().sort, Sort::Conflict);
    assert_eq!(room.games.resign(&id, None).await.unwrap_err().sort, Sort::Conflict);
    let record = room.games.look(&id, Game::record).await.unwrap();
    assert_eq!(
        record.replay().unwrap().and_then(|outcome| outcome.winner()).map(::game::Seat::number),
        Some(2)
    );
}

#[tokio::test]
async fn a_seat_that_gives_up_out_of_turn_does_so_when_its_turn_comes() {
    let room = Room::new();
    let id =
        room.begin(r#"{"setup":{"game":"go","size":5},"seats":["mcts(sims=1000000)","human"]}"#).await.id;
    let game = room.games.resign(&id, Some(2)).await.unwrap();
    assert_eq!(game.status, Status::Playing, "the agent is still thinking");
    let game = room.rested(&id).await;
    assert_eq!(game.view.result.unwrap().winner, Some(1));
}

#[tokio::test]
async fn agents_wait_step_and_go_on_as_they_are_told() {
    let room = Room::new();
    let json = r#"{"setup":{"game":"ringrift"},"seats":["d1","d1"],"paused":true}"#;
    let id = room.begin(json).await.id;
    sleep(Duration::from_millis(50)).await;
    assert_eq!(room.games.view(&id).await.unwrap().ply, 0);
    let step = Control { paused: None, delay_ms: None, step: true };
    room.games.control(&id, &step).await.unwrap();
    let mut watcher = room.games.watch(&id).await.unwrap();
    while room.games.view(&id).await.unwrap().ply == 0 {
        timeout(Duration::from_secs(10), watcher.next()).await.unwrap();
    }
    sleep(Duration::from_millis(50)).await;
    let human_like = |game: &GameView| game.moves.iter().filter(|entry| !entry.auto).count();
    assert_eq!(human_like(&room.games.view(&id).await.unwrap()), 1);
    room.games.control(&id, &Control { paused: Some(false), delay_ms: None, step: false }).await.unwrap();
    let game = room.rested(&id).await;
    assert_eq!(game.status, Status::Over);
    let record = room.games.look(&id, Game::record).await.unwrap();
    assert!(record.replay().unwrap().is_some());
}

#[tokio::test]
async fn people_agree_on_dead_stones_after_both_have_passed() {
    let room = Room::new();
    let id = room.begin(r#"{"setup":{"game":"go","size":5,"komi":0.5},"seats":["human","human"]}"#).await.id;
    for text in ["C1", "D5", "C2", "D4", "C3", "D3", "C4", "D2", "C5", "D1", "A1", "B3", "pass", "pass"] {
        room.games.play(&id, text, None).await.unwrap();
    }
    let game = room.games.view(&id).await.unwrap();
    assert_eq!(game.status, Status::Scoring);
    let score = |game: &GameView| game.view.score.clone().unwrap().text;
    assert_eq!((game.dead.clone(), score(&game)), (vec!["B3".to_owned()], "B+4.5".to_owned()));
    let game = room.games.toggle_dead(&id, "B3").await.unwrap();
    assert_eq!(game.dead, Vec::<String>::new());
    let game = room.games.toggle_dead(&id, "B3").await.unwrap();
    assert_eq!(score(&game), "B+4.5");
    assert_eq!(room.games.toggle_dead(&id, "E5").await.unwrap_err().sort, Sort::Input);
    let game = room.games.accept(&id).await.unwrap();
    assert_eq!((game.status, game.view.result.unwrap().winner), (Status::Over, Some(1)));
    let record = room.games.look(&id, Game::record).await.unwrap();
    assert_eq!(record.result.as_ref().unwrap().score.as_deref(), Some("B+4.5"));
    record.replay().unwrap();
    assert!(record::sgf::write(&record).unwrap().contains("RE[B+4.5]"));
    let room = room.again();
    assert_eq!(room.games.view(&id).await.unwrap().status, Status::Over);
}

#[tokio::test]
async fn a_swap_exchanges_the_participants() {
    let json = r#"{"setup":{"game":"ringrift","swap":true},"seats":["human","d1"]}"#;
    let begun: NewGame = serde_json::from_str(json).unwrap();
    let mut game = Game::new("swap".into(), String::new(), begun).unwrap();
    for text in ["+d4", "d4-d6"] {
        game.play(text).unwrap();
    }
    assert!(game.agent().is_some());
    game.play("swap").unwrap();
    assert_eq!(game.people(), [Seat::new(1)]);
    let kept = game.hosted.plies().to_vec();
    let (begun, progress) = (game.begun.clone(), game.progress());
    let again = Game::restored("swap".into(), String::new(), begun, kept, progress).unwrap();
    assert_eq!((again.people(), again.to_view()), (game.people(), game.to_view()));
}

#[tokio::test]
async fn a_game_goes_on_from_moves_with_and_without_the_notes_of_a_record() {
    let room = Room::new();
    let with = r#"["++d4","d4-d6","no-line","no-territory","+a1","a1-a3"]"#;
    let without = r#"["++d4","d4-d6","+a1","a1-a3"]"#;
    let mut views = Vec::new();
    for moves in [with, without] {
        let json = format!(
            r#"{{"setup":{{"game":"ringrift","swap":false}},"seats":["human","human"],"moves":{moves}}}"#
        );
        views.push(room.begin(&json).await);
    }
    assert_eq!(views[0].moves, views[1].moves);
    assert_eq!((views[0].ply, views[0].view.to_move), (8, Some(1)));
}

#[tokio::test]
async fn everybody_who_watches_hears_the_same_and_the_last_of_it() {
    let room = Room::new();
    let id = room.begin(SQUARE).await.id;
    let mut watchers = vec![room.games.watch(&id).await.unwrap(), room.games.watch(&id).await.unwrap()];
    let game = |seen: Option<Seen>| match seen {
        Some(Seen::Game(text)) => serde_json::from_slice::<serde_json::Value>(&text).unwrap(),
        other => panic!("expected a game: {other:?}"),
    };
    for watcher in &mut watchers {
        assert_eq!(game(watcher.next().await)["ply"], 0);
    }
    // Two changes that nobody hears of in between; somebody new comes after them.
    room.games.play(&id, "++d4", None).await.unwrap();
    room.games.play(&id, "d4-d6", None).await.unwrap();
    let now = room.rested(&id).await;
    watchers.push(room.games.watch(&id).await.unwrap());
    for mut watcher in watchers {
        let heard = game(watcher.next().await);
        assert_eq!(heard["moves"], serde_json::to_value(&now.moves).unwrap());
        let more = timeout(Duration::from_millis(50), watcher.next()).await;
        assert!(more.is_err(), "nothing else has happened: {more:?}");
    }
    // Nobody watched this change; whoever comes later sees it all the same.
    let first = now.view.moves[0].text.clone();
    let ply = room.games.play(&id, &first, None).await.unwrap().ply;
    let heard = game(room.games.watch(&id).await.unwrap().next().await);
    assert!(heard["ply"].as_u64().unwrap() >= ply as u64);
}

#[tokio::test]
async fn a_change_tells_what_is_new_and_legal_moves_to_people_only() {
    let room = Room::new();
    let id = room.begin(SQUARE).await.id;
    let mut watcher = room.games.watch(&id).await.unwrap();
    let Some(Seen::Game(whole)) = watcher.next().await else { panic!("the whole game comes first") };
    let (mut heard, mut changes): (Vec<serde_json::Value>, _) = (Vec::new(), 0);
    let moves = |json: &serde_json::Value| json["moves"].as_array().unwrap().clone();
    for text in ["++d4", "d4-d6"] {
        room.games.play(&id, text, None).await.unwrap();
        let now = room.rested(&id).await;
        while heard.len() < now.ply {
            match timeout(Duration::from_secs(30), watcher.next()).await.unwrap() {
                // Whoever has missed a change gets the whole game again.
                Some(Seen::Game(game)) => heard = moves(&serde_json::from_slice(&game).unwrap()),
                Some(Seen::Change(change)) => {
                    changes += 1;
                    assert!(change.len() < 2 * whole.len(), "{} bytes after {}", change.len(), whole.len());
                    let change: serde_json::Value = serde_json::from_slice(&change).unwrap();
                    heard.truncate(change["from"].as_u64().unwrap() as usize);
                    heard.extend(moves(&change));
                    let offered = !change["view"]["moves"].as_array().unwrap().is_empty();
                    let to_move = change["view"]["to_move"].as_u64();
                    assert_eq!(offered, to_move == Some(1), "seat 2 is an agent: {to_move:?}");
                }
                Some(Seen::Thinking(_)) => {}
                None => panic!("the game goes on"),
            }
        }
        assert_eq!(serde_json::Value::from(heard.clone()), serde_json::to_value(&now.moves).unwrap());
    }
    assert!(changes > 0, "the first move of a turn is one change");
    let (generations, plies) =
        room.games.look(&id, |game| (game.hosted.generations(), game.hosted.plies().len())).await.unwrap();
    assert_eq!(generations, plies as u64 + 1, "once for every position");
}

#[tokio::test]
async fn a_change_once_begun_runs_to_its_end_though_nobody_waits_for_it() {
    let room = Room::new();
    let id = room.begin(SQUARE).await.id;
    room.games.play(&id, "++d4", None).await.unwrap();
    let mut watcher = room.games.watch(&id).await.unwrap();
    assert!(matches!(watcher.next().await, Some(Seen::Game(_))));
    // The client leaves while its move is on the way to the disk.
    let left = timeout(Duration::ZERO, room.games.play(&id, "d4-d6", None)).await;
    assert!(left.is_err(), "a move is acknowledged after it is on disk");
    let heard = timeout(Duration::from_secs(30), watcher.next()).await.expect("watchers are told");
    assert!(matches!(heard, Some(Seen::Change(_))), "{heard:?}");
    let answered = async {
        while !room.games.view(&id).await.unwrap().moves.iter().any(|ply| ply.seat == 2) {
            sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(Duration::from_secs(30), answered).await.expect("the agent answers");
    let before = room.rested(&id).await;
    let room = room.again();
    assert_eq!(room.games.view(&id).await.unwrap().moves, before.moves);
}

#[tokio::test]
async fn a_watcher_hears_what_an_agent_thinks_about_the_game_it_has_seen() {
    let room = Room::new();
    let json = r#"{"setup":{"game":"go","size":9},"seats":["mcts(sims=1000000)","human"]}"#;
    let id = room.begin(json).await.id;
    let mut watcher = room.games.watch(&id).await.unwrap();
    assert!(matches!(watcher.next().await, Some(Seen::Game(_))));
    let thought = timeout(Duration::from_secs(30), watcher.next()).await.unwrap();
    let Some(Seen::Thinking(thought)) = thought else { panic!("expected a thought: {thought:?}") };
    assert_eq!(serde_json::from_slice::<serde_json::Value>(&thought).unwrap()["partial"], true);
    room.games.stop(&id).await.unwrap();
    let played = async { while !matches!(watcher.next().await, Some(Seen::Change(_))) {} };
    timeout(Duration::from_secs(30), played).await.unwrap();
}

#[tokio::test]
async fn games_that_go_on_are_bounded_and_no_client_has_them_all() {
    let room = Room::new();
    let slow = r#"{"setup":{"game":"go","size":9},"seats":["mcts(sims=1000000)","mcts(sims=1000000)"]}"#;
    let begin = |who: u8, json: &str| room.games.begin(serde_json::from_str(json).unwrap(), client(who));
    let mut ids = Vec::new();
    for _ in 0..4 {
        ids.push(begin(1, slow).await.unwrap().id);
    }
    for _ in 0..8 {
        begin(3, SQUARE).await.unwrap();
    }
    assert_eq!(begin(1, slow).await.unwrap_err().sort, Sort::Greedy, "four of eight are a share");
    for _ in 0..4 {
        ids.push(begin(2, slow).await.unwrap().id);
    }
    assert_eq!(begin(3, slow).await.unwrap_err().sort, Sort::Busy);
    assert!(room.games.counts().0 <= 16, "{:?}", room.games.counts());
    let wait = Control { paused: Some(true), delay_ms: None, step: false };
    for id in &ids {
        room.games.control(id, &wait).await.unwrap();
        room.games.stop(id).await.unwrap();
    }
    let freed = async {
        while begin(1, SQUARE).await.is_err() {
            sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(Duration::from_secs(30), freed).await.expect("games that wait are not going on");
}

#[tokio::test]
async fn more_games_than_fit_in_memory_are_all_there() {
    let room = Room::new();
    let mut ids = Vec::new();
    for _ in 0..40 {
        ids.push(room.begin(SQUARE).await.id);
    }
    assert!(room.games.counts().0 <= 9, "{:?}", room.games.counts());
    for id in ids {
        assert_eq!(room.games.play(&id, "+a1", Some(0)).await.unwrap().ply, 1);
    }
}

#[test]
fn a_foreign_file_is_refused_and_not_touched() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    let other = rusqlite::Connection::open(&path).unwrap();
    other.execute_batch("CREATE TABLE theirs (x); PRAGMA application_id = 7;").unwrap();
    drop(other);
    let before = std::fs::read(&path).unwrap();
    assert!(Games::open(&path, Work::new(1).unwrap(), 1).is_err());
    assert_eq!(std::fs::read(&path).unwrap(), before);
}
