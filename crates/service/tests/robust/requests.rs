//! Generates invalid requests from a seed.

use rand_xoshiro::{
    Xoshiro256PlusPlus,
    rand_core::{Rng, SeedableRng},
};
use serde_json::{Value, json};

/// A request, and whether the service may close the connection without a response, as for endless bodies or bytes that are
/// not HTTP.
pub(crate) struct Request {
    pub(crate) bytes: Vec<u8>,
    pub(crate) may_close: bool,
    /// Whether the request may be valid by chance.
    pub(crate) may_succeed: bool,
}

/// Generates invalid requests about the game with this id, in which a person is to move.
pub(crate) struct Maker {
    random: Xoshiro256PlusPlus,
    game: String,
}

/// Routes that take a body, each with a valid one. `{}` is the id of a game.
const BODIES: [(&str, &str); 18] = [
    (
        "/api/games",
        r#"{"setup":{"game":"ringrift","board":"square8","players":2},"seats":["human","d1"],"moves":[]}"#,
    ),
    ("/api/games", r#"{"setup":{"game":"go","size":9,"komi":7.5,"handicap":0},"seats":["human","human"]}"#),
    ("/api/games/{}/moves", r#"{"move":"+a1","ply":0}"#),
    ("/api/games/{}/control", r#"{"paused":true,"delay_ms":3,"step":false}"#),
    ("/api/games/{}/dead", r#"{"at":"a1"}"#),
    ("/api/games/{}/resign", r#"{"seat":1}"#),
    ("/api/games/{}/undo", "{}"),
    ("/api/games/{}/stop", "{}"),
    ("/api/games/{}/accept", "{}"),
    ("/api/view", r#"{"setup":{"game":"ringrift"},"moves":["+a1"]}"#),
    ("/api/open", r#"{"text":"go5"}"#),
    ("/api/analyse", r#"{"setup":{"game":"ringrift"},"agent":"d1","nodes":10,"seed":1,"top":3}"#),
    ("/api/review", r#"{"setup":{"game":"go","size":5},"moves":["A1"],"agent":"d1","nodes":10}"#),
    ("/api/threats", r#"{"setup":{"game":"ringrift","board":"square8","players":2},"moves":["+d4"]}"#),
    ("/api/loss", r#"{"setup":{"game":"ringrift","board":"square8","players":2},"moves":["+d4"],"seat":1}"#),
    (
        "/api/lab/runs",
        r#"{"kind":"tournament","setup":{"game":"go","size":5},"agents":["d1","d2"],"games":2,"openings":"random","seed":1}"#,
    ),
    ("/api/lab/runs/{}/stop", "{}"),
    ("/api/lab/runs/{}/resume", "{}"),
];

/// Fields whose value is replaced by invalid ones.
const FIELDS: [(&str, &[&str]); 17] = [
    (
        "setup",
        &[
            "\"go\"",
            "[]",
            "7",
            "{}",
            "{\"game\":\"chess\"}",
            "{\"game\":\"ringrift\",\"board\":\"square9\"}",
            "{\"game\":\"ringrift\",\"players\":255}",
            "{\"game\":\"ringrift\",\"players\":-1}",
            "{\"game\":\"go\",\"size\":0}",
            "{\"game\":\"go\",\"size\":1e9}",
            "{\"game\":\"go\",\"komi\":1e300}",
            "{\"game\":\"go\",\"komi\":0.3}",
            "{\"game\":\"go\",\"handicap\":200}",
            "{\"game\":\"go\",\"ko\":\"never\"}",
            "{\"game\":\"go\",\"extra\":1}",
        ],
    ),
    (
        "seats",
        &[
            "null",
            "\"human\"",
            "[]",
            "[\"human\"]",
            "[1,2]",
            "[\"human\",\"gtp(\\\"id\\\")\"]",
            "[\"human\",\"d11\"]",
            "[\"human\",\"d0\"]",
            "[\"human\",\"mcts(sims=-1)\"]",
            "[\"human\",\"mcts(net=/etc/passwd)\"]",
            "[\"human\",\"\"]",
            "[\"human\",\"d3(((((\"]",
            "[\"human\",\"human\",\"human\",\"human\",\"human\"]",
        ],
    ),
    (
        "moves",
        &[
            "null",
            "\"+a1\"",
            "{}",
            "[1]",
            "[null]",
            "[\"zz99\"]",
            "[[\"+a1\"]]",
            "[\"+a1\",\"+a1\",\"\\u0000\"]",
        ],
    ),
    (
        "move",
        &["null", "1", "[]", "\"\"", "\"zz99\"", "\"a1-a1\"", "\"\\ud83d\\ude00\"", "\"++++a1\"", "\"+i9\""],
    ),
    ("ply", &["-1", "1.5", "\"0\"", "[]", "99999999999999999999", "41"]),
    ("paused", &["1", "\"true\"", "[]", "{}"]),
    ("delay_ms", &["-1", "0.5", "\"0\"", "1e99"]),
    ("step", &["null", "1", "\"yes\""]),
    ("at", &["null", "1", "\"\"", "\"z0\"", "[\"a1\"]"]),
    ("seat", &["-1", "\"1\"", "9", "0", "1.0e400", "[1]"]),
    (
        "text",
        &[
            "null",
            "1",
            "\"\"",
            "\"(;\"",
            "\"{\"",
            "\"{}\"",
            "\"square8\"",
            "\"go99 x\"",
            "\"square8 2 1:movement cells=a1:9\"",
            "\"(;GM[1]SZ[999])\"",
            "\"(;GM[1]FF[4]SZ[9];B[zz])\"",
            "\"[[[[\"",
        ],
    ),
    (
        "agent",
        &[
            "1",
            "[]",
            "\"\"",
            "\"d99\"",
            "\"gtp(\\\"rm\\\")\"",
            "\"mcts(sims=99999999999999999999)\"",
            "\"random(\"",
        ],
    ),
    ("nodes", &["-1", "\"10\"", "0.5", "1e99", "[]"]),
    ("seed", &["-1", "\"1\"", "0.5", "null"]),
    ("kind", &["null", "1", "\"match\"", "\"\"", "[\"gauntlet\"]"]),
    (
        "agents",
        &[
            "null",
            "\"d1\"",
            "[]",
            "[\"d1\"]",
            "[1,2]",
            "[\"d1\",\"d1\"]",
            "[\"d1\",\"gtp(\\\"id\\\")\"]",
            "[\"d1\",\"minimax(megabytes=60000)\"]",
            "[\"d1\",\"descent(nodes=99999999999)\"]",
        ],
    ),
    ("games", &["-1", "0", "\"2\"", "1000000000", "0.5", "1e99", "[]"]),
];

/// Unknown paths, and attempts at path traversal.
const PATHS: [&str; 34] = [
    "/assets/../Cargo.toml",
    "/assets/%2e%2e/Cargo.toml",
    "/assets/..%2fCargo.toml",
    "/assets/%2e%2e%2f%2e%2e%2fetc%2fpasswd",
    "/assets/....//....//etc/passwd",
    "/assets//etc/passwd",
    "/assets/%00",
    "/assets/main.js%00.png",
    "/assets/main.js/",
    "/assets/.git/config",
    "/assets/style/../main.js",
    "/assets/%ff%fe.js",
    "/assets/%zz.js",
    "/assets/%2e/main.js",
    "/api/games/..",
    "/api/games/%2e%2e",
    "/api/games/%2e%2e%2fgames.db",
    "/api/games/..%2f..%2fetc%2fpasswd/record",
    "/api/games/'%20OR%201=1--",
    "/api/games/%f0%9f%98%80",
    "/api/games/nosuchgame",
    "/api/games/nosuchgame/events",
    "/api/shape?game=chess",
    "/api/shape?game=go&size=99",
    "/api/shape?game=go&size=-1",
    "/api/games?limit=-1",
    "/api/games?limit=x",
    "/api/agents?game=ringrift&board=../../x",
    "/api/lab/games/..%2f..%2fetc%2fpasswd-1",
    "/api/lab/games/nosuchevent-0",
    "/api/lab/games?offset=-1",
    "/api/lab/ratings?venue=../../x",
    "/nowhere",
    "/etc/passwd",
];

/// A valid position text, to be corrupted.
const POSITION: &str = "square8 2 1:territory_processing hands=0,0 credits=0,0 cells=a1:12,a3*1,b3*1,c1*1,c2*1,c3*1,f1:2,h1:1,h8:11 acted";

impl Maker {
    pub(crate) fn new(seed: u64, game: &str) -> Self {
        Self { random: Xoshiro256PlusPlus::seed_from_u64(seed), game: game.to_owned() }
    }

    fn below(&mut self, end: usize) -> usize {
        (self.random.next_u64() >> 33) as usize % end
    }

    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    fn route(&mut self) -> (String, &'static str) {
        let (path, body) = self.of(&BODIES);
        (path.replace("{}", &self.game), body)
    }

    fn noise(&mut self, length: usize) -> Vec<u8> {
        (0..length).map(|_| self.random.next_u64() as u8).collect()
    }

    /// The next invalid request.
    pub(crate) fn next(&mut self) -> Request {
        match self.below(20) {
            0..6 => self.wrong_value(),
            6 => self.cut_body(),
            7 => self.noisy_body(),
            8 => self.deep_body(),
            9 => self.long_body(),
            10 => self.endless_body(),
            11 | 12 => self.wrong_path(),
            13 => self.wrong_method(),
            14 => self.wrong_kind(),
            15 => self.wrong_header(),
            16 => self.cut_request(),
            17 => self.no_http(),
            18 => self.foreign(),
            _ => self.damaged_position(),
        }
    }

    /// A field with a value of the wrong type or without meaning.
    fn wrong_value(&mut self) -> Request {
        loop {
            let (path, body) = self.route();
            let mut object: Value = serde_json::from_str(body).expect("bodies above are JSON");
            let (field, values) = self.of(&FIELDS);
            if object.get(field).is_none() {
                continue;
            }
            // Numbers beyond any machine type are inserted as text.
            object[field] = json!("PLACE");
            let text = object.to_string().replace("\"PLACE\"", self.of(values));
            return good(post(&path, "application/json", text.as_bytes()));
        }
    }

    fn cut_body(&mut self) -> Request {
        let (path, body) = self.route();
        let end = self.below(body.len());
        good(post(&path, "application/json", &body.as_bytes()[..end]))
    }

    fn noisy_body(&mut self) -> Request {
        let (path, body) = self.route();
        let mut body = body.as_bytes().to_vec();
        // Include a byte that is never valid UTF-8.
        let (place, length) = (self.below(body.len()), 1 + self.below(64));
        let noise = self.noise(length);
        body.splice(place..place, noise.into_iter().chain([0xff]));
        good(post(&path, "application/json", &body))
    }

    fn deep_body(&mut self) -> Request {
        let (path, _) = self.route();
        let depth = 200 + self.below(100_000);
        let open = self.of(&["[", "{\"setup\":", "{\"a\":["]);
        good(post(&path, "application/json", open.repeat(depth / open.len()).as_bytes()))
    }

    /// A list of a hundred thousand entries where few are expected.
    fn long_body(&mut self) -> Request {
        let list = format!("[{}\"x\"]", self.of(&["0,", "\"+a1\",", "null,", "{},"]).repeat(100_000));
        let setup = r#"{"game":"ringrift"}"#;
        let (path, body) = match self.below(3) {
            0 => ("/api/games", format!("{{\"setup\":{setup},\"seats\":{list}}}")),
            1 => ("/api/view", format!("{{\"setup\":{setup},\"moves\":{list}}}")),
            _ => ("/api/analyse", format!("{{\"setup\":{setup},\"moves\":{list}}}")),
        };
        good(post(path, "application/json", body.as_bytes()))
    }

    /// A body beyond the size limit. A client that keeps sending after the response may miss it.
    fn endless_body(&mut self) -> Request {
        let (path, _) = self.route();
        let body = vec![b' '; (1 << 20) + 1 + self.below(1 << 18)];
        let mut request = post(&path, "application/json", &body);
        if self.below(2) == 0 {
            let claimed = b"Content-Length: 99999999999\r\n";
            let head =
                format!("POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n");
            request = [head.as_bytes(), claimed, b"\r\n", &body[..4096]].concat();
        }
        Request { may_close: true, ..good(request) }
    }

    fn wrong_path(&mut self) -> Request {
        let path = match self.below(12) {
            0 => format!("/api/games/{}", "x".repeat(1 + self.below(20_000))),
            1 => format!("/assets/{}main.js", "../".repeat(1 + self.below(50))),
            2 => format!("/{}", "a/".repeat(1 + self.below(500))),
            _ => self.of(&PATHS).to_owned(),
        };
        // A path with such characters is not HTTP.
        Request { may_close: path.len() > 8_000, ..good(get(&path)) }
    }

    fn wrong_method(&mut self) -> Request {
        let method = self.of(&["DELETE", "PUT", "PATCH", "TRACE", "BREW", "OPTIONS"]);
        let path =
            self.of(&["/api/games", "/api/view", "/health", "/api/shape", "/api/openapi.json", "/nowhere"]);
        good(format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").into_bytes())
    }

    fn wrong_kind(&mut self) -> Request {
        let (path, body) = self.route();
        let kind = self.of(&[
            "text/plain",
            "application/x-www-form-urlencoded",
            "multipart/form-data",
            "",
            "application/xml",
        ]);
        good(post(&path, kind, body.as_bytes()))
    }

    fn wrong_header(&mut self) -> Request {
        let bad: &[u8] = match self.below(8) {
            0 => b"Content-Length: -1\r\n",
            1 => b"Content-Length: 5\r\nContent-Length: 6\r\n",
            2 => b"Content-Length: x\r\n",
            3 => b"Transfer-Encoding: gzip, nonsense\r\n",
            4 => b"Bad Header\r\n",
            5 => b"X: \x00\x01\x02\r\n",
            6 => b": empty\r\n",
            _ => b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
        };
        let head = b"POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
        let mut request = [&head[..], bad, b"\r\n{}"].concat();
        if self.below(4) == 0 {
            let many: String = (0..2_000).map(|index| format!("X-{index}: {index}\r\n")).collect();
            request = [&head[..], many.as_bytes(), b"\r\n"].concat();
        }
        Request { may_close: true, ..good(request) }
    }

    /// A truncated request.
    fn cut_request(&mut self) -> Request {
        let (path, body) = self.route();
        let request = post(&path, "application/json", body.as_bytes());
        let end = 1 + self.below(request.len() - 1);
        Request { may_close: true, ..good(request[..end].to_vec()) }
    }

    fn no_http(&mut self) -> Request {
        let length = 1 + self.below(2_000);
        let bytes = match self.below(4) {
            0 => self.noise(length),
            1 => b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".to_vec(),
            2 => b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec(),
            _ => format!("GET / HTTP/{}.9\r\n\r\n", self.below(100)).into_bytes(),
        };
        Request { may_close: true, ..good(bytes) }
    }

    /// A request from another site, or to an unknown host name.
    fn foreign(&mut self) -> Request {
        let (path, body) = self.route();
        let line = self.of(&[
            "Origin: http://evil.example",
            "Origin: null",
            "Sec-Fetch-Site: cross-site",
            "Host: evil.example",
        ]);
        let host = if line.starts_with("Host") { "" } else { "Host: localhost\r\n" };
        let length = body.len();
        good(
            format!(
                "POST {path} HTTP/1.1\r\n{host}{line}\r\nContent-Type: application/json\r\n\
                 Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
            )
            .into_bytes(),
        )
    }

    /// A position text with a few characters changed, which is sometimes still valid.
    fn damaged_position(&mut self) -> Request {
        let mut text = POSITION.as_bytes().to_vec();
        for _ in 0..=self.below(4) {
            let place = self.below(text.len());
            let byte = self.of(b"0123456789:,=*#abchz -/squarehx");
            match self.below(3) {
                0 => text[place] = byte,
                1 => text.insert(place, byte),
                _ => drop(text.remove(place)),
            }
        }
        let text = String::from_utf8(text).expect("plain letters");
        let body = match self.below(2) {
            0 => json!({ "start": text, "moves": [] }),
            _ => json!({ "start": text, "moves": ["#a1@1"] }),
        };
        Request {
            may_succeed: true,
            ..good(post("/api/view", "application/json", body.to_string().as_bytes()))
        }
    }
}

/// A request that must be refused with an error response.
fn good(bytes: Vec<u8>) -> Request {
    Request { bytes, may_close: false, may_succeed: false }
}

fn get(path: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").into_bytes()
}

fn post(path: &str, kind: &str, body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\
         Connection: close\r\n\r\n"
    );
    [head.as_bytes(), body].concat()
}
