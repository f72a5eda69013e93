//! Records of games of Go.
//!
//! Two kinds of results do not follow from the moves: a player may resign at any time, even out of turn, and the players
//! may agree on dead stones. Records contain both. A replay scores the position again according to the agreement.

use game::{ForfeitKind, Game, Outcome};
use go::{Colour, Point, Points, Position, Rules, Score, Verdict};

use crate::{Config, GameRecord, GameResult, GoConfig, Recorded, ReplayProblem};

/// The reason of a game that was scored.
pub(crate) const SCORE: &str = "score";
/// The reason of a game that ended by a long cycle.
const CYCLE: &str = "cycle";
/// The reason of a game whose result was declared and cannot be verified.
pub(crate) const ADJUDICATION: &str = "adjudication";

impl<P: Points> Recorded for Position<P> {
    fn to_config(options: &Rules) -> Config {
        Config::go(*options)
    }

    fn options(config: &Config) -> Result<Rules, ReplayProblem> {
        let fitting = match config {
            Config::Go(config) if usize::from(config.rules.size) <= P::LARGEST => Some(config),
            _ => None,
        };
        let Some(&GoConfig { rules, version }) = fitting else {
            let asked = format!("a board of Go of up to {} lines", P::LARGEST);
            return Err(ReplayProblem::Elsewhere { played: config.to_string(), asked });
        };
        if version > Rules::VERSION {
            return Err(ReplayProblem::NewerRules { played: version, ours: Rules::VERSION });
        }
        super::check_faults(rules.faults())?;
        Ok(rules)
    }

    fn result(&self, plies: u32) -> Option<GameResult> {
        if self.ended_by_cycle() {
            return Some(GameResult::new(&Outcome::draw(2), CYCLE, plies));
        }
        self.is_over().then(|| counted(self.score(&Verdict::AS_IT_STANDS), plies))
    }

    fn forfeited(&self, how: ForfeitKind, plies: u32) -> GameResult {
        let winner = self.turn().other();
        GameResult::new(&Outcome::win(2, winner.seat()), how.name(), plies)
    }

    fn verified_result(
        &self,
        recorded: &GameResult,
        plies: u32,
    ) -> Result<Option<GameResult>, ReplayProblem> {
        let claim = match recorded.winner {
            Some(1) => Outcome::win(2, Colour::Black.seat()),
            Some(_) => Outcome::win(2, Colour::White.seat()),
            None => Outcome::draw(2),
        };
        if ForfeitKind::parse(&recorded.reason).is_some() {
            // Either player may resign at any time, so only the record says who did; but there must be a winner.
            let sound = recorded.winner.map(|_| GameResult::new(&claim, recorded.reason.as_str(), plies));
            return Ok(Some(sound.unwrap_or_else(|| self.forfeited(ForfeitKind::Resignation, plies))));
        }
        if recorded.reason == ADJUDICATION {
            let margin = recorded.score.as_ref().map(|text| match text.parse() {
                Ok(go::GameResult::Score(score)) => Ok(score),
                _ => Err(ReplayProblem::Agreement(format!("the score {text:?}: expected one such as B+3.5"))),
            });
            let outcome = margin.transpose()?.map_or(claim, Score::outcome);
            let score = recorded.score.clone();
            return Ok(Some(GameResult { score, ..GameResult::new(&outcome, ADJUDICATION, plies) }));
        }
        if recorded.dead.is_empty() && recorded.seki.is_empty() || !self.is_over() || self.ended_by_cycle() {
            return Ok(self.result(plies));
        }
        let verdict = Verdict { dead: chains(self, &recorded.dead)?, seki: chains(self, &recorded.seki)? };
        let (dead, seki) = (recorded.dead.clone(), recorded.seki.clone());
        Ok(Some(GameResult { dead, seki, ..counted(self.score(&verdict), plies) }))
    }
}

fn counted(score: Score, plies: u32) -> GameResult {
    let score_text = Some(score.to_string());
    GameResult { score: score_text, ..GameResult::new(&score.outcome(), SCORE, plies) }
}

/// Parses a list of stones, which must consist of complete chains.
fn chains<P: Points>(position: &Position<P>, names: &[String]) -> Result<P, ReplayProblem> {
    let problem = |name: &str, what: &str| ReplayProblem::Agreement(format!("the stone {name:?}: {what}"));
    let board = position.board();
    let stones = board.stones(Colour::Black) | board.stones(Colour::White);
    let mut named = P::EMPTY;
    for name in names {
        let point = Point::parse(name).filter(|&point| stones.has(point));
        let point = point.ok_or_else(|| problem(name, "there is no such stone in the final position"))?;
        if named.has(point) {
            return Err(problem(name, "listed twice"));
        }
        named = named | P::only(point);
    }
    for colour in Colour::BOTH {
        for chain in board.chains(colour) {
            let part = chain & named;
            if !part.is_empty() && part != chain {
                let point = part.first().expect("the part is not empty");
                return Err(problem(&point.to_string(), "the list lacks other stones of its chain"));
            }
        }
    }
    Ok(named)
}

impl GameRecord {
    /// Sets the result to the score of `position` according to `verdict`, on which the players agree.
    ///
    /// # Panics
    /// If the game has not ended by two passes.
    pub fn agree<P: Points>(&mut self, position: &Position<P>, verdict: &Verdict<P>) {
        assert!(position.passes() >= 2, "players agree on dead stones after two passes");
        let names = |stones: P| stones.iter().map(|point| point.to_string()).collect();
        let (dead, seki) = (names(verdict.dead), names(verdict.seki));
        let plies = self.moves.len() as u32;
        self.result = Some(GameResult { dead, seki, ..counted(position.score(verdict), plies) });
    }

    /// Sets the result of a game of Go to a declared one, which replays do not verify; an unknown result becomes `None`.
    pub fn declare(&mut self, result: &go::GameResult) {
        let plies = self.moves.len() as u32;
        let reason = match result {
            go::GameResult::Resignation(_) => ForfeitKind::Resignation.name(),
            go::GameResult::Time(_) => ForfeitKind::Timeout.name(),
            go::GameResult::Forfeit(_) => ForfeitKind::Failure.name(),
            _ => ADJUDICATION,
        };
        let score = match result {
            go::GameResult::Score(score) => Some(score.to_string()),
            _ => None,
        };
        let outcome = result.outcome();
        self.result = outcome.map(|outcome| GameResult { score, ..GameResult::new(&outcome, reason, plies) });
    }

    /// The result as a type of the crate `go`; `None` if there is none or the game is not Go.
    pub fn go_result(&self) -> Option<go::GameResult> {
        let (Config::Go(_), Some(result)) = (&self.config, &self.result) else { return None };
        if let Some(score) = &result.score {
            return score.parse().ok();
        }
        let winner = match result.winner {
            Some(1) => Colour::Black,
            Some(_) => Colour::White,
            None => return Some(go::GameResult::Void),
        };
        Some(match ForfeitKind::parse(&result.reason) {
            Some(ForfeitKind::Resignation) => go::GameResult::Resignation(winner),
            Some(ForfeitKind::Timeout) => go::GameResult::Time(winner),
            Some(ForfeitKind::IllegalMove | ForfeitKind::Failure) => go::GameResult::Forfeit(winner),
            None => go::GameResult::Win(winner),
        })
    }
}
