//! Shards are a function of the plan: on any number of threads, after any interruption.

use std::{fs, path::Path};

use ladder::Models;
use record::{Config, GameRecord};
use ringrift::{Board, Rules};
use search::Stop;

use crate::{DataFolder, Options, Plan, Relabelling, Seating, SelfPlayError, Work, run, tags};

fn options() -> Options {
    Options {
        agents: vec![("minimax(nodes=30)".parse().unwrap(), 2), ("heuristic".parse().unwrap(), 1)],
        seating: Seating::Mixed,
        opening: 1..=4,
        candidates: 3,
        seed: 5,
        shard_games: 4,
        ..Options::new(
            Config::ringrift(Board::Square8, Rules { rings: Some(3), ..Rules::new(2) }),
            "heuristic".parse().unwrap(),
        )
    }
}

fn plan(options: Options) -> Plan {
    Plan::new(options, Vec::new(), &Models::default()).unwrap()
}

fn play(plan: &dyn Work, path: &Path, games: u64, threads: usize) -> DataFolder {
    let mut folder = DataFolder::create(path, plan.resolved()).unwrap();
    let finished = run(plan, &mut folder, games, threads, &Stop::default(), &mut |_, _| ()).unwrap();
    assert!(finished.complete);
    folder
}

fn hashes(folder: &DataFolder) -> Vec<String> {
    folder.shards().iter().map(|shard| shard.hash.clone()).collect()
}

#[test]
fn shards_do_not_depend_on_threads_or_interruptions() {
    let (plan, folder) = (plan(options()), tempfile::tempdir().unwrap());
    let whole = play(&plan, &folder.path().join("whole"), 10, 2);
    assert_eq!(whole.shards().iter().map(|shard| shard.games).collect::<Vec<_>>(), [4, 4, 2]);
    let path = folder.path().join("interrupted");
    for games in [1, 3, 4, 6] {
        play(&plan, &path, games, 1);
    }
    // Stopped by the user after a game.
    let (stop, mut pieces) = (Stop::default(), DataFolder::create(&path, &plan.resolved).unwrap());
    let stopped = run(&plan, &mut pieces, 10, 1, &stop, &mut |_, _| stop.raise()).unwrap();
    assert!(!stopped.complete && stopped.resumed == 6 && pieces.games() > 6);
    drop(pieces);
    let pieces = play(&plan, &path, 10, 2);
    assert_eq!(hashes(&pieces), hashes(&whole));
    assert_eq!(pieces.manifest(), whole.manifest());
    let files = fs::read_dir(path.join("shards")).unwrap().count();
    assert_eq!(files, 3, "parts and replaced shards are removed");
    let games: Vec<_> = pieces.shards().iter().flat_map(|shard| pieces.read(shard).unwrap()).collect();
    assert_eq!(games.len(), 10);
    for game in &games {
        game.replay().unwrap();
        assert!(game.result.is_some());
        assert!(game.stats.iter().all(|stats| stats.candidates.len() <= 3));
    }
    assert!(games.iter().any(|game| game.players[0] != game.players[1]), "agents are mixed");
    assert!(games.iter().flat_map(|game| &game.stats).any(|stats| stats.value.len() == 2));
}

#[test]
fn altered_shards_and_other_options_are_refused_by_name() {
    let (plan_a, folder) = (plan(options()), tempfile::tempdir().unwrap());
    let data = play(&plan_a, folder.path(), 4, 1);
    let other = plan(Options { seed: 6, ..options() });
    let error = DataFolder::create(folder.path(), &other.resolved).err().unwrap().to_string();
    assert!(error.contains("seed is 5 there and 6 here"), "{error}");
    // Replace the content of the shard by other valid games.
    let shard = &data.shards()[0];
    let path = folder.path().join("shards").join(format!("{}.jsonl.zst", shard.hash));
    let games = data.read(shard).unwrap();
    record::write_records(&path, &games[1..]).unwrap();
    assert!(matches!(data.read(shard), Err(SelfPlayError::Altered { .. })));
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&path, bytes).unwrap();
    assert!(data.read(shard).is_err());
    assert!(matches!(DataFolder::open(&folder.path().join("none")), Err(SelfPlayError::NotData { .. })));
}

#[test]
fn games_start_from_archived_positions_and_another_agent_labels_them() {
    let folder = tempfile::tempdir().unwrap();
    let data = play(&plan(options()), &folder.path().join("first"), 4, 1);
    let archive = data.read(&data.shards()[0]).unwrap();
    let label = Some("minimax(nodes=100)".parse().unwrap());
    let options = Options { archive_share: 1.0, label, seed: 9, ..options() };
    let plan = Plan::new(options, archive.clone(), &Models::default()).unwrap();
    let second = play(&plan, &folder.path().join("second"), 8, 2);
    let games: Vec<_> = second.shards().iter().flat_map(|shard| second.read(shard).unwrap()).collect();
    for game in &games {
        let parent = archive.iter().find(|parent| parent.id == game.tags["archive"]).unwrap();
        let opening: usize = game.tags["opening"].parse().unwrap();
        assert_eq!(game.moves[..opening], parent.moves[..opening]);
        assert!(game.stats.iter().all(|stats| stats.ply as usize >= opening));
        assert!(game.stats.iter().all(|stats| stats.value.len() == 2), "the labels are values of a search");
    }
    assert!(games.iter().any(|game| game.tags["opening"] != "0"));
}

