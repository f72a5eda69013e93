//! The forward pass, and the gradient with respect to embeddings.

use super::EbmoNet;
use crate::{
    Grid, PvInput, PvKernels, PvWorkspace, Scalar,
    conv::sized,
    dense::{Dense, inputs_backward, keep_positive, rectify, zeros},
    linear::add_scaled,
};

/// A network prepared for boards of one shape.
///
/// Several threads can share it; each has an [`EbmoWorkspace`] of its own.
#[derive(Clone, Debug)]
pub struct EbmoKernels<T> {
    pub(super) net: EbmoNet<T>,
    pub(super) trunk: PvKernels<T>,
    pub(super) action: [Dense<T>; 3],
    pub(super) first: [Dense<T>; 2],
    pub(super) inner: Vec<Dense<T>>,
    pub(super) energy: Dense<T>,
}

/// Buffers for positions and points of the embedding space. They grow to what is needed and are used again.
#[derive(Clone, Debug)]
pub struct EbmoWorkspace<T> {
    pub(super) trunk: PvWorkspace<T>,
    /// What the energy network reads of positions.
    pub(super) bases: Vec<T>,
    /// What actions are embedded from, one row each.
    pub(super) inputs: Vec<T>,
    pub(super) inside: [Vec<T>; 2],
    pub(super) embeddings: Vec<T>,
    /// The energy network's rectified layers.
    pub(super) layers: Vec<Vec<T>>,
    pub(super) slopes: [Vec<T>; 3],
}

/// What other crates use is compiled once, here.
impl EbmoKernels<f32> {
    /// Prepares a network for play.
    pub fn new(net: EbmoNet<f32>, grid: Grid) -> Self {
        Self::prepared(net, grid, false)
    }

    /// Prepares a network for learning, which takes twice the memory.
    pub fn for_learning(net: EbmoNet<f32>, grid: Grid) -> Self {
        Self::prepared(net, grid, true)
    }

    /// Prepares another network of the same shape for the same board, in the memory of this one.
    ///
    /// # Panics
    /// If the shape of the trunk differs.
    #[must_use]
    pub fn renewed(self, net: EbmoNet<f32>) -> Self {
        let trunk = self.trunk.with(net.trunk.clone());
        Self::with_trunk(net, trunk)
    }

    /// Reads a position, which further calls are about, and embeds its actions, one row of `embeddings` each.
    pub fn begin(&self, input: &PvInput<f32>, embeddings: &mut Vec<f32>, workspace: &mut EbmoWorkspace<f32>) {
        self.states_forward(std::iter::once(input), workspace);
        self.actions_forward(&[input], workspace);
        embeddings.clear();
        embeddings.extend_from_slice(&workspace.embeddings[..input.moves() * self.net.shape.action]);
    }

    /// Writes the energies of points of the embedding space.
    pub fn energies(&self, points: &[f32], energies: &mut Vec<f32>, workspace: &mut EbmoWorkspace<f32>) {
        self.point_energies(points, energies, workspace);
    }

    /// Writes the gradient with respect to the points of the last call of [`EbmoKernels::energies`], given that with
    /// respect to the energies.
    pub fn slopes(&self, slopes: &[f32], point_slopes: &mut Vec<f32>, workspace: &mut EbmoWorkspace<f32>) {
        self.point_slopes(slopes, point_slopes, workspace);
    }
}

impl<T: Scalar> EbmoKernels<T> {
    pub(super) fn prepared(net: EbmoNet<T>, grid: Grid, learning: bool) -> Self {
        let trunk = PvKernels::prepared(net.trunk.clone(), grid, learning);
        Self::with_trunk(net, trunk)
    }

    fn with_trunk(net: EbmoNet<T>, trunk: PvKernels<T>) -> Self {
        Self {
            trunk,
            action: net.action.each_ref().map(Dense::new),
            first: net.first.each_ref().map(Dense::new),
            inner: net.inner.iter().map(Dense::new).collect(),
            energy: Dense::new(&net.energy),
            net,
        }
    }

    /// The network.
    pub fn net(&self) -> &EbmoNet<T> {
        &self.net
    }

    /// Buffers for this network. Batches are worked on `capacity` positions at a time.
    pub fn workspace(&self, capacity: usize) -> EbmoWorkspace<T> {
        EbmoWorkspace {
            trunk: self.trunk.workspace(capacity),
            bases: Vec::new(),
            inputs: Vec::new(),
            inside: Default::default(),
            embeddings: Vec::new(),
            layers: vec![Vec::new(); 1 + self.inner.len()],
            slopes: Default::default(),
        }
    }

