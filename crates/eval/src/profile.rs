//! Profiles (weights in a file for every board and number of seats) and personas, which modify them.

use std::{fmt, str::FromStr, sync::OnceLock};

use ringrift::Board;
use toml::{Table, Value};

use crate::Weights;

/// The parameters of the heuristic, as read from a profile file.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Profile {
    /// The weight of each component.
    pub weights: Weights,
    /// The lead in score that corresponds to a value of one half.
    pub scale: f32,
}

/// All faults of a profile or persona file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}", .0.join("; "))]
pub struct ProfileFaults(pub Vec<String>);

/// The largest absolute weight, and the largest scale.
const MOST: f32 = 1_000.0;

impl Profile {
    /// Parses a profile: `scale` and every weight, each a number.
    ///
    /// # Errors
    /// All faults: keys that are unknown or missing, and values that are not numbers or out of range.
    pub fn from_toml(text: &str) -> Result<Self, ProfileFaults> {
        let mut profile = Self { weights: Weights::default(), scale: 0.0 };
        let (table, mut faults) = numbers(text)?;
        for name in ["scale"].iter().chain(Weights::NAMES) {
            if !table.iter().any(|(key, _)| key == name) {
                faults.push(format!("{name:?} is missing"));
            }
        }
        for (key, value) in table {
            match key.as_str() {
                "scale" if value <= 0.0 => {
                    faults.push(format!("scale = {value}: expected a positive number"));
                }
                "scale" => profile.scale = value,
                name => match profile.weights.by_name(name) {
                    Some(weight) => *weight = value,
                    None => faults.push(unknown(name)),
                },
            }
        }
        if faults.is_empty() { Ok(profile) } else { Err(ProfileFaults(faults)) }
    }

    /// The built-in profile.
    ///
    /// # Panics
    /// If `seats` is not 2, 3 or 4.
    pub fn shipped(board: Board, seats: usize) -> Self {
        // Parsed once, since agents are created often.
        static READ: OnceLock<[[Profile; 3]; 4]> = OnceLock::new();
        macro_rules! files {
            ($($name:literal)*) => {
                [$([
                    include_str!(concat!("../profiles/", $name, "_2p.toml")),
                    include_str!(concat!("../profiles/", $name, "_3p.toml")),
                    include_str!(concat!("../profiles/", $name, "_4p.toml")),
                ],)*]
            };
        }
        let read = READ.get_or_init(|| {
            let sound = "a test checks that the shipped profiles are valid";
            let read = |text| Self::from_toml(text).expect(sound);
            files!("square8" "square19" "hex8" "hexagonal").map(|board| board.map(read))
        });
        let by_seats = match board {
            Board::Square8 => read[0],
            Board::Square19 => read[1],
            Board::Hex8 => read[2],
            Board::Hexagonal => read[3],
        };
        assert!((2..=4).contains(&seats), "RingRift has two to four seats");
        by_seats[seats - 2]
    }

    /// This profile modified by a persona.
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "the files are part of the program, and a test reads them")]
    pub fn with(mut self, persona: Persona) -> Self {
        if persona == Persona::Balanced {
            return self;
        }
        let (factors, _) =
            numbers(persona.file()).expect("a test checks that the shipped personas are valid");
        for (name, factor) in factors {
            if let Some(weight) = self.weights.by_name(&name) {
                *weight *= factor;
            }
        }
        self
    }
}

/// A style of play, given by factors on the weights of a profile.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Persona {
    /// The unmodified profile.
    #[default]
    Balanced,
    /// Seeks captures and credited rings.
    Aggressive,
    /// Seeks markers, regions and territory.
    Territorial,
    /// Seeks safe and mobile stacks.
    Defensive,
}

impl Persona {
    /// All personas.
    pub const ALL: [Self; 4] = [Self::Balanced, Self::Aggressive, Self::Territorial, Self::Defensive];

