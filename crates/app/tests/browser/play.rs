//! Complete games by clicks, and the controls of the play page.

use std::collections::BTreeSet;

use record::GameKind;
use serde_json::json;

use crate::{
    driver::Key,
    hand::{Whim, offers},
    harness::{Browser, Screen, run_test},
};

/// Starts a game with the dialog of a new game, and returns its id.
fn start(browser: &Browser, fields: &[(&str, &str)]) -> String {
    let before = browser.data_attribute("game");
    browser.press("new-game");
    for (field, value) in fields {
        let selector = format!("dialog [data-test=\"{field}\"]");
        browser.find(&selector);
        if browser.count(&format!("{selector} input[type=radio]")) > 0 {
            browser.click(&format!("{selector} label:has(input[value=\"{value}\"])"));
        } else {
            browser.select(&selector, value);
        }
    }
    browser.press("start");
    browser.until_with(
        "document.body.dataset.ready === 'true' && document.body.dataset.game \
             && document.body.dataset.game !== args[0]",
        &[json!(before)],
    );
    browser.data_attribute("game")
}

/// Plays a game to its end for all people, and returns the kinds of moves they played.
fn play_out(browser: &Browser, id: &str, seed: u64) -> BTreeSet<String> {
    let mut whim = Whim::new(seed);
    let mut kinds = BTreeSet::new();
    let mut game = browser.my_turn(id);
    while game["status"] == "playing" {
        let offer = whim.choose(&offers(&game));
        game = browser.play(id, &offer.text);
        kinds.insert(offer.kind);
    }
    assert_eq!(game["status"], "over");
    let shown = browser.text("result");
    assert!(shown.contains("wins") || shown.contains("Nobody"), "{shown}");
    kinds
}

#[test]
fn a_game_on_a_square_board_against_an_agent_is_played_by_clicks() {
    run_test(Screen::Desktop, |browser| {
        browser.settings(&json!({ "pace": 0 }));
        browser.open("/");
        let id = start(browser, &[("board", "square8"), ("seat-2-who", "d2")]);
        let kinds = play_out(browser, &id, 1);
        assert!(kinds.contains("place_ring") && kinds.contains("move_stack"), "{kinds:?}");
        let record = browser.server.get(&format!("/api/games/{id}/record")).json(200);
        assert_eq!(record["players"], json!(["human", "d2"]));
        assert!(record["result"].is_object(), "{}", record["result"]);
    });
}

#[test]
fn a_game_on_a_hex_board_against_an_agent_is_played_by_clicks() {
    run_test(Screen::Desktop, |browser| {
        browser.settings(&json!({ "pace": 0 }));
        browser.open("/");
        let id = start(browser, &[("board", "hex8"), ("seat-2-who", "d2")]);
        assert_eq!(browser.server.game(&id)["setup"]["board"], "hex8");
        play_out(browser, &id, 2);
    });
}

#[test]
fn two_people_and_an_agent_play_a_three_player_game() {
    run_test(Screen::Desktop, |browser| {
        browser.settings(&json!({ "pace": 0 }));
        browser.open("/");
        let seats = [("players", "3"), ("seat-2-who", "d1"), ("seat-3-who", "human")];
        let id = start(browser, &seats);
        for seat in 1..=3 {
            browser.hook(&format!("seat-{seat}"));
        }
        play_out(browser, &id, 3);
        let game = browser.server.game(&id);
        let moved =
            |seat: u64| game["moves"].as_array().is_some_and(|moves| moves.iter().any(|m| m["seat"] == seat));
        assert!((1..=3).all(moved), "every player had a turn");
        assert_eq!(game["view"]["result"]["ranking"].as_array().map(Vec::len), Some(3));
    });
}

