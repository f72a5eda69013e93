//! `riftlab ablate`: what the parts of gradient move optimisation and energies are worth, at equal compute.

mod report;

use std::path::PathBuf;

use anyhow::Context;
use arena::bouts;
use clap::{ValueEnum, value_parser};
use lab::{Draft, Form, Storage, atomic_file};
use ladder::{Models, Spec};

use crate::{
    Verdict, agents,
    playing::{self, PlayArgs},
    printer::Printer,
    rule_args::RuleArgs,
};

use self::report::Row;

/// Measure what the parts of gradient move optimisation or of energies are worth.
///
/// Plays variants of the agent, each with one setting changed, and agents that use other methods within the same time, all
/// against one opponent and from the same openings with seats swapped. Writes a table as Markdown and CSV and a plot as SVG.
/// The games are in a database in the same folder, so that the same command resumes after an interruption; with more
/// --games, it adds to those already played.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The agent.
    #[arg(value_name = "KIND")]
    kind: Ablated,

    /// The net of the agent: a name, hash or file [default: the shipped one]
    #[arg(long, value_name = "NET")]
    net: Option<String>,

    /// The opponent of all variants.
    #[arg(long, value_name = "SPEC", default_value = "heuristic", value_parser = agents::parse)]
    opponent: Spec,

    /// Number of games of each variant, rounded up so that every opening is played from all seats.
    #[arg(long, value_name = "G", default_value_t = 100, value_parser = value_parser!(u64).range(1..=1_000_000))]
    games: u64,

    /// Milliseconds per decision of the agents that use other methods.
    #[arg(long, value_name = "MS", default_value_t = 2.0)]
    ms: f64,

    /// Score only so many legal moves, drawn at random, and compare with steps from them: 0 scores all.
    #[arg(long, value_name = "N", default_value_t = 0)]
    sample: usize,

    /// The folder for the results.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    #[command(flatten)]
    play: PlayArgs,

    #[command(flatten)]
    game: RuleArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Ablated {
    /// Gradient move optimisation.
    Gmo,
    /// Energies.
    Ebmo,
}

/// What is changed in turn: the name of a group and settings.
const GMO: &[(&str, &[&str])] = &[
    ("defaults", &[""]),
    ("steps", &["optim_steps=0", "optim_steps=5", "optim_steps=10"]),
    ("weight of the bonus", &["beta=0", "beta=0.5"]),
    ("weight of novelty", &["gamma=0", "gamma=0.2"]),
    ("dropout passes", &["mc_samples=1", "mc_samples=30"]),
    ("moves that climb", &["top_k=1", "top_k=10"]),
    ("projection", &["projection=learned"]),
    ("bonus", &["bonus=information"]),
    ("uncertainty", &["uncertainty=ensemble", "uncertainty=error", "uncertainty=bayes"]),
    ("noise", &["langevin=0.01"]),
    ("scoring alone", &["optim_steps=0,beta=0,gamma=0,mc_samples=1"]),
];

const EBMO: &[(&str, &[&str])] = &[
    ("scoring", &["mode=direct"]),
    (
        "gradient",
        &[
            "mode=gradient,optim_steps=10,num_restarts=8",
            "mode=gradient,optim_steps=100,num_restarts=1",
            "mode=gradient,optim_steps=100,num_restarts=8",
        ],
    ),
    (
        "manifold",
        &["mode=manifold,optim_steps=10,num_restarts=8", "mode=manifold,optim_steps=100,num_restarts=8"],
    ),
    ("without skip penalty", &["mode=direct,skip_penalty=0"]),
];

