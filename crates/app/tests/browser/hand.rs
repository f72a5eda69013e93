//! Plays moves by clicks on the cells, buttons and menu entries that select them.

use serde_json::{Value, json};

use crate::harness::Browser;

/// A legal move as the service lists it.
#[derive(Clone, Debug)]
pub(crate) struct Offer {
    pub(crate) text: String,
    pub(crate) kind: String,
    /// The set of cells for each click.
    steps: Vec<Vec<String>>,
}

impl Offer {
    fn read(value: &Value) -> Self {
        let text = |name: &str| value[name].as_str().expect(name).to_owned();
        let steps = serde_json::from_value(value["steps"].clone()).expect("sets of cells");
        Self { text: text("text"), kind: text("kind"), steps }
    }

    /// Whether clicks on `cells`, in this order, are consistent with the move.
    fn agrees(&self, cells: &[String]) -> bool {
        cells.len() <= self.steps.len()
            && cells.iter().zip(&self.steps).all(|(cell, step)| step.contains(cell))
    }
}

/// The legal moves of a game.
pub(crate) fn offers(game: &Value) -> Vec<Offer> {
    game["view"]["moves"].as_array().expect("moves").iter().map(Offer::read).collect()
}

/// The cell that all moves start with, if any, which the page selects by itself when there is more to click.
fn given(offers: &[Offer]) -> Option<String> {
    let on_cells: Vec<&Offer> = offers.iter().filter(|offer| !offer.steps.is_empty()).collect();
    let first = on_cells.first()?.steps[0].first()?;
    let same = |offer: &&Offer| offer.steps.len() > 1 && offer.steps[0] == [first.clone()];
    on_cells.iter().all(same).then(|| first.clone())
}

impl Browser {
    /// Waits until the page shows the current state of the game, and it is a person's turn or the game is over.
    pub(crate) fn my_turn(&self, id: &str) -> Value {
        loop {
            let game = self.server.game(id);
            let turn = game["view"]["to_move"].as_u64();
            let seat = turn.map(|seat| &game["seats"][seat as usize - 1]);
            if game["status"] == "playing" && seat.is_some_and(|seat| seat["who"] == "agent") {
                let next = game["ply"].as_u64().expect("a ply") + 1;
                self.until_with(
                    "document.body.dataset.ply >= args[0] || document.body.dataset.status !== 'playing'",
                    &[json!(next)],
                );
                continue;
            }
            let shown = "document.body.dataset.ply === String(args[0]) && document.body.dataset.status === args[1] \
                         && !document.body.dataset.busy";
            self.until_with(shown, &[game["ply"].clone(), game["status"].clone()]);
            return game;
        }
    }

    /// Plays a move with the pointer: by its cells or its button, and by the menu if the cells are ambiguous.
    pub(crate) fn make(&self, game: &Value, text: &str) {
        let offers = offers(game);
        let offer = offers.iter().find(|offer| offer.text == text);
        let offer = offer.unwrap_or_else(|| panic!("{text} is not legal in {}", game["view"]["text"]));
        if offer.steps.is_empty() {
            self.click(&format!("[data-test=\"move-buttons\"] [data-move=\"{text}\"]"));
            return;
        }
        let mut cells: Vec<String> = given(&offers).into_iter().collect();
        for step in &offer.steps[cells.len()..] {
            // Of several cells, click the one that leaves the fewest other moves.
            let after = |cell: &String| [&cells[..], std::slice::from_ref(cell)].concat();
            let others = |cell: &&String| offers.iter().filter(|other| other.agrees(&after(cell))).count();
            let cell = step.iter().min_by_key(others).expect("a step has cells").clone();
            self.cell(&cell);
            cells.push(cell);
        }
        if offers.iter().filter(|other| other.agrees(&cells)).count() > 1 {
            self.click(&format!("[data-test=\"chooser\"]:not([hidden]) [data-move=\"{text}\"]"));
        }
    }

    /// Plays a move and waits until it is a person's turn again or the game is over.
    pub(crate) fn play(&self, id: &str, text: &str) -> Value {
        let game = self.my_turn(id);
        self.make(&game, text);
        self.until_with("document.body.dataset.ply > args[0]", &[game["ply"].clone()]);
        self.my_turn(id)
    }
}

/// Chooses random legal moves for a person, preferring rare kinds of decisions.
pub(crate) struct Whim {
    state: u64,
}

impl Whim {
    pub(crate) fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        // A linear congruential generator with Knuth's multiplier; its upper bits are random enough to choose moves.
        self.state =
            self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) as usize % end
    }

    pub(crate) fn choose(&mut self, offers: &[Offer]) -> Offer {
        let rare = |offer: &&Offer| {
            let plain = ["place_ring", "move_stack", "swap_sides"].contains(&offer.kind.as_str());
            !plain && !offer.kind.starts_with("skip")
        };
        let rare: Vec<&Offer> = offers.iter().filter(rare).collect();
        if rare.is_empty() {
            offers[self.below(offers.len())].clone()
        } else {
            rare[self.below(rare.len())].clone()
        }
    }
}