#[test]
fn a_game_of_go_is_scored_after_dead_stones_are_marked() {
    run_test(Screen::Desktop, |browser| {
        browser.open("/");
        let id = start(browser, &[("game", "go"), ("size", "5"), ("seat-2-who", "human")]);
        // Black owns the left three columns, with a dead white stone in them.
        for text in ["C1", "D1", "C2", "D2", "C3", "D3", "C4", "D4", "C5", "D5", "pass", "A3", "pass", "pass"]
        {
            browser.play(&id, text);
        }
        assert_eq!(browser.data_attribute("status"), "scoring");
        let dead = || browser.server.game(&id)["dead"].clone();
        if dead() != json!([]) {
            browser.cell("A3");
            browser.until("document.querySelectorAll('.man.dead').length === 0");
        }
        assert_eq!(dead(), json!([]));
        let with_it = browser.server.game(&id)["view"]["score"]["text"].clone();
        browser.cell("A3");
        browser.until("document.querySelectorAll('.man.dead').length === 1");
        assert_eq!(dead(), json!(["A3"]));
        assert_ne!(browser.server.game(&id)["view"]["score"]["text"], with_it);
        browser.press("accept-score");
        browser.until("document.body.dataset.status === 'over'");
        let game = browser.server.game(&id);
        // 15 points against 10 and komi 7.5.
        assert_eq!(game["view"]["score"]["text"], "W+2.5");
        assert_eq!(game["view"]["result"]["winner"], 2);
        assert!(browser.text("result").contains("White"));
    });
}

#[test]
fn a_reloaded_page_resumes_the_same_game() {
    run_test(Screen::Desktop, |browser| {
        browser.open("/");
        let id = start(browser, &[("seat-2-who", "human")]);
        browser.play(&id, "++d4");
        let game = browser.play(&id, "d4-d6");
        let drawn = "document.querySelector('.men').innerHTML";
        let before = browser.eval(drawn, &[]);
        browser.driver.reload();
        browser.ready();
        assert_eq!(browser.my_turn(&id), game);
        assert_eq!(browser.eval(drawn, &[]), before);
        assert_eq!(browser.play(&id, "+f3")["ply"].as_u64(), game["ply"].as_u64().map(|ply| ply + 1));
        // Without an id in the URL, the unfinished game is resumed.
        browser.open("/");
        assert_eq!(browser.data_attribute("game"), id);
    });
}

#[test]
fn two_tabs_with_one_game_stay_in_sync() {
    run_test(Screen::Desktop, |browser| {
        let seats = json!({ "setup": { "game": "ringrift", "swap": false }, "seats": ["human", "human"] });
        let id = browser.server.begin(&seats);
        let path = format!("/game/{id}");
        browser.open(&path);
        let first = browser.driver.tab();
        let second = browser.driver.new_tab();
        browser.driver.switch_to(&second);
        browser.open(&path);
        for (tab, text) in [(&second, "+d4"), (&first, "d4-d5"), (&second, "+++e2"), (&first, "e2-e5")] {
            browser.driver.switch_to(tab);
            // The tab shows the move of the other tab, and its own move is accepted.
            browser.play(&id, text);
        }
        browser.driver.switch_to(&second);
        browser.my_turn(&id);
        assert_eq!(browser.count("[data-test=\"moves\"] [data-ply]"), 4);
    });
}

#[test]
fn a_move_can_be_undone_and_a_game_resigned() {
    run_test(Screen::Desktop, |browser| {
        browser.open("/");
        let id = start(browser, &[("seat-2-who", "d1")]);
        let before = browser.my_turn(&id)["view"]["text"].clone();
        browser.play(&id, "+d4");
        browser.press("undo");
        browser.until("document.body.dataset.ply === '0' && !document.body.dataset.busy");
        assert_eq!(browser.my_turn(&id)["view"]["text"], before);
        browser.press("resign");
        browser.press("confirm-yes");
        browser.until("document.body.dataset.status === 'over'");
        assert_eq!(browser.server.game(&id)["view"]["result"]["winner"], 2);
        assert!(browser.text("result").contains("resignation"));
    });
}

/// Moves the cursor on the board to a cell with the arrow keys.
fn walk(browser: &Browser, to: &str) {
    let place = |at: &str| (i32::from(at.as_bytes()[0]), i32::from(at.as_bytes()[1]));
    for _ in 0..20 {
        let at = browser.eval("document.activeElement.getAttribute('aria-activedescendant')", &[]);
        let at = at.as_str().and_then(|id| id.rsplit_once('-')).map(|(_, at)| at.to_owned());
        let arrow = match at.as_deref().map(|at| (place(at), place(to))) {
            Some((here, there)) if here == there => return,
            Some((here, there)) if here.0 < there.0 => Key::Right,
            Some((here, there)) if here.0 > there.0 => Key::Left,
            Some((here, there)) if here.1 > there.1 => Key::Down,
            // The first arrow puts the cursor on the board.
            _ => Key::Up,
        };
        browser.keys(&[arrow.into()]);
    }
    panic!("the cursor never came to {to}");
}

