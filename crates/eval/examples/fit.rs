//! Fits the weights of a profile, for one board and number of seats, to self-play games.
//!
//! ```text
//! cargo run --release -p eval --example fit -- --board hex8 --players 3 > hex8_3p.toml
//! ```
//!
//! Starts from the shipped profile (or `--from FILE`). First, `--games` self-play games of that profile, with some
//! random moves, provide positions and winners; a softmax regression over the seats fits the weights to them,
//! regularised towards the old weights by `--ridge`. Then follow `--steps` steps of simultaneous perturbation: all
//! weights are shifted up or down at random, the two opposite shifts play each other from the same openings, and the
//! weights move towards the better one. The result of each stage is kept only if it wins a match of `--match` openings
//! by a significant margin. 0 skips a stage.
//!
//! Progress goes to standard error, the profile to standard output.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "this is a program")]

use std::{collections::HashMap, env, error::Error, fs};

use eval::{Heuristic, Profile, Weights};
use game::{Game, Seat, SeatPermutation, StaticEvaluator, pick};
use rand::Rng;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use ringrift::{Board, Geometry, Move, Position, Rules, on_board};

type Numbers = Vec<f64>;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = env::args().skip(1).collect();
    let options: HashMap<&str, &str> = words.chunks_exact(2).map(|pair| (&*pair[0], &*pair[1])).collect();
    let number = |name, default| options.get(name).map_or(Ok(default), |text| text.parse::<f64>());
    let board: Board = options.get("--board").unwrap_or(&"square8").parse()?;
    let seats = number("--players", 2.0)? as usize;
    let start = match options.get("--from") {
        Some(file) => Profile::from_toml(&fs::read_to_string(file)?)?,
        None => Profile::shipped(board, seats),
    };
    let [games, steps] = [number("--games", 4000.0)?, number("--steps", 400.0)?];
    let [openings, ridge, rounds] =
        [number("--match", 200.0)?, number("--ridge", 3.0)?, number("--rounds", 6.0)?];
    let rng = Xoshiro256PlusPlus::seed_from_u64(number("--seed", 1.0)? as u64);
    let best = on_board!(board, B => {
        let mut fit = Fit::<B> { seats, rng, board: std::marker::PhantomData };
        let mut best = start;
        if games > 0.0 {
            let fitted = fit.regress(&best, games as usize, ridge);
            best = fit.better(fitted, best, openings as usize);
        }
        if steps > 0.0 {
            let moved = fit.perturb(&best, steps as u32, rounds as usize);
            best = fit.better(moved, best, openings as usize);
        }
        best
    });
    println!("scale = {:.1}\n", best.scale);
    for (name, weight) in Weights::NAMES.iter().zip(numbers(&best)) {
        println!("{name} = {weight:.1}");
    }
    Ok(())
}

fn numbers(profile: &Profile) -> Numbers {
    let mut weights = profile.weights;
    Weights::NAMES.iter().map(|name| f64::from(*weights.by_name(name).expect("a weight's name"))).collect()
}

fn profile(numbers: &[f64], scale: f64) -> Profile {
    let mut weights = Weights::default();
    for (name, &number) in Weights::NAMES.iter().zip(numbers) {
        *weights.by_name(name).expect("a weight's name") = number as f32;
    }
    Profile { weights, scale: scale as f32 }
}

/// The components of every seat in one position, and the winner.
struct Sample {
    seats: Vec<Numbers>,
    winner: usize,
}

struct Fit<B: Geometry> {
    seats: usize,
    rng: Xoshiro256PlusPlus,
    board: std::marker::PhantomData<B>,
}

