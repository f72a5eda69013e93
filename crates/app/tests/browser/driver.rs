//! A minimal `WebDriver` client for Chromium, with only the commands that the tests need.
//!
//! An existing crate for it would add about sixty dependencies.

use std::{
    io::{BufRead, BufReader, Read},
    net::SocketAddr,
    path::Path,
    process::{Child, ChildStdout, Command, Stdio},
};

use serde_json::{Value, json};

use crate::server::{ask, try_to_ask};

/// The field with the id of an element in responses of the driver.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// A key without a character, in the encoding of the driver.
#[derive(Clone, Copy)]
pub(crate) enum Key {
    Tab = 0xE004,
    Enter = 0xE007,
    Escape = 0xE00C,
    PageUp = 0xE00E,
    PageDown = 0xE00F,
    End = 0xE010,
    Home = 0xE011,
    Left = 0xE012,
    Up = 0xE013,
    Right = 0xE014,
    Down = 0xE015,
}

impl From<Key> for char {
    fn from(key: Key) -> Self {
        char::from_u32(key as u32).expect("these keys are characters")
    }
}

/// A driver process with one browser. Both are stopped on drop.
pub(crate) struct Driver {
    child: Child,
    address: SocketAddr,
    session: String,
    /// Kept open, so that writing to standard output never fails.
    _out: BufReader<ChildStdout>,
}

impl Driver {
    /// Starts the driver on a free port, and a browser with `options`.
    pub(crate) fn start(path: &Path, options: &Value) -> Self {
        // The driver selects a free port and exits if another process takes it first.
        let begun = (0..3).find_map(|_| Self::begin(path));
        let (child, out, port) = begun.expect("chromedriver prints its port");
        let mut driver =
            Self { child, address: ([127, 0, 0, 1], port).into(), session: String::new(), _out: out };
        let wanted = json!({
            "browserName": "chrome",
            "goog:chromeOptions": options,
            "goog:loggingPrefs": { "browser": "ALL" },
        });
        let begun = ask(
            driver.address,
            "POST",
            "/session",
            Some(&json!({ "capabilities": { "alwaysMatch": wanted } })),
        );
        begun.json(200)["value"]["sessionId"].as_str().expect("a session").clone_into(&mut driver.session);
        driver
    }

    /// Starts a driver and returns its port; `None` if it exited.
    fn begin(path: &Path) -> Option<(Child, BufReader<ChildStdout>, u16)> {
        let mut child = Command::new(path)
            .arg("--port=0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver starts");
        let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
        let port = out.by_ref().lines().map_while(Result::ok).find_map(|line| {
            let (_, port) = line.split_once("started successfully on port ")?;
            port.trim_end_matches('.').parse().ok()
        });
        if port.is_none() {
            let _ = child.wait();
        }
        Some((child, out, port?))
    }

    /// Sends a command, and returns its result or an error message.
    fn order(&self, method: &str, path: &str, body: Option<&Value>) -> Result<Value, String> {
        let path = format!("/session/{}{path}", self.session);
        let answer = try_to_ask(self.address, method, &path, body).map_err(|error| error.to_string())?;
        let value: Value =
            serde_json::from_str(&answer.body).map_err(|error| format!("{error}: {}", answer.body))?;
        let value = &value["value"];
        if answer.status == 200 { Ok(value.clone()) } else { Err(value["message"].to_string()) }
    }

    fn post(&self, path: &str, body: &Value) -> Result<Value, String> {
        self.order("POST", path, Some(body))
    }

    /// Navigates to a URL.
    pub(crate) fn go(&self, address: &str) {
        self.post("/url", &json!({ "url": address })).expect(address);
    }

    /// Reloads the page.
    pub(crate) fn reload(&self) {
        self.post("/refresh", &json!({})).expect("the page loads again");
    }

    /// Runs a script, given as the body of a function.
    pub(crate) fn run(&self, script: &str, args: &[Value]) -> Result<Value, String> {
        self.post("/execute/sync", &json!({ "script": script, "args": args }))
    }

    /// The first element that currently matches a selector, if any.
    pub(crate) fn find(&self, selector: &str) -> Option<String> {
        let found = self.post("/element", &json!({ "using": "css selector", "value": selector })).ok()?;
        Some(found[ELEMENT].as_str()?.to_owned())
    }

    /// Clicks the centre of an element, or taps it on a touch screen.
    pub(crate) fn click(&self, element: &str) -> Result<(), String> {
        self.post(&format!("/element/{element}/click"), &json!({})).map(drop)
    }

    /// The visible text of an element.
    pub(crate) fn text(&self, element: &str) -> Result<String, String> {
        let text = self.order("GET", &format!("/element/{element}/text"), None)?;
        Ok(text.as_str().unwrap_or_default().to_owned())
    }

    /// Clears a field and types into it.
    pub(crate) fn write(&self, element: &str, text: &str) -> Result<(), String> {
        self.post(&format!("/element/{element}/clear"), &json!({}))?;
        self.post(&format!("/element/{element}/value"), &json!({ "text": text })).map(drop)
    }

    /// Sends keys to the focused element.
    pub(crate) fn keys(&self, keys: &[char]) {
        let press = |key: &char| {
            [json!({ "type": "keyDown", "value": key }), json!({ "type": "keyUp", "value": key })]
        };
        let actions: Vec<Value> = keys.iter().flat_map(press).collect();
        let keyboard = json!({ "type": "key", "id": "keyboard", "actions": actions });
        self.post("/actions", &json!({ "actions": [keyboard] })).expect("keys are typed");
    }

    /// Sends a command of the browser's debugging protocol, for what a pointer and keys cannot do.
    pub(crate) fn devtools(&self, command: &str, params: &Value) -> Value {
        self.post("/goog/cdp/execute", &json!({ "cmd": command, "params": params })).expect(command)
    }

    /// Goes back in the tab's history.
    pub(crate) fn back(&self) {
        self.post("/back", &json!({})).expect("there is a page before");
    }

    /// The current tab.
    pub(crate) fn tab(&self) -> String {
        self.order("GET", "/window", None).expect("a tab").as_str().unwrap_or_default().to_owned()
    }

    /// Opens a new tab without switching to it.
    pub(crate) fn new_tab(&self) -> String {
        let tab = self.post("/window/new", &json!({ "type": "tab" })).expect("another tab");
        tab["handle"].as_str().expect("its name").to_owned()
    }

    /// Switches to another tab.
    pub(crate) fn switch_to(&self, tab: &str) {
        self.post("/window", &json!({ "handle": tab })).expect("the tab is there");
    }

    /// The entries of the browser's console since the last call.
    pub(crate) fn console(&self) -> Vec<Value> {
        let entries = self.post("/se/log", &json!({ "type": "browser" })).expect("the console");
        entries.as_array().cloned().unwrap_or_default()
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // Closing the session closes the browser. The driver is killed in any case.
        if !self.session.is_empty() {
            let _ = self.order("DELETE", "", None);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
