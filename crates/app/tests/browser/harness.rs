//! A browser at the service: both are started for each scene and gone after it.
//!
//! Scenes run one at a time, each with a profile of its own, so that none sees what another left behind. Nothing waits
//! for a fixed time: the pages say on `body` when they are ready (see `web/main.js`).

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
    server::{PATIENCE, Served},
};

/// How often a page is looked at while waiting for it.
const GLANCE: Duration = Duration::from_millis(15);

/// The device that a scene is seen on.
#[derive(Clone, Copy)]
pub(crate) enum Screen {
    Desk,
    /// 390 × 844 points, and fingers instead of a pointer.
    Phone,
}

/// A browser with the service's pages in it.
pub(crate) struct Browser {
    pub(crate) driver: Driver,
    pub(crate) server: Served,
    data: PathBuf,
    /// Games and the browser's profile; gone last.
    _folder: TempDir,
}

/// Plays a scene in a fresh browser at a fresh service. Errors in the browser's console fail it.
///
/// Without a browser on this machine nothing is played, except in CI, where that is a failure.
pub(crate) fn scene(screen: Screen, play: impl FnOnce(&Browser)) {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let Some((chromium, driver)) = found() else { return };
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data = folder.path().join("data");
    let server = Served::start(&data);
    let driver = Driver::start(&driver, &options(&chromium, &folder.path().join("profile"), screen));
    let browser = Browser { driver, server, data, _folder: folder };
    play(&browser);
    let errors = browser.complaints();
    assert!(errors.is_empty(), "the console shows errors:\n{}", errors.join("\n"));
}

/// Where Chromium and its driver are.
fn found() -> Option<(PathBuf, PathBuf)> {
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

/// How Chromium is started: without a window, and without a word to anybody but our service.
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
    /// The folder of the service's files.
    pub(crate) fn data(&self) -> &Path {
        &self.data
    }

    /// Opens a page and waits until it has drawn itself.
    pub(crate) fn open(&self, path: &str) {
        self.driver.go(&self.server.page(path));
        self.ready();
    }

    /// Waits until the page has drawn what it was asked for.
    pub(crate) fn ready(&self) {
        self.until("document.body.dataset.ready === 'true'");
    }

    /// What an expression comes to in the page; it sees `args`.
    #[track_caller]
    pub(crate) fn eval(&self, expression: &str, args: &[Value]) -> Value {
        self.driver.run(&format!("const args = arguments; return {expression};"), args).expect(expression)
    }

    /// Waits until an expression is true in the page.
    #[track_caller]
    pub(crate) fn until(&self, expression: &str) {
        self.until_with(expression, &[]);
    }

    /// Waits until an expression about `args` is true in the page.
    #[track_caller]
    pub(crate) fn until_with(&self, expression: &str, args: &[Value]) {
        let script = format!("const args = arguments; return Boolean({expression});");
        // While a page is being left there is nobody to ask.
        let holds = || self.driver.run(&script, args) == Ok(Value::Bool(true));
        self.wait(holds, || format!("{expression} {args:?}"));
    }

    #[track_caller]
    fn wait(&self, mut done: impl FnMut() -> bool, what: impl Fn() -> String) {
        let begun = Instant::now();
        while !done() {
            assert!(begun.elapsed() < PATIENCE, "it never came to this: {}\n{}", what(), self.kept_page());
            thread::sleep(GLANCE);
        }
    }

    /// The first element that a selector finds, once there is one.
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

    /// The element that a test hook names.
    #[track_caller]
    pub(crate) fn hook(&self, name: &str) -> String {
        self.find(&format!("[data-test=\"{name}\"]"))
    }

    /// Clicks what a selector finds, with the pointer, where people see it.
    #[track_caller]
    pub(crate) fn click(&self, selector: &str) {
        let begun = Instant::now();
        while let Err(words) = self.driver.click(&self.find(selector)) {
            // A list that is drawn again just now is there again in a moment; anything else is in the way.
            let gone = words.contains("stale element") && begun.elapsed() < PATIENCE;
            assert!(gone, "{selector}: {words}\n{}", self.kept_page());
        }
    }

    /// Clicks the element of a test hook.
    #[track_caller]
    pub(crate) fn press(&self, name: &str) {
        self.click(&format!("[data-test=\"{name}\"]"));
    }

    /// Clicks a cell of the board.
    #[track_caller]
    pub(crate) fn cell(&self, at: &str) {
        self.click(&format!("[data-cell=\"{at}\"]"));
    }

    /// Chooses an option of a list.
    #[track_caller]
    pub(crate) fn select(&self, selector: &str, value: &str) {
        self.click(&format!("{selector} option[value=\"{value}\"]"));
    }

    /// What the element of a test hook shows.
    #[track_caller]
    pub(crate) fn text(&self, name: &str) -> String {
        self.driver.text(&self.hook(name)).expect(name)
    }

    /// How many elements a selector finds now.
    #[track_caller]
    pub(crate) fn count(&self, selector: &str) -> u64 {
        let count = self.eval("document.querySelectorAll(args[0]).length", &[json!(selector)]);
        count.as_u64().expect("a number")
    }

    /// A field of `body` that tells how the page stands.
    #[track_caller]
    pub(crate) fn told(&self, name: &str) -> String {
        let value = self.eval("document.body.dataset[args[0]] ?? ''", &[json!(name)]);
        value.as_str().expect("a field of text").to_owned()
    }

    /// Types keys at whatever has the focus.
    pub(crate) fn keys(&self, keys: &[char]) {
        self.driver.keys(keys);
    }

    /// What went wrong according to the browser's console since it was asked last.
    pub(crate) fn complaints(&self) -> Vec<String> {
        let bad = |entry: &&Value| entry["level"] == "SEVERE" || entry["level"] == "WARNING";
        let told = |entry: &Value| format!("{} {}", entry["level"], entry["message"]);
        self.driver.console().iter().filter(bad).map(told).collect()
    }

    /// Keeps the page of a failure beside the build's files, and tells where.
    fn kept_page(&self) -> String {
        let page = self.driver.run("return document.documentElement.outerHTML;", &[]);
        let page = page.ok().and_then(|page| page.as_str().map(str::to_owned)).unwrap_or_default();
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("failed-{}.html", std::process::id()));
        match fs::write(&path, page) {
            Ok(()) => format!("the page at that moment: {}", path.display()),
            Err(error) => format!("the page at that moment cannot be kept: {error}"),
        }
    }
}
