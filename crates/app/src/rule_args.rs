//! The options of a game, shared by all commands that start one.

use anyhow::bail;
use clap::{
    Args,
    builder::{PossibleValuesParser, TypedValueParser},
    value_parser,
};
use ringrift::{Board, RecoveryRule, Rules, Variant};

/// What is played, and by which rules.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Game")]
pub(crate) struct RuleArgs {
    /// The board.
    #[arg(long, value_name = "BOARD", default_value = "square8", value_parser = board_parser())]
    pub(crate) board: Board,

    /// Number of seats: 2, 3 or 4.
    #[arg(long, value_name = "N", value_parser = value_parser!(u8).range(2..=4))]
    pub(crate) players: Option<u8>,

    /// Allow seat 2 to swap sides instead of its first move (two seats).
    #[arg(long, overrides_with = "no_swap")]
    swap: bool,

    /// Play without the swap rule.
    #[arg(long, overrides_with = "swap")]
    no_swap: bool,

    /// Rings in each hand at the start; also sets how many eliminated rings win (default: the board's own)
    #[arg(long, value_name = "R", value_parser = value_parser!(u16).range(1..=1000))]
    rings: Option<u16>,

    /// Rounds in a row in which only one seat can act that make it the last player standing.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = value_parser!(u8).range(1..))]
    lps_rounds: u8,

    /// How hex8 finds lines with three or four seats.
    #[arg(long, value_name = "VARIANT", default_value = "hex8-line3", value_parser = variant_parser())]
    variant: Variant,

    /// Which recovery slides by line exist.
    #[arg(long, value_name = "RULE", default_value = "reference", value_parser = recovery_parser())]
    recovery: RecoveryRule,
}

/// The names of the options that a position text already settles.
pub(crate) const SETTLED_BY_POSITION: [&str; 8] =
    ["board", "players", "swap", "no_swap", "rings", "lps_rounds", "variant", "recovery"];

impl RuleArgs {
    /// The rules for `seats` seats; `swap_by_default` says what holds if the command line is silent.
    pub(crate) fn rules(&self, seats: u8, swap_by_default: bool) -> anyhow::Result<Rules> {
        let swap = self.swap || (!self.no_swap && swap_by_default && seats == 2);
        let rules = Rules {
            seats,
            variant: self.variant,
            recovery: self.recovery,
            swap,
            lps_rounds: self.lps_rounds,
            rings: self.rings,
        };
        let faults = rules.faults();
        if !faults.is_empty() {
            bail!(faults.join("; "));
        }
        Ok(rules)
    }

    /// The rules for two seats, or as many as asked for, without the swap rule unless it is asked for.
    pub(crate) fn plain_rules(&self) -> anyhow::Result<Rules> {
        self.rules(self.players.unwrap_or(2), false)
    }
}

fn board_parser() -> impl TypedValueParser<Value = Board> {
    PossibleValuesParser::new(Board::ALL.map(Board::name)).try_map(|name| name.parse::<Board>())
}

fn variant_parser() -> impl TypedValueParser<Value = Variant> {
    PossibleValuesParser::new([Variant::Hex8Line3, Variant::Base].map(Variant::name))
        .try_map(|name| name.parse::<Variant>())
}

fn recovery_parser() -> impl TypedValueParser<Value = RecoveryRule> {
    PossibleValuesParser::new([RecoveryRule::Reference, RecoveryRule::Text].map(RecoveryRule::name))
        .try_map(|name| name.parse::<RecoveryRule>())
}
