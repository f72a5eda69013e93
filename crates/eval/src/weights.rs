//! The weights: one per component, declared once.

use game::Seat;
use ringrift::Geometry;

use crate::{components, facts::Facts};

/// Declares the components that are summed. A name is the field, the key in profile files and the function in
/// `components.rs`, so that a weight without a component, or the reverse, does not compile.
macro_rules! weights {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// The weight of each component. See `docs/agents/heuristic.md` for the components.
        #[derive(Clone, Copy, PartialEq, Debug, Default)]
        pub struct Weights {
            $($(#[$doc])* pub $name: f32,)*
        }

        impl Weights {
            /// The names of all weights, in the order of profile files.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name),)*];

            /// The number of components.
            pub const COUNT: usize = Self::NAMES.len();

            /// All weights, in the order of [`Weights::NAMES`].
            pub fn to_array(self) -> [f32; Self::COUNT] {
                [$(self.$name,)*]
            }

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

        /// Every component of one seat, unweighted, in the order of [`Weights::NAMES`].
        #[inline]
        pub(crate) fn components_of<B: Geometry>(facts: &Facts<'_, B>, seat: Seat) -> [f32; Weights::COUNT] {
            [$(components::$name(facts, seat),)*]
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
    /// Stacks with a single own ring on top, which one capture takes over.
    thin,
    /// Rings in hand.
    hand,
    /// Own rings buried in opposing stacks.
    captives,
    /// Credited rings.
    credits,
    /// Collapsed cells.
    territory,
    /// Progress towards victory by rings or territory, rising steeply at the end.
    proximity,
    /// Markers.
    markers,
    /// Having the move.
    tempo,
    /// The best claim that the seat to move can make now.
    claims,
    /// Whether that claim would win.
    winning_claim,
    /// The best region that one more own marker would cut off.
    closings,
    /// The same, for the seat to move.
    next_closing,
    /// Whether that region would win, for the seat to move.
    winning_closing,
    /// Directions in which own stacks can move.
    mobility,
    /// Own stacks that can neither move nor capture.
    blocked,
    /// Opposing stacks that own stacks can capture.
    overtakes,
    /// Own stacks that opponents can capture.
    vulnerable,
    /// Own stacks that one capture would take over.
    exposed,
    /// No stack controlled.
    stackless,
    /// Neither a ring in hand nor a stack that can move.
    idle,
    /// Rounds in which only this seat could act.
    alone,
    /// A recovery slide may be possible.
    recovery,
}
