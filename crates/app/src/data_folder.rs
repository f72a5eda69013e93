//! The folder with the user's games, databases and nets.

use std::{env, path::PathBuf, sync::LazyLock};

use ladder::Models;

use crate::failure::ErrorWithHint;

/// The folder of riftlab in the user's data folder, or `None` if the environment does not say where that is.
pub(crate) fn find() -> Option<PathBuf> {
    let folder = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = folder("XDG_DATA_HOME").or_else(|| folder("HOME").map(|home| home.join(".local/share")));
    base.map(|base| base.join("riftlab"))
}

/// Like [`find`], for commands that cannot do without.
pub(crate) fn required() -> anyhow::Result<PathBuf> {
    find().ok_or_else(|| {
        ErrorWithHint::error(
            "no folder for games, because neither XDG_DATA_HOME nor HOME is set".to_owned(),
            "name one with --data".to_owned(),
        )
    })
}

/// The nets that agents in this process can use: the shipped ones, those in the folder `models` of the user's data, and
/// any file. A file is read once per process.
pub(crate) fn models() -> &'static Models {
    static MODELS: LazyLock<Models> = LazyLock::new(open_models);
    &MODELS
}

/// The same nets, in a registry of their own.
pub(crate) fn open_models() -> Models {
    Models::in_folder(find().unwrap_or_default().join("models"))
}
