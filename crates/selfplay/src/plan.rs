//! What is played: the game, the agents, the openings, and what is stored of each decision.

use std::ops::RangeInclusive;

use ::game::pick;
use ladder::{Models, Player, Spec, WithoutNet};
use rand::Rng;
use record::{Config, GameRecord, on_game};
use search::Stop;
use serde_json::{Value, json};

use crate::{
    SelfPlayError,
    game::{self, Played},
    interleaved::{self, can_interleave},
    leaves::can_sample,
    run::{Games, Work},
};

/// Options of self-play.
#[derive(Clone, Debug)]
pub struct Options {
    /// The game.
    pub config: Config,
    /// The agents, each with the weight at which it is drawn.
    pub agents: Vec<(Spec, u32)>,
    /// How agents are drawn for the seats of a game.
    pub seating: Seating,
    /// The number of random decisions at the start of a game, drawn uniformly.
    pub opening: RangeInclusive<u32>,
    /// The share of games that start at a position of an archived game instead of the normal start.
    pub archive_share: f64,
    /// An agent that determines the values of positions instead of the one that plays.
    pub label: Option<Spec>,
    /// The agent of decisions that are not searched in full, and have no candidates to learn from.
    pub cheap: Option<Spec>,
    /// The share of decisions that are searched in full if there is a cheap agent.
    pub full_share: f64,
    /// The value above which a seat is as good as certain to win. When one has been for three turns, the rest of the game is
    /// played by the cheap agent and marked.
    pub decided: Option<f32>,
    /// The number of games that a thread plays at once, with common batches of evaluations; 1 for one after another.
    pub interleave: usize,
    /// The number of candidates stored with each decision.
    pub candidates: usize,
    /// The number of positions stored with each decision, out of those at which the search calls its evaluator.
    pub leaves: usize,
    /// The seed of all random choices.
    pub seed: u64,
    /// The number of games in a shard.
    pub shard_games: u64,
}

impl Options {
    /// Games of one agent against itself, from the normal start, with nothing stored but values.
    pub fn new(config: Config, agent: Spec) -> Self {
        Self {
            config,
            agents: vec![(agent, 1)],
            seating: Seating::Same,
            opening: 0..=0,
            archive_share: 0.0,
            label: None,
            cheap: None,
            full_share: 1.0,
            decided: None,
            interleave: 1,
            candidates: 0,
            leaves: 0,
            seed: 1,
            shard_games: 500,
        }
    }
}

/// How agents are drawn for the seats of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Seating {
    /// One agent plays all seats.
    #[default]
    Same,
    /// Every seat draws its own agent.
    Mixed,
}

impl Seating {
    /// All seatings with their names.
    pub const ALL: [(&'static str, Self); 2] = [("same", Self::Same), ("mixed", Self::Mixed)];

    fn name(self) -> &'static str {
        if self == Self::Same { "same" } else { "mixed" }
    }
}

/// Self-play with all names resolved, ready to run.
#[derive(Debug)]
pub struct Plan {
    /// The options.
    pub options: Options,
    /// The players, in the order of the agents.
    pub players: Vec<Player>,
    /// The player of decisions that are not searched in full, if there is one.
    pub cheap: Option<Player>,
    /// The player that labels positions, if it is another one.
    pub label: Option<Player>,
    /// Finished games whose positions start new ones.
    pub archive: Vec<GameRecord>,
    /// Everything that the games depend on, as JSON.
    pub resolved: Value,
}

impl Plan {
    /// Resolves the agents. `archive` is empty unless games start from archived positions.
    ///
    /// # Errors
    /// If an agent cannot play this game or lacks its net, or the options contradict each other.
    pub fn new(options: Options, archive: Vec<GameRecord>, models: &Models) -> Result<Self, SelfPlayError> {
        let total: u64 = options.agents.iter().map(|(_, weight)| u64::from(*weight)).sum();
        if total == 0 {
            return Err(SelfPlayError::Options(
                "no agent: name at least one with a positive weight".to_owned(),
            ));
        }
        if options.shard_games == 0 {
            return Err(SelfPlayError::Options("shards of 0 games: expected at least 1".to_owned()));
        }
        if matches!(&options.config, Config::RingRift(config) if config.rules.swap) {
            // Participants would change seats, so that results and values of one game would not refer to one seat.
            return Err(SelfPlayError::Options(
                "the pie rule: self-play is without it; omit --swap".to_owned(),
            ));
        }
        if options.opening.is_empty() {
            let (least, most) = (options.opening.start(), options.opening.end());
            return Err(SelfPlayError::Options(format!(
                "openings of {least} to {most} decisions: exchange the two"
            )));
        }
        if !(0.0..=1.0).contains(&options.archive_share)
            || (options.archive_share > 0.0) == archive.is_empty()
        {
            return Err(SelfPlayError::Options(format!(
                "a share of {} from {} archived games: expected a share from 0 to 1, and an archive if it is positive",
                options.archive_share,
                archive.len()
            )));
        }
        if let Some(game) = archive.iter().find(|game| game.config != options.config || game.start.is_some())
        {
            return Err(SelfPlayError::Options(format!(
                "the archived game {:?} is of {}, expected {} from the normal start",
                game.id, game.config, options.config
            )));
        }
        let player = |spec: &Spec| {
            Player::with_models(spec, lab::venue(&options.config), WithoutNet::Refuse, models)
                .map_err(|source| SelfPlayError::Player { spec: spec.to_string(), source })
        };
        let players: Vec<Player> =
            options.agents.iter().map(|(spec, _)| player(spec)).collect::<Result<_, _>>()?;
        let label = options.label.as_ref().map(player).transpose()?;
        let cheap = options.cheap.as_ref().map(player).transpose()?;
        check_budgets(&options, &players, cheap.as_ref())?;
        if let Some(player) = players.iter().find(|player| options.leaves > 0 && !can_sample(&player.config))
        {
            return Err(SelfPlayError::Options(format!(
                "leaves of {}: only minimax, maxn and brs without randomness store them; omit --leaves",
                player.config
            )));
        }
        let agents: Vec<Value> = (players.iter().zip(&options.agents))
            .map(|(player, (_, weight))| {
                let mut agent = identity(player);
                agent["weight"] = json!(weight);
                agent
            })
            .collect();
        let mut resolved = json!({
            "format": FORMAT,
            "config": options.config,
            "agents": agents,
            "seating": options.seating.name(),
            "opening": [options.opening.start(), options.opening.end()],
            "archive": { "share": options.archive_share, "games": archive.len(), "hash": hash(&archive)? },
            "label": label.as_ref().map(identity),
            "candidates": options.candidates,
            "leaves": options.leaves,
            "seed": options.seed,
            "shard_games": options.shard_games,
        });
        // Folders of older versions have none of these.
        if let Some(cheap) = &cheap {
            resolved["cheap"] = json!({ "agent": identity(cheap), "full_share": options.full_share });
        }
        if let Some(value) = options.decided {
            resolved["decided"] = json!(value);
        }
        Ok(Self { options, players, cheap, label, archive, resolved })
    }

