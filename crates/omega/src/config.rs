//! What a run depends on.

use std::{fmt, str::FromStr};

use eval::OmegaNets;
use nn::PlanePreset;
use rand::Rng;
use serde::{Deserialize, Serialize};

use crate::OmegaRunError;

/// Everything that the result of a run depends on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Config {
    /// The number of lines of the board.
    pub size: u8,
    /// The layers and channels of the value networks, by name.
    pub net: String,
    /// Those of the policy network, which plays all games.
    pub policy_net: String,
    /// The number of stages of on-policy play after stage 0.
    pub iterations: u32,
    /// The number of positions of stage 0, one per random game.
    pub random_positions: u32,
    /// The number of positions of every later stage, one per game of the policy.
    pub positions: u32,
    /// The number of games played on from every position, whose results are averaged.
    pub continuations: u32,
    /// How often the value network sees every position of a stage.
    pub value_passes: u32,
    /// How often the policy network does.
    pub policy_passes: u32,
    /// The temperature of the softmax over values in stage 0.
    pub temperature: f32,
    /// The factor of the temperature from stage to stage.
    pub cooling: f32,
    /// The temperature that it never falls below.
    pub coldest: f32,
    /// Komi in half points, the same in every game, or spread over all outcomes that are possible.
    pub komi: Option<i16>,
    /// The most random moves before the policy takes over; every other game has none.
    pub random_moves: u32,
    /// The number of positions per step of the optimiser.
    pub batch: u32,
    /// The highest learning rate of stage 0. Later stages, which continue from trained networks, have half of it.
    pub learning_rate: f32,
    /// The number of openings in a match; each is played with both colours.
    pub pairs: u32,
    /// The seed of everything.
    pub seed: u64,
    /// The number of positions in a file, which is what a kill can lose.
    pub shard: u32,
    /// The number of threads that share a step of the optimiser, which determines how sums are rounded.
    pub threads: u32,
    /// Prioritised replay: the power of a position's error in its probability to be seen again; 0 for all alike.
    pub prioritised: f32,
    /// The number of positions of a game of which the one with the value nearest to 0 is taken.
    pub candidates: u32,
    /// Whether positions come from the end of games at first, and from ever more of the game later.
    pub backward: bool,
    /// The number of value networks, each for a stage of the game.
    pub stages: u32,
    /// The number of plies after which the value network judges a continuation; 0 to play to the end.
    pub td_plies: u32,
    /// The hash of the networks that take the place of stage 0, if there are any.
    pub start: Option<String>,
}

/// Settings by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Preset {
    /// Less than ten minutes of processor time on 5×5, for three generations.
    Default,
    /// The numbers of the method's author: 250,000 positions, five continuations, 4 layers of 20 channels.
    Seed,
    /// A few minutes on 5×5, to see everything work.
    Quick,
}

impl Preset {
    /// All presets.
    pub const ALL: [Self; 3] = [Self::Default, Self::Seed, Self::Quick];

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Seed => "seed",
            Self::Quick => "quick",
        }
    }
}

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The error for text that names no preset.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is not a preset: expected default, seed or quick")]
pub struct UnknownPreset(String);

impl FromStr for Preset {
    type Err = UnknownPreset;

    fn from_str(text: &str) -> Result<Self, UnknownPreset> {
        Self::ALL
            .into_iter()
            .find(|preset| preset.name() == text)
            .ok_or_else(|| UnknownPreset(text.to_owned()))
    }
}

