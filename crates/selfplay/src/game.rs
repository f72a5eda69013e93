//! One game of self-play.

use std::sync::{Arc, Mutex, PoisonError};

use game::{Game, Seat, derive_seed, pick};
use ladder::{Playable, Player};
use rand::Rng;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use record::{GameRecord, Leaf, PlyStats, Recorded};
use search::{Agent, Limits, Report, Stop};

use crate::{
    Plan, SelfPlayError,
    leaves::{Reservoir, sampling_agent},
    tags,
};

/// A finished game.
#[derive(Debug)]
pub struct Played {
    /// Its record.
    pub record: GameRecord,
    /// The keys of the positions with statistics, to count duplicates.
    pub keys: Vec<u64>,
}

/// A game in progress, which depends on the plan and its index alone.
pub(crate) struct Ongoing<'p, P: Recorded> {
    plan: &'p Plan,
    pub(crate) index: u64,
    pub(crate) position: P,
    /// The players of the seats, by their indices in the plan.
    pub(crate) players: Vec<usize>,
    record: GameRecord,
    keys: Vec<u64>,
    legal: Vec<P::Move>,
    /// Which decisions are searched in full.
    caps: Xoshiro256PlusPlus,
    lead: Lead,
}

/// How long a seat has been as good as certain to win.
#[derive(Clone, Copy, Debug, Default)]
struct Lead {
    leader: Option<Seat>,
    /// The seat of the last decision.
    mover: Option<Seat>,
    turns: u32,
    decided: bool,
}

/// A game is as good as decided when a seat has led for this many turns.
const DECIDING_TURNS: u32 = 3;

/// The purposes of random generators and seeds of a game.
pub(crate) mod purpose {
    pub(crate) const OPENING: u64 = 0;
    /// The agent of the first seat; the others follow.
    pub(crate) const AGENTS: u64 = 1;
    pub(crate) const LABEL: u64 = 100;
    pub(crate) const LEAVES: u64 = 200;
    pub(crate) const CAPS: u64 = 300;
    /// The agent of the first seat for cheap searches; the others follow.
    pub(crate) const CHEAP: u64 = 400;
}

impl<'p, P: Recorded> Ongoing<'p, P> {
    /// Begins game `index` with its opening.
    pub(crate) fn start(plan: &'p Plan, index: u64) -> Result<Self, SelfPlayError> {
        let options = &plan.options;
        let generator =
            |purpose| Xoshiro256PlusPlus::seed_from_u64(derive_seed(options.seed, index, purpose));
        let mut rng = generator(purpose::OPENING);
        let players = plan.draw_players(&mut rng);
        let names = players.iter().map(|&player| plan.players[player].by_content().to_string()).collect();
        let mut record = GameRecord::new(format!("{}-{index}", options.seed), options.config.clone(), names);
        record.seed = Some(options.seed);
        let position = opening::<P>(plan, &mut rng, &mut record)?;
        record.tags.insert(tags::OPENING.to_owned(), record.moves.len().to_string());
        if plan.cheap.is_some() {
            record.tags.insert(tags::POLICY.to_owned(), tags::CANDIDATES.to_owned());
        }
        Ok(Self {
            plan,
            index,
            position,
            players,
            record,
            keys: Vec::new(),
            legal: Vec::new(),
            caps: generator(purpose::CAPS),
            lead: Lead::default(),
        })
    }

    /// The seed of something that happens in this game.
    pub(crate) fn seed(&self, purpose: u64) -> u64 {
        derive_seed(self.plan.options.seed, self.index, purpose)
    }

    /// The number of moves so far.
    fn ply(&self) -> usize {
        self.record.moves.len()
    }

    /// Plays moves without a choice. Returns whether there is a decision then; if not, the game is over.
    pub(crate) fn advance(&mut self) -> bool {
        while !self.position.is_over() {
            self.position.legal_moves(&mut self.legal);
            let [only] = self.legal[..] else { return true };
            self.play(only);
        }
        false
    }

