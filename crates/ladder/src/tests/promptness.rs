//! Every agent ends soon after its time is up or a stop is raised, on the worst positions that a search can find.
//!
//! The usual test only detects hangs. `cargo test --release -p ladder -- --ignored --nocapture overruns` searches longer and
//! prints by how much every agent overruns its time, in processor time: on a busy machine the clock tells more about the
//! other programs than about the agent.

use std::{
    collections::BTreeMap,
    fs,
    sync::LazyLock,
    thread,
    time::{Duration, Instant},
};

use eval::{ACTION_FEATURES, EbmoGame, GmoEncoder, GmoGame, PvEncoder};
use game::{Game, pick};
use go::{Large, on_size};
use nn::{EbmoNet, EbmoPreset, GmoNet, GmoShape, PvPreset};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use ringrift::{Board, Hexagonal, Position, Square19, on_board};
use search::{Agent, Limits, Stop};
use tempfile::TempDir;

use crate::{
    Kind, Models, Playable, Player, Venue, WithoutNet,
    keys::{LEAVES, MODES},
    models::tests::pv_net_of,
};

/// A net of gradient move optimisation of the usual size.
fn gmo_net<G: GmoGame>(config: &G::Config) -> Vec<u8> {
    let shape = GmoShape {
        features: G::Encoder::features(config),
        groups: G::Encoder::groups(config),
        state: 128,
        moves: 128,
        hidden: 256,
        ensemble: 5,
        projection: 128,
        legality: 128,
        after: true,
        graph: None,
    };
    let net = GmoNet::<f32>::random(&shape, &mut Xoshiro256PlusPlus::seed_from_u64(1));
    net.to_file(&G::Encoder::id(config), BTreeMap::new(), &[]).to_bytes()
}

/// A net of energies.
fn ebmo_net<G: EbmoGame>() -> Vec<u8> {
    let layout = G::Encoder::layout();
    let shape = EbmoPreset::Small.shape(layout.planes, layout.globals, ACTION_FEATURES);
    let net = EbmoNet::<f32>::random(&shape, &mut Xoshiro256PlusPlus::seed_from_u64(1));
    net.to_file(&G::Encoder::id(), BTreeMap::new()).to_bytes()
}

/// A folder with nets of every kind for every game, as large as those that are shipped.
static NETS: LazyLock<(TempDir, Models)> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    for (name, bytes) in [
        ("square", pv_net_of::<Position<Square19>>(PvPreset::Small, 1)),
        ("hex", pv_net_of::<Position<Hexagonal>>(PvPreset::Small, 1)),
        ("go", pv_net_of::<go::Position<Large>>(PvPreset::Small, 1)),
        ("gmo-square", gmo_net::<Position<Square19>>(&ringrift::Rules::new(2))),
        ("gmo-hex", gmo_net::<Position<Hexagonal>>(&ringrift::Rules::new(2))),
        ("gmo-go", gmo_net::<go::Position<Large>>(&go::Rules::new(19))),
        ("ebmo-square", ebmo_net::<Position<Square19>>()),
        ("ebmo-hex", ebmo_net::<Position<Hexagonal>>()),
        ("ebmo-go", ebmo_net::<go::Position<Large>>()),
    ] {
        fs::write(folder.path().join(format!("{name}.safetensors")), bytes).expect("a file can be written");
    }
    let models = Models::in_folder(folder.path());
    (folder, models)
});

