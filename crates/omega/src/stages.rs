//! A run: all stages in order, in a folder.
//!
//! Every part of a stage ends in a file that appears whole or not at all, and a part whose file exists is done. So a run
//! that was killed continues with the part it was in, whose own files or checkpoint tell how far it came.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use eval::{OmegaKernels, OmegaNets};
use go::{Points, on_size};
use lab::atomic_file;
use nn::{Header, ModelFile, PlaneNet};
use serde_json::{Value, json};

use crate::{
    Config, Event, Observer, OmegaRunError, RANDOM, Rated,
    fit::{Fit, Goal},
    matches::{Contestant, play_match},
    playing::generator,
    policy_play::policy_rows,
    random_play::random_rows,
    report,
    rows::{Row, row_bytes},
    sheets::Sheets,
    targets::target_sheet,
};

/// What a run came to.
#[derive(Clone, Debug)]
pub struct Finished {
    /// Whether all generations are complete.
    pub complete: bool,
    /// The number of complete generations.
    pub generations: u32,
    /// Random play and all generations with their ratings.
    pub rated: Vec<Rated>,
    /// The duration of this process's part.
    pub elapsed: Duration,
}

/// The file of a generation's networks in the folder of a run.
pub fn generation_path(folder: &Path, number: u32) -> PathBuf {
    folder.join(format!("generation-{number:03}.safetensors"))
}

/// Runs all stages in `folder`, continuing what is there. `start` are the bytes of the networks that take the place of
/// stage 0, if `config.start` names some.
///
/// # Errors
/// If the options are invalid or differ from those of the run in the folder, or a file cannot be read or written.
pub fn run(
    config: &Config,
    start: Option<&[u8]>,
    folder: &Path,
    observe: &mut Observer<'_>,
) -> Result<Finished, OmegaRunError> {
    let begin = Instant::now();
    config.check()?;
    fs::create_dir_all(folder).map_err(OmegaRunError::io(folder))?;
    write_config(config, folder)?;
    let complete = on_size!(config.size, P => Run::<P>::new(config, folder, observe).all(start))?;
    let generations = (0..=config.iterations).take_while(|&k| generation_path(folder, k).exists()).count();
    let rated = report::rate(&report::read_matches(folder)?)?;
    Ok(Finished { complete, generations: generations as u32, rated, elapsed: begin.elapsed() })
}

/// Writes the options, or compares them with those of the run that the folder has.
fn write_config(config: &Config, folder: &Path) -> Result<(), OmegaRunError> {
    let path = folder.join("config.json");
    let expected = json!(config);
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return atomic_file::write(&path, format!("{expected:#}\n")).map_err(OmegaRunError::io(path));
        }
        Err(source) => return Err(OmegaRunError::Io { path, source }),
    };
    let found: Value = serde_json::from_str(&text)
        .map_err(|error| OmegaRunError::Damaged { path: path.clone(), problem: error.to_string() })?;
    for (field, expected) in expected.as_object().into_iter().flatten() {
        if found[field] != *expected {
            return Err(OmegaRunError::Changed {
                path: folder.to_owned(),
                field: field.clone(),
                found: found[field].to_string(),
                expected: expected.to_string(),
            });
        }
    }
    Ok(())
}

/// A run on boards of one kind.
struct Run<'a, 'o, P> {
    config: &'a Config,
    folder: &'a Path,
    observe: &'a mut Observer<'o>,
    rows: Vec<Row<P>>,
}

impl<'a, 'o, P: Points> Run<'a, 'o, P> {
    fn new(config: &'a Config, folder: &'a Path, observe: &'a mut Observer<'o>) -> Self {
        Self { config, folder, observe, rows: Vec::new() }
    }

