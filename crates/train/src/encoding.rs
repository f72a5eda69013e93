//! From game records to rows.

use eval::{FeatureSet, Features, HybridFeatures, SeedFeatures};
use game::{Game, Seat, Setup, Symmetry};
use record::{GameRecord, PlyStats, ReplayError};
use ringrift::{Board, Geometry, Position, on_board};
use selfplay::SelfPlayError;

use crate::{
    TrainError,
    rows::{MAX_SEATS, Row, Rows},
};

/// A kind of features.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Encoder {
    /// Those of [`Features`].
    #[default]
    Nnue,
    /// Those of [`HybridFeatures`].
    Hybrid,
    /// Those of [`SeedFeatures`].
    Seed,
}

/// How positions of a board become features.
#[derive(Clone)]
pub struct Encoding {
    /// The board.
    pub board: Board,
    /// The id of the encoder, as in model files.
    pub id: String,
    /// The number of features of a perspective.
    pub features: usize,
    /// The ends of groups of mutually exclusive features.
    pub groups: Vec<usize>,
    /// The image of every feature under each symmetry of the board.
    pub images: Vec<Vec<u16>>,
    /// The kind of every feature that has a kind, as in [`FeatureSet::kinds`].
    pub kinds: Vec<Option<u16>>,
    /// The weights that the scalars of a perspective start with; empty if there are none.
    pub scalar_weights: Vec<f32>,
    heads: fn(usize) -> usize,
    examples: fn(&GameRecord, &Labels, &mut Visit<'_>) -> Result<(), TrainError>,
}

/// What is called with every row of a game.
type Visit<'v> = dyn FnMut(&Example<'_>) + 'v;

/// A row before it is stored, with what it was made from.
#[derive(Clone, Copy, Debug)]
pub struct Example<'a> {
    /// The row.
    pub row: Row,
    /// The features of each seat.
    pub features: &'a [Vec<u16>],
    /// The scalars of all seats, one after another.
    pub scalars: &'a [f32],
    /// The number of moves before the position; for a position inside a search, before the move that was searched.
    pub ply: usize,
    /// The values per seat that a search found, in [−1, 1]; empty if there was none.
    pub search: &'a [f32],
    /// The candidates of a search of this very position, as in [`PlyStats::candidates`].
    pub candidates: &'a [(u16, f32, Option<f32>)],
    /// Whether the position was met inside a search instead of the game.
    pub is_leaf: bool,
}

/// How targets are computed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Labels {
    /// The weight of the game's result in a target; the value that the search found has the rest.
    pub result_share: f32,
    /// The factor from the logit of a search value to that of the expected result.
    pub scale: f32,
    /// The number of stages of the game that the network tells apart.
    pub stages: usize,
}

impl Encoding {
    /// The encoding of positions on a board.
    pub fn new(encoder: Encoder, board: Board) -> Self {
        on_board!(board, B => match encoder {
            Encoder::Nnue => Self::of::<B, Features<B>>(board),
            Encoder::Hybrid => Self::of::<B, HybridFeatures<B>>(board),
            Encoder::Seed => Self::of::<B, SeedFeatures<B>>(board),
        })
    }

    fn of<B: Geometry, F: FeatureSet<B>>(board: Board) -> Self {
        Self {
            board,
            id: F::id(),
            features: F::count(),
            groups: F::groups(),
            images: (0..symmetries::<B>()).map(F::image).collect(),
            kinds: F::kinds(),
            scalar_weights: F::scalar_weights(),
            heads: F::heads,
            examples: examples::<B, F>,
        }
    }

    /// Whether a network of the encoder with this id reads the same features, perhaps without scalars.
    pub fn continues(&self, id: &str) -> bool {
        let plain = Self::new(Encoder::Nnue, self.board).id;
        self.id == id || self.id == Self::new(Encoder::Hybrid, self.board).id && id == plain
    }

    /// The number of heads of a network that tells `stages` stages of the game apart.
    pub fn heads(&self, stages: usize) -> usize {
        (self.heads)(stages)
    }

    /// Adds the rows of a game.
    ///
    /// # Errors
    /// If the game does not replay on this board, or is not over.
    pub fn encode(&self, game: &GameRecord, labels: &Labels, rows: &mut Rows) -> Result<(), TrainError> {
        self.examples(game, labels, &mut |example| {
            rows.push(example.row, example.features.iter().map(Vec::as_slice), example.scalars);
        })
    }

    /// Calls `visit` with every row of a game, in the order of [`Encoding::encode`].
    ///
    /// # Errors
    /// As [`Encoding::encode`]. Rows before the problem have been visited.
    pub fn examples(
        &self,
        game: &GameRecord,
        labels: &Labels,
        visit: &mut Visit<'_>,
    ) -> Result<(), TrainError> {
        (self.examples)(game, labels, visit)
    }
}

/// The number of symmetries of a board.
fn symmetries<B: Geometry>() -> usize {
    Position::<B>::new(&ringrift::Rules::new(2)).symmetries()
}

