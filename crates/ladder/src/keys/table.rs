//! The table of settings.

use std::time::Duration;

use search::{Interior, RootNoise, Selection};

use super::{
    Key,
    values::{
        ANSWERS, BONUSES, CHOICES, COMPLETIONS, EBMO_MODES, GMO_CHOICES, LEAVES, MODES, OMEGA_CHOICES,
        OMEGA_MODES, PROJECTIONS, SCALES, by_name, name_of, number, optional, policy_net, set, shown,
        widening,
    },
};
use crate::{Kind, Leaves};

use Kind::{
    Brs, Descent, Ebmo, Gmo, Gtp, Gumbel, Heuristic, IgGmo, MaxN, Mcts, Minimax, Omega, Policy, Random,
};

const ASCENDING: &[Kind] = &[Gmo, IgGmo];
const BEST_FIRST: &[Kind] = &[Descent];
const DEPTH_FIRST: &[Kind] = &[Minimax, MaxN, Brs];
const EVALUATING: &[Kind] = &[Heuristic, Minimax, MaxN, Brs, Descent, Mcts, Gumbel];
const GRADIENT: &[Kind] = &[Gmo, IgGmo, Ebmo];
const GUIDED: &[Kind] = &[Minimax, MaxN, Brs, Mcts, Gumbel];
const JUDGING: &[Kind] = &[Heuristic, Policy, Omega, Minimax, MaxN, Brs, Descent, Mcts, Gumbel];
const PROGRAM: &[Kind] = &[Gtp];
const RANDOMISED: &[Kind] = &[Heuristic, Policy, Minimax, MaxN, Brs, Descent, Mcts, Gumbel, Gmo, IgGmo, Ebmo];
const SAMPLING: &[Kind] = &[Mcts, Gumbel];
const SEEDED: &[Kind] = &[Random, Heuristic, Policy, Omega, Descent, Mcts, Gumbel, Gmo, IgGmo, Ebmo];
const TIMED: &[Kind] = &[Minimax, MaxN, Brs, Descent, Mcts, Gumbel, Gmo, IgGmo, Ebmo];

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
        TIMED,
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
        TIMED,
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
        |config, text| set(&mut config.gumbel.m, Some(number(text, 1..=100_000)?)),
        |config| config.gumbel.m.map(|m| m.to_string()),
    )
    .also(&["gumbel_num_sampled_actions"]),
    Key::new(
        "profile",
        "p",
        JUDGING,
        "balanced, aggressive, territorial or defensive",
        |config, text| set(&mut config.persona, text.parse().ok()?),
        |config| Some(config.persona.to_string()),
    )
    .also(&["heuristic_profile_id"]),
    Key::new(
        "leaves",
        "l",
        &[Descent, Mcts, Gumbel],
        "heuristic, prior, after-turn, alphabeta, rollout, short-rollout or uniform",
        |config, text| set(&mut config.leaves, by_name(&LEAVES, text)?),
        |config| Some(name_of(&LEAVES, &config.leaves)),
    ),
    Key::new(
        "sharpness",
        "sh",
        &[Descent, Mcts, Gumbel],
        "the factor from values to logits, from 0 to 1000",
        |config, text| set(&mut config.sharpness, number(text, 0.0..=1000.0)?),
        |config| config.leaves.has_priors().then(|| config.sharpness.to_string()),
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
        "leaf_nodes",
        "ln",
        &[Descent, Mcts, Gumbel],
        // A search at a leaf is not interrupted, so it must not take long.
        "the nodes of the alpha-beta search at a leaf, from 10 to 10000",
        |config, text| set(&mut config.leaf_nodes, number(text, 10..=10_000)?),
        |config| (config.leaves == Leaves::AlphaBeta).then(|| config.leaf_nodes.to_string()),
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
        "implicit",
        "im",
        &[Mcts],
        "the weight of minimax values in selection from 0 to 1, or off",
        |config, text| set(&mut config.mcts.implicit, optional(text, |text| number(text, 0.0..=1.0))?),
        |config| Some(config.mcts.implicit.map_or_else(|| "off".to_owned(), |weight| weight.to_string())),
    )
    .implied(),
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
        "widen",
        "w",
        BEST_FIRST,
        "factor:power as in widen=4:0.5, or off",
        |config, text| set(&mut config.descent.widen, optional(text, widening)?),
        |config| Some(shown(config.descent.widen)),
    )
    .implied(),
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
        "temperature",
        "te",
        &[Policy],
        "from 0 (the best move of the policy) to 10",
        |config, text| set(&mut config.temperature, number(text, 0.0..=10.0)?),
        |config| Some(config.temperature.to_string()),
    ),
    Key::new(
        "mode",
        "mo",
        &[Omega],
        "policy or value",
        |config, text| set(&mut config.by_value, by_name(&OMEGA_MODES, text)?),
        |config| Some(name_of(&OMEGA_MODES, &config.by_value)),
    ),
    Key::new(
        "choice",
        "ch",
        &[Omega],
        "greedy (the best move) or proportional (in proportion to probability)",
        |config, text| set(&mut config.temperature, by_name(&OMEGA_CHOICES, text)?),
        |config| Some(name_of(&OMEGA_CHOICES, &config.temperature)),
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
        SAMPLING,
        "a number of threads from 1 to 256",
        |config, text| {
            let threads = number(text, 1..=256)?;
            (config.mcts.threads, config.gumbel.threads) = (threads, threads);
            Some(())
        },
        |config| {
            Some(if config.kind == Gumbel { config.gumbel.threads } else { config.mcts.threads }.to_string())
        },
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
        "fixed, minmax or unscaled",
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
        "top_k",
        "k",
        ASCENDING,
        "a number of moves to optimise, from 1 to 1000",
        |config, text| set(&mut config.gmo.top_k, number(text, 1..=1000)?),
        |config| Some(config.gmo.top_k.to_string()),
    ),
    Key::new(
        "optim_steps",
        "os",
        ASCENDING,
        "a number of steps from 0 to 10000",
        |config, text| set(&mut config.gmo.optim_steps, number(text, 0..=10_000)?),
        |config| Some(config.gmo.optim_steps.to_string()),
    )
    .also(&["steps"]),
    Key::new(
        "lr",
        "lr",
        ASCENDING,
        "the rate of steps, from 0 to 10",
        |config, text| set(&mut config.gmo.lr, number(text, 0.0..=10.0)?),
        |config| Some(config.gmo.lr.to_string()),
    ),
    Key::new(
        "beta",
        "be",
        ASCENDING,
        "the weight of the bonus for what is unknown, from 0 to 100",
        |config, text| set(&mut config.gmo.beta, number(text, 0.0..=100.0)?),
        |config| Some(config.gmo.beta.to_string()),
    ),
    Key::new(
        "gamma",
        "ga",
        ASCENDING,
        "the weight of novelty, from 0 to 100",
        |config, text| set(&mut config.gmo.gamma, number(text, 0.0..=100.0)?),
        |config| Some(config.gmo.gamma.to_string()),
    ),
    Key::new(
        "exploration_temp",
        "et",
        ASCENDING,
        "a factor of beta during the optimisation, from 0 to 100",
        |config, text| set(&mut config.gmo.exploration_temp, number(text, 0.0..=100.0)?),
        |config| Some(config.gmo.exploration_temp.to_string()),
    ),
    Key::new(
        "mc_samples",
        "mc",
        ASCENDING,
        "a number of passes with dropout, from 1 to 1000",
        |config, text| set(&mut config.gmo.mc_samples, number(text, 1..=1000)?),
        |config| Some(config.gmo.mc_samples.to_string()),
    ),
    Key::new(
        "dropout_rate",
        "dr",
        ASCENDING,
        "a share of neurons from 0 to 0.9",
        |config, text| set(&mut config.dropout, number(text, 0.0..=0.9)?),
        |config| Some(config.dropout.to_string()),
    ),
    Key::new(
        "novelty_memory_size",
        "nm",
        ASCENDING,
        "a number of moves from 0 to 1000000",
        |config, text| set(&mut config.gmo.novelty_memory_size, number(text, 0..=1_000_000)?),
        |config| Some(config.gmo.novelty_memory_size.to_string()),
    ),
    Key::new(
        "uncertainty",
        "un",
        ASCENDING,
        "dropout, ensemble, error or bayes",
        |config, text| set(&mut config.uncertainty, text.parse().ok()?),
        |config| Some(config.uncertainty.to_string()),
    ),
    Key::new(
        "bonus",
        "bo",
        ASCENDING,
        "deviation or information",
        |config, text| set(&mut config.gmo.bonus, by_name(&BONUSES, text)?),
        |config| Some(name_of(&BONUSES, &config.gmo.bonus)),
    ),
    Key::new(
        "anneal",
        "an",
        ASCENDING,
        "yes or no",
        |config, text| set(&mut config.gmo.anneal, by_name(&ANSWERS, text)?),
        |config| Some(name_of(&ANSWERS, &config.gmo.anneal)),
    ),
    Key::new(
        "barrier",
        "ba",
        ASCENDING,
        "the weight of legality, from 0 to 100",
        |config, text| set(&mut config.gmo.barrier, number(text, 0.0..=100.0)?),
        |config| Some(config.gmo.barrier.to_string()),
    ),
    Key::new(
        "projection",
        "pj",
        ASCENDING,
        "cosine or learned",
        |config, text| set(&mut config.gmo.projection, by_name(&PROJECTIONS, text)?),
        |config| Some(name_of(&PROJECTIONS, &config.gmo.projection)),
    ),
    Key::new(
        "choice",
        "ch",
        ASCENDING,
        "value, mean or bonus",
        |config, text| set(&mut config.gmo.choice, by_name(&GMO_CHOICES, text)?),
        |config| Some(name_of(&GMO_CHOICES, &config.gmo.choice)),
    ),
    Key::new(
        "mode",
        "mo",
        &[Ebmo],
        "direct, gradient or manifold",
        |config, text| set(&mut config.ebmo.mode, by_name(&EBMO_MODES, text)?),
        |config| Some(name_of(&EBMO_MODES, &config.ebmo.mode)),
    ),
    Key::new(
        "optim_steps",
        "os",
        &[Ebmo],
        "a number of steps from 0 to 100000",
        |config, text| set(&mut config.ebmo.optim_steps, number(text, 0..=100_000)?),
        |config| Some(config.ebmo.optim_steps.to_string()),
    )
    .also(&["ebmo_optim_steps", "steps"]),
    Key::new(
        "optim_lr",
        "lr",
        &[Ebmo],
        "the rate of steps, from 0 to 10",
        |config, text| set(&mut config.ebmo.optim_lr, number(text, 0.0..=10.0)?),
        |config| Some(config.ebmo.optim_lr.to_string()),
    )
    .also(&["lr"]),
    Key::new(
        "num_restarts",
        "nr",
        &[Ebmo],
        "a number of descents from 1 to 1000",
        |config, text| set(&mut config.ebmo.num_restarts, number(text, 1..=1000)?),
        |config| Some(config.ebmo.num_restarts.to_string()),
    )
    .also(&["ebmo_restarts", "restarts"]),
    Key::new(
        "projection_temperature",
        "pt",
        &[Ebmo],
        "a temperature from 0.001 to 1000",
        |config, text| set(&mut config.ebmo.projection_temperature, number(text, 0.001..=1000.0)?),
        |config| Some(config.ebmo.projection_temperature.to_string()),
    )
    .also(&["ebmo_temperature"]),
    Key::new(
        "project_every_n_steps",
        "pe",
        &[Ebmo],
        "a number of steps from 0 (never) to 100000",
        |config, text| set(&mut config.ebmo.project_every_n_steps, number(text, 0..=100_000)?),
        |config| Some(config.ebmo.project_every_n_steps.to_string()),
    ),
    Key::new(
        "skip_penalty",
        "sp",
        &[Ebmo],
        "an energy from 0 to 1000",
        |config, text| set(&mut config.ebmo.skip_penalty, number(text, 0.0..=1000.0)?),
        |config| Some(config.ebmo.skip_penalty.to_string()),
    ),
    Key::new(
        "langevin",
        "la",
        GRADIENT,
        "the temperature of noise in steps, from 0 to 100",
        |config, text| {
            let temperature = number(text, 0.0..=100.0)?;
            (config.gmo.langevin, config.ebmo.langevin) = (temperature, temperature);
            Some(())
        },
        |config| Some(config.gmo.langevin.to_string()),
    ),
    Key::new(
        "sample",
        "sa",
        GRADIENT,
        "a number of legal moves to look at, from 1 up, or off for all",
        |config, text| {
            let count = optional(text, |text| number(text, 1..=1_000_000))?;
            (config.gmo.sample, config.ebmo.sample) = (count, count);
            Some(())
        },
        |config| Some(config.gmo.sample.map_or_else(|| "off".to_owned(), |count| count.to_string())),
    ),
    Key::new(
        "randomness",
        "r",
        RANDOMISED,
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
        JUDGING,
        "nnue or pv (the shipped nets), or the name, hash or file of a net, as in net=runs/x.safetensors",
        |config, text| set(&mut config.net, Some(text.to_owned()).filter(|text| !text.is_empty())),
        |config| config.net.clone(),
    )
    .also(&["nn_model_id", "nnue_model_path"]),
    Key::new(
        "net",
        "",
        GRADIENT,
        "gmo or ebmo (the shipped nets), or the name, hash or file of a net of this kind",
        |config, text| set(&mut config.net, Some(text.to_owned()).filter(|text| !text.is_empty())),
        |config| config.net.clone(),
    )
    .also(&["nn_model_id"]),
    Key::new(
        "policy",
        "po",
        GUIDED,
        "pv, gmo or ebmo (the shipped nets), or the name, hash or file of a net of one of these kinds",
        |config, text| {
            set(&mut config.policy, Some(policy_net(text).to_owned()).filter(|text| !text.is_empty()))
        },
        |config| config.policy.clone(),
    ),
    Key::new(
        "policy_turns",
        "pt",
        DEPTH_FIRST,
        "the fewest turns of depth at which the policy orders moves, from 1 to 64",
        |config, text| set(&mut config.policy_turns, number(text, 1..=64)?),
        |config| config.policy.as_ref().map(|_| config.policy_turns.to_string()),
    ),
    Key::new(
        "use_neural_net",
        "",
        JUDGING,
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
        |config| {
            let has_net = config.wants_net() && config.net.is_some();
            config.neural_blend_ratio.filter(|_| has_net).map(|ratio| ratio.to_string())
        },
    )
    .also(&["neural_blend_ratio"]),
];
