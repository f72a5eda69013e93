//! Extractors for request bodies, query parameters, path segments and clients, with errors that say what was expected.

use std::{
    convert::Infallible,
    net::{Ipv4Addr, SocketAddr},
    time::Duration,
};

use axum::{
    Json,
    extract::{ConnectInfo, FromRequest, FromRequestParts, Path, Query, Request, rejection::JsonRejection},
    http::{StatusCode, request::Parts},
    response::Response,
};
use serde::de::DeserializeOwned;
use tokio::time::timeout;

use super::error_response::error_response;
use crate::Client;

/// The time that a client has to send the body of a request.
pub(super) const BODY_TIMEOUT: Duration = Duration::from_secs(30);

/// The message to a client that takes longer.
pub(super) const LATE_BODY: &str = "the body did not arrive within 30 seconds: send the request again";

/// The JSON body of a request.
pub(super) struct Body<T>(pub(super) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = Response;

    async fn from_request(request: Request, state: &S) -> Result<Self, Response> {
        match timeout(BODY_TIMEOUT, Json::<T>::from_request(request, state)).await {
            Ok(Ok(Json(value))) => Ok(Self(value)),
            Err(_) => Err(error_response(StatusCode::REQUEST_TIMEOUT, LATE_BODY)),
            Ok(Err(rejection)) => {
                let message = match &rejection {
                    JsonRejection::MissingJsonContentType(_) => {
                        "the content type is missing or wrong: expected a body of type application/json"
                            .to_owned()
                    }
                    other => other.body_text(),
                };
                Err(error_response(rejection.status(), &message))
            }
        }
    }
}

/// The query parameters of a request.
pub(super) struct Params<T>(pub(super) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Params<T> {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Response> {
        match Query::<T>::from_request_parts(parts, state).await {
            Ok(Query(value)) => Ok(Self(value)),
            Err(rejection) => Err(error_response(rejection.status(), &rejection.body_text())),
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Client {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        Ok(Self::from(peer.map_or(Ipv4Addr::UNSPECIFIED.into(), |peer| peer.0.ip())))
    }
}

/// An id or name in the path: letters, digits, `-` and `_`, so that it cannot form a path.
pub(super) struct Name(pub(super) String);

impl<S: Send + Sync> FromRequestParts<S> for Name {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Response> {
        let name = Path::<String>::from_request_parts(parts, state).await;
        let name = name.map_err(|rejection| error_response(rejection.status(), &rejection.body_text()))?.0;
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        if name.len() <= 96 && name.bytes().all(plain) {
            Ok(Self(name))
        } else {
            Err(error_response(
                StatusCode::NOT_FOUND,
                "there is nothing with this name: expected at most 96 letters, digits, - or _",
            ))
        }
    }
}
