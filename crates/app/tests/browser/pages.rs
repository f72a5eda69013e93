//! Checks of every page: size, time to first paint, layout on a phone, foreign scripts, and errors.

use serde_json::{Value, json};

use crate::harness::{Browser, Screen, run_test};

const PAGES: [&str; 7] = ["/", "/watch", "/analyse", "/learn", "/lab", "/help", "/api"];

/// The maximum size of a page with all its resources, in bytes over the network.
const HEAVIEST: f64 = 400_000.0;

/// The maximum time to first paint on any machine. The goal is one second.
const SLOWEST_PAINT_MS: f64 = 20_000.0;

/// The bytes over the network, and the time of the first paint.
fn cost(browser: &Browser) -> (f64, f64) {
    let script = "(() => { \
        const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]; \
        const paint = performance.getEntriesByName('first-contentful-paint')[0]; \
        return [all.reduce((sum, entry) => sum + entry.transferSize, 0), paint ? paint.startTime : null]; \
    })()";
    browser.until("performance.getEntriesByName('first-contentful-paint').length > 0");
    let measured = browser.eval(script, &[]);
    (measured[0].as_f64().expect("bytes"), measured[1].as_f64().expect("a time"))
}

#[test]
fn every_page_is_small_and_paints_quickly() {
    run_test(Screen::Desktop, |browser| {
        for page in PAGES {
            // The cache must be empty.
            browser.open(page);
            let (bytes, paint) = cost(browser);
            eprintln!("{page}: {:.0} kB, first paint after {paint:.0} ms", bytes / 1000.0);
            assert!(bytes < HEAVIEST, "{page} weighs {bytes} bytes");
            assert!(paint < SLOWEST_PAINT_MS, "{page} was first painted after {paint} ms");
        }
    });
}

/// The horizontal overflow of the page, in points.
fn overhang(browser: &Browser) -> Value {
    browser.eval("document.documentElement.scrollWidth - innerWidth", &[])
}

#[test]
fn a_phone_has_no_overflow_and_can_play_by_touch() {
    run_test(Screen::Phone, |browser| {
        for page in PAGES {
            browser.open(page);
            assert_eq!(browser.eval("innerWidth", &[]), 390, "{page}");
            assert_eq!(overhang(browser), 0, "{page}");
        }
        for board in ["square8", "hex8", "square19"] {
            let setup = json!({ "game": "ringrift", "board": board, "swap": false });
            let id = browser.server.begin(&json!({ "setup": setup, "seats": ["human", "human"] }));
            browser.open(&format!("/game/{id}"));
            assert_eq!(overhang(browser), 0, "{board}");
            let at = if board == "square19" { "k10" } else { "d4" };
            browser.cell(at);
            browser.until("!document.querySelector('[data-test=\"chooser\"]').hidden");
            assert_eq!(overhang(browser), 0, "{board} with the chooser");
            browser.click(&format!("[data-test=\"choice\"][data-move=\"++{at}\"]"));
            browser.until("document.body.dataset.ply === '1'");
            browser.press("new-game");
            browser.hook("new-game-dialog");
            assert_eq!(overhang(browser), 0, "{board} with the dialog of a new game");
        }
    });
}

#[test]
fn foreign_scripts_do_not_run() {
    run_test(Screen::Desktop, |browser| {
        let head = browser.server.get("/").head.to_ascii_lowercase();
        let policy = head.lines().find_map(|line| line.strip_prefix("content-security-policy: "));
        let policy = policy.expect("a policy");
        for part in ["default-src 'self'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"] {
            assert!(policy.contains(part), "{policy}");
        }
        assert!(!policy.contains("unsafe"), "{policy}");
        browser.open("/help");
        let smuggle = "(() => { \
            const script = document.createElement('script'); \
            script.textContent = 'window.smuggled = true'; \
            document.head.append(script); \
            document.body.setAttribute('onclick', 'window.smuggled = true'); \
            document.body.click(); \
            return Boolean(window.smuggled); \
        })()";
        assert_eq!(browser.eval(smuggle, &[]), json!(false));
        // The console reports both, as expected.
        let complaints = browser.console_errors();
        assert_eq!(complaints.len(), 2, "{complaints:?}");
        assert!(
            complaints.iter().all(|complaint| complaint.contains("Content Security Policy")),
            "{complaints:?}"
        );
    });
}

#[test]
fn an_unknown_url_shows_an_error() {
    run_test(Screen::Desktop, |browser| {
        for (path, words) in [
            ("/game/nosuchgame", "There is no game"),
            ("/analyse?setup=broken", "This link is damaged"),
            ("/learn/nosuchlesson", "There is no lesson"),
            ("/nowhere/at/all", "There is nothing at this address"),
        ] {
            browser.open(path);
            let said = browser.eval("document.getElementById('page').textContent", &[]);
            let said = said.as_str().unwrap_or_default();
            assert!(said.contains("could not be opened") && said.contains(words), "{path}: {said}");
        }
        // A link leads back.
        browser.click(".closed a[href=\"/\"]");
        browser.until("document.body.dataset.page === 'play' && document.body.dataset.ready === 'true'");
        // The browser's console has the failed request.
        assert!(browser.console_errors().iter().all(|entry| entry.contains("404")));
    });
}
