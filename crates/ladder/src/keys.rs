//! The settings of agents by name: one table for reading, writing and help.

use std::{str::FromStr, time::Duration};

use crate::{AgentConfig, Kind};

/// One setting.
pub(crate) struct Key {
    /// Its name.
    pub(crate) name: &'static str,
    /// Its names in the service that riftlab replaces.
    pub(crate) aliases: &'static [&'static str],
    /// The kinds that have it.
    pub(crate) kinds: &'static [Kind],
    /// What values look like, for error messages.
    pub(crate) expected: &'static str,
    /// Whether it is written even at its default.
    pub(crate) always: bool,
    /// Takes the value, unless it makes no sense.
    pub(crate) set: fn(&mut AgentConfig, &str) -> Option<()>,
    /// The value, unless there is none.
    pub(crate) show: fn(&AgentConfig) -> Option<String>,
}

use Kind::{Heuristic, Mcts, Random};

pub(crate) const KEYS: &[Key] = &[
    Key {
        name: "sims",
        aliases: &["mcts_simulations"],
        kinds: &[Mcts],
        expected: "a number of simulations, as in sims=400",
        always: true,
        set: |config, text| set(&mut config.nodes, Some(number(text, 1..=1_000_000_000)?)),
        show: |config| config.nodes.map(|nodes| nodes.to_string()),
    },
    Key {
        name: "seconds",
        aliases: &[],
        kinds: &[Mcts],
        expected: "a number of seconds from 0.001 up, as in seconds=1.5",
        always: false,
        set: |config, text| {
            let seconds = number(text, 0.001..=1e6)?;
            set(&mut config.time, Some(Duration::from_secs_f64(seconds)))
        },
        show: |config| config.time.map(|time| time.as_secs_f64().to_string()),
    },
    Key {
        name: "think_time",
        aliases: &[],
        kinds: &[Mcts],
        expected: "milliseconds from 1 up, as in think_time=1500",
        always: false,
        set: |config, text| {
            let milliseconds = number(text, 1..=1_000_000_000)?;
            set(&mut config.time, Some(Duration::from_millis(milliseconds)))
        },
        // Written as seconds.
        show: |_| None,
    },
    Key {
        name: "profile",
        aliases: &["heuristic_profile_id"],
        kinds: &[Heuristic],
        expected: "balanced, aggressive, territorial or defensive",
        always: false,
        set: |config, text| set(&mut config.persona, text.parse().ok()?),
        show: |config| Some(config.persona.to_string()),
    },
    Key {
        name: "randomness",
        aliases: &[],
        kinds: &[Heuristic, Mcts],
        expected: "a chance from 0 to 1, as in randomness=0.1",
        always: false,
        set: |config, text| set(&mut config.randomness, number(text, 0.0..=1.0)?),
        show: |config| Some(config.randomness.to_string()),
    },
    Key {
        name: "seed",
        aliases: &["rng_seed"],
        kinds: &[Random, Heuristic, Mcts],
        expected: "a whole number, as in seed=7",
        always: false,
        set: |config, text| set(&mut config.seed, Some(text.parse().ok()?)),
        show: |config| config.seed.map(|seed| seed.to_string()),
    },
];

#[expect(clippy::unnecessary_wraps, reason = "the last step of a setter, after steps that can fail")]
fn set<T>(place: &mut T, value: T) -> Option<()> {
    *place = value;
    Some(())
}

/// A number in a range.
fn number<T: FromStr + PartialOrd>(text: &str, range: std::ops::RangeInclusive<T>) -> Option<T> {
    text.parse().ok().filter(|number| range.contains(number))
}
