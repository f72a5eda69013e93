//! The options of a game, shared by all commands that start one: the game by its name, then its own options.

use anyhow::bail;
use clap::{
    Args, ValueEnum,
    builder::{PossibleValuesParser, TypedValueParser},
    value_parser,
};
use go::{Ko, Komi, Scoring};
use record::Config;
use ringrift::{Board, RecoveryRule, Variant};

use crate::failure::Hinted;

/// The games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum GameName {
    Ringrift,
    Go,
}

/// What is played, and by which rules.
#[derive(Args, Clone, Debug)]
pub(crate) struct RuleArgs {
    /// The game.
    #[arg(value_name = "GAME", default_value = "ringrift")]
    pub(crate) game: GameName,

    /// The board [default: square8]
    #[arg(long, value_name = "BOARD", value_parser = board_parser(), help_heading = "RingRift")]
    board: Option<Board>,

    /// Number of seats: 2, 3 or 4.
    #[arg(long, value_name = "N", value_parser = value_parser!(u8).range(2..=4), help_heading = "RingRift")]
    pub(crate) players: Option<u8>,

    /// Allow seat 2 to swap sides instead of its first move (two seats).
    #[arg(long, overrides_with = "no_swap", help_heading = "RingRift")]
    swap: bool,

    /// Play without the swap rule.
    #[arg(long, overrides_with = "swap", help_heading = "RingRift")]
    no_swap: bool,

    /// Rings in each hand at the start; also sets how many eliminated rings win (default: the board's own)
    #[arg(long, value_name = "R", value_parser = value_parser!(u16).range(1..=1000), help_heading = "RingRift")]
    rings: Option<u16>,

    /// Rounds in a row in which only one seat can act that make it the last player standing [default: 3]
    #[arg(long, value_name = "N", value_parser = value_parser!(u8).range(1..), help_heading = "RingRift")]
    lps_rounds: Option<u8>,

    /// How hex8 finds lines with three or four seats [default: hex8-line3]
    #[arg(long, value_name = "VARIANT", value_parser = variant_parser(), help_heading = "RingRift")]
    variant: Option<Variant>,

    /// Which recovery slides by line exist [default: reference]
    #[arg(long, value_name = "RULE", value_parser = recovery_parser(), help_heading = "RingRift")]
    recovery: Option<RecoveryRule>,

    /// Lines of the board, 2 to 19 [default: 9]
    #[arg(long, value_name = "N", value_parser = value_parser!(u8).range(2..=19), help_heading = "Go")]
    size: Option<u8>,

    /// Points for White, whole or half [default: 7.5, with handicap 0.5]
    #[arg(long, value_name = "K", allow_hyphen_values = true, help_heading = "Go")]
    komi: Option<Komi>,

    /// Black stones at the start, on their fixed places; White moves first.
    #[arg(long, value_name = "H", value_parser = value_parser!(u8).range(0..=9), help_heading = "Go")]
    handicap: Option<u8>,

    /// Which repetitions are forbidden [default: positional]
    #[arg(long, value_name = "RULE", value_parser = ko_parser(), help_heading = "Go")]
    ko: Option<Ko>,

    /// What counts at the end [default: area]
    #[arg(long, value_name = "WHAT", value_parser = scoring_parser(), help_heading = "Go")]
    scoring: Option<Scoring>,

    /// Allow moves that leave their own chain without a liberty.
    #[arg(long, help_heading = "Go")]
    suicide: bool,
}

/// The names of the options that a position text already settles.
pub(crate) const SETTLED_BY_POSITION: [&str; 15] = [
    "game",
    "board",
    "players",
    "swap",
    "no_swap",
    "rings",
    "lps_rounds",
    "variant",
    "recovery",
    "size",
    "komi",
    "handicap",
    "ko",
    "scoring",
    "suicide",
];

