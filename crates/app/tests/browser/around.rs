//! The first visit, the dialog of a new game, appearance, and restarts of the service.

use serde_json::{Value, json};

use crate::{
    harness::{Browser, Screen, run_test},
    server::Served,
};

#[test]
fn a_first_time_visitor_plays_with_two_clicks() {
    run_test(Screen::Desktop, |browser| {
        browser.open("/");
        browser.hook("welcome");
        browser.cell("d4");
        browser.click("[data-test=\"choice\"][data-move=\"++d4\"]");
        browser.until("document.body.dataset.ply === '1'");
        browser.cell("d6");
        browser.until("Number(document.body.dataset.ply) > 4");
        browser.until("document.querySelector('[data-test=\"welcome\"]').hidden");
        // It does not appear again.
        browser.driver.reload();
        browser.ready();
        browser.until("document.querySelector('[data-test=\"welcome\"]').hidden");
    });
}

#[test]
fn an_invalid_agent_is_reported_at_its_field() {
    run_test(Screen::Desktop, |browser| {
        browser.open("/");
        let before = browser.data_attribute("game");
        browser.press("new-game");
        browser.select("[data-test=\"seat-2-who\"]", "own");
        let field = browser.hook("seat-2-agent");
        browser.driver.write(&field, "nonsense").expect("a field");
        browser.press("start");
        browser.until("!document.querySelector('[data-test=\"dialog-error\"]').hidden");
        assert!(browser.text("dialog-error").contains("nonsense"));
        assert_eq!(browser.data_attribute("game"), before);
        browser.driver.write(&field, "heuristic").expect("a field");
        browser.press("start");
        browser.until_with(
            "document.body.dataset.ready === 'true' && (document.body.dataset.game ?? args[0]) !== args[0]",
            &[json!(before)],
        );
        assert_eq!(browser.server.game(&browser.data_attribute("game"))["seats"][1]["spec"], "heuristic");
        assert_eq!(browser.count("dialog"), 0);
        // The browser's console has the error response, too.
        assert!(browser.console_errors().iter().all(|entry| entry.contains("422")));
    });
}

#[test]
fn stored_settings_that_are_no_longer_valid_do_not_block_the_dialog() {
    run_test(Screen::Desktop, |browser| {
        browser.open("/help");
        let kept = json!({ "seats": ["human", "an agent of old", "d3", "d3"] }).to_string();
        browser.eval("localStorage.setItem('riftlab-settings', args[0])", &[json!(kept)]);
        browser.open("/");
        assert_eq!(browser.server.game(&browser.data_attribute("game"))["seats"][1]["spec"], "d1");
        assert!(browser.console_errors().iter().all(|entry| entry.contains("422")));
    });
}

#[test]
fn an_invalid_text_is_reported_where_it_was_pasted() {
    run_test(Screen::Desktop, |browser| {
        browser.open("/analyse");
        browser.press("open-dialog");
        let field = browser.hook("open-text");
        browser.driver.write(&field, "this is no game").expect("a field");
        browser.press("open");
        browser.until("!document.querySelector('[data-test=\"dialog-error\"]').hidden");
        assert!(browser.text("dialog-error").contains("this"));
        assert!(browser.console_errors().iter().all(|entry| entry.contains("422")));
    });
}

