//! The settings of agents: one table for parsing, formatting and error messages.

mod table;
mod values;

use crate::{AgentConfig, Kind};

pub(crate) use table::KEYS;
#[cfg(test)]
pub(crate) use values::{LEAVES, MODES};

/// One setting.
#[expect(clippy::struct_excessive_bools, reason = "independent switches")]
pub(crate) struct Key {
    /// Its name.
    pub(crate) name: &'static str,
    /// Its names in the predecessor of riftlab's service.
    pub(crate) aliases: &'static [&'static str],
    /// The abbreviation in the names of participants.
    pub(crate) code: &'static str,
    /// The kinds that have the setting.
    pub(crate) kinds: &'static [Kind],
    /// A description of valid values, for error messages.
    pub(crate) expected: &'static str,
    /// Whether it is formatted even at its default.
    pub(crate) always: bool,
    /// Whether it is omitted from the resolved text at its default. Set for settings that are newer than existing
    /// participant ids, which must not change.
    pub(crate) implied: bool,
    /// Whether another key formats what this one sets.
    pub(crate) written_elsewhere: bool,
    /// Whether its value is formatted in quotes and without its name.
    pub(crate) unnamed: bool,
    /// Parses and sets the value. Returns `None` if it is invalid.
    pub(crate) set: fn(&mut AgentConfig, &str) -> Option<()>,
    /// Formats the value. Returns `None` if the setting has no effect.
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

    /// Whether `name` is the name or an alias of this setting.
    pub(crate) fn has_name(&self, name: &str) -> bool {
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
