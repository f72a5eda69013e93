//! The Lab: runs that are started on the page, and runs and jobs of the command line that the page follows.

use std::{
    path::Path,
    process::{Child, Command, Stdio},
};

use serde_json::{Value, json};

use crate::harness::{Browser, Screen, run_test};

/// The card of the latest run.
const LAST: &str = "document.querySelector('[data-run]')";

/// Waits until the latest run is in a state.
#[track_caller]
fn last_is(browser: &Browser, state: &str) {
    browser.until_with(&format!("{LAST}?.dataset.state === args[0]"), &[json!(state)]);
}

/// The number of games of the latest run, as shown on the page.
fn played(browser: &Browser) -> u64 {
    let words = browser.eval(&format!("{LAST}.querySelector('.num').textContent"), &[]);
    let words = words.as_str().expect("words").replace(',', "");
    words.split(' ').next().and_then(|number| number.parse().ok()).expect("a number of games")
}

/// Starts `riftlab tournament` with the database of the service.
fn tournament(data: &Path, games: u32) -> Child {
    Command::new(env!("CARGO_BIN_EXE_riftlab"))
        .args(["tournament", "--agents", "random,heuristic", "--json", "--threads", "1", "--games"])
        .arg(games.to_string())
        .arg("--db")
        .arg(data.join("lab.db"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("a tournament")
}

#[test]
fn the_lab_tells_how_strong_the_levels_of_a_board_are() {
    run_test(Screen::Desktop, |browser| {
        browser.open("/lab");
        let rows = "document.querySelectorAll('[data-test=\"levels\"] tbody tr').length === 10";
        browser.select("[data-test=\"levels-where\"]", "square8/2");
        browser.until(rows);
        browser.until("document.querySelector('[data-test=\"levels\"]').innerText.includes('±')");
        let agents = browser.server.get("/api/agents?game=ringrift&board=square8&players=2").json(200);
        let levels = agents["levels"].as_array().expect("levels").iter();
        let elos: Vec<f64> = levels.filter_map(|level| level["standing"]["elo"].as_f64()).collect();
        assert!(elos.len() > 5 && elos.is_sorted_by(|below, above| below < above), "{elos:?}");
        assert_eq!(browser.count("[data-test=\"levels\"] .interval"), elos.len() as u64);
        browser.select("[data-test=\"levels-where\"]", "go/19");
        browser.until(
            "document.querySelector('[data-test=\"levels\"]').innerText.includes('not been measured')",
        );
        browser.until(rows);
    });
}

#[test]
fn a_run_is_started_on_the_page_and_its_result_enters_the_ladder() {
    run_test(Screen::Desktop, |browser| {
        browser.open("/lab");
        assert_eq!(browser.count("[data-test=\"ladder\"] tbody tr"), 0);
        browser.select("[data-test=\"run-where\"]", "square8/2");
        browser.press("run-more");
        for (place, agent) in [(1, "random"), (2, "heuristic"), (3, "d2")] {
            browser.eval(
                "document.querySelector(`[data-test=\"run-agent-${args[0]}\"]`).value = args[1]",
                &[json!(place), json!(agent)],
            );
        }
        browser.eval("document.querySelector('[data-test=\"run-games\"]').value = 4", &[]);
        browser.press("run-start");
        last_is(browser, "complete");
        assert_eq!(played(browser), 12, "three pairings of four games");
        assert_eq!(browser.count("[data-run] tbody tr"), 3);
        assert_eq!(browser.count("[data-run] .plot-line"), 3, "a curve for each agent");
        browser.until("document.querySelectorAll('[data-test=\"ladder\"] tbody tr').length === 3");
        browser.until("document.querySelectorAll('[data-test=\"games\"] tbody tr').length === 12");
        browser.press("run-games-of");
        browser.until(
            "document.querySelector('[data-test=\"games\"]').innerText.includes('of random, heuristic, D2')",
        );
        let response = browser.server.get("/api/lab/runs").json(200);
        let standings = response["runs"][0]["standings"].as_array().expect("standings");
        let points: f64 = standings.iter().map(|row| row["score"].as_f64().expect("a score")).sum();
        assert!((points - 1.5).abs() < 1e-9, "what one wins another loses: {standings:?}");
    });
}

#[test]
fn a_tournament_of_the_command_line_is_followed_live_and_resumed_on_the_page() {
    run_test(Screen::Desktop, |browser| {
        browser.open("/lab");
        let mut child = tournament(browser.data(), 9_000);
        last_is(browser, "running");
        let before = played(browser);
        browser.until_with(
            &format!(
                "Number({LAST}.querySelector('.num').textContent.replace(',', '').split(' ')[0]) > args[0]"
            ),
            &[json!(before)],
        );
        assert_eq!(
            browser.count("[data-test=\"run-stop\"]:not([hidden])"),
            0,
            "only the process that started it can stop it"
        );
        let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
        assert!(sent.success());
        assert_eq!(child.wait().expect("its end").code(), Some(130), "interrupted");
        last_is(browser, "stopped");
        let stopped = played(browser);
        browser.press("run-resume");
        last_is(browser, "running");
        browser.press("run-stop");
        last_is(browser, "stopped");
        assert!(played(browser) >= stopped, "the games there were stay");
        let response: Value = browser.server.get("/api/lab/runs").json(200);
        assert_eq!(response["runs"].as_array().expect("runs").len(), 1, "it is the same run");
    });
}

/// Starts a command with the database of the service.
fn start(data: &Path, words: &str) -> Child {
    Command::new(env!("CARGO_BIN_EXE_riftlab"))
        .args(words.split(' '))
        .args(["--json", "--db", "lab.db"])
        .current_dir(data)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("a command")
}

/// Waits until the latest job is in a state.
#[track_caller]
fn job_is(browser: &Browser, state: &str) {
    browser.until_with("document.querySelector('[data-job]')?.dataset.state === args[0]", &[json!(state)]);
}

/// The numbers of the rows of a job's table.
fn row_numbers(job: &Value, table: &str) -> Vec<u64> {
    let tables = job["tables"].as_array().expect("tables");
    let table = tables.iter().find(|one| one["name"] == table).expect("the table");
    assert_eq!(table["columns"][0], "number");
    let rows = table["rows"].as_array().expect("rows");
    rows.iter().map(|row| row[0].as_u64().expect("a number")).collect()
}

#[test]
fn self_play_and_training_of_the_command_line_are_followed_live() {
    run_test(Screen::Desktop, |browser| {
        browser.open("/lab");
        let games = "selfplay --agent heuristic --games 40 --rings 3 --threads 1 --out games";
        assert!(start(browser.data(), games).wait().expect("its end").success());
        job_is(browser, "complete");
        let told = "document.querySelector('[data-job]').textContent.includes('40 of 40 games')";
        browser.until(told);
        // More steps than anyone waits for, so that it is interrupted, and once more after it has continued.
        let words =
            "train nnue --data games --out a.safetensors --hidden 8 --batch 64 --steps 9000000 --threads 1";
        let mut done = 0;
        for _ in 0..2 {
            let mut child = start(browser.data(), words);
            job_is(browser, "running");
            browser.until_with(
                "Number(document.querySelector('[data-job]').dataset.done) > args[0]",
                &[json!(done + 400)],
            );
            browser.until(
                "document.querySelectorAll('[data-job] [data-plot=\"Loss\"] .plot-line').length === 2",
            );
            let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
            assert!(sent.success());
            assert_eq!(child.wait().expect("its end").code(), Some(130), "interrupted");
            job_is(browser, "stopped");
            let response: Value = browser.server.get("/api/lab/runs").json(200);
            let jobs = response["jobs"].as_array().expect("jobs");
            assert_eq!(jobs.len(), 2, "a job that continues is the same job");
            assert_eq!(jobs[0]["config"]["hidden"], 8);
            assert!(jobs[0]["done"].as_u64().expect("a number") > done);
            done = jobs[0]["done"].as_u64().expect("a number");
            let steps = row_numbers(&jobs[0], "progress");
            assert!(steps.is_sorted_by(|a, b| a < b), "every step once: {steps:?}");
            assert_eq!(steps.last(), Some(&done));
            assert!(response["runs"].as_array().expect("runs").is_empty(), "jobs are no events");
        }
        assert_eq!(browser.count("[data-test=\"ladder\"] tbody tr"), 0, "and nothing is rated");
    });
}
