//! The position, and how a move changes it.

use std::sync::Arc;

use game::{Game, Observer, Outcome, Seat};

use crate::{
    Board, Colour, Illegal, Ko, Large, Move, Point, Points, Rules, Score, Scoring, Verdict, handicap,
    history::History,
    zobrist::{self, mix},
};

/// A position: stones, whose turn it is, and what may not be repeated.
///
/// `P` is the kind of [set of points](Points) it is made of, which limits the size of the board: `Position` alone
/// means `Position<Large>` and serves all sizes; [`crate::Small`] and [`crate::Medium`] are faster where they fit.
///
/// Two positions are equal if the same moves led to them from the same start: under a superko rule the future
/// depends on every board that has been. [`Position::situation_key`] looks at the board alone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position<P = Large> {
    pub(crate) board: Board<P>,
    /// Where stones of each colour were taken off: only there can a stone recreate an earlier board.
    vacated: [P; 2],
    history: History,
    /// What the history begins with, if that is not the start of a normal game.
    start: Option<Arc<Start<P>>>,
    rules: Rules,
    /// Stones taken so far, by their colour.
    prisoners: [u32; 2],
    /// Where the simple ko rule forbids the next stone.
    ko: Option<Point>,
    to_move: Colour,
    /// Passes in a row just played.
    passes: u8,
    /// The number of the last move that was a pass, 0 if none was.
    last_pass: u32,
    /// A long cycle has ended the game.
    cycle: bool,
}

/// Where a game begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Start<P> {
    /// The stones.
    pub board: Board<P>,
    /// Who moves first.
    pub to_move: Colour,
    /// Stones already taken, by their colour; they count with territory scoring.
    pub prisoners: [u32; 2],
}

/// One elementary change of the board, as reported to an [`Observer`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// A stone was put here.
    Placed(Point, Colour),
    /// A stone was taken off here.
    Removed(Point, Colour),
}

/// What is wrong with a set-up.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadStart {
    /// The options make no game.
    #[error("{}", .0.join("; "))]
    Rules(Vec<String>),
    /// The board has another size than the rules say.
    #[error("a board of {board} lines under rules for {rules}")]
    Size {
        /// Lines of the board.
        board: usize,
        /// Lines that the rules name.
        rules: usize,
    },
    /// A chain has no liberty.
    #[error("the stone on {0} has no liberty")]
    Smothered(Point),
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
    /// A game that begins with stones on the board.
    ///
    /// # Errors
    /// If the options make no game, or a chain has no liberty.
    pub fn set_up(rules: &Rules, start: &Start<P>) -> Result<Self, BadStart> {
        let mut faults = rules.faults();
        if rules.size as usize > P::LARGEST && faults.is_empty() {
            faults.push(format!("{} lines: at most {} fit here", rules.size, P::LARGEST));
        }
        if !faults.is_empty() {
            return Err(BadStart::Rules(faults));
        }
        let board = start.board;
        if board.size() != rules.size as usize {
            return Err(BadStart::Size { board: board.size(), rules: rules.size as usize });
        }
        for colour in Colour::BOTH {
            let mut smothered = board.chains(colour).filter(|&chain| board.liberties(chain).is_empty());
            if let Some(stone) = smothered.next().and_then(Points::first) {
                return Err(BadStart::Smothered(stone));
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

    /// The stones.
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

    /// Passes in a row just played, at most two.
    pub fn passes(&self) -> u8 {
        self.passes
    }

    /// Stones taken so far, by their colour.
    pub fn prisoners(&self) -> [u32; 2] {
        self.prisoners
    }

    /// Where the simple ko rule forbids the next stone. `None` under superko rules, which have no such point.
    pub fn ko_point(&self) -> Option<Point> {
        self.ko
    }

    /// The ko that may not be retaken now, under whatever rule: a stone there would take the one just played, which
    /// has just taken a single one there.
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

    /// What the game began with.
    pub fn start(&self) -> Start<P> {
        self.start.as_ref().map_or_else(|| Start::normal(&self.rules), |start| **start)
    }

    /// The moves since the start.
    pub fn moves(&self) -> Vec<Move> {
        self.history.moves()
    }

    /// The move just played, if there was one since the start.
    pub fn last_move(&self) -> Option<Move> {
        self.history.last()
    }

    /// How many moves were played since the start.
    pub fn moves_played(&self) -> u32 {
        self.history.moves_played()
    }

    /// Whether a long cycle under the simple ko rule has ended the game without a result.
    pub fn ended_by_cycle(&self) -> bool {
        self.cycle
    }

    /// The score if the game ended here.
    pub fn score(&self, verdict: &Verdict<P>) -> Score {
        match self.rules.scoring {
            Scoring::Area => self.board.area_score(verdict, self.rules.komi),
            Scoring::Territory => self.board.territory_score(verdict, self.prisoners, self.rules.komi),
        }
    }

    /// A key of what is on the board: stones, colour to move, passes and ko point, not what was before.
    ///
    /// For caches that may confuse positions which differ only in what superko forbids later.
    pub fn situation_key(&self) -> u64 {
        let ko = self.ko.map_or(0, |point| point.index() as u64 + 1);
        let mover = if self.to_move == Colour::White { zobrist::WHITE_TO_MOVE } else { 0 };
        self.board.key() ^ mover ^ mix(ko << 8 | u64::from(self.passes) << 1 | u64::from(self.cycle))
    }

    /// What the history remembers of a board: with [`Ko::Positional`] the stones, else also who moves next.
    #[inline]
    pub(crate) fn memory_key(&self, board: u64, next: Colour) -> u64 {
        if self.rules.ko == Ko::Positional || next == Colour::Black {
            board
        } else {
            board ^ zobrist::WHITE_TO_MOVE
        }
    }

    /// After which move the board was as it would be after a stone here, if the ko rule forbids that. `captured` is
    /// what the stone takes. That suicide may be forbidden altogether is not looked at.
    #[inline]
    pub(crate) fn forbidden_repetition(&self, point: Point, captured: P) -> Option<u32> {
        let colour = self.to_move;
        let kills_itself =
            self.rules.suicide && captured.is_empty() && self.board.is_smothered(point, colour);
        let earlier = if kills_itself {
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
            // The earlier board would have had this stone. It is not there now, and was never taken off.
            None
        };
        earlier.filter(|&earlier| self.rules.ko != Ko::Simple || self.last_pass > earlier)
    }

    /// The points where the colour to move may put a stone.
    pub fn legal_points(&self) -> P {
        if self.is_over() {
            return P::EMPTY;
        }
        let (board, colour) = (&self.board, self.to_move);
        let empty = board.empty();
        // A stone lives beside an empty point, beside an own chain with another liberty, and by capturing.
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
        self.take_off(captured, enemy, observer);
        let mut suicide = P::EMPTY;
        if captured.is_empty() {
            suicide = self.board.suicide(point);
            self.take_off(suicide, colour, observer);
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

    fn take_off(&mut self, stones: P, colour: Colour, observer: &mut impl Observer<Self>) {
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
    /// If the [options](Rules::faults) make no game, or the board is too large for `P`.
    fn new(rules: &Rules) -> Self {
        match rules.faults().first() {
            Some(fault) => panic!("{fault}"),
            None => Self::set_up(rules, &Start::normal(rules)).expect("a normal start is sound"),
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

    /// Without counting, which [`Game::outcome`] does.
    #[inline]
    fn is_over(&self) -> bool {
        self.passes >= 2 || self.cycle
    }
}
