//! The encoders over random games on every board, and the evaluator on top of them.

use std::collections::{BTreeMap, BTreeSet};

use game::{Evaluation, Evaluator, Game, Request, Seat, Setup, Symmetry, Wants, pick};
use nn::{PvInput, PvNet, PvPreset, PvTarget};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use ringrift::{
    Bits, Geometry, Hex8, Hexagonal, Kind, Move, PartialRules, Position, RecoveryRule, Rules, Square8,
    Square19, Variant,
};

use super::{
    GoPv, PvEncoder, PvError, PvEvaluator, RingRiftPv, RingRiftSeedPv,
    ringrift_policy::{PolicyPlanes, place},
};

fn generator(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// The options of a game: two to four seats, with and without the pie rule, and both rules of recovery and variants.
fn rules(game: u64) -> Rules {
    let seats = 2 + (game % 3) as u8;
    PartialRules {
        seats: Some(seats),
        swap: Some(seats == 2 && game.is_multiple_of(2)),
        recovery: Some(if game % 4 < 2 { RecoveryRule::Reference } else { RecoveryRule::Text }),
        variant: Some(if game % 5 == 4 { Variant::Base } else { Variant::Hex8Line3 }),
        ..PartialRules::NONE
    }
    .resolve()
}

/// Calls `look` with the unfinished positions of random games and their legal moves, and `end` with the last ones.
fn walk<G: Game>(
    games: std::ops::Range<u64>,
    config: impl Fn(u64) -> G::Config,
    mut look: impl FnMut(&G, &[G::Move]),
    mut end: impl FnMut(&G),
) {
    let mut moves = Vec::new();
    for game in games {
        let mut rng = generator(game);
        let mut position = G::new(&config(game));
        while !position.is_over() {
            position.legal_moves(&mut moves);
            look(&position, &moves);
            position.play_unchecked(moves[pick(&mut rng, moves.len())], &mut ());
        }
        end(&position);
    }
}

/// The terms of a move in a fixed order, with exact weights.
fn terms(input: &PvInput<f32>, index: usize) -> Vec<(u32, u32)> {
    let mut terms: Vec<(u32, u32)> =
        input.terms(index).iter().map(|&(score, weight)| (score, weight.to_bits())).collect();
    terms.sort_unstable();
    terms
}

/// Checks that all scores exist, and that moves with the same terms have the same effect.
fn check_moves<G: Game, E: PvEncoder<G>>(position: &G, moves: &[G::Move], input: &mut PvInput<f32>) {
    E::encode(position, moves, input);
    assert_eq!(input.moves(), moves.len());
    let layout = E::layout();
    let cells = input.planes.len() / layout.planes;
    let mut known: BTreeMap<Vec<(u32, u32)>, G> = BTreeMap::new();
    for (index, &m) in moves.iter().enumerate() {
        let terms = terms(input, index);
        assert!(!terms.is_empty());
        let scores = cells * layout.policy_planes + layout.policy_pooled;
        assert!(terms.iter().all(|&(score, _)| (score as usize) < scores), "{m:?}: {terms:?}");
        assert!(terms.windows(2).all(|pair| pair[0].0 < pair[1].0), "{m:?} names a score twice: {terms:?}");
        let mut next = position.clone();
        next.play_unchecked(m, &mut ());
        if let Some(other) = known.get(&terms) {
            assert_eq!(*other, next, "{m:?} shares its logit with a move of another effect in {position:?}");
        } else {
            known.insert(terms, next);
        }
    }
}

/// What occurred in games on all boards.
#[derive(Default)]
struct Seen {
    kinds: BTreeSet<Kind>,
    planes: BTreeSet<usize>,
    globals: BTreeMap<usize, BTreeSet<u32>>,
}

fn check_position<B: Geometry>(position: &Position<B>, moves: &[Move], seen: &mut Seen) {
    let (mut input, mut other) = (PvInput::default(), PvInput::default());
    check_moves::<_, RingRiftPv<B>>(position, moves, &mut input);
    seen.kinds.extend(moves.iter().map(|m| m.kind()));
    let count = RingRiftPv::<B>::layout().planes;
    let grid = RingRiftPv::<B>::grid(position.rules());
    for (cell, planes) in input.planes.chunks_exact(count).enumerate() {
        assert!(grid.on_board()[cell] || planes.iter().all(|&value| value.to_bits() == 0));
        assert!(planes.iter().all(|value| (0.0..=7.0).contains(value)), "{planes:?}");
        seen.planes.extend((0..count).filter(|&plane| planes[plane] > 0.0));
    }
    assert!(input.globals.iter().all(|value| (0.0..=4.0).contains(value)), "{:?}", input.globals);
    for (index, value) in input.globals.iter().enumerate() {
        seen.globals.entry(index).or_default().insert(value.to_bits());
    }
    RingRiftSeedPv::<B>::encode(position, moves, &mut other);
    let moves = |input: &PvInput<f32>| (0..input.moves()).map(|m| terms(input, m)).collect::<Vec<_>>();
    assert_eq!(moves(&input), moves(&other), "both encoders have the same policy");
}

fn check_board<B: Geometry>(games: std::ops::Range<u64>, seen: &mut Seen) {
    let mut target = PvTarget::default();
    let grid = RingRiftPv::<B>::grid(&Rules::new(2));
    assert_eq!(grid.area(), B::ON_BOARD.count() as usize);
    walk::<Position<B>>(
        games,
        rules,
        |position, moves| check_position(position, moves, seen),
        |last| {
            RingRiftPv::<B>::encode_end(last, Seat::new(1), &mut target);
            assert_eq!((target.owner.len(), target.margin.len()), (grid.cells(), last.seats()));
            for seat in Seat::all(last.seats()) {
                let turns = (seat.index() + last.seats() - 1) % last.seats();
                let owned = target.owner.iter().filter(|&&owner| usize::from(owner) == turns).count();
                assert_eq!(owned, last.territory(seat) as usize);
            }
        },
    );
}

/// Positions that random games hardly ever reach: recoveries by line, by window, and with a region to claim.
const RARE: [&str; 4] = [
    "square8 2 1:movement hands=0,5 credits=0,0 cells=a1*1,b1*1,c1*1,d2*1,e1*1,f1*1,f6:12,h8:2",
    "square8 2 1:movement hands=0,5 credits=0,0 cells=a1:2,a2*1,c2*1,e5:112,f6:12",
    "square8 2 1:movement hands=0,5 credits=0,0 cells=a3*1,b3*1,b4*1,c1*1,c2*1,c4*1,c5*1,d3*1,e3*1,h8:12",
    "square8 2 1:movement hands=0,5 credits=0,0 cells=a1*1,b1*1,c1*1,d1*1,e2*1,f6:12 recovery=text",
];

#[test]
fn moves_share_a_logit_only_if_their_effect_is_the_same() {
    let mut seen = Seen::default();
    check_board::<Square8>(0..60, &mut seen);
    check_board::<Hex8>(0..60, &mut seen);
    check_board::<Square19>(0..6, &mut seen);
    check_board::<Hexagonal>(0..3, &mut seen);
    let mut moves = Vec::new();
    for (text, seed) in RARE.iter().flat_map(|text| (0..20).map(move |seed| (text, seed))) {
        let (mut position, mut rng) = (Position::<Square8>::from_text(text).unwrap(), generator(seed));
        for _ in 0..6 {
            position.legal_moves(&mut moves);
            if moves.is_empty() {
                break;
            }
            check_position(&position, &moves, &mut seen);
            position.play_unchecked(moves[pick(&mut rng, moves.len())], &mut ());
        }
    }
    assert_eq!(seen.kinds.len(), 25, "every kind of move occurs: {:?}", seen.kinds);
    assert_eq!(seen.planes.len(), RingRiftPv::<Square8>::layout().planes, "{:?}", seen.planes);
    // The first two seats always play, and the first has rings left.
    let constant: Vec<usize> =
        seen.globals.iter().filter(|(_, values)| values.len() == 1).map(|(&index, _)| index).collect();
    assert!(constant.len() <= 3, "globals that never change: {constant:?}");
}

fn check_symmetry<B: Geometry>(games: std::ops::Range<u64>) {
    let planes = PolicyPlanes::new(B::AXES);
    let count = RingRiftPv::<B>::layout().planes;
    let (mut input, mut turned, mut compared) = (PvInput::default(), PvInput::default(), 0);
    walk::<Position<B>>(
        games,
        rules,
        |position, moves| {
            if (position.key() >> 32) % 7 != 0 {
                return;
            }
            RingRiftPv::<B>::encode(position, moves, &mut input);
            for symmetry in 1..position.symmetries() {
                let image = position.transformed(symmetry);
                let mut images = Vec::new();
                image.legal_moves(&mut images);
                let cell_image = |cell| Position::<B>::image(cell, symmetry);
                // Where each direction goes: found from some pair of neighbours.
                let directions: Vec<usize> = B::directions()
                    .map(|direction| {
                        let pair =
                            B::ON_BOARD.cells().find_map(|cell| Some((cell, B::neighbour(cell, direction)?)));
                        let (from, to) = pair.unwrap();
                        let leads = |&other: &ringrift::Direction| {
                            B::neighbour(cell_image(from), other) == Some(cell_image(to))
                        };
                        B::directions().position(|other| leads(&other)).unwrap()
                    })
                    .collect();
                RingRiftPv::<B>::encode(&image, &images, &mut turned);
                assert_eq!(input.globals, turned.globals);
                let mut places = vec![0; B::SIZE * B::SIZE];
                for cell in B::ON_BOARD.cells() {
                    let (from, to) = (place::<B>(cell), place::<B>(cell_image(cell)));
                    places[from] = to;
                    assert_eq!(input.planes[from * count..][..count], turned.planes[to * count..][..count]);
                }
                for (index, &m) in moves.iter().enumerate() {
                    let there = position.transformed_move(m, symmetry);
                    let there = images.iter().position(|&other| other == there).expect("its image is legal");
                    let mut expected: Vec<(u32, u32)> = (input.terms(index).iter())
                        .map(|&(score, weight)| {
                            let (cell, plane) =
                                (score as usize / planes.count, score as usize % planes.count);
                            let score = if cell < places.len() {
                                places[cell] * planes.count + planes.image(plane, &directions)
                            } else {
                                score as usize
                            };
                            (score as u32, weight.to_bits())
                        })
                        .collect();
                    expected.sort_unstable();
                    assert_eq!(expected, terms(&turned, there), "{m:?} in {position:?}");
                    compared += 1;
                }
            }
        },
        |_| {},
    );
    assert!(compared > 1_000, "{compared}");
}

#[test]
fn symmetries_permute_planes_and_scores_together() {
    check_symmetry::<Square8>(0..12);
    check_symmetry::<Hex8>(0..12);
    check_symmetry::<Square19>(0..1);
    check_symmetry::<Hexagonal>(0..1);
}

#[test]
fn families_share_their_encoder_and_others_do_not() {
    let ids = [
        RingRiftPv::<Square8>::id(),
        RingRiftPv::<Square19>::id(),
        RingRiftPv::<Hex8>::id(),
        RingRiftPv::<Hexagonal>::id(),
        RingRiftSeedPv::<Square8>::id(),
        RingRiftSeedPv::<Hex8>::id(),
        <GoPv as PvEncoder<go::Position>>::id(),
    ];
    assert_eq!((&ids[0], &ids[2]), (&ids[1], &ids[3]));
    assert_eq!(RingRiftPv::<Square8>::layout(), RingRiftPv::<Square19>::layout());
    assert_eq!(RingRiftPv::<Hex8>::layout(), RingRiftPv::<Hexagonal>::layout());
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), 5);
}

