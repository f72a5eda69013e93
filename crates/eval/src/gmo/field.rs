//! The field of a network.

use std::{fmt, str::FromStr, sync::Arc};

use game::{FieldView, Game, MoveField};
use nn::{DropoutMasks, GmoInput, GmoKernels, GmoPoints, GmoWorkspace, ModelError, ModelFile};

use super::GmoEncoder;

/// How a field tells how little it knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Uncertainty {
    /// By the spread of values over dropout passes.
    #[default]
    Dropout,
    /// By the spread of values over the members of an ensemble.
    Ensemble,
    /// By the squared error that the network expects of itself.
    Error,
    /// By the posterior of the value head's weights, given the last hidden layer.
    Bayes,
}

impl Uncertainty {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Dropout, Self::Ensemble, Self::Error, Self::Bayes];

    /// The name in settings.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dropout => "dropout",
            Self::Ensemble => "ensemble",
            Self::Error => "error",
            Self::Bayes => "bayes",
        }
    }
}

impl fmt::Display for Uncertainty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Uncertainty {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|kind| kind.name() == text).ok_or(())
    }
}

/// Why a network cannot embed the moves of a game.
#[derive(Debug, thiserror::Error)]
pub enum GmoError {
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
    /// The network cannot tell its uncertainty this way.
    #[error("the net cannot tell its uncertainty by {0}: train it with the parts that this needs")]
    Uncertainty(Uncertainty),
}

/// Embeds moves by a network, and evaluates points by its value network.
///
/// Copies share the network; each has buffers of its own.
#[derive(Clone, Debug)]
pub struct GmoField<E> {
    kernels: Arc<GmoKernels<f32>>,
    encoder: E,
    uncertainty: Uncertainty,
    dropout: f64,
    input: GmoInput,
    masks: DropoutMasks<f32>,
    told: GmoPoints<f32>,
    slopes: GmoPoints<f32>,
    workspace: GmoWorkspace<f32>,
}

impl<E: Default> GmoField<E> {
    /// The network of a model file, for games with these options. A share of `dropout` of its neurons is left out in
    /// passes.
    ///
    /// # Errors
    /// If the bytes are not a network for this game, or it does not know its uncertainty in the way that is wanted.
    pub fn from_bytes<G: Game>(
        bytes: &[u8],
        config: &G::Config,
        uncertainty: Uncertainty,
        dropout: f64,
    ) -> Result<Self, GmoError>
    where
        E: GmoEncoder<G>,
    {
        let file = ModelFile::from_bytes(bytes)?;
        let (found, expected) = (&file.header.encoder, E::id(config));
        if *found != expected {
            return Err(GmoError::Encoder { found: found.clone(), expected });
        }
        Self::shared::<G>(Arc::new(GmoKernels::from_file(&file)?), config, uncertainty, dropout)
    }

    /// A prepared network that other fields may use too.
    ///
    /// # Errors
    /// If its sizes are not those of the encoder, or it does not know its uncertainty in the way that is wanted.
    pub fn shared<G: Game>(
        kernels: Arc<GmoKernels<f32>>,
        config: &G::Config,
        uncertainty: Uncertainty,
        dropout: f64,
    ) -> Result<Self, GmoError>
    where
        E: GmoEncoder<G>,
    {
        let shape = &kernels.net().shape;
        let knows_board = shape.graph.as_ref().is_none_or(|graph| *graph.graph == E::graph(config));
        if shape.features != E::features(config) || shape.groups != E::groups(config) || !knows_board {
            let found = format!("{} features, {:?}", shape.features, shape.groups);
            return Err(GmoError::Encoder { found, expected: E::id(config) });
        }
        let (hidden, mut told) = (shape.hidden, GmoPoints::default());
        told.reset(&kernels, 1, 1);
        let knows = match uncertainty {
            Uncertainty::Dropout | Uncertainty::Error => true,
            Uncertainty::Ensemble => shape.ensemble > 1,
            Uncertainty::Bayes => !told.spreads.is_empty(),
        };
        if !knows {
            return Err(GmoError::Uncertainty(uncertainty));
        }
        let mut masks = DropoutMasks::default();
        masks.nothing(hidden);
        Ok(Self {
            kernels,
            encoder: E::default(),
            uncertainty,
            dropout,
            input: GmoInput::default(),
            masks,
            told,
            slopes: GmoPoints::default(),
            workspace: GmoWorkspace::default(),
        })
    }