#[test]
fn a_game_can_be_played_with_the_keyboard_alone() {
    run_test(Screen::Desktop, |browser| {
        let seats = json!({ "setup": { "game": "ringrift", "swap": false }, "seats": ["human", "human"] });
        let id = browser.server.begin(&seats);
        browser.open(&format!("/game/{id}"));
        browser.keys(&['b']);
        browser.until("document.activeElement.dataset.test === 'board'");
        let turns: [(&str, Option<char>, &str, &str); 2] =
            [("c3", Some('2'), "++c3", "c5"), ("f6", None, "+f6", "h6")];
        let mut ply = 0;
        for (from, number, placed, to) in turns {
            walk(browser, from);
            browser.keys(&[Key::Enter.into()]);
            browser.until("!document.querySelector('[data-test=\"chooser\"]').hidden");
            // Menu entries are selected by number, or by Enter on the focused one.
            browser.keys(&[number.unwrap_or(Key::Enter.into())]);
            browser.until_with("document.body.dataset.ply > args[0]", &[json!(ply)]);
            assert_eq!(
                browser.my_turn(&id)["moves"].as_array().and_then(|m| m.last()).map(|m| m["text"].clone()),
                Some(json!(placed))
            );
            walk(browser, to);
            browser.keys(&[Key::Enter.into()]);
            browser.until_with("document.body.dataset.ply > args[0]", &[json!(ply + 1)]);
            ply = browser.my_turn(&id)["ply"].as_u64().expect("a ply");
        }
        let moves = browser.server.game(&id)["moves"].clone();
        let played: Vec<&str> = moves
            .as_array()
            .into_iter()
            .flatten()
            .filter(|m| m["auto"] == false)
            .filter_map(|m| m["text"].as_str())
            .collect();
        assert_eq!(played, ["++c3", "c3-c5", "+f6", "f6-h6"]);
        // Escape cancels a selection; the rest of the page has shortcuts, too.
        walk(browser, "a1");
        browser.keys(&[Key::Enter.into()]);
        browser.until("!document.querySelector('[data-test=\"chooser\"]').hidden");
        browser.keys(&[Key::Escape.into()]);
        browser.until("document.querySelector('[data-test=\"chooser\"]').hidden");
        browser.keys(&['u']);
        browser.until_with("document.body.dataset.ply < args[0]", &[json!(ply)]);
    });
}

#[test]
fn every_board_is_set_up_for_two_to_four_players() {
    run_test(Screen::Desktop, |browser| {
        browser.open("/");
        for (board, cells) in [("square8", 64), ("hex8", 61), ("square19", 361), ("hexagonal", 469)] {
            for players in ["2", "3", "4"] {
                let id = start(browser, &[("board", board), ("players", players)]);
                let setup = &browser.server.game(&id)["setup"];
                assert_eq!(
                    (&setup["board"], &setup["players"]),
                    (&json!(board), &json!(players.parse::<u8>().ok()))
                );
                assert_eq!(browser.count("[data-cell]"), cells);
                assert_eq!(browser.count(".seat").to_string(), players);
                assert!(browser.count("[data-cell].can") > 0, "the first move can be made");
            }
        }
    });
}

#[test]
fn komi_follows_the_handicap_until_it_is_chosen() {
    run_test(Screen::Desktop, |browser| {
        browser.open("/");
        let go = [("game", "go"), ("size", "19"), ("seat-2-who", "human")];
        let agreed = |fields: &[(&str, &str)]| {
            let id = start(browser, fields);
            let game = browser.server.game(&id);
            (game["setup"]["handicap"].clone(), game["setup"]["komi"].clone(), browser.count(".man"))
        };
        assert_eq!(agreed(&go), (json!(0), json!(7.5), 0));
        assert_eq!(agreed(&[("handicap", "4")]), (json!(4), json!(0.5), 4), "four stones lie there");
        assert_eq!(agreed(&[("scoring", "territory"), ("handicap", "0")]), (json!(0), json!(6.5), 0));
        // A board without fixed points has no handicap.
        assert_eq!(agreed(&[("handicap", "9"), ("size", "8")]), (json!(4), json!(0.5), 4));
        assert_eq!(agreed(&[("size", "5")]), (json!(0), json!(6.5), 0));
    });
}

