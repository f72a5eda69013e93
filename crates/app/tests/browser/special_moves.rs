//! Rare decisions, each tested in its own position: chains, lines, regions, recovery, the pie rule.

use serde_json::{Value, json};

use crate::harness::{Browser, Screen, run_test};

/// Opens a game between two people that starts from a position.
fn open(browser: &Browser, start: &str) -> String {
    let id = browser.server.begin(&json!({ "seats": ["human", "human"], "start": start }));
    browser.open(&format!("/game/{id}"));
    browser.my_turn(&id);
    id
}

/// The content of a cell, as the service reports it.
fn on(game: &Value, at: &str) -> Value {
    let mut cells = game["view"]["cells"].as_array().into_iter().flatten();
    cells.find(|cell| cell["at"] == at).cloned().unwrap_or_default()
}

/// The entries of the open menu.
fn choices(browser: &Browser) -> Vec<String> {
    browser.until("!document.querySelector('[data-test=\"chooser\"]').hidden");
    let list = "[...document.querySelectorAll('[data-test=\"choice\"]')].map((entry) => entry.dataset.move)";
    serde_json::from_value(browser.eval(list, &[])).expect("a list of moves")
}

/// The cells that are highlighted as clickable.
fn highlighted(browser: &Browser) -> Vec<String> {
    let list = "[...document.querySelectorAll('[data-cell].can')].map((cell) => cell.dataset.cell).sort()";
    serde_json::from_value(browser.eval(list, &[])).expect("a list of cells")
}

#[test]
fn a_chain_capture_continues_with_the_selected_stack() {
    run_test(Screen::Desktop, |browser| {
        let id = open(browser, "square8 2 1:movement hands=0,0 credits=0,0 cells=a1:1,a2:2,c3:2,h8:2");
        browser.play(&id, "a1xa2-a3");
        assert!(browser.text("prompt").contains("continues"), "a chain cannot be declined");
        assert_eq!(browser.count("[data-test=\"move-buttons\"] [data-move]"), 0);
        assert_eq!(highlighted(browser), ["a3", "d3", "e3", "f3", "g3", "h3"]);
        // One click is enough, because only one stack can capture.
        browser.cell("d3");
        browser.until("document.body.dataset.toMove === '2'");
        let game = browser.my_turn(&id);
        assert_eq!(on(&game, "d3")["stack"], json!([1, 2, 2]));
        assert_eq!(on(&game, "c3"), Value::Null);
        let said =
            browser.eval("document.querySelector('[data-cell=\"d3\"]').getAttribute('aria-label')", &[]);
        assert!(said.as_str().is_some_and(|said| said.contains("stack")), "{said}");
    });
}

#[test]
fn an_overlength_line_is_collapsed_in_full_or_in_part() {
    const START: &str =
        "square8 2 1:line_processing hands=0,0 credits=0,0 cells=a1*1,b1*1,c1*1,d1*1,e1*1,h1:2,h8:11 acted";
    run_test(Screen::Desktop, |browser| {
        let id = open(browser, START);
        assert_eq!(highlighted(browser), ["a1", "b1", "c1", "d1", "e1"]);
        browser.cell("c1");
        assert_eq!(choices(browser), ["=a1-e1", "=a1-e1:a1-d1", "=a1-e1:b1-e1"]);
        browser.click("[data-test=\"choice\"][data-move=\"=a1-e1:b1-e1\"]");
        browser.until("document.body.dataset.toMove === '2'");
        let game = browser.my_turn(&id);
        assert_eq!(on(&game, "a1")["marker"], 1, "what was not taken stays");
        assert_eq!(on(&game, "e1")["collapsed"], 1);
        assert_eq!(game["view"]["players"][0]["eliminated"], 0, "a part costs nothing");

        let id = open(browser, START);
        browser.play(&id, "=a1-e1");
        assert!(browser.text("prompt").contains("Pay"));
        assert_eq!(highlighted(browser), ["h8"]);
        browser.cell("h8");
        browser.until("document.body.dataset.toMove === '2'");
        let game = browser.my_turn(&id);
        assert_eq!(on(&game, "a1")["collapsed"], 1);
        assert_eq!(on(&game, "h8")["stack"], json!([1]));
        assert_eq!(game["view"]["players"][0]["eliminated"], 1);
    });
}

