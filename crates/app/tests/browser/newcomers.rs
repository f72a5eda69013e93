//! What a newcomer needs: an easy first opponent, the goal, warnings, opponents that can be followed, and an explanation of
//! the end.

use serde_json::{Value, json};

use crate::{
    hand::Whim,
    harness::{Browser, Screen, run_test},
};

/// Seat 2 can close the corner with the only stack of seat 1, and claim everything else.
const CORNERED: &str =
    "square8 2 1:ring_placement hands=3,3 credits=0,0 cells=a1:1,a3*2,b3*2,c2*2,c1:2,h8:2 turn=20";

/// Opens a game that starts from a position.
fn open(browser: &Browser, start: &str, seats: [&str; 2]) -> String {
    let id = browser.server.begin(&json!({ "seats": seats, "start": start }));
    browser.open(&format!("/game/{id}"));
    id
}

#[test]
fn a_first_game_is_against_the_first_level_and_shows_the_goal() {
    run_test(Screen::Desktop, |browser| {
        browser.open("/");
        let game = browser.server.game(&browser.data_attribute("game"));
        assert_eq!(game["seats"][1]["spec"], "d1");
        let goal = browser.text("goal");
        assert!(goal.contains("eliminate 18 rings") && goal.contains("own 33 cells"), "{goal}");
    });
}

#[test]
fn a_threat_is_shown_on_the_board_and_in_words_and_warnings_can_be_turned_off() {
    run_test(Screen::Desktop, |browser| {
        let id = open(browser, CORNERED, ["human", "human"]);
        browser.until("document.body.dataset.warned === '0'");
        let words = browser.text("threats");
        assert!(words.contains("Amber can claim") && words.contains("win next turn"), "{words}");
        assert!(browser.count(".layer-threat > *") > 33, "the cells are outlined");
        assert!(browser.count(".layer-danger > *") > 0, "and the move that closes them is shown");

        // Once rings are placed, the moves that allow the loss are marked, and say so.
        browser.play(&id, "+d5");
        browser.until("document.body.dataset.warned === '1'");
        let risks = browser.count(".dot.risky");
        assert!(risks > 0, "not every move prevents it");
        let target = "document.querySelector('.dot.risky').getAttribute('transform')";
        let cell = format!(
            "[...document.querySelectorAll('.dot')].length > 0 && (() => {{ \
                const [x, y] = {target}.match(/[\\d.-]+/g).map(Number); \
                const hits = [...document.querySelectorAll('[data-cell]')]; \
                return hits.find((hit) => {{ const box = hit.getBBox(); \
                    return Math.hypot(box.x + box.width / 2 - x, box.y + box.height / 2 - y) < 5; }}).dataset.cell; \
            }})()"
        );
        let cell = browser.eval(&cell, &[]);
        browser.eval(
            "document.querySelector(`[data-cell=\"${args[0]}\"]`)\
             .dispatchEvent(new PointerEvent('pointerover', { bubbles: true, pointerType: 'mouse' }))",
            &[cell],
        );
        browser.until(
            "document.querySelector('[data-test=\"aside\"]').textContent.includes('Careful: Amber could then')",
        );

        browser.press("undo");
        browser.until("document.body.dataset.ply === '0' && document.body.dataset.warned === '0'");
        browser.press("warnings-off");
        browser.until("document.querySelector('[data-test=\"threats\"]').hidden");
        assert_eq!(browser.count(".layer-threat > *"), 0);
        browser.driver.reload();
        browser.ready();
        browser.play(&id, "+d5");
        assert_eq!(browser.data_attribute("warned"), "", "they stay off");
    });
}

/// Counts the states in which the page waits for unseen turns, from now on.
const COUNT_PENDING: &str = "(() => { \
    window.seen = []; \
    new MutationObserver(() => { window.seen.push([document.body.dataset.ply, document.body.dataset.pending]); }) \
        .observe(document.body, { attributes: true, attributeFilter: ['data-ply', 'data-pending'] }); \
})()";

/// Plays a whole first turn in a game with three opponents.
fn first_turn(browser: &Browser) -> String {
    let setup = json!({ "game": "ringrift", "players": 4 });
    let id = browser.server.begin(&json!({ "setup": setup, "seats": ["human", "d1", "d1", "d1"] }));
    browser.open(&format!("/game/{id}"));
    browser.play(&id, "++d4");
    browser.eval(COUNT_PENDING, &[]);
    let game = browser.my_turn(&id);
    browser.make(&game, "d4-d6");
    id
}

/// The lines of the story.
fn story(browser: &Browser) -> Vec<String> {
    let lines =
        "[...document.querySelectorAll('[data-test=\"story\"] [data-turn]')].map((line) => line.textContent)";
    serde_json::from_value(browser.eval(lines, &[])).expect("lines")
}

