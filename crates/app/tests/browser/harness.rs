//! Starts a browser and the service for each test.
//!
//! Tests run one at a time, each with a new browser profile, so that they are independent. Nothing waits for a fixed time:
//! the pages set attributes of `body` when they are ready (see `web/main.js`).

use std::{
    env, fs,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{
    driver::Driver,
    server::{Served, TIMEOUT},
};

/// The polling interval while waiting for a page.
const GLANCE: Duration = Duration::from_millis(15);

/// The device that a test simulates.
#[derive(Clone, Copy)]
pub(crate) enum Screen {
    Desktop,
    /// A phone of 390 × 844 points with a touch screen.
    Phone,
}

/// A browser that shows the pages of the service.
pub(crate) struct Browser {
    pub(crate) driver: Driver,
    pub(crate) server: Served,
    data: PathBuf,
    /// The folder of games and of the browser's profile; dropped last.
    _folder: TempDir,
}

/// Runs a test in a new browser with a new service. Errors in the browser's console fail the test.
///
/// Without a browser on this machine the test is skipped, except in CI, where it fails.
pub(crate) fn run_test(screen: Screen, play: impl FnOnce(&Browser)) {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let Some((chromium, driver)) = find_chromium() else { return };
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data = folder.path().join("data");
    let server = Served::start(&data);
    let driver = Driver::start(&driver, &options(&chromium, &folder.path().join("profile"), screen));
    let browser = Browser { driver, server, data, _folder: folder };
    play(&browser);
    let errors = browser.console_errors();
    assert!(errors.is_empty(), "the console shows errors:\n{}", errors.join("\n"));
}

/// The paths of Chromium and its driver, if they are installed.
fn find_chromium() -> Option<(PathBuf, PathBuf)> {
    let on_path = |name: &str| {
        env::split_paths(&env::var_os("PATH")?).map(|folder| folder.join(name)).find(|path| path.is_file())
    };
    let browser = ["chromium", "chromium-browser", "google-chrome"].into_iter().find_map(on_path);
    let both = browser.zip(on_path("chromedriver"));
    let required = env::var("CI").is_ok_and(|ci| ci == "true");
    assert!(both.is_some() || !required, "Chromium and chromedriver are not on PATH, and CI must use them");
    if both.is_none() {
        eprintln!("skipped: Chromium and chromedriver are not on PATH");
    }
    both
}

/// The options of Chromium: headless, and without network access except to the service.
fn options(chromium: &Path, profile: &Path, screen: Screen) -> Value {
    let profile = format!("--user-data-dir={}", profile.display());
    let mut options = json!({
        "binary": chromium,
        "args": ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync",
            "--disable-dev-shm-usage", "--window-size=1280,900", profile],
    });
    if let Screen::Phone = screen {
        let metrics = json!({ "width": 390, "height": 844, "pixelRatio": 3, "touch": true, "mobile": true });
        options["mobileEmulation"] = json!({ "deviceMetrics": metrics });
    }
    options
}

impl Browser {
    /// The data folder of the service.
    pub(crate) fn data(&self) -> &Path {
        &self.data
    }

    /// Stores settings of the pages, as an earlier visit would have left them.
    pub(crate) fn settings(&self, settings: &Value) {
        self.open("/help");
        self.eval("localStorage.setItem('riftlab-settings', args[0])", &[json!(settings.to_string())]);
    }

    /// Opens a page and waits until it is ready.
    pub(crate) fn open(&self, path: &str) {
        self.driver.go(&self.server.page(path));
        self.ready();
    }

    /// Waits until the page is ready.
    pub(crate) fn ready(&self) {
        self.until("document.body.dataset.ready === 'true'");
    }

    /// Evaluates a JavaScript expression in the page, with `args` in scope.
    #[track_caller]
    pub(crate) fn eval(&self, expression: &str, args: &[Value]) -> Value {
        self.driver.run(&format!("const args = arguments; return {expression};"), args).expect(expression)
    }

    /// Waits until a JavaScript expression is true in the page.
    #[track_caller]
    pub(crate) fn until(&self, expression: &str) {
        self.until_with(expression, &[]);
    }

