//! The interface specific to Go, which the Go Text Protocol needs: moves of either colour at any time, changes of komi and
//! handicap, and the status of chains.

use std::sync::Arc;

use game::{Game, Notation, Seat};
use go::{
    BadStart, Board, Change, Colour, Illegal, Komi, Move, Point, Points, Position, Rules, Score, Start,
    sgf::GameTree,
};
use search::{Limits, Report, Restriction, Stop};

use super::{ChainStatus, Estimate, Forecast, decide, verdict, words};
use crate::{Ply, hostable::Hostable, typed::Typed};

/// A hosted game of Go on a board of any size.
pub trait GoGame: Send {
    /// The rules of the game.
    fn rules(&self) -> Rules;

    /// The colour to move.
    fn turn(&self) -> Colour;

    /// Whether both colours have passed, or the position repeats.
    fn is_over(&self) -> bool;

    /// The number of empty points.
    fn empty_points(&self) -> u32;

    /// Whether there are no moves and no stones.
    fn is_untouched(&self) -> bool;

    /// Plays a move of either colour. Out of turn, the other colour is assumed to have passed, which does not count towards
    /// the end of the game. A pass after the end changes nothing.
    ///
    /// # Errors
    /// Returns the rule that forbids the move.
    fn play_as(&mut self, colour: Colour, m: Move) -> Result<(), Illegal>;

    /// Changes the komi of the game.
    fn set_komi(&mut self, komi: Komi);

    /// Changes the rules of the game, except its size and handicap. If a move would be illegal by the new rules, the game
    /// continues from the current board without its history.
    fn set_rules(&mut self, rules: Rules);

    /// Places black handicap stones, with White to move. Returns `false` if the resulting board is invalid. The number is a
    /// rule of the game from then on, if there is a fixed handicap of as many stones.
    fn place_handicap(&mut self, stones: &[Point]) -> bool;

    /// Replaces the game by one that starts from these stones.
    ///
    /// # Errors
    /// Returns an error if a chain has no liberty.
    fn set_up(&mut self, black: &[Point], white: &[Point], to_move: Colour) -> Result<(), BadStart>;

    /// The points where the colour to move may play.
    fn legal_points(&self) -> Vec<Point>;

    /// A drawing of the board with coordinates.
    fn draw(&self) -> String;

    /// The number of captured stones of each colour.
    fn prisoners(&self) -> [u32; 2];

    /// The stones of a colour.
    fn stones(&self, colour: Colour) -> Vec<Point>;

    /// The game as SGF.
    fn sgf(&self) -> GameTree;