#[test]
fn the_turns_of_three_opponents_are_shown_one_after_another_with_trails_and_words() {
    run_test(Screen::Desktop, |browser| {
        let id = first_turn(browser);
        browser.my_turn(&id);
        browser.until("document.body.dataset.pending === 'false'");
        let told = story(browser);
        assert_eq!(told.len(), 3, "{told:?}");
        for (line, name) in told.iter().zip(["Amber", "Crimson", "Mint"]) {
            assert!(line.contains(&format!("{name} places")) && line.ends_with('.'), "{line}");
        }
        for seat in 2..=4 {
            assert!(
                browser.count(&format!(".layer-story .trail-line.s{seat}")) > 0,
                "a trail of seat {seat}"
            );
        }
        let seen: Vec<[String; 2]> =
            serde_json::from_value(browser.eval("window.seen", &[])).expect("what was shown");
        let waited = seen.iter().filter(|[_, pending]| pending == "true").count();
        assert!(waited >= 3, "the turns were shown one by one: {seen:?}");
        // The next turn of the person starts a new story.
        let game = browser.my_turn(&id);
        let place = game["view"]["moves"][0]["text"].as_str().expect("a move").to_owned();
        browser.play(&id, &place);
        assert_eq!(story(browser), Vec::<String>::new());
        assert_eq!(browser.count(".layer-story > *"), 0);
    });
}

#[test]
fn the_turns_of_opponents_can_be_skipped_or_shown_at_once() {
    run_test(Screen::Desktop, |browser| {
        // Slower than anyone waits for.
        browser.settings(&json!({ "pace": 3_600_000 }));
        let id = first_turn(browser);
        browser.until("document.body.dataset.pending === 'true' || !document.querySelector('[data-test=\"skip\"]').hidden");
        browser.press("skip");
        browser.my_turn(&id);
        assert_eq!(browser.data_attribute("pending"), "false");
        assert_eq!(story(browser).len(), 3, "what was skipped is still told");

        browser.press("appearance");
        browser.click("[data-test=\"pace\"] label:has(input[value=\"0\"])");
        browser.click("[data-test=\"look-dialog\"] button.main");
        let id = first_turn(browser);
        browser.my_turn(&id);
        let seen: Vec<[String; 2]> =
            serde_json::from_value(browser.eval("window.seen", &[])).expect("what was shown");
        assert!(seen.iter().all(|[_, pending]| pending == "false"), "{seen:?}");
    });
}

#[test]
fn a_claim_of_an_opponent_is_told_and_explained() {
    run_test(Screen::Desktop, |browser| {
        let start = "square8 2 1:territory_processing hands=0,0 credits=0,0 \
                     cells=a1:12,a3*1,b3*1,c1*1,c2*1,c3*1,f1:2,h1:1,h8:11 acted";
        let id = browser
            .server
            .begin(&json!({ "seats": ["minimax(depth=1)", "human"], "start": start, "paused": true }));
        browser.open(&format!("/game/{id}"));
        browser.server.post(&format!("/api/games/{id}/control"), &json!({ "paused": false })).json(200);
        browser.my_turn(&id);
        let told = story(browser).join(" ");
        assert!(told.contains("Blue claims 9 cells with 2 rings in them"), "{told}");
        assert!(browser.text("claim").contains("enclose"));
        assert_eq!(browser.count(".land-layer > *"), 9);
    });
}

#[test]
fn a_lost_game_says_why_and_shows_what_would_have_prevented_it() {
    run_test(Screen::Desktop, |browser| {
        let id = open(browser, CORNERED, ["human", "minimax(depth=1)"]);
        browser.play(&id, "+g7");
        let game = browser.my_turn(&id);
        // A move that does nothing about the threat.
        let found = json!({ "start": game["view"]["text"], "moves": [] });
        let found = browser.server.post("/api/threats", &found).json(200);
        let risks = found["risks"].as_array().expect("risks");
        let losing = risks.iter().find(|risk| risk["wins"] == true).expect("a move that loses");
        browser.make(&game, losing["move"].as_str().expect("a move"));
        browser.until("document.body.dataset.status === 'over'");
        let result = browser.text("result");
        assert!(result.contains("You lost. Amber wins by territory."), "{result}");
        let explained = browser.text("explanation");
        assert!(explained.contains("Amber owns") && explained.contains("33 are enough"), "{explained}");
        assert!(explained.contains("claimed at once"), "{explained}");

        browser.press("why");
        browser.until("document.body.dataset.explained === 'true'");
        let words = browser.text("why-words");
        assert!(words.contains("Turn 21 decided the game.") && words.contains("Better:"), "{words}");
        assert!(words.contains("After that, Amber could claim"), "{words}");
        assert!(words.contains("Then Amber could not have won at once."), "{words}");
        browser.until("document.body.dataset.looking === '0'");
        assert!(browser.count(".layer-arrows .danger") > 0 && browser.count(".layer-arrows .best") > 0);
        browser.press("back-live");
        browser.until("document.body.dataset.looking === ''");
    });
}