impl<B: Geometry> Fit<B> {
    /// Plays a game between profiles, one per seat, after `opening` random decisions from their own seed. A later move
    /// is random with a probability of `noise` per cent. Calls `visit` on positions with at least two legal moves.
    fn play(
        &mut self,
        profiles: &[&Profile],
        (opening, seed): (usize, u64),
        noise: usize,
        mut visit: impl FnMut(&Position<B>),
    ) -> Option<Seat> {
        let mut opener = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut agents: Vec<_> =
            profiles.iter().map(|&&profile| Heuristic::<B>::with_profiles([profile; 3])).collect();
        let mut position = Position::<B>::new(&Rules::new(self.seats as u8));
        let (mut moves, mut scratch, mut choices) = (Vec::new(), Vec::new(), 0);
        loop {
            position.legal_moves(&mut moves);
            let m = match moves[..] {
                [] => return position.outcome().and_then(|outcome| outcome.winner()),
                [only] => only,
                _ => {
                    choices += 1;
                    if choices <= opening {
                        moves[pick(&mut opener, moves.len())]
                    } else {
                        visit(&position);
                        let random = pick(&mut self.rng, 100) < noise;
                        let agent = &mut agents[position.to_move().index()];
                        let place = pick(&mut self.rng, moves.len());
                        moves.rotate_left(place);
                        if random { moves[0] } else { choose(agent, &position, &moves, &mut scratch) }
                    }
                }
            };
            position.play_unchecked(m, &mut ());
        }
    }

    /// Softmax regression of the winner on the components, by Newton's method.
    fn regress(&mut self, start: &Profile, games: usize, ridge: f64) -> Profile {
        let mut samples = Vec::new();
        let reader = Heuristic::<B>::with_profiles([*start; 3]);
        for _ in 0..games {
            let mut seen = Vec::new();
            let mut sampler = Xoshiro256PlusPlus::seed_from_u64(self.rng.next_u64());
            let opening = (1 + pick(&mut self.rng, 6 * self.seats), self.rng.next_u64());
            let winner = self.play(&vec![start; self.seats], opening, 8, |position| {
                // A sample suffices, since successive positions of a game are correlated.
                if pick(&mut sampler, 4) == 0 {
                    let parts = |seat| reader.components(position, seat);
                    let seats = Seat::all(position.seats()).map(parts);
                    seen.push(
                        seats.map(|parts| parts.iter().map(|part| f64::from(part.1)).collect()).collect(),
                    );
                }
            });
            if let Some(winner) = winner {
                samples.extend(seen.into_iter().map(|seats| Sample { seats, winner: winner.index() }));
            }
        }
        // Near 0, a lead of one scale has the value 1, and with two seats the logistic of z has the value z / 2.
        let unit = 2.0 / f64::from(start.scale);
        let prior: Numbers = numbers(start).iter().map(|weight| weight * unit).collect();
        let mut weights = prior.clone();
        for _ in 0..8 {
            let (mut slope, mut bend) = (vec![0.0; prior.len()], vec![vec![0.0; prior.len()]; prior.len()]);
            for sample in &samples {
                add_derivatives(sample, &weights, &mut slope, &mut bend);
            }
            for place in 0..prior.len() {
                slope[place] -= ridge * (weights[place] - prior[place]);
                bend[place][place] += ridge;
            }
            for (weight, step) in weights.iter_mut().zip(solve(bend, slope)) {
                *weight += step;
            }
        }
        eprintln!("fitted to {} positions of {games} games", samples.len());
        profile(&weights.iter().map(|weight| weight / unit).collect::<Numbers>(), start.scale.into())
    }

    /// Simultaneous perturbation: Spall, *Multivariate Stochastic Approximation* (1992).
    fn perturb(&mut self, start: &Profile, steps: u32, rounds: usize) -> Profile {
        let mut weights = numbers(start);
        let reach: Numbers = weights.iter().map(|weight| (weight.abs() / 4.0).max(1.0)).collect();
        for step in 0..steps {
            let sizes: Numbers = reach
                .iter()
                .map(|&reach| if self.rng.next_u64() & 1 == 0 { reach } else { -reach })
                .collect();
            let shifted = |sign: f64| {
                let weights = weights.iter().zip(&sizes).map(|(weight, size)| weight + sign * size);
                profile(&weights.collect::<Numbers>(), start.scale.into())
            };
            let (up, down) = (shifted(1.0), shifted(-1.0));
            let gain = self.share(&up, &down, rounds) - self.share(&down, &up, rounds);
            let rate = 0.6 / (1.0 + f64::from(step) / 200.0).powf(0.6);
            for (weight, size) in weights.iter_mut().zip(&sizes) {
                *weight += rate * gain * size;
            }
        }
        profile(&weights, start.scale.into())
    }

