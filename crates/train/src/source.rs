//! Training data from folders of self-play games, shuffled without holding all of it in memory.

use std::thread;

use game::derive_seed;
use nn::softmax_cross_entropy;
use rand::Rng;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use record::GameRecord;
use selfplay::{DataFolder, Shard};
use serde_json::{Value, json};

use crate::{
    TrainError,
    encoding::{outcome_shares, search_shares},
    learner::{RowEncoder, RowStore},
};

/// One game in this many is for validation.
const VALIDATION: u64 = 20;

/// The rows of folders of self-play games.
///
/// Rows come in blocks. A block has the rows of some shards, chosen at random for every epoch; the
/// [`Trainer`](crate::Trainer) shuffles them. If all rows fit into the memory that is allowed, there is one block, which is read once.
pub struct Source<E: RowEncoder> {
    folders: Vec<DataFolder>,
    encoder: E,
    options: ReadOptions,
    cached: Option<E::Rows>,
    /// The bytes of rows per game, as far as known.
    bytes_per_game: f64,
}

/// How a source reads its folders, whatever it makes of the games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReadOptions {
    /// The memory of a block, in bytes.
    pub block_bytes: usize,
    /// The number of threads that read.
    pub threads: usize,
    /// The seed of the order of shards.
    pub seed: u64,
    /// About the most rows that are validated on; more would take longer than they tell.
    pub validation_rows: usize,
}

/// A game of a source.
#[derive(Clone, Copy, Debug)]
pub struct SourceGame<'a> {
    /// Its index among all games.
    pub index: u64,
    /// The game.
    pub record: &'a GameRecord,
    /// Whether it is kept apart from training.
    pub is_for_validation: bool,
}

impl<E: RowEncoder> Source<E> {
    /// The games of folders, as rows of `encoder`.
    pub fn new(folders: Vec<DataFolder>, encoder: E, options: ReadOptions) -> Self {
        Self { folders, encoder, options, cached: None, bytes_per_game: 0.0 }
    }

    /// From games to rows.
    pub fn encoder(&self) -> &E {
        &self.encoder
    }

    /// The folders.
    pub fn folders(&self) -> &[DataFolder] {
        &self.folders
    }

    /// The data, as far as a run depends on them.
    pub(crate) fn resolved(&self) -> Value {
        let games: u64 = self.folders.iter().map(DataFolder::games).sum();
        json!({ "data": self.manifest(), "games": games })
    }

    /// A hash of all games, which changes if any folder does.
    pub fn manifest(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        for folder in &self.folders {
            hasher.update(folder.manifest().as_bytes());
        }
        hasher.finalize().to_hex().to_string()
    }

    /// Calls `train` with block `index` of an epoch. Returns `None` if the epoch has fewer blocks.
    ///
    /// # Errors
    /// If a shard cannot be read, or `train` fails.
    pub fn with_block<T>(
        &mut self,
        epoch: u32,
        index: u32,
        train: impl FnOnce(&E::Rows) -> Result<T, TrainError>,
    ) -> Result<Option<T>, TrainError> {
        let order = self.shuffled_shards(epoch);
        if self.bytes_per_game == 0.0 {
            // The first shard tells how many fit into a block.
            let (folder, shard) = order[0];
            let rows = self.read(&[(folder, shard)])?;
            self.bytes_per_game = rows.bytes() as f64 / self.folders[folder].shards()[shard].games as f64;
        }
        let games = |(folder, shard): (usize, usize)| self.folders[folder].shards()[shard].games as f64;
        let (mut blocks, mut block, mut bytes) = (Vec::new(), Vec::new(), 0.0);
        for place in order {
            let more = games(place) * self.bytes_per_game;
            if bytes + more > self.options.block_bytes as f64 && bytes > 0.0 {
                blocks.push(std::mem::take(&mut block));
                bytes = 0.0;
            }
            bytes += more;
            block.push(place);
        }
        blocks.push(block);
        let Some(places) = blocks.get(index as usize) else { return Ok(None) };
        if blocks.len() > 1 {
            return train(&self.read(places)?).map(Some);
        }
        if self.cached.is_none() {
            // In the order of the folders, so that every epoch has the same block.
            let mut places = places.clone();
            places.sort_unstable();
            self.cached = Some(self.read(&places)?);
        }
        self.cached.as_ref().map(train).transpose()
    }

    /// The rows to validate on: games that are never trained on.
    ///
    /// # Errors
    /// If a shard cannot be read.
    pub fn validation(&self) -> Result<E::Rows, TrainError> {
        let mut rows = self.encoder.no_rows();
        for (index, folder) in self.folders.iter().enumerate() {
            let mut part = self.encoder.no_rows();
            for shard in folder.shards() {
                if part.len() >= self.options.validation_rows / self.folders.len() {
                    break;
                }
                for game in folder.read(shard)?.iter().filter(|game| is_for_validation(game)) {
                    self.encoder.encode(index, game, &mut part)?;
                }
            }
            rows.append(part);
        }
        Ok(rows)
    }