/// Specs of every kind of agent that searches here, with every leaf evaluation, mode, and large batches.
fn agents(venue: Venue) -> Vec<String> {
    let mut specs = Vec::new();
    // External programs have time limits of their own, and a pair of networks is asked once.
    let is_left_out = |kind: Kind| matches!(kind, Kind::Gtp | Kind::Omega);
    for kind in Kind::ALL.into_iter().filter(|&kind| !is_left_out(kind)) {
        let settings = kind.settings();
        let has = |name| settings.contains(&name);
        let mut variants = vec![String::new()];
        if has("leaves") {
            let former_name = |at: usize| LEAVES[..at].iter().any(|(_, leaves)| *leaves == LEAVES[at].1);
            let names = (0..LEAVES.len()).filter(|&at| !former_name(at)).map(|at| LEAVES[at].0);
            variants.extend(names.map(|name| format!("leaves={name}")));
        }
        if has("batch") {
            variants = variants.iter().flat_map(|one| [one.clone(), format!("{one},batch=256")]).collect();
        }
        if kind.is_gradient() {
            let (name, settings): (_, &[&str]) = match kind {
                Kind::Ebmo => ("ebmo", &["", ",mode=gradient", ",mode=manifold"]),
                _ => ("gmo", &["", ",optim_steps=1000", ",mc_samples=200"]),
            };
            for venue in ["square", "hex", "go"] {
                specs.extend(settings.iter().map(|more| format!("{kind}(net={name}-{venue}{more})")));
            }
            continue;
        }
        if has("mode") {
            variants.extend(MODES.iter().map(|(name, _)| format!("mode={name}")));
        }
        if has("threads") {
            variants.push("threads=2".to_owned());
        }
        if has("net") {
            variants.push("net=nnue".to_owned());
            if has("policy") {
                let kinds = ["gmo", "ebmo"].into_iter();
                let named =
                    kinds.flat_map(|kind| ["square", "hex", "go"].map(|venue| format!("{kind}-{venue}")));
                variants.extend(named.map(|net| format!("policy={net}")));
            }
            for net in ["square", "hex", "go"] {
                variants.push(format!("net={net}"));
                if has("batch") {
                    variants.push(format!("net={net},batch=256"));
                }
                if has("widen") {
                    variants.push(format!("net={net},widen=4:0.5"));
                }
                if has("policy") {
                    variants.push(format!("policy={net}"));
                }
                if has("policy_turns") {
                    variants.push(format!("policy={net},policy_turns=1"));
                }
            }
        }
        specs.extend(variants.iter().map(|settings| match settings.trim_start_matches(',') {
            "" => kind.to_string(),
            settings => format!("{kind}({settings})"),
        }));
    }
    specs.retain(|spec| resolved(spec, venue).is_some());
    specs
}

/// The player of a spec, unless its net is missing.
fn resolved(spec: &str, venue: Venue) -> Option<Player> {
    let spec = spec.parse().expect("the settings belong to the kind");
    Player::with_models(&spec, venue, WithoutNet::Refuse, &NETS.1).ok()
}

/// Searches random games, which favour positions with many moves, for the position with the most legal moves, and for the
/// one with the most in this decision times the next one of the same turn.
fn worst_positions<G: Game>(start: &G, games: usize) -> Vec<G> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    let (mut longest, mut deepest) = ((0, start.clone()), (0, start.clone()));
    let (mut moves, mut replies) = (Vec::new(), Vec::new());
    for game in 0..games {
        let mut position = start.clone();
        position.legal_moves(&mut moves);
        while !moves.is_empty() {
            if moves.len() > longest.0 {
                longest = (moves.len(), position.clone());
            }
            let mut widest: Option<(usize, G)> = None;
            for _ in 0..[1, 2, 4][game % 3] {
                let mut child = position.clone();
                child.play_unchecked(moves[pick(&mut rng, moves.len())], &mut ());
                child.legal_moves(&mut replies);
                let work = moves.len() * replies.len();
                if child.to_move() == position.to_move() && work > deepest.0 {
                    deepest = (work, position.clone());
                }
                if widest.as_ref().is_none_or(|(most, _)| replies.len() > *most) {
                    widest = Some((replies.len(), child));
                }
            }
            (_, position) = widest.expect("at least one move was tried");
            position.legal_moves(&mut moves);
        }
    }
    vec![longest.1, deepest.1]
}

/// What a search used after it should have ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Cost {
    /// Processor time of all its threads. Unlike the clock it does not depend on the load of the machine.
    cpu: Duration,
    /// Time by the clock.
    wall: Duration,
}

/// By how much an agent overran.
struct Overrun {
    agent: String,
    moves: usize,
    /// After its time was up.
    time: Cost,
    /// After a stop was raised during the search.
    stop: Cost,
    /// In a second search, with the stop raised before.
    again: Cost,
}

impl Overrun {
    fn most(&self) -> Cost {
        self.time.max(self.stop).max(self.again)
    }
}

