//! The table of commands, and the commands that do not change the game.

use std::{
    fs,
    io::{self, Read},
    path::Path,
    time::Duration,
};

use go::{
    Large, Points, Rules,
    sgf::{GameTree, NodeId},
};

use gtp::{Command, colour, vertex_text};
use ladder::Spec;

use super::{
    Engine,
    analysis::LIVE,
    clock::{Clock, Control},
    player, rule_sets,
};

/// The text of a reply, or of a failure.
pub(super) type Answer = Result<String, String>;

/// The handler of a command.
type Handler = fn(&mut Engine, &[&str]) -> Answer;

/// Every command except the [analysis commands](LIVE) and those whose argument is the [rest of the line](WHOLE_LINE).
pub(super) const NAMES: [&str; 47] = [
    "boardsize",
    "captures",
    "clear_board",
    "clear_cache",
    "cputime",
    "final_score",
    "final_status",
    "final_status_list",
    "fixed_handicap",
    "genmove",
    "get_komi",
    "gg-undo",
    "gogui-analyze_commands",
    "gogui-interrupt",
    "gogui-play_sequence",
    "gogui-rules_board",
    "gogui-rules_board_size",
    "gogui-rules_final_result",
    "gogui-rules_game_id",
    "gogui-rules_legal_moves",
    "gogui-rules_side_to_move",
    "gogui-setup",
    "gogui-setup_player",
    "is_legal",
    "kata-get-rules",
    "kgs-genmove_cleanup",
    "kgs-rules",
    "kgs-time_settings",
    "known_command",
    "komi",
    "list_commands",
    "list_stones",
    "name",
    "place_free_handicap",
    "play",
    "printsgf",
    "protocol_version",
    "query_boardsize",
    "quit",
    "reg_genmove",
    "set_free_handicap",
    "showboard",
    "stop",
    "time_left",
    "time_settings",
    "undo",
    "version",
];

/// A command whose argument is the rest of the line.
type WholeLineCommand = fn(&mut Engine, &str) -> Answer;

/// The commands whose argument is the rest of the line, with any spaces.
const WHOLE_LINE: [(&str, WholeLineCommand); 3] =
    [("kata-set-rules", Engine::set_rules), ("loadsgf", Engine::loadsgf), ("riftlab-agent", Engine::agent)];
/// The version of Leela Zero whose analysis commands these are. Lizzie reads the beginning of the version as a number
/// and expects at least 0.15.
const LEELA_ZERO: &str = "0.17";
/// The maximum size of a record.
const MAX_RECORD: u64 = 4 << 20;

/// All command names, sorted.
pub(super) fn all_names() -> Vec<&'static str> {
    let mut names: Vec<&str> = NAMES.to_vec();
    names.extend(LIVE.map(|(name, _)| name));
    names.extend(WHOLE_LINE.map(|(name, _)| name));
    names.sort_unstable();
    names
}

impl Engine {
    /// Answers a command other than an analysis.
    pub(super) fn answer(&mut self, command: &Command) -> Answer {
        if let Some((_, handler)) = WHOLE_LINE.into_iter().find(|(name, _)| *name == command.name) {
            return handler(self, &command.rest);
        }
        let handler = Self::handler(&command.name).ok_or("unknown command")?;
        handler(self, &command.arguments())
    }

