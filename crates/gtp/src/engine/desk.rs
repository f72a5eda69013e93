//! The game on the engine's desk, whatever the size of its board.

use game::Game;
use go::{
    Colour, Illegal, Komi, Large, Medium, Move, Point, Points, Position, Rules, Score, Small, Start,
    sgf::{GameTree, NodeId, SgfError},
};
use search::{Agent, Limits, Report, Stop};

use super::{Estimate, Roster, choice};

/// What the engine does with a game. The type of the board's sets is hidden behind it.
pub(super) trait Desk<R>: Send {
    fn turn(&self) -> Colour;
    fn is_over(&self) -> bool;
    /// Empty points.
    fn open(&self) -> u32;
    /// Nothing was played and nothing stands on the board.
    fn is_untouched(&self) -> bool;
    fn play(&mut self, colour: Colour, m: Move) -> Result<(), Illegal>;
    /// Takes the last move back, unless there is none.
    fn undo(&mut self) -> bool;
    fn set_komi(&mut self, komi: Komi);
    /// Black stones on the empty board, White to move; `false` if the board cannot be so.
    fn place_handicap(&mut self, stones: &[Point]) -> bool;
    /// What the agent finds if this colour is to move.
    fn think(
        &mut self,
        colour: Colour,
        limits: &Limits,
        stop: &Stop,
        tell: &mut dyn FnMut(&Report<Move>),
    ) -> Report<Move>;
    /// The limits that the agent has set itself.
    fn limits(&self) -> Limits;
    /// The move to play after this report, which may be another than the agent's.
    fn decide(
        &self,
        colour: Colour,
        report: &Report<Move>,
        cleanup: bool,
        estimate: &mut Estimate<'_>,
    ) -> Move;
    fn score(&self, estimate: &mut Estimate<'_>) -> Score;
    fn status(&self, status: Status, estimate: &mut Estimate<'_>) -> Vec<Vec<Point>>;
    fn legal_points(&self) -> Vec<Point>;
    fn draw(&self) -> String;
    fn prisoners(&self) -> [u32; 2];
    fn record(&self) -> GameTree;
    /// Seats the agent that the roster has now, in the same game.
    fn reseat(&mut self, roster: &mut R) -> Result<(), String>;
}

/// What can be said of a stone at the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Status {
    Alive,
    Dead,
    Seki,
}

/// A new game under these rules.
pub(super) fn lay<R: Roster>(rules: Rules, roster: &mut R) -> Result<Box<dyn Desk<R>>, String> {
    match rules.size {
        ..=7 => Ok(Box::new(Laid::<Small>::new(rules, roster)?)),
        8..=10 => Ok(Box::new(Laid::<Medium>::new(rules, roster)?)),
        _ => Ok(Box::new(Laid::<Large>::new(rules, roster)?)),
    }
}

/// The game of a record after one of its nodes.
pub(super) fn lay_record<R: Roster>(
    tree: &GameTree,
    node: NodeId,
    roster: &mut R,
) -> Result<Box<dyn Desk<R>>, String> {
    fn laid<P: Points, R: Roster>(tree: &GameTree, node: NodeId, roster: &mut R) -> Result<Laid<P>, String> {
        let position = tree.position::<P>(node).map_err(|error: SgfError| error.to_string())?;
        let (agent, limits) = roster.agent(&position)?;
        let start = position.start();
        let colours = std::iter::successors(Some(start.to_move), |colour| Some(colour.other()));
        let moves = colours.zip(position.moves()).collect();
        Ok(Laid { rules: *position.rules(), start, moves, position, agent, limits })
    }
    match tree.rules.size {
        ..=7 => Ok(Box::new(laid::<Small, R>(tree, node, roster)?)),
        8..=10 => Ok(Box::new(laid::<Medium, R>(tree, node, roster)?)),
        _ => Ok(Box::new(laid::<Large, R>(tree, node, roster)?)),
    }
}

/// A game on a board whose sets of points are `P`.
struct Laid<P: Points> {
    rules: Rules,
    start: Start<P>,
    /// Everything played, by whom: colours need not alternate here.
    moves: Vec<(Colour, Move)>,
    position: Position<P>,
    agent: Box<dyn Agent<Position<P>>>,
    limits: Limits,
}

impl<P: Points> Laid<P> {
    fn new<R: Roster>(rules: Rules, roster: &mut R) -> Result<Self, String> {
        let position = Position::new(&rules);
        let (agent, limits) = roster.agent(&position)?;
        Ok(Self { rules, start: position.start(), moves: Vec::new(), position, agent, limits })
    }