impl Args {
    /// The variants with the names of their groups.
    fn variants(&self, venue: ladder::Venue) -> anyhow::Result<Vec<(&'static str, Spec)>> {
        let (name, groups) = match self.kind {
            Ablated::Gmo => ("gmo", GMO),
            Ablated::Ebmo => ("ebmo", EBMO),
        };
        let net = self.net.as_deref().unwrap_or(name);
        let sample = if self.sample > 0 { format!(",sample={}", self.sample) } else { String::new() };
        let mut variants = Vec::new();
        let mut add = |group: &'static str, text: String| -> anyhow::Result<()> {
            variants.push((group, agents::parse(&text).map_err(anyhow::Error::msg)?));
            Ok(())
        };
        for &(group, settings) in groups {
            for setting in settings {
                let setting = if setting.is_empty() { String::new() } else { format!(",{setting}") };
                add(group, format!("{name}(net={net}{sample}{setting})"))?;
            }
        }
        if !sample.is_empty() {
            let scoring = match self.kind {
                Ablated::Gmo => "optim_steps=0,beta=0,gamma=0,mc_samples=1",
                Ablated::Ebmo => "mode=direct",
            };
            add("scoring of all moves", format!("{name}(net={net},{scoring})"))?;
        }
        let others = "other methods";
        let seconds = format!("{:.4}", self.ms / 1000.0);
        if Models::shipped_for("pv", venue).is_some() {
            add(others, "policy(net=pv)".to_owned())?;
            add(others, format!("gumbel(seconds={seconds},sims=100000,net=pv)"))?;
            add(others, format!("mcts(seconds={seconds},sims=100000,net=pv)"))?;
        }
        if Models::shipped_for("nnue", venue).is_some() {
            add(others, "heuristic(net=nnue)".to_owned())?;
            add(others, format!("gumbel(seconds={seconds},sims=100000,leaves=prior,net=nnue)"))?;
            add(others, format!("mcts(seconds={seconds},sims=100000,leaves=prior,net=nnue)"))?;
            add(others, format!("mcts(seconds={seconds},sims=100000,leaves=prior,net=nnue,policy={net})"))?;
        }
        add(others, format!("mcts(seconds={seconds},sims=100000)"))?;
        Ok(variants)
    }
}

pub(crate) fn run(args: &Args, printer: &Printer) -> anyhow::Result<Verdict> {
    let config = args.game.agents_only()?;
    let variants = args.variants(lab::venue(&config))?;
    let draft = Draft {
        form: Form::Gauntlet,
        agents: std::iter::once(&args.opponent)
            .chain(variants.iter().map(|variant| &variant.1))
            .cloned()
            .collect(),
        opening_plies: args.play.opening_plies(&config),
        openings: args.play.openings(),
        config,
        games: args.games,
        seed: args.play.seed,
    };
    let plan = playing::plan(&draft, args.play.threads())?;
    std::fs::create_dir_all(&args.out).with_context(|| format!("cannot create {}", args.out.display()))?;
    let mut storage = Storage::open(None, Some(&args.out.join("games.db")))?;
    let (games, finished) = playing::play_all(&plan, &mut storage, printer, args.play.json)?;
    let bouts = bouts(plan.players.len() - 1, plan.schedule.seats, games);
    let rows: Vec<Row> = bouts
        .iter()
        .filter(|bout| bout.tally.games() > 0)
        .map(|bout| {
            let (group, spec) = &variants[bout.opponent - 1];
            Row::new(group, &spec.to_string(), &bout.tally)
        })
        .collect();
    let head = format!(
        "{} on {}, {} games of each variant, {}, seed {}",
        plan.players[0].spec,
        plan.event.scale,
        plan.schedule.rotations() * plan.schedule.rotation(),
        plan.openings(),
        args.play.seed
    );
    let files = [
        ("ablation.md", report::markdown(&head, &rows)),
        ("ablation.csv", report::csv(&rows)),
        ("ablation.svg", report::svg(&head, &rows)),
    ];
    for (name, text) in files {
        let path = args.out.join(name);
        atomic_file::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    if args.play.json {
        printer.line(report::json(&head, &rows, finished.complete))?;
    } else {
        printer.line(report::markdown(&head, &rows).trim_end())?;
        if !finished.complete {
            printer.note("interrupted; the same command resumes it");
        }
    }
    Ok(Verdict::of_work(finished.complete))
}
