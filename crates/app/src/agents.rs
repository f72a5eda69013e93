//! Who sits where, written as values: `human`, `random`, `heuristic(profile=aggressive)`,
//! `mcts(sims=400)`.

use std::{fmt, str::FromStr, time::Duration};

use eval::{Heuristic, Persona};
use game::Game;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use ringrift::{Board, Draft, Geometry, Kind, Move, Position, Swap};
use search::{Agent, Greedy, Limits, Mcts, MctsOptions, Random, Report, Sighted};

/// Who plays a seat.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Spec {
    /// A person at the terminal.
    Human,
    /// Any legal move.
    Random,
    /// The move with the best position, judged at sight.
    Heuristic {
        /// The style of play.
        persona: Persona,
    },
    /// Monte Carlo tree search.
    Mcts {
        /// Simulations per decision.
        sims: u64,
        /// A cap on the time of a decision.
        seconds: Option<f64>,
    },
}

/// An agent at work, with the limits its specification sets.
pub(crate) struct Player<G: Game> {
    agent: Box<dyn Agent<G>>,
    limits: Limits,
    judges_swaps: bool,
}

impl<G: Game> Player<G> {
    pub(crate) fn think(&mut self, root: &G) -> Report<G::Move> {
        self.agent.think(root, &self.limits, &search::Stop::default())
    }

    /// Whether the agent compares a swap of seats with the other moves by itself.
    pub(crate) fn judges_swaps(&self) -> bool {
        self.judges_swaps
    }
}

impl Spec {
    /// The strongest agent there is, with a budget that takes about a second or less per decision.
    pub(crate) const fn best(board: Board) -> Self {
        let sims = match board {
            Board::Square8 | Board::Hex8 => 5000,
            Board::Square19 => 1000,
            Board::Hexagonal => 400,
        };
        Self::Mcts { sims, seconds: None }
    }

    /// The agent with its limits, unless it is a person.
    pub(crate) fn build<B: Geometry>(self, seed: u64) -> Option<Player<Position<B>>> {
        let agent = self.agent(seed)?;
        Some(Player { agent, limits: self.limits(), judges_swaps: self.judges_swaps() })
    }

    /// The agent, unless it is a person.
    pub(crate) fn agent<B: Geometry>(self, seed: u64) -> Option<Box<dyn Agent<Position<B>>>> {
        let rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        match self {
            Self::Human => None,
            Self::Random => Some(Box::new(Random::new(rng))),
            Self::Heuristic { persona } => Some(Box::new(Greedy::new(Heuristic::<B>::new(persona), rng))),
            Self::Mcts { .. } => {
                let guide = Sighted { evaluator: Heuristic::<B>::new(Persona::Balanced), sharpness: 5.0 };
                Some(Box::new(Mcts::new(guide, rng, MctsOptions::default())))
            }
        }
    }

    /// Whether the agent compares a swap of seats with the other moves by itself.
    pub(crate) fn judges_swaps(self) -> bool {
        matches!(self, Self::Heuristic { .. } | Self::Mcts { .. })
    }

    /// What a decision may cost.
    pub(crate) fn limits(self) -> Limits {
        match self {
            Self::Human | Self::Random | Self::Heuristic { .. } => Limits::nodes(0),
            Self::Mcts { sims, seconds } => {
                Limits { nodes: sims, time: seconds.map(Duration::from_secs_f64) }
            }
        }
    }

    /// The seats of `--seats`: specifications separated by commas.
    pub(crate) fn parse_list(text: &str) -> Result<Vec<Self>, String> {
        let mut depth = 0;
        // Commas between parentheses belong to the specification.
        let parts = text.split(|character: char| {
            match character {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            character == ',' && depth == 0
        });
        parts.map(|part| part.trim().parse()).collect()
    }
}

impl FromStr for Spec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, arguments) = match text.split_once('(') {
            Some((name, rest)) => {
                (name, rest.strip_suffix(')').ok_or_else(|| format!("{text:?} lacks a closing parenthesis"))?)
            }
            None => (text, ""),
        };
        let arguments: Vec<&str> =
            arguments.split(',').map(str::trim).filter(|part| !part.is_empty()).collect();
        match name {
            "human" | "random" if !arguments.is_empty() => Err(format!("{name} takes no options")),
            "human" => Ok(Self::Human),
            "random" => Ok(Self::Random),
            "heuristic" => parse_heuristic(&arguments),
            "mcts" => parse_mcts(&arguments),
            _ => {
                Err(format!("{name:?} cannot sit down: expected human, random, heuristic or mcts(sims=400)"))
            }
        }
    }
}

/// Asks for a move, looking after the pie rule.
///
/// Agents count values by seat, and swapping changes who sits where: to a search that does not ask
/// [`Game::seat_after`] the swap looks like a move that does nothing. So the seat is judged without it, and given
/// away if it is worth less than the other.
pub(crate) fn with_pie_rule<B: Geometry>(
    position: &Position<B>,
    judges_swaps: bool,
    think: impl FnOnce(&Position<B>) -> Report<Move>,
) -> Report<Move> {
    if position.swap() != Swap::Open || judges_swaps {
        return think(position);
    }
    let closed = Draft { swap: Swap::Closed, ..position.draft() }.build::<B>();
    let mut report = think(closed.as_ref().unwrap_or(position));
    if report.values.is_some_and(|values| values.of(position.to_move()) < 0.0) {
        report.best = Move::plain(Kind::SwapSides);
    }
    report
}