    /// Runs all stages. Returns whether they are complete.
    fn all(&mut self, start: Option<&[u8]>) -> Result<bool, OmegaRunError> {
        let mut nets: Option<OmegaNets> = None;
        for stage in 0..=self.config.iterations {
            let path = generation_path(self.folder, stage);
            let done = if path.exists() {
                Some(read_nets(&path)?)
            } else if let (0, Some(bytes)) = (stage, start) {
                atomic_file::write(&path, bytes).map_err(OmegaRunError::io(&path))?;
                Some(read_nets(&path)?)
            } else {
                self.stage(stage, nets.as_ref(), &path)?
            };
            let Some(done) = done else { return Ok(false) };
            nets = Some(done);
            if !self.compare(stage)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Makes the generation of a stage; `None` if the observer stops it.
    fn stage(
        &mut self,
        stage: u32,
        before: Option<&OmegaNets>,
        path: &Path,
    ) -> Result<Option<OmegaNets>, OmegaRunError> {
        let folder = self.folder.join(format!("stage-{stage:03}"));
        fs::create_dir_all(&folder).map_err(OmegaRunError::io(&folder))?;
        let Some(data) = self.positions(stage, before, &folder)? else { return Ok(None) };
        let mut nets = if let Some(nets) = before {
            nets.clone()
        } else {
            let mut rng = generator(self.config.seed, 0, 2);
            self.config.random_nets(&mut rng)?
        };
        let mut losses = BTreeMap::new();
        // Later stages of the game first: the values of early boards rest on those of late ones.
        for index in (0..nets.values.len()).rev() {
            let net = nets.values[index].clone();
            let name = if nets.values.len() == 1 { "value".to_owned() } else { format!("value{index}") };
            let Some((net, loss)) = self.fit_value(stage, index, nets.values.len(), &name, net, &folder)?
            else {
                return Ok(None);
            };
            losses.insert(format!("{name}_loss"), loss.to_string());
            nets.values[index] = net;
        }
        let Some((policy, loss)) = self.fit_policy(stage, &nets, &folder)? else { return Ok(None) };
        losses.insert("policy_loss".to_owned(), loss.to_string());
        nets.policy = policy;
        let mut provenance = losses;
        provenance.insert("config".to_owned(), json!(self.config).to_string());
        provenance.insert("stage".to_owned(), stage.to_string());
        provenance.insert("positions".to_owned(), data);
        let bytes = nets.to_file(provenance).to_bytes();
        atomic_file::write(path, bytes).map_err(OmegaRunError::io(path))?;
        Ok(Some(nets))
    }

    /// Makes and reads the positions of a stage. Returns their hash.
    fn positions(
        &mut self,
        stage: u32,
        before: Option<&OmegaNets>,
        folder: &Path,
    ) -> Result<Option<String>, OmegaRunError> {
        let config = self.config;
        let mut sheets = Sheets::open(&folder.join("positions"))?;
        let (planned, shard) = (u64::from(config.positions_of(stage)), u64::from(config.shard));
        let count = planned.div_ceil(shard);
        let numbers = |sheet: u64| sheet * shard..((sheet + 1) * shard).min(planned);
        let kernels = before.map(|nets| Arc::new(OmegaKernels::new(nets, config.size.into())));
        let work = |sheet: u64| {
            Ok(match &kernels {
                None => random_rows::<P>(config, numbers(sheet)),
                Some(kernels) => policy_rows::<P>(config, stage, kernels, numbers(sheet)),
            })
        };
        let begin = Instant::now();
        let mut first = None;
        let mut observe = |done: u64| {
            let before = *first.get_or_insert(done - 1);
            let per_second = ((done - before) * shard) as f64 / begin.elapsed().as_secs_f64();
            let done = (done * shard).min(planned);
            (self.observe)(&Event::Positions { stage, done, planned, per_second })
        };
        if !sheets.make(count, config.threads as usize, &work, &mut observe)? {
            return Ok(None);
        }
        self.rows.clear();
        let size = usize::from(config.size);
        for sheet in 0..count {
            let body = sheets.read(sheet)?;
            let rows = body.chunks_exact(row_bytes(size)).map(|bytes| Row::read(bytes, size));
            self.rows.extend(rows.collect::<Option<Vec<_>>>().ok_or_else(|| OmegaRunError::Damaged {
                path: folder.join("positions"),
                problem: format!("sheet {sheet} has something else than positions"),
            })?);
        }
        Ok(Some(sheets.hash()))
    }

    fn fit_value(
        &mut self,
        stage: u32,
        index: usize,
        stages: usize,
        name: &str,
        net: PlaneNet<f32>,
        folder: &Path,
    ) -> Result<Option<(PlaneNet<f32>, f32)>, OmegaRunError> {
        let points = usize::from(self.config.size).pow(2);
        let belongs = |row: &Row<P>| {
            let stones = points - row.board.empty().len() as usize;
            OmegaNets::stage(stages, stones, points) == index
        };
        let chosen = (0..self.rows.len() as u32).filter(|&row| belongs(&self.rows[row as usize])).collect();
        let fit = Fit {
            config: self.config,
            stage,
            name: name.to_owned(),
            purpose: 16 + index as u64,
            rows: &self.rows,
            chosen,
            goal: Goal::Value,
            passes: self.config.value_passes,
            checkpoint: folder.join(format!("{name}.checkpoint")),
        };
        done_once(&folder.join(format!("{name}.safetensors")), &fit.checkpoint, || fit.run(net, self.observe))
    }

    fn fit_policy(
        &mut self,
        stage: u32,
        nets: &OmegaNets,
        folder: &Path,
    ) -> Result<Option<(PlaneNet<f32>, f32)>, OmegaRunError> {
        let config = self.config;
        let kernels = Arc::new(OmegaKernels::new(nets, config.size.into()));
        let mut sheets = Sheets::open(&folder.join("targets"))?;
        let shard = config.shard as usize;
        let count = self.rows.len().div_ceil(shard) as u64;
        let planned = self.rows.len() as u64;
        let work = |sheet: u64| {
            let first = sheet as usize * shard;
            let rows = &self.rows[first..(first + shard).min(self.rows.len())];
            Ok(target_sheet(rows, &kernels, config.temperature_of(stage)))
        };
        let mut observe = |done: u64| {
            let done = (done * shard as u64).min(planned);
            (self.observe)(&Event::Targets { stage, done, planned })
        };
        if !sheets.make(count, config.threads as usize, &work, &mut observe)? {
            return Ok(None);
        }
        let mut shares: Vec<u16> = Vec::new();
        for sheet in 0..count {
            let body = sheets.read(sheet)?;
            shares.extend(body.as_chunks().0.iter().map(|&word| u16::from_le_bytes(word)));
        }
        let mut places = Vec::with_capacity(self.rows.len());
        let mut place = 0;
        for row in &self.rows {
            places.push(place);
            place += row.sensible.len() as usize + 1;
        }
        if place != shares.len() {
            return Err(OmegaRunError::Damaged {
                path: folder.join("targets"),
                problem: format!("{} shares for {place} moves", shares.len()),
            });
        }
        let fit = Fit {
            config,
            stage,
            name: "policy".to_owned(),
            purpose: 2,
            rows: &self.rows,
            chosen: (0..self.rows.len() as u32).collect(),
            goal: Goal::Policy { shares: &shares, places: &places },
            passes: config.policy_passes,
            checkpoint: folder.join("policy.checkpoint"),
        };
        let net = nets.policy.clone();
        done_once(&folder.join("policy.safetensors"), &fit.checkpoint, || fit.run(net, self.observe))
    }

    /// Plays the matches of a generation that have not been played. Returns whether to continue.
    fn compare(&mut self, stage: u32) -> Result<bool, OmegaRunError> {
        let mut matches = report::read_matches(self.folder)?;
        let contestant = |number: u32| -> Result<Contestant, OmegaRunError> {
            let nets = read_nets(&generation_path(self.folder, number))?;
            let kernels = Some(Arc::new(OmegaKernels::new(&nets, self.config.size.into())));
            Ok(Contestant { name: format!("generation-{number}"), kernels })
        };
        let own = contestant(stage)?;
        let mut others = vec![Contestant { name: RANDOM.to_owned(), kernels: None }];
        for number in 0..stage {
            others.push(contestant(number)?);
        }
        let mut go_on = true;
        for other in &others {
            if matches.iter().any(|played| (&played.one, &played.other) == (&own.name, &other.name)) {
                continue;
            }
            let played = play_match::<P>(self.config, &own, other);
            matches.push(played);
            report::write_matches(self.folder, &matches)?;
            go_on = (self.observe)(&Event::Matched(&matches[matches.len() - 1]));
            if !go_on {
                return Ok(false);
            }
        }
        let rated = report::rate(&matches)?;
        report::write(self.folder, &rated, &matches)?;
        let against =
            |other: &str| matches.iter().find(|played| played.one == own.name && played.other == other);
        let rating = rated.iter().find(|rated| rated.name == own.name);
        if let (Some(rated), Some(against_random)) = (rating, against(RANDOM)) {
            let against_previous = others.last().and_then(|other| against(&other.name)).filter(|_| stage > 0);
            let number = stage;
            go_on = (self.observe)(&Event::Generation { number, rated, against_random, against_previous });
        }
        Ok(go_on)
    }
}

/// A trained network from its file, or from `train`, whose result is then written. The checkpoint is no longer needed.
fn done_once(
    path: &Path,
    checkpoint: &Path,
    train: impl FnOnce() -> Result<Option<(PlaneNet<f32>, f32)>, OmegaRunError>,
) -> Result<Option<(PlaneNet<f32>, f32)>, OmegaRunError> {
    let damaged = |problem: String| OmegaRunError::Damaged { path: path.to_owned(), problem };
    if path.exists() {
        let bytes = fs::read(path).map_err(OmegaRunError::io(path))?;
        let file = ModelFile::from_bytes(&bytes).map_err(|error| damaged(error.to_string()))?;
        let net = PlaneNet::read_from(&file, "net").map_err(|error| damaged(error.to_string()))?;
        let loss = file.header.provenance.get("loss").and_then(|text| text.parse().ok());
        return Ok(Some((net, loss.unwrap_or(f32::NAN))));
    }
    let Some((net, loss)) = train()? else { return Ok(None) };
    let header = Header {
        kind: "omega-part".to_owned(),
        encoder: OmegaNets::ENCODER.to_owned(),
        shape: BTreeMap::new(),
        provenance: BTreeMap::from([("loss".to_owned(), loss.to_string())]),
    };
    let mut file = ModelFile { header, tensors: BTreeMap::new() };
    net.add_to(&mut file, "net");
    atomic_file::write(path, file.to_bytes()).map_err(OmegaRunError::io(path))?;
    match fs::remove_file(checkpoint) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(OmegaRunError::Io { path: checkpoint.to_owned(), source: error })
        }
        _ => Ok(Some((net, loss))),
    }
}

fn read_nets(path: &Path) -> Result<OmegaNets, OmegaRunError> {
    let bytes = fs::read(path).map_err(OmegaRunError::io(path))?;
    OmegaNets::from_bytes(&bytes).map_err(|source| OmegaRunError::Nets { path: path.to_owned(), source })
}
