//! Which nets are found, and which are refused.

use std::{collections::BTreeMap, fs};

use eval::{FeatureSet, Features, HybridFeatures, PvGame, RingRiftSeedPv, SeedFeatures};
use game::{Evaluation, Evaluator, Game, Request, Wants};
use nn::{Activation, Nnue, NnueShape, PvLayout, PvNet, PvPreset};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use ringrift::{Board, Geometry, Hex8, Position, Square8, Square19};

use super::*;

const SQUARE8: Venue = Venue::RingRift { board: Board::Square8, seats: 2 };

/// The file of a small random net for a board.
pub(crate) fn small_net<B: Geometry>(seed: u64) -> Vec<u8> {
    let shape = NnueShape {
        features: Features::<B>::count(),
        hidden: 16,
        activation: Activation::SquaredClippedRelu,
        layers: Vec::new(),
        buckets: 4,
        scalars: 0,
    };
    let mut net = Nnue::<f32>::random(&shape, 400, &mut Xoshiro256PlusPlus::seed_from_u64(seed));
    net.input.weights.iter_mut().for_each(|weight| *weight *= 0.3);
    net.to_file(&Features::<B>::id(), BTreeMap::new()).to_bytes()
}

/// The file of a small random net that reads the components of the heuristic too.
pub(crate) fn hybrid_net<B: Geometry>(seed: u64) -> Vec<u8> {
    let (features, activation) = (HybridFeatures::<B>::count(), Activation::SquaredClippedRelu);
    let scalars = HybridFeatures::<B>::scalars();
    let shape = NnueShape { features, hidden: 16, activation, layers: Vec::new(), buckets: 4, scalars };
    let mut net = Nnue::<f32>::random(&shape, 400, &mut Xoshiro256PlusPlus::seed_from_u64(seed));
    net.input.weights.iter_mut().for_each(|weight| *weight *= 0.3);
    net.to_file(&HybridFeatures::<B>::id(), BTreeMap::new()).to_bytes()
}

/// The file of a small random twelve-plane net for a board.
pub(crate) fn twelve_plane_net<B: Geometry>(seed: u64) -> Vec<u8> {
    let (features, activation) = (SeedFeatures::<B>::count(), Activation::ClippedRelu);
    let shape = NnueShape { features, hidden: 8, activation, layers: vec![4, 4], buckets: 1, scalars: 0 };
    let net = Nnue::<f32>::random(&shape, 20, &mut Xoshiro256PlusPlus::seed_from_u64(seed));
    net.to_file(&SeedFeatures::<B>::id(), BTreeMap::new()).to_bytes()
}

/// The file of a random policy and value net.
fn pv_file(encoder: &str, layout: PvLayout, preset: PvPreset, seed: u64) -> Vec<u8> {
    let net = PvNet::<f32>::random(&preset.shape(layout), &mut Xoshiro256PlusPlus::seed_from_u64(seed));
    net.to_file(encoder, BTreeMap::new()).to_bytes()
}

/// The file of a random policy and value net of some size for a game.
pub(crate) fn pv_net_of<G: PvGame>(preset: PvPreset, seed: u64) -> Vec<u8> {
    pv_file(&G::Encoder::id(), G::Encoder::layout(), preset, seed)
}

/// The file of a tiny random policy and value net for a board and its larger or smaller relative.
pub(crate) fn pv_net<B: Geometry>(seed: u64) -> Vec<u8> {
    pv_net_of::<Position<B>>(PvPreset::Tiny, seed)
}

/// The same for Go.
pub(crate) fn go_pv_net(seed: u64) -> Vec<u8> {
    pv_net_of::<go::Position<Medium>>(PvPreset::Tiny, seed)
}

/// The same with the twelve-plane encoder.
pub(crate) fn twelve_plane_pv_net<B: Geometry>(seed: u64) -> Vec<u8> {
    pv_file(&RingRiftSeedPv::<B>::id(), RingRiftSeedPv::<B>::layout(), PvPreset::Tiny, seed)
}

