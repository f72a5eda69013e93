//! The end of a game explained: what ended it, and which turn decided it.

use game::Seat;
use ladder::Player;
use search::{Limits, Stop};

use super::Typed;
use crate::{capitalised, hostable::Hostable, view::TurningPointView};

/// The number of the loser's last turns that are examined.
const MAX_TURNS: usize = 16;

/// The minimum loss of value of a turn that decides a game.
const MIN_LOSS: f32 = 0.1;

/// A turn as it was played.
struct PlayedTurn<G: Hostable> {
    number: u32,
    /// The number of moves before it.
    ply: usize,
    start: G,
    line: Vec<G::Move>,
}

/// A judge of positions: an agent with its limits.
struct Judge<'a> {
    player: &'a Player,
    limits: &'a Limits,
    stop: &'a Stop,
}

impl Judge<'_> {
    /// The value of a position for the mover.
    fn value<G: Hostable>(&self, position: &G) -> Option<f32> {
        let report = self.player.agent(0).think(position, self.limits, self.stop);
        report.values.map(|values| values.of(position.to_move()))
    }

    /// The moves with which the agent would complete the present turn.
    fn turn<G: Hostable>(&self, start: &G) -> Vec<G::Move> {
        let (mut position, mut line) = (start.clone(), Vec::new());
        while !position.is_over() && position.turn_number() == start.turn_number() {
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            let best = match moves[..] {
                [only] => only,
                _ => self.player.agent(0).think(&position, self.limits, self.stop).best,
            };
            position.play_unchecked(best, &mut ());
            line.push(best);
        }
        line
    }
}

impl<G: Hostable> Typed<G> {
    /// Why the game ended, for newcomers.
    pub(super) fn explanation(&self) -> String {
        if self.declared.is_some() || !self.position.is_over() {
            return String::new();
        }
        let last = self.turns(None).pop();
        last.map(|turn| self.position.explanation(&turn.start)).unwrap_or_default()
    }

    /// The turns of `seat`, or of all seats.
    fn turns(&self, seat: Option<Seat>) -> Vec<PlayedTurn<G>> {
        let mut turns: Vec<PlayedTurn<G>> = Vec::new();
        let mut position = self.start.clone();
        for (ply, &(mover, m)) in self.moves.iter().enumerate() {
            let number = position.turn_number();
            if seat.is_none_or(|seat| seat == mover) {
                if turns.last().is_none_or(|turn| turn.number != number) {
                    turns.push(PlayedTurn { number, ply, start: position.clone(), line: Vec::new() });
                }
                if let Some(turn) = turns.last_mut() {
                    turn.line.push(m);
                }
            }
            position.advance(mover, m, &mut Vec::new());
        }
        turns
    }

    pub(super) fn turning_point(
        &self,
        loser: Seat,
        player: &Player,
        limits: &Limits,
        stop: &Stop,
    ) -> Option<TurningPointView> {
        let winner = self.result().filter(|_| self.declared.is_none())?.winner;
        let winner = winner.and_then(Seat::from_number).filter(|&winner| winner != loser)?;
        let judge = Judge { player, limits, stop };
        let turns = self.turns(Some(loser));
        let recent = &turns[turns.len().saturating_sub(MAX_TURNS)..];
        let last = recent.last()?;
        // Of a player who was out of the game early, the last turn is not the one before the end.
        let near = self.position.turn_number() - last.number <= self.position.seats() as u32;
        if near {
            let preferred = judge.turn(&last.start);
            if let Some(better) = last.start.rescue(winner, &last.line, &preferred, stop) {
                return Some(view(last, loser, winner, &better, true, stop));
            }
        }
        // The loss of value by each turn, up to the certain loss after the last one.
        let mut after = -1.0;
        let mut losses: Vec<(f32, &PlayedTurn<G>)> = Vec::new();
        for turn in recent.iter().rev() {
            let value = judge.value(&turn.start).unwrap_or(after);
            losses.push((value - after, turn));
            after = value;
        }
        losses.retain(|&(loss, _)| loss >= MIN_LOSS);
        losses.sort_by(|one, other| other.0.total_cmp(&one.0));
        // The turn that was played may be the best one: then another turn cost the game.
        let (turn, better) = losses
            .into_iter()
            .map(|(_, turn)| (turn, judge.turn(&turn.start)))
            .find(|(turn, better)| *better != turn.line)?;
        Some(view(turn, loser, winner, &better, false, stop))
    }
}

fn view<G: Hostable>(
    turn: &PlayedTurn<G>,
    loser: Seat,
    winner: Seat,
    better: &[G::Move],
    proven: bool,
    stop: &Stop,
) -> TurningPointView {
    let mut end = turn.start.clone();
    turn.line.iter().for_each(|&m| end.play_unchecked(m, &mut ()));
    let chance = if end.is_over() { None } else { end.chance(winner, stop) };
    let name = capitalised(&G::seat_name(winner));
    TurningPointView {
        seat: loser.number(),
        turn: turn.number,
        ply: turn.ply,
        played: turn.start.describe_turn(&turn.line),
        played_by: turn.start.movement(&turn.line),
        consequence: chance.map(|chance| format!("After that, {name} could {chance}.")).unwrap_or_default(),
        better: turn.start.describe_turn(better),
        better_by: turn.start.movement(better),
        proven,
    }
}
