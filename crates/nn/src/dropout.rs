//! Dropout, with masks that the caller draws.

use crate::Scalar;

/// Sets the values that `mask` does not keep to zero, and scales the others so that their expectation stays the same.
///
/// The layer is linear, so the same call takes the gradient with respect to its outputs to that with respect to its inputs.
/// Networks that play leave it out.
///
/// # Panics
/// If there are not as many entries in the mask as values, or the share that is kept is not in (0, 1].
pub fn dropout<T: Scalar>(values: &mut [T], mask: &[bool], kept: f64) {
    assert_eq!(values.len(), mask.len(), "one entry per value");
    assert!(kept > 0.0 && kept <= 1.0, "{kept} is not a share of values to keep");
    let scale = T::from_f64(1.0 / kept);
    for (value, &keep) in values.iter_mut().zip(mask) {
        *value = if keep { *value * scale } else { T::ZERO };
    }
}

#[cfg(test)]
mod tests {
    use rand::Rng;
    use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

    use super::*;

    #[test]
    fn expectations_stay_and_gradients_are_those_of_differences() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mask: Vec<bool> = (0..10_000).map(|_| rng.next_u64() % 4 != 0).collect();
        let mut values = vec![2.0_f64; mask.len()];
        dropout(&mut values, &mask, 0.75);
        assert!((values.iter().sum::<f64>() / 10_000.0 - 2.0).abs() < 0.05);
        assert!(values.iter().zip(&mask).all(|(&value, &keep)| (value > 0.0) == keep));
        // The sum of the outputs, whose gradient is one everywhere, before and after a step of one input.
        let mut slopes = vec![1.0_f64; mask.len()];
        dropout(&mut slopes, &mask, 0.75);
        for index in 0..100 {
            let mut other = vec![2.0_f64; mask.len()];
            other[index] += 1.0;
            dropout(&mut other, &mask, 0.75);
            assert!((other[index] - values[index] - slopes[index]).abs() < 1e-12);
        }
    }
}
