//! Access control: rejects requests from other sites, with unknown host names or without the token.
//!
//! Without it, a page of another site in the same browser could use a service on this machine, either by cross-site
//! requests or by DNS rebinding, that is, by pointing a host name of its own at this machine. The headers `Origin` and
//! `Sec-Fetch-Site` reveal the former, `Host` the latter.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    sync::Arc,
};

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header},
    middleware::Next,
    response::{IntoResponse, Response},
};

use super::error_response::error_response;
use crate::ApiError;

/// The conditions that requests must satisfy.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    /// Host names to accept in addition to those of this machine.
    pub(crate) hosts: Vec<String>,
    /// Whether to accept any IP address as a host name, because the service listens on more than the loopback interface.
    pub(crate) any_address: bool,
    /// The token that requests other than GET and HEAD must carry.
    pub(crate) token: Option<String>,
}

/// Why a connection may only be used for monitoring: others have reached their limit.
#[derive(Clone, Debug)]
pub(crate) struct MonitoringOnly(pub(crate) ApiError);

/// The routes that are served on every connection.
const MONITORING: [&str; 4] = ["/health", "/ready", "/live", "/metrics"];

/// Refuses everything but monitoring on connections beyond the limit.
pub(super) async fn check_connection(request: Request, next: Next) -> Response {
    match request.extensions().get::<MonitoringOnly>() {
        Some(MonitoringOnly(error)) if !MONITORING.contains(&request.uri().path()) => {
            error.clone().into_response()
        }
        _ => next.run(request).await,
    }
}

const POLICY: &str = "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; \
                      form-action 'self'; frame-ancestors 'none'";