#[test]
fn a_region_is_claimed_by_a_click_inside_and_paid_with_a_cap() {
    const START: &str = "square8 2 1:territory_processing hands=0,0 credits=0,0 \
                         cells=a1:12,a3*1,b3*1,c1*1,c2*1,c3*1,f1:2,h1:1,h8:11 acted";
    run_test(Screen::Desktop, |browser| {
        let id = open(browser, START);
        assert_eq!(browser.count("[data-test=\"move-buttons\"] [data-move=\"skip-territory\"]"), 1);
        browser.cell("b2");
        browser.until("document.body.dataset.ply > 0");
        browser.my_turn(&id);
        assert!(browser.text("prompt").contains("Pay for the region"));
        assert_eq!(highlighted(browser), ["h1", "h8"]);
        browser.cell("h8");
        browser.until("document.body.dataset.toMove === '2'");
        let game = browser.my_turn(&id);
        let seat = &game["view"]["players"][0];
        assert_eq!((seat["territory"].as_u64(), seat["eliminated"].as_u64()), (Some(9), Some(4)));
        assert_eq!(on(&game, "h8"), Value::Null, "the whole cap was the price");
        assert_eq!(browser.count(".land-layer > *"), 9);
    });
}

#[test]
fn a_recovery_is_selected_by_marker_destination_and_payer() {
    run_test(Screen::Desktop, |browser| {
        let start = "square8 2 1:movement hands=0,5 credits=0,0 cells=a1*1,c6:12,f6:112";
        let id = open(browser, start);
        assert!(browser.text("prompt").contains("Slide a marker"));
        // The only marker is already selected; then follow the destination and the payer.
        browser.cell("b1");
        assert_eq!(highlighted(browser), ["b1", "c6", "f6"]);
        browser.cell("f6");
        browser.until("document.body.dataset.toMove === '2'");
        let game = browser.my_turn(&id);
        assert_eq!(on(&game, "b1")["marker"], 1);
        assert_eq!(on(&game, "f6")["stack"], json!([2, 1]));
        assert_eq!(on(&game, "c6")["stack"], json!([2, 1]), "the other stack paid nothing");
        assert_eq!(game["view"]["players"][0]["eliminated"], 1);

        // A slide that completes a line collapses it at once.
        let start = "square8 2 1:movement hands=0,5 credits=0,0 cells=a1*1,b1*1,c1*1,e2*1,f6:12,h8:2";
        let id = open(browser, start);
        let game = browser.play(&id, "e2~d1=a1-d1/f6");
        assert_eq!(game["view"]["players"][0]["territory"], 4);
    });
}

#[test]
fn the_second_player_may_take_over_the_first_turn() {
    run_test(Screen::Desktop, |browser| {
        let seats = json!({ "setup": { "game": "ringrift", "swap": true }, "seats": ["human", "human"] });
        let id = browser.server.begin(&seats);
        browser.open(&format!("/game/{id}"));
        browser.play(&id, "+++d4");
        browser.play(&id, "d4-d7");
        browser.click("[data-test=\"swap-offer\"] [data-move=\"swap\"]");
        browser.until("document.querySelector('[data-test=\"swap-offer\"]') === null");
        let game = browser.my_turn(&id);
        assert_eq!(
            game["moves"]
                .as_array()
                .and_then(|moves| moves.iter().find(|m| m["text"] == "swap"))
                .map(|m| m["seat"].clone()),
            Some(json!(2))
        );
    });
}
