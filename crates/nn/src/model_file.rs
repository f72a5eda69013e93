//! Networks on disk: the safetensors format with a header of our own.
//!
//! The header says what the tensors are for: the kind of network, the encoder whose features it reads, the rules it was
//! trained under and where it comes from. It also has a hash of the weights, so that a damaged file is noticed. A file is
//! known by the hash of its bytes.

use std::collections::BTreeMap;

use half::f16;
use safetensors::{Dtype, SafeTensors, tensor::TensorView};

/// What a model file says about itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// The kind of network: `nnue`, `pv`, `gmo` or `ebmo`.
    pub kind: String,
    /// The encoder that turns positions into its inputs.
    pub encoder: String,
    /// Sizes and choices that a reader needs to put the tensors together, by name.
    pub shape: BTreeMap<String, String>,
    /// Where the weights come from: data, recipe, parent, by name.
    pub provenance: BTreeMap<String, String>,
}

/// The version of the header's layout.
const VERSION: &str = "1";

/// A header and named tensors.
#[derive(Clone, PartialEq, Debug)]
pub struct ModelFile {
    /// What it says about itself.
    pub header: Header,
    /// Sizes and numbers of every tensor, by name.
    pub tensors: BTreeMap<String, (Vec<usize>, Vec<f32>)>,
}

/// How weights are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Precision {
    /// As they are.
    Single,
    /// Tensors whose name ends in `weight` with eleven significant bits, in half of the space.
    Half,
}

/// Why bytes are not a model file.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// Not of the format at all, or damaged.
    #[error("not a model file: {0}; expected safetensors with a riftlab header")]
    Format(String),
    /// A field of the header is missing.
    #[error("the header has no field {0:?}; expected a model file written by riftlab")]
    MissingField(&'static str),
    /// A version that this program does not know.
    #[error("the header has version {0:?}; this program reads version {VERSION}")]
    Version(String),
    /// The weights are not those that were written.
    #[error("the weights are damaged: their hash is {found}, expected {expected}; get the file again")]
    Damaged {
        /// The hash of the weights.
        found: String,
        /// The hash in the header.
        expected: String,
    },
    /// A tensor that the kind of network needs is not there.
    #[error("the tensor {name:?} is missing or has another size than {expected}")]
    Tensor {
        /// Which one.
        name: String,
        /// How many numbers it should have.
        expected: usize,
    },
    /// A field of the shape is missing or makes no sense.
    #[error("the shape has no sound {name:?}: {found:?}")]
    Shape {
        /// Which one.
        name: &'static str,
        /// What it says.
        found: Option<String>,
    },
    /// A network of another kind.
    #[error("the file holds a network of kind {found:?}; expected {expected:?}")]
    Kind {
        /// What it is.
        found: String,
        /// What was wanted.
        expected: &'static str,
    },
}

impl Header {
    /// Reads the header of a file and checks that all its tensors are there and undamaged, without copying them.
    ///
    /// # Errors
    /// If the bytes are not a model file, or one of a version that is not known.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ModelError> {
        let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(|error| format_error(&error))?;
        let header = metadata.metadata().as_ref().and_then(|fields| fields.get("riftlab"));
        let header = header.ok_or(ModelError::MissingField("riftlab"))?;
        let fields: BTreeMap<String, String> =
            serde_json::from_str(header).map_err(|error| ModelError::Format(error.to_string()))?;
        let field = |name: &'static str| fields.get(name).cloned().ok_or(ModelError::MissingField(name));
        let version = field("version")?;
        if version != VERSION {
            return Err(ModelError::Version(version));
        }
        let map = |name| -> Result<BTreeMap<String, String>, ModelError> {
            serde_json::from_str(&field(name)?).map_err(|error| ModelError::Format(error.to_string()))
        };
        // Files of other programs may do without.
        if let Some(expected) = fields.get("weights") {
            let tensors = SafeTensors::deserialize(bytes).map_err(|error| format_error(&error))?;
            let mut views = tensors.tensors();
            views.sort_by(|one, other| one.0.cmp(&other.0));
            let found = hash_of_weights(views.iter().map(|(name, view)| (name.as_str(), view.data())));
            if found != *expected {
                return Err(ModelError::Damaged { found, expected: expected.clone() });
            }
        }
        Ok(Self {
            kind: field("kind")?,
            encoder: field("encoder")?,
            shape: map("shape")?,
            provenance: map("provenance")?,
        })
    }
}

