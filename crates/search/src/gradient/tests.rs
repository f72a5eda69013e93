//! The agents on a field whose worth is known everywhere.

use std::time::Duration;

use game::{
    FieldView, Game, MoveField,
    toy::{Take, TakeMove, TakeRules},
};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

use super::{
    objective::{Appraisal, Objective},
    steps::{Ascent, nearest, nearest_by_angle},
    *,
};
use crate::{Agent, Report};

/// A field over a plane: worth falls with the square of the distance to a peak. Moves are points on the first axis, in
/// the order of the list: 0, 1, 2 …
struct Bowl {
    peak: [f32; 2],
    passes: usize,
    seen: Vec<f32>,
    skip: Option<TakeMove>,
}

impl Bowl {
    fn at(peak: [f32; 2]) -> Box<dyn MoveField<Take>> {
        Self::with_skip(peak, None)
    }

    fn with_skip(peak: [f32; 2], skip: Option<TakeMove>) -> Box<dyn MoveField<Take>> {
        Box::new(Self { peak, passes: 1, seen: Vec::new(), skip })
    }
}

impl MoveField<Take> for Bowl {
    fn dimension(&self) -> usize {
        2
    }

    fn begin(&mut self, _: &Take, moves: &[TakeMove], points: &mut Vec<f32>) {
        points.clear();
        for index in 0..moves.len() {
            points.extend([1.0 + index as f32, 0.5]);
        }
    }

    fn is_skip(&self, m: TakeMove) -> bool {
        self.skip == Some(m)
    }

    fn draw(&mut self, passes: usize, random: &mut dyn FnMut() -> u64) {
        random();
        self.passes = passes.max(1);
    }

    fn look(&mut self, points: &[f32], view: &mut FieldView) {
        self.seen = points.to_vec();
        view.samples.clear();
        for pass in 0..self.passes {
            // Passes differ by more where the second coordinate is larger.
            let shift = 0.1 * (pass as f32 - 0.5 * (self.passes - 1) as f32);
            view.samples.extend(
                points
                    .chunks_exact(2)
                    .map(|point| -0.1 * squared_distance(point, &self.peak) + shift * point[1]),
            );
        }
        view.noise = vec![0.5; points.len() / 2];
    }

    fn slopes(&mut self, slopes: &FieldView, point_slopes: &mut Vec<f32>) {
        let points = self.seen.len() / 2;
        point_slopes.clear();
        point_slopes.resize(self.seen.len(), 0.0);
        for (index, &slope) in slopes.samples.iter().enumerate() {
            let (point, pass) = (index % points, index / points);
            let shift = 0.1 * (pass as f32 - 0.5 * (self.passes - 1) as f32);
            for axis in 0..2 {
                let of_bowl = -0.2 * (self.seen[2 * point + axis] - self.peak[axis]);
                point_slopes[2 * point + axis] += slope * (of_bowl + if axis == 1 { shift } else { 0.0 });
            }
        }
    }
}

/// A position with two legal moves: one more token, or the end of the turn.
fn position() -> Take {
    let mut position = Take::new(&TakeRules { tokens: 9, most: 3, seats: 2 });
    position.play(TakeMove::One).unwrap();
    position
}

fn generator() -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(7)
}

fn think(agent: &mut impl Agent<Take>, limits: Limits) -> Report<TakeMove> {
    agent.think(&position(), &limits, &Stop::default())
}

#[test]
fn both_agents_play_the_move_nearest_to_the_peak() {
    let mut moves = Vec::new();
    position().legal_moves(&mut moves);
    assert_eq!(moves.len(), 2);
    for (peak, best) in [([1.0, 0.5], moves[0]), ([2.2, 0.5], moves[1])] {
        for choice in [GmoChoice::Value, GmoChoice::Mean, GmoChoice::Bonus] {
            let options = GmoOptions { choice, ..GmoOptions::default() };
            let report = think(&mut Gmo::new(Bowl::at(peak), generator(), options), Limits::nodes(0));
            assert_eq!((report.best, report.candidates[0].m), (best, best));
            assert_eq!(report.candidates.len(), 2);
        }
        for mode in [EbmoMode::Direct, EbmoMode::Gradient, EbmoMode::Manifold] {
            let options = EbmoOptions { mode, ..EbmoOptions::default() };
            let report = think(&mut Ebmo::new(Bowl::at(peak), generator(), options), Limits::nodes(0));
            assert_eq!(report.best, best, "{mode:?}");
        }
    }
}

