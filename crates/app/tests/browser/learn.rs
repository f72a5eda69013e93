//! Lessons and puzzles.

use serde_json::{Value, json};

use crate::harness::{Browser, Screen, run_test};

/// The legal moves of a view.
fn legal(view: &Value) -> Vec<String> {
    let moves = view["moves"].as_array().expect("moves").iter();
    moves.map(|m| m["text"].as_str().expect("a move").to_owned()).collect()
}

/// The service's verdict on the first moves of a step.
fn verdict(browser: &Browser, lesson: &str, step: usize, moves: &[String]) -> Value {
    let tried = json!({ "step": step, "moves": moves });
    browser.server.post(&format!("/api/lessons/{lesson}/try"), &tried).json(200)
}

/// Plays a move on the board of a lesson or puzzle.
fn try_move(browser: &Browser, view: &Value, text: &str) {
    browser.eval("document.querySelector('[data-test=\"lesson-words\"]').textContent = ''", &[]);
    browser.make(&json!({ "view": view }), text);
    browser.until("document.querySelector('[data-test=\"lesson-words\"]').textContent !== ''");
}

#[test]
fn a_lesson_is_completed_by_clicks_and_remembered() {
    const LESSON: &str = "captures";
    run_test(Screen::Desktop, |browser| {
        let lesson = browser.server.get(&format!("/api/lessons/{LESSON}")).json(200);
        let steps = lesson["steps"].as_array().expect("steps");
        browser.open("/learn");
        browser.click(&format!("[data-lesson=\"{LESSON}\"]"));
        let mut mistakes = 0;
        for (number, step) in steps.iter().enumerate() {
            browser.until_with("document.body.dataset.step === String(args[0])", &[json!(number)]);
            let mut moves: Vec<String> = Vec::new();
            let mut view = step["view"].clone();
            while step["judge"] == true && browser.data_attribute("stepDone") != "true" {
                let judged = |text: &String| {
                    let tried = [&moves[..], std::slice::from_ref(text)].concat();
                    verdict(browser, LESSON, number, &tried)
                };
                let choices: Vec<(String, Value)> =
                    legal(&view).into_iter().map(|text| (text.clone(), judged(&text))).collect();
                if let Some((wrong, _)) = choices.iter().find(|(_, judged)| judged["right"] == false)
                    && mistakes == 0
                {
                    try_move(browser, &view, wrong);
                    assert_eq!(browser.count(".verdict.wrong"), 1, "a mistake is reported");
                    assert_ne!(browser.data_attribute("stepDone"), "true", "and does not count");
                    mistakes += 1;
                }
                let (right, judged) = choices
                    .iter()
                    .find(|(_, judged)| judged["right"] == true)
                    .expect("a goal can be reached");
                try_move(browser, &view, right);
                assert_eq!(browser.text("lesson-words"), judged["words"].as_str().expect("words"));
                moves.push(right.clone());
                view = judged["view"].clone();
            }
            browser.press("lesson-next");
        }
        assert_eq!(mistakes, 1, "nothing could be done wrong");
        browser.until("document.querySelectorAll('[data-test=\"lesson\"]').length > 1");
        let card = browser.find(&format!("[data-lesson=\"{LESSON}\"]"));
        assert!(browser.driver.text(&card).expect("a card").contains("done"));
    });
}

#[test]
fn a_puzzle_is_solved_only_by_its_unique_solution() {
    run_test(Screen::Desktop, |browser| {
        let puzzles = browser.server.get("/api/puzzles").json(200);
        let puzzles = puzzles["puzzles"].as_array().expect("a list");
        let id = puzzles[0]["id"].as_str().expect("there are puzzles");
        let puzzle = browser.server.get(&format!("/api/puzzles/{id}")).json(200);
        browser.open("/learn");
        assert_eq!(browser.count("[data-test=\"puzzle\"]"), puzzles.len() as u64);
        browser.click("[data-difficulty=\"1\"]");
        let easy = puzzles.iter().filter(|puzzle| puzzle["difficulty"] == 1).count();
        assert_eq!(browser.count("[data-test=\"puzzle\"]"), easy as u64, "only those asked for");
        browser.click(&format!("[data-puzzle=\"{id}\"]"));
        browser.until("document.body.dataset.ready === 'true' && document.querySelector('[data-cell].can')");
        let mut mistakes = 0;
        let mut moves: Vec<String> = Vec::new();
        let mut view = puzzle["view"].clone();
        while browser.data_attribute("solved") != "true" {
            let judged = |text: &String| {
                let tried = [&moves[..], std::slice::from_ref(text)].concat();
                browser.server.post(&format!("/api/puzzles/{id}/try"), &json!({ "moves": tried })).json(200)
            };
            let good = |judged: &Value| judged["solved"] == true || judged["right"] == true;
            let choices = legal(&view).into_iter().map(|text| (judged(&text), text));
            let (found, wrong): (Vec<_>, Vec<_>) = choices.partition(|(judged, _)| good(judged));
            assert_eq!(found.len(), 1, "one move and no other");
            if let Some((judged, text)) = wrong.first().filter(|_| mistakes == 0) {
                let board = browser.eval("document.querySelector('.men').innerHTML", &[]);
                try_move(browser, &view, text);
                assert_eq!(browser.count(".verdict.wrong"), 1, "a wrong move is reported");
                assert_eq!(browser.text("lesson-words"), judged["words"].as_str().expect("words"));
                assert_eq!(browser.eval("document.querySelector('.men').innerHTML", &[]), board);
                assert_ne!(browser.data_attribute("solved"), "true");
                mistakes += 1;
            }
            let (judged, text) = &found[0];
            try_move(browser, &view, text);
            moves.push(text.clone());
            view = judged["view"].clone();
        }
        assert_eq!(mistakes, 1, "nothing could be done wrong");
        assert_eq!(browser.count(".verdict.right"), 1);
        browser.open("/learn");
        let card = browser.find(&format!("[data-puzzle=\"{id}\"]"));
        assert!(browser.driver.text(&card).expect("a card").contains("solved"), "it is remembered");
        browser.press("next-puzzle");
        browser.until("document.body.dataset.ready === 'true' && document.querySelector('[data-cell].can')");
        let now = browser.eval("new URLSearchParams(location.search).get('puzzle')", &[]);
        assert_eq!(now, puzzles[1]["id"], "and the next one is offered");
    });
}
