//! What a tree search asks at its leaves.

use game::{Evaluate, Game, Places, Values, play_out};
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
    /// Answer: one for each move, the higher the more promising; their softmax is the prior. Comes in empty, and
    /// left empty means that all moves look alike.
    pub logits: Vec<f32>,
}

impl<G: Game> Leaf<G> {
    /// A leaf not judged yet.
    pub fn new(position: G, moves: Vec<G::Move>) -> Self {
        Self { position, moves, values: Values::default(), logits: Vec::new() }
    }
}

/// Judges leaves: values for all seats and, if it has an opinion on moves, their logits.
///
/// Leaves come in batches, as many as a search has waiting: one at a time from a search that does not look ahead of
/// its answers. The answer to a leaf does not depend on what else is in its batch.
pub trait Guide<G: Game> {
    /// Fills in the answers.
    fn judge(&mut self, leaves: &mut [Leaf<G>]);

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
            let root = &leaf.position;
            leaf.values = self.evaluator.values(root);
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
        // The lists of the leaves are wanted afterwards, so the games have one of their own.
        let mut moves = Vec::new();
        for leaf in leaves {
            let mut position = leaf.position.clone();
            play_out(&mut position, &mut self.rng, &mut moves);
            leaf.values = position.outcome().map(|outcome| outcome.values()).unwrap_or_default();
        }
    }

    fn reseed(&mut self, seed: u64) {
        self.rng = R::seed_from_u64(seed);
    }
}
