//! Results of a gauntlet: one candidate against several baselines.

use std::collections::BTreeSet;

use crate::{GameSummary, Side, Tally};

/// A candidate's standing against one opponent, by its win rate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Placement {
    /// At least 60 % of the games won.
    Beats,
    /// At least 40 %.
    Competitive,
    /// Less than 40 %.
    LosesTo,
}

impl Placement {
    /// The placement for a win rate in per cent. Draws do not count as wins.
    pub fn of(winrate: f64) -> Self {
        if winrate >= 60.0 {
            Self::Beats
        } else if winrate >= 40.0 {
            Self::Competitive
        } else {
            Self::LosesTo
        }
    }

    /// The name in reports.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Beats => "BEATS",
            Self::Competitive => "COMPETITIVE",
            Self::LosesTo => "LOSES TO",
        }
    }
}

/// The results against one opponent.
#[derive(Clone, PartialEq, Debug)]
pub struct Bout {
    /// The index of the opponent in the schedule, at least 1.
    pub opponent: usize,
    /// The tally of the games; side A is the candidate.
    pub tally: Tally,
    /// The engines that actually chose moves, for either side.
    pub engines: [BTreeSet<String>; 2],
}

impl Bout {
    /// The candidate's win rate in per cent, or 0 without games.
    pub fn winrate(&self) -> f64 {
        100.0 * self.tally.wins(Side::A) as f64 / self.tally.games().max(1) as f64
    }

    /// The candidate's placement, or `None` without games.
    pub fn placement(&self) -> Option<Placement> {
        (self.tally.games() > 0).then(|| Placement::of(self.winrate()))
    }
}

/// Summarises a gauntlet against `opponents` with games for `seats`, given in order. Participant 0 is the candidate.
/// Only complete rounds count.
pub fn bouts(opponents: usize, seats: usize, games: impl IntoIterator<Item = GameSummary>) -> Vec<Bout> {
    let empty = |opponent| Bout { opponent, tally: Tally::new(seats, None), engines: Default::default() };
    let mut bouts: Vec<Bout> = (1..=opponents).map(empty).collect();
    for game in games {
        let mut players = game.seats.iter().map(|seat| seat.player);
        let Some(opponent) = players.find(|&player| player != 0) else { continue };
        let Some(bout) = bouts.get_mut(opponent - 1) else { continue };
        for seat in &game.seats {
            bout.engines[Side::of_player(seat.player).index()].extend(seat.engines.iter().cloned());
        }
        bout.tally.push(game);
    }
    bouts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cost, summary::tests};

    fn game(players: &[usize], ranks: &[u8], plies: u32) -> GameSummary {
        let mut game = GameSummary { plies, ..tests::game(u64::from(plies), players, ranks) };
        for seat in &mut game.seats {
            let (engine, nodes) = if seat.player == 0 { ("mcts", 10) } else { ("random", 0) };
            seat.engines.insert(engine.to_owned());
            seat.cost = Some(Cost { decisions: 1, nodes, ..Cost::default() });
        }
        game
    }

    #[test]
    fn games_are_counted_by_opponent_and_for_the_candidate() {
        let games = [
            game(&[0, 1], &[1, 2], 10),
            game(&[1, 0], &[2, 1], 20),
            game(&[0, 2], &[2, 1], 30),
            game(&[2, 0], &[1, 1], 30),
            game(&[0, 1], &[1, 2], 40),
        ];
        let bouts = bouts(2, 2, games);
        let [first, second] = &bouts[..] else { panic!("two opponents: {bouts:?}") };
        assert_eq!((first.tally.games(), first.tally.waiting()), (2, 1), "half a round does not count");
        assert_eq!((first.winrate(), first.placement()), (100.0, Some(Placement::Beats)));
        assert_eq!(first.tally.cost(Side::A).nodes, 20);
        assert_eq!(first.engines[1], ["random".to_owned()].into());
        assert_eq!((second.winrate(), second.tally.score()), (0.0, 0.25));
        assert_eq!(second.placement(), Some(Placement::LosesTo));
        assert_eq!((second.tally.draws(), second.tally.distinct()), (1, 1), "two games alike");
    }

    #[test]
    fn words_change_at_sixty_and_forty() {
        for (winrate, word) in
            [(60.0, "BEATS"), (59.9, "COMPETITIVE"), (40.0, "COMPETITIVE"), (39.9, "LOSES TO")]
        {
            assert_eq!(Placement::of(winrate).word(), word, "{winrate}");
        }
    }

    #[test]
    fn a_table_of_three_is_shared_with_copies() {
        let rotation = [
            game(&[0, 1, 1], &[1, 2, 3], 1),
            game(&[1, 0, 1], &[1, 2, 3], 2),
            game(&[1, 1, 0], &[1, 1, 1], 3),
            game(&[1, 0, 0], &[3, 1, 2], 4),
            game(&[0, 1, 0], &[3, 1, 2], 5),
            game(&[0, 0, 1], &[3, 1, 2], 6),
        ];
        let bout = bouts(1, 3, rotation).remove(0);
        assert_eq!((bout.tally.wins(Side::A), bout.tally.wins(Side::B), bout.tally.draws()), (3, 2, 1));
    }
}
