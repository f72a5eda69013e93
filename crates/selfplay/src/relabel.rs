//! New values for the positions of old games.

use std::sync::{Arc, Mutex, PoisonError};

use game::derive_seed;
use ladder::{Models, Playable, Player, Spec, WithoutNet};
use record::{Config, GameRecord, Recorded, on_game};
use search::Stop;
use serde_json::{Value, json};

use crate::{
    DataFolder, SelfPlayError,
    game::{Played, statistics, values},
    plan::{FORMAT, identity},
    run::{Games, Work},
};

/// The games of a folder, with the values of all decisions determined again by another agent.
pub struct Relabelling {
    source: DataFolder,
    config: Config,
    player: Player,
    resolved: Value,
    shard_games: u64,
    /// Candidates that are stored with each decision.
    candidates: usize,
    /// The shard that was read last, by its index.
    open: Mutex<Option<(usize, Arc<Vec<GameRecord>>)>>,
}

impl Relabelling {
    /// Prepares to value the positions of `source` with the agent `spec`.
    ///
    /// # Errors
    /// If the agent cannot play this game, or lacks its net.
    pub fn new(source: DataFolder, spec: &Spec, models: &Models) -> Result<Self, SelfPlayError> {
        let problem = |problem: String| SelfPlayError::NotData { path: source.path().to_owned(), problem };
        let config: Config = serde_json::from_value(source.config()["config"].clone())
            .map_err(|error| problem(format!("config: {error}")))?;
        let shard_games = source.shards().iter().map(|shard| shard.games).max().unwrap_or(0);
        if shard_games == 0 {
            return Err(problem("it has no games".to_owned()));
        }
        let player = Player::with_models(spec, lab::venue(&config), WithoutNet::Refuse, models)
            .map_err(|source| SelfPlayError::Player { spec: spec.to_string(), source })?;
        let resolved = json!({
            "format": FORMAT,
            "config": config,
            "games_of": source.manifest(),
            "label": identity(&player),
            "shard_games": shard_games,
        });
        Ok(Self { source, config, player, resolved, shard_games, candidates: 0, open: Mutex::new(None) })
    }

    /// Stores the best `candidates` moves of every decision, too, with their probabilities and values.
    #[must_use]
    pub fn with_candidates(mut self, candidates: usize) -> Self {
        if candidates > 0 {
            self.resolved["candidates"] = json!(candidates);
        }
        Self { candidates, ..self }
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.source.games()
    }

    /// Game `index` of the source.
    fn game(&self, index: u64) -> Result<GameRecord, SelfPlayError> {
        let (shard, place) = ((index / self.shard_games) as usize, (index % self.shard_games) as usize);
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let games = match &*open {
            Some((number, games)) if *number == shard => Arc::clone(games),
            _ => {
                let games = Arc::new(self.source.read(&self.source.shards()[shard])?);
                *open = Some((shard, Arc::clone(&games)));
                games
            }
        };
        Ok(games[place].clone())
    }
}

impl Work for Relabelling {
    fn resolved(&self) -> &Value {
        &self.resolved
    }

    fn shard_games(&self) -> u64 {
        self.shard_games
    }

    fn produce(&self, index: u64, stop: &Stop) -> Result<Option<Played>, SelfPlayError> {
        on_game!(self.config, P => relabel::<P>(self, index, stop))
    }

    fn produce_all(&self, games: &Games<'_>) {
        games.produce_each(self);
    }
}

fn relabel<P: Playable + Recorded>(
    work: &Relabelling,
    index: u64,
    stop: &Stop,
) -> Result<Option<Played>, SelfPlayError> {
    let mut record = work.game(index)?;
    let mut agent = work.player.agent::<P>(derive_seed(0, index, 0));
    let limits = work.player.limits();
    let (mut ply, mut keys, mut abandoned) = (0, Vec::new(), false);
    let mut stats = std::mem::take(&mut record.stats);
    let mut next = stats.iter_mut().peekable();
    let mut legal = Vec::new();
    record.replay_as::<P>(|position, _| {
        if let Some(stats) = next.next_if(|stats| stats.ply == ply) {
            abandoned |= stop.is_raised();
            if !abandoned {
                let report = agent.think(position, &limits, &Stop::default());
                if work.candidates > 0 {
                    position.legal_moves(&mut legal);
                    *stats = statistics(position, &legal, &report, ply as usize, work.candidates);
                } else {
                    stats.value = values(position, &report);
                    stats.nodes = Some(report.nodes);
                }
                keys.push(position.key());
            }
        }
        ply += 1;
    })?;
    record.stats = stats;
    for leaf in &mut record.leaves {
        abandoned |= stop.is_raised();
        if abandoned {
            break;
        }
        let position = P::from_text(&leaf.position)
            .map_err(|faults| SelfPlayError::Leaf { game: record.id.clone(), problem: faults.to_string() })?;
        leaf.value = values(&position, &agent.think(&position, &limits, &Stop::default()));
    }
    Ok((!abandoned).then_some(Played { record, keys }))
}
