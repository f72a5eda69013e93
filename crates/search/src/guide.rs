//! What a tree search asks at its leaves.

use game::{Evaluate, Game, Places, Seat, Values, pick};
use rand::{Rng, SeedableRng};

/// A position to be judged, and the answer.
#[derive(Clone, Debug)]
pub struct Leaf<G: Game> {
    /// The position: under way, with a choice.
    pub position: G,
    /// Its legal moves, two at least.
    pub moves: Vec<G::Move>,
    /// Answer: what each seat can expect, in [−1, 1].
    pub values: Values,
    /// Answer: one for each move, the higher the more promising; their softmax is the prior. Comes in empty.
    pub logits: Vec<f32>,
    /// Answer: the moves of the game that gave the values, from here on, and who chose them; empty if there was none.
    /// All-moves-as-first statistics learn from them.
    pub sample: Vec<(Seat, G::Move)>,
}

impl<G: Game> Leaf<G> {
    /// A leaf not judged yet.
    pub fn new(position: G, moves: Vec<G::Move>) -> Self {
        Self { position, moves, values: Values::default(), logits: Vec::new(), sample: Vec::new() }
    }
}

/// Judges leaves: values for all seats and, if it has an opinion on moves, their logits.
///
/// Leaves come in batches, as many as a search has waiting: one at a time from a search that does not look ahead of
/// its answers. The answer to a leaf does not depend on what else is in its batch.
///
/// Most leaves are never come back to, so a guide whose opinion on moves costs extra gives it in
/// [`prefer`](Guide::prefer), and one that gets values and logits in one go, such as a network, fills in both at once.
pub trait Guide<G: Game> {
    /// Fills in the values, and the logits if they cost nothing more.
    fn judge(&mut self, leaves: &mut [Leaf<G>]);

    /// Fills in the logits of a leaf that was judged without and is come back to. Left empty, all moves look alike.
    fn prefer(&mut self, leaf: &mut Leaf<G>) {
        let _ = leaf;
    }

    /// Starts again from another seed, so that two copies do not draw the same numbers. Does nothing to guides that
    /// draw none.
    fn reseed(&mut self, seed: u64) {
        let _ = seed;
    }
}

/// Values by an evaluator; all moves look alike.
#[derive(Clone, Debug)]
pub struct Flat<E>(pub E);

impl<G: Game, E: Evaluate<G>> Guide<G> for Flat<E> {
    fn judge(&mut self, leaves: &mut [Leaf<G>]) {
        for leaf in leaves {
            leaf.values = self.0.values(&leaf.position);
        }
    }
}

/// Values by an evaluator, and logits by its opinion of the position after each move.
#[derive(Clone, Debug)]
pub struct Sighted<E> {
    /// Judges positions.
    pub evaluator: E,
    /// How much one unit of value counts in a logit.
    pub sharpness: f32,
}

impl<G: Game, E: Evaluate<G>> Guide<G> for Sighted<E> {
    fn judge(&mut self, leaves: &mut [Leaf<G>]) {
        for leaf in leaves {
            leaf.values = self.evaluator.values(&leaf.position);
        }
    }

    fn prefer(&mut self, leaf: &mut Leaf<G>) {
        let root = &leaf.position;
        let mover = root.to_move();
        let evaluator = &mut self.evaluator;
        leaf.logits.extend(leaf.moves.iter().map(|&m| {
            let (mut child, mut places) = (root.clone(), Places::default());
            places.follow(root, m);
            child.play_unchecked(m, &mut ());
            self.sharpness * evaluator.values(&child).of(places.of(mover))
        }));
    }
}

/// Values by one random game; all moves look alike.
#[derive(Clone, Debug)]
pub struct Rollout<R> {
    rng: R,
}

impl<R: Rng> Rollout<R> {
    /// A guide that draws its games from `rng`.
    pub fn new(rng: R) -> Self {
        Self { rng }
    }
}

impl<G: Game, R: Rng + SeedableRng> Guide<G> for Rollout<R> {
    fn judge(&mut self, leaves: &mut [Leaf<G>]) {
        let mut moves = Vec::new();
        for leaf in leaves {
            let (end, places) = wander(leaf, u32::MAX, &mut self.rng, &mut moves);
            let values = end.outcome().map(|outcome| outcome.values()).unwrap_or_default();
            leaf.values = places.told_before(values);
        }
    }

    fn reseed(&mut self, seed: u64) {
        self.rng = R::seed_from_u64(seed);
    }
}

/// Plays that many random moves, steps without a choice not counted, and says where everybody sits then.
fn wander<G: Game>(leaf: &Leaf<G>, plies: u32, rng: &mut impl Rng, moves: &mut Vec<G::Move>) -> (G, Places) {
    let (mut position, mut places) = (leaf.position.clone(), Places::default());
    let mut left = plies;
    // The list of the leaf is wanted afterwards.
    moves.clone_from(&leaf.moves);
    while !moves.is_empty() && (left > 0 || moves.len() == 1) {
        left -= u32::from(moves.len() > 1);
        let m = moves[pick(rng, moves.len())];
        places.follow(&position, m);
        position.play_unchecked(m, &mut ());
        position.legal_moves(moves);
    }
    (position, places)
}

/// Values by an evaluator after a few random moves, or by the end of the game if that comes first; all moves look
/// alike.
#[derive(Clone, Debug)]
pub struct ShortRollout<E, R> {
    evaluator: E,
    plies: u32,
    rng: R,
}

impl<E, R: Rng> ShortRollout<E, R> {
    /// A guide that asks `evaluator` after `plies` moves drawn from `rng`. Steps without a choice are not counted.
    pub fn new(evaluator: E, plies: u32, rng: R) -> Self {
        Self { evaluator, plies, rng }
    }
}

impl<G: Game, E: Evaluate<G>, R: Rng + SeedableRng> Guide<G> for ShortRollout<E, R> {
    fn judge(&mut self, leaves: &mut [Leaf<G>]) {
        let mut moves = Vec::new();
        for leaf in leaves {
            let (end, places) = wander(leaf, self.plies, &mut self.rng, &mut moves);
            let outcome = end.outcome();
            let values = outcome.map_or_else(|| self.evaluator.values(&end), |outcome| outcome.values());
            leaf.values = places.told_before(values);
        }
    }

    fn reseed(&mut self, seed: u64) {
        self.rng = R::seed_from_u64(seed);
    }
}
