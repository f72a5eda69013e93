//! The end of a turn: victory, rotation, last player standing (R170–R173, R201).

use game::{ForfeitKind, Seat};

use crate::{
    Position,
    bits::Bits,
    geometry::Geometry,
    position::{End, Owes, Phase, Reason, Swap},
};

impl<B: Geometry> Position<B> {
    /// Victory is tested once, when all phases are over; then the next seat with a ring gets its turn.
    pub(crate) fn end_turn(&mut self) {
        self.turn = self.turn.saturating_add(1);
        match self.victory() {
            Some(end) => self.finish(end),
            None => self.next_turn(),
        }
    }

    /// Notes which seats have lost their last ring; the ranking asks who held out longer.
    #[inline]
    pub(crate) fn note_eliminations(&mut self) {
        for seat in self.every_seat() {
            if self.is_ringless(seat) {
                self.eliminated_at[seat.index()].get_or_insert(self.turn);
            }
        }
    }

    /// Breaks the game off because the seat to move gave up or ran out of time: of two the other wins, with three
    /// or four nobody does. The rules know two such reasons: all forfeits but a timeout end the game as a resignation.
    /// Does nothing once the game is over.
    pub fn forfeit(&mut self, kind: ForfeitKind) {
        if self.ended.is_some() {
            return;
        }
        let winner = (self.rules.seats == 2).then(|| Seat::new(1 - self.seat.index()));
        let reason = match kind {
            ForfeitKind::Timeout => Reason::Timeout,
            ForfeitKind::Resignation | ForfeitKind::IllegalMove | ForfeitKind::Failure => Reason::Resignation,
        };
        self.finish(End { winner, reason, stalemate: false });
    }

    fn finish(&mut self, end: End) {
        self.ended = Some(end);
        self.phase = Phase::GameOver;
        self.focus = None;
        self.owes = Owes::Nothing;
    }

    fn victory(&self) -> Option<End> {
        let won = |winner: Seat, reason| Some(End { winner: Some(winner), reason, stalemate: false });
        let mut seats = self.every_seat();
        if let Some(seat) = seats.clone().find(|seat| self.credits[seat.index()] >= self.goals.eliminations) {
            return won(seat, Reason::RingElimination);
        }
        let total: u16 = self.territory.iter().sum();
        let controls = |seat: &Seat| {
            let own = self.territory[seat.index()];
            own >= self.goals.territory && own > total - own
        };
        if let Some(seat) = seats.clone().find(controls) {
            return won(seat, Reason::TerritoryControl);
        }
        if self.on_board.iter().all(|&rings| rings == 0) {
            let stuck = seats.all(|seat| !self.placement_exists(seat));
            return stuck.then(|| self.stalemate());
        }
        // Stacks exist; if only one seat has any ring, they are all that seat's.
        let mut left = seats.filter(|&seat| !self.is_ringless(seat));
        match (left.next(), left.next()) {
            (Some(survivor), None) => won(survivor, Reason::LastPlayerStanding),
            _ => None,
        }
    }

    /// R173: each rung compares all seats and decides only by a single positive maximum.
    fn stalemate(&self) -> End {
        let leader = |score: &dyn Fn(Seat) -> u32| {
            let best = self.every_seat().map(score).max().filter(|&best| best > 0)?;
            let mut leaders = self.every_seat().filter(|&seat| score(seat) == best);
            leaders.next().filter(|_| leaders.next().is_none())
        };
        let rungs: [(Reason, &dyn Fn(Seat) -> u32); 3] = [
            (Reason::TerritoryControl, &|seat| self.territory(seat)),
            (Reason::RingElimination, &|seat| self.credits(seat) + self.hand(seat)),
            (Reason::LastPlayerStanding, &|seat| self.markers_of(seat).count()),
        ];
        let decided = rungs.into_iter().find_map(|(reason, score)| Some((leader(score)?, reason)));
        let (winner, reason) = decided.unwrap_or((self.seat, Reason::LastPlayerStanding));
        End { winner: Some(winner), reason, stalemate: true }
    }

    fn next_turn(&mut self) {
        let seats = self.rules.seats as usize;
        let after = |steps: usize| Seat::new((self.seat.index() + steps) % seats);
        let next = (1..=seats).map(after).find(|&seat| !self.is_ringless(seat)).unwrap_or(after(1));
        if next != self.seat {
            // A seat that follows itself keeps what it did: the reference reads these facts from the run of moves.
            self.acted = false;
            self.recovered = false;
            if self.swap == Swap::Waiting {
                self.swap = Swap::Open;
            }
        }
        self.seat = next;
        self.phase = Phase::RingPlacement;
        self.update_standing();
    }

    /// R172: called whenever a turn starts by rotation.
    fn update_standing(&mut self) {
        let current = self.seat;
        if self.is_ringless(current) {
            return;
        }
        let real = self.has_real_action(current);
        let active = |seat: Seat| !self.is_ringless(seat);
        let mut standing = self.standing;
        if standing.first.is_none_or(|first| !active(first)) {
            standing.first = Some(current);
            standing.able = 0;
            if standing.alone.is_none_or(|alone| !active(alone)) {
                standing.alone = None;
                standing.rounds = 0;
            }
        } else if standing.first == Some(current) {
            let mut able =
                self.every_seat().filter(|&seat| active(seat) && standing.able >> seat.index() & 1 != 0);
            let alone = able.next().filter(|_| able.next().is_none());
            standing.rounds = match alone {
                None => 0,
                Some(_) if alone == standing.alone => standing.rounds.saturating_add(1),
                Some(_) => 1,
            };
            standing.alone = alone;
            standing.able = 0;
        }
        standing.able = standing.able & !(1 << current.index()) | u8::from(real) << current.index();
        self.standing = standing;
        let exclusive = standing.rounds >= self.rules.lps_rounds && standing.alone == Some(current) && real;
        if exclusive
            && self
                .every_seat()
                .all(|seat| seat == current || self.is_ringless(seat) || !self.has_real_action(seat))
        {
            let reason = Reason::LastPlayerStanding;
            self.finish(End { winner: Some(current), reason, stalemate: false });
        }
    }

    /// A placement, a move or a capture on the present board.
    fn has_real_action(&self, seat: Seat) -> bool {
        self.placement_exists(seat) || self.move_exists(seat)
    }
}
