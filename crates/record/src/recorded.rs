//! What a game has to say so that its games can be kept.

mod go;
mod ringrift;

use game::{Fault, Faults, ForfeitKind, Notation, Setup};

use crate::{Config, GameResult, ReplayProblem};

/// A position of a game whose games can be kept.
pub trait Recorded: Notation + Setup {
    /// The options as a record spells them out, played by the present rules.
    fn written(options: &Self::Config) -> Config;

    /// The options that a record spells out.
    ///
    /// # Errors
    /// If they are of another game, of a board that does not fit this kind of position, or of later rules.
    fn options(config: &Config) -> Result<Self::Config, ReplayProblem>;

    /// How the game ended here by its own rules, after `plies` moves; `None` while it goes on.
    fn result(&self, plies: u32) -> Option<GameResult>;

    /// The result if the seat to move loses by default here, after `plies` moves.
    fn forfeited(&self, how: ForfeitKind, plies: u32) -> GameResult;

    /// The result of a game that got here with `plies` moves and of which `told` is told. What no move can show, such
    /// as giving up, is believed as far as it can be; anything else is found out anew.
    ///
    /// # Errors
    /// If something is told that cannot be so.
    fn confirmed(&self, told: &GameResult, plies: u32) -> Result<Option<GameResult>, ReplayProblem> {
        Ok(match ForfeitKind::parse(&told.reason) {
            Some(how) => Some(self.forfeited(how, plies)),
            None => self.result(plies),
        })
    }
}

/// Refuses options that make no game. Only a config put together in code can have such; files are checked when read.
fn refuse(faults: Vec<String>) -> Result<(), ReplayProblem> {
    if faults.is_empty() {
        return Ok(());
    }
    let fault = |fault| Fault::new(0..0, fault);
    Err(ReplayProblem::Start(Faults(faults.into_iter().map(fault).collect())))
}

/// Runs code with the kind of position that a game is played with, known at compile time.
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