    /// Whether the decision is searched in full. Some are, at random, as long as the game is open.
    pub(crate) fn is_full(&mut self) -> bool {
        if self.plan.cheap.is_none() {
            return true;
        }
        let uniform = (self.caps.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        uniform < self.plan.options.full_share && !self.lead.decided
    }

    /// Checks what an agent wants to do. Returns whether the game goes on: an agent may forfeit it.
    pub(crate) fn check(&mut self, report: &Report<P::Move>) -> Result<bool, SelfPlayError> {
        if let Some(forfeit) = &report.forfeit {
            self.record.forfeit(&self.position, forfeit.kind);
            self.record.tags.insert("forfeit".to_owned(), forfeit.message.clone());
            return Ok(false);
        }
        self.position.check(report.best).map_err(|reason| SelfPlayError::Illegal {
            game: self.index,
            ply: self.ply(),
            engine: report.engine,
            reason: reason.to_string(),
        })?;
        Ok(true)
    }

    /// What is stored of a decision. A search that was not full has no candidates to learn from.
    pub(crate) fn statistics(&self, report: &Report<P::Move>, is_full: bool) -> PlyStats {
        let count = if is_full { self.plan.options.candidates } else { 0 };
        statistics(&self.position, &self.legal, report, self.ply(), count)
    }

    /// Plays the move of a decision and stores its statistics.
    pub(crate) fn decide(&mut self, stats: PlyStats, m: P::Move) {
        self.keys.push(self.position.key());
        self.judge(&stats.value);
        self.record.stats.push(stats);
        self.play(m);
    }

    /// Notes when the game becomes as good as decided.
    fn judge(&mut self, values: &[f32]) {
        let (Some(threshold), false) = (self.plan.options.decided, self.lead.decided) else { return };
        let leader = Seat::all(values.len()).find(|seat| values[seat.index()] > threshold);
        let mover = Some(self.position.to_move());
        let turns = match leader {
            None => 0,
            _ if leader != self.lead.leader => 1,
            // Several decisions may belong to one turn.
            _ => self.lead.turns + u32::from(mover != self.lead.mover),
        };
        let decided = turns >= DECIDING_TURNS;
        self.lead = Lead { leader, mover, turns, decided };
        if let Some(leader) = leader.filter(|_| decided) {
            self.record.tags.insert(tags::DECIDED.to_owned(), (self.ply() + 1).to_string());
            self.record.tags.insert(tags::LEADER.to_owned(), leader.number().to_string());
        }
    }

    fn play(&mut self, m: P::Move) {
        self.record.push(&self.position, m);
        self.position.play_unchecked(m, &mut ());
    }

    /// The game, which is over or was forfeited.
    pub(crate) fn finish(mut self) -> Played {
        if self.record.result.is_none() {
            self.record.conclude(&self.position);
        }
        Played { record: self.record, keys: self.keys }
    }
}

/// Plays game `index`, which depends on the plan and the index alone. Returns `None` if `stop` is raised before its end.
pub(crate) fn play<P: Playable + Recorded>(
    plan: &Plan,
    index: u64,
    stop: &Stop,
) -> Result<Option<Played>, SelfPlayError> {
    let options = &plan.options;
    let mut game = Ongoing::<P>::start(plan, index)?;
    let reservoir = Arc::new(Mutex::new(Reservoir::new(options.leaves, game.seed(purpose::LEAVES))));
    let agent = |(purpose, player): (u64, &Player)| match options.leaves {
        0 => (player.agent::<P>(game.seed(purpose)), player.limits()),
        _ => (sampling_agent::<P>(player, &reservoir), player.limits()),
    };
    let seated = game.players.iter().map(|&player| &plan.players[player]);
    let mut agents: Vec<_> = (purpose::AGENTS..).zip(seated).map(agent).collect();
    let cheap = |player: &Player| {
        let seats = (purpose::CHEAP..).take(agents.len());
        seats.map(|purpose| (player.agent::<P>(game.seed(purpose)), player.limits())).collect::<Vec<_>>()
    };
    let mut cheap = plan.cheap.as_ref().map(cheap);
    let labelling = |player: &Player| (player.agent::<P>(game.seed(purpose::LABEL)), player.limits());
    let mut label = plan.label.as_ref().map(labelling);
    let mut rescore = plan.label.as_ref().or(plan.players.first()).map(labelling);
    while game.advance() {
        if stop.is_raised() {
            return Ok(None);
        }
        let (seat, is_full) = (game.position.to_move().index(), game.is_full());
        let (agent, limits) = match &mut cheap {
            Some(cheap) if !is_full => &mut cheap[seat],
            _ => &mut agents[seat],
        };
        let report = agent.think(&game.position, limits, &Stop::default());
        if !game.check(&report)? {
            break;
        }
        let mut stats = game.statistics(&report, is_full);
        let ply = stats.ply;
        if let Some((agent, limits)) = &mut label {
            stats.value = values(&game.position, &agent.think(&game.position, limits, &Stop::default()));
        }
        let leaves = reservoir.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((agent, limits)) = &mut rescore {
            let leaves = leaves.iter().filter_map(|leaf| rescored(leaf, ply, agent, limits));
            game.record.leaves.extend(leaves);
        }
        game.decide(stats, report.best);
    }
    Ok(Some(game.finish()))
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

/// What is stored of a decision, with at most so many candidates.
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
    ply: u32,
    agent: &mut Box<dyn Agent<P>>,
    limits: &Limits,
) -> Option<Leaf> {
    let value = values(position, &agent.think(position, limits, &Stop::default()));
    (!value.is_empty()).then(|| Leaf { ply, position: position.to_text(), value })
}

/// The values of a report, one per seat; empty if nothing was searched.
pub(crate) fn values<P: Game>(position: &P, report: &Report<P::Move>) -> Vec<f32> {
    report.values.map_or_else(Vec::new, |values| values.0[..position.seats()].to_vec())
}
