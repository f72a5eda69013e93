//! The backward pass.

use super::{PlaneActivation, PlaneHead, PlaneKernels, PlaneNet, PlaneWorkspace};
use crate::{
    Scalar,
    conv::{ConvKernel, sized},
    linear::add_scaled,
    pool::{POOLS, pool_backward},
    winograd::ConvSums,
};

/// Sums of gradients, with those of convolutions still transformed.
#[derive(Clone, PartialEq, Debug)]
pub struct PlaneGradient<T> {
    /// All weights but those of convolutions.
    net: PlaneNet<T>,
    /// The transformed weights of every convolution.
    convs: Vec<ConvSums<T>>,
}

/// A loss: called with the outputs of a board, its number, and room for the slopes of the loss with respect to the outputs.
pub type PlaneLoss<'l, T> = dyn FnMut(&[T], usize, &mut [T]) + 'l;

impl<T: Scalar> PlaneGradient<T> {
    /// Sets all sums to zero.
    pub fn clear(&mut self) {
        self.net.parameters_mut().into_iter().for_each(|group| group.fill(T::ZERO));
        self.convs.iter_mut().for_each(ConvSums::clear);
    }

    /// Adds the sums of another gradient.
    pub fn add(&mut self, other: &Self) {
        for (sum, (_, _, more)) in self.net.parameters_mut().into_iter().zip(other.net.parameters()) {
            add_scaled(sum, more, T::ONE);
        }
        for (sum, more) in self.convs.iter_mut().zip(&other.convs) {
            sum.add(more);
        }
    }
}

impl<T: Scalar> PlaneKernels<T> {
    /// A gradient of zeros.
    pub fn no_gradient(&self) -> PlaneGradient<T> {
        let convs = self.convs.iter().map(ConvKernel::no_gradient).collect();
        PlaneGradient { net: PlaneNet::zeros(&self.net.shape), convs }
    }

    /// The gradient with respect to the weights, times `scale`.
    pub fn finish(&self, gradient: &PlaneGradient<T>, scale: T) -> PlaneNet<T> {
        let mut net = gradient.net.clone();
        for ((kernel, transformed), conv) in self.convs.iter().zip(&gradient.convs).zip(&mut net.convs) {
            kernel.add_gradient(transformed, conv);
        }
        for group in net.parameters_mut() {
            for slope in group.iter_mut() {
                *slope = *slope * scale;
            }
        }
        net
    }

    /// Computes the outputs of boards and adds the gradients that follow from the slopes of `loss`.
    ///
    /// # Panics
    /// If the network was prepared for play only, or the planes are not those of whole boards.
    pub fn accumulate(
        &self,
        planes: &[T],
        gradient: &mut PlaneGradient<T>,
        workspace: &mut PlaneWorkspace<T>,
        loss: &mut PlaneLoss<'_, T>,
    ) {
        assert!(self.learning, "a network prepared for learning");
        let (inputs, size) = (self.inputs(), self.net.shape.outputs(self.grid.cells()));
        let capacity = workspace.capacity;
        let mut slopes = Vec::new();
        for (chunk, planes) in planes.chunks(capacity * inputs).enumerate() {
            let outputs = self.forward(planes, workspace);
            slopes.clear();
            slopes.resize(outputs.len(), T::ZERO);
            let boards = outputs.chunks_exact(size).zip(slopes.chunks_exact_mut(size));
            for (index, (outputs, slopes)) in boards.enumerate() {
                loss(outputs, chunk * capacity + index, slopes);
            }
            self.head_backward(&slopes, gradient, workspace);
            self.trunk_backward(planes, gradient, workspace);
        }
    }

