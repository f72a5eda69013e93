//! Loops over the widest registers of the processor.

/// Work on long lists of numbers.
///
/// It is compiled twice, for every processor and for those with AVX-512. Both find the same bits, because neither the order
/// of operations nor their rounding depends on the width of registers.
pub(crate) trait Work {
    /// Does the work. `wide` says that sixteen numbers fit a register. Implementations are always inlined, because only
    /// then are they compiled for wide registers.
    fn run(self, wide: bool);
}

/// Does the work with the widest registers that this processor has.
pub(crate) fn run(work: impl Work) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx512f") {
        // SAFETY: the processor has AVX-512F.
        return unsafe { run_wide(work) };
    }
    run_anywhere(work);
}

/// The same on any processor.
pub(crate) fn run_anywhere(work: impl Work) {
    work.run(false);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn run_wide(work: impl Work) {
    work.run(true);
}

/// Evaluates `$call` for lanes of 16 (if `$wide`), 8, 4 and 1 channels that cover all `$channels`; `$channel` is the first
/// channel of the lane and `$length` a constant.
macro_rules! each_lane {
    ($wide:expr, $channels:expr, |$channel:ident, $length:ident| $call:expr) => {{
        let mut $channel = 0;
        if $wide {
            while $channel + 16 <= $channels {
                const $length: usize = 16;
                $call;
                $channel += 16;
            }
        }
        while $channel + 8 <= $channels {
            const $length: usize = 8;
            $call;
            $channel += 8;
        }
        if $channel + 4 <= $channels {
            const $length: usize = 4;
            $call;
            $channel += 4;
        }
        while $channel < $channels {
            const $length: usize = 1;
            $call;
            $channel += 1;
        }
    }};
}

pub(crate) use each_lane;