#[test]
fn a_skip_is_played_only_if_there_is_nothing_else() {
    let mut moves = Vec::new();
    position().legal_moves(&mut moves);
    for mode in [EbmoMode::Direct, EbmoMode::Manifold] {
        let bowl = Bowl::with_skip([1.0, 0.5], Some(moves[0]));
        let options = EbmoOptions { mode, ..EbmoOptions::default() };
        assert_eq!(think(&mut Ebmo::new(bowl, generator(), options), Limits::nodes(0)).best, moves[1]);
        // Without the penalty, its energy decides.
        let bowl = Bowl::with_skip([1.0, 0.5], Some(moves[0]));
        let options = EbmoOptions { skip_penalty: 0.0, ..options };
        assert_eq!(think(&mut Ebmo::new(bowl, generator(), options), Limits::nodes(0)).best, moves[0]);
    }
}

#[test]
fn ascent_reaches_the_peak_and_projects_to_a_legal_move() {
    // From the second move alone, ascent leads to the first one's side.
    let mut moves = Vec::new();
    position().legal_moves(&mut moves);
    let options = GmoOptions { top_k: 1, optim_steps: 60, beta: 0.0, ..GmoOptions::default() };
    let mut agent = Gmo::new(Bowl::at([0.9, 0.5]), generator(), GmoOptions { gamma: 9.0, ..options });
    // The best move becomes old, so that ranking starts from the other one.
    think(&mut agent, Limits::nodes(0));
    let report = think(&mut agent, Limits::nodes(0));
    assert_eq!(report.best, moves[0]);
    let detail = |name| report.details.iter().find(|detail| detail.0 == name).unwrap().1;
    assert!(detail("gain") > 0.05 && detail("moved") > 0.5, "{:?}", report.details);
    let [path] = &report.paths[..] else { panic!("one path: {:?}", report.paths) };
    assert_eq!((path.from, path.to, path.heights.len()), (Some(moves[1]), moves[0], 60));
    assert!(path.heights[59] > path.heights[0], "{:?}", path.heights);
    assert!(report.candidates.iter().all(|one| one.sigma.is_some() && one.novelty.is_some()));
    let shares: f32 = report.candidates.iter().map(|one| one.share).sum();
    assert!((shares - 1.0).abs() < 1e-5 && report.candidates[0].share > 0.5, "{shares}");
}

#[test]
fn novelty_is_the_distance_to_the_nearest_move_of_the_memory() {
    let options = GmoOptions { novelty_memory_size: 2, ..GmoOptions::default() };
    let mut agent = Gmo::<Take, _>::new(Bowl::at([0.0, 0.0]), generator(), options);
    assert_eq!(agent.novelty(&[0.0, 0.0]).to_bits(), 1.0_f32.to_bits(), "an empty memory");
    agent.points = vec![0.0, 0.0, 3.0, 4.0, 0.0, 2.0];
    agent.remember(0);
    assert!((agent.novelty(&[3.0, 4.0]) - 5.0).abs() < 1e-6);
    agent.remember(1);
    assert!(agent.novelty(&[3.0, 4.0]).abs() < 1e-6);
    agent.remember(2);
    // The oldest is forgotten.
    assert!((agent.novelty(&[0.0, 0.0]) - 2.0).abs() < 1e-6);
    // Distances are relative to the norms of the position's points, which are 0, 5 and 2.
    agent.measure();
    assert!((agent.novelty(&[0.0, 0.0]) - 6.0 / 7.0).abs() < 1e-6);
}

