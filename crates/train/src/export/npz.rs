//! Rows as arrays for `NumPy`.

use std::{io, path::Path};

use lab::atomic_file::AtomicFile;
use ndarray::{ArrayView, Dimension, IntoDimension, aview0};
use ndarray_npy::{NpzWriter, WritableElement, WriteNpzError};

use super::Exported;
use crate::{Example, FeatureEncoder, MAX_SEATS, Source, SourceGame, TrainError, encoding::outcome_shares};

/// The largest array: the library writes archives without 64-bit sizes, and arrays have a short header.
const MOST_BYTES: usize = u32::MAX as usize - 1024;

/// Writes all rows of `source` to the file `out`.
///
/// All arrays are held in memory until the last row is known.
///
/// # Errors
/// If a game cannot be read or encoded, an array is larger than the file format allows, or the file cannot be written.
pub fn write_npz(source: &Source<FeatureEncoder>, out: &Path) -> Result<Exported, TrainError> {
    let mut columns = Columns { feature_offsets: vec![0], policy_offsets: vec![0], ..Columns::default() };
    source.for_each_example(|game, example| columns.push(game, example))?;
    let rows = columns.rows() as u64;
    if rows == 0 {
        return Err(TrainError::Empty);
    }
    if columns.largest_bytes() > MOST_BYTES {
        return Err(TrainError::Options(format!(
            "{rows} rows: an array of them would have more than 4 GiB; export fewer folders at a time"
        )));
    }
    let failed = |source| TrainError::Io { path: out.to_owned(), source };
    let file = AtomicFile::create(out).map_err(failed)?;
    let file = columns.write(source, file).map_err(|error| failed(io::Error::other(error)))?;
    file.commit().map_err(failed)?;
    let games = source.folders().iter().map(selfplay::DataFolder::games).sum();
    Ok(Exported { games, rows })
}

/// The arrays, named as in the file.
#[derive(Default)]
struct Columns {
    /// Where the features of each seat begin and end, for four seats a row; those of absent seats are empty.
    feature_offsets: Vec<i64>,
    features: Vec<u16>,
    /// For four seats a row, 0 for absent ones.
    scalars: Vec<f32>,
    heads: Vec<u8>,
    num_players: Vec<u8>,
    targets: Vec<f32>,
    values_mp: Vec<f32>,
    results: Vec<f32>,
    move_numbers: Vec<i32>,
    total_game_moves: Vec<i32>,
    games: Vec<i64>,
    is_leaf: Vec<bool>,
    is_validation: Vec<bool>,
    policy_offsets: Vec<i64>,
    policy_indices: Vec<u16>,
    policy_values: Vec<f32>,
}

impl Columns {
    fn rows(&self) -> usize {
        self.num_players.len()
    }

    fn push(&mut self, game: &SourceGame<'_>, example: &Example<'_>) {
        let Example { row, features, scalars, ply, search, candidates, is_leaf } = *example;
        for seat in 0..MAX_SEATS {
            self.features.extend(features.get(seat).into_iter().flatten());
            self.feature_offsets.push(self.features.len() as i64);
            let missing = if search.is_empty() { f32::NAN } else { 0.0 };
            self.values_mp.push(search.get(seat).copied().unwrap_or(missing));
        }
        let absent = (MAX_SEATS - features.len()) * scalars.len() / features.len();
        self.scalars.extend(scalars.iter().copied().chain(std::iter::repeat_n(0.0, absent)));
        self.heads.extend(row.heads);
        self.num_players.push(row.seats);
        self.targets.extend(row.target);
        let ranking = game.record.result.as_ref().map_or(&[][..], |result| &result.ranking);
        self.results.extend(outcome_shares(ranking));
        self.move_numbers.push(ply as i32);
        self.total_game_moves.push(game.record.moves.len() as i32);
        self.games.push(game.index as i64);
        self.is_leaf.push(is_leaf);
        self.is_validation.push(game.is_for_validation);
        for &(index, share, _) in candidates {
            self.policy_indices.push(index);
            self.policy_values.push(share);
        }
        self.policy_offsets.push(self.policy_indices.len() as i64);
    }

    /// The size of the largest array.
    fn largest_bytes(&self) -> usize {
        (size_of_val(&*self.features))
            .max(size_of_val(&*self.feature_offsets))
            .max(size_of_val(&*self.targets))
            .max(size_of_val(&*self.scalars))
            .max(size_of_val(&*self.policy_values))
    }

    fn write(&self, source: &Source<FeatureEncoder>, file: AtomicFile) -> Result<AtomicFile, WriteNpzError> {
        let mut npz = NpzWriter::new(file);
        let (rows, encoding) = (self.rows(), source.encoding());
        // The library has no strings; these are the bytes of an ASCII text.
        add(&mut npz, "encoder", encoding.id.as_bytes(), encoding.id.len())?;
        npz.add_array("feature_count", &aview0(&(encoding.features as i64)))?;
        add(&mut npz, "feature_offsets", &self.feature_offsets, MAX_SEATS * rows + 1)?;
        add(&mut npz, "features", &self.features, self.features.len())?;
        if !self.scalars.is_empty() {
            let each = self.scalars.len() / (MAX_SEATS * rows);
            add(&mut npz, "scalars", &self.scalars, (rows, MAX_SEATS, each))?;
        }
        add(&mut npz, "heads", &self.heads, (rows, MAX_SEATS))?;
        add(&mut npz, "num_players", &self.num_players, rows)?;
        add(&mut npz, "targets", &self.targets, (rows, MAX_SEATS))?;
        add(&mut npz, "values_mp", &self.values_mp, (rows, MAX_SEATS))?;
        add(&mut npz, "results", &self.results, (rows, MAX_SEATS))?;
        add(&mut npz, "move_numbers", &self.move_numbers, rows)?;
        add(&mut npz, "total_game_moves", &self.total_game_moves, rows)?;
        add(&mut npz, "games", &self.games, rows)?;
        add(&mut npz, "is_leaf", &self.is_leaf, rows)?;
        add(&mut npz, "is_validation", &self.is_validation, rows)?;
        add(&mut npz, "policy_offsets", &self.policy_offsets, rows + 1)?;
        add(&mut npz, "policy_indices", &self.policy_indices, self.policy_indices.len())?;
        add(&mut npz, "policy_values", &self.policy_values, self.policy_values.len())?;
        npz.finish()
    }
}

fn add<T: WritableElement, D: IntoDimension>(
    npz: &mut NpzWriter<AtomicFile>,
    name: &str,
    values: &[T],
    shape: D,
) -> Result<(), WriteNpzError>
where
    D::Dim: Dimension,
{
    let array = ArrayView::from_shape(shape.into_dimension(), values).expect("the shape has all values");
    npz.add_array(name, &array)
}
