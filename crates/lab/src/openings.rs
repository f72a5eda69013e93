//! The choice of openings, and the neutral judge that balances them.

use std::sync::Arc;

use arena::Balance;
use ladder::{Playable, Player, Venue, WithoutNet};
use record::Config;
use search::Stop;
use serde_json::{Value, json};

use crate::venue;

/// How the openings of an event are chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Openings {
    /// Random decisions after which a neutral search considers the seats about even.
    #[default]
    Balanced,
    /// Random decisions.
    Random,
}

impl Openings {
    /// All choices, the default first.
    pub const ALL: [Self; 2] = [Self::Balanced, Self::Random];

    /// The name of the choice.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Balanced => "balanced",
            Self::Random => "random",
        }
    }

    /// The choice with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|choice| choice.name() == name)
    }

    /// The judge of openings of `plies` decisions, or `None` if they need none.
    pub fn judge(self, plies: u32, config: &Config) -> Option<Judge> {
        // There is only one empty opening.
        (self == Self::Balanced && plies > 0).then(|| Judge::new(venue(config)))
    }
}

/// The neutral judge of openings: a search with a fixed budget that has nothing to do with the participants.
#[derive(Clone, PartialEq, Debug)]
pub struct Judge {
    player: Player,
    tolerance: f64,
}

/// The maximum number of draws of an opening.
const DRAWS: u32 = 32;

/// The seed of the judge, so that it is a function of the position.
const SEED: u64 = 1;

impl Judge {
    /// The judge of a game. `docs/ratings.md` has the measurements behind the budgets and tolerances.
    fn new(venue: Venue) -> Self {
        let (spec, tolerance) = match venue {
            Venue::RingRift { seats: 2, .. } => ("minimax(nodes=3000,megabytes=1)", 0.05),
            // Among three or four seats some seat is always ahead; what counts is that the game is not decided.
            Venue::RingRift { .. } => ("maxn(nodes=10000,megabytes=1)", 0.3),
            Venue::Go { .. } => ("mcts(sims=200,leaves=rollout)", 0.1),
        };
        let spec = spec.parse().expect("the spec of a judge is valid");
        let player =
            Player::new(&spec, venue, WithoutNet::Refuse).expect("a judge plays its game without a net");
        Self { player, tolerance }
    }

    /// What the openings depend on, as JSON.
    pub(crate) fn json(&self) -> Value {
        json!({ "judge": self.player.config.resolved(), "tolerance": self.tolerance, "draws": DRAWS })
    }

    /// The judge for positions of this type.
    pub fn balance<P: Playable>(&self) -> Balance<P> {
        let player = self.player.clone();
        let judge = move |position: &P| {
            let (mut position, mut legal) = (position.clone(), Vec::new());
            loop {
                if let Some(outcome) = position.outcome() {
                    return outcome.values();
                }
                position.legal_moves(&mut legal);
                let [only] = legal[..] else { break };
                position.play_unchecked(only, &mut ());
            }
            let report = player.agent::<P>(SEED).think(&position, &player.limits(), &Stop::default());
            report.values.unwrap_or_default()
        };
        Balance { judge: Arc::new(judge), tolerance: self.tolerance as f32, draws: DRAWS }
    }
}

#[cfg(test)]
mod tests {
    use arena::{Conditions, advantage};
    use record::{Recorded, on_game};
    use ringrift::{Board, Rules};

    use super::*;

    fn configs() -> Vec<Config> {
        let ringrift = [2, 3, 4].into_iter().flat_map(|seats| {
            Board::ALL.into_iter().map(move |board| Config::ringrift(board, Rules::new(seats)))
        });
        ringrift.chain([3, 5, 9].map(|size| Config::go(go::Rules::new(size)))).collect()
    }

    /// The opening for a seed, and the advantage that the judge sees after it.
    fn opening<P: Playable + Recorded>(
        config: &Config,
        openings: Openings,
        seed: u64,
    ) -> (Vec<P::Move>, f32) {
        let (start, plies) = (P::new(&P::options(config).unwrap()), 2 * config.seats() as u32);
        let balance = openings.judge(plies, config).map(|judge| judge.balance::<P>());
        let judge = Openings::Balanced.judge(plies, config).unwrap().balance::<P>();
        let conditions = Conditions { balance, ..Conditions::new(start.clone(), plies) };
        let line = conditions.opening(seed);
        let mut position = start;
        for &m in &line {
            position.play_unchecked(m, &mut ());
        }
        let advantage = advantage(&(judge.judge)(&position), config.seats());
        (line, advantage)
    }

    #[test]
    fn every_game_has_a_judge_that_prefers_even_openings() {
        let mut better = 0;
        for (config, seed) in configs().iter().flat_map(|config| [1, 2, 3].map(|seed| (config, seed))) {
            let of = |openings| {
                on_game!(config, P => {
                    let (line, advantage) = opening::<P>(config, openings, seed);
                    (format!("{line:?}"), advantage)
                })
            };
            let (random, balanced) = (of(Openings::Random), of(Openings::Balanced));
            let scale = crate::scale(config);
            assert!(balanced.1 <= random.1, "{scale}: {} instead of {}", balanced.1, random.1);
            assert_eq!(balanced, of(Openings::Balanced), "{scale}: the judge is a function of the position");
            better += u32::from(balanced.1 < random.1);
        }
        assert!(better > 5, "only {better} openings were replaced");
    }
}
