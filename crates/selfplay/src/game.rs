//! One game of self-play.

use std::sync::{Arc, Mutex, PoisonError};

use game::{Game, derive_seed, pick};
use ladder::{Playable, Player};
use rand::Rng;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use record::{GameRecord, Leaf, PlyStats, Recorded};
use search::{Agent, Limits, Report, Stop};

use crate::{
    Plan, SelfPlayError,
    leaves::{Reservoir, sampling_agent},
};

/// A finished game.
#[derive(Debug)]
pub struct Played {
    /// Its record.
    pub record: GameRecord,
    /// The keys of the positions with statistics, to count duplicates.
    pub keys: Vec<u64>,
}

/// The tag of a record with the number of plies of its opening.
pub(crate) const OPENING: &str = "opening";

/// Plays game `index`, which depends on the plan and the index alone. Returns `None` if `stop` is raised before its end.
pub(crate) fn play<P: Playable + Recorded>(
    plan: &Plan,
    index: u64,
    stop: &Stop,
) -> Result<Option<Played>, SelfPlayError> {
    let options = &plan.options;
    let seed = |purpose| derive_seed(options.seed, index, purpose);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed(0));
    let players = plan.draw_players(&mut rng);
    let names = players.iter().map(|&player| plan.players[player].by_content().to_string()).collect();
    let mut record = GameRecord::new(format!("{}-{index}", options.seed), options.config.clone(), names);
    record.seed = Some(options.seed);
    let mut position = opening::<P>(plan, &mut rng, &mut record)?;
    record.tags.insert(OPENING.to_owned(), record.moves.len().to_string());
    let reservoir = Arc::new(Mutex::new(Reservoir::new(options.leaves, seed(200))));
    let agent = |(purpose, player): (u64, &Player)| match options.leaves {
        0 => (player.agent::<P>(seed(purpose)), player.limits()),
        _ => (sampling_agent::<P>(player, &reservoir), player.limits()),
    };
    let seated = players.iter().map(|&player| &plan.players[player]);
    let mut agents: Vec<_> = (1..).zip(seated).map(agent).collect();
    let labelling = |player: &Player| (player.agent::<P>(seed(100)), player.limits());
    let mut label = plan.label.as_ref().map(labelling);
    let mut rescore = plan.label.as_ref().or(plan.players.first()).map(labelling);
    let (mut legal, mut keys) = (Vec::new(), Vec::new());
    while !position.is_over() {
        if stop.is_raised() {
            return Ok(None);
        }
        position.legal_moves(&mut legal);
        let m = if let [only] = legal[..] {
            only
        } else {
            let (agent, limits) = &mut agents[position.to_move().index()];
            let report = agent.think(&position, limits, &Stop::default());
            if let Some(forfeit) = &report.forfeit {
                record.forfeit(&position, forfeit.kind);
                record.tags.insert("forfeit".to_owned(), forfeit.message.clone());
                return Ok(Some(Played { record, keys }));
            }
            position.check(report.best).map_err(|reason| SelfPlayError::Illegal {
                game: index,
                ply: record.moves.len(),
                engine: report.engine,
                reason: reason.to_string(),
            })?;
            let ply = record.moves.len();
            let mut stats = statistics(&position, &legal, &report, ply, options.candidates);
            if let Some((agent, limits)) = &mut label {
                stats.value = values(&position, &agent.think(&position, limits, &Stop::default()));
            }
            keys.push(position.key());
            record.stats.push(stats);
            let leaves = reservoir.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some((agent, limits)) = &mut rescore {
                record.leaves.extend(leaves.iter().filter_map(|leaf| rescored(leaf, ply, agent, limits)));
            }
            report.best
        };
        record.push(&position, m);
        position.play_unchecked(m, &mut ());
    }
    record.conclude(&position);
    Ok(Some(Played { record, keys }))
}

/// The position after the opening, whose moves are added to the record: random moves, or the first moves of an archived
/// game.
fn opening<P: Recorded>(
    plan: &Plan,
    rng: &mut Xoshiro256PlusPlus,
    record: &mut GameRecord,
) -> Result<P, SelfPlayError> {
    let options = &plan.options;
    let start: P = record.start_as()?;
    let uniform = (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
    if uniform < options.archive_share {
        let game = &plan.archive[pick(rng, plan.archive.len())];
        let plies = pick(rng, game.moves.len().max(1));
        record.tags.insert("archive".to_owned(), game.id.clone());
        record.moves.extend_from_slice(&game.moves[..plies]);
        let mut prefix = record.clone();
        prefix.result = None;
        return Ok(prefix.replay_as::<P>(|_, _| ())?);
    }
    let (least, most) = (*options.opening.start(), *options.opening.end());
    let mut legal = Vec::new();
    for attempt in 0.. {
        let mut wanted = least + pick(rng, (most - least) as usize + 1) as u32;
        // If nearly every opening of that length ends the game, shorter ones are drawn.
        wanted = wanted.saturating_sub(attempt / 8);
        let (mut position, mut moves) = (start.clone(), Vec::new());
        while wanted > 0 && !position.is_over() {
            position.legal_moves(&mut legal);
            wanted -= u32::from(legal.len() > 1);
            let m = legal[pick(rng, legal.len())];
            moves.push(position.move_text(m));
            position.play_unchecked(m, &mut ());
        }
        // A game that ends in its opening has nothing to learn from.
        if !position.is_over() {
            record.moves = moves;
            return Ok(position);
        }
    }
    Ok(start)
}

pub(crate) fn statistics<P: Game>(
    position: &P,
    legal: &[P::Move],
    report: &Report<P::Move>,
    ply: usize,
    candidates: usize,
) -> PlyStats {
    let mover = position.to_move();
    let index = |m: P::Move| legal.iter().position(|&legal| legal == m);
    let candidate = |candidate: &search::Candidate<P::Move>| {
        let value = candidate.values.map(|values| values.of(mover));
        Some((index(candidate.m)? as u16, candidate.policy.unwrap_or(candidate.share), value))
    };
    PlyStats {
        ply: ply as u32,
        value: values(position, report),
        nodes: Some(report.nodes),
        candidates: report.candidates.iter().take(candidates).filter_map(candidate).collect(),
        ..PlyStats::default()
    }
}

/// A position that a search evaluated, with the values that a search of its own finds; `None` if there is no choice to
/// search.
fn rescored<P: Playable + Recorded>(
    position: &P,
    ply: usize,
    agent: &mut Box<dyn Agent<P>>,
    limits: &Limits,
) -> Option<Leaf> {
    let value = values(position, &agent.think(position, limits, &Stop::default()));
    (!value.is_empty()).then(|| Leaf { ply: ply as u32, position: position.to_text(), value })
}

/// The values of a report, one per seat; empty if nothing was searched.
pub(crate) fn values<P: Game>(position: &P, report: &Report<P::Move>) -> Vec<f32> {
    report.values.map_or_else(Vec::new, |values| values.0[..position.seats()].to_vec())
}
