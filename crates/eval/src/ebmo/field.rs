//! The field of a network.

use std::{marker::PhantomData, sync::Arc};

use game::{FieldView, Game, MoveField};
use nn::{EbmoKernels, EbmoNet, EbmoWorkspace, ModelError, ModelFile, PvInput};

use super::{ACTION_FEATURES, EbmoEncoder};

/// Why a network cannot embed the moves of a game.
#[derive(Debug, thiserror::Error)]
pub enum EbmoError {
    /// Not a model file, or one of another kind.
    #[error(transparent)]
    File(#[from] ModelError),
    /// The inputs are those of another encoder.
    #[error(
        "the net reads {found:?}, but this game is encoded as {expected:?}: use a net of this game and board"
    )]
    Encoder {
        /// What the file says.
        found: String,
        /// What the game needs.
        expected: String,
    },
}

/// Embeds moves by a network; what a point is worth is its energy with the opposite sign.
///
/// The board's grid depends on the options of the game, so the network is prepared at the first position. Copies that were
/// made before share nothing but the weights.
#[derive(Clone, Debug)]
pub struct EbmoField<G: Game, E> {
    net: Arc<EbmoNet<f32>>,
    prepared: Option<Prepared<G>>,
    input: PvInput<f32>,
    energies: Vec<f32>,
    slopes: Vec<f32>,
    encoder: PhantomData<E>,
}

#[derive(Clone, Debug)]
struct Prepared<G: Game> {
    config: G::Config,
    kernels: EbmoKernels<f32>,
    workspace: EbmoWorkspace<f32>,
}

impl<G: Game, E: EbmoEncoder<G>> EbmoField<G, E> {
    /// The network of a model file.
    ///
    /// # Errors
    /// If the bytes are not a network for this game.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, EbmoError> {
        let file = ModelFile::from_bytes(bytes)?;
        let (found, expected) = (&file.header.encoder, E::id());
        if *found != expected {
            return Err(EbmoError::Encoder { found: found.clone(), expected });
        }
        Self::shared(Arc::new(EbmoNet::from_file(&file)?))
    }

    /// A network that other fields may use too.
    ///
    /// # Errors
    /// If its sizes are not those of the encoder.
    pub fn shared(net: Arc<EbmoNet<f32>>) -> Result<Self, EbmoError> {
        let (layout, expected) = (net.shape.trunk.layout, E::layout());
        if layout != expected || net.shape.features != ACTION_FEATURES {
            let found = format!("{layout:?}, {} features of actions", net.shape.features);
            return Err(EbmoError::Encoder { found, expected: format!("{} ({expected:?})", E::id()) });
        }
        Ok(Self {
            net,
            prepared: None,
            input: PvInput::default(),
            energies: Vec::new(),
            slopes: Vec::new(),
            encoder: PhantomData,
        })
    }

    fn prepared(&mut self) -> &mut Prepared<G> {
        self.prepared.as_mut().expect("a field looks at points of a position that it was turned to")
    }
}

impl<G: Game, E: EbmoEncoder<G>> MoveField<G> for EbmoField<G, E> {
    fn dimension(&self) -> usize {
        self.net.shape.action
    }

    fn begin(&mut self, position: &G, moves: &[G::Move], points: &mut Vec<f32>) {
        let config = position.config();
        if self.prepared.as_ref().is_none_or(|prepared| prepared.config != config) {
            let kernels = EbmoKernels::new((*self.net).clone(), E::grid(&config));
            let workspace = kernels.workspace(1);
            self.prepared = Some(Prepared { config, kernels, workspace });
        }
        let mut input = std::mem::take(&mut self.input);
        E::encode(position, moves, &mut input);
        let Prepared { kernels, workspace, .. } = self.prepared();
        kernels.begin(&input, points, workspace);
        self.input = input;
    }

    fn is_skip(&self, m: G::Move) -> bool {
        E::is_skip(m)
    }

    /// Nothing: the network has no parts that can be left out.
    fn draw(&mut self, _: usize, _: &mut dyn FnMut() -> u64) {}

    fn look(&mut self, points: &[f32], view: &mut FieldView) {
        let mut energies = std::mem::take(&mut self.energies);
        let Prepared { kernels, workspace, .. } = self.prepared();
        kernels.energies(points, &mut energies, workspace);
        view.samples.clear();
        view.samples.extend(energies.iter().map(|energy| -energy));
        view.noise.clear();
        view.spread.clear();
        view.legality.clear();
        self.energies = energies;
    }

    fn slopes(&mut self, slopes: &FieldView, point_slopes: &mut Vec<f32>) {
        let mut of_energies = std::mem::take(&mut self.slopes);
        of_energies.clear();
        of_energies.extend(slopes.samples.iter().map(|slope| -slope));
        let Prepared { kernels, workspace, .. } = self.prepared();
        kernels.slopes(&of_energies, point_slopes, workspace);
        self.slopes = of_energies;
    }
}