    /// Draws the players of a game, as indices, one per seat.
    pub(crate) fn draw_players(&self, rng: &mut impl Rng) -> Vec<usize> {
        let weights = || self.options.agents.iter().map(|(_, weight)| *weight as usize);
        let mut draw = || {
            let mut ticket = pick(rng, weights().sum());
            weights().position(|weight| {
                let drawn = ticket < weight;
                ticket = ticket.saturating_sub(weight);
                drawn
            })
        };
        let seats = self.options.config.seats();
        let first = draw().unwrap_or(0);
        match self.options.seating {
            Seating::Same => vec![first; seats],
            Seating::Mixed => {
                let others = (1..seats).map(|_| draw().unwrap_or(0));
                std::iter::once(first).chain(others).collect()
            }
        }
    }
}

impl Work for Plan {
    fn resolved(&self) -> &Value {
        &self.resolved
    }

    fn shard_games(&self) -> u64 {
        self.options.shard_games
    }

    fn produce(&self, index: u64, stop: &Stop) -> Result<Option<Played>, SelfPlayError> {
        on_game!(self.options.config, P => game::play::<P>(self, index, stop))
    }

    fn produce_all(&self, games: &Games<'_>) {
        if self.options.interleave > 1 {
            on_game!(self.options.config, P => interleaved::play::<P>(self, games));
        } else {
            games.produce_each(self);
        }
    }

    fn at_once(&self) -> usize {
        self.options.interleave
    }
}

/// Checks the options of cheap searches and of interleaved games.
fn check_budgets(options: &Options, players: &[Player], cheap: Option<&Player>) -> Result<(), SelfPlayError> {
    let refused = |text: String| Err(SelfPlayError::Options(text));
    if !(0.0..=1.0).contains(&options.full_share) {
        return refused(format!("a share of {} full searches: expected 0 to 1", options.full_share));
    }
    if cheap.is_some() && options.candidates == 0 {
        return refused("cheap searches without candidates: nothing would say which searches to learn from; store candidates".to_owned());
    }
    if options.decided.is_some_and(|value| !(0.0..1.0).contains(&value)) {
        return refused("the value of decided games: expected 0 to 1".to_owned());
    }
    if options.interleave > 1 {
        if options.leaves > 0 || options.label.is_some() {
            return refused("interleaved games have neither leaves nor labels of another agent".to_owned());
        }
        if !can_interleave(players, cheap) {
            return refused(
                "interleaved games: only mcts and gumbel with one net, without randomness, temperature and threads, share batches".to_owned(),
            );
        }
    }
    Ok(())
}

/// An agent with the id of its participant, which covers all its settings and the content of its net.
pub(crate) fn identity(player: &Player) -> Value {
    json!({ "agent": player.by_content().to_string(), "participant": lab::participant(player).id })
}

/// The version of the layout of data folders.
pub(crate) const FORMAT: u32 = 1;

/// A content hash of games.
fn hash(games: &[GameRecord]) -> Result<String, SelfPlayError> {
    let mut hasher = blake3::Hasher::new();
    for game in games {
        hasher.update(game.to_line()?.as_bytes());
        hasher.update(b"\n");
    }
    Ok(hasher.finalize().to_hex().to_string())
}
