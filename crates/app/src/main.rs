//! The `riftlab` binary: the web app, games at the terminal, and tools to measure agents and to check the rules.

mod agents;
mod carets;
mod cli;
mod colours;
mod commands;
mod data_folder;
mod failure;
mod game_files;
mod learning;
mod playing;
mod position_text;
mod printer;
mod rating_table;
mod rule_args;
mod words;

use std::process::ExitCode;

use clap::Parser;
use lab::atomic_file;

use crate::{
    cli::{Cli, Command},
    printer::Printer,
};

/// Returns freed memory to the system within milliseconds, from all threads, so that the service is as small after a burst
/// of requests as before. The allocator of the C library keeps an arena per thread.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The outcome of a command that ran to completion, which decides the exit code.
enum Verdict {
    /// Success: exit code 0.
    Yes,
    /// A negative result, such as a mismatch that the command checks for: exit code 1.
    No,
    /// Ctrl-C ended the command early, after it stored and reported what was done: exit code 130, as if the signal had
    /// killed it.
    Interrupted,
}

impl Verdict {
    /// The verdict of long work that ends early only if it is interrupted.
    fn of_work(complete: bool) -> Self {
        if complete { Self::Yes } else { Self::Interrupted }
    }
}

/// The exit code of a command that was interrupted: 128 and the number of the signal.
const INTERRUPTED: u8 = 130;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let printer = Printer::new(cli.color);
    survive_size_limits();
    let result = match cli.command() {
        Command::Serve(args) => commands::serve::run(&args, &printer),
        Command::Play(args) => commands::play::run(&args, &printer),
        Command::Show(args) => commands::show::run(&args, &printer),
        Command::Replay(args) => commands::replay::run(&args, &printer),
        Command::Import(args) => commands::import::run(&args, &printer),
        Command::Conform(args) => commands::conform::run(&args, &printer),
        Command::Match(args) => commands::matches::run(&args, &printer),
        Command::Ladder(args) => commands::ladder::run(&args, &printer),
        Command::Gauntlet(args) => commands::gauntlet::run(&args, &printer),
        Command::Ablate(args) => commands::ablate::run(&args, &printer),
        Command::Tournament(args) => commands::tournament::run(&args, &printer),
        Command::Gtp(args) => commands::gtp::run(&args, &printer),
        Command::Elo(args) => commands::elo::run(&args, &printer),
        Command::Analyze(args) => commands::analyze::run(&args, &printer),
        Command::Perft(args) => commands::perft::run(&args, &printer),
        Command::Solve(args) => commands::solve::run(&args, &printer),
        Command::Selfplay(args) => commands::selfplay::run(&args, &printer),
        Command::ExpertData(args) => commands::expert_data::run(&args, &printer),
        Command::Pipeline(args) => commands::pipeline::run(&args, &printer),
        Command::Omega(args) => commands::omega::run(&args, &printer),
        Command::Export(args) => commands::export::run(&args, &printer),
        Command::Train(args) => commands::train::run(&args, &printer),
        Command::Puzzles(args) => commands::puzzles::run(&args, &printer),
        Command::Model(args) => commands::model::run(&args, &printer),
        Command::Bench(args) => commands::bench::run(&args, &printer),
        Command::Chart(args) => commands::chart::run(&args, &printer),
    };
    match result {
        Ok(Verdict::Yes) => ExitCode::SUCCESS,
        Ok(Verdict::No) => ExitCode::from(1),
        Ok(Verdict::Interrupted) => ExitCode::from(INTERRUPTED),
        Err(error) if failure::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            failure::report(&error, &printer);
            ExitCode::from(2)
        }
    }
}

/// Makes a write beyond the limit on file sizes (`ulimit -f`) fail, so that it is reported. By default, its signal kills the
/// process without a word.
fn survive_size_limits() {
    #[cfg(unix)]
    {
        // Any handler will do; without one, the process would still report every other error.
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
    }
}
