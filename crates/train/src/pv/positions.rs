//! The positions of one folder, whatever their type.

use std::{any::Any, marker::PhantomData};

use eval::{EbmoGame, PvEncoder, PvGame, RingRiftSeedPv};
use game::{ForfeitKind, Game, Symmetry, derive_seed};
use nn::{Grid, PvInput, PvLayout, PvTarget};
use record::{Config, GameRecord, PlyStats, Recorded, on_game};
use ringrift::on_board;
use selfplay::{SelfPlayError, tags};

use super::{
    labels::{PvLabels, policy},
    rows::NewRow,
};
use crate::{TrainError, encoding::opening_plies, source::unit_interval};

/// A kind of planes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PvPlanes {
    /// Those of the game's own encoder.
    #[default]
    Default,
    /// Those of [`RingRiftSeedPv`].
    Seed,
    /// Those of the game's encoder for energies, whose moves are actions.
    Ebmo,
}

/// Positions of games with the same options, and the last positions of these games.
pub(super) trait Positions: Send + Sync {
    /// The same without positions.
    fn empty(&self) -> Box<dyn Positions>;

    /// The memory of the positions, in bytes.
    fn bytes(&self) -> usize;

    /// The number of positions, and of last positions.
    fn counts(&self) -> (u32, u32);

    /// Adds positions of the same type.
    fn append(&mut self, other: Box<dyn Positions>);

    fn into_any(self: Box<Self>) -> Box<dyn Any>;

    /// Adds positions of a game, and calls `add` for each.
    fn add_game(
        &mut self,
        game: &GameRecord,
        labels: &PvLabels,
        add: &mut dyn FnMut(NewRow<'_>),
    ) -> Result<(), TrainError>;

    /// Writes a position under a symmetry, and how its game ended. Returns the seat to move, by its index.
    fn fill(
        &self,
        position: u32,
        end: Option<u32>,
        symmetry: usize,
        input: &mut PvInput<f32>,
        target: &mut PvTarget<f32>,
    ) -> usize;

    /// What a network of these positions reads.
    fn encoder(&self) -> EncoderFacts;
}

/// What a network must fit to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct EncoderFacts {
    pub(crate) id: String,
    pub(crate) layout: PvLayout,
    pub(crate) grid: Grid,
}

/// A place for positions of games with these options; `None` if there are no such planes of them.
pub(super) fn positions(config: &Config, planes: PvPlanes) -> Result<Option<Box<dyn Positions>>, TrainError> {
    Ok(match (planes, config) {
        (PvPlanes::Default, _) => {
            on_game!(*config, P => Some(Typed::<P, <P as PvGame>::Encoder>::boxed(config)?))
        }
        (PvPlanes::Seed, Config::RingRift(ringrift)) => on_board!(ringrift.board, B => {
            Some(Typed::<ringrift::Position<B>, RingRiftSeedPv<B>>::boxed(config)?)
        }),
        (PvPlanes::Seed, Config::Go(_)) => None,
        (PvPlanes::Ebmo, _) => {
            on_game!(*config, P => Some(Typed::<P, <P as EbmoGame>::Encoder>::boxed(config)?))
        }
    })
}

struct Typed<P: Game, E> {
    options: P::Config,
    positions: Vec<P>,
    ends: Vec<P>,
    encoder: PhantomData<E>,
}

impl<P: Recorded + Symmetry, E: PvEncoder<P>> Typed<P, E> {
    fn boxed(config: &Config) -> Result<Box<dyn Positions>, TrainError> {
        let options = P::options(config).map_err(|problem| TrainError::Options(problem.to_string()))?;
        Ok(Box::new(Self::new(options)))
    }

    fn new(options: P::Config) -> Self {
        Self { options, positions: Vec::new(), ends: Vec::new(), encoder: PhantomData }
    }

    fn push(&mut self, position: &P) -> (u32, usize) {
        self.positions.push(position.clone());
        let index = u32::try_from(self.positions.len() - 1).expect("rows fit in memory");
        (index, position.symmetries())
    }
}

impl<P: Recorded + Symmetry, E: PvEncoder<P>> Positions for Typed<P, E> {
    fn empty(&self) -> Box<dyn Positions> {
        Box::new(Self::new(self.options.clone()))
    }

    fn bytes(&self) -> usize {
        (self.positions.len() + self.ends.len()) * size_of::<P>()
    }

    fn counts(&self) -> (u32, u32) {
        (self.positions.len() as u32, self.ends.len() as u32)
    }

    fn append(&mut self, other: Box<dyn Positions>) {
        let other = other.into_any().downcast::<Self>().expect("a folder has positions of one type");
        self.positions.extend(other.positions);
        self.ends.extend(other.ends);
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }

