//! The registry of nets: those shipped with the program and model files, identified by their content.

mod field;
mod inspection;
mod model;
mod omega;
mod pv;
mod shipped;
#[cfg(test)]
pub(crate) mod tests;

use std::{
    collections::BTreeMap,
    fs,
    io::ErrorKind,
    path::{Component, Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use eval::{GoPv, NnueEvaluator, OmegaNets, PvEncoder, RingRiftPv};
use go::Medium;
use ringrift::on_board;

use field::of_files;
pub(crate) use field::{EBMO, GMO, IG_GMO};
pub use inspection::{Quantisation, TensorSummary};
pub use model::Model;
pub(crate) use omega::OMEGA;
pub(crate) use pv::PV;

use crate::Venue;

/// The file extension of model files.
const EXTENSION: &str = "safetensors";

/// The fewest digits of a hash that name a net.
const MIN_DIGITS: usize = 8;

/// The kinds of nets. Each is also the name of the venue's shipped net of that kind.
const KINDS: [&str; 6] = [NNUE, PV, OMEGA, GMO, IG_GMO, EBMO];
const NNUE: &str = "nnue";

/// The nets that agents can name. Each is loaded on first use and shared from then on.
///
/// The default registry has the shipped nets and reads no files.
#[derive(Debug, Default)]
pub struct Models {
    /// The folder for nets that are named without a path.
    folder: Option<PathBuf>,
    /// Whether paths lead to files in that folder only.
    is_confined: bool,
    loaded: Mutex<BTreeMap<PathBuf, Arc<Model>>>,
}

/// Why a net cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// There is no such net.
    #[error("the net {name:?} was not found: {looked}")]
    Missing {
        /// The name of the net.
        name: String,
        /// Where the registry searched.
        looked: String,
    },
    /// No net of this kind is shipped for the venue.
    #[error(
        "no net of kind {kind} is shipped for {venue}; name the file of a net, as in net=runs/mine.safetensors"
    )]
    NotShipped {
        /// The kind of net.
        kind: &'static str,
        /// The game.
        venue: Venue,
    },
    /// Several nets have this hash.
    #[error("{name:?} begins the hash of {found}; write more digits")]
    Ambiguous {
        /// The first digits of a hash.
        name: String,
        /// The nets.
        found: String,
    },
    /// The content is not what the name says.
    #[error(
        "the net {net} has the hash {found}, not {expected}: the file was altered or replaced; restore it, or name it without the hash"
    )]
    Altered {
        /// The net.
        net: String,
        /// The hash that the name asks for.
        expected: String,
        /// The first digits of the actual hash.
        found: String,
    },
    /// The file cannot be read.
    #[error("the net {} cannot be read", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The underlying error.
        source: std::io::Error,
    },
    /// The file is not a model file.
    #[error("the net {net}: {source}")]
    Malformed {
        /// The file, or the name of a shipped net.
        net: String,
        /// What is wrong with it.
        source: nn::ModelError,
    },
    /// A net of another kind, or for another input encoding.
    #[error(
        "the net {net}: its {field} is {found:?}, but {expected:?} is needed; name a net of this kind and board"
    )]
    Mismatch {
        /// The net.
        net: String,
        /// `kind`, `encoder` or `layout`.
        field: &'static str,
        /// The value in the net.
        found: String,
        /// The value that the agent needs.
        expected: String,
    },
    /// No agent of this game plays with nets of this kind.
    #[error("the net {net}: nets of kind {kind:?} do not play {game}; omit the net")]
    AnotherGame {
        /// The net.
        net: String,
        /// The kind of net.
        kind: String,
        /// The game.
        game: &'static str,
    },
    /// The net has no smaller form that plays the same.
    #[error(
        "the net {net} is played in floating point: rounding its weights would change its moves, so it has no smaller file"
    )]
    NotRounded {
        /// The net.
        net: String,
    },
    /// The weights are incomplete, or do not fit the way it is played.
    #[error("the net {net} cannot be played: {problem}")]
    Unusable {
        /// The net.
        net: String,
        /// What is wrong with it.
        problem: String,
    },
}