    fn handler(name: &str) -> Option<Handler> {
        Some(match name {
            "boardsize" => Self::boardsize,
            "captures" => Self::captures,
            "clear_board" => Self::clear_board,
            "clear_cache" => |engine, _| {
                engine.game.drop_agents();
                Ok(String::new())
            },
            "cputime" => |engine, _| Ok(format!("{:.3}", cpu_time(engine.thought).as_secs_f64())),
            "final_score" => |engine, _| Ok(engine.final_score()),
            "final_status" => Self::final_status,
            "final_status_list" => Self::final_status_list,
            "fixed_handicap" => Self::fixed_handicap,
            "genmove" => |engine, arguments| engine.genmove(arguments, false),
            "get_komi" => |engine, _| Ok(engine.rules.komi.to_string()),
            "gg-undo" | "undo" => Self::undo,
            "gogui-analyze_commands" => |_, _| Ok(GOGUI_ANALYZE.join("\n")),
            // A program that asks for this command may interrupt others with a comment, which the inbox detects. An analysis
            // ends with any line, so there is nothing left to stop.
            "gogui-interrupt" | "stop" => |_, _| Ok(String::new()),
            "gogui-play_sequence" => Self::play_sequence,
            "gogui-rules_board" => |engine, _| Ok(engine.bare_board()),
            "gogui-rules_board_size" | "query_boardsize" => |engine, _| Ok(engine.rules.size.to_string()),
            "gogui-rules_final_result" => {
                |engine, _| Ok(if engine.go().is_over() { engine.final_score() } else { String::new() })
            }
            "gogui-rules_game_id" => |_, _| Ok("Go".to_owned()),
            "gogui-rules_legal_moves" => |engine, _| Ok(engine.legal_moves()),
            "gogui-rules_side_to_move" => |engine, _| Ok(engine.go().turn().to_string().to_lowercase()),
            "gogui-setup" => Self::setup,
            "gogui-setup_player" => Self::setup_player,
            "is_legal" => Self::is_legal,
            "kata-get-rules" => |engine, _| Ok(rule_sets::to_json(engine.rules).to_string()),
            "kgs-genmove_cleanup" => |engine, arguments| engine.genmove(arguments, true),
            "kgs-rules" => Self::kgs_rules,
            "kgs-time_settings" => Self::kgs_time_settings,
            "known_command" => |_, arguments| {
                Ok(arguments.first().is_some_and(|name| all_names().contains(name)).to_string())
            },
            "komi" => Self::komi,
            "list_commands" => |_, _| Ok(all_names().join("\n")),
            "list_stones" => Self::list_stones,
            "name" => |engine, _| Ok(engine.options.name.clone()),
            "place_free_handicap" => Self::place_free_handicap,
            "play" => Self::play,
            "printsgf" => |engine, _| Ok(engine.go().sgf().write()),
            "protocol_version" => |_, _| Ok("2".to_owned()),
            "quit" => |_, _| Ok(String::new()),
            "reg_genmove" => Self::reg_genmove,
            "set_free_handicap" => Self::set_free_handicap,
            "showboard" => |engine, _| Ok(engine.board_text()),
            "time_left" => Self::time_left,
            "time_settings" => Self::time_settings,
            "version" => {
                |engine, _| Ok(format!("{LEELA_ZERO} ({} {})", engine.options.name, engine.options.version))
            }
            _ => return None,
        })
    }

    /// Returns the current agent, or replaces it within the same game and reports a fallback.
    fn agent(&mut self, specification: &str) -> Answer {
        if specification.is_empty() {
            return Ok(self.spec.to_string());
        }
        let spec: Spec = specification.parse().map_err(|error: ladder::SpecError| error.to_string())?;
        self.player = player(&spec, self.game.as_ref(), &self.models)?;
        self.spec = spec;
        self.take_seats();
        Ok(self.fallback().unwrap_or_default().to_owned())
    }

    fn time_settings(&mut self, arguments: &[&str]) -> Answer {
        let [main, period, stones] = arguments else { return Err(SYNTAX.into()) };
        let (Some(main), Some(period), Ok(stones)) = (seconds(main), seconds(period), stones.parse()) else {
            return Err(SYNTAX.into());
        };
        let control = match (period.is_zero(), stones) {
            (false, 0) => Control::Unlimited,
            (true, _) => Control::Absolute { main },
            (false, _) => Control::Canadian { main, period, stones },
        };
        self.clock = Clock::new(control);
        Ok(String::new())
    }

    fn kgs_time_settings(&mut self, arguments: &[&str]) -> Answer {
        let number = |at: usize| arguments.get(at).and_then(|text| seconds(text)).ok_or(SYNTAX);
        let count = |at: usize| -> Result<u32, &str> {
            arguments.get(at).and_then(|text| text.parse().ok()).filter(|count| *count > 0).ok_or(SYNTAX)
        };
        let control = match arguments.first() {
            Some(&"none") => Control::Unlimited,
            Some(&"absolute") => Control::Absolute { main: number(1)? },
            Some(&"byoyomi") => {
                Control::Japanese { main: number(1)?, period: number(2)?, periods: count(3)? }
            }
            Some(&"canadian") => {
                Control::Canadian { main: number(1)?, period: number(2)?, stones: count(3)? }
            }
            _ => return Err(SYNTAX.into()),
        };
        self.clock = Clock::new(control);
        Ok(String::new())
    }

    fn time_left(&mut self, arguments: &[&str]) -> Answer {
        let [side, time, stones] = arguments else { return Err(SYNTAX.into()) };
        let (Some(side), Some(time), Ok(stones)) = (colour(side), seconds(time), stones.parse()) else {
            return Err(SYNTAX.into());
        };
        self.clock.set_left(side, time, stones);
        Ok(String::new())
    }

