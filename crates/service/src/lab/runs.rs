//! Runs of events: how clients request them, and how they are shown.

use ::lab::{Draft, Form, Openings, Plan, Point, Progress, Standing};
use arena::store::{self, RunState};
use ladder::Models;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{ApiError, Setup, caps, games};

/// The maximum number of games of a run.
const MAX_GAMES: u64 = 10_000;

/// The maximum number of agents of a run.
const MAX_AGENTS: usize = 16;

/// The description of a new run.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewRun {
    /// `tournament`, in which all agents meet each other, or `gauntlet`, in which the first meets each of the others.
    pub kind: String,
    /// The game and its options.
    pub setup: Setup,
    /// The specs of the agents, each once.
    pub agents: Vec<String>,
    /// The number of games per pairing, rounded up to complete rotations of the seats.
    pub games: u64,
    /// The number of rounds of a Swiss tournament; a round robin if left out.
    #[serde(default)]
    pub rounds: Option<u32>,
    /// How openings are chosen: `balanced`, after which a neutral search considers the seats about even, or `random`.
    #[serde(default = "balanced")]
    pub openings: String,
    /// The seed of openings and agents.
    #[serde(default = "one")]
    pub seed: u64,
}

fn balanced() -> String {
    Openings::Balanced.name().to_owned()
}

fn one() -> u64 {
    1
}

impl NewRun {
    /// Validates the description and plans its games.
    pub(super) fn plan(&self) -> Result<Plan, ApiError> {
        let form = match (self.kind.as_str(), self.rounds) {
            ("tournament", rounds) => Form::Tournament { rounds, tables: None },
            ("gauntlet", None) => Form::Gauntlet,
            ("gauntlet", Some(_)) => {
                return Err(ApiError::input(
                    "a gauntlet has no rounds: leave out rounds, or choose the kind tournament",
                ));
            }
            (kind, _) => {
                let message = format!("{kind:?} is no kind of run: expected tournament or gauntlet");
                return Err(ApiError::input(message));
            }
        };
        if !(2..=MAX_AGENTS).contains(&self.agents.len()) {
            let message = format!("{} agents: expected 2 to {MAX_AGENTS}", self.agents.len());
            return Err(ApiError::input(message));
        }
        let config = self.setup.config_for_agents()?;
        let venue = ::lab::venue(&config);
        let agents = self
            .agents
            .iter()
            .map(|text| games::player(text, venue, &Models::default()).map(|player| player.spec));
        let agents = agents.collect::<Result<Vec<_>, ApiError>>()?;
        let opening_plies = 2 * config.seats() as u32;
        let openings = Openings::from_name(&self.openings).ok_or_else(|| {
            let message = format!("openings {:?}: expected balanced or random", self.openings);
            ApiError::input(message)
        })?;
        plan(&Draft { form, agents, config, opening_plies, openings, games: self.games, seed: self.seed })
    }
}

/// Plans the remaining games of a stored run.
pub(super) fn resumed_plan(run: &store::Run) -> Result<Plan, ApiError> {
    let draft = run.asked.as_deref().and_then(Draft::parse).ok_or_else(|| {
        ApiError::conflict(
            "this run can only be resumed on the command line: repeat the command that started it",
        )
    })?;
    let venue = ::lab::venue(&draft.config);
    for spec in &draft.agents {
        games::player(&spec.to_string(), venue, &Models::default())?;
    }
    let plan = plan(&draft)?;
    if plan.event.id != run.event.id {
        return Err(ApiError::conflict(
            "a level or the openings of this run now mean something else: start a new run",
        ));
    }
    Ok(plan)
}

/// Plans the games of a draft. Rated agents never fall back to another agent, and requests may not name programs or files.
fn plan(draft: &Draft) -> Result<Plan, ApiError> {
    let plan = draft.plan(1, &Models::default()).map_err(ApiError::input)?;
    plan.players.iter().try_for_each(caps::check_measured)?;
    let games = plan.schedule.total();
    if games > MAX_GAMES {
        return Err(ApiError::input(format!("{games} games in total: expected at most {MAX_GAMES}")));
    }
    Ok(plan)
}

/// A run, started from the page or on the command line.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Run {
    /// The id of the run.
    pub id: String,
    /// `match`, `tournament` or `gauntlet`.
    pub kind: String,
    /// A title that names the agents.
    pub title: String,
    /// The rating scale, as in `ringrift/square8/2p`.
    pub scale: String,
    /// `running`, `complete`, `stopped`, `failed`, or `lost` if its process disappeared.
    pub state: &'static str,
    /// When the run last started.
    pub begun: String,
    /// The number of games played.
    pub played: u64,
    /// The number of games planned.
    pub planned: u64,
    /// Whether this service can stop the run.
    pub can_stop: bool,
    /// Whether this service can resume the run.
    pub can_resume: bool,
    /// The agents, in the order of the run.
    pub standings: Vec<StandingView>,
    /// The history of the scores: of all agents in a tournament, otherwise of the first one.
    pub curves: Vec<Curve>,
    /// Why the run failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// The result of an agent in a run so far.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct StandingView {
    /// The name of the agent when the run started.
    pub name: String,
    /// The spec of the agent.
    pub spec: String,
    /// The number of games played.
    pub games: u64,
    /// The score from 0 to 1.
    pub score: Option<f64>,
    /// The lower end of the 95 % interval of the score.
    pub score_low: Option<f64>,
    /// The upper end of the 95 % interval of the score.
    pub score_high: Option<f64>,
    /// The rating computed from these games alone.
    pub elo: Option<f64>,
    /// The lower end of the 95 % interval of the rating.
    pub low: Option<f64>,
    /// The upper end of the 95 % interval of the rating.
    pub high: Option<f64>,
    /// Whether the rating is fixed.
    pub anchor: bool,
}

/// The history of a score or rating.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Curve {
    /// The name of the agent.
    pub name: String,
    /// Points `[games, value, low, high]`: the value with its 95 % interval after so many games.
    pub points: Vec<[f64; 4]>,
}

impl Run {
    /// A stored run. `ours` says whether this process plays it.
    pub(super) fn new(run: &store::Run, progress: &Progress, ours: bool) -> Self {
        let labels: Vec<&str> = run.entrants.iter().map(|entrant| entrant.label.as_str()).collect();
        let running = run.state == RunState::Running;
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
            can_stop: running && ours,
            can_resume: !running && run.played < run.planned && run.asked.is_some(),
            standings: progress.standings().iter().map(StandingView::from).collect(),
            curves: progress.curves().take(if all { labels.len() } else { 1 }).map(Curve::from).collect(),
            error: run.error.clone(),
        }
    }

    /// A run that has just started.
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

/// The id of a run: the beginning of the id of its event.
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

impl From<&Standing> for StandingView {
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn openings_are_balanced_unless_random_ones_are_requested() {
        let plan = |openings: Option<&str>| {
            let mut asked = json!({
                "kind": "gauntlet", "setup": { "game": "go", "size": 5 }, "agents": ["d1", "d2"], "games": 2,
            });
            if let Some(openings) = openings {
                asked["openings"] = json!(openings);
            }
            serde_json::from_value::<NewRun>(asked).unwrap().plan()
        };
        let text = |openings| plan(openings).unwrap().openings();
        assert_eq!(text(None), "balanced openings of 4 decisions");
        assert_eq!(text(Some("balanced")), text(None));
        assert_eq!(text(Some("random")), "random openings of 4 decisions");
        let error = plan(Some("sharp")).err().unwrap();
        assert!(error.to_string().contains("expected balanced or random"), "{error}");
    }
}
