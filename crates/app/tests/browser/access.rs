//! Accessibility: screen readers and the keyboard.

use serde_json::{Value, json};

use crate::{
    driver::Key,
    harness::{Browser, Screen, run_test},
};

/// The accessibility tree of the page: role, name, and whether an element can have the focus.
fn accessibility_tree(browser: &Browser) -> Vec<(String, String, bool)> {
    let tree = browser.driver.devtools("Accessibility.getFullAXTree", &json!({}));
    let nodes = tree["nodes"].as_array().expect("a tree").iter().filter(|node| node["ignored"] == false);
    let text = |value: &Value| value["value"].as_str().unwrap_or_default().to_owned();
    let reached = |node: &Value| {
        let mut facts = node["properties"].as_array().into_iter().flatten();
        facts.any(|fact| fact["name"] == "focusable" && fact["value"]["value"] == true)
    };
    nodes.map(|node| (text(&node["role"]), text(&node["name"]), reached(node))).collect()
}

/// The accessible name of the cell under the keyboard cursor.
fn here(browser: &Browser) -> String {
    let label = "document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))\
                 ?.getAttribute('aria-label') ?? ''";
    browser.eval(label, &[]).as_str().expect("a text").to_owned()
}

#[test]
fn a_screen_reader_can_read_the_board() {
    run_test(Screen::Desktop, |browser| {
        let start = "square8 2 1:movement hands=0,0 credits=0,0 cells=a1:1,a2:1122,c3*2,h8#2,e5:2";
        let id = browser.server.begin(&json!({ "seats": ["human", "human"], "start": start }));
        browser.open(&format!("/game/{id}"));
        browser.my_turn(&id);
        let all = accessibility_tree(browser);
        let name = |wanted: &str| all.iter().any(|(_, name, _)| name == wanted);
        assert!(name("a2, stack of 4 of Amber, from the top Amber, Amber, Blue, Blue"));
        assert!(name("c3, marker of Amber") && name("h8, territory of Amber") && name("b7, empty"));
        let role =
            |at: &str| all.iter().find(|(_, name, _)| name.starts_with(at)).map(|(role, ..)| role.clone());
        assert_eq!(role("b1").as_deref(), Some("button"), "what can be chosen is a button");
        assert_eq!(role("h7").as_deref(), Some("image"), "what cannot is none");
        assert!(
            all.iter().any(|(role, ..)| role == "main") && all.iter().any(|(role, ..)| role == "navigation")
        );

        // Repeated keys cycle through the cells that can be chosen, and announce each.
        browser.keys(&['b', Key::PageDown.into()]);
        browser.until("document.activeElement.getAttribute('aria-activedescendant')");
        assert_eq!(here(browser), "b1, empty: Move here");
        browser.keys(&[Key::PageUp.into()]);
        assert_ne!(here(browser), "b1, empty: Move here");
        browser.keys(&[Key::PageDown.into(), Key::Enter.into()]);
        browser.until("document.body.dataset.toMove === '2'");
        let said = browser.eval("document.getElementById('spoken').textContent", &[]);
        let said = said.as_str().unwrap_or_default();
        assert!(said.contains("Blue moves a1 to b1") && said.contains("Amber"), "{said}");
    });
}

#[test]
fn every_focusable_element_has_a_name() {
    run_test(Screen::Desktop, names);
    // On small screens some labels are hidden, but still accessible.
    run_test(Screen::Phone, names);
}

fn names(browser: &Browser) {
    let id = browser.server.begin(&json!({ "setup": { "game": "ringrift" }, "seats": ["human", "d1"] }));
    for page in [
        format!("/game/{id}"),
        format!("/analyse?game={id}"),
        "/watch".to_owned(),
        "/learn".to_owned(),
        "/learn/captures".to_owned(),
        "/lab".to_owned(),
        "/help".to_owned(),
        "/api".to_owned(),
    ] {
        browser.open(&page);
        for (role, name, reached) in accessibility_tree(browser) {
            let frame = ["RootWebArea", "main", "generic", "scrollArea"].contains(&role.as_str());
            assert!(!reached || frame || !name.is_empty(), "{page}: a {role} without a name");
        }
        assert_eq!(browser.count("h1"), 1, "{page} has one heading above all");
    }
}

