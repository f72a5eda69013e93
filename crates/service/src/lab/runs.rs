//! Events as they are played: what is asked for, and what is shown of them.

use ::lab::{Draft, Form, Plan, Point, Progress, Standing};
use arena::store::{self, RunState};
use ladder::Models;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Refusal, Setup, caps, games};

/// The most games of a run.
const MOST_GAMES: u64 = 10_000;

/// The most agents of a run.
const MOST_AGENTS: usize = 16;

/// Something to be played in the background.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewRun {
    /// `tournament`, everybody against everybody, or `gauntlet`, the first against each of the others.
    pub kind: String,
    /// What is played.
    pub setup: Setup,
    /// Who takes part, each once.
    pub agents: Vec<String>,
    /// How many games everybody who meets plays, rounded up to whole rotations of the seats.
    pub games: u64,
    /// Rounds of the Swiss system, in which like meets like; everybody meets everybody without it.
    #[serde(default)]
    pub rounds: Option<u32>,
    /// Where openings and agents get their random numbers.
    #[serde(default = "one")]
    pub seed: u64,
}

fn one() -> u64 {
    1
}

impl NewRun {
    /// What is to be played.
    pub(super) fn plan(&self) -> Result<Plan, Refusal> {
        let form = match (self.kind.as_str(), self.rounds) {
            ("tournament", rounds) => Form::Tournament { rounds, tables: None },
            ("gauntlet", None) => Form::Gauntlet,
            ("gauntlet", Some(_)) => return Err(Refusal::input("a gauntlet has no rounds: leave them out")),
            (kind, _) => {
                let message = format!("{kind:?} is no kind of run: expected tournament or gauntlet");
                return Err(Refusal::input(message));
            }
        };
        if !(2..=MOST_AGENTS).contains(&self.agents.len()) {
            let message = format!("{} agents: expected 2 to {MOST_AGENTS}", self.agents.len());
            return Err(Refusal::input(message));
        }
        let config = self.setup.config()?;
        let venue = ::lab::venue(&config);
        let agents = self.agents.iter().map(|text| games::player(text, venue).map(|player| player.spec));
        let agents = agents.collect::<Result<Vec<_>, Refusal>>()?;
        let opening_plies = 2 * config.seats() as u32;
        plan(&Draft { form, agents, config, opening_plies, games: self.games, seed: self.seed })
    }
}

/// What is to be played when a run goes on.
pub(super) fn again(run: &store::Run) -> Result<Plan, Refusal> {
    let draft = run.asked.as_deref().and_then(Draft::parse).ok_or_else(|| {
        Refusal::conflict("this run can only go on where it was begun: repeat the command that began it")
    })?;
    let venue = ::lab::venue(&draft.config);
    for spec in &draft.agents {
        games::player(&spec.to_string(), venue)?;
    }
    let plan = plan(&draft)?;
    if plan.event.id != run.event.id {
        return Err(Refusal::conflict("a level has come to mean another agent since: begin a new run"));
    }
    Ok(plan)
}

/// What is measured plays without falling back; what comes from here starts no program and names no file.
fn plan(draft: &Draft) -> Result<Plan, Refusal> {
    let plan = draft.plan(1, &Models::default()).map_err(Refusal::input)?;
    plan.players.iter().try_for_each(caps::check_measured)?;
    let games = plan.schedule.total();
    if games > MOST_GAMES {
        return Err(Refusal::input(format!("{games} games in all: expected at most {MOST_GAMES}")));
    }
    Ok(plan)
}

