//! The softmax over seats, with the same bits on every machine.

use game::MAX_SEATS;

/// The values of the first `seats` seats: twice their share of the softmax, less one.
#[inline]
pub(crate) fn softmax_values(logits: [f32; MAX_SEATS], seats: usize) -> [f32; MAX_SEATS] {
    let mut values = [0.0; MAX_SEATS];
    if seats == 2 {
        // One seat's value is exactly the negative of the other's.
        let lead = logits[0] - logits[1];
        let ratio = exp(-lead.abs());
        let value = ((1.0 - ratio) / (1.0 + ratio)).copysign(lead);
        (values[0], values[1]) = (value, -value);
        return values;
    }
    let most = logits[..seats].iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for (value, logit) in values[..seats].iter_mut().zip(logits) {
        *value = exp(logit - most);
        sum += *value;
    }
    values[..seats].iter_mut().for_each(|value| *value = 2.0 * *value / sum - 1.0);
    values
}

/// The exponential of a number that is not positive, to about seven digits; 0 below −80.
///
/// It does not call the mathematics library, whose results differ in the last bit between systems.
#[inline]
fn exp(x: f32) -> f32 {
    if x < -80.0 {
        return 0.0;
    }
    let scaled = x * std::f32::consts::LOG2_E;
    // Truncation rounds to the nearest whole number, since the argument is negative.
    let whole = (scaled - 0.5) as i32;
    let rest = (scaled - whole as f32) * std::f32::consts::LN_2;
    // The Taylor polynomial; the argument is at most 0.35 in size.
    let mut power = 1.0 / 720.0;
    for coefficient in [1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        power = power * rest + coefficient;
    }
    power * f32::from_bits(((whole + 127) as u32) << 23)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exponential_is_exact_to_six_digits() {
        for step in 0..=8000 {
            let x = -f64::from(step) / 100.0;
            let (found, exact) = (f64::from(exp(x as f32)), f64::from(x as f32).exp());
            // Scaling the argument costs as many digits as it has before the point.
            assert!((found - exact).abs() <= exact * 1e-6 * (1.0 - x), "{x}: {found} {exact}");
        }
        assert_eq!(exp(0.0).to_bits(), 1.0_f32.to_bits());
        assert_eq!(exp(-1000.0).to_bits(), 0.0_f32.to_bits());
    }

    #[test]
    fn values_are_those_of_the_softmax() {
        for (logits, seats) in [
            ([1.5, -0.25, 0.0, 0.0], 2),
            ([-7.0, 3.0, 0.0, 0.0], 2),
            ([0.1, 0.2, 0.3, 0.0], 3),
            ([-50.0, 20.0, 19.0, 100.0], 4),
        ] {
            let values = softmax_values(logits, seats);
            let mut exact = logits.map(f64::from);
            nn::softmax(&mut exact[..seats]);
            for (value, share) in values[..seats].iter().zip(exact) {
                assert!((f64::from(*value) - (2.0 * share - 1.0)).abs() < 1e-6, "{values:?}");
            }
            assert!(values[seats..].iter().all(|value| value.to_bits() == 0), "{values:?}");
        }
        let [one, other, ..] = softmax_values([0.123, -4.56, 0.0, 0.0], 2);
        assert_eq!(one.to_bits(), (-other).to_bits());
    }
}
