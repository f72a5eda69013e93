//! What happens around a game: the first visit, choosing, looks, a service that goes and comes.

use serde_json::{Value, json};

use crate::{
    harness::{Browser, Screen, scene},
    server::Served,
};

#[test]
fn whoever_comes_first_plays_with_two_clicks() {
    scene(Screen::Desk, |browser| {
        browser.open("/");
        browser.hook("welcome");
        browser.cell("d4");
        browser.click("[data-test=\"choice\"][data-move=\"++d4\"]");
        browser.until("document.body.dataset.ply === '1'");
        browser.cell("d6");
        browser.until("Number(document.body.dataset.ply) > 4");
        browser.until("document.querySelector('[data-test=\"welcome\"]').hidden");
        // It does not come back.
        browser.driver.reload();
        browser.ready();
        browser.until("document.querySelector('[data-test=\"welcome\"]').hidden");
    });
}

#[test]
fn an_agent_that_is_none_is_refused_where_it_was_written() {
    scene(Screen::Desk, |browser| {
        browser.open("/");
        let before = browser.told("game");
        browser.press("new-game");
        browser.select("[data-test=\"seat-2-who\"]", "own");
        let field = browser.hook("seat-2-agent");
        browser.driver.write(&field, "nonsense").expect("a field");
        browser.press("start");
        browser.until("!document.querySelector('[data-test=\"dialog-error\"]').hidden");
        assert!(browser.text("dialog-error").contains("nonsense"));
        assert_eq!(browser.told("game"), before);
        browser.driver.write(&field, "heuristic").expect("a field");
        browser.press("start");
        browser.until_with(
            "document.body.dataset.ready === 'true' && (document.body.dataset.game ?? args[0]) !== args[0]",
            &[json!(before)],
        );
        assert_eq!(browser.server.game(&browser.told("game"))["seats"][1]["spec"], "heuristic");
        assert_eq!(browser.count("dialog"), 0);
        // The refusal is noted by the browser as well.
        assert!(browser.complaints().iter().all(|entry| entry.contains("422")));
    });
}

#[test]
fn what_was_chosen_once_and_is_no_longer_possible_does_not_lock_anybody_out() {
    scene(Screen::Desk, |browser| {
        browser.open("/help");
        let kept = json!({ "seats": ["human", "an agent of old", "d3", "d3"] }).to_string();
        browser.eval("localStorage.setItem('riftlab-settings', args[0])", &[json!(kept)]);
        browser.open("/");
        assert_eq!(browser.server.game(&browser.told("game"))["seats"][1]["spec"], "d3");
        assert!(browser.complaints().iter().all(|entry| entry.contains("422")));
    });
}

#[test]
fn a_text_that_is_no_game_is_refused_where_it_was_pasted() {
    scene(Screen::Desk, |browser| {
        browser.open("/analyse");
        browser.press("open-dialog");
        let field = browser.hook("open-text");
        browser.driver.write(&field, "this is no game").expect("a field");
        browser.press("open");
        browser.until("!document.querySelector('[data-test=\"dialog-error\"]').hidden");
        assert!(browser.text("dialog-error").contains("this"));
        assert!(browser.complaints().iter().all(|entry| entry.contains("422")));
    });
}

#[test]
fn an_earlier_game_is_found_again() {
    scene(Screen::Desk, |browser| {
        let setup = json!({ "game": "ringrift", "swap": false });
        let seats = json!({ "setup": setup, "seats": ["human", "human"], "moves": ["+d4"] });
        let id = browser.server.begin(&seats);
        browser.open("/");
        assert_ne!(browser.told("game"), id);
        browser.press("new-game");
        browser.click("[data-test=\"earlier\"] summary");
        browser.click(&format!("[data-earlier=\"{id}\"]"));
        browser.until_with(
            "document.body.dataset.ready === 'true' && document.body.dataset.game === args[0]",
            &[json!(id)],
        );
        assert_eq!(browser.count("dialog"), 0);
        browser.driver.back();
        browser.until_with(
            "document.body.dataset.ready === 'true' && document.body.dataset.game !== args[0]",
            &[json!(id)],
        );
    });
}