#[test]
fn a_hybrid_net_is_an_nnue_of_its_board_and_keeps_its_values_when_it_is_rounded() {
    let model = Model::parse("mine", None, hybrid_net::<Hex8>(1)).unwrap();
    assert_eq!(model.board().unwrap(), Board::Hex8);
    let error = model.quantisation(3, 1).unwrap().unwrap();
    assert!(error.positions > 100 && error.largest_error < 0.1, "{error:?}");
    let rounded = Model::parse("rounded", None, model.to_half().unwrap()).unwrap();
    assert!(rounded.quantisation(3, 1).unwrap().unwrap().largest_error < 1e-3);
    let wrong = model.nnue::<Square8>().unwrap_err().to_string();
    assert!(wrong.contains("mine@") && wrong.contains("ringrift-square8-nnue1"), "{wrong}");
    assert!(model.to_onnx().unwrap().len() > 10_000);
}

#[test]
fn a_policy_and_value_net_is_prepared_once_per_board_and_refused_elsewhere() {
    let model = Model::parse("mine", None, pv_net::<Square8>(1)).unwrap();
    assert!(model.is_pv() && !model.is_seed());
    let rules = ringrift::Rules::new(2);
    let square8 = || model.pv::<Position<Square8>, RingRiftPv<Square8>>(&rules).unwrap();
    let square19 = model.pv::<Position<Square19>, RingRiftPv<Square19>>(&rules).unwrap();
    assert!(Arc::ptr_eq(square8().kernels(), square8().kernels()));
    assert_ne!(square8().kernels().grid(), square19.kernels().grid());
    let wrong = model.pv::<Position<Hex8>, RingRiftPv<Hex8>>(&rules).unwrap_err().to_string();
    assert!(wrong.contains("mine@") && wrong.contains("ringrift-hex-pv1"), "{wrong}");
    let wrong = model.pv::<go::Position<Medium>, GoPv>(&go::Rules::new(9)).unwrap_err().to_string();
    assert!(wrong.contains("mine@") && wrong.contains("go-pv1"), "{wrong}");
    assert!(matches!(model.nnue::<Square8>(), Err(ModelError::Mismatch { field: "kind", .. })));
    // The encoder's name with the sizes of another one.
    let layout = <GoPv as PvEncoder<go::Position<Medium>>>::layout();
    let bytes = pv_file(&RingRiftPv::<Square8>::id(), layout, PvPreset::Tiny, 1);
    let wrong = Model::parse("sizes", None, bytes).unwrap();
    let error = wrong.pv::<Position<Square8>, RingRiftPv<Square8>>(&rules).unwrap_err();
    assert!(matches!(error, ModelError::Mismatch { field: "layout", .. }), "{error}");
    assert!(error.to_string().contains("sizes@"), "{error}");
}

#[test]
fn policy_and_value_nets_are_tried_out_exported_and_not_rounded() {
    for bytes in [pv_net::<Square8>(1), pv_net::<Hex8>(1), twelve_plane_pv_net::<Hex8>(1), go_pv_net(1)] {
        let model = Model::parse("mine", None, bytes).unwrap();
        assert!(model.try_out(3, 1).unwrap() > Some(100), "{model:?}");
        assert!(model.to_onnx().unwrap().len() > 10_000);
        assert!(model.to_half().unwrap_err().to_string().contains("floating point"));
        assert!(model.tensors().unwrap().iter().any(|tensor| tensor.name == "policy.planes.weight"));
    }
    assert_eq!(Model::parse("nnue", None, small_net::<Square8>(1)).unwrap().try_out(1, 1).unwrap(), None);
    let mut file = nn::ModelFile::from_bytes(&pv_net::<Square8>(1)).unwrap();
    file.header.encoder = "chess-pv1".to_owned();
    let error = Model::parse("mine", None, file.to_bytes()).unwrap().try_out(1, 1).unwrap_err().to_string();
    assert!(error.contains("chess-pv1") && error.contains("go-pv1"), "{error}");
}

#[test]
fn an_answer_of_a_policy_and_value_net_does_not_depend_on_its_batch() {
    let model = Model::parse("mine", None, pv_net::<Hex8>(1)).unwrap();
    let mut evaluator = model.pv::<Position<Hex8>, RingRiftPv<Hex8>>(&ringrift::Rules::new(3)).unwrap();
    let (mut rng, mut moves) = (Xoshiro256PlusPlus::seed_from_u64(9), Vec::new());
    let mut position = Position::<Hex8>::new(&ringrift::Rules::new(3));
    let mut all = Vec::new();
    while !position.is_over() {
        position.legal_moves(&mut moves);
        all.push((position, moves.clone()));
        position.play_unchecked(moves[game::pick(&mut rng, moves.len())], &mut ());
    }
    let request = |(position, moves)| Request { position, moves, wants: Wants::Values };
    let requests: Vec<_> = all.iter().map(|(position, moves)| request((position, moves))).collect();
    let mut together: Vec<Evaluation<_>> = requests.iter().map(|_| Evaluation::default()).collect();
    evaluator.evaluate(&requests, &mut together);
    for (one, expected) in requests.iter().zip(&together) {
        let mut alone = [Evaluation::default()];
        evaluator.evaluate(&[*one], &mut alone);
        assert_eq!(alone[0], *expected);
    }
}

