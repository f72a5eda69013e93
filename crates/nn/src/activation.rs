//! Activation functions and their derivatives.

use crate::Scalar;

/// What a neuron makes of its sum.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Activation {
    /// The sum clamped to \[0, 1\].
    ClippedRelu,
    /// The square of the sum clamped to \[0, 1\].
    SquaredClippedRelu,
}

impl Activation {
    /// Every activation function.
    pub const ALL: [Self; 2] = [Self::ClippedRelu, Self::SquaredClippedRelu];

    /// The name in model files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ClippedRelu => "crelu",
            Self::SquaredClippedRelu => "screlu",
        }
    }

    /// The activation function with this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|activation| activation.name() == name)
    }

    /// Writes the activations of `sums` to `outputs`, which has the same length.
    pub fn forward<T: Scalar>(self, sums: &[T], outputs: &mut [T]) {
        let clip = |sum: T| sum.clamp(T::ZERO, T::ONE);
        match self {
            Self::ClippedRelu => {
                outputs.iter_mut().zip(sums).for_each(|(output, &sum)| *output = clip(sum));
            }
            Self::SquaredClippedRelu => {
                outputs.iter_mut().zip(sums).for_each(|(output, &sum)| *output = clip(sum) * clip(sum));
            }
        }
    }

    /// Turns the gradient with respect to the outputs into that with respect to `sums`, in place.
    ///
    /// The derivative is 0 outside the open interval (0, 1).
    pub fn backward<T: Scalar>(self, sums: &[T], gradient: &mut [T]) {
        let inside = |sum: T| if sum > T::ZERO && sum < T::ONE { T::ONE } else { T::ZERO };
        match self {
            Self::ClippedRelu => {
                gradient.iter_mut().zip(sums).for_each(|(slope, &sum)| *slope = *slope * inside(sum));
            }
            Self::SquaredClippedRelu => gradient
                .iter_mut()
                .zip(sums)
                .for_each(|(slope, &sum)| *slope = *slope * inside(sum) * (sum + sum)),
        }
    }
}