impl Models {
    /// Creates a registry that looks for nets without a path in `folder` as well. Reads nothing yet; the folder need
    /// not exist.
    pub fn in_folder(folder: impl Into<PathBuf>) -> Self {
        Self { folder: Some(folder.into()), ..Self::default() }
    }

    /// Like [`Models::in_folder`], but reads no file outside of the folder: paths are relative to it. For names that come
    /// from other people.
    pub fn within_folder(folder: impl Into<PathBuf>) -> Self {
        Self { is_confined: true, ..Self::in_folder(folder) }
    }

    /// Loads the net with this name for an agent that plays at `venue`:
    ///
    /// - `nnue`, `pv`, `gmo` or `ebmo`: the shipped net of that kind for the venue
    /// - a path: the file, or the newest generation in the folder of a run of riftlab omega
    /// - a name: the shipped net, or `<name>.safetensors` in the folder, or the newest generation in the folder `<name>`
    ///   there
    /// - eight or more digits of a hash: the shipped net or the file in the folder with that content
    ///
    /// After a name or path, `@` and the first digits of the hash demand that content.
    ///
    /// # Errors
    /// If there is no such net, or its file cannot be read or is not a model file. Does not check that the net fits
    /// the venue.
    pub fn get(&self, name: &str, venue: Venue) -> Result<Arc<Model>, ModelError> {
        let (plain, digits) = match name.rsplit_once('@') {
            Some((plain, digits)) if is_hash(digits) => (plain, Some(digits)),
            _ => (name, None),
        };
        let model = self.find(plain, venue)?;
        match digits.filter(|digits| !model.hash.starts_with(&digits.to_ascii_lowercase())) {
            Some(expected) => Err(ModelError::Altered {
                net: plain.to_owned(),
                expected: expected.to_owned(),
                found: model.hash[..expected.len()].to_owned(),
            }),
            None => Ok(model),
        }
    }

    fn find(&self, name: &str, venue: Venue) -> Result<Arc<Model>, ModelError> {
        if let Some(&kind) = KINDS.iter().find(|kind| **kind == name) {
            return Self::shipped_for(kind, venue).ok_or(ModelError::NotShipped { kind, venue });
        }
        let missing = |looked: String| ModelError::Missing { name: name.to_owned(), looked };
        let path = Path::new(name);
        let is_path =
            path.components().count() > 1 || path.extension().is_some_and(|ending| ending == EXTENSION);
        if is_path {
            let Some(file) = self.reach(path) else {
                return Err(missing("its file cannot be used here".to_owned()));
            };
            let found = self.load(&file)?;
            return found.ok_or_else(|| missing(format!("there is no file {}", path.display())));
        }
        if let Some(model) = shipped::all().iter().find(|model| model.name == name) {
            return Ok(Arc::clone(model));
        }
        let mut looked = "it is not shipped".to_owned();
        if let Some(folder) = &self.folder {
            let file = folder.join(format!("{name}.{EXTENSION}"));
            for file in
                [Some(file.clone()), omega::newest_generation(&folder.join(name))].into_iter().flatten()
            {
                if let Some(model) = self.load(&file)? {
                    return Ok(model);
                }
            }
            looked = format!("{looked}, and there is no {}", file.display());
        }
        if is_hash(name) {
            return self.by_hash(name)?.ok_or_else(|| missing(format!("{looked}; no net has this hash")));
        }
        Err(missing(looked))
    }

