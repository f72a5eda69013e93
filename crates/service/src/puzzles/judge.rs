//! Whether moves solve a puzzle, and what the others reply.

use game::{Game, Notation, Setup as _};
use host::{HostedGame, view::View};
use ringrift::{Board, Geometry, Position, on_board};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    Puzzle, TooHard,
    proof::{Task, legal},
};
use crate::Refusal;

/// What a puzzle says to the moves tried so far.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub(crate) struct Attempt {
    /// Whether the goal is reached, or can no longer be missed.
    pub(crate) solved: bool,
    /// Whether the last move keeps the goal within reach.
    pub(crate) right: bool,
    /// The position: after the moves and replies, or before the last move if that was wrong.
    pub(crate) view: View,
    /// What to tell the solver.
    pub(crate) words: String,
}

/// The most moves that judging looks at. No puzzle of the set comes near it.
const BUDGET: u64 = 5_000_000;

/// Judges moves that were chosen in a puzzle. What leaves no choice is played in between, and so are the replies of the
/// others: those that delay the end longest.
///
/// # Errors
/// If a move is not legal, or there are more than it takes.
pub(crate) fn attempt(puzzle: &Puzzle, moves: &[String]) -> Result<Attempt, Refusal> {
    let board = puzzle.start.split_whitespace().next().unwrap_or_default();
    let board: Board = board.parse().map_err(Refusal::internal)?;
    on_board!(board, B => Solver::<B>::new(puzzle)?.attempt(moves))
}

struct Solver<'a, B: Geometry> {
    puzzle: &'a Puzzle,
    task: Task<B>,
    position: Position<B>,
    /// The same position, to be shown.
    shown: Box<dyn HostedGame>,
}

impl<'a, B: Geometry> Solver<'a, B> {
    fn new(puzzle: &'a Puzzle) -> Result<Self, Refusal> {
        let position = Position::<B>::from_text(&puzzle.start).map_err(Refusal::internal)?;
        let shown = host::open_position(&puzzle.start)?;
        Ok(Self { puzzle, task: Task::new(position, puzzle.goal, BUDGET), position, shown })
    }

    fn attempt(mut self, moves: &[String]) -> Result<Attempt, Refusal> {
        let mut solved = false;
        for text in moves {
            if solved {
                return Err(Refusal::conflict("the puzzle is solved already"));
            }
            let view = self.shown.view();
            self.play(text)?;
            if !self.task.can_force(&self.position)? {
                let words = self.puzzle.goal.missed().to_owned();
                return Ok(Attempt { solved: false, right: false, view, words });
            }
            solved = self.play_on()?;
        }
        let view = self.shown.view();
        let words = match &view.result {
            Some(result) if solved => format!("Solved. {}", result.words),
            _ if solved => "Solved.".to_owned(),
            _ => format!("Right so far. {}", view.prompt),
        };
        Ok(Attempt { solved, right: true, view, words })
    }

    fn play(&mut self, text: &str) -> Result<(), Refusal> {
        self.shown.play(text)?;
        let m = self.position.parse_move(text).map_err(Refusal::internal)?;
        self.position.play_unchecked(m, &mut ());
        Ok(())
    }

    /// Plays on until the solver can go wrong again. Tells whether that is never: the goal is reached, or every way leads
    /// there, which is then played to its end.
    fn play_on(&mut self) -> Result<bool, Refusal> {
        let solver = self.task.solver();
        let turn = self.position.turns();
        loop {
            if let Some(reached) = self.task.settled(&self.position) {
                self.finish_turn(turn)?;
                return Ok(reached);
            }
            let moves = legal(&self.position);
            let ours = self.position.to_move() == solver;
            if !ours && matches!(self.puzzle.goal, super::Goal::Hold) {
                return Ok(true);
            }
            let mut forcing = self.task.forcing(&self.position)?;
            if ours && forcing.len() < moves.len() {
                return Ok(false);
            }
            if !ours {
                let mut longest = (None, 0);
                for &m in &forcing {
                    let mut next = self.position;
                    next.play_unchecked(m, &mut ());
                    let length = self.task.length(&next)?;
                    if longest.0.is_none() || length > longest.1 {
                        longest = (Some(m), length);
                    }
                }
                forcing = longest.0.into_iter().collect();
            }
            let Some(&m) = forcing.first() else { return Ok(false) };
            let text = self.position.move_text(m);
            self.play(&text)?;
        }
    }

    /// Notes that end a turn in which the goal was reached, so that the board comes to rest.
    fn finish_turn(&mut self, turn: u32) -> Result<(), Refusal> {
        while self.position.turns() == turn {
            let Some(note) = self.shown.bookkeeping_move() else { return Ok(()) };
            self.play(&note)?;
        }
        Ok(())
    }
}

impl From<TooHard> for Refusal {
    fn from(error: TooHard) -> Self {
        Self::internal(error)
    }
}
