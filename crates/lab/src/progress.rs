//! The progress of an event: standings and score curves.

use arena::{
    CrossTable, Estimate, Interval, Placing, Z95,
    store::{Participant, Run, Store, StoreError},
    wilson,
};

use crate::{rate, scale_of};

/// The approximate number of points of a curve, enough for any chart.
const POINTS: u64 = 200;

/// The progress of an event, updated incrementally from the database.
pub struct Progress {
    scale: String,
    ids: Vec<String>,
    labels: Vec<String>,
    participants: Vec<Participant>,
    games: Vec<Placing>,
    place: i64,
    spacing: u64,
    totals: Vec<Total>,
    curves: Vec<Vec<Point>>,
    standings: Vec<Standing>,
}

#[derive(Clone, Copy, Default)]
struct Total {
    games: u64,
    points: f64,
    of: u64,
}

/// The score of an entrant after some of the games.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Point {
    /// The number of games of the event so far.
    pub games: u64,
    /// The mean score of the entrant, from 0 to 1.
    pub score: f64,
    /// The 95 % Wilson interval of the score.
    pub interval: Interval,
}

/// The standing of an entrant.
#[derive(Clone, PartialEq, Debug)]
pub struct Standing {
    /// Its label in the run.
    pub label: String,
    /// Its resolved spec.
    pub spec: String,
    /// The number of its games.
    pub games: u64,
    /// Its score, or `None` without games.
    pub score: Option<Point>,
    /// Its rating relative to the anchor.
    pub rating: Option<Estimate>,
    /// Whether it is the anchor.
    pub anchor: bool,
}

