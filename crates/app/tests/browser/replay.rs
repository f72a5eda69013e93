//! Stepping through a game in place, leaving it, and layouts in which nothing is hidden.

use serde_json::{Value, json};

use crate::{
    driver::Key,
    harness::{Browser, Screen, run_test},
};

/// A game of two people after three turns.
fn three_turns(browser: &Browser) -> String {
    let moves = ["+d4", "d4-d6", "+g2", "g2-g4", "+h8", "h8-h7"];
    let setup = json!({ "game": "ringrift", "swap": false });
    let id = browser.server.begin(&json!({ "setup": setup, "seats": ["human", "human"], "moves": moves }));
    browser.open(&format!("/game/{id}"));
    browser.my_turn(&id);
    id
}

#[test]
fn a_game_is_stepped_through_by_turns_in_place() {
    run_test(Screen::Desktop, |browser| {
        let id = three_turns(browser);
        let present = browser.eval("document.querySelector('.men').innerHTML", &[]);
        assert_eq!(browser.text("turn"), "Turn 3");
        for turn in ["Turn 2 of 3", "Turn 1 of 3", "Start"] {
            browser.keys(&[Key::Left.into()]);
            browser.until_with(
                "document.querySelector('[data-test=\"turn\"]').textContent === args[0]",
                &[json!(turn)],
            );
            browser.hook("back-live");
        }
        browser.until("document.querySelectorAll('.men > *').length === 0");
        assert_eq!(browser.count("[data-cell].can"), 0, "an earlier position cannot be played from");
        browser.keys(&[Key::Right.into()]);
        browser.until("document.querySelector('[data-test=\"turn\"]').textContent === 'Turn 1 of 3'");
        let marked = "document.querySelector('[data-test=\"moves\"] [aria-current]').textContent";
        browser.until_with(&format!("{marked} === args[0]"), &[json!("d4-d6")]);
        browser.keys(&[Key::End.into()]);
        browser.until(
            "document.body.dataset.looking === '' && document.querySelectorAll('[data-cell].can').length > 0",
        );
        assert_eq!(browser.eval("document.querySelector('.men').innerHTML", &[]), present);
        assert_eq!(browser.data_attribute("page"), "play");

        // A click on a move shows its position here, too, and no link leads to bookkeeping.
        browser.click("[data-test=\"moves\"] [data-ply]");
        browser.until("document.body.dataset.looking !== ''");
        assert_eq!(browser.data_attribute("page"), "play");
        let game = browser.server.game(&id);
        let links: Vec<usize> = serde_json::from_value(browser.eval(
            "[...document.querySelectorAll('[data-test=\"moves\"] [data-ply]')].map((link) => Number(link.dataset.ply))",
            &[],
        ))
        .expect("plies");
        assert!(links.iter().all(|&ply| game["moves"][ply - 1]["auto"] == false), "{links:?}");
        let numbers =
            "[...document.querySelectorAll('[data-test=\"moves\"] li .num')].map((one) => one.textContent)";
        assert_eq!(browser.eval(numbers, &[]), json!(["1", "2", "3"]));
        browser.keys(&[Key::Home.into()]);
        browser.until("document.querySelector('[data-test=\"turn\"]').textContent === 'Start'");
    });
}

#[test]
fn analysis_counts_turns_too_and_never_stops_at_bookkeeping() {
    run_test(Screen::Desktop, |browser| {
        let id = three_turns(browser);
        let moves = browser.server.game(&id)["moves"].clone();
        let moves = moves.as_array().expect("moves");
        let auto = moves.iter().position(|one| one["auto"] == true).expect("bookkeeping");
        // A link to bookkeeping leads to the next decision.
        browser.open(&format!("/analyse?game={id}&ply={auto}"));
        let ply: usize = browser.data_attribute("ply").parse().expect("a ply");
        assert!(ply > auto && moves[ply]["auto"] == false, "{ply}");
        browser.until("document.querySelector('[data-test=\"position\"]').textContent === 'Turn 1 of 3'");
        browser.press("step-last");
        browser.until("document.querySelector('[data-test=\"position\"]').textContent === 'Turn 3 of 3'");
        browser.press("step-first");
        browser.until("document.querySelector('[data-test=\"position\"]').textContent === 'Start'");
    });
}

#[test]
fn a_running_game_is_left_only_after_a_question_and_a_finished_one_says_who_won() {
    run_test(Screen::Desktop, |browser| {
        let id = three_turns(browser);
        let leave = |act: &dyn Fn()| {
            act();
            browser.until("document.querySelector('[data-test=\"confirm\"]') !== null");
            browser.keys(&[Key::Escape.into()]);
            browser.until("document.querySelector('dialog') === null");
            assert_eq!(browser.data_attribute("game"), id);
        };
        leave(&|| browser.keys(&['n']));
        leave(&|| browser.keys(&['a']));
        leave(&|| browser.press("again"));
        browser.press("resign");
        browser.press("confirm-yes");
        browser.until("document.body.dataset.status === 'over'");
        let bar = browser.text("turn");
        assert!(bar.contains("Blue won") || bar.contains("Amber won"), "{bar}");
        browser.keys(&[Key::Left.into()]);
        browser.until("document.querySelector('[data-test=\"turn\"]').textContent.includes('Turn 2 of 3')");
        assert!(browser.text("turn").contains(" won · "), "{}", browser.text("turn"));
        browser.press("again");
        browser.until_with(
            "document.body.dataset.ready === 'true' && (document.body.dataset.game ?? args[0]) !== args[0]",
            &[json!(id)],
        );
    });
}

