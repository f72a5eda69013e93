//! The result and the order of the losers (R175–R178).

use super::state::{Finish, Oracle, Outcome, Player, index};

impl Oracle {
    /// The result, once the game is over.
    pub(crate) fn result(&self) -> Option<Outcome> {
        let finish = self.finish?;
        Some(Outcome {
            winner: usize::from(finish.winner),
            reason: finish.reason,
            ranks: self.ranks(finish),
            elimination_turns: self.elimination_turns.clone(),
        })
    }

    /// The winner is first, whichever rule decided. Any other player is ranked
    /// behind all players who did better, so equals share a rank and the next
    /// rank is skipped.
    fn ranks(&self, finish: Finish) -> Vec<u8> {
        let mut ranks = Vec::new();
        for player in self.seats() {
            if player == finish.winner {
                ranks.push(1);
                continue;
            }
            let own = self.merits(player, finish.stalemate);
            let better = self
                .seats()
                .filter(|&other| other != finish.winner && self.merits(other, finish.stalemate) > own);
            let better = u8::try_from(better.count()).expect("there are at most four players");
            ranks.push(better + 2);
        }
        ranks
    }

    /// What losers are compared by, most important first: territory, credited
    /// rings (with the hand after a stalemate), markers, time of elimination.
    fn merits(&self, player: Player, stalemate: bool) -> (u32, u32, u32, u32) {
        let hand = if stalemate { self.hand(player) } else { 0 };
        let survived = self.elimination_turns[index(player)].unwrap_or(u32::MAX);
        (self.territory(player), self.credit(player) + hand, self.markers(player), survived)
    }
}