    /// The position that the moves lead to. They were legal once, and komi changes nothing.
    fn replayed(&self) -> Position<P> {
        let begun = Position::set_up(&self.rules, &self.start).expect("the game began so");
        self.moves.iter().fold(begun, |position, &(colour, m)| {
            advanced(position, colour, m).expect("the same moves were legal before")
        })
    }

    /// The position with this colour to move.
    fn facing(&self, colour: Colour) -> Position<P> {
        facing(self.position.clone(), colour)
    }
}

/// The same board with this colour to move: the other passes. Where that would end the game, or it has ended, the
/// history begins anew.
fn facing<P: Points>(mut position: Position<P>, colour: Colour) -> Position<P> {
    if !position.is_over() && position.turn() == colour {
        return position;
    }
    if !position.is_over() && position.passes() == 0 {
        position.play_unchecked(Move::PASS, &mut ());
        return position;
    }
    let start = Start { board: *position.board(), to_move: colour, prisoners: position.prisoners() };
    Position::set_up(position.rules(), &start).expect("a board that was played on is sound")
}

/// The position after a move of any colour.
fn advanced<P: Points>(position: Position<P>, colour: Colour, m: Move) -> Result<Position<P>, Illegal> {
    if position.is_over() && m == Move::PASS {
        return Ok(position);
    }
    let mut position = facing(position, colour);
    position.play(m)?;
    Ok(position)
}

impl<P: Points, R: Roster> Desk<R> for Laid<P> {
    fn turn(&self) -> Colour {
        self.position.turn()
    }

    fn is_over(&self) -> bool {
        self.position.is_over()
    }

    fn open(&self) -> u32 {
        self.position.board().empty().len()
    }

    fn is_untouched(&self) -> bool {
        self.moves.is_empty() && self.position.board().empty() == self.position.board().points()
    }

    fn play(&mut self, colour: Colour, m: Move) -> Result<(), Illegal> {
        self.position = advanced(self.position.clone(), colour, m)?;
        self.moves.push((colour, m));
        Ok(())
    }

    fn undo(&mut self) -> bool {
        let had = self.moves.pop().is_some();
        if had {
            self.position = self.replayed();
        }
        had
    }

    fn set_komi(&mut self, komi: Komi) {
        self.rules.komi = komi;
        self.position = self.replayed();
    }

    fn place_handicap(&mut self, stones: &[Point]) -> bool {
        let mut start = Start { to_move: Colour::White, ..self.start };
        start.board.add(P::of(stones.iter().copied()), Colour::Black);
        match Position::set_up(&self.rules, &start) {
            Ok(position) => {
                (self.start, self.position) = (start, position);
                true
            }
            Err(_) => false,
        }
    }

    fn think(
        &mut self,
        colour: Colour,
        limits: &Limits,
        stop: &Stop,
        tell: &mut dyn FnMut(&Report<Move>),
    ) -> Report<Move> {
        let root = self.facing(colour);
        self.agent.think_aloud(&root, limits, stop, tell)
    }

    fn limits(&self) -> Limits {
        self.limits
    }

    fn decide(
        &self,
        colour: Colour,
        report: &Report<Move>,
        cleanup: bool,
        estimate: &mut Estimate<'_>,
    ) -> Move {
        choice::decide(&self.facing(colour), report, cleanup, estimate)
    }

    fn score(&self, estimate: &mut Estimate<'_>) -> Score {
        self.position.score(&estimate.of(&self.position))
    }

    fn status(&self, status: Status, estimate: &mut Estimate<'_>) -> Vec<Vec<Point>> {
        let board = self.position.board();
        let verdict = estimate.of(&self.position);
        let wanted = |chain: &P| {
            let among = |set: P| !(*chain & set).is_empty();
            match status {
                Status::Dead => among(verdict.dead),
                Status::Seki => among(verdict.seki),
                Status::Alive => !among(verdict.dead | verdict.seki),
            }
        };
        let chains = Colour::BOTH.into_iter().flat_map(|colour| board.chains(colour));
        chains.filter(wanted).map(|chain| chain.iter().collect()).collect()
    }

    fn legal_points(&self) -> Vec<Point> {
        self.position.legal_points().iter().collect()
    }

    fn draw(&self) -> String {
        self.position.draw()
    }

    fn prisoners(&self) -> [u32; 2] {
        self.position.prisoners()
    }

    fn record(&self) -> GameTree {
        GameTree::of_position(&self.position)
    }

    fn reseat(&mut self, roster: &mut R) -> Result<(), String> {
        (self.agent, self.limits) = roster.agent(&self.position)?;
        Ok(())
    }
}