    /// The name in agent specifications.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Balanced => "balanced",
            Self::Aggressive => "aggressive",
            Self::Territorial => "territorial",
            Self::Defensive => "defensive",
        }
    }

    const fn file(self) -> &'static str {
        match self {
            Self::Balanced => "",
            Self::Aggressive => include_str!("../profiles/personas/aggressive.toml"),
            Self::Territorial => include_str!("../profiles/personas/territorial.toml"),
            Self::Defensive => include_str!("../profiles/personas/defensive.toml"),
        }
    }
}

/// The error for an unknown persona.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is not a profile: expected balanced, aggressive, territorial or defensive")]
pub struct UnknownPersona(pub String);

impl FromStr for Persona {
    type Err = UnknownPersona;

    fn from_str(text: &str) -> Result<Self, UnknownPersona> {
        let named = Self::ALL.into_iter().find(|persona| persona.name() == text);
        named.ok_or_else(|| UnknownPersona(text.to_owned()))
    }
}

impl fmt::Display for Persona {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

fn unknown(name: &str) -> String {
    format!("{name:?} is unknown: expected scale or one of {}", Weights::NAMES.join(", "))
}

type Numbers = Vec<(String, f32)>;

/// The numbers of a flat TOML file by key, and the faults of its other entries.
fn numbers(text: &str) -> Result<(Numbers, Vec<String>), ProfileFaults> {
    let table: Table =
        text.parse().map_err(|error: toml::de::Error| ProfileFaults(vec![error.to_string()]))?;
    let (mut numbers, mut faults) = (Vec::new(), Vec::new());
    for (key, value) in table {
        let number = match value {
            Value::Float(number) => number as f32,
            Value::Integer(number) => number as f32,
            other => {
                faults.push(format!("{key} = {other:?}: expected a number"));
                f32::NAN
            }
        };
        if number.abs() > MOST {
            faults.push(format!("{key} = {number}: expected a number from -{MOST} to {MOST}"));
        }
        // Kept despite the fault, so that the key is not reported as missing too.
        numbers.push((key, number));
    }
    Ok((numbers, faults))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_profile_and_persona_is_valid() {
        for board in Board::ALL {
            for seats in 2..=4 {
                let profile = Profile::shipped(board, seats);
                assert!(profile.scale > 0.0, "{board} for {seats}");
                for persona in Persona::ALL {
                    let seen = profile.with(persona);
                    assert_eq!(
                        seen == profile,
                        persona == Persona::Balanced,
                        "{board} for {seats}: {persona}"
                    );
                }
            }
        }
        for persona in Persona::ALL {
            assert_eq!(persona.name().parse(), Ok(persona));
            let (factors, faults) = numbers(persona.file()).unwrap();
            assert_eq!(faults, Vec::<String>::new(), "{persona}");
            for (name, factor) in factors {
                assert!(Weights::default().by_name(&name).is_some(), "{persona}: {name}");
                // A persona scales components up or down but does not reverse their sign.
                assert!((0.25..=4.0).contains(&factor), "{persona}: {name} = {factor}");
            }
        }
        assert!("bold".parse::<Persona>().unwrap_err().to_string().contains("defensive"));
    }

    #[test]
    fn all_faults_of_a_profile_are_reported_at_once() {
        let lines = Weights::NAMES.iter().skip(3).map(|name| format!("{name} = 1\n"));
        let text = lines.collect::<String>() + "scale = -2\nstacks = \"many\"\nheight = 5000\nspeed = 1.0\n";
        let ProfileFaults(faults) = Profile::from_toml(&text).unwrap_err();
        for part in ["\"caps\" is missing", "stacks", "height = 5000", "speed", "scale = -2"] {
            assert_eq!(
                faults
                    .iter()
                    .filter(|fault| fault.starts_with(part) || fault.starts_with(&format!("{part:?}")))
                    .count(),
                1,
                "{part}: {faults:#?}"
            );
        }
        assert_eq!(faults.len(), 5, "{faults:#?}");
        assert!(Profile::from_toml("scale = = 1").is_err());
        assert!(Profile::from_toml("stacks = nan").is_err());
    }
}
