//! What a run tells about itself.

use crate::{Match, Rated};

/// What happened in a run.
#[derive(Clone, Debug)]
pub enum Event<'a> {
    /// Positions of a stage exist.
    Positions {
        /// The stage.
        stage: u32,
        /// How many exist.
        done: u64,
        /// How many there will be.
        planned: u64,
        /// The rate since this process began with them.
        per_second: f64,
    },
    /// Policies to learn exist for positions of a stage.
    Targets {
        /// The stage.
        stage: u32,
        /// How many positions have one.
        done: u64,
        /// How many there will be.
        planned: u64,
    },
    /// A network takes steps.
    Training {
        /// The stage.
        stage: u32,
        /// `value` or `policy`; a value network of several has its number.
        net: &'a str,
        /// Steps taken.
        step: u64,
        /// Steps in total.
        steps: u64,
        /// The mean loss of recent steps.
        loss: f32,
        /// The mean loss on positions that are not trained on, at the end.
        validation: Option<f32>,
    },
    /// A match is over.
    Matched(&'a Match),
    /// A generation is complete, with its rating after all matches so far.
    Generation {
        /// Its number, which is that of its stage.
        number: u32,
        /// Its rating.
        rated: &'a Rated,
        /// Its match against random play.
        against_random: &'a Match,
        /// Its match against the generation before, if there is one.
        against_previous: Option<&'a Match>,
    },
}

/// Receives events, and returns whether to continue.
pub type Observer<'o> = dyn FnMut(&Event<'_>) -> bool + 'o;