/// A run, in the browser or at the command line, now or earlier.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Run {
    /// Its name.
    pub id: String,
    /// `match`, `tournament` or `gauntlet`.
    pub kind: String,
    /// Who plays.
    pub title: String,
    /// On which scale, as in `ringrift/square8/2p`.
    pub scale: String,
    /// `running`, `complete`, `stopped`, `failed`, or `lost` if it ended without a word.
    pub state: &'static str,
    /// When it was begun, the last time.
    pub begun: String,
    /// Games so far.
    pub played: u64,
    /// Games in all.
    pub planned: u64,
    /// Whether it can be stopped here.
    pub can_stop: bool,
    /// Whether it can go on here.
    pub can_resume: bool,
    /// Everybody, in the order of the run.
    pub standings: Vec<Place>,
    /// How the scores went: of all in a tournament, else of the one that is measured.
    pub curves: Vec<Curve>,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// Where somebody stands in a run.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Place {
    /// How it was called when the run was begun.
    pub name: String,
    /// The agent.
    pub spec: String,
    /// How many games it played.
    pub games: u64,
    /// Its score from 0 to 1.
    pub score: Option<f64>,
    /// The lower end of the 95 % interval of the score.
    pub score_low: Option<f64>,
    /// The upper end.
    pub score_high: Option<f64>,
    /// Its rating by these games alone.
    pub elo: Option<f64>,
    /// The lower end of the 95 % interval of the rating.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// Whether its rating is given.
    pub anchor: bool,
}

/// How something went for somebody.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Curve {
    /// Who.
    pub name: String,
    /// After so many games, the score or rating with its interval: `[games, value, low, high]`.
    pub points: Vec<[f64; 4]>,
}

impl Run {
    /// A run as the database knows it. `ours` tells whether it is played by this process.
    pub(super) fn new(run: &store::Run, progress: &Progress, ours: bool) -> Self {
        let labels: Vec<&str> = run.entrants.iter().map(|entrant| entrant.label.as_str()).collect();
        let going = run.state == RunState::Running;
        let all = run.event.kind == "tournament" && labels.len() > 2;
        Self {
            id: id(&run.event),
            kind: run.event.kind.clone(),
            title: title(&run.event.kind, &labels),
            scale: run.event.scale.clone(),
            state: run.state.name(),
            begun: run.begun.clone(),
            played: progress.games(),
            planned: run.planned,
            can_stop: going && ours,
            can_resume: !going && run.played < run.planned && run.asked.is_some(),
            standings: progress.standings().iter().map(Place::from).collect(),
            curves: progress.curves().take(if all { labels.len() } else { 1 }).map(Curve::from).collect(),
            error: run.error.clone(),
        }
    }

    /// A run that has just been begun.
    pub(super) fn begun(plan: &Plan) -> Self {
        let labels: Vec<String> = plan.players.iter().map(|player| player.spec.to_string()).collect();
        let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
        Self {
            id: id(&plan.event),
            kind: plan.event.kind.clone(),
            title: title(&plan.event.kind, &labels),
            scale: plan.event.scale.clone(),
            state: RunState::Running.name(),
            begun: crate::clock::now("Z"),
            played: 0,
            planned: plan.schedule.total(),
            can_stop: true,
            can_resume: false,
            standings: Vec::new(),
            curves: Vec::new(),
            error: None,
        }
    }
}

/// The name of a run in addresses.
pub(super) fn id(event: &store::Event) -> String {
    event.id[..16].to_owned()
}

fn title(kind: &str, labels: &[&str]) -> String {
    match (kind, labels) {
        ("gauntlet", [first, others @ ..]) => format!("{first} against {}", others.join(", ")),
        (_, [a, b]) => format!("{a} – {b}"),
        _ => labels.join(", "),
    }
}

impl From<&Standing> for Place {
    fn from(standing: &Standing) -> Self {
        let &Standing { games, score, rating, anchor, .. } = standing;
        Self {
            name: standing.label.clone(),
            spec: standing.spec.clone(),
            games,
            score: score.map(|point| point.score),
            score_low: score.map(|point| point.interval.low),
            score_high: score.map(|point| point.interval.high),
            elo: rating.map(|rating| rating.elo),
            low: rating.map(|rating| rating.interval.low),
            high: rating.map(|rating| rating.interval.high),
            anchor,
        }
    }
}

impl From<(&str, &[Point])> for Curve {
    fn from((name, points): (&str, &[Point])) -> Self {
        let point =
            |point: &Point| [point.games as f64, point.score, point.interval.low, point.interval.high];
        Self { name: name.to_owned(), points: points.iter().map(point).collect() }
    }
}
