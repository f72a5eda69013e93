//! The decision callback, and decisions of participants that change seats.

mod support;

use std::{
    collections::BTreeMap,
    ops::ControlFlow,
    sync::{Mutex, PoisonError},
};

use arena::{Arena, Conditions, Decision, Played, Results, Schedule};
use game::{
    Game, Observer, Outcome, Seat,
    toy::{Take, TakeMove, TakeRules},
};
use search::Stop;
use support::{mcts, random};

fn conditions(seats: u8) -> Conditions<Take> {
    Conditions::new(Take::new(&TakeRules { tokens: 23, most: 3, seats }), 3)
}

/// The parts of a decision to compare.
struct Kept {
    ply: usize,
    seat: Seat,
    player: usize,
    legal: Vec<TakeMove>,
    candidates: Vec<usize>,
    policy: Option<Vec<f32>>,
    choice: usize,
}

#[test]
fn every_decision_is_reported_with_its_candidates_by_legal_index() {
    for threads in [1, 3] {
        let kept: Mutex<BTreeMap<u64, Vec<Kept>>> = Mutex::default();
        let hook = |decision: &Decision<'_, Take>| {
            assert_eq!(decision.position.to_move(), decision.seat);
            assert_eq!((decision.cost.decisions, decision.cost.nodes), (1, decision.report.nodes));
            let kept_decision = Kept {
                ply: decision.ply,
                seat: decision.seat,
                player: decision.player,
                legal: decision.legal.to_vec(),
                candidates: decision.candidates().map(|(index, _)| index).collect(),
                policy: decision.policy(),
                choice: decision.choice().unwrap(),
            };
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.entry(decision.game).or_default().push(kept_decision);
        };
        let mut arena = Arena { threads, ..Arena::new(conditions(3), vec![mcts(40), random()]) };
        arena.on_decision = Some(Box::new(hook));
        let mut games = Vec::new();
        arena
            .play(&Schedule::of_match(3, 12, 3), Results::new(), &Stop::default(), |game| {
                games.push(game);
                Ok::<_, ()>(ControlFlow::Continue(()))
            })
            .unwrap();
        drop(arena);
        let kept = kept.into_inner().unwrap();
        assert_eq!((kept.len(), games.len()), (12, 12));
        for game in &games {
            let decisions = &kept[&game.summary.index];
            assert!(decisions.is_sorted_by(|before, after| before.ply < after.ply));
            let asked: u64 = game.summary.seats.iter().map(|seat| seat.cost.unwrap().decisions).sum();
            assert_eq!(decisions.len() as u64, asked);
            let (mut position, mut legal) = (conditions(3).start, Vec::new());
            let mut next = decisions.iter().peekable();
            for (ply, &m) in game.moves.iter().enumerate() {
                position.legal_moves(&mut legal);
                if let Some(decision) = next.next_if(|decision| decision.ply == ply) {
                    assert_eq!((decision.seat, &decision.legal), (position.to_move(), &legal));
                    assert_eq!(decision.player, game.summary.seats[decision.seat.index()].player);
                    assert_eq!(legal[decision.choice], m, "the decision is what was played");
                    let mut covered = decision.candidates.clone();
                    covered.sort_unstable();
                    assert_eq!(covered, (0..legal.len()).collect::<Vec<_>>(), "every legal move once");
                    assert_eq!(decision.policy.is_some(), decision.player == 0, "random play has no policy");
                    if let Some(policy) = &decision.policy {
                        assert!((policy.iter().sum::<f32>() - 1.0).abs() < 1e-3, "{policy:?}");
                    }
                } else {
                    let opening = ply < game.summary.opening_plies as usize;
                    assert!(
                        opening || legal.len() == 1,
                        "only opening moves and forced moves are not decisions"
                    );
                }
                position.play(m).unwrap();
            }
            assert!(next.next().is_none());
        }
    }
}

/// A pile of tokens with a pie rule: the first seat takes one or two, then the second may change seats instead of
/// moving. The participant in the first seat after that wins.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Pie {
    plies: u8,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum PieMove {
    Go,
    Swap,
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not now")]
struct NotNow;

impl Game for Pie {
    type Config = ();
    type Move = PieMove;
    type Change = ();
    type Illegal = NotNow;

    fn new((): &()) -> Self {
        Self { plies: 0 }
    }

    fn config(&self) {}

    fn seats(&self) -> usize {
        2
    }

    fn to_move(&self) -> Seat {
        Seat::new(usize::from(self.plies % 2 == 1))
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.plies == 6).then(|| Outcome::win(2, Seat::FIRST))
    }

    fn legal_moves(&self, moves: &mut Vec<PieMove>) {
        moves.clear();
        if self.plies < 6 {
            moves.push(PieMove::Go);
            moves.push(PieMove::Swap);
        }
    }

    fn check(&self, _: PieMove) -> Result<(), NotNow> {
        if self.plies < 6 { Ok(()) } else { Err(NotNow) }
    }

    fn play_unchecked(&mut self, _: PieMove, _: &mut impl Observer<Self>) {
        self.plies += 1;
    }

    fn key(&self) -> u64 {
        self.plies.into()
    }

    fn key_from_scratch(&self) -> u64 {
        self.key()
    }

    fn seat_after(&self, m: PieMove, seat: Seat) -> Seat {
        if m == PieMove::Swap { Seat::new(1 - seat.index()) } else { seat }
    }
}

#[test]
fn a_participant_that_changes_seats_keeps_its_agent_cost_and_rank() {
    let arena = Arena::new(Conditions::new(Pie::new(&()), 1), vec![random(), random()]);
    let mut swaps_seen = [0; 2];
    arena
        .play(
            &Schedule::of_match(2, 60, 5),
            Results::new(),
            &Stop::default(),
            |Played { summary, moves, .. }| {
                let swaps = |moves: &[PieMove]| moves.iter().filter(|&&m| m == PieMove::Swap).count() % 2;
                let exchanged = swaps(&moves);
                swaps_seen[exchanged] += 1;
                assert_eq!(summary.ranks(), if exchanged == 1 { [2, 1] } else { [1, 2] });
                let mut decisions = [0; 2];
                for ply in 1..moves.len() {
                    // The seat to move alternates; its participant depends on earlier swaps.
                    decisions[(ply + swaps(&moves[..ply])) % 2] += 1;
                }
                let spent: Vec<u64> = summary.seats.iter().map(|seat| seat.cost.unwrap().decisions).collect();
                assert_eq!(spent, decisions, "{moves:?}");
                Ok::<_, ()>(ControlFlow::Continue(()))
            },
        )
        .unwrap();
    assert!(swaps_seen.iter().all(|&games| games > 10), "{swaps_seen:?}");
}
