//! The position: board, history, legal moves, and the implementation of [`Game`].

use std::sync::Arc;

use game::{Game, Observer, Outcome, Seat};

use crate::{
    Board, Colour, Illegal, Ko, Large, Move, Point, Points, Rules, Score, Scoring, Verdict, handicap,
    history::History,
    zobrist::{self, mix},
};

/// A position: the stones, the colour to move and the history.
///
/// `P` is the [set of points](Points) that represents the board, which limits its size. `Position` alone means
/// `Position<Large>` and works for all sizes; [`crate::Small`] and [`crate::Medium`] are faster where they fit.
///
/// Two positions are equal if the same moves led to them from the same start, because under a superko rule the future
/// depends on every earlier board. [`Position::situation_key`] ignores the history.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position<P = Large> {
    pub(crate) board: Board<P>,
    /// The points where stones of each colour were removed. Apart from suicide, only a stone on one of them can
    /// recreate an earlier board.
    vacated: [P; 2],
    history: History,
    /// The start of the game, if it is not a normal one.
    start: Option<Arc<Start<P>>>,
    rules: Rules,
    /// The number of stones captured so far, by their colour.
    prisoners: [u32; 2],
    /// The point where the simple ko rule forbids the next stone.
    ko: Option<Point>,
    to_move: Colour,
    /// The number of consecutive passes just played.
    passes: u8,
    /// The move number of the last pass, 0 if there was none.
    last_pass: u32,
    /// Whether a long cycle has ended the game.
    cycle: bool,
}

/// The start of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Start<P> {
    /// The stones on the board.
    pub board: Board<P>,
    /// The colour that moves first.
    pub to_move: Colour,
    /// The number of stones already captured, by their colour. They count under territory scoring.
    pub prisoners: [u32; 2],
}

/// A change of one point, as reported to an [`Observer`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// A stone was placed.
    Placed(Point, Colour),
    /// A stone was removed.
    Removed(Point, Colour),
}

/// An error for a start that is not valid.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadStart {
    /// The options are not valid.
    #[error("{}", .0.join("; "))]
    Rules(Vec<String>),
    /// The size of the board differs from the size in the rules.
    #[error("a {board}×{board} board: expected {rules}×{rules}, as in the rules")]
    Size {
        /// The size of the board.
        board: usize,
        /// The size in the rules.
        rules: usize,
    },
    /// A chain has no liberty.
    #[error("the stone on {0} has no liberty")]
    NoLiberty(Point),
}

impl<P: Points> Start<P> {
    /// The start of a normal game: an empty board, or fixed handicap stones.
    pub fn normal(rules: &Rules) -> Self {
        let size = rules.size as usize;
        let mut board = Board::new(size);
        let stones = handicap::fixed(size, rules.handicap.into());
        let to_move = if stones.is_some() { Colour::White } else { Colour::Black };
        board.add(P::of(stones.into_iter().flatten()), Colour::Black);
        Self { board, to_move, prisoners: [0; 2] }
    }
}

impl<P: Points> Position<P> {
    /// Returns the first position of a game that begins with stones on the board.
    ///
    /// # Errors
    /// Returns an error if the options are not valid, the size of the board differs from theirs, or a chain has no
    /// liberty.
    pub fn set_up(rules: &Rules, start: &Start<P>) -> Result<Self, BadStart> {
        let mut faults = rules.faults();
        if rules.size as usize > P::LARGEST && faults.is_empty() {
            faults.push(format!("board size {}: expected at most {}", rules.size, P::LARGEST));
        }
        if !faults.is_empty() {
            return Err(BadStart::Rules(faults));
        }
        let board = start.board;
        if board.size() != rules.size as usize {
            return Err(BadStart::Size { board: board.size(), rules: rules.size as usize });
        }
        for colour in Colour::BOTH {
            let mut without_liberty = board.chains(colour).filter(|&chain| board.liberties(chain).is_empty());
            if let Some(stone) = without_liberty.next().and_then(Points::first) {
                return Err(BadStart::NoLiberty(stone));
            }
        }
        let mut position = Self {
            board,
            vacated: [P::EMPTY; 2],
            history: History::new(0),
            start: (*start != Start::normal(rules)).then(|| Arc::new(*start)),
            rules: *rules,
            prisoners: start.prisoners,
            ko: None,
            to_move: start.to_move,
            passes: 0,
            last_pass: 0,
            cycle: false,
        };
        position.history = History::new(position.memory_key(position.board.key(), start.to_move));
        Ok(position)
    }

