//! Later stages: games played by the policy, many at a time.

use std::sync::Arc;

use eval::{OmegaKernels, OmegaReader};
use game::pick;
use go::{Move, Points, Position};
use rand::Rng;

use crate::{
    Config,
    playing::{Play, generator, result_for},
    remembering::RememberingReader,
    rows::Row,
};

/// How a move is chosen from a map of logits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Choice {
    /// The most likely move.
    Greedy,
    /// Each move in proportion to its probability.
    Proportional,
}

/// A move from a map, among the sensible points and a pass.
pub(crate) fn choose<P: Points>(
    map: &[f32],
    size: usize,
    sensible: P,
    choice: Choice,
    rng: &mut impl Rng,
) -> Move {
    let logit = |m: Move| map[m.point().map_or(size * size, |point| point.row() * size + point.column())];
    let moves = || sensible.iter().map(Move::at).chain(std::iter::once(Move::PASS));
    let best = moves().reduce(|best, m| if logit(m) > logit(best) { m } else { best });
    let best = best.expect("a pass is always among the moves");
    if choice == Choice::Greedy {
        return best;
    }
    let weight = |m: Move| (logit(m) - logit(best)).exp();
    let total: f32 = moves().map(weight).sum();
    // 24 bits make a number evenly spread over [0, 1).
    let mut left = total * (rng.next_u64() >> 40) as f32 / (1_u64 << 24) as f32;
    for m in moves() {
        left -= weight(m);
        if left < 0.0 {
            return m;
        }
    }
    best
}

/// Plays one ply of every game that is not over, by the policy. Returns whether there was one.
pub(crate) fn play_ply<P: Points>(
    reader: &mut RememberingReader<P>,
    plays: &mut [Play<P>],
    choice: Choice,
    wanted: impl Fn(usize, &Play<P>) -> bool,
) -> bool {
    let mut open: Vec<(P, &mut Play<P>)> = (plays.iter_mut().enumerate())
        .filter(|(index, play)| play.result.is_none() && wanted(*index, play))
        .map(|(_, play)| (eval::sensible(&play.position), play))
        .collect();
    let any = !open.is_empty();
    let asked: Vec<(&Position<P>, P)> =
        open.iter().map(|(sensible, play)| (&play.position, *sensible)).collect();
    let places = reader.find(&asked);
    for ((sensible, play), place) in open.iter_mut().zip(places) {
        let size = play.position.board().size();
        let m = choose(reader.map(place), size, *sensible, choice, &mut play.rng);
        play.play(m);
    }
    any
}

/// A ply of a game of `length` plies: any, or, when training goes backwards, one of its last part, which grows from stage
/// to stage.
pub(crate) fn choose_ply(config: &Config, stage: u32, length: usize, rng: &mut impl Rng) -> usize {
    if !config.backward {
        return pick(rng, length);
    }
    let part = (length * (stage as usize + 1)).div_ceil(config.iterations as usize + 1);
    length - 1 - pick(rng, part.clamp(1, length))
}

/// The rows of the games with these numbers of a stage, played by the networks of the generation before.
pub(crate) fn policy_rows<P: Points>(
    config: &Config,
    stage: u32,
    kernels: &Arc<OmegaKernels>,
    numbers: std::ops::Range<u64>,
) -> Vec<u8> {
    let mut reader = RememberingReader::new(Arc::clone(kernels));
    let mut plays: Vec<Play<P>> = numbers.clone().map(|number| Play::begin(config, stage, number)).collect();
    // Half of the games begin with random moves, so that later positions do not all follow from what the policy likes.
    let random: Vec<u32> = (plays.iter_mut())
        .map(|play| {
            let some = config.random_moves > 0 && pick(&mut play.rng, 2) == 0;
            if some { 1 + pick(&mut play.rng, config.random_moves as usize) as u32 } else { 0 }
        })
        .collect();
    let mut lines: Vec<Vec<Position<P>>> = vec![Vec::new(); plays.len()];
    loop {
        for (play, line) in plays.iter().zip(&mut lines) {
            if play.result.is_none() {
                line.push(play.position.clone());
            }
        }
        let at_random = |index: usize, play: &Play<P>| play.plies < random[index];
        let mut any = false;
        let mut drawn = vec![false; plays.len()];
        for (index, play) in plays.iter_mut().enumerate() {
            if play.result.is_none() && at_random(index, play) {
                play.play_at_random();
                (any, drawn[index]) = (true, true);
            }
        }
        any |= play_ply(&mut reader, &mut plays, Choice::Proportional, |index, _| !drawn[index]);
        if !any {
            break;
        }
    }
    let chosen: Vec<Position<P>> = (plays.iter_mut().zip(&lines))
        .map(|(play, line)| choose_position(config, stage, line, reader.values(), &mut play.rng))
        .collect();
    let outcomes = continue_games(config, stage, &mut reader, &chosen, numbers.start);
    let mut bytes = Vec::new();
    for (position, outcome) in chosen.iter().zip(outcomes) {
        Row::new(position, outcome).write(&mut bytes);
    }
    bytes
}

/// One position of a game: a random one, or, of several, that whose value is nearest to 0.
fn choose_position<P: Points>(
    config: &Config,
    stage: u32,
    line: &[Position<P>],
    reader: &mut OmegaReader,
    rng: &mut impl Rng,
) -> Position<P> {
    let plies: Vec<usize> =
        (0..config.candidates).map(|_| choose_ply(config, stage, line.len(), rng)).collect();
    if plies.len() == 1 {
        return line[plies[0]].clone();
    }
    let values = reader.values(plies.iter().map(|&ply| (&line[ply], eval::sensible(&line[ply]))));
    let nearest = values.iter().enumerate().min_by(|one, other| one.1.abs().total_cmp(&other.1.abs()));
    line[plies[nearest.map_or(0, |(index, _)| index)]].clone()
}

/// The mean result of games from each position on, for the colour to move there.
fn continue_games<P: Points>(
    config: &Config,
    stage: u32,
    reader: &mut RememberingReader<P>,
    positions: &[Position<P>],
    first: u64,
) -> Vec<f32> {
    let times = config.continuations as usize;
    let mut plays: Vec<Play<P>> = Vec::with_capacity(positions.len() * times);
    for (index, position) in positions.iter().enumerate() {
        for time in 0..times {
            let number = (first + index as u64) * 256 + time as u64;
            let rng = generator(config.seed, number, u64::from(stage) << 8 | 1);
            plays.push(Play { position: position.clone(), rng, plies: 0, result: None });
        }
    }
    let mut plies = 0;
    while play_ply(reader, &mut plays, Choice::Proportional, |_, _| true) {
        plies += 1;
        if plies == config.td_plies {
            bootstrap(reader.values(), &mut plays);
        }
    }
    (positions.iter().zip(plays.chunks_exact(times)))
        .map(|(position, plays)| {
            let results = plays.iter().filter_map(|play| play.result);
            result_for(position.turn(), results.sum::<f32>() / times as f32)
        })
        .collect()
}

/// Ends all games with the value that the network of the generation before gives them.
fn bootstrap<P: Points>(reader: &mut OmegaReader, plays: &mut [Play<P>]) {
    let mut open: Vec<(P, &mut Play<P>)> = (plays.iter_mut())
        .filter(|play| play.result.is_none())
        .map(|play| (eval::sensible(&play.position), play))
        .collect();
    let values = reader.values(open.iter().map(|(sensible, play)| (&play.position, *sensible))).to_vec();
    for ((_, play), value) in open.iter_mut().zip(values) {
        play.result = Some(result_for(play.position.turn(), value));
    }
}