    /// The file that a path stands for, or `None` if it may not be read. The folder of a run stands for its newest
    /// generation.
    fn reach(&self, path: &Path) -> Option<PathBuf> {
        let folder = self.folder.as_ref()?;
        let path = if self.is_confined {
            let is_inside = path.components().all(|part| matches!(part, Component::Normal(_)));
            is_inside.then(|| folder.join(path))?
        } else {
            path.to_owned()
        };
        Some(omega::newest_generation(&path).unwrap_or(path))
    }

    /// The net whose hash begins with `digits`.
    fn by_hash(&self, digits: &str) -> Result<Option<Arc<Model>>, ModelError> {
        let digits = digits.to_ascii_lowercase();
        // A broken file has another content than the one asked for.
        let own = self.own()?.into_iter().filter_map(Result::ok);
        let mut found: Vec<Arc<Model>> = shipped::all().iter().cloned().chain(own).collect();
        found.retain(|model| model.hash.starts_with(&digits));
        let differ = found.iter().any(|model| model.hash != found[0].hash);
        if differ {
            let found: Vec<String> = found.iter().map(|model| model.id()).collect();
            return Err(ModelError::Ambiguous { name: digits, found: found.join(", ") });
        }
        Ok(found.into_iter().next())
    }

    /// Loads a file, or returns `None` if there is none.
    fn load(&self, path: &Path) -> Result<Option<Arc<Model>>, ModelError> {
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(model) = loaded.get(path) {
            return Ok(Some(Arc::clone(model)));
        }
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(source) if source.kind() == ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(ModelError::Unreadable { path: path.to_owned(), source }),
        };
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let model = Arc::new(Model::parse(&name, Some(path.to_owned()), bytes)?);
        loaded.insert(path.to_owned(), Arc::clone(&model));
        Ok(Some(model))
    }

    /// The shipped net of a kind, such as `nnue` or `pv`, for a venue.
    pub fn shipped_for(kind: &str, venue: Venue) -> Option<Arc<Model>> {
        shipped::of_kind(kind, &encoders(kind, venue), venue)
    }

    /// The shipped nets, ordered by name.
    pub fn shipped() -> &'static [Arc<Model>] {
        shipped::all()
    }

    /// The row of the ledger that describes a shipped net, found by its id.
    pub fn ledger_row(model: &Model) -> Option<&'static str> {
        shipped::ledger_row(&model.id())
    }

    /// The folder of the user's nets.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// The nets in the folder, ordered by name, with the error of every file that is not a net.
    ///
    /// # Errors
    /// If the folder exists but cannot be read.
    pub fn own(&self) -> Result<Vec<Result<Arc<Model>, ModelError>>, ModelError> {
        let Some(folder) = &self.folder else { return Ok(Vec::new()) };
        let unreadable = |source| ModelError::Unreadable { path: folder.clone(), source };
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(source) if source.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(source) => return Err(unreadable(source)),
        };
        let mut paths = Vec::new();
        for entry in entries {
            let path = entry.map_err(unreadable)?.path();
            if path.extension().is_some_and(|ending| ending == EXTENSION) {
                paths.push(path);
            }
        }
        paths.sort_unstable();
        Ok(paths.iter().filter_map(|path| self.load(path).transpose()).collect())
    }
}

/// Whether a text can be the beginning of a hash.
fn is_hash(text: &str) -> bool {
    (MIN_DIGITS..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The encoders of the venue's positions for a kind of net.
fn encoders(kind: &str, venue: Venue) -> Vec<String> {
    match (kind, venue) {
        (NNUE, Venue::RingRift { board, .. }) => on_board!(board, B => NnueEvaluator::<B>::encoders().into()),
        (PV, Venue::RingRift { board, .. }) => vec![on_board!(board, B => RingRiftPv::<B>::id())],
        (OMEGA, Venue::Go { .. }) => vec![OmegaNets::ENCODER.to_owned()],
        (PV, Venue::Go { .. }) => vec![<GoPv as PvEncoder<go::Position<Medium>>>::id()],
        _ => field::encoder(kind, venue).into_iter().collect(),
    }
}