    /// The stones on the board.
    #[inline]
    pub fn board(&self) -> &Board<P> {
        &self.board
    }

    /// The options of this game.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The colour to move.
    #[inline]
    pub fn turn(&self) -> Colour {
        self.to_move
    }

    /// The number of consecutive passes just played, at most two.
    pub fn passes(&self) -> u8 {
        self.passes
    }

    /// The same board with `colour` to move.
    ///
    /// If it is the turn of the other colour, that colour is assumed to have passed. For the ko rules this is a pass, but it
    /// does not count towards the end of the game: [`Position::passes`] is 0. After a pass or the end of the game, the
    /// history restarts.
    ///
    /// ```
    /// use game::Game;
    /// use go::{Colour, Move, Position, Rules};
    /// let position = Position::<go::Large>::new(&Rules::new(9)).facing(Colour::White);
    /// assert_eq!((position.turn(), position.passes()), (Colour::White, 0));
    /// let mut passed = position.clone();
    /// passed.play(Move::PASS).unwrap();
    /// assert!(!passed.is_over(), "only White has passed");
    /// ```
    #[must_use]
    pub fn facing(mut self, colour: Colour) -> Self {
        if !self.is_over() && self.to_move == colour {
            return self;
        }
        if self.is_over() || self.passes > 0 {
            return self.without_history(colour);
        }
        self.play_unchecked(Move::PASS, &mut ());
        self.passes = 0;
        self
    }

    /// Plays a move of either colour and returns the resulting position. Out of turn, the other colour is assumed to have
    /// passed, as in [`Position::facing`]. A pass after the end of the game changes nothing.
    ///
    /// # Errors
    /// Returns the rule that forbids the move.
    pub fn after_move_of(
        self,
        colour: Colour,
        m: Move,
        observer: &mut impl Observer<Self>,
    ) -> Result<Self, Illegal> {
        if self.is_over() && m == Move::PASS {
            return Ok(self);
        }
        // As text, a pass that was only assumed and a pass that was played would end the game, so the history restarts.
        let out_of_turn = self.to_move != colour;
        let mut next =
            if out_of_turn && m == Move::PASS { self.without_history(colour) } else { self.facing(colour) };
        next.check(m)?;
        next.play_unchecked(m, observer);
        Ok(next)
    }

    /// The same board with `colour` to move, without any history.
    pub(crate) fn without_history(&self, colour: Colour) -> Self {
        let start = Start { board: self.board, to_move: colour, prisoners: self.prisoners };
        Self::set_up(&self.rules, &start).expect("a board that was played on is valid")
    }

    /// The number of stones captured so far, by their colour.
    pub fn prisoners(&self) -> [u32; 2] {
        self.prisoners
    }

    /// The point where the simple ko rule forbids the next stone; always `None` under the superko rules.
    pub fn ko_point(&self) -> Option<Point> {
        self.ko
    }

    /// The point where a ko may not be retaken now, under any ko rule: a stone there would capture the stone just
    /// played, which has just captured a single stone there.
    pub fn banned_ko(&self) -> Option<Point> {
        if self.ko.is_some() {
            return self.ko;
        }
        let last = P::only(self.last_move()?.point()?);
        let liberties = self.board.liberties(last);
        let point = liberties.first().filter(|_| liberties.len() == 1)?;
        let is_ko = self.board.captures(point, self.to_move) == last;
        (is_ko && !self.is_legal(Move::at(point))).then_some(point)
    }

    /// The start of the game.
    pub fn start(&self) -> Start<P> {
        self.start.as_ref().map_or_else(|| Start::normal(&self.rules), |start| **start)
    }