#[test]
fn fast_agents_do_not_flood_the_screen_reader() {
    run_test(Screen::Desktop, |browser| {
        let setup = json!({ "game": "go", "size": 9 });
        let id = browser.server.begin(&json!({ "setup": setup, "seats": ["d1", "d1"], "paused": true }));
        browser.open(&format!("/game/{id}"));
        let count = "(() => { \
            window.spoken = 0; \
            new MutationObserver(() => { window.spoken += 1; }) \
                .observe(document.getElementById('spoken'), { childList: true, characterData: true, subtree: true }); \
            return performance.now(); \
        })()";
        let begun = browser.eval(count, &[]).as_f64().expect("a time");
        browser.press("pause");
        browser.until("document.body.dataset.status === 'over'");
        let measured =
            browser.eval("[window.spoken, performance.now(), Number(document.body.dataset.ply)]", &[]);
        let (spoken, now) = (measured[0].as_f64().expect("a number"), measured[1].as_f64().expect("a time"));
        // One announcement every two and a half seconds, the first at once, and the result.
        assert!(spoken <= 2.0 + (now - begun) / 2500.0, "{measured}");
        let said = browser.eval("document.getElementById('spoken').textContent", &[]);
        assert!(said.as_str().is_some_and(|said| said.contains("wins")), "{said}");
    });
}

#[test]
fn a_slow_reader_hears_every_move_of_quick_opponents() {
    run_test(Screen::Desktop, |browser| {
        let setup = json!({ "game": "ringrift", "players": 4 });
        let id = browser.server.begin(&json!({ "setup": setup, "seats": ["human", "d1", "d1", "d1"] }));
        browser.open(&format!("/game/{id}"));
        let game = browser.my_turn(&id);
        // A voice reads what is in the live region when it has finished the previous sentence.
        let listen = "(() => { \
            window.heard = ''; \
            setInterval(() => { window.heard += document.getElementById('spoken').textContent; }, 1000); \
            return true; \
        })()";
        browser.eval(listen, &[]);
        let first = game["view"]["moves"][0]["text"].as_str().expect("a move").to_owned();
        let mut game = browser.play(&id, &first);
        while game["moves"].as_array().expect("moves").iter().all(|ply| ply["seat"] == 1) {
            let next = game["view"]["moves"][0]["text"].as_str().expect("a move").to_owned();
            game = browser.play(&id, &next);
        }
        for ply in game["moves"].as_array().expect("moves").iter().filter(|ply| ply["auto"] == false) {
            browser.until_with("window.heard.includes(args[0])", &[ply["words"].clone()]);
        }
    });
}

#[test]
fn the_list_of_moves_is_a_single_tab_stop() {
    run_test(Screen::Desktop, |browser| {
        let moves = ["+d4", "d4-d6", "+e4", "e4-e6"];
        let setup = json!({ "game": "ringrift", "swap": false });
        let id =
            browser.server.begin(&json!({ "setup": setup, "seats": ["human", "human"], "moves": moves }));
        browser.open(&format!("/game/{id}"));
        assert_eq!(browser.count("[data-test=\"moves\"] a[tabindex=\"0\"]"), 1);
        browser.eval("document.querySelector('[data-test=\"analyse\"]').focus()", &[]);
        browser.keys(&[Key::Tab.into()]);
        let at = || browser.eval("document.activeElement.textContent", &[]);
        assert_eq!(at(), "e4-e6", "the latest comes first");
        browser.keys(&[Key::Up.into(), Key::Up.into()]);
        assert_eq!(at(), "d4-d6");
    });
}

#[test]
fn single_key_shortcuts_can_be_turned_off() {
    run_test(Screen::Desktop, |browser| {
        browser.open("/help");
        browser.keys(&['?']);
        browser.hook("keys");
        browser.keys(&[Key::Escape.into()]);
        browser.until("document.querySelector('dialog') === null");
        browser.press("appearance");
        browser.press("single-keys");
        browser.keys(&[Key::Escape.into()]);
        browser.until("document.querySelector('dialog') === null");
        browser.keys(&['?']);
        browser.open("/learn");
        browser.keys(&['?']);
        assert_eq!(browser.count("dialog"), 0);
    });
}
