//! Games of Go.
//!
//! Two things happen that no move shows: somebody gives up, be it their turn or not, and the players agree which
//! stones are dead. The record keeps both; the agreement is counted again.

use game::{ForfeitKind, Game, Outcome};
use go::{Colour, Point, Points, Position, Rules, Score, Verdict};

use crate::{Config, GameRecord, GameResult, GoConfig, Recorded, ReplayProblem};

/// The reason of a game that was counted.
pub(crate) const SCORE: &str = "score";
/// The reason of a game that a long cycle ended.
const CYCLE: &str = "cycle";
/// The reason of a game whose result was declared by somebody and cannot be counted again.
pub(crate) const ADJUDICATION: &str = "adjudication";

impl<P: Points> Recorded for Position<P> {
    fn written(options: &Rules) -> Config {
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
        super::refuse(rules.faults())?;
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

    fn confirmed(&self, told: &GameResult, plies: u32) -> Result<Option<GameResult>, ReplayProblem> {
        let claim = match told.winner {
            Some(1) => Outcome::win(2, Colour::Black.seat()),
            Some(_) => Outcome::win(2, Colour::White.seat()),
            None => Outcome::draw(2),
        };
        if ForfeitKind::parse(&told.reason).is_some() {
            // Either may give up at any time, so the record alone knows who did; but somebody has won.
            let sound = told.winner.map(|_| GameResult::new(&claim, told.reason.as_str(), plies));
            return Ok(Some(sound.unwrap_or_else(|| self.forfeited(ForfeitKind::Resignation, plies))));
        }
        if told.reason == ADJUDICATION {
            let margin = told.score.as_ref().map(|text| match text.parse() {
                Ok(go::GameResult::Score(score)) => Ok(score),
                _ => Err(ReplayProblem::Agreement(format!("the score {text:?}: expected one such as B+3.5"))),
            });
            let outcome = margin.transpose()?.map_or(claim, Score::outcome);
            let score = told.score.clone();
            return Ok(Some(GameResult { score, ..GameResult::new(&outcome, ADJUDICATION, plies) }));
        }
        if told.dead.is_empty() && told.seki.is_empty() || !self.is_over() || self.ended_by_cycle() {
            return Ok(self.result(plies));
        }
        let verdict = Verdict { dead: chains(self, &told.dead)?, seki: chains(self, &told.seki)? };
        let (dead, seki) = (told.dead.clone(), told.seki.clone());
        Ok(Some(GameResult { dead, seki, ..counted(self.score(&verdict), plies) }))
    }
}

fn counted(score: Score, plies: u32) -> GameResult {
    let score_text = Some(score.to_string());
    GameResult { score: score_text, ..GameResult::new(&score.outcome(), SCORE, plies) }
}

/// The chains that a list names stone by stone.
fn chains<P: Points>(position: &Position<P>, names: &[String]) -> Result<P, ReplayProblem> {
    let problem = |name: &str, what: &str| ReplayProblem::Agreement(format!("the stone {name:?}: {what}"));
    let board = position.board();
    let stones = board.stones(Colour::Black) | board.stones(Colour::White);
    let mut named = P::EMPTY;
    for name in names {
        let point = Point::parse(name).filter(|&point| stones.has(point));
        let point = point.ok_or_else(|| problem(name, "there is none on the board at the end"))?;
        if named.has(point) {
            return Err(problem(name, "named twice"));
        }
        named = named | P::only(point);
    }
    for colour in Colour::BOTH {
        for chain in board.chains(colour) {
            let part = chain & named;
            if !part.is_empty() && part != chain {
                let point = part.first().expect("the part is not empty");
                return Err(problem(&point.to_string(), "the rest of its chain is not named"));
            }
        }
    }
    Ok(named)
}

impl GameRecord {
    /// Notes that the players of a game of Go that is over at `position` agree on `verdict`.
    ///
    /// # Panics
    /// If the game is not over by passes.
    pub fn agree<P: Points>(&mut self, position: &Position<P>, verdict: &Verdict<P>) {
        assert!(position.passes() >= 2, "stones are looked at after two passes");
        let names = |stones: P| stones.iter().map(|point| point.to_string()).collect();
        let (dead, seki) = (names(verdict.dead), names(verdict.seki));
        let plies = self.moves.len() as u32;
        self.result = Some(GameResult { dead, seki, ..counted(position.score(verdict), plies) });
    }

    /// Notes a result of Go as it was declared, not to be counted again; an unknown one is none.
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

    /// The result in the words of Go; `None` if there is none, or the game is another.
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
