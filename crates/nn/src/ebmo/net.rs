//! The weights.

use std::{fmt, str::FromStr};

use rand::Rng;

use crate::{Linear, PvLayout, PvNet, PvShape, Scalar, UnknownPreset, init::uniform};

/// The sizes that describe an [`EbmoNet`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EbmoShape {
    /// The trunk, whose summary is the state.
    pub trunk: PvShape,
    /// Features of an action.
    pub features: usize,
    /// Neurons of the hidden layers that embed actions.
    pub action_hidden: usize,
    /// Numbers of an action's embedding.
    pub action: usize,
    /// Neurons of the hidden layers of the energy network.
    pub hidden: usize,
    /// Layers of the energy network, at least two.
    pub layers: usize,
    /// Whether actions are embedded with the trunk's last layer at their cells.
    pub local: bool,
}

/// A shape by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EbmoPreset {
    /// One block of 8 filters, for tests.
    Tiny,
    /// 3 blocks of 32 filters; actions read the trunk at their cells.
    Small,
    /// 6 blocks of 128 filters and a state of 256 numbers, as the algorithm was described.
    Seed,
}

impl EbmoPreset {
    /// All presets, smallest first.
    pub const ALL: [Self; 3] = [Self::Tiny, Self::Small, Self::Seed];

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tiny => "tiny",
            Self::Small => "small",
            Self::Seed => "seed",
        }
    }

    /// The shape of a network that reads this many planes, globals and features of actions.
    pub fn shape(self, planes: usize, globals: usize, features: usize) -> EbmoShape {
        let (blocks, filters, squeeze, summary) = match self {
            Self::Tiny => (1, 8, 4, 16),
            Self::Small => (3, 32, 8, 128),
            Self::Seed => (6, 128, 16, 256),
        };
        let (action_hidden, action, hidden) = match self {
            Self::Tiny => (8, 8, 16),
            Self::Small => (64, 128, 128),
            Self::Seed => (64, 128, 256),
        };
        let layout = PvLayout { planes, globals, policy_planes: 1, policy_pooled: 0 };
        EbmoShape {
            trunk: PvShape { layout, blocks, filters, summary, pooling: 0, squeeze, owners: 0 },
            features,
            action_hidden,
            action,
            hidden,
            layers: 3,
            local: self != Self::Seed,
        }
    }
}

impl fmt::Display for EbmoPreset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for EbmoPreset {
    type Err = UnknownPreset;

    fn from_str(text: &str) -> Result<Self, UnknownPreset> {
        Self::ALL
            .into_iter()
            .find(|preset| preset.name() == text)
            .ok_or_else(|| UnknownPreset::new(text, "tiny, small or seed"))
    }
}

/// Weights, or gradients of weights, of a network for energy-based move optimisation.
#[derive(Clone, PartialEq, Debug)]
pub struct EbmoNet<T> {
    /// The sizes.
    pub shape: EbmoShape,
    pub(crate) trunk: PvNet<T>,
    /// From features to the embedding.
    pub(crate) action: [Linear<T>; 3],
    /// The first layer of the energy network: what it reads of the state, and of the action.
    pub(crate) first: [Linear<T>; 2],
    /// Its further hidden layers.
    pub(crate) inner: Vec<Linear<T>>,
    pub(crate) energy: Linear<T>,
}

impl<T: Scalar> EbmoNet<T> {
    /// A network of zeros, also used to collect gradients.
    pub fn zeros(shape: &EbmoShape) -> Self {
        Self::build(shape, PvNet::zeros(&shape.trunk), &mut Linear::zeros)
    }

    /// A network to start learning from.
    pub fn random(shape: &EbmoShape, rng: &mut impl Rng) -> Self {
        let trunk = PvNet::random(&shape.trunk, rng);
        let mut linear = |inputs: usize, outputs: usize| {
            let mut layer = Linear::zeros(inputs, outputs);
            // Keeps the variance of rectified inputs.
            let bound = (6.0 / inputs as f64).sqrt();
            for weight in &mut layer.weights {
                *weight = uniform(rng, bound);
            }
            layer
        };
        let mut net = Self::build(shape, trunk, &mut linear);
        // Energies start near zero.
        for weight in &mut net.energy.weights {
            *weight = *weight * T::from_f64(0.1);
        }
        net
    }

    fn build(shape: &EbmoShape, trunk: PvNet<T>, linear: &mut impl FnMut(usize, usize) -> Linear<T>) -> Self {
        let EbmoShape { action_hidden, action, hidden, .. } = *shape;
        Self {
            shape: shape.clone(),
            trunk,
            action: [
                linear(shape.inputs(), action_hidden),
                linear(action_hidden, action_hidden),
                linear(action_hidden, action),
            ],
            first: [linear(shape.trunk.summary, hidden), linear(action, hidden)],
            inner: (2..shape.layers).map(|_| linear(hidden, hidden)).collect(),
            energy: linear(hidden, 1),
        }
    }

    fn linears(&self) -> Vec<(String, &Linear<T>)> {
        let action = self.action.iter().enumerate().map(|(index, layer)| (format!("action.{index}"), layer));
        let mut all: Vec<(String, &Linear<T>)> = action.collect();
        all.push(("energy.state".to_owned(), &self.first[0]));
        all.push(("energy.action".to_owned(), &self.first[1]));
        all.extend(
            self.inner.iter().enumerate().map(|(index, layer)| (format!("energy.inner.{index}"), layer)),
        );
        all.push(("energy.last".to_owned(), &self.energy));
        all
    }

    /// Every group of weights with its name and sizes, in the order of [`EbmoNet::parameters_mut`].
    pub fn parameters(&self) -> Vec<(String, Vec<usize>, &[T])> {
        let mut all: Vec<(String, Vec<usize>, &[T])> = (self.trunk.parameters().into_iter())
            .map(|(name, sizes, weights)| (format!("trunk.{name}"), sizes, weights))
            .collect();
        for (name, layer) in self.linears() {
            all.push((format!("{name}.weight"), vec![layer.outputs(), layer.inputs], &layer.weights[..]));
            all.push((format!("{name}.bias"), vec![layer.outputs()], &layer.biases[..]));
        }
        all
    }

    /// The same weights to change.
    pub fn parameters_mut(&mut self) -> Vec<&mut [T]> {
        let Self { trunk, action, first, inner, energy, .. } = self;
        let linears = action.iter_mut().chain(first).chain(inner).chain(std::iter::once(energy));
        let mut all = trunk.parameters_mut();
        all.extend(linears.flat_map(|layer| [&mut layer.weights[..], &mut layer.biases[..]]));
        all
    }
}

impl EbmoShape {
    /// The numbers that an action is embedded from.
    pub(crate) fn inputs(&self) -> usize {
        self.features + if self.local { 2 * self.trunk.filters } else { 0 }
    }
}
