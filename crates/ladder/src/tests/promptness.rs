//! Every agent ends soon after its time is up or a stop is raised, on the worst positions that a search can find.
//!
//! The usual test only detects hangs. `cargo test --release -p ladder -- --ignored --nocapture overruns` searches longer and
//! prints by how much every agent overruns its time.

use std::{
    fs,
    sync::LazyLock,
    thread,
    time::{Duration, Instant},
};

use game::{Game, pick};
use go::{Large, on_size};
use nn::PvPreset;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use ringrift::{Board, Hexagonal, Position, Square19, on_board};
use search::{Limits, Stop};
use tempfile::TempDir;

use crate::{
    Kind, Models, Playable, Player, Venue, WithoutNet,
    keys::{LEAVES, MODES},
    models::tests::pv_net_of,
};

/// A folder with a policy and value net for every game, as large as those that are shipped.
static NETS: LazyLock<(TempDir, Models)> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    for (name, bytes) in [
        ("square", pv_net_of::<Position<Square19>>(PvPreset::Small, 1)),
        ("hex", pv_net_of::<Position<Hexagonal>>(PvPreset::Small, 1)),
        ("go", pv_net_of::<go::Position<Large>>(PvPreset::Small, 1)),
    ] {
        fs::write(folder.path().join(format!("{name}.safetensors")), bytes).expect("a file can be written");
    }
    let models = Models::in_folder(folder.path());
    (folder, models)
});

/// Specs of every kind of agent that searches here, with every leaf evaluation, mode, and large batches.
fn agents(venue: Venue) -> Vec<String> {
    let mut specs = Vec::new();
    // External programs have time limits of their own, agents that follow gradients do not play without nets of their kind,
    // and a pair of networks is asked once.
    let is_left_out = |kind: Kind| matches!(kind, Kind::Gtp | Kind::Omega) || kind.is_gradient();
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
        if has("mode") {
            variants.extend(MODES.iter().map(|(name, _)| format!("mode={name}")));
        }
        if has("threads") {
            variants.push("threads=2".to_owned());
        }
        if has("net") {
            variants.push("net=nnue".to_owned());
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

/// By how much an agent overran.
struct Overrun {
    agent: String,
    moves: usize,
    /// After its time was up.
    time: Duration,
    /// After a stop was raised during the search.
    stop: Duration,
    /// In a second search, with the stop raised before.
    again: Duration,
}

impl Overrun {
    fn most(&self) -> Duration {
        self.time.max(self.stop).max(self.again)
    }
}

/// The overrun without delays by other programs: the smallest of several runs, if the first is large.
fn measure<G: Playable>(position: &G, spec: &str, time: Duration) -> Overrun {
    const RUNS: usize = 5;
    let mut least = measure_once(position, spec, time);
    for _ in 1..RUNS {
        if least.most() < Duration::from_millis(20) {
            break;
        }
        let Overrun { time, stop, again, .. } = measure_once(position, spec, time);
        (least.time, least.stop, least.again) =
            (least.time.min(time), least.stop.min(stop), least.again.min(again));
    }
    least
}

fn measure_once<G: Playable>(position: &G, spec: &str, time: Duration) -> Overrun {
    let player = resolved(spec, position.venue()).expect("only agents that can play are measured");
    let unlimited = Limits::nodes(u64::MAX);
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let begin = Instant::now();
    let report = player.agent::<G>(1).think(position, &unlimited.within(time), &Stop::default());
    let by_time = begin.elapsed().saturating_sub(time);
    assert!(moves.contains(&report.best), "{spec}");

    let (mut agent, stop) = (player.agent::<G>(1), Stop::default());
    let by_stop = thread::scope(|scope| {
        let search = scope.spawn(|| {
            agent.think(position, &unlimited, &stop);
            Instant::now()
        });
        thread::sleep(time);
        let raised = Instant::now();
        stop.raise();
        search.join().expect("a search does not panic").saturating_duration_since(raised)
    });
    let begin = Instant::now();
    let again = agent.think(position, &unlimited, &stop);
    assert!(moves.contains(&again.best), "{spec}");
    Overrun {
        agent: spec.to_owned(),
        moves: moves.len(),
        time: by_time,
        stop: by_stop,
        again: begin.elapsed(),
    }
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
            // A hundred times the expected overrun, for busy machines.
            let Overrun { agent, moves, .. } = &overrun;
            let most = overrun.most();
            assert!(most < Duration::from_secs(5), "{agent} on {venue} with {moves} moves: {most:?}");
        }
    }
}

#[test]
#[ignore = "measures for some minutes"]
fn overruns_of_all_agents() {
    println!("{:>20} {:>5} {:>7} {:>7} {:>7}  agent", "venue", "moves", "time", "stop", "again");
    for venue in Venue::all() {
        let mut all = overruns(venue, 150, Duration::from_millis(100));
        all.sort_by_key(|overrun| std::cmp::Reverse(overrun.most()));
        for Overrun { agent, moves, time, stop, again } in all.iter().take(4) {
            let [time, stop, again] =
                [time, stop, again].map(|time| format!("{:.1}", 1e3 * time.as_secs_f64()));
            println!("{:>20} {moves:>5} {time:>7} {stop:>7} {again:>7}  {agent}", venue.to_string());
        }
    }
}
