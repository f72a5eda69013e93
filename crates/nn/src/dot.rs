//! The output layer over squared activations, sixteen neurons at a time.

/// Neurons of a [`Block`]: as many as fit a vector register.
pub(crate) const LANES: usize = 16;

/// The largest activation: sums are clamped to this before they are squared.
pub(crate) const MOST: i16 = 255;

/// Sixteen neighbouring neurons of an accumulator, or their weights.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[repr(align(32))]
pub struct Block(pub(crate) [i16; LANES]);

impl Block {
    /// Adds the weights of a feature. Sums may pass the ends of the type on the way, but not in the end.
    #[inline]
    pub(crate) fn add(&mut self, weights: &Self) {
        for (sum, weight) in self.0.iter_mut().zip(weights.0) {
            *sum = sum.wrapping_add(weight);
        }
    }

    /// Subtracts the weights of a feature.
    #[inline]
    pub(crate) fn subtract(&mut self, weights: &Self) {
        for (sum, weight) in self.0.iter_mut().zip(weights.0) {
            *sum = sum.wrapping_sub(weight);
        }
    }
}

/// The sum over neurons of weight × activation², where a weight is at most 127 in size.
#[inline]
pub(crate) fn squared_dot(sums: &[Block], weights: &[Block]) -> i32 {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    {
        // SAFETY: the whole program is compiled for processors with AVX2.
        unsafe { avx2::squared_dot(sums, weights) }
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
    {
        scalar(sums, weights)
    }
}

/// The same, one neuron at a time.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
fn scalar(sums: &[Block], weights: &[Block]) -> i32 {
    let neurons = |blocks: &[Block]| blocks.iter().flat_map(|block| block.0).collect::<Vec<i16>>();
    let product = |(sum, weight): (i16, i16)| {
        let activation = i32::from(sum.clamp(0, MOST));
        activation * activation * i32::from(weight)
    };
    neurons(sums).into_iter().zip(neurons(weights)).map(product).sum()
}

// The compiler's own vectorisation of these loops gathers single neurons and takes ten times as many instructions.
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
mod avx2 {
    use std::arch::x86_64::{
        __m256i, _mm_add_epi32, _mm_cvtsi128_si32, _mm_shuffle_epi32, _mm256_add_epi32,
        _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_load_si256, _mm256_madd_epi16,
        _mm256_max_epi16, _mm256_min_epi16, _mm256_mullo_epi16, _mm256_set1_epi16, _mm256_setzero_si256,
    };

    use super::{Block, MOST};

    #[inline]
    #[target_feature(enable = "avx2")]
    fn load(block: &Block) -> __m256i {
        // SAFETY: a block has the size and the alignment of the register.
        unsafe { _mm256_load_si256((&raw const block.0).cast()) }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn squared_dot(sums: &[Block], weights: &[Block]) -> i32 {
        let (zero, most) = (_mm256_setzero_si256(), _mm256_set1_epi16(MOST));
        let mut total = zero;
        for (sums, weights) in sums.iter().zip(weights) {
            let clamped = _mm256_min_epi16(_mm256_max_epi16(load(sums), zero), most);
            // At most 255 × 127, which fits.
            let weighted = _mm256_mullo_epi16(clamped, load(weights));
            total = _mm256_add_epi32(total, _mm256_madd_epi16(weighted, clamped));
        }
        let four = _mm_add_epi32(_mm256_castsi256_si128(total), _mm256_extracti128_si256::<1>(total));
        let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
        _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<0b10_11_00_01>(two)))
    }
}

#[cfg(test)]
mod tests {
    use rand::Rng;
    use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

    use super::*;

    #[test]
    fn vectors_and_single_neurons_give_the_same_sums() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        for round in 0..2000 {
            let mut number = |most: i64| match rng.next_u64() % 8 {
                0 => most as i16,
                1 => -most as i16,
                _ => ((rng.next_u64() % (2 * most as u64 + 1)) as i64 - most) as i16,
            };
            let reach = if round % 2 == 0 { 300 } else { i64::from(i16::MAX) };
            let blocks = 1 + round % 8;
            let sums: Vec<Block> = (0..blocks).map(|_| Block([0; LANES].map(|_| number(reach)))).collect();
            let weights: Vec<Block> = (0..blocks).map(|_| Block([0; LANES].map(|_| number(127)))).collect();
            assert_eq!(squared_dot(&sums, &weights), scalar(&sums, &weights));
        }
    }
}
