//! The implementation of [`Game`]: move generation, playing a move, and the position key.

use game::{Game, MAX_SEATS, Observer, Outcome, Seat};

use crate::{
    Cell, Kind, Move, Position, Rules,
    bits::Bits,
    check::Illegal,
    geometry::Geometry,
    position::{Change, Content, Owes, Phase, Standing, Swap, collapsed_key, marker_key, mix, stack_key},
};

impl<B: Geometry> Game for Position<B> {
    type Config = Rules;
    type Move = Move;
    type Change = Change;
    type Illegal = Illegal;

    /// # Panics
    /// If the rules have [faults](Rules::faults).
    fn new(rules: &Rules) -> Self {
        let faults = rules.faults();
        assert!(faults.is_empty(), "impossible rules: {}", faults.join("; "));
        let goals = rules.goals(B::BOARD);
        let mut hands = [0; MAX_SEATS];
        hands[..rules.seats as usize].fill(goals.rings);
        Self {
            rings: B::NO_RINGS,
            lines: B::OPEN_LINES,
            controlled: [B::Bits::EMPTY; MAX_SEATS],
            markers: [B::Bits::EMPTY; MAX_SEATS],
            collapsed: [B::Bits::EMPTY; MAX_SEATS],
            cells_key: rules_key(rules),
            hands,
            credits: [0; MAX_SEATS],
            territory: [0; MAX_SEATS],
            on_board: [0; MAX_SEATS],
            eliminated_at: [None; MAX_SEATS],
            turn: 0,
            focus: None,
            rules: *rules,
            goals,
            seat: Seat::FIRST,
            phase: Phase::RingPlacement,
            owes: Owes::Nothing,
            acted: false,
            recovered: false,
            swap: if rules.swap { Swap::Waiting } else { Swap::Closed },
            standing: Standing::default(),
            ended: None,
        }
    }

    fn config(&self) -> Rules {
        self.rules
    }

    fn seats(&self) -> usize {
        self.rules.seats.into()
    }

    #[inline]
    fn to_move(&self) -> Seat {
        self.seat
    }

    fn outcome(&self) -> Option<Outcome> {
        self.final_ranking()
    }

    fn is_over(&self) -> bool {
        self.ended.is_some()
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        moves.clear();
        match self.phase {
            Phase::RingPlacement => self.placement_moves(moves),
            Phase::Movement => self.movement_moves(moves),
            Phase::Capture => {
                self.capture_moves(Kind::Capture, moves);
                moves.push(Move::plain(Kind::SkipCapture));
            }
            Phase::ChainCapture => self.capture_moves(Kind::ChainCapture, moves),
            Phase::LineProcessing => self.line_moves(moves),
            Phase::TerritoryProcessing => self.territory_moves(moves),
            Phase::ForcedElimination => {
                let stacks = self.controlled_by(self.seat).cells();
                moves.extend(stacks.map(|cell| Move::on(Kind::ForcedElimination, cell)));
            }
            Phase::GameOver => {}
        }
    }

    fn check(&self, m: Move) -> Result<(), Illegal> {
        self.why_illegal(m).map_or(Ok(()), Err)
    }

    fn play_unchecked(&mut self, m: Move, observer: &mut impl Observer<Self>) {
        let kind = m.kind();
        if self.swap == Swap::Open {
            self.swap = if kind == Kind::SwapSides { Swap::Used } else { Swap::Closed };
        }
        // Set this first: the code below may end the turn, which clears the flag.
        self.acted |= !kind.is_idle();
        match kind {
            Kind::PlaceRing => self.place(m, observer),
            Kind::SkipPlacement | Kind::NoPlacement => self.phase = Phase::Movement,
            Kind::SwapSides => {}
            Kind::MoveStack | Kind::Capture | Kind::ChainCapture => self.move_or_capture(m, observer),
            Kind::RecoverFallback | Kind::RecoverStrike | Kind::RecoverLine | Kind::RecoverWindow => {
                self.recover(m, observer);
            }
            Kind::SkipCapture | Kind::SkipRecovery | Kind::NoMovement => self.enter_line_processing(),
            Kind::ProcessLine | Kind::CollapseLine | Kind::CollapseWindow => self.collapse_line(m, observer),
            Kind::PayLine => {
                self.eliminate_top(m.cell(), 1, observer);
                self.owes = Owes::Nothing;
            }
            Kind::NoLine => self.finish_line_processing(),
            Kind::ClaimRegion => self.claim(m, observer),
            Kind::PayRegion | Kind::PayRegionBuried => self.pay_region(m, observer),
            Kind::SkipTerritory | Kind::NoTerritory => {
                if self.acted || self.controlled_by(self.seat).is_empty() {
                    self.end_turn();
                } else {
                    self.phase = Phase::ForcedElimination;
                }
            }
            Kind::ForcedElimination => {
                self.eliminate_top(m.cell(), self.stack(m.cell()).cap(), observer);
                self.end_turn();
            }
        }
        if !kind.is_idle() {
            self.record_eliminations();
        }
    }

    /// After a swap, each participant continues from the other seat.
    fn seat_after(&self, m: Move, seat: Seat) -> Seat {
        if m.kind() == Kind::SwapSides { Seat::new(1 - seat.index()) } else { seat }
    }

    fn key(&self) -> u64 {
        let seat = |seat: Option<Seat>| seat.map_or(4, Seat::index) as u64;
        let pack =
            |values: [u16; MAX_SEATS]| values.iter().fold(0, |all, &value| all << 16 | u64::from(value));
        let end = self
            .ended
            .map_or(0, |end| 1 + seat(end.winner) * 2 + u64::from(end.stalemate) + 16 * end.reason as u64);
        let standing = self.standing;
        let turn = [
            (self.seat.index() as u64, 2),
            (self.phase as u64, 3),
            (self.focus.map_or(0x3ff, Cell::index) as u64, 10),
            (self.owes as u64, 2),
            (self.acted.into(), 1),
            (self.recovered.into(), 1),
            (self.swap as u64, 2),
            (seat(standing.first), 3),
            (standing.able.into(), 4),
            (seat(standing.alone), 3),
            (standing.rounds.into(), 8),
            (end, 8),
            (self.elimination_order(), 12),
        ];
        let turn = turn.iter().fold(0, |all, (value, bits)| all << bits | value);
        [turn, pack(self.hands), pack(self.credits)].iter().fold(self.cells_key, |key, part| mix(key ^ part))
    }

    fn key_from_scratch(&self) -> u64 {
        let cells = self.contents().fold(rules_key(&self.rules), |key, (cell, content)| {
            key ^ match content {
                Content::Empty => 0,
                Content::Stack(stack) => stack_key(cell, stack),
                Content::Marker(seat) => marker_key(cell, seat),
                Content::Collapsed(seat) => collapsed_key(cell, seat),
            }
        });
        Self { cells_key: cells, ..*self }.key()
    }
}

fn rules_key(rules: &Rules) -> u64 {
    let options = [
        rules.seats.into(),
        rules.variant as u64,
        rules.recovery as u64,
        rules.swap.into(),
        rules.lps_rounds.into(),
        rules.rings.map_or(0, u64::from),
    ];
    options.iter().fold(0, |key, &option| mix(key ^ option))
}
