//! Alpha-beta and its relatives for three and four seats.
//!
//! Depth counts turns. A turn may be a chain of decisions by one participant, and all of it is followed: a step costs
//! depth only if somebody else decides next, and steps without a choice are free. So leaves lie between turns, where
//! nothing that the rules compel is pending, and there is no quiescence search: what it would settle, captures that go
//! on, lines and regions to be taken, are decisions of the turn itself. (Threats of the next turn are not settled; a
//! search of those would need to know the game.)
//!
//! What is deliberately absent: a null move, since these games have no pass and a made-up one is no legal position;
//! threads; opening books; and any randomness, so that equal moves come in the order of the list.
//!
//! In the source, `walk` goes down the tree and counts turns, `scout` is the search for one score (two seats, paranoid,
//! best reply), `maxn` the one for a score a seat, `root` has iterations and reports, `order`, `table`, `reduction` and
//! `score` what their names say. `docs/agents/alphabeta.md` has references and measurements.

mod maxn;
mod order;
mod reduction;
mod root;
mod score;
mod scout;
mod table;
#[cfg(test)]
mod tests;
mod walk;

use std::time::Instant;

use game::{Follow, Game};

use self::{
    maxn::MaxN,
    order::Experience,
    root::{Deepen, Roots},
    score::{Score, Scores},
    scout::Scout,
    table::Table,
    walk::{Budget, Frame, Walk},
};
use crate::{Agent, Limits, Report, Stop};

/// How the other seats are expected to play. With two seats all rules are the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Rule {
    /// All others play together against the mover of the root.
    #[default]
    Paranoid,
    /// Everybody plays for the own value.
    MaxN,
    /// Between two turns of the root's mover one opponent gives the best reply, whichever it is, and the others play
    /// what looks best to them at first sight.
    Brs,
}

/// Settings of [`AlphaBeta`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AlphaBetaOptions {
    /// How many turns to look ahead, the present one included; `None` for as many as the budget allows.
    pub depth: Option<u32>,
    /// What the others are expected to do.
    pub rule: Rule,
    /// The largest size of the transposition table; a small budget gets a smaller one.
    pub megabytes: usize,
    /// Whether the table and the ordering statistics are kept from decision to decision; otherwise every decision
    /// begins afresh.
    pub reuse: bool,
    /// Whether late moves are searched less deep, and hopeless ones in the last turn not at all. Without it a finished
    /// depth has the exact value of its rule.
    pub reductions: bool,
}

impl Default for AlphaBetaOptions {
    fn default() -> Self {
        Self { depth: None, rule: Rule::Paranoid, megabytes: 16, reuse: true, reductions: true }
    }
}

/// What the search makes use of: all of it, except in tests that compare.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent switches")]
struct Techniques {
    table: bool,
    scouts: bool,
    aspiration: bool,
    reductions: bool,
}

/// Looks ahead a number of turns, every move of every seat considered, and evaluates what it finds there.
///
/// One depth after the other is searched, each with what the one before has found out. The table of positions is kept
/// from decision to decision, so the later decisions of a turn cost little. A depth that the budget cuts short counts
/// only in so far as a move was found better than the best one before, both searched to that depth.
///
/// With two seats it maximises half the lead of the mover's value over the other's, which is the value itself if one's
/// gain is the other's loss. Certain wins and losses count more than any evaluation, near wins more than far ones.
///
/// ```
/// use game::{Afresh, Game, Values, toy::{Take, TakeMove, TakeRules}};
/// use search::{Agent, AlphaBeta, AlphaBetaOptions, Limits, Stop};
///
/// // Six tokens, at most three a turn, and one is already taken: one more leaves four, a lost pile.
/// let mut position = Take::new(&TakeRules { tokens: 6, most: 3, seats: 2 });
/// position.play(TakeMove::One)?;
/// let results = |position: &Take| position.outcome().map_or(Values::default(), |outcome| outcome.values());
/// let mut agent = AlphaBeta::new(Afresh(results), AlphaBetaOptions::default());
/// let report = agent.think(&position, &Limits::nodes(1_000), &Stop::default());
/// assert_eq!(report.best, TakeMove::One);
/// assert!(report.candidates[0].solved);
/// # Ok::<(), game::toy::TakeFault>(())
/// ```
pub struct AlphaBeta<G: Game, F> {
    evaluator: F,
    options: AlphaBetaOptions,
    techniques: Techniques,
    /// Made when first needed: which of the two it is depends on the number of seats.
    scores: Option<Table<G::Move, Score>>,
    vectors: Option<Table<G::Move, Scores>>,
    experience: Experience<G::Move>,
}

impl<G: Game, F: Follow<G>> AlphaBeta<G, F> {
    /// An agent that asks `evaluator` at its leaves.
    pub fn new(evaluator: F, options: AlphaBetaOptions) -> Self {
        let techniques =
            Techniques { table: true, scouts: true, aspiration: true, reductions: options.reductions };
        Self { evaluator, options, techniques, scores: None, vectors: None, experience: Experience::new() }
    }
}

impl<G: Game, F: Follow<G> + Send> Agent<G> for AlphaBeta<G, F>
where
    F::Memory: Send,
{
    /// Tells of every finished depth. Nodes are positions that a move of a choice led to, whether they were searched or
    /// only compared at sight.
    fn think_aloud(
        &mut self,
        root: &G,
        limits: &Limits,
        stop: &Stop,
        tell: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        let start = Instant::now();
        let frame = Frame::new(root.clone(), self.evaluator.remember(root));
        assert!(!frame.moves.is_empty(), "the game is over: there is nothing to choose");
        let mut roots = Roots::new(&frame.moves);
        let rule = if root.seats() == 2 { Rule::Paranoid } else { self.options.rule };
        let engine = match rule {
            Rule::Paranoid => "alpha-beta",
            Rule::MaxN => "max-n",
            Rule::Brs => "brs",
        };
        if frame.moves.len() == 1 {
            return roots.report(engine, (0, 0), start);
        }
        if !self.options.reuse {
            (self.scores, self.vectors, self.experience) = (None, None, Experience::new());
        }
        self.experience.fade();
        let walk = Walk {
            evaluator: &mut self.evaluator,
            frames: vec![frame],
            experience: &mut self.experience,
            budget: Budget::new(limits.nodes, limits.time.map(|time| start + time), stop),
            one_reply: rule == Rule::Brs,
            horizon: 0,
            cycle: if rule == Rule::Brs { 2 } else { root.seats() as i32 },
            deepest: 0,
        };
        let (techniques, megabytes, nodes) = (self.techniques, self.options.megabytes, limits.nodes);
        let mut search: Box<dyn Deepen<G> + '_> = if rule == Rule::MaxN {
            let table = Table::ready(&mut self.vectors, megabytes, nodes);
            Box::new(MaxN { walk, table, techniques })
        } else {
            let table = Table::ready(&mut self.scores, megabytes, nodes);
            Box::new(Scout { walk, table, techniques })
        };
        let deepest = self.options.depth.unwrap_or(MOST_TURNS).min(MOST_TURNS);
        if search.look(&mut roots).is_some() {
            for turns in 1..=deepest {
                if roots.is_decided() || search.deepen(&mut roots, turns).is_none() {
                    break;
                }
                tell(&roots.report(engine, search.spent(), start));
            }
        }
        roots.report(engine, search.spent(), start)
    }
}

/// No iteration goes deeper.
const MOST_TURNS: u32 = 200;
