//! Larger networks that start from smaller ones.

use nn::{Nnue, Scalar};

/// Gives `net` the weights of a smaller network, so that both give the same logits: one with fewer neurons, without scalars, or
/// with fewer heads, each of which becomes several. Additional neurons keep their input weights; the output weights of
/// additional neurons and scalars become 0. Returns `false`, and changes nothing, if `from` is no such network.
pub(crate) fn grow<T: Scalar>(net: &mut Nnue<T>, from: &Nnue<T>) -> bool {
    let (shape, small) = (&net.shape, &from.shape);
    let fits = shape.features == small.features
        && shape.activation == small.activation
        && shape.layers.is_empty()
        && small.layers.is_empty()
        && shape.hidden >= small.hidden
        && shape.buckets.is_multiple_of(small.buckets)
        && [0, shape.scalars].contains(&small.scalars);
    if !fits {
        return false;
    }
    let (hidden, narrow) = (shape.hidden, small.hidden);
    let rows = net.input.weights.chunks_exact_mut(hidden);
    for (row, known) in rows.zip(from.input.weights.chunks_exact(narrow)) {
        row[..narrow].copy_from_slice(known);
    }
    net.input.biases[..narrow].copy_from_slice(&from.input.biases);
    for (bucket, head) in net.heads.iter_mut().enumerate() {
        let known = &from.heads[bucket % small.buckets][0];
        let (neurons, scalars) = known.weights.split_at(narrow);
        let weights = &mut head[0].weights;
        weights.fill(T::ZERO);
        weights[..narrow].copy_from_slice(neurons);
        weights[hidden..hidden + scalars.len()].copy_from_slice(scalars);
        head[0].biases.copy_from_slice(&known.biases);
    }
    true
}

#[cfg(test)]
mod tests {
    use nn::{Activation, NnueShape, Workspace};
    use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

    use super::*;

    #[test]
    fn a_grown_network_gives_the_same_logits() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(8);
        let activation = Activation::SquaredClippedRelu;
        let small =
            NnueShape { features: 9, hidden: 6, activation, layers: Vec::new(), buckets: 2, scalars: 0 };
        let from = Nnue::<f64>::random(&small, 4, &mut rng);
        let perspectives: [&[u16]; 2] = [&[0, 3, 8], &[1, 3]];
        for (hidden, buckets, scalars) in [(6, 2, 0), (9, 2, 0), (6, 4, 0), (6, 2, 3), (9, 6, 3)] {
            let shape = NnueShape { hidden, buckets, scalars, ..small.clone() };
            let mut net = Nnue::<f64>::random(&shape, 4, &mut rng);
            assert!(grow(&mut net, &from));
            let numbers: Vec<f64> = (0..2 * scalars).map(|number| number as f64 - 1.5).collect();
            for head in 0..buckets as u8 {
                let (mut large, mut workspace) = (Workspace::new(&shape), Workspace::new(&small));
                let grown = net.logits(&perspectives, &numbers, &[head, 0], &mut large);
                let expected = from.logits(&perspectives, &[], &[head % 2, 0], &mut workspace);
                for (logit, expected) in grown.iter().zip(expected) {
                    assert!((logit - expected).abs() < 1e-12, "{shape:?}: {logit}, {expected}");
                }
            }
        }
        for (hidden, buckets, layers) in [(5, 2, vec![]), (6, 3, vec![]), (6, 2, vec![4])] {
            let shape = NnueShape { hidden, buckets, layers, ..small.clone() };
            let mut net = Nnue::<f64>::random(&shape, 4, &mut rng);
            let before = net.clone();
            assert!(!grow(&mut net, &from), "{shape:?}");
            assert_eq!(net, before);
        }
    }
}