pub(super) async fn check(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let rejection = guard.rejection(request.method(), request.uri(), request.headers());
    let mut response = match rejection {
        Some((status, message)) => error_response(status, &message),
        None => next.run(request).await,
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

impl Guard {
    /// The status and message with which to reject a request, or `None` to accept it.
    fn rejection(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Option<(StatusCode, String)> {
        let text = |name: header::HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
        let host = text(header::HOST).unwrap_or_default();
        // With two names, a proxy might check one of them and this service the other.
        let other_host = uri.authority().is_some_and(|authority| authority.as_str() != host);
        if other_host || headers.get_all(header::HOST).iter().count() > 1 {
            let message = "the request names several hosts: expected one header Host";
            return Some((StatusCode::BAD_REQUEST, message.to_owned()));
        }
        if !self.accepts_host(host) {
            let host = truncated(host);
            let message = format!(
                "{host:?} is not a known host name of this service: to allow it, start it with --host"
            );
            return Some((StatusCode::FORBIDDEN, message));
        }
        let named = |name: &'static str| headers.get(name).and_then(|value| value.to_str().ok());
        let foreign_origin = headers.get(header::ORIGIN).is_some_and(|origin| {
            let origin = origin.to_str().unwrap_or_default();
            origin.split_once("://").map(|(_, rest)| rest) != Some(host)
        });
        let foreign_site = matches!(named("sec-fetch-site"), Some("cross-site" | "same-site"));
        // A link on another site may open a page; all other cross-site requests are rejected.
        let link = method == Method::GET && named("sec-fetch-mode") == Some("navigate");
        if foreign_origin || (foreign_site && !link) {
            return Some((
                StatusCode::FORBIDDEN,
                "requests from pages of other sites are not allowed".to_owned(),
            ));
        }
        let token = self.token.as_deref().filter(|_| method != Method::GET && method != Method::HEAD)?;
        let given = text(header::AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
        let admitted = given.is_some_and(|given| constant_time_eq(given.as_bytes(), token.as_bytes()));
        (!admitted).then(|| {
            (
                StatusCode::UNAUTHORIZED,
                "the token is missing or wrong: expected the header Authorization: Bearer with the token of the service".to_owned(),
            )
        })
    }

    fn accepts_host(&self, host: &str) -> bool {
        match Host::parse(host) {
            None => false,
            Some(Host::Address(address)) => {
                address.is_loopback() || self.any_address || self.hosts.contains(&address.to_string())
            }
            Some(Host::Name(name)) => {
                name.eq_ignore_ascii_case("localhost")
                    || self.hosts.iter().any(|known| known.eq_ignore_ascii_case(name))
            }
        }
    }
}

/// The value of a `Host` header without its port.
enum Host<'a> {
    Address(IpAddr),
    Name(&'a str),
}

impl<'a> Host<'a> {
    /// Parses `name`, `name:port`, `[address]` or `[address]:port`, and nothing else.
    fn parse(host: &'a str) -> Option<Self> {
        let (found, port) = if let Some(rest) = host.strip_prefix('[') {
            let (address, port) = rest.split_once(']')?;
            (Self::Address(address.parse::<Ipv6Addr>().ok()?.into()), port)
        } else {
            let (name, port) = host.split_at(host.find(':').unwrap_or(host.len()));
            (name.parse::<Ipv4Addr>().map_or(Self::Name(name), |address| Self::Address(address.into())), port)
        };
        let digits =
            |port: &str| port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok();
        (port.is_empty() || port.strip_prefix(':').is_some_and(digits)).then_some(found)
    }
}

/// Compares in constant time, so that timing does not reveal the token.
fn constant_time_eq(one: &[u8], other: &[u8]) -> bool {
    one.len() == other.len() && one.iter().zip(other).fold(0, |found, (a, b)| found | (a ^ b)) == 0
}

fn truncated(text: &str) -> String {
    text.chars().take(80).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard() -> Guard {
        Guard { hosts: vec!["lab.example".to_owned()], any_address: false, token: None }
    }

    fn status(guard: &Guard, method: &Method, fields: &[(&'static str, &str)]) -> Option<u16> {
        let mut headers = HeaderMap::new();
        for (name, value) in fields {
            headers.append(*name, HeaderValue::from_str(value).unwrap());
        }
        guard.rejection(method, &Uri::from_static("/"), &headers).map(|(status, _)| status.as_u16())
    }

    #[test]
    fn only_host_names_of_this_machine_are_accepted() {
        let get = |host: &str| status(&guard(), &Method::GET, &[("host", host)]);
        for host in ["localhost:7878", "127.0.0.1:80", "[::1]:7878", "LAB.example", "127.8.9.10"] {
            assert_eq!(get(host), None, "{host}");
        }
        for host in [
            "evil.example",
            "192.168.1.5:7878",
            "localhost.evil.example",
            "",
            "[::2]",
            "[::1]evil",
            "[::1",
            "::1",
            "[localhost]",
            "[127.0.0.1]",
            "localhost:80:evil",
            "localhost:evil",
            "localhost:",
            "localhost:+80",
            "localhost:65536",
            "127.0.0.1:80 ",
            "evil@localhost",
            "localhost/evil",
            "localhost ",
        ] {
            assert_eq!(get(host), Some(403), "{host}");
        }
        let twice = status(&guard(), &Method::GET, &[("host", "localhost"), ("host", "localhost")]);
        assert_eq!(twice, Some(400));
        let mut headers = HeaderMap::new();
        headers.insert("host", HeaderValue::from_static("localhost"));
        let rejection = |uri| guard().rejection(&Method::GET, &Uri::from_static(uri), &headers);
        assert_eq!(rejection("http://evil.example/").map(|(status, _)| status.as_u16()), Some(400));
        assert_eq!(rejection("http://localhost/"), None);
        let open = Guard { any_address: true, ..guard() };
        assert_eq!(status(&open, &Method::GET, &[("host", "192.168.1.5:7878")]), None);
        assert_eq!(status(&open, &Method::GET, &[("host", "evil.example")]), Some(403));
    }

    #[test]
    fn other_sites_may_link_to_pages_and_nothing_else() {
        let host = ("host", "localhost:7878");
        let asked = |method: &Method, fields: &[(&'static str, &str)]| {
            status(&guard(), method, &[&[host], fields].concat())
        };
        assert_eq!(asked(&Method::POST, &[("origin", "http://localhost:7878")]), None);
        assert_eq!(asked(&Method::POST, &[]), None, "programs send no origin");
        assert_eq!(asked(&Method::POST, &[("origin", "http://localhost:9999")]), Some(403));
        assert_eq!(asked(&Method::POST, &[("origin", "null")]), Some(403));
        assert_eq!(asked(&Method::GET, &[("sec-fetch-site", "cross-site")]), Some(403));
        let link = [("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")];
        assert_eq!(asked(&Method::GET, &link), None);
        assert_eq!(asked(&Method::POST, &link), Some(403));
        assert_eq!(asked(&Method::POST, &[("sec-fetch-site", "same-site")]), Some(403), "another port");
    }

    #[test]
    fn with_a_token_only_reading_is_free() {
        let guard = Guard { token: Some("secret".to_owned()), ..guard() };
        let host = ("host", "localhost");
        assert_eq!(status(&guard, &Method::GET, &[host]), None);
        assert_eq!(status(&guard, &Method::POST, &[host]), Some(401));
        assert_eq!(status(&guard, &Method::POST, &[host, ("authorization", "Bearer secrets")]), Some(401));
        assert_eq!(status(&guard, &Method::DELETE, &[host, ("authorization", "Bearer secret")]), None);
    }
}
