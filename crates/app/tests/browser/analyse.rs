//! Analysis of games and positions.

use serde_json::json;

use crate::harness::{Browser, Screen, run_test};

/// Plays a game between two agents to its end.
fn played(browser: &Browser) -> String {
    let setup = json!({ "game": "ringrift", "board": "square8", "swap": false });
    let id = browser.server.begin(&json!({ "setup": setup, "seats": ["d1", "d1"] }));
    browser.open(&format!("/game/{id}"));
    browser.until("document.body.dataset.status === 'over'");
    id
}

/// Selects a fast agent.
fn with_quick_agent(browser: &Browser) {
    let agent = browser.hook("agent");
    browser.driver.write(&agent, "minimax(nodes=200)").expect("the field can be written into");
    browser.select(".engine select", "200");
}

#[test]
fn a_finished_game_is_stepped_through_analysed_and_plotted() {
    run_test(Screen::Desktop, |browser| {
        let id = played(browser);
        browser.press("analyse");
        browser.until("document.body.dataset.page === 'analyse' && document.body.dataset.ready === 'true'");
        let game = browser.server.game(&id);
        let end = game["ply"].as_u64().expect("a ply");
        assert_eq!(browser.data_attribute("ply"), end.to_string());
        with_quick_agent(browser);

        browser.press("step-first");
        browser.until("document.body.dataset.ply === '0'");
        browser.press("run");
        browser.until("document.body.dataset.analysed === '0'");
        assert!(browser.count("[data-candidate]") >= 10, "candidates with their shares");
        assert!(browser.count(".layer-heat > *") > 0, "and their heat on the board");
        browser.press("step-on");
        browser.until("document.body.dataset.ply === '1' && document.body.dataset.analysed === '1'");
        let first = game["moves"][0]["text"].as_str().expect("a move").to_owned();
        let current = browser.find("[data-test=\"moves\"] [aria-current=\"step\"]");
        assert_eq!(browser.driver.text(&current).expect("a move"), first);

        browser.press("review");
        browser.until("document.body.dataset.reviewed === 'true'");
        let points = "[...document.querySelectorAll('[data-test=\"plot\"] polyline')]\
                      .map((line) => line.getAttribute('points').split(' ').length)";
        let points: Vec<u64> = serde_json::from_value(browser.eval(points, &[])).expect("numbers");
        assert_eq!(points.len(), 2, "a line a seat");
        assert!(points.iter().all(|&count| count > end / 4), "{points:?} of {end}");

        // The costliest moves link to the positions before them.
        let costly = browser.find("[data-test=\"tide\"] [data-tide]");
        let before = browser.eval("document.querySelector('[data-tide]').dataset.tide", &[]);
        browser.driver.click(&costly).expect("a button");
        browser.until_with("document.body.dataset.ply === args[0]", &[before]);
    });
}

#[test]
fn agents_that_follow_gradients_show_their_moves_and_paths() {
    run_test(Screen::Desktop, |browser| {
        let id = played(browser);
        browser.open(&format!("/analyse?game={id}&ply=0"));
        for (agent, column, paths) in
            [("gmo(optim_steps=10)", "σ", 3), ("ebmo(mode=gradient)", "energy", 8), ("ebmo", "energy", 0)]
        {
            let field = browser.hook("agent");
            browser.driver.write(&field, agent).expect("the field can be written into");
            browser.press("run");
            let engine = agent.split('(').next().expect("a name");
            let shown = "document.querySelector('.candidates')?.textContent.includes(args[0]) \
                         && document.querySelectorAll('[data-path]').length === args[1]";
            browser.until_with(shown, &[json!(format!("{engine}")), json!(paths)]);
            let heads = "[...document.querySelectorAll('.candidates th')].map((head) => head.textContent)";
            let heads: Vec<String> = serde_json::from_value(browser.eval(heads, &[])).expect("texts");
            assert!(heads.iter().any(|head| head == column), "{agent}: {heads:?}");
            assert!(browser.count(".layer-heat > *") > 0, "shares on the board");
            assert_eq!(browser.count("[data-test=\"paths\"] polyline"), paths, "a line a path");
            browser.press("run");
        }
    });
}

#[test]
fn an_alternative_move_is_tried_and_played_from_there() {
    run_test(Screen::Desktop, |browser| {
        let id = played(browser);
        browser.open(&format!("/analyse?game={id}&ply=0"));
        with_quick_agent(browser);
        browser.press("run");
        browser.until("document.body.dataset.analysed === '0'");
        let first = browser.server.game(&id)["moves"][0]["text"].clone();
        let other = "[...document.querySelectorAll('[data-candidate]')].map((row) => row.dataset.candidate)\
                     .find((text) => text !== args[0])";
        let other = browser.eval(other, &[first]);
        let other = other.as_str().expect("another candidate").to_owned();
        browser.click(&format!("[data-candidate=\"{other}\"] button"));
        browser.until("!document.querySelector('[data-test=\"back-to-game\"]').hidden");
        browser.press("continue");
        browser.select("[data-test=\"seat-2-who\"]", "d1");
        browser.press("start");
        browser.until("document.body.dataset.page === 'play' && document.body.dataset.ready === 'true'");
        let game = browser.server.game(&browser.data_attribute("game"));
        assert_eq!(game["moves"][0]["text"], json!(other));
        assert_eq!(game["seats"][1]["spec"], "d1", "against whom was asked");
    });
}

#[test]
fn a_position_is_shared_by_its_url() {
    run_test(Screen::Desktop, |browser| {
        let id = played(browser);
        browser.open(&format!("/analyse?game={id}&ply=6"));
        let drawn = "document.querySelector('.men').innerHTML";
        let (ply, pieces) = (browser.data_attribute("ply"), browser.eval(drawn, &[]));
        browser.press("share");
        browser.until("location.search.includes('moves=')");
        let address = browser.eval("location.href", &[]);
        browser.driver.go("about:blank");
        browser.driver.go(address.as_str().expect("an address"));
        browser.ready();
        assert_eq!((browser.data_attribute("ply"), browser.eval(drawn, &[])), (ply, pieces));
    });
}

#[test]
fn a_game_is_loaded_from_its_record_and_a_position_from_its_text() {
    run_test(Screen::Desktop, |browser| {
        let id = played(browser);
        let record = browser.server.get(&format!("/api/games/{id}/record"));
        let moves = record.json(200)["moves"].as_array().map_or(0, Vec::len);
        for (text, length) in [
            (record.body.trim().to_owned(), moves),
            ("square8 2 1:movement hands=0,0 credits=0,0 cells=a1:1,a2:2,c3:2,h8:2".to_owned(), 0),
        ] {
            browser.open("/analyse");
            browser.press("open-dialog");
            browser.hook("open-text");
            // Typing a whole record would take too long, so it is pasted.
            browser
                .eval("document.querySelector('[data-test=\"open-text\"]').value = args[0]", &[json!(text)]);
            browser.press("open");
            browser.until("!document.querySelector('dialog') && document.body.dataset.ready === 'true'");
            let slider = browser.eval("Number(document.querySelector('.stepper input').max)", &[]);
            assert_eq!(slider, json!(length));
        }
        assert!(browser.count("[data-cell].can") > 0, "moves can be tried");
    });
}