#[test]
fn contradictory_options_are_refused() {
    let refused =
        |options: Options| Plan::new(options, Vec::new(), &Models::default()).unwrap_err().to_string();
    assert!(refused(Options { agents: Vec::new(), ..options() }).contains("no agent"));
    assert!(refused(Options { archive_share: 0.5, ..options() }).contains("an archive"));
    let swap = Config::ringrift(Board::Square8, Rules { swap: true, ..Rules::new(2) });
    assert!(refused(Options { config: swap, ..options() }).contains("pie rule"));
    assert!(refused(Options { shard_games: 0, ..options() }).contains("0 games"));
}

#[test]
fn relabelled_games_have_the_moves_of_the_old_ones_and_the_values_of_another_agent() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("old");
    let agents = vec![("minimax(nodes=30)".parse().unwrap(), 1)];
    let old = play(&plan(Options { agents, leaves: 1, ..options() }), &path, 6, 1);
    let all = |folder: &DataFolder| -> Vec<_> {
        folder.shards().iter().flat_map(|shard| folder.read(shard).unwrap()).collect()
    };
    let label = "minimax(nodes=300)".parse().unwrap();
    let work = || Relabelling::new(DataFolder::open(&path).unwrap(), &label, &Models::default()).unwrap();
    let new = play(&work(), &folder.path().join("new"), 6, 2);
    for (old, new) in all(&old).iter().zip(all(&new)) {
        assert_eq!((&old.moves, &old.result, old.stats.len()), (&new.moves, &new.result, new.stats.len()));
        assert!(new.stats.iter().all(|stats| stats.value.len() == 2));
        let positions =
            |game: &GameRecord| game.leaves.iter().map(|leaf| leaf.position.clone()).collect::<Vec<_>>();
        assert_eq!(positions(old), positions(&new));
        assert!(old.leaves.iter().zip(&new.leaves).any(|(old, new)| old.value != new.value));
    }
    assert_ne!(hashes(&old), hashes(&new));
    let again = play(&work(), &folder.path().join("again"), 6, 1);
    assert_eq!(hashes(&again), hashes(&new));
}

#[test]
fn leaves_are_positions_of_the_search_with_values_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let agents = vec![("minimax(nodes=60)".parse().unwrap(), 1)];
    let label = Some("minimax(nodes=200)".parse().unwrap());
    let with_leaves =
        || plan(Options { agents: agents.clone(), label: label.clone(), leaves: 2, ..options() });
    let data = play(&with_leaves(), &folder.path().join("a"), 4, 2);
    let games = data.read(&data.shards()[0]).unwrap();
    let leaves: Vec<_> = games.iter().flat_map(|game| &game.leaves).collect();
    let decisions: usize = games.iter().map(|game| game.stats.len()).sum();
    assert!(leaves.len() > decisions && leaves.len() <= 2 * decisions, "{} of {decisions}", leaves.len());
    for leaf in &leaves {
        let position: ringrift::Position<ringrift::Square8> = game::Setup::from_text(&leaf.position).unwrap();
        assert!(!game::Game::is_over(&position));
        assert_eq!(leaf.value.len(), 2);
    }
    assert_eq!(hashes(&play(&with_leaves(), &folder.path().join("b"), 4, 1)), hashes(&data));
    let tree = Options { agents: vec![("mcts(sims=10)".parse().unwrap(), 1)], leaves: 1, ..options() };
    let refused = Plan::new(tree, Vec::new(), &Models::default()).unwrap_err().to_string();
    assert!(refused.contains("leaves of mcts"), "{refused}");
}

#[test]
fn a_part_that_a_killed_run_left_full_is_completed_first() {
    let (plan, folder) = (plan(options()), tempfile::tempdir().unwrap());
    let whole = play(&plan, &folder.path().join("whole"), 10, 1);
    let path = folder.path().join("killed");
    let mut killed = DataFolder::create(&path, plan.resolved()).unwrap();
    let mut part = killed.part(4).unwrap();
    for game in whole.read(&whole.shards()[0]).unwrap() {
        part.push(game).unwrap();
    }
    drop((part, killed));
    assert_eq!(hashes(&play(&plan, &path, 10, 2)), hashes(&whole));
}

