//! Alpha-beta and its relatives for three and four seats.
//!
//! Depth counts turns. A turn may be a chain of decisions by one participant, and the search follows all of it: a move
//! costs depth only if another participant decides next, and forced moves are free. Leaves therefore lie between turns,
//! where nothing that the rules compel is pending, and there is no quiescence search: what it would resolve (continued
//! captures, lines and regions to be taken) are decisions of the turn itself. Threats of the next turn are not
//! resolved; searching them would require knowledge of the game.
//!
//! Deliberately absent: null moves, since these games have no pass and a null move would not lead to a legal position;
//! threads; opening books; and randomness, so equal moves are considered in the order of the legal list.
//!
//! `stack` makes moves and counts turns; `scout` is the principal variation search with one score (two seats, paranoid,
//! best reply); `maxn` is the search with one score per seat; `root` has iterative deepening and reports; `ordering`,
//! `policy`, `table`, `reduction` and `score` contain what their names say. `docs/agents/alphabeta.md` has references and
//! measurements.

mod maxn;
mod ordering;
mod policy;
mod reduction;
mod root;
mod score;
mod scout;
mod stack;
mod table;
#[cfg(test)]
mod tests;

use std::time::Instant;

use game::{Evaluator, Game, LineEvaluator};

use self::{
    maxn::MaxN,
    ordering::History,
    policy::MovePolicy,
    root::{Deepen, RootMoves},
    score::{Score, Scores},
    scout::Scout,
    stack::{Budget, Frame, SearchStack},
    table::Table,
};
use crate::{Agent, Limits, Report, Stop};

/// How the opponents are assumed to play. With two seats all rules are equivalent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Rule {
    /// Paranoid: all opponents form a coalition against the mover of the root.
    #[default]
    Paranoid,
    /// Max-n: every seat maximises its own value.
    MaxN,
    /// Best-reply search: between two turns of the root's mover, the opponent with the strongest reply plays it, and
    /// the others play their best moves by a one-ply search.
    Brs,
}

/// Settings of [`AlphaBeta`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AlphaBetaOptions {
    /// The maximum depth in turns, including the current one, or `None` for no limit but the budget.
    pub depth: Option<u32>,
    /// How the opponents are assumed to play.
    pub rule: Rule,
    /// The maximum size of the transposition table. Searches with a small budget use a smaller one.
    pub megabytes: usize,
    /// Whether to reuse the transposition table and the move ordering statistics in later decisions; otherwise every
    /// decision starts from scratch.
    pub reuse: bool,
    /// Whether to use late move reductions, and futility pruning in the last turn. Without them, a completed depth has
    /// the exact value of its rule.
    pub reductions: bool,
}

impl Default for AlphaBetaOptions {
    fn default() -> Self {
        Self { depth: None, rule: Rule::Paranoid, megabytes: 16, reuse: true, reductions: true }
    }
}

/// Techniques that can be switched off, which tests do to compare results.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent switches")]
struct Techniques {
    table: bool,
    scouts: bool,
    aspiration: bool,
    reductions: bool,
}

/// Iterative-deepening alpha-beta search that counts depth in turns.
///
/// Each depth is searched with what the previous one found out. The transposition table is reused in later decisions,
/// so the later decisions of a turn are cheap. If the budget runs out during an iteration, the iteration counts only if
/// it has found a move better than the previous best one, with both searched to that depth.
///
/// With two seats it maximises half the difference between the mover's value and the opponent's, which is the value
/// itself in a zero-sum evaluation. Proven wins and losses outweigh any evaluation, and near wins outweigh distant
/// ones.
///
/// ```
/// use game::{FromScratch, Game, Values, toy::{Take, TakeMove, TakeRules}};
/// use search::{Agent, AlphaBeta, AlphaBetaOptions, Limits, Stop};
///
/// // Six tokens, at most three a turn, and one is already taken: one more leaves four, a lost pile.
/// let mut position = Take::new(&TakeRules { tokens: 6, most: 3, seats: 2 });
/// position.play(TakeMove::One)?;
/// let results = |position: &Take| position.outcome().map_or(Values::default(), |outcome| outcome.values());
/// let mut agent = AlphaBeta::new(FromScratch(results), AlphaBetaOptions::default());
/// let report = agent.think(&position, &Limits::nodes(1_000), &Stop::default());
/// assert_eq!(report.best, TakeMove::One);
/// assert!(report.candidates[0].solved);
/// # Ok::<(), game::toy::TakeFault>(())
/// ```
pub struct AlphaBeta<G: Game> {
    evaluator: Box<dyn LineEvaluator<G> + Send>,
    options: AlphaBetaOptions,
    techniques: Techniques,
    /// Created on first use; the number of seats determines which of the two tables is needed.
    scores: Option<Table<G::Move, Score>>,
    vectors: Option<Table<G::Move, Scores>>,
    history: History<G::Move>,
    policy: Option<MovePolicy<G>>,
}

