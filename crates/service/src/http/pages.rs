//! The web pages, embedded in the binary.

use axum::{
    extract::{Path, State},
    http::{HeaderMap, HeaderValue, StatusCode, Uri, header},
    response::{IntoResponse, Response},
};
use reference::Request;
use rust_embed::{EmbeddedFile, RustEmbed};
use search::Stop;

use super::{
    App, drop_in,
    error_response::{error_response, not_found},
};

#[derive(RustEmbed)]
#[folder = "../../web"]
struct Web;

/// The first path segments of pages, and whether an id may follow. Routing within a page happens in the browser.
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
    // Browsers accept HTML explicitly; programs usually accept anything.
    if uri.path() == "/" && !accepts.contains("text/html") {
        return banner(&app);
    }
    let mut parts = uri.path().trim_matches('/').split('/');
    let (first, second, more) = (parts.next().unwrap_or_default(), parts.next(), parts.next());
    let known = PAGES.contains(&(first, true)) || (PAGES.contains(&(first, false)) && second.is_none());
    let known = known && more.is_none();
    // For an unknown path, a browser gets a page that explains the error, and a program gets the JSON error.
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

/// The banner of the reference service, for programs that request `/`.
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
        _ => return error_response(StatusCode::NOT_FOUND, "there is no such file on this service"),
    };
    // Only embedded files are found; in debug builds, which read the folder, `..` must not lead out of it.
    let sound = path.split('/').all(|part| !part.is_empty() && !part.starts_with('.'));
    match Web::get(&path).filter(|_| sound) {
        Some(file) => respond(file, kind),
        None => error_response(StatusCode::NOT_FOUND, "there is no such file on this service"),
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