/// Every position after the opening is a row, forced ones included: move ordering evaluates in the middle of turns. A
/// position without a search of its own has the value of the next decision.
fn examples<B: Geometry, F: FeatureSet<B>>(
    game: &GameRecord,
    labels: &Labels,
    visit: &mut Visit<'_>,
) -> Result<(), TrainError> {
    let result = game.result.as_ref().ok_or_else(|| TrainError::Unfinished(game.id.clone()))?;
    let seats = game.seats();
    let result = outcome_shares(&result.ranking);
    let opening = opening_plies(game);
    let mut searched = game.stats.iter().filter(|stats| !stats.value.is_empty()).peekable();
    let mut decided = game.stats.iter().peekable();
    let (mut ply, mut features, mut scalars) = (0, vec![Vec::new(); seats], Vec::new());
    game.replay_as::<Position<B>>(|position, _| {
        let before = |stats: &&PlyStats| (stats.ply as usize) < ply;
        while searched.next_if(before).is_some() {}
        while decided.next_if(before).is_some() {}
        if ply >= opening {
            let search = searched.peek().map_or(&[][..], |stats| &stats.value);
            let own = decided.peek().filter(|stats| stats.ply as usize == ply);
            let target = if search.is_empty() {
                result
            } else {
                blend(&result, &search_shares(search, labels.scale), labels.result_share)
            };
            visit(&Example {
                row: encode::<B, F>(position, target, labels, &mut features, &mut scalars),
                features: &features,
                scalars: &scalars,
                ply,
                search,
                candidates: own.map_or(&[], |stats| &stats.candidates),
                is_leaf: false,
            });
        }
        ply += 1;
    })?;
    for leaf in &game.leaves {
        let position = Position::<B>::from_text(&leaf.position)
            .map_err(|faults| SelfPlayError::Leaf { game: game.id.clone(), problem: faults.to_string() })?;
        // The game did not pass here, so its result says little.
        let target = search_shares(&leaf.value, labels.scale);
        visit(&Example {
            row: encode::<B, F>(&position, target, labels, &mut features, &mut scalars),
            features: &features,
            scalars: &scalars,
            ply: leaf.ply as usize,
            search: &leaf.value,
            candidates: &[],
            is_leaf: true,
        });
    }
    Ok(())
}

/// The row of a position, whose features are put into `features`, a list for each seat, and scalars into `scalars`.
fn encode<B: Geometry, F: FeatureSet<B>>(
    position: &Position<B>,
    target: [f32; MAX_SEATS],
    labels: &Labels,
    features: &mut [Vec<u16>],
    scalars: &mut Vec<f32>,
) -> Row {
    let (seats, count) = (features.len(), F::heads(labels.stages));
    let mut heads = [0; MAX_SEATS];
    for (seat, list) in Seat::all(seats).zip(features) {
        F::active(position, seat, list);
        heads[seat.index()] = F::head(position, seat, count) as u8;
    }
    F::read_scalars(position, scalars);
    Row::new(seats, heads, position.symmetries(), target)
}

/// The number of plies at the start of a game that no agent chose.
pub(crate) fn opening_plies(game: &GameRecord) -> usize {
    game.tags.get(selfplay::tags::OPENING).and_then(|text| text.parse().ok()).unwrap_or(0)
}

pub(crate) fn blend(
    result: &[f32; MAX_SEATS],
    search: &[f32; MAX_SEATS],
    result_share: f32,
) -> [f32; MAX_SEATS] {
    std::array::from_fn(|seat| result_share * result[seat] + (1.0 - result_share) * search[seat])
}

/// The share of the game that each seat got: 1 for a sole winner, split between seats that share the first rank.
pub(crate) fn outcome_shares(ranks: &[u8]) -> [f32; MAX_SEATS] {
    let winners = ranks.iter().filter(|&&rank| rank == 1).count().max(1) as f32;
    let mut shares = [0.0; MAX_SEATS];
    for (share, &rank) in shares.iter_mut().zip(ranks) {
        *share = if rank == 1 { 1.0 / winners } else { 0.0 };
    }
    shares
}

/// The share of the game that values in [−1, 1] stand for: with two seats, the logit of the share is `scale` times that
/// of the value.
pub(crate) fn search_shares(values: &[f32], scale: f32) -> [f32; MAX_SEATS] {
    /// Keeps logits finite; proven wins are this certain.
    const LEAST: f32 = 1e-3;
    let mut shares = [0.0; MAX_SEATS];
    for (share, &value) in shares.iter_mut().zip(values) {
        *share = (0.5 + 0.5 * value).clamp(LEAST, 1.0 - LEAST).powf(scale);
    }
    let sum: f32 = shares.iter().sum();
    for share in &mut shares {
        *share /= sum;
    }
    shares
}

impl From<ReplayError> for TrainError {
    fn from(error: ReplayError) -> Self {
        Self::Data(error.into())
    }
}