impl<G: Game> AlphaBeta<G> {
    /// Creates an agent that evaluates leaves with `evaluator`.
    pub fn new(evaluator: impl LineEvaluator<G> + Send + 'static, options: AlphaBetaOptions) -> Self {
        let techniques =
            Techniques { table: true, scouts: true, aspiration: true, reductions: options.reductions };
        let evaluator = Box::new(evaluator);
        let history = History::new();
        Self { evaluator, options, techniques, scores: None, vectors: None, history, policy: None }
    }

    /// Orders moves by the policy of `evaluator` in positions with at least `turns` turns of depth left, instead of by the
    /// static evaluation after each move. Such a policy may cost as much as hundreds of nodes, so it pays only far from the
    /// leaves. Move ordering does not change the value of a depth without reductions.
    #[must_use]
    pub fn with_policy(self, evaluator: impl Evaluator<G> + Send + 'static, turns: u32) -> Self {
        Self { policy: Some(MovePolicy::new(Box::new(evaluator), turns)), ..self }
    }
}

impl<G: Game> Agent<G> for AlphaBeta<G> {
    /// Reports progress after every completed depth. A node is a position after a move that was not forced, whether it
    /// was searched or only evaluated for move ordering.
    fn think_with_progress(
        &mut self,
        root: &G,
        limits: &Limits,
        stop: &Stop,
        on_progress: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        let start = Instant::now();
        let frame = Frame::new(root.clone());
        assert!(!frame.moves.is_empty(), "the game is over: there is nothing to choose");
        let mut roots = RootMoves::new(&frame.moves);
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
            let (megabytes, nodes) = (self.options.megabytes, limits.nodes);
            Table::clear(&mut self.scores, megabytes, nodes);
            Table::clear(&mut self.vectors, megabytes, nodes);
            self.history.clear();
        }
        self.evaluator.reset(root);
        self.history.age();
        let stack = SearchStack {
            evaluator: &mut *self.evaluator,
            frames: vec![frame],
            history: &mut self.history,
            policy: self.policy.as_mut(),
            budget: Budget::new(limits.nodes, limits.time.map(|time| start + time), stop),
            one_reply: rule == Rule::Brs,
            horizon: 0,
            cycle: if rule == Rule::Brs { 2 } else { root.seats() as i32 },
            deepest: 0,
        };
        let (techniques, megabytes, nodes) = (self.techniques, self.options.megabytes, limits.nodes);
        let mut search: Box<dyn Deepen<G> + '_> = if rule == Rule::MaxN {
            let table = Table::prepare(&mut self.vectors, megabytes, nodes);
            Box::new(MaxN { stack, table, techniques })
        } else {
            let table = Table::prepare(&mut self.scores, megabytes, nodes);
            Box::new(Scout { stack, table, techniques })
        };
        let deepest = self.options.depth.unwrap_or(MAX_TURNS).min(MAX_TURNS);
        if search.evaluate_moves(&mut roots).is_some() {
            for turns in 1..=deepest {
                if roots.is_decided() || search.deepen(&mut roots, turns).is_none() {
                    break;
                }
                on_progress(&roots.report(engine, search.spent(), start));
            }
        }
        roots.report(engine, search.spent(), start)
    }
}

/// The depth of the last iteration, if nothing else ends the search.
const MAX_TURNS: u32 = 200;