#[test]
fn a_service_that_is_started_again_is_found_again() {
    scene(Screen::Desk, |browser| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let service = Served::start(folder.path());
        let address = service.address();
        let id = service.begin(&json!({ "setup": { "game": "ringrift" }, "seats": ["human", "human"] }));
        browser.driver.go(&service.page(&format!("/game/{id}")));
        browser.ready();
        let told = |words: &str| {
            let shown = "(() => { \
                const notice = document.getElementById('notice'); \
                return !notice.hidden && notice.textContent.includes(args[0]); \
            })()";
            browser.until_with(shown, &[json!(words)]);
        };
        service.kill();
        told("Connection to the server lost");
        // Another page cannot be opened now, and says why.
        browser.click("[data-nav=\"learn\"]");
        browser.until("document.querySelector('.closed h1')?.textContent === 'The server does not answer'");
        browser.driver.back();
        browser.until("document.querySelector('.closed') !== null && document.body.dataset.page === 'play'");
        let service = Served::start_at(folder.path(), address);
        browser.press("retry");
        browser.until("document.body.dataset.ply === '0'");
        service.kill();
        told("Connection to the server lost");
        let service = Served::start_at(folder.path(), address);
        told("Reconnected to the server");
        browser.cell("d4");
        browser.click("[data-test=\"choice\"][data-move=\"+d4\"]");
        browser.until("document.body.dataset.ply === '1'");
        assert_eq!(service.game(&id)["ply"], 1);
        browser.open("/help");
        // The browser notes by itself that nobody answered.
        assert!(browser.complaints().iter().all(|entry| entry.contains("ERR_")));
    });
}

/// The colour behind everything.
fn paper(browser: &Browser) -> Value {
    browser.eval("getComputedStyle(document.body).backgroundColor", &[])
}

#[test]
fn looks_are_chosen_on_any_page_and_kept_when_a_game_starts() {
    scene(Screen::Desk, |browser| {
        browser.open("/learn");
        let before = paper(browser);
        browser.press("appearance");
        browser.click("[data-test=\"theme\"] label:has(input[value=\"dark\"])");
        assert_ne!(paper(browser), before);
        browser.press("coordinates");
        browser.press("animations");
        browser.click("[data-test=\"look-dialog\"] .main");
        browser.open("/");
        let dark = paper(browser);
        assert_ne!(dark, before);
        let labels = "getComputedStyle(document.querySelector('.labels')).display";
        assert_eq!(browser.eval(labels, &[]), "none");
        browser.cell("d4");
        let still = "getComputedStyle(document.querySelector('[data-test=\"chooser\"]')).animationName";
        assert_eq!(browser.eval(still, &[]), "none", "what moves is still");
        let game = browser.told("game");
        browser.press("new-game");
        browser.press("start");
        browser.until_with(
            "document.body.dataset.ready === 'true' && (document.body.dataset.game ?? args[0]) !== args[0]",
            &[json!(game)],
        );
        assert_eq!(paper(browser), dark, "a new game changes nothing about looks");
    });
}

#[test]
fn lying_down_a_phone_shows_the_whole_board() {
    scene(Screen::Desk, |browser| {
        let id =
            browser.server.begin(&json!({ "setup": { "game": "ringrift" }, "seats": ["human", "human"] }));
        // A phone lying down, a window at twice its size, a tablet, a large screen.
        for (width, height) in [(844, 390), (640, 430), (820, 1180), (1920, 1080)] {
            let screen = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
            browser.driver.devtools("Emulation.setDeviceMetricsOverride", &screen);
            browser.open(&format!("/game/{id}"));
            let board = "(() => { \
                const box = document.querySelector('.board').getBoundingClientRect(); \
                return [box.bottom <= innerHeight, box.right <= innerWidth, box.width, \
                    document.documentElement.scrollWidth - innerWidth]; \
            })()";
            let told = browser.eval(board, &[]);
            assert_eq!((&told[0], &told[1]), (&json!(true), &json!(true)), "{width}×{height}: {told}");
            assert!(told[2].as_f64() > Some(250.0), "{width}×{height}: {told}");
            assert!(told[3].as_f64() <= Some(0.0), "{width}×{height}: {told}");
        }
    });
}