    /// The moves since the start.
    pub fn moves(&self) -> Vec<Move> {
        self.history.moves()
    }

    /// The last move, if there was one since the start.
    pub fn last_move(&self) -> Option<Move> {
        self.history.last()
    }

    /// The number of moves since the start.
    pub fn moves_played(&self) -> u32 {
        self.history.moves_played()
    }

    /// Whether a long cycle under the simple ko rule has ended the game without a result.
    pub fn ended_by_cycle(&self) -> bool {
        self.cycle
    }

    /// The score of the current board after removing dead stones.
    pub fn score(&self, verdict: &Verdict<P>) -> Score {
        match self.rules.scoring {
            Scoring::Area => self.board.area_score(verdict, self.rules.komi),
            Scoring::Territory => self.board.territory_score(verdict, self.prisoners, self.rules.komi),
        }
    }

    /// A key of the stones, the colour to move, the passes and the ko point, without the history.
    ///
    /// It suits caches that may treat positions as equal if they differ only in what superko forbids later.
    pub fn situation_key(&self) -> u64 {
        let ko = self.ko.map_or(0, |point| point.index() as u64 + 1);
        let mover = if self.to_move == Colour::White { zobrist::WHITE_TO_MOVE } else { 0 };
        self.board.key() ^ mover ^ mix(ko << 8 | u64::from(self.passes) << 1 | u64::from(self.cycle))
    }

    /// The key that the history stores for a board: that of the stones, combined with the colour to move unless the
    /// rule is [`Ko::Positional`].
    #[inline]
    pub(crate) fn memory_key(&self, board: u64, next: Colour) -> u64 {
        if self.rules.ko == Ko::Positional || next == Colour::Black {
            board
        } else {
            board ^ zobrist::WHITE_TO_MOVE
        }
    }

    /// If the ko rule forbids a stone here because it would recreate an earlier board, the number of the move that led
    /// to that board. `captured` are the stones that it captures. Whether suicide is forbidden is not checked here.
    #[inline]
    pub(crate) fn forbidden_repetition(&self, point: Point, captured: P) -> Option<u32> {
        let colour = self.to_move;
        let is_suicide =
            self.rules.suicide && captured.is_empty() && self.board.has_no_liberty_at(point, colour);
        let earlier = if is_suicide {
            let mut board = self.board;
            board.add(P::only(point), colour);
            board.suicide(point);
            self.history.find(self.memory_key(board.key(), colour.other()))
        } else if self.vacated[colour.index()].has(point) {
            let key = self.board.key()
                ^ zobrist::stone(point, colour)
                ^ crate::board::key_of(captured, colour.other());
            self.history.find(self.memory_key(key, colour.other()))
        } else {
            // An earlier board with this stone is impossible: the stone is absent now and was never removed.
            None
        };
        earlier.filter(|&earlier| self.rules.ko != Ko::Simple || self.last_pass > earlier)
    }

    /// The points where the colour to move may play.
    pub fn legal_points(&self) -> P {
        if self.is_over() {
            return P::EMPTY;
        }
        let (board, colour) = (&self.board, self.to_move);
        let empty = board.empty();
        // A stone has a liberty next to an empty point, next to an own chain with another liberty, or by capturing.
        let closed = empty.without(empty.around());
        let vacated = self.vacated[colour.index()] & empty;
        let weak = board.in_atari(colour.other(), closed | vacated);
        let mut legal = empty;
        if !self.rules.suicide && !closed.is_empty() {
            let strong = board.stones(colour).without(board.in_atari(colour, closed));
            legal = empty & (empty | strong | weak).around();
        }
        if let Some(ko) = self.ko {
            legal = legal.without(P::only(ko));
        }
        let suicides = if self.rules.suicide { closed } else { P::EMPTY };
        let doubtful = legal & (vacated | suicides);
        for point in doubtful.iter() {
            let captured = (P::only(point).around() & weak).flood(weak);
            if self.forbidden_repetition(point, captured).is_some() {
                legal = legal.without(P::only(point));
            }
        }
        legal
    }