    /// The prepared network.
    pub fn kernels(&self) -> &Arc<GmoKernels<f32>> {
        &self.kernels
    }
}

impl<G: Game, E: GmoEncoder<G>> MoveField<G> for GmoField<E> {
    fn dimension(&self) -> usize {
        self.kernels.net().shape.moves
    }

    fn begin(&mut self, position: &G, moves: &[G::Move], points: &mut Vec<f32>) {
        self.encoder.encode(position, moves, &mut self.input);
        self.kernels.begin(&self.input, points, &mut self.workspace);
    }

    fn is_skip(&self, m: G::Move) -> bool {
        E::is_skip(m)
    }

    fn draw(&mut self, passes: usize, random: &mut dyn FnMut() -> u64) {
        let hidden = self.kernels.net().shape.hidden;
        if passes == 0 || self.uncertainty != Uncertainty::Dropout {
            self.masks.nothing(hidden);
        } else {
            self.masks.draw(hidden, passes, self.dropout, random);
        }
    }

    fn look(&mut self, points: &[f32], view: &mut FieldView) {
        self.kernels.forward(points, &self.masks, &mut self.told, &mut self.workspace);
        let told = &self.told;
        let count = points.len() / self.kernels.net().shape.moves;
        let passes = self.masks.count() as f32;
        let mean = |values: &[f32], point: usize, of: fn(f32) -> f32| -> f32 {
            values[point..].iter().step_by(count).map(|&value| of(value)).sum::<f32>() / passes
        };
        view.samples.clear();
        if self.uncertainty == Uncertainty::Ensemble {
            let members = self.kernels.net().shape.ensemble;
            for member in 0..members {
                view.samples.extend((0..count).map(|point| told.ensemble[point * members + member]));
            }
        } else {
            view.samples.extend_from_slice(&told.values);
        }
        view.noise.clear();
        view.noise.extend((0..count).map(|point| mean(&told.log_variances, point, f32::exp)));
        view.spread.clear();
        match self.uncertainty {
            Uncertainty::Error => view.spread.extend_from_slice(&told.errors),
            Uncertainty::Bayes => view.spread.extend_from_slice(&told.spreads),
            Uncertainty::Dropout | Uncertainty::Ensemble => {}
        }
        view.legality.clone_from(&told.legality);
    }

    fn slopes(&mut self, slopes: &FieldView, point_slopes: &mut Vec<f32>) {
        let (passes, told) = (self.masks.count(), &self.told);
        let count = told.values.len() / passes;
        self.slopes.reset(&self.kernels, count, passes);
        if self.uncertainty == Uncertainty::Ensemble {
            let members = self.kernels.net().shape.ensemble;
            for (index, &slope) in slopes.samples.iter().enumerate() {
                self.slopes.ensemble[index % count * members + index / count] = slope;
            }
        } else {
            self.slopes.values.copy_from_slice(&slopes.samples);
        }
        if !slopes.noise.is_empty() {
            for (row, slope) in self.slopes.log_variances.iter_mut().enumerate() {
                *slope = slopes.noise[row % count] * told.log_variances[row].exp() / passes as f32;
            }
        }
        if !slopes.spread.is_empty() {
            match self.uncertainty {
                Uncertainty::Error => self.slopes.errors.copy_from_slice(&slopes.spread),
                Uncertainty::Bayes => self.slopes.spreads.copy_from_slice(&slopes.spread),
                Uncertainty::Dropout | Uncertainty::Ensemble => {}
            }
        }
        if !slopes.legality.is_empty() {
            self.slopes.legality.copy_from_slice(&slopes.legality);
        }
        self.kernels.backward(&self.slopes, &self.masks, point_slopes, &mut self.workspace);
    }

    fn project(&mut self, point: &[f32], moves: &[f32], logits: &mut Vec<f32>) -> bool {
        self.kernels.project(point, moves, logits, &mut self.workspace)
    }
}
