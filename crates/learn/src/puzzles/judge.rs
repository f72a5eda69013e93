//! Judges the moves of a solver, and chooses the replies.

use game::{Game, Notation, Setup as _};
use host::{HostedGame, view::View};
use record::Config;
use ringrift::{Geometry, Position, on_board};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    Goal, Puzzle,
    proof::{Task, legal},
};
use crate::LearnError;

/// The verdict on the moves of an attempt.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct Attempt {
    /// Whether the goal is reached or can no longer be missed.
    pub solved: bool,
    /// Whether the last move keeps the goal within reach.
    pub right: bool,
    /// The position after the moves and replies, or before the last move if that was wrong.
    pub view: View,
    /// The text for the solver.
    pub words: String,
}

/// The maximum number of moves that judging examines. No puzzle of the set comes near it.
const BUDGET: u64 = 5_000_000;

/// Judges the moves that a solver has chosen. Forced moves and the replies of opponents are played in between; opponents
/// choose the replies that delay the end longest.
///
/// # Errors
/// Returns an error if a move is illegal, or there are moves after the solution.
pub fn attempt(puzzle: &Puzzle, moves: &[String]) -> Result<Attempt, LearnError> {
    let Config::RingRift(config) = puzzle.config()? else { return Err(LearnError::NotRingRift) };
    on_board!(config.board, B => Solver::<B>::new(puzzle)?.attempt(moves))
}

struct Solver<'a, B: Geometry> {
    puzzle: &'a Puzzle,
    task: Task<B>,
    position: Position<B>,
    /// The same position as a hosted game, for views.
    game: Box<dyn HostedGame>,
}

impl<'a, B: Geometry> Solver<'a, B> {
    fn new(puzzle: &'a Puzzle) -> Result<Self, LearnError> {
        let game = host::open_position(&puzzle.start)?;
        let position =
            Position::<B>::from_text(&puzzle.start).expect("the game was opened from the same text");
        Ok(Self { puzzle, task: Task::new(position, puzzle.goal, BUDGET), position, game })
    }

    fn attempt(mut self, moves: &[String]) -> Result<Attempt, LearnError> {
        let mut solved = false;
        for text in moves {
            if solved {
                return Err(LearnError::Finished(
                    "the puzzle is already solved: start it again or choose another one",
                ));
            }
            let view = self.game.view();
            self.play(text)?;
            if !self.task.can_force(&self.position)? {
                let words = self.puzzle.goal.missed().to_owned();
                return Ok(Attempt { solved: false, right: false, view, words });
            }
            solved = self.advance()?;
        }
        let view = self.game.view();
        let words = match &view.result {
            Some(result) if solved => format!("Solved. {}", result.words),
            _ if solved => "Solved.".to_owned(),
            _ => format!("Correct so far. {}", view.prompt),
        };
        Ok(Attempt { solved, right: true, view, words })
    }

    fn play(&mut self, text: &str) -> Result<(), LearnError> {
        self.game.play(text)?;
        let m = self.position.parse_move(text).expect("the game has played the same text");
        self.position.play_unchecked(m, &mut ());
        Ok(())
    }

    /// Plays moves until the solver has a choice in which a move can miss the goal. Returns `true` if there is none: the goal
    /// is reached, or every line leads to it, in which case one is played to its end.
    fn advance(&mut self) -> Result<bool, LearnError> {
        let solver = self.task.solver();
        let turn = self.position.turns();
        loop {
            if let Some(reached) = self.task.settled(&self.position) {
                self.finish_turn(turn)?;
                return Ok(reached);
            }
            let moves = legal(&self.position);
            let ours = self.position.to_move() == solver;
            if !ours && matches!(self.puzzle.goal, Goal::Hold) {
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

    /// Plays the bookkeeping that ends a turn in which the goal was reached.
    fn finish_turn(&mut self, turn: u32) -> Result<(), LearnError> {
        while self.position.turns() == turn {
            let Some(text) = self.game.bookkeeping_move() else { return Ok(()) };
            self.play(&text)?;
        }
        Ok(())
    }
}