impl Config {
    /// The settings of a preset.
    pub fn new(preset: Preset, size: u8) -> Self {
        let default = Self {
            size,
            net: PlanePreset::Residual.name().to_owned(),
            policy_net: PlanePreset::Light.name().to_owned(),
            iterations: 2,
            random_positions: 250_000,
            positions: 40_000,
            continuations: 5,
            value_passes: 4,
            policy_passes: 3,
            temperature: 0.15,
            cooling: 0.6,
            coldest: 0.03,
            komi: None,
            random_moves: u32::from(size) * u32::from(size) / 2,
            batch: 256,
            learning_rate: 2e-3,
            pairs: 1000,
            seed: 1,
            shard: 1024,
            threads: 1,
            prioritised: 0.0,
            candidates: 1,
            backward: false,
            stages: 1,
            td_plies: 0,
            start: None,
        };
        match preset {
            Preset::Default => default,
            Preset::Seed => Self {
                net: PlanePreset::Seed.name().to_owned(),
                policy_net: PlanePreset::Seed.name().to_owned(),
                iterations: 1,
                positions: 250_000,
                komi: Some(1),
                random_moves: 0,
                ..default
            },
            Preset::Quick => Self {
                net: PlanePreset::Light.name().to_owned(),
                iterations: 3,
                random_positions: 16_384,
                positions: 8192,
                continuations: 2,
                pairs: 50,
                ..default
            },
        }
    }

    /// The temperature of a stage.
    pub fn temperature_of(&self, stage: u32) -> f32 {
        (self.temperature * self.cooling.powi(stage as i32)).max(self.coldest)
    }

    /// The number of positions of a stage.
    pub fn positions_of(&self, stage: u32) -> u32 {
        if stage == 0 { self.random_positions } else { self.positions }
    }

    /// The layers and channels of the policy network and of the value networks.
    ///
    /// # Errors
    /// If no preset has one of the names.
    pub fn net_presets(&self) -> Result<[PlanePreset; 2], OmegaRunError> {
        let parse = |name: &str| {
            let unknown = |error: nn::UnknownPlanePreset| OmegaRunError::Options(error.to_string());
            name.parse().map_err(unknown)
        };
        Ok([parse(&self.policy_net)?, parse(&self.net)?])
    }

    /// Networks to start training from.
    pub(crate) fn random_nets(&self, rng: &mut impl Rng) -> Result<OmegaNets, OmegaRunError> {
        let [policy, value] = self.net_presets()?;
        Ok(OmegaNets::random(policy, value, self.stages as usize, rng))
    }

    /// Checks that all numbers make sense.
    ///
    /// # Errors
    /// The first that does not.
    pub fn check(&self) -> Result<(), OmegaRunError> {
        self.net_presets()?;
        let bad = |what: &str, found: &dyn fmt::Display, expected: &str| {
            Err(OmegaRunError::Options(format!("{what} {found}: expected {expected}")))
        };
        let points = i32::from(self.size) * i32::from(self.size);
        match self {
            Self { size: 0..=1 | 20.., .. } => bad("board size", &self.size, "2 to 19"),
            Self { positions: 0, .. } | Self { random_positions: 0, .. } => {
                bad("positions", &0, "at least 1")
            }
            Self { continuations: 0 | 256.., .. } => {
                bad("continuations", &self.continuations, "1 to 255, as in --continuations 5")
            }
            Self { value_passes: 0, .. } | Self { policy_passes: 0, .. } => bad("passes", &0, "at least 1"),
            Self { batch: 0, .. } => bad("batch", &0, "at least 1"),
            Self { shard: 0, .. } => bad("positions per file", &0, "at least 1"),
            Self { pairs: 0, .. } => bad("openings per match", &0, "at least 1"),
            Self { candidates: 0, .. } => bad("candidates", &0, "at least 1"),
            Self { threads: 0, .. } => bad("threads", &0, "at least 1"),
            Self { stages: 0 | 9.., .. } => bad("stages", &self.stages, "1 to 8"),
            Self { komi: Some(komi), .. } if i32::from(*komi).abs() > 2 * points => {
                bad("komi in half points", komi, "at most twice the number of points")
            }
            _ if !(self.temperature > 0.0 && self.coldest > 0.0 && self.cooling > 0.0) => {
                bad("temperature", &self.temperature, "positive numbers for temperature, cooling and coldest")
            }
            _ if !(self.learning_rate > 0.0 && self.learning_rate < 1.0) => {
                bad("learning rate", &self.learning_rate, "more than 0 and less than 1")
            }
            _ if !(self.prioritised >= 0.0 && self.prioritised <= 1.0) => {
                bad("prioritised", &self.prioritised, "0 to 1")
            }
            _ => Ok(()),
        }
    }
}