    /// Computes the states of positions and what the energy network reads of them.
    pub(super) fn states_forward<'i>(
        &self,
        boards: impl ExactSizeIterator<Item = &'i PvInput<T>> + Clone,
        workspace: &mut EbmoWorkspace<T>,
    ) {
        let count = boards.len();
        self.trunk.body_forward(boards, &mut workspace.trunk);
        let bases = sized(&mut workspace.bases, count * self.net.shape.hidden);
        self.first[0].forward(count, &workspace.trunk.summary, bases);
    }

    /// Embeds the actions of positions whose states are computed, one row after the other.
    pub(super) fn actions_forward(&self, inputs: &[&PvInput<T>], workspace: &mut EbmoWorkspace<T>) {
        let shape = &self.net.shape;
        let (features, width, filters) = (shape.features, shape.inputs(), shape.trunk.filters);
        let rows: usize = inputs.iter().map(|input| input.moves()).sum();
        let size = self.trunk.grid().cells() * filters;
        let cells = workspace.trunk.last_layer();
        let numbers = sized(&mut workspace.inputs, rows * width);
        let mut into = numbers.chunks_exact_mut(width);
        for (board, input) in inputs.iter().enumerate() {
            for (m, row) in (0..input.moves()).zip(into.by_ref()) {
                row.fill(T::ZERO);
                for &(number, weight) in input.terms(m) {
                    match self.touched(number) {
                        None => row[number as usize] = weight,
                        Some((side, cell)) if shape.local => {
                            let of_cell = &cells[board * size + cell * filters..][..filters];
                            row[features + side * filters..][..filters].copy_from_slice(of_cell);
                        }
                        Some(_) => {}
                    }
                }
            }
        }
        let [first, second] = &mut workspace.inside;
        let first = sized(first, rows * shape.action_hidden);
        self.action[0].forward(rows, numbers, first);
        rectify(first);
        let second = sized(second, rows * shape.action_hidden);
        self.action[1].forward(rows, first, second);
        rectify(second);
        self.action[2].forward(rows, second, sized(&mut workspace.embeddings, rows * shape.action));
    }

    /// The cell that a term names, and whether it is left (0) or reached (1); `None` for a feature.
    pub(super) fn touched(&self, term: u32) -> Option<(usize, usize)> {
        let (cells, place) =
            (self.trunk.grid().cells(), (term as usize).checked_sub(self.net.shape.features)?);
        Some((place / cells, place % cells))
    }

    /// The energy network from the first layer's sums on, which are in its place.
    pub(super) fn energies_forward(&self, rows: usize, energies: &mut [T], workspace: &mut EbmoWorkspace<T>) {
        let hidden = self.net.shape.hidden;
        rectify(&mut workspace.layers[0][..rows * hidden]);
        for (index, layer) in self.inner.iter().enumerate() {
            let (below, above) = workspace.layers.split_at_mut(index + 1);
            let above = sized(&mut above[0], rows * hidden);
            layer.forward(rows, &below[index], above);
            rectify(above);
        }
        self.energy.forward(rows, &workspace.layers[self.inner.len()], energies);
    }

    pub(super) fn point_energies(
        &self,
        points: &[T],
        energies: &mut Vec<T>,
        workspace: &mut EbmoWorkspace<T>,
    ) {
        let (hidden, rows) = (self.net.shape.hidden, points.len() / self.net.shape.action);
        let sums = sized(&mut workspace.layers[0], rows * hidden);
        self.first[1].forward(rows, points, sums);
        for row in sums.chunks_exact_mut(hidden) {
            add_scaled(row, &workspace.bases[..hidden], T::ONE);
        }
        zeros(energies, rows);
        self.energies_forward(rows, energies, workspace);
    }

    pub(super) fn point_slopes(
        &self,
        slopes: &[T],
        point_slopes: &mut Vec<T>,
        workspace: &mut EbmoWorkspace<T>,
    ) {
        let (hidden, rows) = (self.net.shape.hidden, slopes.len());
        let EbmoWorkspace { layers, slopes: [above, below, _], .. } = workspace;
        inputs_backward(&self.net.energy, rows, slopes, sized(above, rows * hidden), false);
        keep_positive(&layers[self.inner.len()], &mut above[..rows * hidden]);
        for (index, layer) in self.net.inner.iter().enumerate().rev() {
            inputs_backward(layer, rows, above, sized(below, rows * hidden), false);
            keep_positive(&layers[index], &mut below[..rows * hidden]);
            std::mem::swap(above, below);
        }
        zeros(point_slopes, rows * self.net.shape.action);
        inputs_backward(&self.net.first[1], rows, above, point_slopes, false);
    }
}
