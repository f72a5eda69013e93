//! The numbers that networks compute with.

use std::{
    fmt::Debug,
    iter::Sum,
    ops::{Add, AddAssign, Div, Mul, Neg, Sub},
};

use crate::matrix::Multiply;

/// Numbers of 32 or 64 bits: `f32` for training and play, `f64` for checking gradients against finite differences.
pub trait Scalar:
    Copy
    + Debug
    + Default
    + PartialOrd
    + Send
    + Sync
    + Add<Output = Self>
    + AddAssign
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + Sum
    + Multiply
    + 'static
{
    /// The neutral element of addition.
    const ZERO: Self;
    /// The neutral element of multiplication.
    const ONE: Self;

    /// The nearest number of this type.
    fn from_f64(value: f64) -> Self;

    /// The same number in double precision.
    fn to_f64(self) -> f64;

    /// The exponential function.
    #[must_use]
    fn exp(self) -> Self;

    /// The natural logarithm.
    #[must_use]
    fn ln(self) -> Self;

    /// The square root.
    #[must_use]
    fn sqrt(self) -> Self;

    /// `self · factor + addend`, rounded once.
    #[must_use]
    fn mul_add(self, factor: Self, addend: Self) -> Self;

    /// The larger of two numbers.
    #[must_use]
    fn max(self, other: Self) -> Self;

    /// The nearest number within the interval.
    #[must_use]
    fn clamp(self, least: Self, most: Self) -> Self;
}

macro_rules! scalar {
    ($real:ty) => {
        impl Scalar for $real {
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;

            #[inline]
            fn from_f64(value: f64) -> Self {
                value as Self
            }

            #[inline]
            fn to_f64(self) -> f64 {
                self.into()
            }

            #[inline]
            fn exp(self) -> Self {
                self.exp()
            }

            #[inline]
            fn ln(self) -> Self {
                self.ln()
            }

            #[inline]
            fn sqrt(self) -> Self {
                self.sqrt()
            }

            #[inline]
            fn mul_add(self, factor: Self, addend: Self) -> Self {
                self.mul_add(factor, addend)
            }

            #[inline]
            fn max(self, other: Self) -> Self {
                self.max(other)
            }

            #[inline]
            fn clamp(self, least: Self, most: Self) -> Self {
                self.clamp(least, most)
            }
        }
    };
}

scalar!(f32);
scalar!(f64);