/// Options of games in which few decisions are searched in full.
fn capped() -> Options {
    Options {
        cheap: Some("minimax(nodes=5)".parse().unwrap()),
        full_share: 0.3,
        decided: Some(0.05),
        agents: vec![("minimax(nodes=80)".parse().unwrap(), 1)],
        candidates: 4,
        ..options()
    }
}

#[test]
fn few_decisions_are_searched_in_full_and_games_are_marked_when_they_are_decided() {
    let folder = tempfile::tempdir().unwrap();
    let plan_of = || plan(capped());
    let data = play(&plan_of(), &folder.path().join("a"), 24, 2);
    let games: Vec<_> = data.shards().iter().flat_map(|shard| data.read(shard).unwrap()).collect();
    let (mut full, mut all, mut marked) = (0, 0, 0);
    for game in &games {
        assert_eq!(game.tags[tags::POLICY], tags::CANDIDATES);
        let decided = game.tags.get(tags::DECIDED).map(|ply| ply.parse::<u32>().unwrap());
        marked += u32::from(decided.is_some());
        assert_eq!(decided.is_some(), game.tags.contains_key(tags::LEADER));
        for stats in &game.stats {
            let is_full = !stats.candidates.is_empty();
            if decided.is_some_and(|ply| stats.ply >= ply) {
                assert!(!is_full, "the rest of a decided game is searched cheaply");
            } else {
                (full, all) = (full + u32::from(is_full), all + 1);
            }
        }
        if let Some(ply) = decided {
            let leader: usize = game.tags[tags::LEADER].parse().unwrap();
            let last = game.stats.iter().rfind(|stats| stats.ply < ply).unwrap();
            assert!(last.value[leader - 1] > 0.05);
        }
    }
    let share = f64::from(full) / f64::from(all);
    assert!((0.2..0.4).contains(&share), "{full} of {all}");
    assert!(marked > 3, "{marked}");
    assert_eq!(hashes(&play(&plan_of(), &folder.path().join("b"), 24, 1)), hashes(&data));
    let mut folder = DataFolder::create(&folder.path().join("c"), plan_of().resolved()).unwrap();
    let finished = run(&plan_of(), &mut folder, 24, 1, &Stop::default(), &mut |_, _| ()).unwrap();
    assert_eq!(finished.statistics.decided, u64::from(marked));
    assert!(finished.statistics.misjudged < finished.statistics.decided);
}

#[test]
fn interleaved_games_are_those_that_are_played_one_after_another() {
    let folder = tempfile::tempdir().unwrap();
    let with = |interleave| {
        plan(Options {
            agents: vec![("gumbel(sims=12,gumbel_noise=1)".parse().unwrap(), 1)],
            cheap: Some("gumbel(sims=4)".parse().unwrap()),
            full_share: 0.5,
            candidates: 500,
            decided: Some(0.8),
            interleave,
            ..options()
        })
    };
    let alone = play(&with(1), &folder.path().join("alone"), 10, 1);
    for (threads, interleave) in [(1, 4), (2, 3), (1, 32)] {
        let path = folder.path().join(format!("{threads}-{interleave}"));
        let plan = with(interleave);
        let mut data = DataFolder::create(&path, plan.resolved()).unwrap();
        let finished = run(&plan, &mut data, 10, threads, &Stop::default(), &mut |_, _| ()).unwrap();
        assert!(finished.complete);
        assert_eq!(hashes(&data), hashes(&alone), "{threads} {interleave}");
        let statistics = &finished.statistics;
        let fill = statistics.fill().unwrap();
        assert!(statistics.evaluations > statistics.batches && fill <= 1.0, "{statistics:?}");
        assert!(threads * interleave > 4 || fill > 0.7, "{fill}");
    }
    // Stopped in the middle of some games, which are played again later.
    let (path, stop, plan) = (folder.path().join("stopped"), Stop::default(), with(4));
    let mut data = DataFolder::create(&path, plan.resolved()).unwrap();
    let stopped = run(&plan, &mut data, 10, 1, &stop, &mut |_, _| stop.raise()).unwrap();
    assert!(!stopped.complete);
    drop(data);
    assert_eq!(hashes(&play(&plan, &path, 10, 1)), hashes(&alone));
}

#[test]
fn contradictory_budgets_are_refused() {
    let refused =
        |options: Options| Plan::new(options, Vec::new(), &Models::default()).unwrap_err().to_string();
    assert!(refused(Options { candidates: 0, ..capped() }).contains("candidates"));
    assert!(refused(Options { full_share: 1.5, ..capped() }).contains("1.5"));
    assert!(refused(Options { interleave: 8, ..capped() }).contains("share batches"));
    let gumbel = || vec![("gumbel(sims=4)".parse().unwrap(), 1)];
    let label = Some("minimax(nodes=100)".parse().unwrap());
    assert!(refused(Options { agents: gumbel(), interleave: 8, label, ..options() }).contains("labels"));
}