    /// The share of games that `one` wins against copies of `rest`, from every seat of the same openings.
    fn share(&mut self, one: &Profile, rest: &Profile, openings: usize) -> f64 {
        let mut won = 0;
        for _ in 0..openings {
            let opening = (2 * self.seats, self.rng.next_u64());
            for seat in Seat::all(self.seats) {
                let mut sides = vec![rest; self.seats];
                sides[seat.index()] = one;
                won += u32::from(self.play(&sides, opening, 0, |_| ()) == Some(seat));
            }
        }
        f64::from(won) / (openings * self.seats) as f64
    }

    /// `new` if it is better by two standard errors, otherwise `old`.
    fn better(&mut self, new: Profile, old: Profile, openings: usize) -> Profile {
        let share = self.share(&new, &old, openings);
        let fair = 1.0 / self.seats as f64;
        let error = (fair * (1.0 - fair) / (openings * self.seats) as f64).sqrt();
        let kept = share > fair + 2.0 * error;
        eprintln!(
            "won {:.1} % against the previous profile, {:.1} % expected for equal strength: {}",
            100.0 * share,
            100.0 * fair,
            if kept { "kept" } else { "dropped" }
        );
        if kept { new } else { old }
    }
}

/// One-ply search like the heuristic agent's, except that ties go to the first move.
fn choose<B: Geometry>(
    heuristic: &mut Heuristic<B>,
    root: &Position<B>,
    moves: &[Move],
    scratch: &mut Vec<Move>,
) -> Move {
    let mut best = (f32::NEG_INFINITY, moves[0]);
    for &m in moves {
        let (mut position, mut permutation) = (*root, SeatPermutation::default());
        scratch.clear();
        scratch.push(m);
        while let [only] = scratch[..] {
            permutation.advance(&position, only);
            position.play_unchecked(only, &mut ());
            position.legal_moves(scratch);
        }
        let value = StaticEvaluator::values(heuristic, &position).of(permutation.of(root.to_move()));
        if value > best.0 {
            best = (value, m);
        }
    }
    best.1
}

/// Adds the gradient and the Hessian of one sample's log-likelihood.
fn add_derivatives(sample: &Sample, weights: &[f64], slope: &mut [f64], bend: &mut [Numbers]) {
    let score = |parts: &Numbers| parts.iter().zip(weights).map(|(part, weight)| part * weight).sum::<f64>();
    let scores: Numbers = sample.seats.iter().map(score).collect();
    let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let total: f64 = scores.iter().map(|score| (score - most).exp()).sum();
    let chances: Numbers = scores.iter().map(|score| (score - most).exp() / total).collect();
    for place in 0..weights.len() {
        let mean: f64 = sample.seats.iter().zip(&chances).map(|(parts, chance)| chance * parts[place]).sum();
        slope[place] += sample.seats[sample.winner][place] - mean;
        for (parts, chance) in sample.seats.iter().zip(&chances) {
            let apart = chance * (parts[place] - mean);
            for (sum, part) in bend[place].iter_mut().zip(parts) {
                *sum += apart * part;
            }
        }
    }
}

/// Solves `matrix · x = right` for a positive definite matrix.
fn solve(mut matrix: Vec<Numbers>, mut right: Numbers) -> Numbers {
    for pivot in 0..right.len() {
        let row = matrix[pivot].clone();
        for other in (0..right.len()).filter(|&other| other != pivot) {
            let factor = matrix[other][pivot] / row[pivot];
            matrix[other].iter_mut().zip(&row).for_each(|(entry, above)| *entry -= factor * above);
            right[other] -= factor * right[pivot];
        }
    }
    right.iter().enumerate().map(|(place, value)| value / matrix[place][place]).collect()
}
