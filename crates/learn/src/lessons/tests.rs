use super::{
    judge::{judge, matches},
    *,
};

/// The families of rules that lessons must teach.
const FAMILIES: [&str; 13] = [
    "captures",
    "chains",
    "forced-elimination",
    "go",
    "last-player-standing",
    "lines",
    "markers",
    "movement",
    "placement",
    "recovery",
    "stacks",
    "territory",
    "victory",
];

/// All steps with a goal, with their names for messages.
fn tasks() -> impl Iterator<Item = (String, &'static Step)> {
    let place = |lesson: &'static Lesson| {
        let numbered = lesson.steps.iter().enumerate();
        numbered.map(|(index, step)| (format!("{} step {index}", lesson.name), step))
    };
    all().iter().flat_map(place).filter(|(_, step)| step.goal.is_some())
}

/// All sequences of moves that reach the goal of a step, and the number of wrong moves among the alternatives.
fn solutions(step: &Step) -> (Vec<Vec<String>>, usize) {
    let (mut open, mut done, mut wrong) = (vec![Vec::new()], Vec::new(), 0);
    while let Some(moves) = open.pop() {
        let verdict = judge(step, &moves).unwrap();
        if verdict.done {
            done.push(moves);
            continue;
        }
        for offer in verdict.view.moves {
            let next = [moves.clone(), vec![offer.text]].concat();
            let verdict = judge(step, &next).unwrap();
            if verdict.right {
                open.push(next);
            } else {
                wrong += 1;
            }
        }
    }
    (done, wrong)
}

#[test]
fn every_family_of_rules_is_taught() {
    let mut taught: Vec<&str> =
        all().iter().flat_map(|lesson| &lesson.families).map(String::as_str).collect();
    taught.sort_unstable();
    taught.dedup();
    assert_eq!(taught, FAMILIES);
}

#[test]
fn every_step_starts_with_a_choice_in_a_canonical_position() {
    for lesson in all() {
        assert!(!lesson.title.is_empty() && !lesson.summary.is_empty() && lesson.steps.len() >= 2);
        for (index, step) in lesson.steps.iter().enumerate() {
            let place = format!("{} step {index}", lesson.name);
            let game = host::open_position(&step.start).unwrap_or_else(|error| panic!("{place}: {error}"));
            assert_eq!(game.text(), step.start, "{place}");
            assert_eq!(game.bookkeeping_move(), None, "{place}");
            assert!(game.to_move().is_some(), "{place}");
            assert_eq!(
                step.goal.is_some(),
                !step.accept.is_empty(),
                "{place}: a goal needs moves, and moves a goal"
            );
        }
    }
}

#[test]
fn every_goal_can_be_reached_and_missed_and_every_pattern_is_needed() {
    for (place, step) in tasks() {
        let (done, wrong) = solutions(step);
        assert!(!done.is_empty(), "{place}: nothing reaches the goal");
        assert!(wrong > 0, "{place}: nothing misses the goal");
        assert!(!step.reply.is_empty() && !step.hint.is_empty(), "{place}");
        for (decision, accepted) in step.accept.iter().enumerate() {
            for pattern in accepted {
                let used = done.iter().any(|moves| matches(pattern, &moves[decision]));
                assert!(used, "{place}: {pattern} matches no move of a solution");
            }
        }
    }
}

#[test]
fn marks_lie_on_the_board() {
    for lesson in all() {
        for step in &lesson.steps {
            let config = host::open_position(&step.start).unwrap().config();
            let shape = host::view::Shape::of(&config);
            for mark in &step.marks {
                assert!(shape.cells.iter().any(|cell| cell.at == *mark), "{}: {mark}", lesson.name);
            }
        }
    }
}

#[test]
fn a_wrong_move_leaves_the_position_as_it_was_and_gives_the_hint() {
    let step = named("markers").unwrap().step(0).unwrap();
    let wrong = judge(step, &["b2-c2".to_owned()]).unwrap();
    assert!(!wrong.right && !wrong.done);
    assert_eq!((wrong.view.text.as_str(), &wrong.words), (step.start.as_str(), &step.hint));
    let right = judge(step, &["b2-b6".to_owned()]).unwrap();
    assert!(right.right && right.done);
    assert_eq!(right.words, step.reply);
}

#[test]
fn a_chain_is_correct_only_while_its_goal_is_within_reach() {
    let step = named("chains").unwrap().step(1).unwrap();
    let verdict = |moves: &[&str]| {
        let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
        let verdict = judge(step, &moves).unwrap();
        (verdict.right, verdict.done)
    };
    assert_eq!(verdict(&["a1xc1-d1"]), (false, false), "from d1 nothing more can be taken");
    assert_eq!(verdict(&["a1xc1-e1"]), (true, false));
    assert_eq!(verdict(&["a1xc1-e1", "e1xe3-e4"]), (false, false));
    assert_eq!(verdict(&["a1xc1-e1", "e1xe3-e5", "e5xc5-a5"]), (true, true));
}

#[test]
fn illegal_and_superfluous_moves_are_refused() {
    let step = named("markers").unwrap().step(0).unwrap();
    assert!(judge(step, &["g7-g6".to_owned()]).unwrap_err().to_string().contains("not legal"));
    assert!(judge(step, &vec!["b2-b6".to_owned(); 2]).is_err());
    assert!(named("nothing").is_err() && named("markers").unwrap().step(99).is_err());
}

#[test]
fn a_star_in_a_pattern_matches_anything() {
    for (pattern, text, fit) in [
        ("d4-*", "d4-h4", true),
        ("d4-*", "d4xh4", false),
        ("*xe3-*", "e1xe3-e5", true),
        ("*", "", true),
        ("b7-*1", "b7-b1", true),
        ("b7-*1", "b7-b2", false),
        ("=b2-f2", "=b2-f2:b2-e2", false),
    ] {
        assert_eq!(matches(pattern, text), fit, "{pattern} {text}");
    }
}
