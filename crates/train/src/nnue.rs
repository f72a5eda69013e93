//! Efficiently updatable networks in the training loop.

use std::{collections::BTreeMap, path::PathBuf};

use nn::{ModelFile, NnueShape, QuantisedNnue, Sample, Workspace};
use record::{Config, GameRecord};
use ringrift::Board;
use selfplay::DataFolder;

use crate::{
    Encoder, Encoding, Example, FactorisedNnue, Factoriser, Labels, LossSum, Measure, ReadOptions,
    RowEncoder, RowStore, Source, SourceGame, TrainError,
    learner::Learner,
    rows::{MAX_SEATS, Rows},
    source::{fit_scale, is_for_validation},
};

/// How a source of features reads its folders.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SourceOptions {
    /// The features of positions.
    pub encoder: Encoder,
    /// The weight of the game's result in targets.
    pub result_share: f32,
    /// The number of stages of the game that the network tells apart.
    pub stages: usize,
    /// The memory of a block, in bytes.
    pub block_bytes: usize,
    /// The number of threads that read.
    pub threads: usize,
    /// The seed of the order of shards.
    pub seed: u64,
}

/// The most rows that are validated on.
const VALIDATION_ROWS: usize = 40_000;

/// From games of RingRift to features.
pub struct FeatureEncoder {
    encoding: Encoding,
    /// How targets are computed, for each folder.
    labels: Vec<Labels>,
}

impl RowEncoder for FeatureEncoder {
    type Rows = Rows;

    fn no_rows(&self) -> Rows {
        Rows::default()
    }

    fn encode(&self, folder: usize, game: &GameRecord, rows: &mut Rows) -> Result<(), TrainError> {
        self.encoding.encode(game, &self.labels[folder], rows)
    }
}

impl RowStore for Rows {
    fn len(&self) -> usize {
        Rows::len(self)
    }

    fn bytes(&self) -> usize {
        Rows::bytes(self)
    }

    fn append(&mut self, other: Self) {
        Rows::append(self, &other);
    }
}

impl Source<FeatureEncoder> {
    /// Opens folders, which must all have games of one board.
    ///
    /// # Errors
    /// If a folder is not one of self-play games, is empty, or has games of another board.
    pub fn open(paths: &[PathBuf], options: &SourceOptions) -> Result<Self, TrainError> {
        let folders = paths.iter().map(|path| DataFolder::open(path)).collect::<Result<Vec<_>, _>>()?;
        let mut board = None;
        for folder in &folders {
            let found = board_of(folder)?;
            if *board.get_or_insert(found) != found {
                return Err(TrainError::Boards { path: folder.path().to_owned(), found });
            }
        }
        let board =
            board.filter(|_| folders.iter().any(|folder| folder.games() > 0)).ok_or(TrainError::Empty)?;
        let SourceOptions { encoder, result_share, stages, block_bytes, threads, seed } = *options;
        let labels = |folder: &DataFolder| Ok(Labels { result_share, scale: fit_scale(folder)?, stages });
        let labels = folders.iter().map(labels).collect::<Result<_, TrainError>>()?;
        let encoder = FeatureEncoder { encoding: Encoding::new(encoder, board), labels };
        Ok(Self::new(
            folders,
            encoder,
            ReadOptions { block_bytes, threads, seed, validation_rows: VALIDATION_ROWS },
        ))
    }

    /// How positions become features.
    pub fn encoding(&self) -> &Encoding {
        &self.encoder().encoding
    }

    /// The fitted scale of search values, for each folder.
    pub fn scales(&self) -> Vec<f32> {
        self.encoder().labels.iter().map(|labels| labels.scale).collect()
    }

    /// Calls `visit` with every row and its game, in the order of folders, shards and games.
    ///
    /// # Errors
    /// If a shard cannot be read or encoded.
    pub fn for_each_example(
        &self,
        mut visit: impl FnMut(&SourceGame<'_>, &Example<'_>),
    ) -> Result<(), TrainError> {
        let mut index = 0;
        for (folder, labels) in self.folders().iter().zip(&self.encoder().labels) {
            for shard in folder.shards() {
                for record in &folder.read(shard)? {
                    let game = SourceGame { index, record, is_for_validation: is_for_validation(record) };
                    self.encoding().examples(record, labels, &mut |example| visit(&game, example))?;
                    index += 1;
                }
            }
        }
        Ok(())
    }
}

fn board_of(folder: &DataFolder) -> Result<Board, TrainError> {
    match serde_json::from_value(folder.config()["config"].clone()) {
        Ok(Config::RingRift(config)) => Ok(config.board),
        _ => Err(TrainError::Game(folder.path().to_owned())),
    }
}

