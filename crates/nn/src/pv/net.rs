//! The weights of a policy and value network.

use rand::Rng;

use super::shape::PvShape;
use crate::{Conv, Linear, Scalar, pool::POOLS};

/// Weights, or gradients of weights, of a policy and value network.
///
/// The trunk is a convolution of the planes, to which a linear function of the globals is added, and residual blocks. The
/// pool of its last layer gives a summary, from which values, margins, the expected error and the pooled scores are read.
/// Every cell's channels give a hidden layer, from which the scores of its planes are read.
#[derive(Clone, PartialEq, Debug)]
pub struct PvNet<T> {
    /// The sizes.
    pub shape: PvShape,
    /// Planes to the first layer.
    pub input: Conv<T>,
    /// Globals to biases of the first layer.
    pub globals: Linear<T>,
    /// The residual blocks.
    pub blocks: Vec<Block<T>>,
    /// The pool of the last layer to the summary.
    pub summary: Linear<T>,
    /// The summary to values, margins, error and pooled scores.
    pub readout: Linear<T>,
    /// Channels of a cell to its hidden layer.
    pub policy: Linear<T>,
    /// The pool of the last layer to biases of the cells' hidden layer.
    pub policy_pool: Linear<T>,
    /// The hidden layer of a cell to its scores.
    pub policy_planes: Linear<T>,
    /// The hidden layer of a cell to its scores for the soft policy.
    pub soft_planes: Linear<T>,
    /// Channels of a cell to logits of its owners.
    pub owners: Linear<T>,
}

/// Weights of a residual block: `rectified(x + second(rectified(first(x))))`.
#[derive(Clone, PartialEq, Debug)]
pub struct Block<T> {
    /// The first convolution.
    pub first: Conv<T>,
    /// The second convolution.
    pub second: Conv<T>,
    /// The pool of the block's input to biases of the first convolution.
    pub pool: Option<Linear<T>>,
    /// The means of the second convolution's outputs, squeezed and expanded to gates of its channels.
    pub squeeze: Option<[Linear<T>; 2]>,
}

impl<T: Scalar> PvNet<T> {
    /// A network of zeros, also used to collect gradients.
    pub fn zeros(shape: &PvShape) -> Self {
        Self::build(shape, &mut |inputs, outputs, _| Conv::zeros(inputs, outputs), &mut |inputs, outputs| {
            Linear::zeros(inputs, outputs)
        })
    }

    /// A network to start training from.
    pub fn random(shape: &PvShape, rng: &mut impl Rng) -> Self {
        // Both kinds of layers draw from one generator.
        let rng = std::cell::RefCell::new(rng);
        Self::build(
            shape,
            &mut |inputs, outputs, gain| Conv::random(inputs, outputs, gain, &mut **rng.borrow_mut()),
            &mut |inputs, outputs| Linear::random(inputs, outputs, &mut **rng.borrow_mut()),
        )
    }

    fn build(
        shape: &PvShape,
        conv: &mut dyn FnMut(usize, usize, f64) -> Conv<T>,
        linear: &mut dyn FnMut(usize, usize) -> Linear<T>,
    ) -> Self {
        let (layout, filters) = (shape.layout, shape.filters);
        // There is no normalisation: blocks add little at first, so that numbers keep their size through all of them.
        let gain = 0.5 / (shape.blocks as f64).sqrt();
        let block = |index| Block {
            first: conv(filters, filters, 1.0),
            second: conv(filters, filters, gain),
            pool: shape.pools(index).then(|| linear(POOLS * filters, filters)),
            squeeze: (shape.squeeze > 0)
                .then(|| [linear(filters, shape.squeeze), linear(shape.squeeze, filters)]),
        };
        let blocks = (0..shape.blocks).map(block).collect();
        Self {
            shape: shape.clone(),
            input: conv(layout.planes, filters, 1.0),
            globals: linear(layout.globals, filters),
            blocks,
            summary: linear(POOLS * filters, shape.summary),
            readout: linear(shape.summary, shape.readout().len),
            policy: linear(filters, filters),
            policy_pool: linear(POOLS * filters, filters),
            policy_planes: linear(filters, layout.policy_planes),
            soft_planes: linear(filters, layout.policy_planes),
            owners: linear(filters, shape.owners),
        }
    }

    /// The convolutions, in the order of the forward pass.
    pub(crate) fn convs(&self) -> impl Iterator<Item = &Conv<T>> {
        let blocks = self.blocks.iter().flat_map(|block| [&block.first, &block.second]);
        std::iter::once(&self.input).chain(blocks)
    }

    /// The same, to change.
    pub(crate) fn convs_mut(&mut self) -> impl Iterator<Item = &mut Conv<T>> {
        let blocks = self.blocks.iter_mut().flat_map(|block| [&mut block.first, &mut block.second]);
        std::iter::once(&mut self.input).chain(blocks)
    }

    /// Every group of weights with its name and sizes, in the order of [`PvNet::parameters_mut`].
    pub fn parameters(&self) -> Vec<(String, Vec<usize>, &[T])> {
        let mut all = Vec::new();
        let names = std::iter::once("input".to_owned()).chain(
            (0..self.blocks.len())
                .flat_map(|index| ["first", "second"].map(|part| format!("block.{index}.{part}"))),
        );
        for (name, conv) in names.zip(self.convs()) {
            let sizes = vec![3, 3, conv.inputs, conv.outputs];
            all.push((format!("{name}.weight"), sizes, &conv.weights[..]));
            all.push((format!("{name}.bias"), vec![conv.outputs], &conv.biases[..]));
        }
        for (name, layer) in self.linears() {
            let sizes = vec![layer.outputs(), layer.inputs];
            all.push((format!("{name}.weight"), sizes, &layer.weights[..]));
            all.push((format!("{name}.bias"), vec![layer.outputs()], &layer.biases[..]));
        }
        all
    }

    fn linears(&self) -> Vec<(String, &Linear<T>)> {
        let mut all = vec![("globals".to_owned(), &self.globals)];
        for (index, block) in self.blocks.iter().enumerate() {
            all.extend(block.pool.iter().map(|layer| (format!("block.{index}.pool"), layer)));
            if let Some([squeeze, excite]) = &block.squeeze {
                all.push((format!("block.{index}.squeeze"), squeeze));
                all.push((format!("block.{index}.excite"), excite));
            }
        }
        for (name, layer) in [
            ("summary", &self.summary),
            ("readout", &self.readout),
            ("policy", &self.policy),
            ("policy.pool", &self.policy_pool),
            ("policy.planes", &self.policy_planes),
            ("policy.soft", &self.soft_planes),
            ("owners", &self.owners),
        ] {
            all.push((name.to_owned(), layer));
        }
        all
    }

    /// The same weights to change.
    pub fn parameters_mut(&mut self) -> Vec<&mut [T]> {
        let Self { shape: _, input, globals, blocks, summary, readout, policy, policy_pool, .. } = self;
        let heads = [&mut self.policy_planes, &mut self.soft_planes, &mut self.owners];
        let mut convs = vec![input];
        let mut linears = vec![globals];
        for Block { first, second, pool, squeeze } in blocks {
            convs.extend([first, second]);
            linears.extend(pool);
            linears.extend(squeeze.iter_mut().flatten());
        }
        linears.extend([summary, readout, policy, policy_pool]);
        linears.extend(heads);
        let convs = convs.into_iter().flat_map(|conv| [&mut conv.weights[..], &mut conv.biases[..]]);
        let linears = linears.into_iter().flat_map(|layer| [&mut layer.weights[..], &mut layer.biases[..]]);
        convs.chain(linears).collect()
    }
}