    /// All shards, as indices of folder and shard, in the order of an epoch.
    fn shuffled_shards(&self, epoch: u32) -> Vec<(usize, usize)> {
        let shards = |(folder, data): (usize, &DataFolder)| {
            (0..data.shards().len()).map(move |shard| (folder, shard)).collect::<Vec<_>>()
        };
        let mut order: Vec<_> = self.folders.iter().enumerate().flat_map(shards).collect();
        shuffle(&mut order, &mut generator(self.options.seed, epoch.into(), 0));
        order
    }

    /// Reads shards on several threads.
    fn read(&self, places: &[(usize, usize)]) -> Result<E::Rows, TrainError> {
        let parts = thread::scope(|scope| {
            let share = places.len().div_ceil(self.options.threads.max(1)).max(1);
            let workers: Vec<_> = places
                .chunks(share)
                .map(|places| {
                    scope.spawn(move || {
                        let mut rows = self.encoder.no_rows();
                        for &(folder, shard) in places {
                            self.read_shard(folder, &self.folders[folder].shards()[shard], &mut rows)?;
                        }
                        Ok::<_, TrainError>(rows)
                    })
                })
                .collect();
            workers.into_iter().map(|worker| worker.join().expect("readers do not panic")).collect::<Vec<_>>()
        });
        let mut rows = self.encoder.no_rows();
        for part in parts {
            rows.append(part?);
        }
        Ok(rows)
    }

    fn read_shard(&self, folder: usize, shard: &Shard, rows: &mut E::Rows) -> Result<(), TrainError> {
        for game in self.folders[folder].read(shard)?.iter().filter(|game| !is_for_validation(game)) {
            self.encoder.encode(folder, game, rows)?;
        }
        Ok(())
    }
}

/// A generator for one purpose at one point of a run.
pub(crate) fn generator(seed: u64, index: u64, purpose: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(derive_seed(seed, index, purpose))
}

/// A number in [0, 1) from uniformly random bits.
pub(crate) fn unit_interval(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

/// Brings `items` into a random order.
pub(crate) fn shuffle<T>(items: &mut [T], rng: &mut impl Rng) {
    for last in (1..items.len()).rev() {
        items.swap(last, game::pick(rng, last + 1));
    }
}

/// Whether a game is kept apart from training. Rows of one game go together, since neighbouring positions are too much
/// alike to test one by the other.
pub(crate) fn is_for_validation(game: &GameRecord) -> bool {
    let hash = blake3::hash(game.id.as_bytes());
    let (word, _) = hash.as_bytes().split_first_chunk::<8>().expect("a hash has 32 bytes");
    u64::from_le_bytes(*word).is_multiple_of(VALIDATION)
}

/// The scale at which the search values of a folder predict the results of its games best. Proven wins and losses are
/// left out: they fit any scale.
pub(crate) fn fit_scale(folder: &DataFolder) -> Result<f32, TrainError> {
    /// More games would not change the second digit.
    const GAMES: usize = 2_000;
    let mut pairs: Vec<(Vec<f32>, [f32; 4])> = Vec::new();
    let mut games = 0;
    for shard in folder.shards() {
        for game in folder.read(shard)? {
            let Some(result) = &game.result else { continue };
            let result = outcome_shares(&result.ranking);
            let open =
                |values: &Vec<f32>| !values.is_empty() && values.iter().all(|value| value.abs() < 0.99);
            let values = game.stats.into_iter().map(|stats| stats.value).filter(open);
            pairs.extend(values.map(|values| (values, result)));
            games += 1;
        }
        if games >= GAMES {
            break;
        }
    }
    if pairs.is_empty() {
        return Ok(1.0);
    }
    let loss = |scale: f32| -> f64 {
        let mut slopes = [0.0; 4];
        let of_pair = |(values, result): &(Vec<f32>, [f32; 4])| {
            let logits = search_shares(values, scale).map(f32::ln);
            let seats = values.len();
            f64::from(softmax_cross_entropy(&logits[..seats], &result[..seats], &mut slopes[..seats]))
        };
        pairs.iter().map(of_pair).sum()
    };
    // The loss is convex in the scale: a ternary search in its logarithm.
    let (mut low, mut high) = (0.05_f32.ln(), 20.0_f32.ln());
    for _ in 0..24 {
        let third = (high - low) / 3.0;
        let (left, right) = (low + third, high - third);
        if loss(left.exp()) < loss(right.exp()) { high = right } else { low = left }
    }
    Ok(f32::midpoint(low, high).exp())
}
