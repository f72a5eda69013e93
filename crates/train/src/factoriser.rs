//! Features of a kind learn from each other.
//!
//! The weights of a feature are a part of its own plus a part that all features of its kind share, such as a stack of a
//! certain height on any cell. The shared part learns from every one of them, so a feature that is rare in its place is
//! not left with the weights it started with. The network holds the sums: play and files do not know about it.

use nn::Nnue;

/// The shared parts of the weights of features.
#[derive(Clone, PartialEq, Debug)]
pub struct Factoriser {
    kinds: Vec<Option<u16>>,
    /// One row of weights per kind.
    pub shared: Vec<f32>,
}

impl Factoriser {
    /// A factoriser for features of these kinds, with shared parts of `hidden` zeros.
    pub fn new(kinds: Vec<Option<u16>>, hidden: usize) -> Self {
        let count = kinds.iter().flatten().max().map_or(0, |&last| usize::from(last) + 1);
        Self { kinds, shared: vec![0.0; count * hidden] }
    }

    /// Gives all features of a kind the weights of its first feature.
    pub fn equalise(&self, net: &mut Nnue<f32>) {
        let hidden = net.shape.hidden;
        let mut first = vec![None; self.shared.len() / hidden];
        for (feature, kind) in self.features() {
            let start = *first[kind].get_or_insert(feature);
            net.input.weights.copy_within(start * hidden..(start + 1) * hidden, feature * hidden);
        }
    }

    /// The gradient of the shared parts, given that of the sums.
    pub fn slopes(&self, gradient: &Nnue<f32>) -> Vec<f32> {
        let hidden = gradient.shape.hidden;
        let mut slopes = vec![0.0; self.shared.len()];
        for (feature, kind) in self.features() {
            let row = &gradient.input.weights[feature * hidden..(feature + 1) * hidden];
            add(&mut slopes[kind * hidden..(kind + 1) * hidden], row);
        }
        slopes
    }

    /// Adds what the shared parts gained since they were `before` to the sums.
    pub fn update(&self, before: &[f32], net: &mut Nnue<f32>) {
        let hidden = net.shape.hidden;
        let gained: Vec<f32> = self.shared.iter().zip(before).map(|(now, before)| now - before).collect();
        for (feature, kind) in self.features() {
            let row = &mut net.input.weights[feature * hidden..(feature + 1) * hidden];
            add(row, &gained[kind * hidden..(kind + 1) * hidden]);
        }
    }

    /// Features that have a kind.
    fn features(&self) -> impl Iterator<Item = (usize, usize)> {
        let with_kind =
            |(feature, kind): (usize, &Option<u16>)| kind.map(|kind| (feature, usize::from(kind)));
        self.kinds.iter().enumerate().filter_map(with_kind)
    }
}

fn add(sums: &mut [f32], terms: &[f32]) {
    for (sum, &term) in sums.iter_mut().zip(terms) {
        *sum += term;
    }
}

#[cfg(test)]
mod tests {
    use nn::{Activation, NnueShape};
    use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

    use super::*;

    /// Four features: two of kind 0, one without a kind, one of kind 1.
    fn example() -> (Factoriser, Nnue<f32>) {
        let shape = NnueShape {
            features: 4,
            hidden: 3,
            activation: Activation::SquaredClippedRelu,
            layers: Vec::new(),
            buckets: 1,
        };
        let net = Nnue::random(&shape, 2, &mut Xoshiro256PlusPlus::seed_from_u64(1));
        (Factoriser::new(vec![Some(0), None, Some(0), Some(1)], 3), net)
    }

    #[test]
    fn features_of_a_kind_start_equal() {
        let (factoriser, mut net) = example();
        let before = net.clone();
        factoriser.equalise(&mut net);
        assert_eq!(net.input.row(2), before.input.row(0));
        for feature in [0, 1, 3] {
            assert_eq!(net.input.row(feature), before.input.row(feature), "feature {feature}");
        }
    }

    #[test]
    fn the_gradient_of_a_shared_part_is_the_sum_over_its_features() {
        let (factoriser, mut gradient) = example();
        gradient.input.weights = (0..12).map(|weight| weight as f32).collect();
        assert_eq!(factoriser.slopes(&gradient), [6.0, 8.0, 10.0, 9.0, 10.0, 11.0]);
    }

    #[test]
    fn what_a_shared_part_gains_is_added_to_all_its_features() {
        let (mut factoriser, mut net) = example();
        let (before, shared) = (net.clone(), factoriser.shared.clone());
        factoriser.shared[1] = 0.5;
        factoriser.update(&shared, &mut net);
        let gained: Vec<f32> =
            net.input.weights.iter().zip(&before.input.weights).map(|(now, before)| now - before).collect();
        let expected = [0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0];
        assert!(
            gained.iter().zip(expected).all(|(gained, wanted)| (gained - wanted).abs() < 1e-6),
            "{gained:?}"
        );
    }
}