fn parse_heuristic(arguments: &[&str]) -> Result<Spec, String> {
    let mut persona = Persona::default();
    for argument in arguments {
        match argument.split_once('=') {
            Some(("profile", name)) => {
                persona = name.parse().map_err(|fault| format!("{argument:?}: {fault}"))?;
            }
            _ => return Err(format!("{argument:?}: expected profile=…, as in profile=aggressive")),
        }
    }
    Ok(Spec::Heuristic { persona })
}

fn parse_mcts(arguments: &[&str]) -> Result<Spec, String> {
    let (mut sims, mut seconds) = (400, None);
    for argument in arguments {
        let (name, value) = argument.split_once('=').unwrap_or((argument, ""));
        let bad = |expected: &str| format!("{argument:?}: expected {expected}");
        match name {
            "sims" => {
                let count = value.parse().ok().filter(|&count| count > 0);
                sims = count.ok_or_else(|| bad("a number of simulations, as in sims=400"))?;
            }
            "seconds" => {
                let cap = value.parse::<f64>().ok().filter(|cap| (0.001..=1e6).contains(cap));
                seconds = Some(cap.ok_or_else(|| bad("a number of seconds, as in seconds=1.5"))?);
            }
            _ => return Err(bad("sims=… or seconds=…")),
        }
    }
    Ok(Spec::Mcts { sims, seconds })
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Human => f.write_str("human"),
            Self::Random => f.write_str("random"),
            Self::Heuristic { persona: Persona::Balanced } => f.write_str("heuristic"),
            Self::Heuristic { persona } => write!(f, "heuristic(profile={persona})"),
            Self::Mcts { sims, seconds: None } => write!(f, "mcts(sims={sims})"),
            Self::Mcts { sims, seconds: Some(seconds) } => write!(f, "mcts(sims={sims},seconds={seconds})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::{Seat, pick};
    use ringrift::{Rules, Square8, on_board};

    #[test]
    fn specifications_are_read_back_as_written() {
        let list =
            "human,random,heuristic,heuristic(profile=defensive),mcts(sims=50),mcts(sims=7,seconds=0.5)";
        let specs = Spec::parse_list(list).unwrap();
        assert_eq!(specs.iter().map(Spec::to_string).collect::<Vec<_>>().join(","), list);
        assert_eq!("heuristic(profile=balanced)".parse::<Spec>().unwrap().to_string(), "heuristic");
        assert_eq!("mcts".parse(), Ok(Spec::Mcts { sims: 400, seconds: None }));
    }

    #[test]
    fn what_cannot_sit_down_is_refused_with_the_reason() {
        for (text, part) in [
            ("robot", "robot"),
            ("mcts(sims=0)", "sims=0"),
            ("mcts(sims=9", "parenthesis"),
            ("mcts(speed=9)", "speed"),
            ("human(sims=3)", "no options"),
            ("mcts(seconds=0)", "seconds=0"),
            ("heuristic(profile=bold)", "territorial"),
            ("heuristic(aggressive)", "profile=aggressive"),
        ] {
            let error = text.parse::<Spec>().unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
        assert!(Spec::parse_list("human,,random").is_err());
    }

    #[test]
    fn searches_of_every_board_and_number_of_seats_are_sound() {
        for (board, seats) in
            Board::ALL.into_iter().flat_map(|board| (2..=4).map(move |seats| (board, seats)))
        {
            on_board!(board, B => {
                let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
                let mut moves = Vec::new();
                let mut position = Position::<B>::new(&Rules { rings: Some(3), ..Rules::new(seats) });
                for _ in 0..10 {
                    position.legal_moves(&mut moves);
                    position.play_unchecked(moves[pick(&mut rng, moves.len())], &mut ());
                }
                position.legal_moves(&mut moves);
                let mut player = Spec::Mcts { sims: 25, seconds: None }.build::<B>(1).unwrap();
                let report = player.think(&position);
                assert!(moves.contains(&report.best), "{position:?}");
                let visits: u64 = report.candidates.iter().map(|candidate| candidate.visits).sum();
                assert_eq!(visits, report.nodes, "{position:?}");
                assert_eq!(report.candidates.len(), moves.len());
                let persona = Persona::Territorial;
                let report = Spec::Heuristic { persona }.build::<B>(1).unwrap().think(&position);
                assert!(moves.contains(&report.best), "{position:?}");
                assert!(report.values.is_some() || moves.len() == 1, "{position:?}");
            });
        }
    }

    /// Games out of ten that an agent wins against random play.
    fn wins_against_random(spec: Spec, rings: Option<u16>) -> usize {
        let rules = Rules { rings, ..Rules::new(2) };
        let mut won = 0;
        for seed in 0..10 {
            let searcher = Seat::new((seed % 2) as usize);
            let mut players: [Player<Position<Square8>>; 2] =
                [spec, Spec::Random].map(|spec| spec.build(seed).unwrap());
            let mut position = Position::new(&rules);
            while !position.is_over() {
                let player = usize::from(position.to_move() != searcher);
                let report = players[player].think(&position);
                position.play(report.best).unwrap();
            }
            won += usize::from(position.outcome().unwrap().winner() == Some(searcher));
        }
        won
    }

    #[test]
    fn searches_and_the_heuristic_beat_random_play() {
        // Small hands, because a search takes its time; the heuristic's weights are for full ones.
        for (spec, rings) in [("mcts(sims=60)", Some(5)), ("heuristic", None)] {
            let won = wins_against_random(spec.parse().unwrap(), rings);
            assert!(won >= 8, "{spec} won {won} of 10");
        }
    }
}