/// Uniformly random play fills its own eyes; a limit on moves keeps it short.
fn walk_go(size: u8, game: u64, mut look: impl FnMut(&go::Position, &[go::Move])) {
    let config = match game % 3 {
        0 => go::Rules::new(size),
        1 => go::Rules::tromp_taylor(size),
        _ => go::Rules::japanese(size),
    };
    let (mut rng, mut moves) = (generator(game), Vec::new());
    let mut position = go::Position::new(&config);
    for _ in 0..3 * usize::from(size) * usize::from(size) {
        if position.is_over() {
            break;
        }
        position.legal_moves(&mut moves);
        look(&position, &moves);
        // A pass only when there is nothing else.
        let choice = if moves.len() > 1 { pick(&mut rng, moves.len() - 1) } else { 0 };
        position.play_unchecked(moves[choice], &mut ());
    }
}

#[test]
fn go_is_encoded_from_the_movers_side_and_symmetries_permute_it() {
    let (mut input, mut turned, mut target) = (PvInput::default(), PvInput::default(), PvTarget::default());
    let layout = <GoPv as PvEncoder<go::Position>>::layout();
    let mut seen = vec![0; layout.planes];
    for (size, games) in [(5, 12), (9, 3), (13, 1), (19, 1)] {
        for game in 0..games {
            walk_go(size, game, |position, moves| {
                check_moves::<_, GoPv>(position, moves, &mut input);
                let (board, own) = (position.board(), position.turn());
                for point in go::Points::iter(board.points()) {
                    let at = super::go::place(point, size.into());
                    let planes = &input.planes[at * layout.planes..][..layout.planes];
                    let stone = |plane: usize| planes[plane] > 0.0;
                    assert_eq!(stone(1), board.colour(point) == Some(own));
                    assert_eq!(stone(2), board.colour(point) == Some(own.other()));
                    assert_eq!(stone(11), moves.contains(&go::Move::at(point)));
                    seen.iter_mut()
                        .zip(planes)
                        .for_each(|(count, value)| *count += usize::from(*value > 0.0));
                }
                if position.moves_played() % 29 != 5 {
                    return;
                }
                GoPv::encode_end(position, own.seat(), &mut target);
                assert!((target.margin[0] + target.margin[1]).abs() < 1e-6);
                for symmetry in 1..go::SYMMETRIES {
                    let image = position.transformed(symmetry);
                    let mut images = Vec::new();
                    image.legal_moves(&mut images);
                    GoPv::encode(&image, &images, &mut turned);
                    assert_eq!(input.globals, turned.globals);
                    for (index, &m) in moves.iter().enumerate() {
                        let there = position.transformed_move(m, symmetry);
                        let there = images.iter().position(|&other| other == there).unwrap();
                        let Some(point) = m.point() else {
                            assert_eq!(terms(&input, index), terms(&turned, there));
                            continue;
                        };
                        let from = super::go::place(point, size.into());
                        let to = super::go::place(go::image(point, size.into(), symmetry), size.into());
                        assert_eq!(terms(&turned, there)[0].0, to as u32);
                        let of = |input: &PvInput<f32>, at: usize| {
                            input.planes[at * layout.planes..][..layout.planes].to_vec()
                        };
                        assert_eq!(of(&input, from), of(&turned, to));
                    }
                }
            });
        }
    }
    assert!(seen.iter().all(|&count| count > 0), "planes never used: {seen:?}");
}

