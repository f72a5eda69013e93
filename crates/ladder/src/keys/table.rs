//! The table of settings.

use std::time::Duration;

use search::{Interior, RootNoise, Selection};

use super::{
    Key,
    values::{
        ANSWERS, CHOICES, COMPLETIONS, LEAVES, MODES, SCALES, by_name, name_of, number, optional, set, shown,
        widening,
    },
};
use crate::{Kind, Leaves};

use Kind::{Brs, Descent, Gtp, Gumbel, Heuristic, MaxN, Mcts, Minimax, Random};

const BEST_FIRST: &[Kind] = &[Descent];
const DEPTH_FIRST: &[Kind] = &[Minimax, MaxN, Brs];
const EVALUATING: &[Kind] = &[Heuristic, Minimax, MaxN, Brs, Descent, Mcts, Gumbel];
const PROGRAM: &[Kind] = &[Gtp];
const SAMPLING: &[Kind] = &[Mcts, Gumbel];
const SEARCHING: &[Kind] = &[Minimax, MaxN, Brs, Descent, Mcts, Gumbel];
const SEEDED: &[Kind] = &[Random, Heuristic, Descent, Mcts, Gumbel];

/// All settings, in the order in which they are formatted and applied: a later one may depend on an earlier one.
pub(crate) const KEYS: &[Key] = &[
    Key::new(
        "command",
        "",
        PROGRAM,
        "a command line in quotes, as in gtp(\"gnugo --mode gtp\")",
        |config, text| {
            gtp::words(text).ok()?;
            set(&mut config.command, text.to_owned())
        },
        |config| Some(config.command.clone()),
    )
    .unnamed(),
    Key::new(
        "seconds",
        "t",
        PROGRAM,
        "whole seconds from 1 to 86400 for every move, as in seconds=5",
        |config, text| set(&mut config.time, Some(Duration::from_secs(number(text, 1..=86_400)?))),
        |config| config.time.map(|time| time.as_secs().to_string()),
    ),
    Key::new(
        "timeout",
        "to",
        PROGRAM,
        "seconds from 0.1 to 86400 to wait for an answer, as in timeout=60",
        |config, text| {
            set(&mut config.external.timeout, Duration::from_secs_f64(number(text, 0.1..=86_400.0)?))
        },
        |config| Some(config.external.timeout.as_secs_f64().to_string()),
    ),
    Key::new(
        "startup",
        "su",
        PROGRAM,
        "seconds from 0.1 to 86400 to wait for the first answer, as in startup=30",
        |config, text| {
            set(&mut config.external.startup, Duration::from_secs_f64(number(text, 0.1..=86_400.0)?))
        },
        |config| Some(config.external.startup.as_secs_f64().to_string()),
    ),
    Key::new(
        "sims",
        "s",
        SAMPLING,
        "a number of simulations from 1 up, as in sims=400",
        |config, text| set(&mut config.nodes, Some(number(text, 1..=1_000_000_000)?)),
        |config| config.nodes.map(|nodes| nodes.to_string()),
    )
    .also(&["mcts_simulations", "gumbel_simulation_budget", "nodes"])
    .always(),
    Key::new(
        "depth",
        "dp",
        DEPTH_FIRST,
        "a number of turns from 1 to 64, as in depth=3",
        |config, text| {
            config.alphabeta.depth = Some(number(text, 1..=64)?);
            // The depth limits the search, so there is no budget unless it is set too.
            set(&mut config.nodes, None)
        },
        |config| config.alphabeta.depth.map(|depth| depth.to_string()),
    ),
    Key::new(
        "nodes",
        "n",
        &[Minimax, MaxN, Brs, Descent],
        "a number of positions from 1 up, as in nodes=10000",
        |config, text| set(&mut config.nodes, Some(number(text, 1..=1_000_000_000_000)?)),
        |config| config.nodes.map(|nodes| nodes.to_string()),
    )
    .always(),
    Key::new(
        "seconds",
        "t",
        SEARCHING,
        "a number of seconds from 0.001 up, as in seconds=1.5",
        |config, text| {
            let seconds = number(text, 0.001..=1e6)?;
            set(&mut config.time, Some(Duration::from_secs_f64(seconds)))
        },
        |config| config.time.map(|time| time.as_secs_f64().to_string()),
    ),
    Key::new(
        "think_time",
        "",
        SEARCHING,
        "milliseconds from 1 up, as in think_time=1500",
        |config, text| set(&mut config.time, Some(Duration::from_millis(number(text, 1..=1_000_000_000)?))),
        // Formatted as seconds.
        |_| None,
    )
    .written_elsewhere(),
    Key::new(
        "m",
        "m",
        &[Gumbel],
        "a number of moves from 1 up, as in m=16",
        |config, text| set(&mut config.gumbel.m, number(text, 1..=100_000)?),
        |config| Some(config.gumbel.m.to_string()),
    )
    .also(&["gumbel_num_sampled_actions"]),
    Key::new(
        "profile",
        "p",
        EVALUATING,
        "balanced, aggressive, territorial or defensive",
        |config, text| set(&mut config.persona, text.parse().ok()?),
        |config| Some(config.persona.to_string()),
    )
    .also(&["heuristic_profile_id"]),
    Key::new(
        "leaves",
        "l",
        &[Descent, Mcts, Gumbel],
        "heuristic, prior, after-turn, rollout, short-rollout or uniform",
        |config, text| set(&mut config.leaves, by_name(&LEAVES, text)?),
        |config| Some(name_of(&LEAVES, &config.leaves)),
    ),
    Key::new(
        "sharpness",
        "sh",
        &[Descent, Mcts, Gumbel],
        "the factor from values to logits, from 0 to 1000",
        |config, text| set(&mut config.sharpness, number(text, 0.0..=1000.0)?),
        |config| (config.leaves == Leaves::Prior).then(|| config.sharpness.to_string()),
    ),
    Key::new(
        "rollout_plies",
        "rp",
        &[Descent, Mcts, Gumbel],
        "a number of random moves from 0 to 10000",
        |config, text| set(&mut config.rollout_plies, number(text, 0..=10_000)?),
        |config| (config.leaves == Leaves::ShortRollout).then(|| config.rollout_plies.to_string()),
    ),
    Key::new(
        "select",
        "se",
        &[Mcts],
        "puct or uct",
        |config, text| {
            let selections = [("puct", Selection::PUCT), ("uct", Selection::UCT)];
            set(&mut config.mcts.selection, by_name(&selections, text)?)
        },
        |config| {
            let name = if matches!(config.mcts.selection, Selection::Uct { .. }) { "uct" } else { "puct" };
            Some(name.to_owned())
        },
    ),
    Key::new(
        "c",
        "c",
        &[Mcts],
        "the weight of exploration, from 0 to 100",
        |config, text| {
            let weight = number(text, 0.0..=100.0)?;
            match &mut config.mcts.selection {
                Selection::Uct { exploration } => set(exploration, weight),
                Selection::Puct { c_puct, .. } => set(c_puct, weight),
            }
        },
        |config| match config.mcts.selection {
            Selection::Uct { exploration } => Some(exploration.to_string()),
            Selection::Puct { c_puct, .. } => Some(c_puct.to_string()),
        },
    )
    .also(&["c_puct"]),
    Key::new(
        "fpu",
        "f",
        &[Mcts],
        "the first-play urgency reduction, from 0 to 2 (puct)",
        |config, text| match &mut config.mcts.selection {
            Selection::Puct { fpu_reduction, .. } => set(fpu_reduction, number(text, 0.0..=2.0)?),
            Selection::Uct { .. } => None,
        },
        |config| match config.mcts.selection {
            Selection::Puct { fpu_reduction, .. } => Some(fpu_reduction.to_string()),
            Selection::Uct { .. } => None,
        },
    ),
    Key::new(
        "rave",
        "ra",
        &[Mcts],
        "a number of visits from 1 up, or off",
        |config, text| set(&mut config.mcts.rave, optional(text, |text| number(text, 1.0..=1e9))?),
        |config| Some(config.mcts.rave.map_or_else(|| "off".to_owned(), |visits| visits.to_string())),
    ),
    Key::new(
        "priors",
        "pr",
        &[Mcts],
        "a number of visits from 0 to 10000 that a prior counts as (uct)",
        |config, text| {
            let visits = number(text, 0.0..=10_000.0)?;
            let uct = matches!(config.mcts.selection, Selection::Uct { .. });
            uct.then(|| config.mcts.prior_visits = visits)
        },
        |config| Some(config.mcts.prior_visits.to_string()),
    )
    .implied(),
    Key::new(
        "widen",
        "w",
        &[Mcts],
        "factor:power as in widen=2:0.5, or off",
        |config, text| set(&mut config.mcts.widening, optional(text, widening)?),
        |config| Some(shown(config.mcts.widening)),
    ),
    Key::new(
        "noise",
        "ns",
        &[Mcts],
        "Dirichlet alpha:share as in noise=0.3:0.25, or off",
        |config, text| {
            let noise = optional(text, |text| {
                let (alpha, share) = text.split_once(':')?;
                Some(RootNoise { alpha: number(alpha, 0.001..=100.0)?, share: number(share, 0.0..=1.0)? })
            })?;
            set(&mut config.mcts.noise, noise)
        },
        |config| {
            let text = config.mcts.noise.map(|noise| format!("{}:{}", noise.alpha, noise.share));
            Some(text.unwrap_or_else(|| "off".to_owned()))
        },
    ),
    Key::new(
        "temperature",
        "te",
        &[Mcts],
        "from 0 (the best move) to 10",
        |config, text| set(&mut config.mcts.temperature, number(text, 0.0..=10.0)?),
        |config| Some(config.mcts.temperature.to_string()),
    ),
    Key::new(
        "reuse",
        "re",
        &[Mcts],
        "yes or no",
        |config, text| set(&mut config.mcts.reuse, by_name(&ANSWERS, text)?),
        |config| Some(name_of(&ANSWERS, &config.mcts.reuse)),
    ),
    Key::new(
        "reuse",
        "re",
        &[Minimax, MaxN, Brs, Descent],
        "yes or no",
        |config, text| {
            let reuse = by_name(&ANSWERS, text)?;
            (config.alphabeta.reuse, config.descent.reuse) = (reuse, reuse);
            Some(())
        },
        |config| Some(name_of(&ANSWERS, &config.descent.reuse)),
    )
    .implied(),
    Key::new(
        "batch",
        "b",
        SAMPLING,
        "a number of leaves from 1 to 4096",
        |config, text| {
            let leaves = number(text, 1..=4096)?;
            (config.mcts.batch, config.gumbel.batch) = (leaves, leaves);
            Some(())
        },
        |config| {
            Some(if config.kind == Gumbel { config.gumbel.batch } else { config.mcts.batch }.to_string())
        },
    ),
    Key::new(
        "virtual_loss",
        "v",
        &[Mcts],
        "a number of losses from 0 to 100",
        |config, text| set(&mut config.mcts.virtual_loss, number(text, 0.0..=100.0)?),
        |config| (config.mcts.batch > 1).then(|| config.mcts.virtual_loss.to_string()),
    ),
    Key::new(
        "threads",
        "th",
        &[Mcts],
        "a number of threads from 1 to 256",
        |config, text| set(&mut config.mcts.threads, number(text, 1..=256)?),
        |config| Some(config.mcts.threads.to_string()),
    ),
    Key::new(
        "c_visit",
        "cv",
        &[Gumbel],
        "a number of visits from 0 up, as in c_visit=50",
        |config, text| set(&mut config.gumbel.c_visit, number(text, 0.0..=1e6)?),
        |config| Some(config.gumbel.c_visit.to_string()),
    ),
    Key::new(
        "c_scale",
        "cs",
        &[Gumbel],
        "the weight of values against priors, from 0 to 1000",
        |config, text| set(&mut config.gumbel.c_scale, number(text, 0.0..=1000.0)?),
        |config| Some(config.gumbel.c_scale.to_string()),
    ),
    Key::new(
        "gumbel_noise",
        "gn",
        &[Gumbel],
        "the weight of the noise, from 0 (play) to 1 (self-play)",
        |config, text| set(&mut config.gumbel.noise, number(text, 0.0..=10.0)?),
        |config| Some(config.gumbel.noise.to_string()),
    ),
    Key::new(
        "interior",
        "i",
        &[Gumbel],
        "improved, or puct:weight as in interior=puct:1.5",
        |config, text| {
            let interior = match text.split_once(':') {
                None if text == "improved" => Interior::Deterministic,
                Some(("puct", weight)) => Interior::Puct { c_puct: number(weight, 0.0..=100.0)? },
                _ => return None,
            };
            set(&mut config.gumbel.interior, interior)
        },
        |config| match config.gumbel.interior {
            Interior::Deterministic => Some("improved".to_owned()),
            Interior::Puct { c_puct } => Some(format!("puct:{c_puct}")),
        },
    ),
    Key::new(
        "max_depth",
        "md",
        &[Gumbel],
        "a number of decisions from 1 up, or off",
        |config, text| set(&mut config.gumbel.depth_limit, optional(text, |text| number(text, 1..=100_000))?),
        |config| Some(config.gumbel.depth_limit.map_or_else(|| "off".to_owned(), |depth| depth.to_string())),
    ),
    Key::new(
        "completion",
        "cq",
        &[Gumbel],
        "published or seed",
        |config, text| set(&mut config.gumbel.completion, by_name(&COMPLETIONS, text)?),
        |config| Some(name_of(&COMPLETIONS, &config.gumbel.completion)),
    ),
    Key::new(
        "scale",
        "sc",
        &[Gumbel],
        "fixed or minmax",
        |config, text| set(&mut config.gumbel.scale, by_name(&SCALES, text)?),
        |config| Some(name_of(&SCALES, &config.gumbel.scale)),
    ),
    Key::new(
        "reductions",
        "rd",
        &[Minimax, Brs],
        "yes or no",
        |config, text| set(&mut config.alphabeta.reductions, by_name(&ANSWERS, text)?),
        |config| Some(name_of(&ANSWERS, &config.alphabeta.reductions)),
    ),
    Key::new(
        "megabytes",
        "mb",
        DEPTH_FIRST,
        "the size of the table in megabytes from 1 to 65536, as in megabytes=64",
        |config, text| set(&mut config.alphabeta.megabytes, number(text, 1..=65_536)?),
        |config| Some(config.alphabeta.megabytes.to_string()),
    ),
    Key::new(
        "megabytes",
        "mb",
        &[Descent, Mcts, Gumbel],
        "the maximum size of the tree in megabytes from 1 to 16384, as in megabytes=64",
        |config, text| {
            let bytes = number::<usize>(text, 1..=16_384)? << 20;
            (config.descent.max_bytes, config.mcts.max_bytes, config.gumbel.max_bytes) =
                (bytes, bytes, bytes);
            Some(())
        },
        |config| Some(config.megabytes().to_string()),
    )
    .implied(),
    Key::new(
        "mode",
        "mo",
        BEST_FIRST,
        "ubfm or descent",
        |config, text| set(&mut config.descent.mode, by_name(&MODES, text)?),
        |config| Some(name_of(&MODES, &config.descent.mode)),
    ),
    Key::new(
        "choice",
        "ch",
        BEST_FIRST,
        "safest or best",
        |config, text| set(&mut config.descent.choice, by_name(&CHOICES, text)?),
        |config| Some(name_of(&CHOICES, &config.descent.choice)),
    ),
    Key::new(
        "randomness",
        "r",
        EVALUATING,
        "a probability from 0 to 1, as in randomness=0.1",
        |config, text| set(&mut config.randomness, number(text, 0.0..=1.0)?),
        |config| Some(config.randomness.to_string()),
    ),
    Key::new(
        "seed",
        "sd",
        SEEDED,
        "a whole number, as in seed=7",
        |config, text| set(&mut config.seed, Some(text.parse().ok()?)),
        |config| config.seed.map(|seed| seed.to_string()),
    )
    .also(&["rng_seed"]),
    Key::new(
        "net",
        "",
        EVALUATING,
        "nnue (the shipped net), or the name, hash or file of a net, as in net=runs/x.safetensors",
        |config, text| set(&mut config.net, Some(text.to_owned()).filter(|text| !text.is_empty())),
        |config| config.net.clone(),
    )
    .also(&["nn_model_id", "nnue_model_path"]),
    Key::new(
        "use_neural_net",
        "",
        EVALUATING,
        "yes or no",
        |config, text| set(&mut config.use_neural_net, Some(by_name(&ANSWERS, text)?)),
        |config| config.use_neural_net.map(|used| name_of(&ANSWERS, &used)),
    ),
    Key::new(
        "blend",
        "bl",
        EVALUATING,
        "the weight of the net in values, from 0 to 1",
        |config, text| set(&mut config.neural_blend_ratio, Some(number(text, 0.0..=1.0)?)),
        |config| config.neural_blend_ratio.filter(|_| config.wants_net()).map(|ratio| ratio.to_string()),
    )
    .also(&["neural_blend_ratio"]),
];