#[test]
fn a_net_is_found_by_name_path_and_hash_loaded_once_and_known_by_its_content() {
    let folder = tempfile::tempdir().unwrap();
    let models = Models::in_folder(folder.path());
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    write("small.safetensors", &small_net::<Square8>(1));
    write("copy.safetensors", &small_net::<Square8>(1));
    write("other.safetensors", &small_net::<Square8>(2));
    write("notes.txt", b"not looked at");
    let get = |name: &str| models.get(name, SQUARE8);
    let small = get("small").unwrap();
    assert_eq!(small.hash, nn::ModelFile::hash(&small_net::<Square8>(1)));
    let path = folder.path().join("small.safetensors");
    assert!(Arc::ptr_eq(&small, &get(path.to_str().unwrap()).unwrap()), "shared, not read again");
    assert_eq!(get("copy").unwrap().hash, small.hash, "the same net under another name");
    let other = get("other").unwrap();
    assert_ne!(other.hash, small.hash);
    assert!(Arc::ptr_eq(&get(&other.hash).unwrap(), &other));
    assert!(Arc::ptr_eq(&get(&other.hash[..9].to_uppercase()).unwrap(), &other));
    assert!(Arc::ptr_eq(&get(&small.id()).unwrap(), &small), "{}", small.id());
    let own: Vec<String> =
        models.own().unwrap().iter().map(|net| net.as_ref().unwrap().name.clone()).collect();
    assert_eq!(own, ["copy", "other", "small"]);
}

#[test]
fn a_net_of_another_content_board_or_kind_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let models = Models::in_folder(folder.path());
    let file = folder.path().join("mine.safetensors");
    let mut bytes = small_net::<Square8>(1);
    fs::write(&file, &bytes).unwrap();
    let mine = models.get("mine", SQUARE8).unwrap();
    let wrong = mine.nnue::<Hex8>().unwrap_err().to_string();
    assert!(wrong.contains("mine@") && wrong.contains("encoder") && wrong.contains("hex8"), "{wrong}");
    assert!(matches!(mine.check("pv", ""), Err(ModelError::Mismatch { field: "kind", .. })));
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&file, &bytes).unwrap();
    let error = Models::in_folder(folder.path()).get("mine", SQUARE8).unwrap_err().to_string();
    assert!(error.contains("mine.safetensors") && error.contains("damaged"), "{error}");
    fs::write(&file, small_net::<Square8>(2)).unwrap();
    let altered = Models::in_folder(folder.path());
    let error = altered.get(&mine.id(), SQUARE8).unwrap_err();
    assert!(matches!(error, ModelError::Altered { .. }) && error.to_string().contains("mine"), "{error}");
    let error = altered.get(&mine.hash, SQUARE8).unwrap_err();
    assert!(matches!(error, ModelError::Missing { .. }), "{error}");
}

#[test]
fn nets_are_inspected_and_small_integers_lose_little() {
    let model = Model::parse("mine", None, small_net::<Hex8>(1)).unwrap();
    assert_eq!(model.board().unwrap(), Board::Hex8);
    let tensors = model.tensors().unwrap();
    let biases = tensors.iter().find(|tensor| tensor.name == "input.bias").unwrap();
    assert_eq!((biases.count, biases.not_finite), (16, 0));
    let Quantisation { reach, positions, mean_error, largest_error } =
        model.quantisation(6, 1).unwrap().unwrap();
    assert!((1..=Quantisation::LIMIT).contains(&reach) && positions > 300, "{reach} {positions}");
    assert!(
        0.0 < mean_error && mean_error <= largest_error && largest_error < 0.05,
        "{mean_error} {largest_error}"
    );
    assert!(model.to_onnx().unwrap().len() > 4 * Features::<Hex8>::count() * 16);
    let mut file = nn::ModelFile::from_bytes(&small_net::<Hex8>(1)).unwrap();
    file.header.encoder = "chess-1".to_owned();
    let foreign = Model::parse("foreign", None, file.to_bytes()).unwrap();
    let error = foreign.board().unwrap_err().to_string();
    assert!(error.contains("chess-1") && error.contains("ringrift-hex8"), "{error}");
}