fn tiny<G: Game, E: PvEncoder<G>>() -> PvNet<f32> {
    PvNet::random(&PvPreset::Tiny.shape(E::layout()), &mut generator(1))
}

#[test]
fn answers_are_absolute_values_and_do_not_depend_on_the_batch_or_on_what_is_asked() {
    let mut asked = Vec::new();
    walk::<Position<Hex8>>(
        0..6,
        rules,
        |position, moves| {
            if position.key() % 11 == 0 {
                asked.push((*position, moves.to_vec()));
            }
        },
        |_| {},
    );
    let mut evaluator = PvEvaluator::<Position<Hex8>, RingRiftPv<Hex8>>::new(
        tiny::<_, RingRiftPv<Hex8>>(),
        &Rules::new(2),
        7,
    )
    .unwrap()
    .with_uncertainty();
    let requests: Vec<Request<'_, Position<Hex8>>> = asked
        .iter()
        .enumerate()
        .map(|(index, (position, moves))| Request {
            position,
            moves: if index % 3 == 2 { &[] } else { moves },
            wants: Wants::Values,
        })
        .collect();
    let mut together = vec![Evaluation::default(); requests.len()];
    evaluator.evaluate(&requests, &mut together);
    for (request, expected) in requests.iter().zip(&together) {
        let mut alone = [Evaluation::default()];
        evaluator.evaluate(std::slice::from_ref(request), &mut alone);
        assert_eq!(alone[0], *expected);
        assert_eq!(expected.logits.len(), request.moves.len());
        let seats = request.position.seats();
        let shares: f32 = expected.values.0[..seats].iter().map(|value| (1.0 + value) / 2.0).sum();
        assert!((shares - 1.0).abs() < 1e-5, "{:?}", expected.values);
        assert!(expected.extras[0].1[0] > 0.0);
        // Without the moves, the values are the same.
        let mut other = [Evaluation::default()];
        evaluator.evaluate(&[Request { moves: &[], ..*request }], &mut other);
        assert_eq!(other[0].values, expected.values);
        let mut policy = [Evaluation::default()];
        evaluator.evaluate(&[Request { wants: Wants::Policy, ..*request }], &mut policy);
        assert_eq!(policy[0].logits, expected.logits);
    }
    assert!(together.len() > 40, "{}", together.len());
    assert_eq!(Evaluator::<Position<Hex8>>::identity(&evaluator), Some(7));
}

