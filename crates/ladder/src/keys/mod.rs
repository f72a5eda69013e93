//! The settings of agents by name: one table for reading, writing and help.

mod table;
mod values;

use crate::{AgentConfig, Kind};

pub(crate) use table::KEYS;

/// One setting.
#[expect(clippy::struct_excessive_bools, reason = "independent switches")]
pub(crate) struct Key {
    /// Its name.
    pub(crate) name: &'static str,
    /// Its names in the service that riftlab replaces.
    pub(crate) aliases: &'static [&'static str],
    /// How it is abbreviated in the names of participants.
    pub(crate) code: &'static str,
    /// The kinds that have it.
    pub(crate) kinds: &'static [Kind],
    /// What values look like, for error messages.
    pub(crate) expected: &'static str,
    /// Whether it is written even at its default.
    pub(crate) always: bool,
    /// Whether it is left out of the resolved text at its default: the setting is younger than ids that ratings are
    /// kept under, which must not change.
    pub(crate) implied: bool,
    /// Whether another key writes what this one sets.
    pub(crate) written_elsewhere: bool,
    /// Whether its value stands alone, in quotes and without its name.
    pub(crate) unnamed: bool,
    /// Takes the value, unless it makes no sense.
    pub(crate) set: fn(&mut AgentConfig, &str) -> Option<()>,
    /// The value, unless there is none.
    pub(crate) show: fn(&AgentConfig) -> Option<String>,
}

impl Key {
    const fn new(
        name: &'static str,
        code: &'static str,
        kinds: &'static [Kind],
        expected: &'static str,
        set: fn(&mut AgentConfig, &str) -> Option<()>,
        show: fn(&AgentConfig) -> Option<String>,
    ) -> Self {
        Self {
            name,
            aliases: &[],
            code,
            kinds,
            expected,
            always: false,
            implied: false,
            written_elsewhere: false,
            unnamed: false,
            set,
            show,
        }
    }

    const fn also(self, aliases: &'static [&'static str]) -> Self {
        Self { aliases, ..self }
    }

    /// Whether `name` means this setting.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        self.name == name || self.aliases.contains(&name)
    }

    const fn always(self) -> Self {
        Self { always: true, ..self }
    }

    const fn implied(self) -> Self {
        Self { implied: true, ..self }
    }

    const fn unnamed(self) -> Self {
        Self { unnamed: true, ..self }
    }

    const fn written_elsewhere(self) -> Self {
        Self { written_elsewhere: true, ..self }
    }
}