#[test]
fn an_earlier_game_is_found_again() {
    run_test(Screen::Desktop, |browser| {
        let setup = json!({ "game": "ringrift", "swap": false });
        let seats = json!({ "setup": setup, "seats": ["human", "human"], "moves": ["+d4"] });
        let id = browser.server.begin(&seats);
        browser.open("/");
        assert_ne!(browser.data_attribute("game"), id);
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
fn the_page_reconnects_after_a_restart_of_the_service() {
    run_test(Screen::Desktop, |browser| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let service = Served::start(folder.path());
        let address = service.address();
        let id = service.begin(&json!({ "setup": { "game": "ringrift" }, "seats": ["human", "human"] }));
        browser.driver.go(&service.page(&format!("/game/{id}")));
        browser.ready();
        let expect_notice = |words: &str| {
            let shown = "(() => { \
                const notice = document.getElementById('notice'); \
                return !notice.hidden && notice.textContent.includes(args[0]); \
            })()";
            browser.until_with(shown, &[json!(words)]);
        };
        service.kill();
        expect_notice("Connection to the server lost");
        // Another page cannot be loaded, and shows the reason.
        browser.click("[data-nav=\"learn\"]");
        browser.until("document.querySelector('.closed h1')?.textContent === 'The server does not answer'");
        browser.driver.back();
        browser.until("document.querySelector('.closed') !== null && document.body.dataset.page === 'play'");
        let service = Served::start_at(folder.path(), address);
        browser.press("retry");
        browser.until("document.body.dataset.ply === '0'");
        service.kill();
        expect_notice("Connection to the server lost");
        let service = Served::start_at(folder.path(), address);
        expect_notice("Reconnected to the server");
        browser.cell("d4");
        browser.click("[data-test=\"choice\"][data-move=\"+d4\"]");
        browser.until("document.body.dataset.ply === '1'");
        assert_eq!(service.game(&id)["ply"], 1);
        browser.open("/help");
        // The browser's console has the failed requests.
        assert!(browser.console_errors().iter().all(|entry| entry.contains("ERR_")));
    });
}

#[test]
fn a_move_that_does_not_reach_the_service_can_be_made_again() {
    run_test(Screen::Desktop, |browser| {
        let setup = json!({ "game": "go", "size": 5 });
        let id = browser.server.begin(&json!({ "setup": setup, "seats": ["human", "human"] }));
        browser.open(&format!("/game/{id}"));
        browser.my_turn(&id);
        browser.driver.devtools("Network.enable", &json!({}));
        // First only the move is lost, then everything that the page asks for.
        for (lost, at, ply) in [("moves", "C3", 1), ("api/games", "D3", 2)] {
            browser.driver.devtools("Network.setBlockedURLs", &json!({ "urls": [format!("*{lost}*")] }));
            browser.cell(at);
            let told = "document.getElementById('notice').textContent.includes('does not answer')";
            browser.until(&format!("{told} && !document.getElementById('notice').hidden"));
            browser.until("!document.body.dataset.busy");
            browser.driver.devtools("Network.setBlockedURLs", &json!({ "urls": [] }));
            browser.until_with("document.querySelector(args[0])", &[json!(format!("[data-cell=\"{at}\"]"))]);
            browser.cell(at);
            browser.until_with("document.body.dataset.ply === String(args[0])", &[json!(ply)]);
            assert_eq!(browser.server.game(&id)["ply"], ply);
            browser.eval("document.getElementById('notice').hidden = true", &[]);
        }
        assert!(
            browser.console_errors().iter().all(|entry| entry.contains("ERR_")),
            "only the lost requests"
        );
    });
}

/// The background colour.
fn paper(browser: &Browser) -> Value {
    browser.eval("getComputedStyle(document.body).backgroundColor", &[])
}

#[test]
fn the_appearance_is_chosen_on_any_page_and_survives_a_new_game() {
    run_test(Screen::Desktop, |browser| {
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
        let game = browser.data_attribute("game");
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
fn a_phone_in_landscape_shows_the_whole_board() {
    run_test(Screen::Desktop, |browser| {
        let id =
            browser.server.begin(&json!({ "setup": { "game": "ringrift" }, "seats": ["human", "human"] }));
        // A phone in landscape, a window at 200 % zoom, a tablet, a large screen.
        for (width, height) in [(844, 390), (640, 430), (820, 1180), (1920, 1080)] {
            let screen = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
            browser.driver.devtools("Emulation.setDeviceMetricsOverride", &screen);
            browser.open(&format!("/game/{id}"));
            let board = "(() => { \
                const box = document.querySelector('.board').getBoundingClientRect(); \
                return [box.bottom <= innerHeight, box.right <= innerWidth, box.width, \
                    document.documentElement.scrollWidth - innerWidth]; \
            })()";
            let layout = browser.eval(board, &[]);
            assert_eq!((&layout[0], &layout[1]), (&json!(true), &json!(true)), "{width}×{height}: {layout}");
            assert!(layout[2].as_f64() > Some(250.0), "{width}×{height}: {layout}");
            assert!(layout[3].as_f64() <= Some(0.0), "{width}×{height}: {layout}");
        }
    });
}
