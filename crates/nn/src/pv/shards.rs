//! One batch, shared by several threads.

use super::{PvInput, PvKernels, PvLosses, PvNet, PvTarget, PvWeights, PvWorkspace, backward::PvGradient};

/// The buffers of threads that compute the gradient of a batch together.
///
/// Each thread has its part of the batch and a gradient of its own, and the parts are added in order. So the same number
/// of threads finds the same bits.
#[derive(Clone, Debug)]
pub struct PvShards {
    shards: Vec<(PvGradient<f32>, PvWorkspace<f32>)>,
}

impl PvShards {
    /// Buffers for `threads` threads and networks like that of `kernels`.
    pub fn new(kernels: &PvKernels<f32>, threads: usize) -> Self {
        // About a thousand cells at a time stay in the cache of one core.
        let capacity = (1024 / kernels.grid.cells()).max(1);
        let shard = |_| (kernels.no_gradient(), kernels.workspace(capacity));
        Self { shards: (0..threads.max(1)).map(shard).collect() }
    }

    /// The mean gradient of a batch, by the positions' weights, and the sums of its losses. `kernels` is the network
    /// [prepared for learning](PvKernels::for_learning).
    ///
    /// # Panics
    /// If the network was prepared for play only, or a position has other sizes than the network.
    pub fn gradient(
        &mut self,
        kernels: &PvKernels<f32>,
        positions: &[(&PvInput<f32>, &PvTarget<f32>)],
        weights: &PvWeights,
    ) -> (PvNet<f32>, PvLosses) {
        let part = positions.len().div_ceil(self.shards.len()).max(1);
        let work = |(gradient, workspace): &mut (PvGradient<f32>, PvWorkspace<f32>), positions: &[_]| {
            gradient.clear();
            kernels.accumulate(positions, weights, gradient, workspace)
        };
        let mut losses = PvLosses::default();
        std::thread::scope(|scope| {
            let mut shards = self.shards.iter_mut().zip(positions.chunks(part));
            // The first part is this thread's own.
            let own = shards.next();
            let others: Vec<_> =
                shards.map(|(shard, positions)| scope.spawn(move || work(shard, positions))).collect();
            if let Some((shard, positions)) = own {
                losses.add(&work(shard, positions));
            }
            for other in others {
                losses.add(&other.join().expect("a thread that computes a gradient does not panic"));
            }
        });
        let used = positions.len().div_ceil(part).max(1);
        let (first, others) = self.shards[..used].split_first_mut().expect("there is at least one shard");
        for other in others {
            first.0.add(&other.0);
        }
        if positions.is_empty() {
            first.0.clear();
        }
        let scale = if losses.weight > 0.0 { 1.0 / losses.weight } else { 0.0 };
        (kernels.finish(&first.0, scale as f32), losses)
    }
}
