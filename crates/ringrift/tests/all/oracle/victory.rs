//! The end of a turn: victory, rotation, last player standing (R170–R173, R201).

use super::state::{Finish, Oracle, Phase, Player, index};

impl Oracle {
    /// `E*`: credited rings that win the game, `R (n + 1) / 3` rounded (R061).
    fn elimination_threshold(&self) -> u32 {
        let rings = self.options.rings_per_player.unwrap_or_else(|| self.board.rings_per_player());
        let players = u32::try_from(self.players).expect("there are at most four players");
        // A multiple of a third is never halfway, so adding 1 before dividing rounds.
        (rings * (players + 1) + 1) / 3
    }

    /// `T*`: more than an equal share of the cells (R062).
    fn territory_minimum(&self) -> usize {
        self.board.cells().len() / self.players + 1
    }

    /// Ends the current turn. Victory is tested only here; passing a threshold
    /// earlier in the turn does not end the game.
    pub(super) fn end_turn(&mut self) {
        self.turns_ended += 1;
        self.finish = self.victory();
        if self.finish.is_none() {
            self.rotate();
            self.update_last_player_standing();
        }
    }

    /// The tests of R170–R173 in their order.
    fn victory(&self) -> Option<Finish> {
        self.ring_elimination()
            .or_else(|| self.territory_control())
            .or_else(|| self.sole_survivor())
            .or_else(|| self.stalemate())
    }

    fn ring_elimination(&self) -> Option<Finish> {
        let winner = self.seats().find(|&p| self.credit(p) >= self.elimination_threshold())?;
        Some(won(winner, "ring_elimination"))
    }

    /// Enough cells, and more than all opponents together.
    fn territory_control(&self) -> Option<Finish> {
        let all: u32 = self.seats().map(|p| self.territory(p)).sum();
        let winner = self.seats().find(|&p| {
            let own = self.territory(p);
            own as usize >= self.territory_minimum() && own > all - own
        })?;
        Some(won(winner, "territory_control"))
    }

    /// One player controls every stack and no other player owns a ring anywhere.
    fn sole_survivor(&self) -> Option<Finish> {
        let winner = self.seats().find(|&p| {
            !self.controlled(p).is_empty() && self.seats().all(|other| other == p || !self.has_ring(other))
        })?;
        Some(won(winner, "last_player_standing"))
    }

    /// R173: without stacks and without a possible placement the game is a
    /// stalemate, and a ladder of comparisons decides. A rung decides only if
    /// one player alone holds a positive maximum.
    fn stalemate(&self) -> Option<Finish> {
        let stuck = self.stacks().is_empty() && !self.seats().any(|player| self.placement_exists(player));
        if !stuck {
            return None;
        }
        let (winner, reason) = if let Some(player) = self.sole_leader(|player| self.territory(player)) {
            (player, "territory_control")
        } else if let Some(player) = self.sole_leader(|player| self.credit(player) + self.hand(player)) {
            (player, "ring_elimination")
        } else if let Some(player) = self.sole_leader(|player| self.markers(player)) {
            (player, "last_player_standing")
        } else {
            (self.current, "last_player_standing")
        };
        Some(Finish { winner, reason, stalemate: true })
    }

    /// The only player with the highest count, if that is not zero.
    fn sole_leader(&self, count: impl Fn(Player) -> u32) -> Option<Player> {
        let best = self.seats().map(&count).max()?;
        let mut leaders = self.seats().filter(|&player| count(player) == best);
        let leader = leaders.next()?;
        (best > 0 && leaders.next().is_none()).then_some(leader)
    }

    /// Starts the turn of the next player who still owns a ring (R201).
    ///
    /// A player who moves twice in a row keeps the flags of the last turn: the
    /// reference engine derives them from the player's uninterrupted moves.
    fn rotate(&mut self) {
        let previous = self.current;
        let mut next = self.seat_after(previous);
        for _ in 0..self.players {
            if self.has_ring(next) {
                break;
            }
            next = self.seat_after(next);
        }
        self.current = next;
        self.phase = Phase::RingPlacement;
        self.must_move = None;
        self.attacker = None;
        self.owed = None;
        if next != previous {
            self.acted = false;
            self.recovered = false;
        }
    }

    fn seat_after(&self, player: Player) -> Player {
        if usize::from(player) == self.players { 1 } else { player + 1 }
    }

    /// R172, run at the start of every turn but the first of the game.
    ///
    /// A round ends when its first player is to move again. What counts is
    /// whether a player had a real action at the start of their turn.
    fn update_last_player_standing(&mut self) {
        let current = self.current;
        let active: Vec<Player> = self.seats().filter(|&p| self.has_ring(p)).collect();
        if !active.contains(&current) {
            return;
        }
        match self.lps.first {
            Some(first) if active.contains(&first) => {
                if first == current && !self.lps.mask.is_empty() {
                    self.complete_round(&active);
                }
            }
            _ => {
                self.lps.first = Some(current);
                self.lps.mask.clear();
                if !self.lps.who.is_some_and(|who| active.contains(&who)) {
                    self.lps.who = None;
                    self.lps.rounds = 0;
                }
            }
        }
        let can_act = self.has_real_action(current);
        self.lps.mask.insert(current, can_act);
        let others_blocked = active.iter().all(|&p| p == current || !self.has_real_action(p));
        let enough = self.lps.rounds >= self.options.lps_rounds;
        if enough && self.lps.who == Some(current) && can_act && others_blocked {
            self.finish = Some(won(current, "last_player_standing"));
        }
    }

    /// Counts a finished round for the only active player who could act in it.
    fn complete_round(&mut self, active: &[Player]) {
        let able: Vec<Player> =
            active.iter().copied().filter(|player| self.lps.mask.get(player) == Some(&true)).collect();
        if able.len() == 1 {
            let same = self.lps.who == Some(able[0]);
            self.lps.rounds = if same { self.lps.rounds + 1 } else { 1 };
            self.lps.who = Some(able[0]);
        } else {
            self.lps.who = None;
            self.lps.rounds = 0;
        }
        self.lps.mask.clear();
    }

    /// Records the number of completed turns for players who no longer own a ring.
    pub(super) fn note_eliminated_players(&mut self) {
        for player in self.seats() {
            if self.elimination_turns[index(player)].is_none() && !self.has_ring(player) {
                self.elimination_turns[index(player)] = Some(self.turns_ended);
            }
        }
    }
}

fn won(winner: Player, reason: &'static str) -> Finish {
    Finish { winner, reason, stalemate: false }
}