#[test]
fn nets_of_other_encoders_are_refused_and_those_of_a_family_play_on_both_sizes() {
    type Small = PvEvaluator<Position<Square8>, RingRiftPv<Square8>>;
    type Large = PvEvaluator<Position<Square19>, RingRiftPv<Square19>>;
    let net = tiny::<_, RingRiftPv<Square8>>();
    let bytes = |id: &str| net.to_file(id, BTreeMap::new()).to_bytes();
    let own = bytes(&RingRiftPv::<Square8>::id());
    let rules = Rules::new(2);
    assert!(Small::from_bytes(&own, &rules).is_ok());
    let mut large = Large::from_bytes(&own, &rules).unwrap();
    let position = Position::<Square19>::new(&rules);
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let mut answers = [Evaluation::default()];
    large.evaluate(&[Request { position: &position, moves: &moves, wants: Wants::Values }], &mut answers);
    assert_eq!(answers[0].logits.len(), 3 * 361);
    let hex = PvEvaluator::<Position<Hex8>, RingRiftPv<Hex8>>::from_bytes(&own, &rules);
    assert!(matches!(hex, Err(PvError::Encoder { .. })));
    let other = Small::from_bytes(&bytes("ringrift-square-pv0"), &rules);
    assert!(matches!(other, Err(PvError::Encoder { .. })));
    let go = PvEvaluator::<go::Position, GoPv>::new(net, &go::Rules::new(9), 1);
    assert!(matches!(go, Err(PvError::Encoder { .. })));
}
