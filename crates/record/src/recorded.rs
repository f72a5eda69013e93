//! [`Recorded`], the trait of games that have records, and the macro [`on_game`].

mod go;
mod ringrift;

use game::{Fault, Faults, ForfeitKind, Notation, Setup};

use crate::{Config, GameResult, ReplayProblem};

/// A position of a game that has records.
pub trait Recorded: Notation + Setup {
    /// Returns the config of a record with these options and the current revision of the rules.
    fn to_config(options: &Self::Config) -> Config;

    /// Returns the options in the config of a record.
    ///
    /// # Errors
    /// If the config belongs to another game, a board of another type, or a later revision of the rules.
    fn options(config: &Config) -> Result<Self::Config, ReplayProblem>;

    /// The result according to the rules of the game after `plies` moves; `None` if it is not over.
    fn result(&self, plies: u32) -> Option<GameResult>;

    /// The result if the seat to move forfeits after `plies` moves.
    fn forfeited(&self, how: ForfeitKind, plies: u32) -> GameResult;

    /// Computes the result of a game that reaches this position after `plies` moves, to compare it with `recorded`. What
    /// the moves do not show, such as a resignation, is taken from `recorded` if it is possible.
    ///
    /// # Errors
    /// If the recorded result is impossible.
    fn verified_result(
        &self,
        recorded: &GameResult,
        plies: u32,
    ) -> Result<Option<GameResult>, ReplayProblem> {
        Ok(match ForfeitKind::parse(&recorded.reason) {
            Some(how) => Some(self.forfeited(how, plies)),
            None => self.result(plies),
        })
    }
}

/// Returns an error if there are faults. Only a config built in code can have any; those in files are checked when read.
fn check_faults(faults: Vec<String>) -> Result<(), ReplayProblem> {
    if faults.is_empty() {
        return Ok(());
    }
    let fault = |fault| Fault::new(0..0, fault);
    Err(ReplayProblem::Start(Faults(faults.into_iter().map(fault).collect())))
}

/// Runs generic code with the position type of a game's config.
///
/// ```
/// use game::Game;
/// use record::{Config, GameRecord, on_game};
///
/// let record = GameRecord::new("nine", Config::go(go::Rules::new(9)), vec!["a".into(), "b".into()]);
/// let moves = on_game!(record.config, P => {
///     let mut moves = Vec::new();
///     record.start_as::<P>()?.legal_moves(&mut moves);
///     moves.len()
/// });
/// assert_eq!(moves, 9 * 9 + 1);
/// # Ok::<(), record::ReplayError>(())
/// ```
#[macro_export]
macro_rules! on_game {
    ($config:expr, $position:ident => $body:expr) => {
        match &$config {
            $crate::Config::RingRift(config) => $crate::games::ringrift::on_board!(config.board, Board => {
                type $position = $crate::games::ringrift::Position<Board>;
                $body
            }),
            $crate::Config::Go(config) => $crate::games::go::on_size!(config.rules.size, Points => {
                type $position = $crate::games::go::Position<Points>;
                $body
            }),
        }
    };
}