    /// The score after removing the stones estimated to be dead.
    fn estimated_score(&self, estimate: &mut Estimate<'_>) -> Score;

    /// The chains with an estimated status.
    fn chains(&self, status: ChainStatus, estimate: &mut Estimate<'_>) -> Vec<Vec<Point>>;

    /// The status of a point at the end of the game: `alive`, `dead` or `seki` for stones, otherwise `black_territory`,
    /// `white_territory` or `dame`.
    fn status(&self, point: Point, estimate: &mut Estimate<'_>) -> &'static str;

    /// How the game may end after `line`, with `colour` to move first, from playouts.
    fn forecast(&self, colour: Colour, line: &[Move], estimate: &mut Estimate<'_>) -> Forecast;

    /// Restricts the moves of later searches of the agent of `colour`. Returns whether the agent can.
    fn restrict(&mut self, colour: Colour, restrictions: &[Restriction<Move>]) -> bool;

    /// Lets the agent of `colour` think as if that colour were to move. Returns `None` if there is no agent.
    fn think_as(
        &mut self,
        colour: Colour,
        limits: &Limits,
        stop: &Stop,
        progress: &mut dyn FnMut(&Report<Move>),
    ) -> Option<Report<Move>>;

    /// The move to play after an agent's report. It may differ from the agent's best move, to pass or to avoid a pointless
    /// move. During `cleanup`, dead stones of the opponent are captured before passing.
    fn decide(
        &self,
        colour: Colour,
        report: &Report<Move>,
        cleanup: bool,
        estimate: &mut Estimate<'_>,
    ) -> Move;
}

/// Plays a legal move of either colour.
pub(super) fn advance<P: Points>(
    position: &mut Position<P>,
    colour: Colour,
    m: Move,
    changes: &mut Vec<Change>,
) {
    let next = position.clone().after_move_of(colour, m, changes);
    *position = next.expect("the move was checked before it was stored");
}

impl<P: Points> Typed<Position<P>> {
    /// Replaces the start and replays the moves, which stay legal.
    fn restart(&mut self, start: Position<P>) {
        self.start = start;
        self.rewind(self.moves.len());
        self.settle();
        self.restart_agents();
    }
}

impl<P: Points> GoGame for Typed<Position<P>> {
    fn rules(&self) -> Rules {
        *self.position.rules()
    }

    fn turn(&self) -> Colour {
        self.position.turn()
    }

    fn is_over(&self) -> bool {
        self.position.is_over()
    }

    fn empty_points(&self) -> u32 {
        self.position.board().empty().len()
    }

    fn is_untouched(&self) -> bool {
        let board = self.position.board();
        self.moves.is_empty() && board.empty() == board.points()
    }

    fn play_as(&mut self, colour: Colour, m: Move) -> Result<(), Illegal> {
        self.position.clone().after_move_of(colour, m, &mut ())?;
        let from = self.position.clone().facing(colour);
        let ply = Ply {
            seat: colour.seat().number(),
            turn: from.turn_number(),
            text: from.move_text(m),
            words: words::describe_move(&from, m),
            auto: false,
            human: self.occupant(colour.seat()).is_some_and(crate::Occupant::is_human),
            values: None,
            nodes: None,
            time_ms: None,
        };
        self.push(colour.seat(), m, ply);
        self.settle();
        Ok(())
    }

    fn set_komi(&mut self, komi: Komi) {
        let rules = Rules { komi, ..*self.position.rules() };
        let start = Position::set_up(&rules, &self.start.start());
        self.restart(start.expect("the game began so, and komi changes no stone"));
    }

    fn set_rules(&mut self, rules: Rules) {
        let Rules { size, handicap, .. } = *self.position.rules();
        let rules = Rules { size, handicap, ..rules };
        let start = Position::set_up(&rules, &self.start.start()).expect("the game began so");
        let replay = |from: Position<P>, &(seat, m): &(Seat, Move)| {
            from.after_move_of(super::colour(seat), m, &mut ())
        };
        if self.moves.iter().try_fold(start.clone(), replay).is_ok() {
            self.restart(start);
            return;
        }
        let now = Start {
            board: *self.position.board(),
            to_move: self.position.turn(),
            prisoners: self.position.prisoners(),
        };
        self.rewind(0);
        self.restart(Position::set_up(&rules, &now).expect("a board that was played on is valid"));
    }

    fn place_handicap(&mut self, stones: &[Point]) -> bool {
        let mut start = Start { to_move: Colour::White, ..self.start.start() };
        start.board.add(P::of(stones.iter().copied()), Colour::Black);
        let mut rules = *self.position.rules();
        let number = u8::try_from(stones.len()).unwrap_or(0);
        let counts = go::handicap::fixed(rules.size.into(), number.into()).is_some();
        rules.handicap = if counts { number } else { 0 };
        Position::set_up(&rules, &start).map(|start| self.restart(start)).is_ok()
    }

    fn set_up(&mut self, black: &[Point], white: &[Point], to_move: Colour) -> Result<(), BadStart> {
        let rules = Rules { handicap: 0, ..*self.position.rules() };
        let mut board = Board::new(rules.size.into());
        let black = P::of(black.iter().copied());
        board.add(black, Colour::Black);
        board.add(P::of(white.iter().copied()).without(black), Colour::White);
        let start = Position::set_up(&rules, &Start { board, to_move, prisoners: [0; 2] })?;
        self.rewind(0);
        self.restart(start);
        Ok(())
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

    fn stones(&self, colour: Colour) -> Vec<Point> {
        self.position.board().stones(colour).iter().collect()
    }

    fn sgf(&self) -> GameTree {
        GameTree::of_position(&self.position)
    }

    fn estimated_score(&self, estimate: &mut Estimate<'_>) -> Score {
        self.position.score(&estimate.of(&self.position))
    }

    fn chains(&self, status: ChainStatus, estimate: &mut Estimate<'_>) -> Vec<Vec<Point>> {
        let board = self.position.board();
        let verdict = estimate.of(&self.position);
        let wanted = |chain: &P| {
            let among = |set: P| !(*chain & set).is_empty();
            match status {
                ChainStatus::Dead => among(verdict.dead),
                ChainStatus::Seki => among(verdict.seki),
                ChainStatus::Alive => !among(verdict.dead | verdict.seki),
            }
        };
        let chains = Colour::BOTH.into_iter().flat_map(|colour| board.chains(colour));
        chains.filter(wanted).map(|chain| chain.iter().collect()).collect()
    }

    fn status(&self, point: Point, estimate: &mut Estimate<'_>) -> &'static str {
        verdict::status(&self.position, point, &estimate.of(&self.position))
    }

    fn forecast(&self, colour: Colour, line: &[Move], estimate: &mut Estimate<'_>) -> Forecast {
        Forecast::of(self.position.clone().facing(colour), line, estimate)
    }

    fn restrict(&mut self, colour: Colour, restrictions: &[Restriction<Move>]) -> bool {
        let Some((player, slot, seeds)) = self.agent_in(colour.seat()) else { return false };
        let slot = Arc::clone(slot);
        slot.with_agent(player, seeds, |agent| agent.restrict(restrictions))
    }

    fn think_as(
        &mut self,
        colour: Colour,
        limits: &Limits,
        stop: &Stop,
        progress: &mut dyn FnMut(&Report<Move>),
    ) -> Option<Report<Move>> {
        let (player, slot, seeds) = self.agent_in(colour.seat())?;
        let (slot, root) = (Arc::clone(slot), self.position.clone().facing(colour));
        Some(slot.with_agent(player, seeds, |agent| agent.think_with_progress(&root, limits, stop, progress)))
    }

    fn decide(
        &self,
        colour: Colour,
        report: &Report<Move>,
        cleanup: bool,
        estimate: &mut Estimate<'_>,
    ) -> Move {
        decide::decide(&self.position.clone().facing(colour), report, cleanup, estimate)
    }
}