    /// Waits until a JavaScript expression is true in the page, with `args` in scope.
    #[track_caller]
    pub(crate) fn until_with(&self, expression: &str, args: &[Value]) {
        let script = format!("const args = arguments; return Boolean({expression});");
        // During navigation there is no page to evaluate it in.
        let holds = || self.driver.run(&script, args) == Ok(Value::Bool(true));
        self.wait(holds, || format!("{expression} {args:?}"));
    }

    #[track_caller]
    fn wait(&self, mut done: impl FnMut() -> bool, what: impl Fn() -> String) {
        let begun = Instant::now();
        while !done() {
            assert!(begun.elapsed() < TIMEOUT, "timed out: {}\n{}", what(), self.save_page());
            thread::sleep(GLANCE);
        }
    }

    /// Waits for an element that matches a selector, and returns it.
    #[track_caller]
    pub(crate) fn find(&self, selector: &str) -> String {
        let mut found = None;
        let look = || {
            found = self.driver.find(selector);
            found.is_some()
        };
        self.wait(look, || selector.to_owned());
        found.expect("the wait ended with it")
    }

    /// Waits for the element with a test hook (`data-test`), and returns it.
    #[track_caller]
    pub(crate) fn hook(&self, name: &str) -> String {
        self.find(&format!("[data-test=\"{name}\"]"))
    }

    /// Clicks the element that matches a selector with the pointer; it must be visible.
    #[track_caller]
    pub(crate) fn click(&self, selector: &str) {
        let begun = Instant::now();
        while let Err(words) = self.driver.click(&self.find(selector)) {
            // An element that is just being redrawn reappears soon; any other failure means that something covers it.
            let gone = words.contains("stale element") && begun.elapsed() < TIMEOUT;
            assert!(gone, "{selector}: {words}\n{}", self.save_page());
        }
    }

    /// Clicks the element with a test hook.
    #[track_caller]
    pub(crate) fn press(&self, name: &str) {
        self.click(&format!("[data-test=\"{name}\"]"));
    }

    /// Clicks a cell of the board.
    #[track_caller]
    pub(crate) fn cell(&self, at: &str) {
        self.click(&format!("[data-cell=\"{at}\"]"));
    }

    /// Selects an option of a list.
    #[track_caller]
    pub(crate) fn select(&self, selector: &str, value: &str) {
        self.click(&format!("{selector} option[value=\"{value}\"]"));
    }

    /// The visible text of the element with a test hook.
    #[track_caller]
    pub(crate) fn text(&self, name: &str) -> String {
        self.driver.text(&self.hook(name)).expect(name)
    }

    /// The number of elements that currently match a selector.
    #[track_caller]
    pub(crate) fn count(&self, selector: &str) -> u64 {
        let count = self.eval("document.querySelectorAll(args[0]).length", &[json!(selector)]);
        count.as_u64().expect("a number")
    }

    /// A data attribute of `body`, with the state of the page.
    #[track_caller]
    pub(crate) fn data_attribute(&self, name: &str) -> String {
        let value = self.eval("document.body.dataset[args[0]] ?? ''", &[json!(name)]);
        value.as_str().expect("a field of text").to_owned()
    }

    /// Sends keys to the focused element.
    pub(crate) fn keys(&self, keys: &[char]) {
        self.driver.keys(keys);
    }

    /// The errors in the browser's console since the last call.
    pub(crate) fn console_errors(&self) -> Vec<String> {
        let bad = |entry: &&Value| entry["level"] == "SEVERE" || entry["level"] == "WARNING";
        let line = |entry: &Value| format!("{} {}", entry["level"], entry["message"]);
        self.driver.console().iter().filter(bad).map(line).collect()
    }

    /// Saves the page of a failed test in the build folder, and returns its path.
    fn save_page(&self) -> String {
        let page = self.driver.run("return document.documentElement.outerHTML;", &[]);
        let page = page.ok().and_then(|page| page.as_str().map(str::to_owned)).unwrap_or_default();
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("failed-{}.html", std::process::id()));
        match fs::write(&path, page) {
            Ok(()) => format!("the page at that moment: {}", path.display()),
            Err(error) => format!("the page at that moment cannot be kept: {error}"),
        }
    }
}
