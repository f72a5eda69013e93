//! Alpha-beta and its relatives for three and four seats.

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
    /// The size of the transposition table.
    pub megabytes: usize,
    /// Whether late moves are searched less deep. Without it a finished depth has the exact minimax value.
    pub reductions: bool,
}

impl Default for AlphaBetaOptions {
    fn default() -> Self {
        Self { depth: None, rule: Rule::Paranoid, megabytes: 16, reductions: true }
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

/// The agent.
pub struct AlphaBeta<G: Game, F> {
    evaluator: F,
    options: AlphaBetaOptions,
    techniques: Techniques,
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
        let (techniques, megabytes) = (self.techniques, self.options.megabytes);
        let mut search: Box<dyn Deepen<G> + '_> = if rule == Rule::MaxN {
            let table = self.vectors.get_or_insert_with(|| Table::new(megabytes));
            table.grow_old();
            Box::new(MaxN { walk, table, techniques })
        } else {
            let table = self.scores.get_or_insert_with(|| Table::new(megabytes));
            table.grow_old();
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