    fn play_stone(&mut self, point: Point, observer: &mut impl Observer<Self>) {
        let colour = self.to_move;
        let enemy = colour.other();
        let captured = self.board.place(point, colour);
        observer.changed(Change::Placed(point, colour));
        self.capture_stones(captured, enemy, observer);
        let mut suicide = P::EMPTY;
        if captured.is_empty() {
            suicide = self.board.suicide(point);
            self.capture_stones(suicide, colour, observer);
        }
        (self.ko, self.passes, self.to_move) = (None, 0, enemy);
        let memory = self.memory_key(self.board.key(), enemy);
        if self.rules.ko == Ko::Simple {
            let stone = P::only(point);
            let alone = (stone.around() & self.board.stones(colour)).is_empty();
            if captured.len() == 1 && alone && self.board.liberties(stone) == captured {
                self.ko = captured.first();
            }
            let may_repeat = self.vacated[colour.index()].has(point) || !suicide.is_empty();
            self.cycle = may_repeat && self.history.find(memory).is_some();
        }
        self.history.push(Move::at(point), memory);
    }

    fn capture_stones(&mut self, stones: P, colour: Colour, observer: &mut impl Observer<Self>) {
        if stones.is_empty() {
            return;
        }
        self.prisoners[colour.index()] += stones.len();
        self.vacated[colour.index()] = self.vacated[colour.index()] | stones;
        for point in stones.iter() {
            observer.changed(Change::Removed(point, colour));
        }
    }

    fn key_with(&self, board: u64, history: u64) -> u64 {
        let situation = self.situation_key() ^ self.board.key() ^ board;
        let rules = [
            u64::from(self.rules.size),
            self.rules.komi.half_points() as u64 & 0xffff,
            self.rules.ko as u64,
            u64::from(self.rules.suicide),
            self.rules.scoring as u64,
        ];
        let rules = rules.into_iter().fold(0, |all, field| mix(all ^ field));
        let prisoners = u64::from(self.prisoners[0]) << 32 | u64::from(self.prisoners[1]);
        situation ^ mix(history) ^ rules ^ mix(!prisoners)
    }
}

impl<P: Points> Game for Position<P> {
    type Config = Rules;
    type Move = Move;
    type Change = Change;
    type Illegal = Illegal;

    /// # Panics
    /// If the options have [faults](Rules::faults), or the board is too large for `P`.
    fn new(rules: &Rules) -> Self {
        match rules.faults().first() {
            Some(fault) => panic!("{fault}"),
            None => Self::set_up(rules, &Start::normal(rules)).expect("a normal start is valid"),
        }
    }

    fn config(&self) -> Rules {
        self.rules
    }

    fn seats(&self) -> usize {
        2
    }

    #[inline]
    fn to_move(&self) -> Seat {
        self.to_move.seat()
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.cycle {
            return Some(Outcome::draw(2));
        }
        (self.passes >= 2).then(|| self.score(&Verdict::AS_IT_STANDS).outcome())
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        moves.clear();
        if self.is_over() {
            return;
        }
        moves.extend(self.legal_points().iter().map(Move::at));
        moves.push(Move::PASS);
    }

    fn check(&self, m: Move) -> Result<(), Illegal> {
        self.refusal(m).map_or(Ok(()), Err)
    }

    fn play_unchecked(&mut self, m: Move, observer: &mut impl Observer<Self>) {
        match m.point() {
            Some(point) if self.board.empty().has(point) => self.play_stone(point, observer),
            _ => {
                self.passes = (self.passes + 1).min(2);
                self.ko = None;
                self.to_move = self.to_move.other();
                self.history.push(Move::PASS, self.memory_key(self.board.key(), self.to_move));
                self.last_pass = self.history.moves_played();
            }
        }
    }

    fn key(&self) -> u64 {
        self.key_with(self.board.key(), self.history.sum())
    }

    fn key_from_scratch(&self) -> u64 {
        self.key_with(self.board.key_from_scratch(), self.history.sum_from_scratch())
    }

    /// Overridden because [`Game::outcome`] would compute the score.
    #[inline]
    fn is_over(&self) -> bool {
        self.passes >= 2 || self.cycle
    }
}
