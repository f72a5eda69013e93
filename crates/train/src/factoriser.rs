//! Features of a kind learn from each other.
//!
//! The weights of a feature are a part of its own plus a part that all features of its kind share, such as a stack of a
//! certain height on any cell. The shared part learns from every one of them, so a feature that is rare in its place is
//! not left with the weights it started with. A network holds the sums: play and files do not know about shared parts.

use nn::{Nnue, NnueShape};

use crate::learner::Parameters;

/// A network, or its gradient, with what its shared parts gain in a step. That is zero between steps, since it is added
/// to the weights of all features at once.
#[derive(Clone, PartialEq, Debug)]
pub struct FactorisedNnue {
    /// The network.
    pub net: Nnue<f32>,
    /// One row of weights per kind.
    gain: Vec<f32>,
}

impl Parameters for FactorisedNnue {
    fn parameters(&self) -> Vec<(String, &[f32])> {
        let mut all = self.net.parameters();
        all.push(("input.shared".to_owned(), &self.gain));
        all
    }

    fn parameters_mut(&mut self) -> Vec<&mut [f32]> {
        let mut all = self.net.parameters_mut();
        all.push(&mut self.gain);
        all
    }
}

/// Which features share a part of their weights.
#[derive(Clone, PartialEq, Debug)]
pub struct Factoriser {
    /// Features that have a kind, with their kinds.
    features: Vec<(usize, usize)>,
    kinds: usize,
}

impl Factoriser {
    /// A factoriser for features of these kinds, as in [`FeatureSet::kinds`](eval::FeatureSet::kinds).
    pub fn new(kinds: &[Option<u16>]) -> Self {
        let with_kind = |(feature, kind): (usize, &Option<u16>)| kind.map(|kind| (feature, kind.into()));
        let count = kinds.iter().flatten().max().map_or(0, |&last| usize::from(last) + 1);
        Self { features: kinds.iter().enumerate().filter_map(with_kind).collect(), kinds: count }
    }

    /// A network or gradient of zeros.
    pub fn zeros(&self, shape: &NnueShape) -> FactorisedNnue {
        self.factorise(Nnue::zeros(shape))
    }

    /// A network whose shared parts have gained nothing yet.
    pub fn factorise(&self, net: Nnue<f32>) -> FactorisedNnue {
        let gain = vec![0.0; self.kinds * net.shape.hidden];
        FactorisedNnue { net, gain }
    }

    /// Gives all features of a kind the weights of its first feature.
    pub fn equalise(&self, net: &mut Nnue<f32>) {
        let hidden = net.shape.hidden;
        let mut first = vec![None; self.kinds];
        for &(feature, kind) in &self.features {
            let start = *first[kind].get_or_insert(feature) * hidden;
            net.input.weights.copy_within(start..start + hidden, feature * hidden);
        }
    }

    /// Completes the gradient of a network by that of the shared parts: the sum over the features of a kind.
    pub fn sum_slopes(&self, gradient: &mut FactorisedNnue) {
        let FactorisedNnue { net, gain } = gradient;
        gain.fill(0.0);
        for &(feature, kind) in &self.features {
            let row = row(&mut net.input.weights, feature, net.shape.hidden);
            add(self::row(gain, kind, net.shape.hidden), row);
        }
    }

    /// Moves the weights of every feature towards the mean of its kind, by this share of the distance.
    pub fn shrink_own(&self, net: &mut Nnue<f32>, share: f32) {
        let hidden = net.shape.hidden;
        let (mut means, mut counts) = (vec![0.0; self.kinds * hidden], vec![0.0; self.kinds]);
        for &(feature, kind) in &self.features {
            add(row(&mut means, kind, hidden), row(&mut net.input.weights, feature, hidden));
            counts[kind] += 1.0;
        }
        for (means, count) in means.chunks_exact_mut(hidden).zip(counts) {
            for mean in means {
                *mean /= count;
            }
        }
        for &(feature, kind) in &self.features {
            let means = row(&mut means, kind, hidden);
            for (weight, mean) in row(&mut net.input.weights, feature, hidden).iter_mut().zip(means) {
                *weight += share * (*mean - *weight);
            }
        }
    }

    /// Adds what the shared parts gained to all features of their kinds.
    pub fn spread_gain(&self, net: &mut FactorisedNnue) {
        let FactorisedNnue { net, gain } = net;
        for &(feature, kind) in &self.features {
            let gain = row(gain, kind, net.shape.hidden);
            add(row(&mut net.input.weights, feature, net.shape.hidden), gain);
        }
        gain.fill(0.0);
    }
}

/// Row `index` of a table with rows of `hidden` numbers.
fn row(table: &mut [f32], index: usize, hidden: usize) -> &mut [f32] {
    &mut table[index * hidden..(index + 1) * hidden]
}

fn add(sums: &mut [f32], terms: &[f32]) {
    for (sum, &term) in sums.iter_mut().zip(terms) {
        *sum += term;
    }
}

#[cfg(test)]
mod tests {
    use nn::Activation;
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
            scalars: 0,
        };
        let net = Nnue::random(&shape, 2, &mut Xoshiro256PlusPlus::seed_from_u64(1));
        (Factoriser::new(&[Some(0), None, Some(0), Some(1)]), net)
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
        let (factoriser, mut net) = example();
        net.input.weights = (0..12).map(|weight| weight as f32).collect();
        let mut gradient = factoriser.factorise(net);
        factoriser.sum_slopes(&mut gradient);
        assert_eq!(gradient.gain, [6.0, 8.0, 10.0, 9.0, 10.0, 11.0]);
    }

    #[test]
    fn what_a_feature_has_of_its_own_shrinks_and_the_mean_of_its_kind_stays() {
        let (factoriser, mut net) = example();
        net.input.weights = vec![0.0, 4.0, -2.0, 7.0, 7.0, 7.0, 2.0, 0.0, -2.0, 5.0, 5.0, 5.0];
        factoriser.shrink_own(&mut net, 0.25);
        assert_eq!(net.input.weights, [0.25, 3.5, -2.0, 7.0, 7.0, 7.0, 1.75, 0.5, -2.0, 5.0, 5.0, 5.0]);
    }

    #[test]
    fn what_a_shared_part_gains_is_added_to_all_its_features_once() {
        let (factoriser, net) = example();
        let mut after = factoriser.factorise(net.clone());
        after.gain[1] = 0.5;
        factoriser.spread_gain(&mut after);
        factoriser.spread_gain(&mut after);
        let expected = [0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0];
        for ((after, before), gained) in after.net.input.weights.iter().zip(&net.input.weights).zip(expected)
        {
            assert!((after - before - gained).abs() < 1e-6, "{after} after {before}");
        }
    }
}
