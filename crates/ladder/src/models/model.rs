//! A net in memory.

use std::{
    borrow::Cow,
    fmt,
    path::PathBuf,
    sync::{Arc, Mutex, OnceLock},
};

use eval::{
    EbmoEncoder, EbmoField, FeatureSet, GmoEncoder, GmoField, NnueError, NnueEvaluator, OmegaKernels,
    OmegaNets, SeedEvaluator, SeedFeatures,
};
use game::{Game, MoveField, identity_of};
use nn::{EbmoNet, GmoKernels, Header, ModelFile, Nnue, PvKernels, PvNet, QuantisedNnue};
use ringrift::{Board, Geometry, on_board};
use search::Projection;

use super::ModelError;
use crate::AgentConfig;

/// How many digits of the hash an id shows.
const ID_DIGITS: usize = 8;

/// A net in memory, known by the hash of its file.
pub struct Model {
    /// The name of the file without its extension.
    pub name: String,
    /// The path of the file; `None` for a shipped net.
    pub path: Option<PathBuf>,
    /// The BLAKE3 hash of the file in hexadecimal, which identifies the net on any machine and under any name.
    pub hash: String,
    /// What the file says about itself.
    pub header: Header,
    bytes: Cow<'static, [u8]>,
    /// The weights for play, computed on first use.
    nnue: OnceLock<Arc<QuantisedNnue>>,
    /// The same for a twelve-plane network, which is played in floating point.
    seed: OnceLock<Arc<Nnue<f32>>>,
    /// The same for a network of gradient move optimisation.
    gmo: OnceLock<Arc<GmoKernels<f32>>>,
    /// The weights of a network of energy-based move optimisation.
    ebmo: OnceLock<Arc<EbmoNet<f32>>>,
    /// The same for a policy and value net, and its weights prepared for boards.
    pub(super) pv: OnceLock<PvNet<f32>>,
    pub(super) kernels: Mutex<Vec<Arc<PvKernels<f32>>>>,
    /// The same for a pair of plain networks, by the size of the board.
    pub(super) omega: OnceLock<OmegaNets>,
    pub(super) omega_kernels: Mutex<Vec<(usize, Arc<OmegaKernels>)>>,
}

impl Model {
    /// Reads the header of a model file. `path` is `None` for a shipped net.
    ///
    /// # Errors
    /// If the bytes are not a model file.
    pub fn parse(
        name: &str,
        path: Option<PathBuf>,
        bytes: impl Into<Cow<'static, [u8]>>,
    ) -> Result<Self, ModelError> {
        let bytes = bytes.into();
        match Header::from_bytes(&bytes) {
            Ok(header) => Ok(Self {
                name: name.to_owned(),
                path,
                hash: ModelFile::hash(&bytes),
                header,
                bytes,
                nnue: OnceLock::new(),
                seed: OnceLock::new(),
                gmo: OnceLock::new(),
                ebmo: OnceLock::new(),
                pv: OnceLock::new(),
                kernels: Mutex::default(),
                omega: OnceLock::new(),
                omega_kernels: Mutex::default(),
            }),
            Err(source) => {
                let net = path.map_or_else(|| name.to_owned(), |path| path.display().to_string());
                Err(ModelError::Malformed { net, source })
            }
        }
    }

    /// The name and the first digits of the hash, as in `nnue-square8@1f0c93d2`. Specs accept it as the name of a net.
    pub fn id(&self) -> String {
        format!("{}@{}", self.name, &self.hash[..ID_DIGITS])
    }

    /// The whole file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Checks that the net has the kind and encoder that an agent needs.
    ///
    /// # Errors
    /// The first mismatch.
    pub fn check(&self, kind: &str, encoder: &str) -> Result<(), ModelError> {
        let Header { kind: found_kind, encoder: found_encoder, .. } = &self.header;
        for (field, found, expected) in [("kind", found_kind, kind), ("encoder", found_encoder, encoder)] {
            if found != expected {
                let (found, expected) = (found.clone(), expected.to_owned());
                return Err(ModelError::Mismatch { net: self.id(), field, found, expected });
            }
        }
        Ok(())
    }

    /// The evaluator of positions on the board `B`. All evaluators of a net share its weights.
    ///
    /// # Errors
    /// If it is not an NNUE for this board, or cannot be played in small integers.
    pub fn nnue<B: Geometry>(&self) -> Result<NnueEvaluator<B>, ModelError> {
        let [plain, hybrid] = NnueEvaluator::<B>::encoders();
        self.check("nnue", if self.header.encoder == hybrid { &hybrid } else { &plain })?;
        let unusable = |error: NnueError| ModelError::Unusable { net: self.id(), problem: error.to_string() };
        let weights = if let Some(weights) = self.nnue.get() {
            weights
        } else {
            let evaluator = NnueEvaluator::<B>::from_bytes(&self.bytes).map_err(unusable)?;
            self.nnue.get_or_init(|| Arc::clone(evaluator.net()))
        };
        NnueEvaluator::shared(Arc::clone(weights), identity_of(&self.hash)).map_err(unusable)
    }