impl Progress {
    /// Creates the progress of a run before its first game.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn new(run: &Run, store: &Store) -> Result<Self, StoreError> {
        let mut participants = Vec::new();
        for entrant in &run.entrants {
            participants.extend(store.participant(&entrant.participant)?);
        }
        let entrants = participants.len();
        let mut progress = Self {
            scale: run.event.scale.clone(),
            ids: participants.iter().map(|who| who.id.clone()).collect(),
            labels: run.entrants.iter().map(|entrant| entrant.label.clone()).collect(),
            participants,
            games: Vec::new(),
            place: 0,
            spacing: run.planned / POINTS + 1,
            totals: vec![Total::default(); entrants],
            curves: vec![Vec::new(); entrants],
            standings: Vec::new(),
        };
        progress.standings = progress.rank();
        Ok(progress)
    }

    /// Reads the games that were added since the last call.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn read(&mut self, run: &Run, store: &Store) -> Result<(), StoreError> {
        let endings = store.endings(&run.event.id, self.place)?;
        for ending in &endings {
            self.place = ending.place;
            let players = ending.participants.iter().map(|id| self.ids.iter().position(|known| known == id));
            if let Some(players) = players.collect::<Option<Vec<usize>>>() {
                self.count(Placing { players, ranks: ending.ranks.clone() });
            }
        }
        if !endings.is_empty() {
            self.standings = self.rank();
        }
        Ok(())
    }

    fn count(&mut self, game: Placing) {
        let table = CrossTable::new(self.ids.len(), [&game]);
        for (who, total) in self.totals.iter_mut().enumerate() {
            let got = table.total(who);
            total.games += u64::from(game.players.contains(&who));
            total.points += got.points;
            total.of += got.of;
        }
        self.games.push(game);
        if (self.games.len() as u64).is_multiple_of(self.spacing) {
            let now: Vec<Option<Point>> = (0..self.ids.len()).map(|who| self.point(who)).collect();
            for (curve, point) in self.curves.iter_mut().zip(now) {
                curve.extend(point);
            }
        }
    }

    fn point(&self, who: usize) -> Option<Point> {
        let Total { games, points, of } = self.totals[who];
        let score = (of > 0).then(|| points / of as f64)?;
        Some(Point { games: self.games.len() as u64, score, interval: wilson(score, games, Z95) })
    }

    /// The number of games counted.
    pub fn games(&self) -> u64 {
        self.games.len() as u64
    }

    /// The score curve of each entrant, in order.
    pub fn curves(&self) -> impl Iterator<Item = (&str, &[Point])> {
        self.labels.iter().map(String::as_str).zip(self.curves.iter().map(Vec::as_slice))
    }

    /// The standings, in the order of the entrants.
    pub fn standings(&self) -> &[Standing] {
        &self.standings
    }

    fn rank(&self) -> Vec<Standing> {
        let scale = scale_of(self.participants.clone(), self.games.clone());
        let rated = (!self.games.is_empty()).then(|| rate(&self.scale, scale, &[]).ok()).flatten();
        let standing = |(who, participant): (usize, &Participant)| Standing {
            label: self.labels[who].clone(),
            spec: participant.spec.clone(),
            games: self.totals[who].games,
            score: self.point(who),
            rating: rated.as_ref().and_then(|rated| rated.ratings.of(who)),
            anchor: rated.as_ref().is_some_and(|rated| rated.is_anchor(who)),
        };
        self.participants.iter().enumerate().map(standing).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use arena::store::{RunState, Store};
    use ladder::Models;
    use record::Config;
    use search::Stop;

    use super::*;
    use crate::{Draft, Form, Openings, Storage, play};

    fn draft(games: u64) -> Draft {
        Draft {
            form: Form::Tournament { rounds: None, tables: None },
            agents: ["random", "heuristic", "heuristic(profile=aggressive)"]
                .iter()
                .map(|text| text.parse().unwrap())
                .collect(),
            config: Config::ringrift(ringrift::Board::Square8, ringrift::Rules::new(2)),
            opening_plies: 4,
            openings: Openings::Random,
            games,
            seed: 3,
        }
    }

    /// Incremental readers and late readers get the same result.
    #[test]
    fn reading_incrementally_equals_reading_all_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lab.db");
        let mut ours = Storage::open(None, Some(&path)).unwrap();
        let theirs = Store::open(&path).unwrap();
        let plan = draft(4).plan(1, &Models::default()).unwrap();
        let mut steady: Option<Progress> = None;
        let mut looks = 0;
        play(&plan, &mut ours, &Stop::default(), &mut |_| {
            let run = theirs.runs(5).unwrap().remove(0);
            assert_eq!((run.state, run.planned), (RunState::Running, 12));
            let progress = steady.get_or_insert_with(|| Progress::new(&run, &theirs).unwrap());
            progress.read(&run, &theirs).unwrap();
            looks += 1;
            assert_eq!(progress.games(), looks);
            ControlFlow::Continue(())
        })
        .unwrap();
        let run = theirs.run(&plan.event.id[..16]).unwrap().unwrap();
        assert_eq!((run.state, run.played, looks), (RunState::Complete, 12, 12));
        let labels: Vec<&str> = run.entrants.iter().map(|entrant| entrant.label.as_str()).collect();
        assert_eq!(labels, ["random", "heuristic", "heuristic(profile=aggressive)"]);
        let mut late = Progress::new(&run, &theirs).unwrap();
        late.read(&run, &theirs).unwrap();
        let steady = steady.unwrap();
        assert_eq!(late.standings(), steady.standings());
        assert!(late.curves().eq(steady.curves()));
        let standings = late.standings();
        assert!(standings.iter().all(|standing| standing.games == 8 && standing.rating.is_some()));
        assert!(standings[0].anchor && !standings[1].anchor, "random is the anchor");
        let points: f64 = standings.iter().map(|standing| standing.score.unwrap().score).sum();
        assert!((points - 1.5).abs() < 1e-9, "scores add up to half the entrants");
    }

    #[test]
    fn a_stopped_run_is_resumed_as_the_same_run() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lab.db");
        let (mut storage, store) = (Storage::open(None, Some(&path)).unwrap(), Store::open(&path).unwrap());
        let plan = draft(2).plan(1, &Models::default()).unwrap();
        let stop = Stop::default();
        let once = &mut |_| {
            stop.raise();
            ControlFlow::Continue(())
        };
        play(&plan, &mut storage, &stop, once).unwrap();
        let [run] = &store.runs(5).unwrap()[..] else { panic!("there is one run") };
        assert_eq!(run.state, RunState::Stopped);
        assert!(run.played < run.planned);
        let again = Draft::parse(run.asked.as_deref().unwrap()).unwrap().plan(1, &Models::default()).unwrap();
        play(&again, &mut storage, &Stop::default(), &mut |_| ControlFlow::Continue(())).unwrap();
        let [run] = &store.runs(5).unwrap()[..] else { panic!("it is the same run") };
        assert_eq!((run.state, run.played), (RunState::Complete, run.planned));
    }
}
