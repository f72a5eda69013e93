//! Agents that play Go by a pair of plain networks.

use std::{collections::BTreeMap, fs};

use eval::OmegaNets;
use game::{Evaluation, Evaluator, Game, Request, Wants};
use go::{Position, Rules, Small};
use nn::PlanePreset;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use search::Stop;
use tempfile::TempDir;

use super::SQUARE8;
use crate::{Models, Player, Venue, WithoutNet};

/// A folder like that of a run, with two generations.
fn run_folder() -> (TempDir, Models) {
    let folder = tempfile::tempdir().unwrap();
    for generation in 0..2 {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(generation);
        let nets = OmegaNets::random(PlanePreset::Seed, PlanePreset::Seed, 1, &mut rng);
        let path = folder.path().join(format!("generation-{generation:03}.safetensors"));
        fs::write(path, nets.to_file(BTreeMap::new()).to_bytes()).unwrap();
    }
    let models = Models::in_folder(folder.path());
    (folder, models)
}

const GO5: Venue = Venue::Go { size: 5 };

fn player(spec: &str, models: &Models) -> Player {
    Player::with_models(&spec.parse().unwrap(), GO5, WithoutNet::Refuse, models).unwrap()
}

fn best(spec: &str, models: &Models, seed: u64) -> go::Move {
    let player = player(spec, models);
    let position = Position::<Small>::new(&Rules::new(5));
    player.agent(seed).think(&position, &player.limits(), &Stop::default()).best
}

#[test]
fn a_folder_stands_for_its_newest_generation() {
    let (folder, models) = run_folder();
    let path = folder.path().display();
    let named = player(&format!("omega(net={path}/generation-001.safetensors)"), &models);
    assert_eq!(player(&format!("omega(net={path})"), &models).net, named.net);
    assert_eq!(
        named.by_content().resolved(),
        player("omega(net=generation-001)", &models).by_content().resolved()
    );
}

#[test]
fn names_from_other_people_stay_within_the_folder() {
    let (folder, _) = run_folder();
    let outside = tempfile::tempdir().unwrap();
    let generation = "generation-001.safetensors";
    fs::copy(folder.path().join(generation), outside.path().join(generation)).unwrap();
    let parent = folder.path().parent().unwrap();
    let name = folder.path().file_name().unwrap().to_str().unwrap();
    let models = Models::within_folder(parent);
    let newest = models.get(name, GO5).unwrap();
    assert_eq!(newest.hash, models.get(&format!("{name}/{generation}"), GO5).unwrap().hash);
    let older = models.get(&format!("{name}/generation-000.safetensors"), GO5).unwrap();
    assert_ne!(older.hash, newest.hash);
    let confined = Models::within_folder(folder.path());
    for path in [outside.path().join(generation), folder.path().join("../x").join(generation)] {
        let error = confined.get(path.to_str().unwrap(), GO5).unwrap_err().to_string();
        assert!(error.contains("cannot be used here"), "{error}");
    }
    assert!(confined.get(&format!("../{name}/{generation}"), GO5).is_err());
}

#[test]
fn moves_come_from_the_policy_or_from_the_values_of_boards() {
    let (_folder, models) = run_folder();
    let position = Position::<Small>::new(&Rules::new(5));
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let mut evaluator = models.get("generation-001", GO5).unwrap().omega(5).unwrap();
    let mut answers = [Evaluation::default()];
    evaluator.evaluate(&[Request { position: &position, moves: &moves, wants: Wants::Policy }], &mut answers);
    let likely =
        (0..moves.len()).max_by(|&a, &b| answers[0].logits[a].total_cmp(&answers[0].logits[b])).unwrap();
    assert_eq!(best("omega(net=generation-001)", &models, 1), moves[likely]);
    let value = |m: go::Move| {
        let mut after = position.clone();
        after.play_unchecked(m, &mut ());
        let mut evaluator = evaluator.clone();
        game::StaticEvaluator::values(&mut evaluator, &after).of(position.to_move())
    };
    let best_board = best("omega(net=generation-001,mode=value)", &models, 1);
    assert!(moves.iter().all(|&m| value(m) <= value(best_board)));
    for mode in ["policy", "value"] {
        let spec = format!("omega(net=generation-001,mode={mode},choice=proportional)");
        let drawn: Vec<_> = (0..12).map(|seed| best(&spec, &models, seed)).collect();
        assert!(drawn.iter().any(|m| *m != drawn[0]), "{mode}: {drawn:?}");
    }
}

#[test]
fn every_search_plays_with_it() {
    let (_folder, models) = run_folder();
    for spec in [
        "policy(net=generation-000)",
        "heuristic(net=generation-000)",
        "minimax(net=generation-000,nodes=200)",
        "descent(net=generation-000,nodes=60)",
        "mcts(net=generation-000,sims=60,batch=8)",
        "gumbel(net=generation-000,sims=40)",
    ] {
        let player = player(spec, &models);
        let position = Position::<Small>::new(&Rules::new(5));
        let report = player.agent(1).think(&position, &player.limits(), &Stop::default());
        assert!(position.is_legal(report.best), "{spec}");
        assert!(player.net.as_ref().is_some_and(|net| net.is_omega()), "{spec}");
    }
}

#[test]
fn it_plays_go_only_and_needs_a_net() {
    let (_folder, models) = run_folder();
    let refused = |spec: &str, venue| {
        Player::with_models(&spec.parse().unwrap(), venue, WithoutNet::Refuse, &models)
            .unwrap_err()
            .to_string()
    };
    assert!(refused("omega(net=generation-000)", SQUARE8).contains("omega"));
    assert!(refused("omega", SQUARE8).contains("no net of kind omega is shipped"));
    assert!(refused("omega(net=nnue-square8)", GO5).contains("policy"));
    for spec in ["omega(mode=descent)", "omega(choice=best)", "omega(sims=3)"] {
        assert!(spec.parse::<crate::Spec>().is_err(), "{spec}");
    }
}
