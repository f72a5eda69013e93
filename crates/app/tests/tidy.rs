//! Checks of the repository itself: dependencies between crates, files at the root, lengths of files, and links between
//! documents.

#![allow(clippy::unwrap_used, reason = "a file that cannot be read fails the test")]

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The crates and the crates that each may depend on, as in ARCHITECTURE.md.
#[rustfmt::skip]
const ROOMS: [(&str, &[&str]); 17] = [
    ("game", &[]),
    ("ringrift", &["game"]),
    ("go", &["game"]),
    ("eval", &["game", "go", "ringrift"]),
    ("search", &["game"]),
    ("record", &["game", "go", "ringrift"]),
    ("interchange", &["game", "record", "ringrift"]),
    ("learn", &["game", "host", "ladder", "record", "ringrift", "search"]),
    ("arena", &["game", "search"]),
    ("gtp", &["game", "go", "search"]),
    ("ladder", &["eval", "game", "go", "gtp", "ringrift", "search"]),
    ("host", &["game", "go", "ladder", "record", "ringrift", "search"]),
    ("gtp-engine", &["go", "gtp", "host", "ladder", "record", "search"]),
    ("lab", &["arena", "game", "go", "ladder", "record", "ringrift", "search"]),
    ("reference", &["eval", "game", "interchange", "ladder", "ringrift", "search"]),
    ("service", &["arena", "game", "go", "host", "interchange", "lab", "ladder", "learn", "record", "reference", "ringrift", "search"]),
    ("app", &["arena", "game", "go", "gtp-engine", "host", "interchange", "lab", "ladder", "learn", "record", "ringrift", "search", "service"]),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All files in a folder at any depth with one of these endings, except build products.
fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            if name != "target" && !name.starts_with('.') {
                found.extend(files(&path, endings));
            }
        } else if endings.iter().any(|ending| name.ends_with(ending)) {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[test]
fn crates_have_only_the_allowed_dependencies() {
    let mut rooms: Vec<String> = fs::read_dir(root().join("crates"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    rooms.sort();
    let mut known: Vec<&str> = ROOMS.iter().map(|(room, _)| *room).collect();
    known.sort_unstable();
    assert_eq!(rooms, known, "a new crate is an architectural change: give it a room");
    for (room, allowed) in ROOMS {
        let manifest = fs::read_to_string(root().join("crates").join(room).join("Cargo.toml")).unwrap();
        let dependencies = manifest.split("[dependencies]").nth(1).unwrap_or_default();
        let dependencies = dependencies.split("\n[").next().unwrap_or_default();
        let mut used: Vec<&str> = dependencies
            .lines()
            .filter_map(|line| Some(line.split_once('=')?.0.trim()))
            .filter(|name| known.contains(name))
            .collect();
        used.sort_unstable();
        assert_eq!(used, allowed, "{room}");
    }
}

#[test]
fn the_root_has_only_the_expected_files() {
    let prose = ["ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "README.md"];
    for entry in fs::read_dir(root()).unwrap() {
        let name = entry.unwrap().file_name().to_string_lossy().into_owned();
        let is_prose = [".md", ".txt", ".log"].iter().any(|ending| name.ends_with(ending));
        assert!(!is_prose || prose.contains(&name.as_str()), "{name} does not belong at the root");
    }
}

#[test]
fn no_source_file_is_too_long() {
    for path in files(&root().join("crates"), &[".rs"]) {
        let lines = fs::read_to_string(&path).unwrap().lines().count();
        assert!(lines <= 800, "{} has {lines} lines: split it", path.display());
    }
}

#[test]
fn links_between_documents_are_valid() {
    let mut documents = files(&root().join("docs"), &[".md"]);
    documents.extend(
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(|name| root().join(name)),
    );
    let mut links = 0;
    for document in documents {
        let text = fs::read_to_string(&document).unwrap();
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = target.split('#').next().unwrap_or_default();
            if file.is_empty() || file.contains("://") {
                continue;
            }
            links += 1;
            let path = document.parent().unwrap().join(file);
            assert!(path.exists(), "{} links to {target}, which is not there", document.display());
        }
    }
    assert!(links >= 5, "only {links} links were looked at");
}

#[test]
fn every_option_is_documented() {
    let read = |path: &str| fs::read_to_string(root().join("docs").join(path)).unwrap();
    let (cli, record) = (read("cli.md"), read("record.md"));
    for game in record::GameKind::ALL {
        let page = read(&format!("games/{}.md", game.name()));
        for option in game.options() {
            let (name, flag) = (option.name, option.flag());
            assert!(cli.contains(&format!("| `--{flag}`")), "docs/cli.md: --{flag}");
            assert!(record.contains(&format!("`{name}`")), "docs/record.md: {name}");
            assert!(page.contains(&format!("`{name}`")), "docs/games/{}.md: {name}", game.name());
        }
    }
}