/// A hash of named tensors, in the order of their names.
fn hash_of_weights<'a>(tensors: impl Iterator<Item = (&'a str, &'a [u8])>) -> String {
    let mut hasher = blake3::Hasher::new();
    for (name, bytes) in tensors {
        hasher.update(name.as_bytes());
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    }
    hasher.finalize().to_hex().to_string()
}

fn format_error(error: &safetensors::SafeTensorError) -> ModelError {
    ModelError::Format(error.to_string())
}

impl ModelFile {
    /// The bytes of the file, in single precision. Equal models have equal bytes.
    ///
    /// # Panics
    /// If a tensor does not have as many numbers as its sizes say.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.to_bytes_in(Precision::Single)
    }

    /// The bytes of the file in some precision.
    ///
    /// # Panics
    /// If a tensor does not have as many numbers as its sizes say.
    pub fn to_bytes_in(&self, precision: Precision) -> Vec<u8> {
        let json = |map: &BTreeMap<String, String>| serde_json::to_string(map).expect("text has a JSON form");
        let Header { kind, encoder, shape, provenance } = &self.header;
        let dtype = |name: &str| match precision {
            Precision::Half if name.ends_with("weight") => Dtype::F16,
            _ => Dtype::F32,
        };
        let bytes: BTreeMap<&String, Vec<u8>> = (self.tensors.iter())
            .map(|(name, (_, numbers))| {
                let bytes = match dtype(name) {
                    Dtype::F16 => {
                        numbers.iter().flat_map(|&number| f16::from_f32(number).to_le_bytes()).collect()
                    }
                    _ => numbers.iter().flat_map(|number| number.to_le_bytes()).collect(),
                };
                (name, bytes)
            })
            .collect();
        let weights = hash_of_weights(bytes.iter().map(|(name, bytes)| (name.as_str(), &bytes[..])));
        // One field holds everything: the library keeps fields in no particular order.
        let header = serde_json::json!({
            "version": VERSION, "kind": kind, "encoder": encoder,
            "shape": json(shape), "provenance": json(provenance), "weights": weights,
        });
        let metadata = [("riftlab".to_owned(), header.to_string())].into_iter().collect();
        let views = self.tensors.iter().map(|(name, (sizes, _))| {
            let view = TensorView::new(dtype(name), sizes.clone(), &bytes[name]);
            (name.clone(), view.expect("a tensor has as many numbers as its sizes say"))
        });
        safetensors::serialize(views, Some(metadata)).expect("tensors of known sizes can be written")
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If the bytes are not a model file, or one of a version that is not known.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ModelError> {
        let header = Header::from_bytes(bytes)?;
        let mut tensors = BTreeMap::new();
        for (name, view) in SafeTensors::deserialize(bytes).map_err(|error| format_error(&error))?.tensors() {
            let numbers = match view.dtype() {
                Dtype::F32 => {
                    view.data().as_chunks().0.iter().map(|&word| f32::from_le_bytes(word)).collect()
                }
                Dtype::F16 => {
                    view.data().as_chunks().0.iter().map(|&word| f16::from_le_bytes(word).to_f32()).collect()
                }
                other => {
                    let problem = format!("the tensor {name:?} is {other:?}, not f32 or f16");
                    return Err(ModelError::Format(problem));
                }
            };
            tensors.insert(name, (view.shape().to_vec(), numbers));
        }
        Ok(Self { header, tensors })
    }

    /// The hash by which bytes of a file are known, in hexadecimal.
    pub fn hash(bytes: &[u8]) -> String {
        blake3::hash(bytes).to_hex().to_string()
    }

    /// The numbers of a tensor.
    ///
    /// # Errors
    /// If there is no tensor of this name with `expected` numbers.
    pub fn tensor(&self, name: &str, expected: usize) -> Result<&[f32], ModelError> {
        let found = self.tensors.get(name).map(|(_, numbers)| &numbers[..]);
        let wrong = || ModelError::Tensor { name: name.to_owned(), expected };
        found.filter(|numbers| numbers.len() == expected).ok_or_else(wrong)
    }

    /// A number of the shape.
    ///
    /// # Errors
    /// If there is none of this name.
    pub fn size(&self, name: &'static str) -> Result<usize, ModelError> {
        let found = self.header.shape.get(name);
        let size = found.and_then(|text| text.parse().ok());
        size.ok_or_else(|| ModelError::Shape { name, found: found.cloned() })
    }
}
