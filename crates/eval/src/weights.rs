//! The weights: one per component, declared once.

use game::Seat;
use ringrift::Geometry;

use crate::{components, facts::Facts};

/// Declares the components that are summed. A name is the field, the key in profile files and the function in
/// `components.rs`, so that a weight without a component, or the reverse, does not compile.
macro_rules! weights {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// What each component counts for. See `docs/agents/heuristic.md` for the components.
        #[derive(Clone, Copy, PartialEq, Debug, Default)]
        pub struct Weights {
            $($(#[$doc])* pub $name: f32,)*
        }

        impl Weights {
            /// The names of all weights, in the order of profile files.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name),)*];

            /// The weight with this name.
            pub fn by_name(&mut self, name: &str) -> Option<&mut f32> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)*
                    _ => None,
                }
            }

            /// The weighted sum of all components for one seat.
            #[inline]
            pub(crate) fn score<B: Geometry>(&self, facts: &Facts<'_, B>, seat: Seat) -> f32 {
                0.0 $(+ self.$name * components::$name(facts, seat))*
            }
        }

        /// Every component of one seat by name, unweighted.
        pub(crate) fn parts<B: Geometry>(facts: &Facts<'_, B>, seat: Seat) -> Vec<(&'static str, f32)> {
            vec![$((stringify!($name), components::$name(facts, seat)),)*]
        }
    };
}

weights! {
    /// Stacks controlled.
    stacks,
    /// Rings in controlled stacks, at most five of each.
    height,
    /// Rings in caps.
    caps,
    /// Stacks with a single own ring on top, which change hands by one capture.
    thin,
    /// Rings in hand.
    hand,
    /// Own rings in stacks of others.
    captives,
    /// Credited rings.
    credits,
    /// Collapsed cells.
    territory,
    /// Nearness of the victory by rings or by territory, rising steeply at the end.
    proximity,
    /// Markers.
    markers,
    /// Being the one to move.
    tempo,
    /// What the seat to move can claim now.
    claims,
    /// Such a claim would win.
    winning_claim,
    /// The best region that one more own marker would cut off.
    closings,
    /// The same, for the seat to move.
    next_closing,
    /// Such a region would win, for the seat to move.
    winning_closing,
    /// Directions in which own stacks can move.
    mobility,
    /// Own stacks that can do nothing.
    blocked,
    /// Others' stacks that own ones can capture.
    overtakes,
    /// Own stacks that others can capture.
    vulnerable,
    /// Those of them that would change hands.
    exposed,
    /// No stack controlled.
    stackless,
    /// Neither a ring in hand nor a stack that can act.
    idle,
    /// Rounds in which this seat alone could act.
    alone,
    /// A recovery slide may be possible.
    recovery,
}