    /// Whether it is a twelve-plane network, of any board.
    pub fn is_seed(&self) -> bool {
        let encoder = |board| on_board!(board, B => SeedFeatures::<B>::id());
        Board::ALL.into_iter().any(|board| encoder(board) == self.header.encoder)
    }

    /// The evaluator of positions on the board `B` by a twelve-plane network. All evaluators of a net share its weights.
    ///
    /// # Errors
    /// If it is not a twelve-plane network for this board.
    pub fn seed<B: Geometry>(&self) -> Result<SeedEvaluator<B>, ModelError> {
        self.check("nnue", &SeedFeatures::<B>::id())?;
        let unusable = |error: NnueError| ModelError::Unusable { net: self.id(), problem: error.to_string() };
        if let Some(weights) = self.seed.get() {
            return SeedEvaluator::new(Arc::clone(weights), identity_of(&self.hash)).map_err(unusable);
        }
        let evaluator = SeedEvaluator::from_bytes(&self.bytes).map_err(unusable)?;
        self.seed.get_or_init(|| Arc::clone(evaluator.net()));
        Ok(evaluator)
    }
}

impl Model {
    /// The field of a network of gradient move optimisation, read by the encoder `E` of games with these options. All
    /// fields of a net share its weights.
    ///
    /// # Errors
    /// If it is not such a network, or does not know its uncertainty in the way that `config` asks for.
    pub(crate) fn gmo_field<G: Game, E: GmoEncoder<G>>(
        &self,
        rules: &G::Config,
        config: &AgentConfig,
    ) -> Result<Box<dyn MoveField<G>>, ModelError> {
        self.check("gmo", &E::id(rules))?;
        let unusable = |problem: String| ModelError::Unusable { net: self.id(), problem };
        let weights = if let Some(weights) = self.gmo.get() {
            weights
        } else {
            let file = ModelFile::from_bytes(&self.bytes).map_err(|error| unusable(error.to_string()))?;
            let weights = GmoKernels::from_file(&file).map_err(|error| unusable(error.to_string()))?;
            self.gmo.get_or_init(|| Arc::new(weights))
        };
        if config.gmo.projection == Projection::Learned && weights.net().shape.projection == 0 {
            return Err(unusable("it has not learnt to project: set projection=cosine".to_owned()));
        }
        if config.gmo.barrier > 0.0 && weights.net().shape.legality == 0 {
            return Err(unusable("it does not judge legality: set barrier=0".to_owned()));
        }
        let field =
            GmoField::<E>::shared::<G>(Arc::clone(weights), rules, config.uncertainty, config.dropout);
        let field = field.map_err(|error| unusable(error.to_string()))?;
        Ok(Box::new(field))
    }

    /// The field of a network of energy-based move optimisation, read by the encoder `E`. All fields of a net share its
    /// weights.
    ///
    /// # Errors
    /// If it is not such a network.
    pub(crate) fn ebmo_field<G: Game, E: EbmoEncoder<G>>(&self) -> Result<Box<dyn MoveField<G>>, ModelError> {
        self.check("ebmo", &E::id())?;
        let unusable = |problem: String| ModelError::Unusable { net: self.id(), problem };
        let weights = if let Some(weights) = self.ebmo.get() {
            weights
        } else {
            let file = ModelFile::from_bytes(&self.bytes).map_err(|error| unusable(error.to_string()))?;
            let weights = EbmoNet::from_file(&file).map_err(|error| unusable(error.to_string()))?;
            self.ebmo.get_or_init(|| Arc::new(weights))
        };
        let field = EbmoField::<G, E>::shared(Arc::clone(weights));
        Ok(Box::new(field.map_err(|error| unusable(error.to_string()))?))
    }

    /// The size of the Go board that the net's encoder is for.
    ///
    /// # Errors
    /// If it is not an encoder of Go that depends on the size.
    pub(crate) fn go_size(&self) -> Result<u8, ModelError> {
        let mut parts = self.header.encoder.split('-');
        let size = (parts.next() == Some("go")).then(|| parts.next()?.parse().ok()).flatten();
        size.filter(|size| (2..=19).contains(size)).ok_or_else(|| ModelError::Mismatch {
            net: self.id(),
            field: "encoder",
            found: self.header.encoder.clone(),
            expected: "go-<size>-gmo1".to_owned(),
        })
    }

    /// Checks that the net is for Go boards of this size.
    ///
    /// # Errors
    /// If it is for another game or size.
    pub(crate) fn check_go_size(&self, size: u8) -> Result<(), ModelError> {
        if self.go_size()? == size {
            return Ok(());
        }
        Err(ModelError::Mismatch {
            net: self.id(),
            field: "encoder",
            found: self.header.encoder.clone(),
            expected: format!("go-{size}-gmo1"),
        })
    }
}

impl PartialEq for Model {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, &self.path, &self.hash) == (&other.name, &other.path, &other.hash)
    }
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Model")
            .field("id", &self.id())
            .field("path", &self.path)
            .field("header", &self.header)
            .finish_non_exhaustive()
    }
}
