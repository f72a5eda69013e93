//! The registry of nets: model files, identified by their content.
//!
//! A model file is a safetensors file: a length, a JSON header, then the weights. The header's metadata describes the
//! net: `kind` (`nnue`, `policy-value`) and `encoder` (the id of the input encoding). Nothing here interprets weights.

use std::{
    collections::BTreeMap,
    fmt, fs,
    io::ErrorKind,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use serde_json::Value;

/// The file extension of model files.
const EXTENSION: &str = "safetensors";

/// The maximum size of a header; those of real nets have a few kilobytes.
const MAX_HEADER: u64 = 16 << 20;

/// The nets that agents can name. Each is loaded on first use and shared from then on.
///
/// The default registry is empty.
#[derive(Debug, Default)]
pub struct Models {
    /// The folder for nets that are named without a path.
    folder: Option<PathBuf>,
    loaded: Mutex<BTreeMap<PathBuf, Arc<Model>>>,
}

/// A net in memory.
#[derive(Clone, PartialEq, Eq)]
pub struct Model {
    /// The path of its file.
    pub path: PathBuf,
    /// The BLAKE3 hash of the file in hexadecimal, which identifies the net on any machine and under any name.
    pub hash: String,
    /// The kind of net.
    pub kind: String,
    /// The id of its input encoding.
    pub encoder: String,
    bytes: Vec<u8>,
}

/// Why a net cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// There is no such file.
    #[error("the net {name:?} was not found: {looked}")]
    Missing {
        /// The name of the net.
        name: String,
        /// Where the registry searched.
        looked: String,
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
    #[error("{} is not a model file: {problem}; expected safetensors with the metadata kind and encoder", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A net of another kind, or for another input encoding.
    #[error("{}: {field} is {found:?}, expected {expected:?}; name a net that was made for this agent", path.display())]
    Mismatch {
        /// The file.
        path: PathBuf,
        /// `kind` or `encoder`.
        field: &'static str,
        /// The value in the net.
        found: String,
        /// The value that the agent needs.
        expected: String,
    },
}

impl Models {
    /// Creates a registry that looks for nets without a path in `folder`. Reads nothing yet; the folder need not exist.
    pub fn in_folder(folder: impl Into<PathBuf>) -> Self {
        Self { folder: Some(folder.into()), loaded: Mutex::default() }
    }

    /// Loads a net: the file at `name` if it is a path, otherwise `<name>.safetensors` in the folder.
    ///
    /// # Errors
    /// If the file does not exist, cannot be read or is not a model file.
    pub fn get(&self, name: &str) -> Result<Arc<Model>, ModelError> {
        let path = self.path_of(name)?;
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(model) = loaded.get(&path) {
            return Ok(Arc::clone(model));
        }
        let bytes = fs::read(&path).map_err(|source| match source.kind() {
            ErrorKind::NotFound => ModelError::Missing {
                name: name.to_owned(),
                looked: format!("there is no {}", path.display()),
            },
            _ => ModelError::Unreadable { path: path.clone(), source },
        })?;
        let model = Arc::new(Model::parse(path.clone(), bytes)?);
        loaded.insert(path, Arc::clone(&model));
        Ok(model)
    }

    fn path_of(&self, name: &str) -> Result<PathBuf, ModelError> {
        let path = Path::new(name);
        let missing = |looked: &str| ModelError::Missing { name: name.to_owned(), looked: looked.to_owned() };
        let folder = self.folder.as_ref().ok_or_else(|| missing("no nets are available here"))?;
        let is_path =
            path.components().count() > 1 || path.extension().is_some_and(|ending| ending == EXTENSION);
        Ok(if is_path { path.to_owned() } else { folder.join(format!("{name}.{EXTENSION}")) })
    }
}

impl Model {
    /// Parses a model file.
    ///
    /// # Errors
    /// If the bytes are not a model file.
    pub fn parse(path: PathBuf, bytes: Vec<u8>) -> Result<Self, ModelError> {
        match header(&bytes) {
            Ok([kind, encoder]) => {
                let hash = blake3::hash(&bytes).to_hex().to_string();
                Ok(Self { path, hash, kind, encoder, bytes })
            }
            Err(problem) => Err(ModelError::Malformed { path, problem }),
        }
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
        for (field, found, expected) in [("kind", &self.kind, kind), ("encoder", &self.encoder, encoder)] {
            if found != expected {
                let (path, found, expected) = (self.path.clone(), found.clone(), expected.to_owned());
                return Err(ModelError::Mismatch { path, field, found, expected });
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, hash, kind, encoder, bytes } = self;
        f.debug_struct("Model")
            .field("path", path)
            .field("hash", hash)
            .field("kind", kind)
            .field("encoder", encoder)
            .field("bytes", &bytes.len())
            .finish()
    }
}

/// Kind and encoder of a net, from the header of its file.
fn header(bytes: &[u8]) -> Result<[String; 2], String> {
    let (length, rest) = bytes.split_first_chunk::<8>().ok_or("it is shorter than eight bytes")?;
    let length = u64::from_le_bytes(*length);
    if length > MAX_HEADER.min(rest.len() as u64) {
        return Err(format!("its header would have {length} bytes"));
    }
    let header: Value =
        serde_json::from_slice(&rest[..length as usize]).map_err(|error| format!("its header: {error}"))?;
    let field = |name: &str| {
        let value = header["__metadata__"][name].as_str().filter(|value| !value.is_empty());
        value.map(str::to_owned).ok_or_else(|| format!("its metadata has no {name}"))
    };
    Ok([field("kind")?, field("encoder")?])
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A model file with this metadata and these weights.
    pub(crate) fn file(metadata: &str, weights: &[u8]) -> Vec<u8> {
        let header = format!("{{\"__metadata__\":{metadata}}}");
        [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), weights].concat()
    }

    const METADATA: &str = r#"{"kind":"nnue","encoder":"ringrift-sq8-v1"}"#;

    #[test]
    fn a_net_is_found_by_name_and_by_path_loaded_once_and_known_by_its_content() {
        let folder = tempfile::tempdir().unwrap();
        let models = Models::in_folder(folder.path());
        fs::write(folder.path().join("small.safetensors"), file(METADATA, b"12")).unwrap();
        fs::write(folder.path().join("copy.safetensors"), file(METADATA, b"12")).unwrap();
        fs::write(folder.path().join("other.safetensors"), file(METADATA, b"13")).unwrap();
        let small = models.get("small").unwrap();
        assert_eq!((small.kind.as_str(), small.encoder.as_str()), ("nnue", "ringrift-sq8-v1"));
        assert_eq!(small.hash, blake3::hash(small.bytes()).to_hex().to_string());
        let path = folder.path().join("small.safetensors");
        assert!(Arc::ptr_eq(&small, &models.get(path.to_str().unwrap()).unwrap()), "shared, not read again");
        assert_eq!(models.get("copy").unwrap().hash, small.hash, "the same net under another name");
        assert_ne!(models.get("other").unwrap().hash, small.hash);
        small.check("nnue", "ringrift-sq8-v1").unwrap();
        let wrong = small.check("nnue", "go-v1").unwrap_err().to_string();
        assert!(wrong.contains("encoder is \"ringrift-sq8-v1\", expected \"go-v1\""), "{wrong}");
        assert!(matches!(small.check("policy-value", ""), Err(ModelError::Mismatch { field: "kind", .. })));
    }

    #[test]
    fn invalid_model_files_are_refused_with_the_reason() {
        let folder = tempfile::tempdir().unwrap();
        let models = Models::in_folder(folder.path());
        assert!(matches!(models.get("nothing"), Err(ModelError::Missing { .. })));
        assert!(matches!(Models::default().get("nothing"), Err(ModelError::Missing { .. })));
        fs::create_dir(folder.path().join("folder.safetensors")).unwrap();
        assert!(matches!(models.get("folder"), Err(ModelError::Unreadable { .. })));
        for (bytes, part) in [
            (b"short".to_vec(), "shorter than eight"),
            (vec![0xff; 64], "would have"),
            (file("{}", b"12"), "no kind"),
            (file(r#"{"kind":"nnue"}"#, b"12"), "no encoder"),
            ([&4_u64.to_le_bytes()[..], b"text and more"].concat(), "its header:"),
        ] {
            fs::write(folder.path().join("bad.safetensors"), bytes).unwrap();
            let error = models.get("bad").unwrap_err().to_string();
            assert!(error.contains("is not a model file") && error.contains(part), "{error}");
        }
    }
}
