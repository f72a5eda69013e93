//! Pairs of plain networks for Go in the registry.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Arc, PoisonError},
};

use eval::{OmegaError, OmegaEvaluator, OmegaKernels, OmegaNets};
use game::identity_of;

use super::{EXTENSION, Model, ModelError};

/// The kind of these nets in model files.
pub(crate) const OMEGA: &str = OmegaNets::KIND;

impl Model {
    /// Whether it is a pair of plain networks for Go, as riftlab omega trains them.
    pub fn is_omega(&self) -> bool {
        self.header.kind == OMEGA
    }

    /// Whether it has a policy beside values.
    pub fn has_policy(&self) -> bool {
        self.is_pv() || self.is_omega()
    }

    /// The evaluator of positions of Go on boards of `size` lines. All evaluators of a net on boards of one size share its
    /// prepared weights.
    ///
    /// # Errors
    /// If it is not a net of this kind, or not complete.
    pub fn omega(&self, size: usize) -> Result<OmegaEvaluator, ModelError> {
        let nets = self.omega_nets()?;
        let mut all = self.omega_kernels.lock().unwrap_or_else(PoisonError::into_inner);
        let known = all.iter().find(|(known, _)| *known == size).map(|(_, kernels)| Arc::clone(kernels));
        let kernels = known.unwrap_or_else(|| {
            let kernels = Arc::new(OmegaKernels::new(nets, size));
            all.push((size, Arc::clone(&kernels)));
            kernels
        });
        Ok(OmegaEvaluator::new(kernels, identity_of(&self.hash)))
    }

    /// The weights of the networks.
    pub(crate) fn omega_nets(&self) -> Result<&OmegaNets, ModelError> {
        if let Some(nets) = self.omega.get() {
            return Ok(nets);
        }
        let unusable =
            |error: OmegaError| ModelError::Unusable { net: self.id(), problem: error.to_string() };
        let nets = OmegaNets::from_file(&self.file()?).map_err(unusable)?;
        Ok(self.omega.get_or_init(|| nets))
    }
}

/// The newest generation in the folder of a run of riftlab omega.
pub(super) fn newest_generation(folder: &Path) -> Option<PathBuf> {
    let files = fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    let is_generation = |path: &PathBuf| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        name.starts_with("generation-") && path.extension().is_some_and(|ending| ending == EXTENSION)
    };
    files.filter(is_generation).max()
}