/// The processor time of this process. Only one search runs at a time, and what measures it sleeps.
#[cfg(unix)]
fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// The time by the clock, where processor time is not known.
#[cfg(not(unix))]
fn cpu_time() -> Duration {
    use std::sync::LazyLock;
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

/// Runs a search and `at_deadline` after `time`, and returns what the search used from then on.
fn after_deadline(time: Duration, search: impl FnOnce() + Send, at_deadline: impl FnOnce()) -> Cost {
    thread::scope(|scope| {
        let deadline = Instant::now() + time;
        let search = scope.spawn(|| {
            search();
            (Instant::now(), cpu_time())
        });
        thread::sleep(deadline.saturating_duration_since(Instant::now()));
        at_deadline();
        let used = cpu_time();
        let (end, all) = search.join().expect("a search does not panic");
        Cost { cpu: all.saturating_sub(used), wall: end.saturating_duration_since(deadline) }
    })
}

fn measure<G: Playable>(position: &G, spec: &str, time: Duration) -> Overrun {
    let player = resolved(spec, position.venue()).expect("only agents that can play are measured");
    let unlimited = Limits::nodes(u64::MAX);
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let think = |agent: &mut dyn Agent<G>, limits: &Limits, stop: &Stop| {
        let report = agent.think(position, limits, stop);
        assert!(moves.contains(&report.best), "{spec}");
    };
    let mut agent = player.agent::<G>(1);
    let timed = unlimited.within(time);
    let by_time = after_deadline(time, || think(&mut *agent, &timed, &Stop::default()), || ());
    let (mut agent, stop) = (player.agent::<G>(1), Stop::default());
    let by_stop = after_deadline(time, || think(&mut *agent, &unlimited, &stop), || stop.raise());
    let again = after_deadline(Duration::ZERO, || think(&mut *agent, &unlimited, &stop), || ());
    Overrun { agent: spec.to_owned(), moves: moves.len(), time: by_time, stop: by_stop, again }
}

fn measure_all<G: Playable>(start: &G, games: usize, time: Duration) -> Vec<Overrun> {
    let positions = worst_positions(start, games);
    let agents = agents(start.venue());
    positions.iter().flat_map(|position| agents.iter().map(|spec| measure(position, spec, time))).collect()
}

fn overruns(venue: Venue, games: usize, time: Duration) -> Vec<Overrun> {
    match venue {
        Venue::RingRift { board, seats } => {
            let rules = ringrift::Rules::new(seats);
            on_board!(board, B => measure_all(&ringrift::Position::<B>::new(&rules), games, time))
        }
        Venue::Go { size } => {
            on_size!(size, P => measure_all(&go::Position::<P>::new(&go::Rules::new(size)), games, time))
        }
    }
}

#[test]
fn every_agent_ends_when_its_time_is_up_even_on_the_worst_positions() {
    let large = [Board::Square19, Board::Hexagonal].map(|board| Venue::RingRift { board, seats: 2 });
    for venue in large.into_iter().chain([Venue::Go { size: 19 }]) {
        for overrun in overruns(venue, 12, Duration::from_millis(20)) {
            // A hundred times the expected overrun, since other tests use processor time as well.
            let Overrun { agent, moves, .. } = &overrun;
            let most = overrun.most();
            assert!(most.cpu < Duration::from_secs(5), "{agent} on {venue} with {moves} moves: {most:?}");
        }
    }
}

#[test]
#[ignore = "measures for some minutes"]
fn overruns_of_all_agents() {
    println!("milliseconds of processor time and, in brackets, by the clock");
    println!("{:>20} {:>5} {:>15} {:>15} {:>15}  agent", "venue", "moves", "time", "stop", "again");
    for venue in Venue::all() {
        let mut all = overruns(venue, 150, Duration::from_millis(100));
        all.sort_by_key(|overrun| std::cmp::Reverse(overrun.most()));
        for Overrun { agent, moves, time, stop, again } in all.iter().take(4) {
            let milliseconds = |time: Duration| 1e3 * time.as_secs_f64();
            let [time, stop, again] = [time, stop, again]
                .map(|Cost { cpu, wall }| format!("{:.1} ({:.0})", milliseconds(*cpu), milliseconds(*wall)));
            println!("{:>20} {moves:>5} {time:>15} {stop:>15} {again:>15}  {agent}", venue.to_string());
        }
    }
}
