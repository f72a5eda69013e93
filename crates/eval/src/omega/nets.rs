//! The networks of a generation, and their file.

use std::collections::BTreeMap;

use nn::{Grid, Header, ModelError, ModelFile, PlaneHead, PlaneKernels, PlaneNet, PlanePreset};
use rand::Rng;

use super::OMEGA_PLANES;

/// The networks of a generation.
#[derive(Clone, PartialEq, Debug)]
pub struct OmegaNets {
    /// Board to a map of moves.
    pub policy: PlaneNet<f32>,
    /// Board to a value: one network, or one for each stage of the game, told by how full the board is.
    pub values: Vec<PlaneNet<f32>>,
}

/// Why bytes are not networks of this kind.
#[derive(Debug, thiserror::Error)]
pub enum OmegaError {
    /// Not a model file, or damaged.
    #[error(transparent)]
    File(#[from] ModelError),
    /// Networks for other inputs.
    #[error("the nets read {found:?}, but {expected:?} is needed: use nets trained by riftlab omega")]
    Encoder {
        /// What the file says.
        found: String,
        /// What is needed.
        expected: &'static str,
    },
    /// Networks of other sizes.
    #[error("the net {name:?} has {found}; expected {expected}")]
    Shape {
        /// Which one.
        name: String,
        /// What it has.
        found: String,
        /// What it should have.
        expected: String,
    },
}

/// The most stages with a value network of their own.
const MOST_STAGES: usize = 8;

impl OmegaNets {
    /// The kind of these files.
    pub const KIND: &str = "omega";

    /// The name of the planes.
    pub const ENCODER: &str = "go-omega1";

    /// Networks to start training from, with `stages` networks for the value.
    pub fn random(policy: PlanePreset, value: PlanePreset, stages: usize, rng: &mut impl Rng) -> Self {
        let values = (0..stages.clamp(1, MOST_STAGES))
            .map(|_| PlaneNet::random(&value.shape(OMEGA_PLANES, PlaneHead::Value), rng))
            .collect();
        Self { policy: PlaneNet::random(&policy.shape(OMEGA_PLANES, PlaneHead::Map), rng), values }
    }

    /// The networks as a file; `provenance` says where they come from.
    pub fn to_file(&self, provenance: BTreeMap<String, String>) -> ModelFile {
        let shape = BTreeMap::from([("stages".to_owned(), self.values.len().to_string())]);
        let header =
            Header { kind: Self::KIND.to_owned(), encoder: Self::ENCODER.to_owned(), shape, provenance };
        let mut file = ModelFile { header, tensors: BTreeMap::new() };
        self.policy.add_to(&mut file, "policy");
        for (stage, net) in self.values.iter().enumerate() {
            net.add_to(&mut file, &format!("value{stage}"));
        }
        file
    }

    /// The networks in a file.
    ///
    /// # Errors
    /// If the file holds something else, or not all of it.
    pub fn from_file(file: &ModelFile) -> Result<Self, OmegaError> {
        if file.header.kind != Self::KIND {
            let found = file.header.kind.clone();
            return Err(ModelError::Kind { found, expected: Self::KIND }.into());
        }
        if file.header.encoder != Self::ENCODER {
            return Err(OmegaError::Encoder { found: file.header.encoder.clone(), expected: Self::ENCODER });
        }
        let stages = file.size("stages")?;
        if !(1..=MOST_STAGES).contains(&stages) {
            return Err(ModelError::Shape { name: "stages", found: Some(stages.to_string()) }.into());
        }
        let read = |name: &str, head: PlaneHead| {
            let net = PlaneNet::read_from(file, name)?;
            if (net.shape.head, net.shape.planes) != (head, OMEGA_PLANES) {
                return Err(OmegaError::Shape {
                    name: name.to_owned(),
                    found: format!("{} planes and a {:?}", net.shape.planes, net.shape.head),
                    expected: format!("{OMEGA_PLANES} planes and a {head:?}"),
                });
            }
            Ok(net)
        };
        Ok(Self {
            policy: read("policy", PlaneHead::Map)?,
            values: (0..stages)
                .map(|stage| read(&format!("value{stage}"), PlaneHead::Value))
                .collect::<Result<_, _>>()?,
        })
    }

    /// The networks in the bytes of a file.
    ///
    /// # Errors
    /// See [`OmegaNets::from_file`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, OmegaError> {
        Self::from_file(&ModelFile::from_bytes(bytes)?)
    }

    /// Which of `stages` value networks judges a board of `points` points with `stones` stones.
    pub fn stage(stages: usize, stones: usize, points: usize) -> usize {
        (stones * stages / points).min(stages - 1)
    }
}

/// The networks of a generation, prepared for play on boards of one size.
#[derive(Clone, Debug)]
pub struct OmegaKernels {
    pub(super) policy: PlaneKernels<f32>,
    pub(super) values: Vec<PlaneKernels<f32>>,
    pub(super) size: usize,
}

impl OmegaKernels {
    /// Prepares networks for boards of `size` lines.
    pub fn new(nets: &OmegaNets, size: usize) -> Self {
        let grid = Grid::full(size, size);
        Self {
            policy: PlaneKernels::new(nets.policy.clone(), grid.clone()),
            values: nets.values.iter().map(|net| PlaneKernels::new(net.clone(), grid.clone())).collect(),
            size,
        }
    }

    /// The number of lines of the boards.
    pub fn size(&self) -> usize {
        self.size
    }
}
