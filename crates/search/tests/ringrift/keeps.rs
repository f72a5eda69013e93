//! The test that every agent must pass on the solved positions.

use game::{Game, Setup};
use ringrift::{Geometry, Position};
use search::{Agent, Limits, Stop};

use crate::cases::Case;

/// Asserts that moves reported as solved are exact with a small and the full budget, and that with the full budget the
/// agent's move keeps the value of the position and a won position has a positive value.
pub(crate) fn agent_keeps_the_value<B: Geometry>(
    case: &Case<B>,
    mut agent: impl Agent<Position<B>>,
    nodes: u64,
) {
    let (mover, seats) = (case.position.to_move(), case.position.seats());
    let text = case.position.to_text();
    let mut think = |nodes| {
        let report = agent.think(&case.position, &Limits::nodes(nodes), &Stop::default());
        for candidate in report.candidates.iter().filter(|candidate| candidate.solved) {
            let values = candidate.values.expect("what is solved has values");
            let exact = case.after(candidate.m);
            assert_eq!(values.0[..seats], exact.0[..seats], "{text}: {report:?}, {candidate:?}");
        }
        report
    };
    think(nodes / 100);
    let report = think(nodes);
    assert!(report.nodes <= nodes, "{text}: {report:?}");
    assert!(case.after(report.best).of(mover) >= case.value(), "{text}: {report:?}");
    let value = report.values.expect("a search has values").of(mover);
    assert!(value > 0.0 || case.value() < 1.0, "{text}: {report:?}");
}

/// Defines a test of an agent by its name, its budget of nodes, and its constructor for the board `B`.
macro_rules! keeps_the_value {
    ($name:ident, $nodes:expr, $board:ident => $agent:expr) => {
        #[test]
        fn $name() {
            for (board, text) in $crate::cases::all() {
                ringrift::on_board!(board, $board => {
                    let case = $crate::cases::Case::<$board>::read(&text);
                    $crate::keeps::agent_keeps_the_value(&case, $agent, $nodes);
                });
            }
        }
    };
}

pub(crate) use keeps_the_value;