#[test]
fn slopes_of_objectives_are_those_of_differences() {
    let view = FieldView {
        samples: vec![0.1, -0.4, 0.3, 0.2, -0.1, 0.6],
        noise: vec![0.3, 0.7],
        spread: Vec::new(),
        legality: vec![0.4, 0.9],
    };
    let spread = FieldView { spread: vec![0.2, 0.05], ..view.clone() };
    for view in [view, spread] {
        for bonus in [Bonus::Deviation, Bonus::Information] {
            let objective = Objective { bonus, weight: 0.7, barrier: 0.3 };
            let total = |view: &FieldView| -> f64 {
                (0..2).map(|point| f64::from(objective.at(&Appraisal::new(view, point, 2)))).sum()
            };
            let mut slopes = FieldView::default();
            objective.slopes(&view, 2, &mut slopes);
            let lists =
                |view: &FieldView| [&view.samples, &view.noise, &view.spread, &view.legality].map(Vec::clone);
            for (list, found) in lists(&slopes).into_iter().enumerate() {
                for (index, slope) in found.into_iter().enumerate() {
                    let at = |step: f32| {
                        let mut lists = lists(&view);
                        lists[list][index] += step;
                        let [samples, noise, spread, legality] = lists;
                        total(&FieldView { samples, noise, spread, legality })
                    };
                    let expected = (at(1e-2) - at(-1e-2)) / 2e-2;
                    assert!(
                        (f64::from(slope) - expected).abs() < 1e-2,
                        "{bonus:?} {list} {index}: {slope} {expected}"
                    );
                }
            }
        }
    }
}

#[test]
fn projections_of_legal_points_are_themselves() {
    let rows = [1.0, 0.0, 0.6, 0.9, -1.0, 0.4];
    for place in 0..3 {
        let point = &rows[2 * place..][..2];
        assert_eq!((nearest_by_angle(point, &rows), nearest(point, &rows)), (place, place));
        let longer = [3.0 * point[0], 3.0 * point[1]];
        assert_eq!(nearest_by_angle(&longer, &rows), place, "only the angle counts");
    }
    let mut adam = Ascent::default();
    adam.reset(1);
    let mut x = [0.0];
    for _ in 0..400 {
        let slope = -2.0 * (x[0] - 0.75);
        adam.step(&mut x, &[slope], 0.02);
    }
    assert!((x[0] - 0.75).abs() < 0.02, "{x:?}");
}

#[test]
fn the_same_seed_gives_the_same_report_and_time_ends_a_decision() {
    let gmo =
        || Gmo::new(Bowl::at([1.4, 0.0]), generator(), GmoOptions { langevin: 0.1, ..GmoOptions::default() });
    let ebmo = || {
        let options = EbmoOptions { mode: EbmoMode::Gradient, langevin: 0.1, ..EbmoOptions::default() };
        Ebmo::new(Bowl::at([1.4, 0.0]), generator(), options)
    };
    let same = |one: Report<TakeMove>, other: Report<TakeMove>| {
        assert_eq!((one.best, one.details, one.candidates), (other.best, other.details, other.candidates));
    };
    same(think(&mut gmo(), Limits::nodes(0)), think(&mut gmo(), Limits::nodes(0)));
    same(think(&mut ebmo(), Limits::nodes(0)), think(&mut ebmo(), Limits::nodes(0)));
    let options = EbmoOptions { mode: EbmoMode::Manifold, optim_steps: 1_000_000, ..EbmoOptions::default() };
    let mut endless = Ebmo::new(Bowl::at([1.4, 0.0]), generator(), options);
    let report = think(&mut endless, Limits::nodes(0).within(Duration::from_millis(20)));
    assert!(report.time < Duration::from_secs(2), "{:?}", report.time);
    let options = GmoOptions { optim_steps: 1_000_000, ..GmoOptions::default() };
    let mut endless = Gmo::new(Bowl::at([1.4, 0.0]), generator(), options);
    let report = think(&mut endless, Limits::nodes(0).within(Duration::from_millis(20)));
    assert!(report.time < Duration::from_secs(2), "{:?}", report.time);
}

#[test]
fn the_worth_of_moves_is_a_policy() {
    use game::{Evaluation, Evaluator, Request, Wants};
    let (position, mut moves) = (position(), Vec::new());
    position.legal_moves(&mut moves);
    let mut policy = crate::FieldPolicy::new(Bowl::at([2.0, 0.5]), 5.0, 1);
    let request = Request { position: &position, moves: &moves, wants: Wants::Policy };
    let mut answers = [Evaluation::default()];
    assert!(policy.evaluate_unless(&[request], &mut answers, &|| false));
    // The second move is at the peak, the first one step away from it.
    assert_eq!(answers[0].logits, [-0.5, 0.0]);
    let request = Request { position: &position, moves: &moves, wants: Wants::Policy };
    assert!(!policy.evaluate_unless(&[request], &mut answers, &|| true), "an interrupted evaluation ends");
}