/// The elements that do not lie completely within the window.
fn hidden(browser: &Browser, selector: &str) -> Value {
    let script = "[...document.querySelectorAll(args[0])].filter((one) => one.getClientRects().length > 0).filter((one) => { \
        const box = one.getBoundingClientRect(); \
        return box.bottom > innerHeight || box.top < 0 || box.right > innerWidth || box.left < 0; \
    }).map((one) => one.textContent || one.getAttribute('aria-label'))";
    browser.eval(script, &[json!(selector)])
}

/// Sets the size of the window.
fn resize(browser: &Browser, width: u32, height: u32) {
    let screen = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
    browser.driver.devtools("Emulation.setDeviceMetricsOverride", &screen);
}

#[test]
fn with_four_seats_all_buttons_are_above_the_fold() {
    run_test(Screen::Desktop, |browser| {
        resize(browser, 1280, 800);
        let setup = json!({ "game": "ringrift", "players": 4 });
        let id = browser.server.begin(&json!({ "setup": setup, "seats": ["human", "d1", "d1", "d1"] }));
        browser.open(&format!("/game/{id}"));
        assert_eq!(hidden(browser, ".actions > *, .replay button"), json!([]), "before the first turn");
        browser.play(&id, "++d4");
        browser.play(&id, "d4-d6");
        assert_eq!(hidden(browser, ".actions > *, .replay button"), json!([]), "after the first round");
        browser.open(&format!("/analyse?game={id}"));
        assert_eq!(
            hidden(browser, ".tools button, .stepper button, .engine button, .review button"),
            json!([])
        );
    });
}

/// A position of three seats in which both opponents of the first threaten to win.
const TWO_THREATS: &str = "square8 3 1:movement \
    cells=a8:33,b8:33,c8:111,a7*3,c7*2,h6:2122,g6#1,d5:1111,e5*2,g4:2211,a3*3,a2*1,b2*3,e2#1,g2*1,a1:33,b1*3,c1*2,g1*1,g8*1";

#[test]
fn two_warnings_leave_room_for_every_seat() {
    run_test(Screen::Desktop, |browser| {
        resize(browser, 1280, 800);
        let seats = ["human", "human", "human"];
        let id = browser.server.begin(&json!({ "seats": seats, "start": TWO_THREATS }));
        browser.open(&format!("/game/{id}"));
        browser.press("welcome-close");
        browser.until("document.querySelectorAll('[data-test=\"threats\"] p').length === 2");
        // The controls stay at the bottom of the window, above whatever scrolls.
        let covered = "(() => { \
            const top = document.querySelector('.controls').getBoundingClientRect().top; \
            return [...document.querySelectorAll('.seat')].filter((seat) => seat.getBoundingClientRect().bottom > top).length; \
        })()";
        assert_eq!(browser.eval(covered, &[]), json!(0));
    });
}

#[test]
fn the_shares_of_candidates_are_not_covered_by_the_arrow() {
    run_test(Screen::Desktop, |browser| {
        let id = three_turns(browser);
        browser.open(&format!("/analyse?game={id}"));
        let order = "(() => { \
            const layers = [...document.querySelectorAll('.board-svg > g')].map((one) => one.getAttribute('class')); \
            return layers.indexOf('layer-badges') > layers.indexOf('layer-arrows'); \
        })()";
        assert_eq!(browser.eval(order, &[]), json!(true));
    });
}

#[test]
fn an_empty_lab_offers_a_first_tournament_and_its_tables_are_not_clipped() {
    run_test(Screen::Desktop, |browser| {
        resize(browser, 1440, 900);
        browser.open("/lab");
        browser.press("first-run");
        browser.until("document.querySelector('[data-run]')?.dataset.state === 'complete'");
        browser.until("document.querySelectorAll('[data-test=\"ladder\"] tbody tr').length === 3");
        browser.until("document.querySelectorAll('[data-test=\"games\"] tbody tr').length > 0");
        let clipped = "[...document.querySelectorAll('.scroll-x')].filter((one) => one.scrollWidth > one.clientWidth + 1) \
                       .map((one) => one.textContent.slice(0, 60))";
        assert_eq!(browser.eval(clipped, &[]), json!([]));
        // The agent of the first example in the README can be measured.
        for (place, agent) in [(1, "random"), (2, "minimax(depth=2)")] {
            browser.eval(
                "document.querySelector(`[data-test=\"run-agent-${args[0]}\"]`).value = args[1]",
                &[json!(place), json!(agent)],
            );
        }
        let run = json!({ "kind": "tournament", "setup": { "game": "ringrift" }, "games": 2,
            "agents": ["random", "minimax(depth=2)"] });
        browser.server.post("/api/lab/runs", &run).json(201);
    });
}
