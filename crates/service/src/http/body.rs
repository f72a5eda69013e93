//! Bodies, queries and names in paths, with errors that say what was expected.

use std::{
    convert::Infallible,
    net::{Ipv4Addr, SocketAddr},
};

use axum::{
    Json,
    extract::{ConnectInfo, FromRequest, FromRequestParts, Path, Query, Request, rejection::JsonRejection},
    http::request::Parts,
    response::Response,
};
use serde::de::DeserializeOwned;

use super::answer::refuse;
use crate::Client;

/// The JSON of a request.
pub(super) struct Body<T>(pub(super) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = Response;

    async fn from_request(request: Request, state: &S) -> Result<Self, Response> {
        match Json::<T>::from_request(request, state).await {
            Ok(Json(value)) => Ok(Self(value)),
            Err(rejection) => {
                let words = match &rejection {
                    JsonRejection::MissingJsonContentType(_) => {
                        "expected a body with the content type application/json".to_owned()
                    }
                    other => other.body_text(),
                };
                Err(refuse(rejection.status(), &words))
            }
        }
    }
}

/// What stands behind the question mark.
pub(super) struct Asked<T>(pub(super) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Asked<T> {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Response> {
        match Query::<T>::from_request_parts(parts, state).await {
            Ok(Query(value)) => Ok(Self(value)),
            Err(rejection) => Err(refuse(rejection.status(), &rejection.body_text())),
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

/// A name in the path: letters and digits, nothing that could mean a place elsewhere.
pub(super) struct Name(pub(super) String);

impl<S: Send + Sync> FromRequestParts<S> for Name {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Response> {
        let name = Path::<String>::from_request_parts(parts, state).await;
        let name = name.map_err(|rejection| refuse(rejection.status(), &rejection.body_text()))?.0;
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        if name.len() <= 96 && name.bytes().all(plain) {
            Ok(Self(name))
        } else {
            Err(refuse(axum::http::StatusCode::NOT_FOUND, "there is nothing of that name"))
        }
    }
}
