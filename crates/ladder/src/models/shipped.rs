//! The nets that are part of the program.

use std::sync::{Arc, LazyLock};

use super::Model;
use crate::Venue;

/// The names and bytes of the nets in `models/`, ordered by name.
///
/// They are listed one by one, as in `("nnue-hex8", include_bytes!("../../../../models/nnue-hex8.safetensors"))`, so that
/// the compiler notices every change. A test compares the list with the folder.
const FILES: &[(&str, &[u8])] = &[];

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
        let ledger = std::fs::read_to_string("../../models/README.md").unwrap();
        let (_, ledger) = ledger.split_once("## Shipped").unwrap();
        let (ledger, _) = ledger.split_once("## Tried").unwrap();
        let listed = ledger.lines().filter(|line| line.starts_with("| nnue-")).count();
        assert_eq!(listed, all().len(), "one row of the ledger per shipped net");
        let folder = std::fs::read_dir("../../models").unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<_> = folder.filter(|path| path.extension() == Some(EXTENSION.as_ref())).collect();
        files.sort();
        let names: Vec<_> = files.iter().map(|path| path.file_stem().unwrap().to_str().unwrap()).collect();
        assert_eq!(names, FILES.iter().map(|(name, _)| *name).collect::<Vec<_>>());
        for model in all() {
            let row = ledger.lines().find(|line| line.starts_with(&format!("| {} ", model.id())));
            assert!(row.is_some(), "the ledger has no row for {}", model.id());
            let encoders = Board::ALL.map(|board| on_board!(board, B => Features::<B>::id()));
            let place = encoders.iter().position(|encoder| *encoder == model.header.encoder).unwrap();
            on_board!(Board::ALL[place], B => model.nnue::<B>().map(drop)).unwrap();
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
