//! Commands that set up or list stones, and change the rules or take back moves.

use go::{Colour, Komi, Move, Point, Rules};
use gtp::{colour, vertex, vertex_text};

use super::{
    Engine,
    commands::{Answer, SYNTAX},
    rule_sets,
};

impl Engine {
    /// Takes back one move, or a number of moves. Nothing changes if there are fewer.
    pub(super) fn undo(&mut self, arguments: &[&str]) -> Answer {
        let number = match arguments {
            [] => 1,
            [number] => number.parse::<usize>().ok().filter(|number| *number > 0).ok_or(SYNTAX)?,
            _ => return Err(SYNTAX.into()),
        };
        if number > self.game.plies().len() {
            return Err("cannot undo".into());
        }
        for _ in 0..number {
            self.game.undo();
        }
        Ok(String::new())
    }

    /// Plays moves of either colour, or none of them if one is illegal.
    pub(super) fn play_sequence(&mut self, arguments: &[&str]) -> Answer {
        if !arguments.len().is_multiple_of(2) {
            return Err(SYNTAX.into());
        }
        let mut copy = self.game.fork();
        let game = copy.as_go_mut().ok_or("not a game of Go")?;
        let moves: Result<Vec<(Colour, Move)>, String> =
            arguments.chunks(2).map(|pair| self.placed(pair)).collect();
        let moves = moves?;
        for &(colour, m) in &moves {
            game.play_as(colour, m).map_err(|_| format!("illegal move {colour} {}", vertex_text(m)))?;
        }
        for (colour, m) in moves {
            self.go_mut().play_as(colour, m).map_err(|illegal| illegal.to_string())?;
        }
        Ok(String::new())
    }

    /// Starts the game from the stones given as colours and points.
    pub(super) fn setup(&mut self, arguments: &[&str]) -> Answer {
        if !arguments.len().is_multiple_of(2) {
            return Err(SYNTAX.into());
        }
        let mut stones: [Vec<Point>; 2] = Default::default();
        for pair in arguments.chunks(2) {
            let (colour, m) = self.placed(pair)?;
            stones[colour.index()].push(m.point().ok_or("invalid color or coordinate")?);
        }
        let [black, white] = stones;
        let set_up = self.go_mut().set_up(&black, &white, Colour::Black);
        set_up.map_err(|error| error.to_string())?;
        self.hopeless = [0; 2];
        Ok(String::new())
    }

    /// Sets the colour to move at the start, for a position that was set up.
    pub(super) fn setup_player(&mut self, arguments: &[&str]) -> Answer {
        let [side] = arguments else { return Err(SYNTAX.into()) };
        let side = colour(side).ok_or("invalid color")?;
        if !self.game.plies().is_empty() {
            return Err("there are moves already".into());
        }
        let [black, white] = Colour::BOTH.map(|colour| self.go().stones(colour));
        self.go_mut().set_up(&black, &white, side).map_err(|error| error.to_string())?;
        Ok(String::new())
    }

    pub(super) fn list_stones(&mut self, arguments: &[&str]) -> Answer {
        let [side] = arguments else { return Err(SYNTAX.into()) };
        let side = colour(side).ok_or("invalid color")?;
        let names: Vec<String> =
            self.go().stones(side).into_iter().map(|point| vertex_text(point.into())).collect();
        Ok(names.join(" "))
    }

    /// The number of stones that a colour has captured.
    pub(super) fn captures(&mut self, arguments: &[&str]) -> Answer {
        let [side] = arguments else { return Err(SYNTAX.into()) };
        let side = colour(side).ok_or("invalid color")?;
        Ok(self.go().prisoners()[side.other().index()].to_string())
    }

    pub(super) fn final_status(&mut self, arguments: &[&str]) -> Answer {
        let [place] = arguments else { return Err(SYNTAX.into()) };
        let point = vertex(place, self.rules.size.into()).and_then(Move::point);
        let point = point.ok_or("invalid coordinate")?;
        let (game, mut estimate) = self.estimating();
        Ok(game.status(point, &mut estimate).to_owned())
    }

    pub(super) fn kgs_rules(&mut self, arguments: &[&str]) -> Answer {
        let [name] = arguments else { return Err(SYNTAX.into()) };
        self.set_rules(name)
    }

    /// Changes the rules, except the komi unless it is given.
    pub(super) fn set_rules(&mut self, text: &str) -> Answer {
        let rules: Rules = rule_sets::parse(text, self.rules)?;
        self.rules = rules;
        self.go_mut().set_rules(rules);
        Ok(String::new())
    }

    /// Sets the komi, which may be written as a decimal fraction.
    pub(super) fn komi(&mut self, arguments: &[&str]) -> Answer {
        let [komi] = arguments else { return Err(SYNTAX.into()) };
        let komi: Komi = komi.parse().map_err(|_| SYNTAX)?;
        self.rules.komi = komi;
        self.go_mut().set_komi(komi);
        Ok(String::new())
    }
}
