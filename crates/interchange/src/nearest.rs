//! Converts an invalid game state to the nearest valid position.
//!
//! A client must always get a move. Therefore a state that contradicts itself, or that our rules cannot represent, is repaired
//! with as few changes as possible. Deliberately absent: guesses about information that the state does not contain.

use game::Seat;
use ringrift::{Cell, Content, Draft, Geometry, Owes, Part, Phase, Position, Rules, Stack, Standing, Swap};

use crate::state::{GameState, StackState};

/// The position nearest to a game state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Nearest<B: Geometry> {
    /// The position; `None` if the seat to move has nothing to decide, because the game is over or there is nothing to do
    /// in the phase.
    pub position: Option<Position<B>>,
    /// The changes that were necessary, in words.
    pub repairs: Vec<String>,
}

impl GameState {
    /// The position of this state or, if the state is invalid, the nearest one.
    pub fn nearest<B: Geometry>(&self) -> Nearest<B> {
        let seats = u8::try_from(self.players.len()).unwrap_or(u8::MAX);
        let mut repairs = Vec::new();
        let rules = self.rules().unwrap_or_else(|faults| {
            repairs.extend(faults.0);
            Rules::new(seats)
        });
        if !rules.faults().is_empty() {
            return Nearest { position: None, repairs };
        }
        match self.position(&rules) {
            Ok(position) if repairs.is_empty() => Nearest { position: Some(position), repairs },
            _ => {
                let position = self.repair(&rules, &mut repairs);
                Nearest { position, repairs }
            }
        }
    }

    fn repair<B: Geometry>(&self, rules: &Rules, repairs: &mut Vec<String>) -> Option<Position<B>> {
        let mut draft = Draft::new::<B>(*rules);
        draft.hands.fill(0);
        let before = repairs.len();
        self.seat_and_phase(&mut draft, repairs);
        if repairs.len() > before || draft.seat.index() >= usize::from(rules.seats) {
            return None;
        }
        self.counts(&mut draft, repairs);
        let seats = i64::from(rules.seats);
        self.cells::<B>(&mut draft, repairs, |stack, top_last, repairs| {
            stack.read(top_last).ok().filter(|_| stack.rings.iter().all(|&ring| ring <= seats)).map_or_else(
                || {
                    repairs.push(format!("rings {:?}: only the valid ones are used", stack.rings));
                    stack.closest(top_last, seats)
                },
                Ok,
            )
        });
        self.turn_so_far::<B>(&mut draft, repairs);
        let mut attackers = own_stacks(&draft).into_iter();
        // Every iteration repairs a fault, and there cannot be more faults than this.
        for _ in 0..16 + draft.cells.len() {
            let faults = match draft.build() {
                Ok(position) => return Some(position),
                Err(faults) => faults,
            };
            for (part, fault) in faults.into_iter().rev() {
                repairs.push(fault);
                match part {
                    Part::Cell(index) => draft.cells[index].1 = Content::Empty,
                    Part::Hands => clamp_counts(&mut draft.hands, rules),
                    Part::Credits => clamp_counts(&mut draft.credits, rules),
                    Part::Standing => draft.standing = Standing::default(),
                    Part::Owes => draft.owes = Owes::Nothing,
                    Part::Swap => draft.swap = Swap::Closed,
                    Part::End => draft.ended = None,
                    Part::Acted => {
                        draft.recovered &= draft.phase != Phase::ForcedElimination;
                        draft.acted = draft.recovered;
                    }
                    Part::Focus if matches!(draft.phase, Phase::Capture | Phase::ChainCapture) => {
                        draft.focus = Some(attackers.next()?);
                    }
                    Part::Focus => draft.focus = None,
                    Part::Rules | Part::Turn => return None,
                }
            }
            // Repair all at once, because their number is limited only by the size of the body.
            draft.cells.retain(|(_, content)| *content != Content::Empty);
        }
        None
    }
}

fn clamp_counts(counts: &mut [u16; game::MAX_SEATS], rules: &Rules) {
    for (index, count) in counts.iter_mut().enumerate() {
        *count = if index < usize::from(rules.seats) { (*count).min(Draft::MOST_RINGS) } else { 0 };
    }
}

/// The cells of the mover's stacks.
fn own_stacks(draft: &Draft) -> Vec<Cell> {
    let own = |(cell, content): &(Cell, Content)| match content {
        Content::Stack(stack) if stack.top() == Some(draft.seat) => Some(*cell),
        _ => None,
    };
    draft.cells.iter().filter_map(own).collect()
}

impl StackState {
    /// The closest valid stack: the topmost rings if there are too many, with the named owner on top if it has a ring at
    /// either end.
    fn closest(&self, mostly_top_last: bool, seats: i64) -> Result<Stack, String> {
        let ring = |&number: &i64| crate::position::seat(number).filter(|_| number <= seats);
        let rings: Vec<Seat> = self.rings.iter().filter_map(ring).collect();
        let (Some(first), Some(last)) = (rings.first(), rings.last()) else {
            return Err("a stack without rings".to_owned());
        };
        let owner = self.controlling_player.and_then(crate::position::seat);
        let top_last = match owner {
            Some(owner) if owner == *first && owner != *last => false,
            Some(owner) if owner == *last && owner != *first => true,
            _ => mostly_top_last,
        };
        let most = Stack::MAX_HEIGHT as usize;
        let kept: Vec<Seat> = if top_last {
            rings.into_iter().rev().take(most).collect()
        } else {
            rings.into_iter().take(most).collect()
        };
        Ok(kept.into_iter().rev().fold(Stack::EMPTY, Stack::push))
    }
}
