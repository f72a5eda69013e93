//! What training makes small.

use crate::Scalar;

/// Replaces `logits` by their softmax.
pub fn softmax<T: Scalar>(logits: &mut [T]) {
    let most = logits.iter().copied().fold(logits[0], Scalar::max);
    let mut sum = T::ZERO;
    for logit in logits.iter_mut() {
        *logit = (*logit - most).exp();
        sum += *logit;
    }
    for share in logits {
        *share = *share / sum;
    }
}

/// Cross-entropy of the softmax of `logits` against the distribution `target`, less the entropy of `target`: 0 exactly
/// where both are equal. Writes the gradient with respect to the logits to `slopes`.
pub fn softmax_cross_entropy<T: Scalar>(logits: &[T], target: &[T], slopes: &mut [T]) -> T {
    slopes.copy_from_slice(logits);
    let most = logits.iter().copied().fold(logits[0], Scalar::max);
    let log_sum = most + logits.iter().map(|&logit| (logit - most).exp()).sum::<T>().ln();
    softmax(slopes);
    let mut loss = T::ZERO;
    for ((slope, &share), &logit) in slopes.iter_mut().zip(target).zip(logits) {
        if share > T::ZERO {
            loss += share * (share.ln() - (logit - log_sum));
        }
        *slope = *slope - share;
    }
    loss
}
