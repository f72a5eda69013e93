//! Records of games of RingRift.

use game::{ForfeitKind, Game};
use ringrift::{Geometry, Position, Reason, Rules};

use crate::{Config, GameResult, Recorded, ReplayProblem, RingRiftConfig};

impl<B: Geometry> Recorded for Position<B> {
    fn to_config(options: &Rules) -> Config {
        Config::ringrift(B::BOARD, *options)
    }

    fn options(config: &Config) -> Result<Rules, ReplayProblem> {
        let elsewhere =
            || ReplayProblem::Elsewhere { played: config.to_string(), asked: B::BOARD.to_string() };
        let Config::RingRift(RingRiftConfig { board, rules, version }) = *config else {
            return Err(elsewhere());
        };
        if board != B::BOARD {
            return Err(elsewhere());
        }
        if version > Rules::VERSION {
            return Err(ReplayProblem::NewerRules { played: version, ours: Rules::VERSION });
        }
        super::check_faults(rules.faults())?;
        Ok(rules)
    }

    fn result(&self, plies: u32) -> Option<GameResult> {
        let (end, outcome) = self.end().zip(self.outcome())?;
        Some(GameResult::new(&outcome, end.reason.name(), plies))
    }

    fn forfeited(&self, how: ForfeitKind, plies: u32) -> GameResult {
        let mut last = *self;
        last.forfeit(how);
        let outcome = last.outcome().expect("a forfeited game is over");
        // A game that is already over cannot be forfeited; its own reason stands.
        let own = last.end().map(|end| end.reason);
        let given_up = matches!(own, Some(Reason::Resignation | Reason::Timeout));
        let reason = own.filter(|_| !given_up).map_or(how.name(), Reason::name);
        GameResult::new(&outcome, reason, plies)
    }
}
