//! The nets that are part of the program.

use std::sync::{Arc, LazyLock};

use super::Model;
use crate::Venue;

/// The names and bytes of the nets in `models/`, ordered by name.
///
/// They are listed one by one, so that the compiler notices every change. A test compares the list with the folder.
const FILES: &[(&str, &[u8])] = &[
    ("nnue-hex8-2p", include_bytes!("../../../../models/nnue-hex8-2p.safetensors")),
    ("nnue-square8", include_bytes!("../../../../models/nnue-square8.safetensors")),
];

static SHIPPED: LazyLock<Vec<Arc<Model>>> = LazyLock::new(|| {
    let model = |&(name, bytes): &(&str, &'static [u8])| {
        Arc::new(Model::parse(name, None, bytes).expect("a test reads every shipped net"))
    };
    FILES.iter().map(model).collect()
});

/// The shipped nets, ordered by name.
pub(super) fn all() -> &'static [Arc<Model>] {
    &SHIPPED
}

/// The ledger: what every net comes from.
const LEDGER: &str = include_str!("../../../../models/LEDGER.md");

/// The rows of the shipped nets in the ledger.
fn ledger() -> impl Iterator<Item = &'static str> {
    let shipped = LEDGER.split("\n## ").find(|part| part.starts_with("Shipped")).unwrap_or_default();
    shipped.lines().filter(|line| line.starts_with("| nnue-"))
}

/// The row of the net with this id.
pub(super) fn ledger_row(id: &str) -> Option<&'static str> {
    ledger().find(|row| {
        row.strip_prefix("| ").and_then(|row| row.split_once(" |")).is_some_and(|(cell, _)| cell == id)
    })
}

/// The net of `kind` for positions that are encoded as `encoder`. A net whose name ends in the number of seats, as in
/// `nnue-square8-4p`, takes precedence over the net for any number.
pub(super) fn of_kind(kind: &str, encoder: &str, venue: Venue) -> Option<Arc<Model>> {
    choose(all(), kind, encoder, venue)
}

fn choose(models: &[Arc<Model>], kind: &str, encoder: &str, venue: Venue) -> Option<Arc<Model>> {
    let fits = |model: &&Arc<Model>| model.header.kind == kind && model.header.encoder == encoder;
    let ends = |model: &Arc<Model>, seats: u8| model.name.ends_with(&format!("-{seats}p"));
    let own = |model: &&Arc<Model>| match venue {
        Venue::RingRift { seats, .. } => ends(model, seats),
        Venue::Go { .. } => false,
    };
    let shared = |model: &&Arc<Model>| !(2..=4).any(|seats| ends(model, seats));
    let mut fitting = models.iter().filter(fits);
    fitting.clone().find(own).or_else(|| fitting.find(shared)).cloned()
}

#[cfg(test)]
mod tests {
    use eval::Features;
    use ringrift::{Board, Square8, on_board};

    use super::*;
    use crate::models::{EXTENSION, tests::small_net};

    #[test]
    fn every_shipped_net_can_be_read_played_and_is_in_the_ledger() {
        assert_eq!(ledger().count(), all().len(), "one row of the ledger per shipped net");
        let folder = std::fs::read_dir("../../models").unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<_> = folder.filter(|path| path.extension() == Some(EXTENSION.as_ref())).collect();
        files.sort();
        let names: Vec<_> = files.iter().map(|path| path.file_stem().unwrap().to_str().unwrap()).collect();
        assert_eq!(names, FILES.iter().map(|(name, _)| *name).collect::<Vec<_>>());
        for model in all() {
            assert!(ledger_row(&model.id()).is_some(), "the ledger has no row for {}", model.id());
            on_board!(model.board().unwrap(), B => model.nnue::<B>().map(drop)).unwrap();
        }
    }

    #[test]
    fn a_net_for_the_number_of_seats_takes_precedence() {
        let net = |name: &str| {
            let bytes = small_net::<Square8>(1);
            Arc::new(Model::parse(name, None, bytes).unwrap())
        };
        let models = [net("nnue-square8"), net("nnue-square8-4p")];
        let chosen = |seats| {
            let venue = Venue::RingRift { board: Board::Square8, seats };
            choose(&models, "nnue", &Features::<Square8>::id(), venue).unwrap().name.clone()
        };
        assert_eq!([2, 3, 4].map(chosen), ["nnue-square8", "nnue-square8", "nnue-square8-4p"]);
        let venue = Venue::RingRift { board: Board::Square8, seats: 2 };
        assert_eq!(choose(&models, "policy-value", &Features::<Square8>::id(), venue), None);
        assert_eq!(choose(&models[1..], "nnue", &Features::<Square8>::id(), venue), None);
    }
}