    /// Loads a record up to its end, or up to the position before a move of the main line. The name of the file may contain
    /// spaces. Replies with what was repaired.
    fn loadsgf(&mut self, argument: &str) -> Answer {
        let unquoted = argument.trim_matches('"');
        let numbered = unquoted.rsplit_once(' ').and_then(|(file, number)| {
            let number = number.parse::<usize>().ok()?;
            // A name may end in a number, too.
            (!Path::new(unquoted).is_file()).then(|| (file.trim().trim_matches('"'), Some(number)))
        });
        let (file, number) = numbered.unwrap_or((unquoted, None));
        if file.is_empty() {
            return Err(SYNTAX.into());
        }
        let cannot = |reason: String| format!("cannot load file: {reason}");
        let bytes = read_record(Path::new(file)).map_err(|error| cannot(error.to_string()))?;
        let trees = GameTree::read_bytes(&bytes).map_err(|error| cannot(error.to_string()))?;
        let mut tree = trees.into_iter().next().ok_or_else(|| cannot("there is no game in it".to_owned()))?;
        if !tree.names_rules {
            let Rules { size, komi, handicap, .. } = tree.rules;
            tree.rules = Rules { size, komi, handicap, ..self.rules };
        }
        let last = node_before(&tree, number);
        let (_, repairs) = tree.replay::<Large>(last).map_err(|error| cannot(error.to_string()))?;
        let game = host::open_sgf(&tree, last).map_err(|error| cannot(error.to_string()))?;
        self.switch_game(game).map_err(cannot)?;
        self.rules = Rules { handicap: 0, ..tree.rules };
        Ok(tree.repairs.into_iter().chain(repairs).collect::<Vec<_>>().join("\n"))
    }

    /// The board with the colour to move, prisoners and komi.
    fn board_text(&self) -> String {
        let [black, white] = self.go().prisoners();
        format!(
            "\n{}{} to move, komi {}, prisoners: {black} black, {white} white",
            self.go().draw(),
            self.go().turn(),
            self.rules.komi
        )
    }

    /// The board without coordinates.
    fn bare_board(&self) -> String {
        let drawing = self.go().draw();
        let rows = drawing.lines().take(self.rules.size.into());
        let row = |line: &str| line.split_whitespace().skip(1).collect::<Vec<_>>().join(" ");
        rows.map(row).collect::<Vec<_>>().join("\n")
    }

    fn legal_moves(&self) -> String {
        if self.go().is_over() {
            return String::new();
        }
        let mut names: Vec<String> =
            self.go().legal_points().into_iter().map(|point| vertex_text(point.into())).collect();
        names.push("pass".to_owned());
        names.join(" ")
    }
}

pub(super) const SYNTAX: &str = "syntax error";

/// The entries of `GoGui`'s analysis menu: type, label, command.
const GOGUI_ANALYZE: [&str; 5] = [
    "string/Final Score/final_score",
    "plist/Dead Stones/final_status_list dead",
    "plist/Stones in Seki/final_status_list seki",
    "string/Record/printsgf",
    "string/Agent/riftlab-agent %s",
];

/// The processor time of the process.
#[cfg(unix)]
fn cpu_time(_: Duration) -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.try_into().unwrap_or(0), time.tv_nsec.try_into().unwrap_or(0))
}

/// Where the processor time is unknown, the time spent searching.
#[cfg(not(unix))]
fn cpu_time(thought: Duration) -> Duration {
    thought
}

/// Reads a regular file of limited size; other kinds of files may be endless.
fn read_record(path: &Path) -> io::Result<Vec<u8>> {
    let (file, about) = (fs::File::open(path)?, fs::metadata(path)?);
    if !about.is_file() || about.len() > MAX_RECORD {
        let words = format!("not a file of at most {MAX_RECORD} bytes");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, words));
    }
    let mut bytes = Vec::new();
    file.take(MAX_RECORD).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Parses a number of seconds.
fn seconds(text: &str) -> Option<Duration> {
    let number: f64 = text.parse().ok()?;
    (0.0..=1e9).contains(&number).then(|| Duration::from_secs_f64(number))
}

/// The last node of the main line, or the one before move `number`, counted from 1.
fn node_before(tree: &GameTree, number: Option<usize>) -> NodeId {
    let mut moves = 0;
    let reached = |id: &NodeId| {
        moves += usize::from(tree.node(*id).play.is_some());
        number.is_none_or(|number| moves < number.max(1))
    };
    tree.main_line().take_while(reached).last().unwrap_or(tree.root())
}

/// Whether this board size is supported.
pub(super) fn is_size(size: u8) -> bool {
    (Rules::SMALLEST..=Rules::LARGEST).contains(&size) && usize::from(size) <= Large::LARGEST
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_command_is_known_and_the_list_is_in_order() {
        assert!(NAMES.is_sorted());
        for name in NAMES {
            assert!(Engine::handler(name).is_some(), "{name}");
        }
        assert!(Engine::handler("unheard-of").is_none());
        for line in GOGUI_ANALYZE {
            let command = line.split('/').nth(2).unwrap().split(' ').next().unwrap();
            assert!(all_names().contains(&command), "{line}");
        }
    }
}