/// Networks of one shape over the features of an encoding.
pub struct NnueLearner {
    /// The features.
    pub encoding: Encoding,
    /// The shape.
    pub shape: NnueShape,
    /// Which features share a part of their weights.
    pub factoriser: Factoriser,
    /// The decay of what the weights of a feature have of their own, as a multiple of the learning rate.
    pub own_decay: f32,
}

/// What one thread computes with.
pub struct NnueWorker {
    gradient: FactorisedNnue,
    workspace: Workspace<f32>,
    lists: Vec<Vec<u16>>,
}

impl Learner for NnueLearner {
    type Net = FactorisedNnue;
    type Rows = Rows;
    type Worker = NnueWorker;

    fn zeros(&self) -> FactorisedNnue {
        self.factoriser.zeros(&self.shape)
    }

    fn worker(&self) -> NnueWorker {
        NnueWorker {
            gradient: self.zeros(),
            workspace: Workspace::new(&self.shape),
            lists: vec![Vec::new(); MAX_SEATS],
        }
    }

    fn gradient(worker: &mut NnueWorker) -> &mut FactorisedNnue {
        &mut worker.gradient
    }

    fn symmetries(&self, rows: &Rows, row: usize) -> usize {
        usize::from(rows.row(row).symmetries).min(self.encoding.images.len()).max(1)
    }

    fn learn(
        &self,
        FactorisedNnue { net, .. }: &FactorisedNnue,
        rows: &Rows,
        batch: &[(u32, u8)],
        worker: &mut NnueWorker,
    ) -> LossSum {
        let mut loss = 0.0;
        for group in worker.gradient.net.parameters_mut() {
            group.fill(0.0);
        }
        for &(index, symmetry) in batch {
            let row = rows.row(index as usize);
            let seats = usize::from(row.seats);
            for (seat, list) in worker.lists[..seats].iter_mut().enumerate() {
                list.clear();
                let features = rows.features(index as usize, seat);
                if symmetry == 0 {
                    list.extend_from_slice(features);
                } else {
                    let image = &self.encoding.images[usize::from(symmetry)];
                    list.extend(features.iter().map(|&feature| image[usize::from(feature)]));
                }
            }
            let mut perspectives: [&[u16]; MAX_SEATS] = [&[]; MAX_SEATS];
            for (perspective, list) in perspectives.iter_mut().zip(&worker.lists) {
                *perspective = list;
            }
            let sample = Sample {
                perspectives: &perspectives[..seats],
                scalars: rows.scalars(index as usize),
                heads: &row.heads[..seats],
                target: &row.target[..seats],
                weight: 1.0,
            };
            loss += f64::from(net.accumulate(&sample, &mut worker.gradient.net, &mut worker.workspace));
        }
        self.factoriser.sum_slopes(&mut worker.gradient);
        LossSum { loss, weight: batch.len() as f64 }
    }

    fn end_step(&self, net: &mut FactorisedNnue, rate: f32) {
        self.factoriser.spread_gain(net);
        if self.own_decay > 0.0 {
            self.factoriser.shrink_own(&mut net.net, (rate * self.own_decay).min(1.0));
        }
        if self.shape.layers.is_empty() {
            net.net.limit_reach(&self.encoding.groups);
        }
    }

    fn losses(
        &self,
        FactorisedNnue { net, .. }: &FactorisedNnue,
        rows: &Rows,
        first: usize,
        losses: &mut [f32],
        worker: &mut NnueWorker,
    ) -> Vec<Measure> {
        for (index, loss) in (first..).zip(losses) {
            let row = rows.row(index);
            let seats = usize::from(row.seats);
            let mut perspectives: [&[u16]; MAX_SEATS] = [&[]; MAX_SEATS];
            for (seat, perspective) in perspectives[..seats].iter_mut().enumerate() {
                *perspective = rows.features(index, seat);
            }
            let (perspectives, heads) = (&perspectives[..seats], &row.heads[..seats]);
            let logits = net.logits(perspectives, rows.scalars(index), heads, &mut worker.workspace);
            let mut slopes = [0.0; MAX_SEATS];
            *loss = nn::softmax_cross_entropy(logits, &row.target[..seats], &mut slopes[..seats]);
        }
        Vec::new()
    }

    fn model(
        &self,
        FactorisedNnue { net, .. }: &FactorisedNnue,
        provenance: BTreeMap<String, String>,
    ) -> Result<ModelFile, TrainError> {
        if self.shape.layers.is_empty() {
            QuantisedNnue::new(net, &self.encoding.groups)?;
        }
        Ok(net.to_file(&self.encoding.id, provenance))
    }
}