    /// Takes the slopes of outputs to those of the last convolution's outputs, in `workspace.slopes[0]`.
    fn head_backward(
        &self,
        output_slopes: &[T],
        gradient: &mut PlaneGradient<T>,
        workspace: &mut PlaneWorkspace<T>,
    ) {
        let (net, grid, channels) = (&self.net, &self.grid, self.net.shape.channels);
        let size = net.shape.outputs(grid.cells());
        let boards = output_slopes.len() / size;
        let (board_size, pooled) = (grid.cells() * channels, POOLS * channels);
        let PlaneWorkspace { layers, pools, hidden, outputs, slopes, pool_slopes, .. } = workspace;
        let last = &layers[self.convs.len() - 1][..boards * board_size];
        let cells = sized(&mut slopes[0], boards * board_size);
        cells.fill(T::ZERO);
        let pool_slopes = sized(pool_slopes, boards * pooled);
        let mut short = vec![T::ZERO; channels];
        for board in 0..boards {
            let slopes = &output_slopes[board * size..][..size];
            let pools = &pools[board * pooled..][..pooled];
            let pool_slopes = &mut pool_slopes[board * pooled..][..pooled];
            match net.shape.head {
                PlaneHead::Value => {
                    let value = outputs[board];
                    let slope = slopes[0] * (T::ONE - value * value);
                    let hidden = &hidden[board * channels..][..channels];
                    net.readout.backward(hidden, &[slope], &mut gradient.net.readout, &mut short);
                    for (slope, &neuron) in short.iter_mut().zip(hidden) {
                        if neuron <= T::ZERO {
                            *slope = T::ZERO;
                        }
                    }
                    net.pooled.backward(pools, &short, &mut gradient.net.pooled, pool_slopes);
                }
                PlaneHead::Map => {
                    let (of_cells, pass) = slopes.split_at(size - 1);
                    net.pooled.backward(pools, pass, &mut gradient.net.pooled, pool_slopes);
                    let place = board * board_size;
                    let rows = last[place..].chunks_exact(channels);
                    let rows = rows.zip(cells[place..].chunks_exact_mut(channels)).zip(of_cells);
                    for ((cell, cell_slopes), &slope) in rows {
                        gradient.net.readout.biases[0] += slope;
                        add_scaled(&mut gradient.net.readout.weights, cell, slope);
                        add_scaled(cell_slopes, &net.readout.weights, slope);
                    }
                }
            }
        }
        pool_backward(grid, channels, last, &pools[..boards * pooled], pool_slopes, cells);
    }

    /// Takes the slopes in `workspace.slopes[0]` through all convolutions.
    fn trunk_backward(
        &self,
        planes: &[T],
        gradient: &mut PlaneGradient<T>,
        workspace: &mut PlaneWorkspace<T>,
    ) {
        let (grid, shape) = (&self.grid, &self.net.shape);
        let boards = planes.len() / self.inputs();
        let layer = boards * grid.cells() * shape.channels;
        let PlaneWorkspace { layers, frequencies, slopes: [above, below], .. } = workspace;
        // What a block's output passes to the block's input beside its convolutions.
        let mut beside: Vec<T> = Vec::new();
        for index in (0..self.convs.len()).rev() {
            derivative(shape.activation, &layers[index][..layer], &mut above[..layer]);
            if shape.residual && index > 0 && index % 2 == 0 {
                beside.clear();
                beside.extend_from_slice(&above[..layer]);
            }
            let collected = (&mut gradient.convs[index], &mut gradient.net.convs[index].biases[..]);
            let inputs = if index == 0 { planes } else { &layers[index - 1][..layer] };
            let conv = &self.convs[index];
            if index == 0 {
                conv.backward(grid, boards, inputs, &above[..layer], collected, None, frequencies);
                break;
            }
            let input_slopes = sized(below, layer);
            let add = shape.residual && index % 2 == 1 && !beside.is_empty();
            if add {
                input_slopes.copy_from_slice(&beside);
                beside.clear();
            }
            let into = Some((input_slopes, add));
            conv.backward(grid, boards, inputs, &above[..layer], collected, into, frequencies);
            std::mem::swap(above, below);
        }
    }
}

/// Turns slopes with respect to activations into those with respect to their sums. Both activations tell their derivative
/// by their value.
fn derivative<T: Scalar>(activation: PlaneActivation, values: &[T], slopes: &mut [T]) {
    for (slope, &value) in slopes.iter_mut().zip(values) {
        if value <= T::ZERO {
            *slope = match activation {
                PlaneActivation::Relu => T::ZERO,
                PlaneActivation::Elu => *slope * (value + T::ONE),
            };
        }
    }
}