impl RuleArgs {
    /// What is played at a table of `seats`, if that is known from elsewhere; `swap_by_default` says what holds if the
    /// command line is silent.
    pub(crate) fn config(&self, seats: Option<u8>, swap_by_default: bool) -> anyhow::Result<Config> {
        self.refuse_options_of_others()?;
        match self.game {
            GameName::Ringrift => self.ringrift(seats.or(self.players).unwrap_or(2), swap_by_default),
            GameName::Go => self.go(seats.unwrap_or(2)),
        }
    }

    /// What is played by agents alone: for two seats, or as many as asked for, without the swap rule unless it is asked
    /// for.
    pub(crate) fn plain(&self) -> anyhow::Result<Config> {
        self.config(None, false)
    }

    fn ringrift(&self, seats: u8, swap_by_default: bool) -> anyhow::Result<Config> {
        let usual = ringrift::Rules::new(seats);
        let rules = ringrift::Rules {
            variant: self.variant.unwrap_or(usual.variant),
            recovery: self.recovery.unwrap_or(usual.recovery),
            swap: self.swap || (!self.no_swap && swap_by_default && seats == 2),
            lps_rounds: self.lps_rounds.unwrap_or(usual.lps_rounds),
            rings: self.rings,
            ..usual
        };
        refuse(&rules.faults())?;
        Ok(Config::ringrift(self.board.unwrap_or(Board::Square8), rules))
    }

    fn go(&self, seats: u8) -> anyhow::Result<Config> {
        if seats != 2 {
            bail!("{seats} seats: Go is for 2");
        }
        let usual = go::Rules::new(self.size.unwrap_or(9));
        let handicap = self.handicap.unwrap_or(0);
        let komi = if handicap > 0 { Komi::from_half_points(1) } else { usual.komi };
        let rules = go::Rules {
            komi: self.komi.unwrap_or(komi),
            ko: self.ko.unwrap_or(usual.ko),
            suicide: self.suicide,
            scoring: self.scoring.unwrap_or(usual.scoring),
            handicap,
            ..usual
        };
        refuse(&rules.faults())?;
        Ok(Config::go(rules))
    }

    /// An option that would be ignored is a mistake.
    fn refuse_options_of_others(&self) -> anyhow::Result<()> {
        let ringrift = [
            ("--board", self.board.is_some()),
            ("--players", self.players.is_some()),
            ("--swap", self.swap),
            ("--no-swap", self.no_swap),
            ("--rings", self.rings.is_some()),
            ("--lps-rounds", self.lps_rounds.is_some()),
            ("--variant", self.variant.is_some()),
            ("--recovery", self.recovery.is_some()),
        ];
        let go = [
            ("--size", self.size.is_some()),
            ("--komi", self.komi.is_some()),
            ("--handicap", self.handicap.is_some()),
            ("--ko", self.ko.is_some()),
            ("--scoring", self.scoring.is_some()),
            ("--suicide", self.suicide),
        ];
        let (others, owner, cure) = match self.game {
            GameName::Ringrift => (&go[..], "Go", "name the game before its options: go --size 9"),
            GameName::Go => (&ringrift[..], "RingRift", "the options of Go begin with --size and --komi"),
        };
        match others.iter().find(|(_, given)| *given) {
            Some((name, _)) => Err(Hinted::error(format!("{name} is an option of {owner}"), cure)),
            None => Ok(()),
        }
    }
}

fn refuse(faults: &[String]) -> anyhow::Result<()> {
    if faults.is_empty() { Ok(()) } else { bail!(faults.join("; ")) }
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

fn ko_parser() -> impl TypedValueParser<Value = Ko> {
    PossibleValuesParser::new([Ko::Positional, Ko::Situational, Ko::Simple].map(Ko::name))
        .try_map(|name| name.parse::<Ko>())
}

fn scoring_parser() -> impl TypedValueParser<Value = Scoring> {
    PossibleValuesParser::new([Scoring::Area, Scoring::Territory].map(Scoring::name))
        .try_map(|name| name.parse::<Scoring>())
}
