//! Checks of the repository itself: dependencies between crates, files at the root, lengths of files, and links between
//! documents.

#![allow(clippy::unwrap_used, reason = "a file that cannot be read fails the test")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    path::{Path, PathBuf},
};

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

/// The crates of the workspace, each with the crates of the workspace that it uses; what only tests use is left out.
fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
    let names: BTreeSet<String> = fs::read_dir(root().join("crates")).unwrap().map(name).collect();
    let used_by = |name: &String| {
        let manifest = fs::read_to_string(root().join("crates").join(name).join("Cargo.toml")).unwrap();
        let section = manifest.split("[dependencies]").nth(1).unwrap_or_default();
        let lines = section.split("\n[").next().unwrap_or_default().lines();
        let used = lines.filter_map(|line| Some(line.split_once('=')?.0.trim().to_owned()));
        (name.clone(), used.filter(|used| names.contains(used)).collect())
    };
    names.iter().map(used_by).collect()
}

fn architecture() -> String {
    fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap()
}

#[test]
fn crates_use_exactly_what_the_table_says() {
    let text = architecture();
    let rows = text.lines().skip_while(|line| !line.starts_with("| crate | may use |")).skip(2);
    let quoted = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<BTreeSet<_>>();
    let table: BTreeMap<String, BTreeSet<String>> = rows
        .take_while(|line| line.starts_with('|'))
        .map(|row| {
            let cells: Vec<&str> = row.trim_matches('|').split('|').collect();
            (quoted(cells[0]).pop_first().unwrap(), quoted(cells[1]))
        })
        .collect();
    assert_eq!(dependencies(), table, "manifests on the left, ARCHITECTURE.md on the right");
}

#[test]
fn crates_are_listed_after_what_they_use() {
    let text = architecture();
    let listing = text.lines().skip_while(|line| *line != "crates/").skip(1);
    let listing: Vec<&str> = listing
        .take_while(|line| line.starts_with("  "))
        .filter_map(|line| Some(line.strip_prefix("  ")?.split_once('/')?.0))
        .filter(|name| !name.contains(' '))
        .collect();
    let uses = dependencies();
    assert_eq!(listing.len(), uses.len(), "{listing:?}");
    for (place, name) in listing.iter().enumerate() {
        let later = uses[*name].iter().find(|used| listing[place..].contains(&used.as_str()));
        assert_eq!(later, None, "{name} uses a crate that is listed below it");
    }
}

#[test]
fn files_named_in_the_documents_exist() {
    for page in ["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md"] {
        let text = fs::read_to_string(root().join(page)).unwrap();
        let named = text.split('`').skip(1).step_by(2).filter(|name| !name.contains([' ', '{', '*', '\n']));
        for name in named.filter(|name| ["crates/", "docs/", "web/"].iter().any(|top| name.starts_with(top)))
        {
            assert!(root().join(name).exists(), "{page} names {name}, which is not there");
        }
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
