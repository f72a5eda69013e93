//! The nets that are part of the program.

use std::sync::{Arc, LazyLock};

use ringrift::Board;

use super::Model;
use crate::Venue;

/// The names and bytes of the nets in `models/`, ordered by name.
///
/// They are listed one by one, so that the compiler notices every change. A test compares the list with the folder.
const FILES: &[(&str, &[u8])] = &[
    ("ebmo-hex-2p", include_bytes!("../../../../models/ebmo-hex-2p.safetensors")),
    ("ebmo-square8-2p", include_bytes!("../../../../models/ebmo-square8-2p.safetensors")),
    ("ebmo-square8-3p", include_bytes!("../../../../models/ebmo-square8-3p.safetensors")),
    ("gmo-hex8-2p", include_bytes!("../../../../models/gmo-hex8-2p.safetensors")),
    ("gmo-square8-2p", include_bytes!("../../../../models/gmo-square8-2p.safetensors")),
    ("gmo-square8-3p", include_bytes!("../../../../models/gmo-square8-3p.safetensors")),
    ("ig-gmo-hex8-2p", include_bytes!("../../../../models/ig-gmo-hex8-2p.safetensors")),
    ("ig-gmo-square8-2p", include_bytes!("../../../../models/ig-gmo-square8-2p.safetensors")),
    ("nnue-hex8-2p", include_bytes!("../../../../models/nnue-hex8-2p.safetensors")),
    ("nnue-hexagonal-2p", include_bytes!("../../../../models/nnue-hexagonal-2p.safetensors")),
    ("nnue-square19", include_bytes!("../../../../models/nnue-square19.safetensors")),
    ("nnue-square8-2p", include_bytes!("../../../../models/nnue-square8-2p.safetensors")),
    ("nnue-square8", include_bytes!("../../../../models/nnue-square8.safetensors")),
    ("omega-go", include_bytes!("../../../../models/omega-go.safetensors")),
    ("pv-hex-2p", include_bytes!("../../../../models/pv-hex-2p.safetensors")),
    ("pv-hex", include_bytes!("../../../../models/pv-hex.safetensors")),
    ("pv-square", include_bytes!("../../../../models/pv-square.safetensors")),
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
    shipped.lines().filter(|line| super::KINDS.iter().any(|kind| line.starts_with(&format!("| {kind}-"))))
}

/// The row of the net with this id.
pub(super) fn ledger_row(id: &str) -> Option<&'static str> {
    ledger().find(|row| {
        row.strip_prefix("| ").and_then(|row| row.split_once(" |")).is_some_and(|(cell, _)| cell == id)
    })
}

/// The net of `kind` for positions that are encoded as `encoder`, if one is meant for the venue.
pub(super) fn of_kind(kind: &str, encoders: &[String], venue: Venue) -> Option<Arc<Model>> {
    choose(all(), kind, encoders, venue)
}

fn choose(models: &[Arc<Model>], kind: &str, encoders: &[String], venue: Venue) -> Option<Arc<Model>> {
    let fits = |model: &&Arc<Model>| {
        model.header.kind == super::of_files(kind) && encoders.contains(&model.header.encoder)
    };
    let named = |name: &String| models.iter().filter(fits).find(|model| model.name == *name);
    names(kind, venue).iter().find_map(named).cloned()
}

/// The largest board of Go that a net for all sizes is meant for.
const LARGEST_GO: u8 = 9;

/// The names of shipped nets for a venue, the most special first: `pv-square8-4p` serves only four seats, `pv-square8` any
/// number, and `pv-square` both square boards.
fn names(kind: &str, venue: Venue) -> Vec<String> {
    match venue {
        Venue::RingRift { board, seats } => {
            let family = match board {
                Board::Square8 | Board::Square19 => "square",
                Board::Hex8 | Board::Hexagonal => "hex",
            };
            let places = [board.name(), family];
            places.iter().flat_map(|at| [format!("{kind}-{at}-{seats}p"), format!("{kind}-{at}")]).collect()
        }
        Venue::Go { size } => {
            let any = (size <= LARGEST_GO).then(|| format!("{kind}-go"));
            std::iter::once(format!("{kind}-go-{size}")).chain(any).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use eval::NnueEvaluator;
    use ringrift::{Hex8, Square8, on_board};

    use super::*;
    use crate::models::{
        EXTENSION, encoders,
        tests::{go_pv_net, pv_net, small_net},
    };

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
            if model.is_omega() {
                assert!(model.omega(5).is_ok());
            } else if model.is_pv() || model.is_field() {
                assert!(model.try_out(1, 1).unwrap() > Some(0));
            } else {
                on_board!(model.board().unwrap(), B => model.nnue::<B>().map(drop)).unwrap();
            }
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
            choose(&models, "nnue", &NnueEvaluator::<Square8>::encoders(), venue).unwrap().name.clone()
        };
        assert_eq!([2, 3, 4].map(chosen), ["nnue-square8", "nnue-square8", "nnue-square8-4p"]);
        let venue = Venue::RingRift { board: Board::Square8, seats: 2 };
        assert_eq!(choose(&models, "pv", &NnueEvaluator::<Square8>::encoders(), venue), None);
        assert_eq!(choose(&models[1..], "nnue", &NnueEvaluator::<Square8>::encoders(), venue), None);
    }

    #[test]
    fn a_policy_and_value_net_serves_the_venues_that_its_name_says() {
        let net = |name: &str, bytes: Vec<u8>| Arc::new(Model::parse(name, None, bytes).unwrap());
        let models = [
            net("pv-go", go_pv_net(1)),
            net("pv-hex", pv_net::<Hex8>(1)),
            net("pv-square8", pv_net::<Square8>(1)),
            net("pv-square8-4p", pv_net::<Square8>(2)),
        ];
        let chosen = |venue: Venue| {
            let found = choose(&models, "pv", &encoders("pv", venue), venue);
            found.map_or_else(|| "none".to_owned(), |model| model.name.clone())
        };
        let ringrift = |board, seats| chosen(Venue::RingRift { board, seats });
        assert_eq!(
            [2, 3, 4].map(|seats| ringrift(Board::Square8, seats)),
            ["pv-square8", "pv-square8", "pv-square8-4p"]
        );
        assert_eq!(
            [Board::Square19, Board::Hex8, Board::Hexagonal].map(|board| ringrift(board, 3)),
            ["none", "pv-hex", "pv-hex"]
        );
        assert_eq!([5, 9, 13].map(|size| chosen(Venue::Go { size })), ["pv-go", "pv-go", "none"]);
    }
}
