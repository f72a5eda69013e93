//! The definition of the command line for clap.

use clap::{Parser, Subcommand, ValueEnum};

use crate::commands::{
    ablate, analyze, bench, chart, conform, elo, expert_data, export, gauntlet, gtp, import, ladder, matches,
    model, omega, perft, pipeline, play, puzzles, replay, selfplay, serve, show, solve, tournament, train,
};

/// A laboratory for game-playing AI: play RingRift and Go, measure agents, check the rules.
///
/// Without a command, riftlab starts the web app on this machine and prints its address.
#[derive(Parser)]
#[command(name = "riftlab", version, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Option<Command>,

    /// When to use colour; auto uses it at a terminal unless `NO_COLOR` is set.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", hide_default_value = true)]
    pub(crate) color: Colour,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colour {
    Auto,
    Always,
    Never,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    Serve(serve::Args),
    Play(play::Args),
    Show(show::Args),
    Replay(replay::Args),
    Import(import::Args),
    Conform(conform::Args),
    Match(matches::Args),
    Ladder(ladder::Args),
    Gauntlet(gauntlet::Args),
    Ablate(Box<ablate::Args>),
    Tournament(tournament::Args),
    Elo(elo::Args),
    Gtp(gtp::Args),
    Analyze(analyze::Args),
    Perft(perft::Args),
    Solve(solve::Args),
    Puzzles(puzzles::Args),
    Selfplay(selfplay::Args),
    ExpertData(expert_data::Args),
    Train(train::Args),
    Pipeline(pipeline::Args),
    Omega(omega::Args),
    Export(export::Args),
    Model(model::Args),
    Bench(bench::Args),
    Chart(chart::Args),
}

impl Cli {
    /// The command, or `serve` with its defaults if none is given.
    pub(crate) fn command(self) -> Command {
        self.command
            .or_else(|| Self::parse_from(["riftlab", "serve"]).command)
            .expect("this command line names a command")
    }
}
