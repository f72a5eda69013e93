//! Files of a stage that are made one by one, in any order, by any number of threads.
//!
//! A sheet is named by its number and the beginning of its hash, and appears whole or not at all.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::{
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc,
    },
    thread,
};

use lab::atomic_file;

use crate::OmegaRunError;

/// Begins every sheet.
const MAGIC: &[u8; 8] = b"omega 1\n";

/// Bytes of a hash in a file.
const HASH: usize = 32;

/// The digits of the hash in a name.
const DIGITS: usize = 8;

/// The sheets in a folder.
#[derive(Debug)]
pub(crate) struct Sheets {
    folder: PathBuf,
    paths: BTreeMap<u64, PathBuf>,
}

impl Sheets {
    /// Lists the sheets in a folder, which is created if it does not exist.
    pub(crate) fn open(folder: &Path) -> Result<Self, OmegaRunError> {
        fs::create_dir_all(folder).map_err(OmegaRunError::io(folder))?;
        let mut paths = BTreeMap::new();
        for entry in fs::read_dir(folder).map_err(OmegaRunError::io(folder))? {
            let path = entry.map_err(OmegaRunError::io(folder))?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let number = name.strip_suffix(".sheet").and_then(|name| name.split_once('-'));
            if let Some(number) = number.and_then(|(number, _)| number.parse().ok()) {
                paths.insert(number, path);
            }
        }
        Ok(Self { folder: folder.to_owned(), paths })
    }

    /// The content of a sheet.
    pub(crate) fn read(&self, number: u64) -> Result<Vec<u8>, OmegaRunError> {
        let path =
            self.paths.get(&number).cloned().unwrap_or_else(|| self.folder.join(format!("{number:05}-")));
        let bytes = fs::read(&path).map_err(OmegaRunError::io(&path))?;
        let body = bytes.strip_prefix(MAGIC).and_then(|rest| rest.split_at_checked(HASH));
        match body {
            Some((hash, body)) if blake3::hash(body).as_bytes() == hash => Ok(body.to_vec()),
            _ => Err(OmegaRunError::Damaged {
                path,
                problem: "its content does not match its hash".to_owned(),
            }),
        }
    }

    /// The hash of all names, which contain hashes of contents.
    pub(crate) fn hash(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        for path in self.paths.values() {
            hasher.update(path.file_name().unwrap_or_default().as_encoded_bytes());
        }
        hasher.finalize().to_hex().to_string()
    }

    /// Makes the sheets 0 to `count` that do not exist, on several threads. `observe` is called whenever one is done, with
    /// the number of those that exist, and returns whether to continue. Returns whether all exist.
    pub(crate) fn make(
        &mut self,
        count: u64,
        threads: usize,
        work: &(dyn Fn(u64) -> Result<Vec<u8>, OmegaRunError> + Sync),
        observe: &mut dyn FnMut(u64) -> bool,
    ) -> Result<bool, OmegaRunError> {
        let missing: Vec<u64> = (0..count).filter(|number| !self.paths.contains_key(number)).collect();
        let (next, stopped) = (AtomicU64::new(0), AtomicBool::new(false));
        let folder = &self.folder;
        let work_on = |number: u64| {
            let body = work(number)?;
            let hash = blake3::hash(&body);
            let path = folder.join(format!("{number:05}-{}.sheet", &hash.to_hex()[..DIGITS]));
            let bytes = [&MAGIC[..], hash.as_bytes(), &body].concat();
            atomic_file::write(&path, bytes).map_err(OmegaRunError::io(&path))?;
            Ok((number, path))
        };
        let (sender, receiver) = mpsc::channel::<Result<(u64, PathBuf), OmegaRunError>>();
        thread::scope(|scope| {
            for _ in 0..threads.min(missing.len()) {
                let sender = sender.clone();
                let (next, stopped, missing, work_on) = (&next, &stopped, &missing, &work_on);
                scope.spawn(move || {
                    while !stopped.load(Ordering::Relaxed) {
                        let place = next.fetch_add(1, Ordering::Relaxed) as usize;
                        let Some(&number) = missing.get(place) else { break };
                        if sender.send(work_on(number)).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let mut failure = Ok(());
            for made in receiver {
                match made {
                    Ok((number, path)) => {
                        self.paths.insert(number, path);
                    }
                    Err(error) => failure = Err(error),
                }
                if failure.is_err() || !observe(self.paths.len() as u64) {
                    stopped.store(true, Ordering::Relaxed);
                }
            }
            failure
        })?;
        Ok((0..count).all(|number| self.paths.contains_key(&number)))
    }
}