#[test]
fn a_rematch_has_the_same_settings() {
    run_test(Screen::Desktop, |browser| {
        browser.open("/");
        let id = start(browser, &[("board", "hex8"), ("players", "3"), ("seat-3-who", "d1")]);
        browser.press("again");
        browser.until_with(
            "document.body.dataset.ready === 'true' && (document.body.dataset.game ?? args[0]) !== args[0]",
            &[json!(id)],
        );
        let (before, after) =
            (browser.server.game(&id), browser.server.game(&browser.data_attribute("game")));
        assert_eq!((&after["setup"], &after["seats"]), (&before["setup"], &before["seats"]));
    });
}

#[test]
fn a_slow_agent_shows_its_progress_and_can_be_told_to_move() {
    run_test(Screen::Desktop, |browser| {
        let setup = json!({ "game": "ringrift", "swap": false });
        let seats = json!({ "setup": setup, "seats": ["mcts(sims=10000000,seconds=50)", "human"] });
        let id = browser.server.begin(&seats);
        browser.open(&format!("/game/{id}"));
        browser.until(
            "/nodes.* s/.test(document.querySelector('[data-test=\"thinking\"]').textContent) \
                 && document.querySelector('[data-test=\"thinking\"]').textContent.includes('best so far')",
        );
        assert!(browser.count(".layer-arrows > *") > 0, "the move it has in mind is on the board");
        browser.press("move-now");
        browser.until("document.body.dataset.ply > 0");
    });
}

#[test]
fn a_hint_is_drawn_on_the_board_and_described() {
    run_test(Screen::Desktop, |browser| {
        let start = "square8 2 1:movement hands=0,0 credits=0,0 cells=a1:1,a2:2,c3:2,h8:2";
        let id = browser.server.begin(&json!({ "seats": ["human", "human"], "start": start }));
        browser.open(&format!("/game/{id}"));
        browser.press("hint");
        browser.until("document.querySelector('[data-test=\"aside\"]').textContent.startsWith('Hint: Blue')");
        assert!(browser.count(".layer-arrows > *") > 0);
    });
}

#[test]
fn games_between_agents_can_be_paused_and_stepped() {
    run_test(Screen::Desktop, |browser| {
        let seats = json!({ "setup": { "game": "go", "size": 7 }, "seats": ["d1", "d1"], "paused": true });
        let id = browser.server.begin(&seats);
        browser.open(&format!("/game/{id}"));
        assert_eq!(browser.data_attribute("ply"), "0");
        for ply in 1..=3 {
            browser.press("step");
            browser.until_with("document.body.dataset.ply === String(args[0])", &[json!(ply)]);
        }
        browser.press("pause");
        browser.until("document.body.dataset.status === 'over'");
        assert!(browser.text("result").contains("wins"));
    });
}

#[test]
fn every_option_can_be_chosen_and_defaults_follow_what_they_depend_on() {
    run_test(Screen::Desktop, |browser| {
        browser.open("/");
        browser.press("new-game");
        for game in GameKind::ALL {
            browser
                .click(&format!("dialog [data-test=\"game\"] label:has(input[value=\"{}\"])", game.name()));
            for option in game.options() {
                browser.find(&format!("dialog [data-test=\"{}\"]", option.name));
            }
        }
        let has = |name: &str, value: &str| {
            let field = format!("document.querySelector('dialog [data-test=\"{name}\"]').value");
            browser.until(&format!("{field} === '{value}'"));
        };
        has("komi", "7.5");
        browser.select("dialog [data-test=\"scoring\"]", "territory");
        has("komi", "6.5");
        has("ko", "simple");
        browser.click("dialog [data-test=\"more-options\"] summary");
        browser.select("dialog [data-test=\"ko\"]", "situational");
        browser.find("dialog [data-test=\"ko-default\"]");
        browser.select("dialog [data-test=\"seat-2-who\"]", "human");
        let before = browser.data_attribute("game");
        browser.press("start");
        browser.until_with(
            "document.body.dataset.ready === 'true' && document.body.dataset.game !== args[0]",
            &[json!(before)],
        );
        let setup = &browser.server.game(&browser.data_attribute("game"))["setup"];
        let expected = json!({
            "game": "go", "size": 9, "komi": 6.5, "handicap": 0, "ko": "situational", "scoring": "territory",
            "suicide": false,
        });
        assert_eq!(*setup, expected);
    });
}