    fn add_game(
        &mut self,
        game: &GameRecord,
        labels: &PvLabels,
        add: &mut dyn FnMut(NewRow<'_>),
    ) -> Result<(), TrainError> {
        let result = game.result.as_ref().ok_or_else(|| TrainError::Unfinished(game.id.clone()))?;
        let targets = labels.values(game, &result.ranking);
        let (mut targets, mut decided) = (targets.iter().peekable(), game.stats.iter().peekable());
        let mut draw = draws(&game.id, labels.value_rows);
        let opening = opening_plies(game);
        // The last position tells something about the others unless somebody gave up.
        let end = ForfeitKind::parse(&result.reason).is_none().then_some(self.ends.len() as u32);
        let decided_from = decided_plies(game);
        let mut found: Vec<Row> = Vec::new();
        let (mut ply, mut legal, mut moves) = (0, Vec::new(), Vec::new());
        let last = game.replay_as::<P>(|position, m| {
            while targets.next_if(|target| (target.0 as usize) < ply).is_some() {}
            while decided.next_if(|stats: &&PlyStats| (stats.ply as usize) < ply).is_some() {}
            if ply >= opening {
                moves.clear();
                if let Some(stats) = decided.peek().filter(|stats| stats.ply as usize == ply) {
                    position.legal_moves(&mut legal);
                    let place = legal.iter().position(|&other| other == m);
                    policy(game, stats, place, labels, &mut moves);
                }
                if !moves.is_empty() || draw() {
                    let (position, symmetries) = self.push(position);
                    let value = targets.peek().map_or([0.0; 4], |target| target.1);
                    let decided = decided_from.is_some_and(|from| ply >= from);
                    found.push(Row { position, symmetries, end, policy: moves.clone(), value, decided });
                }
            }
            ply += 1;
        })?;
        self.ends.extend(end.map(|_| last));
        for leaf in &game.leaves {
            if !draw() {
                continue;
            }
            let position = P::from_text(&leaf.position).map_err(|faults| SelfPlayError::Leaf {
                game: game.id.clone(),
                problem: faults.to_string(),
            })?;
            let (position, symmetries) = self.push(&position);
            // The game did not pass here, so its result says little.
            let value = labels.search_shares(&leaf.value);
            found.push(Row { position, symmetries, end: None, policy: Vec::new(), value, decided: false });
        }
        let weight = if labels.by_game { TYPICAL_ROWS / found.len() as f32 } else { 1.0 };
        for Row { position, symmetries, end, policy, value, decided } in &found {
            let weight = if *decided { weight * DECIDED } else { weight };
            let (position, end, symmetries, value) = (*position, *end, *symmetries, *value);
            add(NewRow { position, end, symmetries, policy, value, weight });
        }
        Ok(())
    }

    fn fill(
        &self,
        position: u32,
        end: Option<u32>,
        symmetry: usize,
        input: &mut PvInput<f32>,
        target: &mut PvTarget<f32>,
    ) -> usize {
        let position = &self.positions[position as usize];
        let seat = position.to_move();
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        if symmetry == 0 {
            E::encode(position, &moves, input);
        } else {
            // The images of all legal moves, in the order of those moves: the policy needs no translation.
            for m in &mut moves {
                *m = position.transformed_move(*m, symmetry);
            }
            E::encode(&position.transformed(symmetry), &moves, input);
        }
        match end.map(|end| &self.ends[end as usize]) {
            Some(last) if symmetry == 0 => E::encode_end(last, seat, target),
            Some(last) => E::encode_end(&last.transformed(symmetry), seat, target),
            None => {
                target.owner.clear();
                target.margin.clear();
            }
        }
        seat.index()
    }

    fn encoder(&self) -> EncoderFacts {
        EncoderFacts { id: E::id(), layout: E::layout(), grid: E::grid(&self.options) }
    }
}

/// A row whose weight is not known yet.
struct Row {
    position: u32,
    symmetries: usize,
    end: Option<u32>,
    policy: Vec<(u16, f32)>,
    value: [f32; crate::MAX_SEATS],
    decided: bool,
}

/// Rows of a game that weigh 1 each if games weigh the same.
const TYPICAL_ROWS: f32 = 50.0;

/// The weight of rows of a game that was as good as decided.
const DECIDED: f32 = 0.1;

/// The ply from which a game was as good as decided.
fn decided_plies(game: &GameRecord) -> Option<usize> {
    game.tags.get(tags::DECIDED).and_then(|text| text.parse().ok())
}

/// Draws that are true with probability `share`, and depend on the game alone.
fn draws(id: &str, share: f32) -> impl FnMut() -> bool {
    let hash = blake3::hash(id.as_bytes());
    let (word, _) = hash.as_bytes().split_first_chunk::<8>().expect("a hash has 32 bytes");
    let (seed, mut index) = (u64::from_le_bytes(*word), 0);
    move || {
        index += 1;
        unit_interval(derive_seed(seed, index, 0)) < f64::from(share)
    }
}
