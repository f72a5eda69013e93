//! The pages, built into the binary.

use axum::{
    extract::{Path, State},
    http::{HeaderMap, HeaderValue, StatusCode, Uri, header},
    response::{IntoResponse, Response},
};
use reference::Request;
use rust_embed::{EmbeddedFile, RustEmbed};
use search::Stop;

use super::{
    App,
    answer::{not_found, refuse},
    drop_in,
};

#[derive(RustEmbed)]
#[folder = "../../web"]
struct Web;

/// Addresses at which the page itself looks after what is shown; a name may follow where the second says so.
const PAGES: [(&str, bool); 8] = [
    ("", false),
    ("game", true),
    ("watch", false),
    ("analyse", false),
    ("learn", true),
    ("lab", false),
    ("help", false),
    ("api", false),
];

pub(super) async fn page(State(app): State<App>, uri: Uri, headers: HeaderMap) -> Response {
    let accepts = headers.get(header::ACCEPT).and_then(|accepts| accepts.to_str().ok()).unwrap_or_default();
    // Browsers name the page's format, programs take anything.
    if uri.path() == "/" && !accepts.contains("text/html") {
        return banner(&app);
    }
    let mut parts = uri.path().trim_matches('/').split('/');
    let (first, second, more) = (parts.next().unwrap_or_default(), parts.next(), parts.next());
    let known = PAGES.contains(&(first, true)) || (PAGES.contains(&(first, false)) && second.is_none());
    let known = known && more.is_none();
    // A person who went astray gets a page that says so; a program gets the error alone.
    match Web::get("index.html").filter(|_| known || accepts.contains("text/html")) {
        Some(file) => {
            let mut response = respond(file, "text/html; charset=utf-8");
            if !known {
                *response.status_mut() = StatusCode::NOT_FOUND;
            }
            response
        }
        None => not_found(),
    }
}

/// What the reference service says at its root, for programs that ask for JSON there.
fn banner(app: &App) -> Response {
    let request = Request { method: "GET", path: "/", query: None, body: &[], admin_key: None };
    drop_in::respond(app.reference.handle(&request, &Stop::default()))
}

pub(super) async fn asset(Path(path): Path<String>) -> Response {
    let kind = match path.rsplit_once('.').map(|(_, ending)| ending) {
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("json") => "application/json",
        _ => return refuse(StatusCode::NOT_FOUND, "there is no such file"),
    };
    // Only names that were there when the binary was built are found; a path that climbs out is none of them.
    let sound = path.split('/').all(|part| !part.is_empty() && !part.starts_with('.'));
    match Web::get(&path).filter(|_| sound) {
        Some(file) => respond(file, kind),
        None => refuse(StatusCode::NOT_FOUND, "there is no such file"),
    }
}

fn respond(file: EmbeddedFile, kind: &'static str) -> Response {
    let digest: String = file.metadata.sha256_hash()[..8].iter().map(|byte| format!("{byte:02x}")).collect();
    let mut response = file.data.into_owned().into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if let Ok(tag) = HeaderValue::from_str(&format!("\"{digest}\"")) {
        headers.insert(header::ETAG, tag);
    }
    response
}