#[test]
fn territory_without_a_win_says_what_else_is_needed() {
    run_test(Screen::Desktop, |browser| {
        let row = |row: u8, columns: &str, seat: u8| -> Vec<String> {
            columns.chars().map(|column| format!("{column}{row}#{seat}")).collect()
        };
        let cells = [
            row(1, "abcdefgh", 1),
            row(2, "abcdefgh", 1),
            row(3, "abcde", 1),
            row(8, "abcdefgh", 2),
            row(7, "abcdefgh", 3),
            row(6, "abcdefgh", 4),
        ];
        let cells = cells.concat().join(",");
        let start = format!("square8 4 1:ring_placement hands=3,3,3,3 credits=0,0,0,0 cells={cells}");
        let id =
            browser.server.begin(&json!({ "seats": ["human", "human", "human", "human"], "start": start }));
        browser.open(&format!("/game/{id}"));
        let needs = browser.text("needs-1");
        assert!(needs.contains("17 cells are not enough yet") && needs.contains("25 are needed"), "{needs}");
        let seat = browser.text("seat-1");
        assert!(seat.contains("21 / 25") && seat.contains("eliminated"), "{seat}");
        let width = "parseFloat(document.querySelector('[data-test=\"seat-1\"] .toward:nth-child(3) .bar span').style.width)";
        assert!(browser.eval(width, &[]).as_f64() < Some(100.0), "the bar is not full");
        assert!(!browser.eval("document.body.textContent", &[]).to_string().contains("credited"));
    });
}

/// Clicks something that can be clicked in a game, at random, once it is a person's turn. Returns whether the game goes on.
fn click_something(browser: &Browser, whim: &mut Whim) -> bool {
    browser.until(
        "document.body.dataset.status === 'over' || (document.body.dataset.pending === 'false' && !document.body.dataset.busy \
             && document.querySelector('[data-cell].can, [data-test=\"move-buttons\"] [data-move]:not(:disabled)'))",
    );
    if browser.data_attribute("status") == "over" {
        return false;
    }
    let list = "(() => { \
        const menu = [...document.querySelectorAll('[data-test=\"chooser\"]:not([hidden]) [data-move]')]; \
        const all = [...document.querySelectorAll('[data-cell].can, [data-test=\"move-buttons\"] [data-move]:not(:disabled)')]; \
        return (menu.length > 0 ? menu : all).map((one) => one.dataset.cell \
            ? `[data-cell=\"${one.dataset.cell}\"]` : `[data-move=\"${one.dataset.move}\"]`); \
    })()";
    let all: Vec<String> = serde_json::from_value(browser.eval(list, &[])).expect("selectors");
    if all.is_empty() {
        return true;
    }
    let selector = &all[whim.below(all.len())];
    // A menu may cover a cell; then the click chooses from the menu, as for any person.
    if let Some(element) = browser.driver.find(selector) {
        let _ = browser.driver.click(&element);
    }
    true
}

/// Measures ten first games: `cargo test --release -p app --test browser -- --ignored --nocapture first_games`.
#[test]
#[ignore = "a measurement of a few minutes"]
fn first_games_by_random_clicks_are_long_enough_and_explained() {
    run_test(Screen::Desktop, |browser| {
        browser.settings(&json!({ "pace": 0 }));
        let mut turns: Vec<u64> = Vec::new();
        for seed in 1..=10 {
            // The default game and the default level, as on a first visit.
            browser.eval("localStorage.removeItem('riftlab-game')", &[]);
            browser.open("/");
            let id = browser.data_attribute("game");
            let mut whim = Whim::new(seed);
            while click_something(browser, &mut whim) {}
            let game: Value = browser.server.game(&id);
            let last = game["moves"].as_array().and_then(|moves| moves.last()).expect("moves");
            turns.push(last["turn"].as_u64().expect("a turn"));
            let (result, explained) = (browser.text("result"), browser.text("explanation"));
            assert!(!explained.is_empty(), "{result}");
            eprintln!("{} turns. {}", turns[turns.len() - 1], result.replace('\n', " "));
            if game["view"]["result"]["winner"] == 2 {
                browser.press("why");
                browser.until("document.body.dataset.explained === 'true'");
                eprintln!("    {}", browser.text("why-words").replace('\n', " "));
            }
        }
        turns.sort_unstable();
        let median = u64::midpoint(turns[4], turns[5]);
        eprintln!("turns: {turns:?}, median {median}");
        assert!(median >= 15, "{turns:?}");
    });
}
