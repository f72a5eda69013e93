//! Who may ask: this machine's own pages and programs, and whoever has the token.
//!
//! A page from elsewhere, opened in the same browser, could otherwise use a server on this machine: by sending forms
//! and scripts' requests across sites, or under a name of its own that it points at this machine. The first shows in
//! `Origin` and `Sec-Fetch-Site`, the second in `Host`.

use std::{net::IpAddr, sync::Arc};

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::Response,
};

use super::answer::refuse;

/// What requests have to satisfy.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    /// Names besides this machine's own under which the service may be asked.
    pub(crate) hosts: Vec<String>,
    /// Whether any address of this machine will do: the service listens to more than the machine itself.
    pub(crate) open: bool,
    /// What whoever changes something or starts work has to know.
    pub(crate) token: Option<String>,
}

const POLICY: &str = "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; \
                      form-action 'self'; frame-ancestors 'none'";

pub(super) async fn check(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let mut response = match guard.objection(request.method(), request.headers()) {
        Some((status, words)) => refuse(status, &words),
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
    /// Why a request is not let through, if it is not.
    fn objection(&self, method: &Method, headers: &HeaderMap) -> Option<(StatusCode, String)> {
        let text = |name: header::HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
        let host = text(header::HOST).unwrap_or_default();
        if !self.knows(host) {
            let words =
                format!("this service is not called {:?}: start it with --host to allow it", short(host));
            return Some((StatusCode::FORBIDDEN, words));
        }
        let named = |name: &'static str| headers.get(name).and_then(|value| value.to_str().ok());
        let foreign_origin = headers.get(header::ORIGIN).is_some_and(|origin| {
            let origin = origin.to_str().unwrap_or_default();
            origin.split_once("://").map(|(_, rest)| rest) != Some(host)
        });
        let foreign_site = matches!(named("sec-fetch-site"), Some("cross-site" | "same-site"));
        // A link from elsewhere may open a page; nothing else may come from elsewhere.
        let link = method == Method::GET && named("sec-fetch-mode") == Some("navigate");
        if foreign_origin || (foreign_site && !link) {
            return Some((StatusCode::FORBIDDEN, "pages of other sites may not use this service".to_owned()));
        }
        let token = self.token.as_deref().filter(|_| method != Method::GET && method != Method::HEAD)?;
        let given = text(header::AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
        let admitted = given.is_some_and(|given| same(given.as_bytes(), token.as_bytes()));
        (!admitted).then(|| {
            (
                StatusCode::UNAUTHORIZED,
                "expected the header Authorization: Bearer with the service's token".to_owned(),
            )
        })
    }

    fn knows(&self, host: &str) -> bool {
        // Without the port; IPv6 addresses stand in brackets.
        let name = match host.strip_prefix('[') {
            Some(rest) => rest.split(']').next().unwrap_or_default(),
            None => host.split(':').next().unwrap_or_default(),
        };
        let address = name.parse::<IpAddr>();
        name.eq_ignore_ascii_case("localhost")
            || address.is_ok_and(|address| address.is_loopback() || self.open)
            || self.hosts.iter().any(|known| known.eq_ignore_ascii_case(name))
    }
}

/// Compares in a time that does not depend on where the difference is.
fn same(one: &[u8], other: &[u8]) -> bool {
    one.len() == other.len() && one.iter().zip(other).fold(0, |found, (a, b)| found | (a ^ b)) == 0
}

fn short(text: &str) -> String {
    text.chars().take(80).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard() -> Guard {
        Guard { hosts: vec!["lab.example".to_owned()], open: false, token: None }
    }

    fn status(guard: &Guard, method: &Method, fields: &[(&'static str, &str)]) -> Option<u16> {
        let mut headers = HeaderMap::new();
        for (name, value) in fields {
            headers.insert(*name, HeaderValue::from_str(value).unwrap());
        }
        guard.objection(method, &headers).map(|(status, _)| status.as_u16())
    }

    #[test]
    fn only_names_of_this_machine_are_answered_to() {
        let get = |host: &str| status(&guard(), &Method::GET, &[("host", host)]);
        for host in ["localhost:7878", "127.0.0.1:80", "[::1]:7878", "LAB.example", "127.8.9.10"] {
            assert_eq!(get(host), None, "{host}");
        }
        for host in ["evil.example", "192.168.1.5:7878", "localhost.evil.example", "", "[::2]"] {
            assert_eq!(get(host), Some(403), "{host}");
        }
        let open = Guard { open: true, ..guard() };
        assert_eq!(status(&open, &Method::GET, &[("host", "192.168.1.5:7878")]), None);
        assert_eq!(status(&open, &Method::GET, &[("host", "evil.example")]), Some(403));
    }

    #[test]
    fn pages_of_other_sites_can_link_here_and_nothing_else() {
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
    fn with_a_token_only_looking_is_free() {
        let guard = Guard { token: Some("secret".to_owned()), ..guard() };
        let host = ("host", "localhost");
        assert_eq!(status(&guard, &Method::GET, &[host]), None);
        assert_eq!(status(&guard, &Method::POST, &[host]), Some(401));
        assert_eq!(status(&guard, &Method::POST, &[host, ("authorization", "Bearer secrets")]), Some(401));
        assert_eq!(status(&guard, &Method::DELETE, &[host, ("authorization", "Bearer secret")]), None);
    }
}