#[test]
fn shipped_nets_are_asked_for_by_kind() {
    let models = Models::default();
    for venue in Venue::all() {
        for kind in KINDS {
            match models.get(kind, venue) {
                Ok(model) => assert_eq!((model.header.kind.as_str(), &model.path), (of_files(kind), &None)),
                Err(error) => {
                    assert!(matches!(error, ModelError::NotShipped { .. }), "{error}");
                    let text = error.to_string();
                    assert!(
                        text.contains(&format!("kind {kind}")) && text.contains(&venue.to_string()),
                        "{text}"
                    );
                }
            }
        }
    }
    assert!(matches!(models.get("models/x", SQUARE8), Err(ModelError::Missing { .. })), "reads no files");
}

#[test]
fn missing_and_invalid_model_files_are_refused_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let models = Models::in_folder(folder.path());
    for name in ["nothing", "0123456789", "some/file", "file.safetensors"] {
        let error = models.get(name, SQUARE8).unwrap_err();
        assert!(matches!(error, ModelError::Missing { .. }) && error.to_string().contains(name), "{error}");
    }
    fs::create_dir(folder.path().join("folder.safetensors")).unwrap();
    assert!(matches!(models.get("folder", SQUARE8), Err(ModelError::Unreadable { .. })));
    let whole = small_net::<Square8>(1);
    for bytes in [&b"short"[..], &[0xff; 64], &whole[..whole.len() - 1], &whole[..500]] {
        fs::write(folder.path().join("bad.safetensors"), bytes).unwrap();
        let error = models.get("bad", SQUARE8).unwrap_err().to_string();
        assert!(error.contains("bad.safetensors") && error.contains("not a model file"), "{error}");
    }
    let mut file = nn::ModelFile::from_bytes(&whole).unwrap();
    file.tensors.remove("input.bias");
    fs::write(folder.path().join("incomplete.safetensors"), file.to_bytes()).unwrap();
    let error = models.get("incomplete", SQUARE8).unwrap().nnue::<Square8>().unwrap_err().to_string();
    assert!(error.contains("incomplete@") && error.contains("input.bias"), "{error}");
    let mut file = nn::ModelFile::from_bytes(&whole).unwrap();
    file.tensors.get_mut("input.bias").unwrap().1[3] = f32::NAN;
    fs::write(folder.path().join("nan.safetensors"), file.to_bytes()).unwrap();
    let error = models.get("nan", SQUARE8).unwrap().nnue::<Square8>().unwrap_err().to_string();
    assert!(error.contains("nan@") && error.contains("NaN"), "{error}");
}

#[test]
fn a_twelve_plane_net_is_played_in_floating_point_on_its_board_only() {
    let model = Model::parse("planes", None, twelve_plane_net::<Square8>(1)).unwrap();
    assert!(model.is_seed() && model.board().unwrap() == Board::Square8);
    assert_eq!(model.quantisation(1, 1).unwrap(), None);
    let [first, second] = [(); 2].map(|()| model.seed::<Square8>().unwrap());
    assert!(Arc::ptr_eq(first.net(), second.net()), "evaluators share the weights");
    let error = model.seed::<Hex8>().unwrap_err().to_string();
    assert!(error.contains("ringrift-square8-seed12") && error.contains("ringrift-hex8-seed12"), "{error}");
    assert!(matches!(model.nnue::<Square8>(), Err(ModelError::Mismatch { field: "encoder", .. })));
    assert!(!Model::parse("small", None, small_net::<Square8>(1)).unwrap().is_seed());
}

#[test]
fn a_net_in_half_precision_is_smaller_and_plays_the_same() {
    let bytes = small_net::<Square8>(3);
    let net = Model::parse("small", None, bytes.clone()).unwrap();
    let half = net.to_half().unwrap();
    assert!(half.len() < bytes.len() * 6 / 10, "{} of {} bytes", half.len(), bytes.len());
    let read = Model::parse("half", None, half.clone()).unwrap();
    assert_eq!(read.nnue::<Square8>().unwrap().net(), net.nnue::<Square8>().unwrap().net());
    assert_eq!(read.to_half().unwrap(), half, "nothing is left to round");
    let deep = Model::parse("deep", None, twelve_plane_net::<Square8>(1)).unwrap();
    assert!(deep.to_half().is_err(), "played in floating point");
}
