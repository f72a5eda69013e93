//! Numbers to start from.

use rand::Rng;

use crate::Scalar;

/// A number drawn uniformly from (−`bound`, `bound`).
pub(crate) fn uniform<T: Scalar>(rng: &mut impl Rng, bound: f64) -> T {
    // 53 bits make a double evenly spread over [0, 1).
    let unit = (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
    T::from_f64(bound * (2.0 * unit - 1.0))
}
