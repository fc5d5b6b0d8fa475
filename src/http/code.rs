//! The codes of the API's failures, each with its status: the table that clients can rely on.

use http::{HeaderValue, StatusCode, header};

/// What tells one failure from another in an answer: every code of the API is here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// The body isn't JSON.
    InvalidJson,
    /// The body is JSON, but not a profile.
    InvalidProfile,
    /// The address is missing, empty or not ASCII.
    InvalidEmailAddress,
    /// The query can't be read.
    InvalidQuery,
    /// There is no token, or a wrong one.
    Unauthorized,
    /// A web page of another origin asks.
    OriginNotAllowed,
    /// There is no such profile.
    CustomerProfileNotFound,
    /// The directory hasn't been started.
    FlowNotFound,
    /// There is no such path.
    RouteNotFound,
    /// The path doesn't know the method.
    MethodNotAllowed,
    /// The body took too long.
    RequestTimeout,
    /// Another writer holds the partition.
    LockConflict,
    /// The profile isn't the version that the request is for.
    PreconditionFailed,
    /// The body or the profile is too long.
    PayloadTooLarge,
    /// The body isn't said to be JSON.
    UnsupportedMediaType,
    /// The request is meant for another server.
    MisdirectedRequest,
    /// A partition file, or the profile in it, can't be used.
    CorruptPartition,
    /// The store failed.
    StorageError,
    /// The profile was saved, but may not survive a power cut.
    SavedNotDurable,
    /// This program has a fault.
    InternalError,
    /// Try again later.
    Unavailable,
}

impl Code {
    /// All of them.
    pub const ALL: [Self; 21] = [
        Self::InvalidJson,
        Self::InvalidProfile,
        Self::InvalidEmailAddress,
        Self::InvalidQuery,
        Self::Unauthorized,
        Self::OriginNotAllowed,
        Self::CustomerProfileNotFound,
        Self::FlowNotFound,
        Self::RouteNotFound,
        Self::MethodNotAllowed,
        Self::RequestTimeout,
        Self::LockConflict,
        Self::PreconditionFailed,
        Self::PayloadTooLarge,
        Self::UnsupportedMediaType,
        Self::MisdirectedRequest,
        Self::CorruptPartition,
        Self::StorageError,
        Self::SavedNotDurable,
        Self::InternalError,
        Self::Unavailable,
    ];

    /// Its status, and its name in an answer.
    pub(super) fn row(self) -> (StatusCode, &'static str) {
        use StatusCode as S;
        match self {
            Self::InvalidJson => (S::BAD_REQUEST, "InvalidJson"),
            Self::InvalidProfile => (S::BAD_REQUEST, "InvalidProfile"),
            Self::InvalidEmailAddress => (S::BAD_REQUEST, "InvalidEmailAddress"),
            Self::InvalidQuery => (S::BAD_REQUEST, "InvalidQuery"),
            Self::Unauthorized => (S::UNAUTHORIZED, "Unauthorized"),
            Self::OriginNotAllowed => (S::FORBIDDEN, "OriginNotAllowed"),
            Self::CustomerProfileNotFound => (S::NOT_FOUND, "CustomerProfileNotFound"),
            Self::FlowNotFound => (S::NOT_FOUND, "FlowNotFound"),
            Self::RouteNotFound => (S::NOT_FOUND, "RouteNotFound"),
            Self::MethodNotAllowed => (S::METHOD_NOT_ALLOWED, "MethodNotAllowed"),
            Self::RequestTimeout => (S::REQUEST_TIMEOUT, "RequestTimeout"),
            Self::LockConflict => (S::CONFLICT, "RPCLockConflict"),
            Self::PreconditionFailed => (S::PRECONDITION_FAILED, "PreconditionFailed"),
            Self::PayloadTooLarge => (S::PAYLOAD_TOO_LARGE, "PayloadTooLarge"),
            Self::UnsupportedMediaType => (S::UNSUPPORTED_MEDIA_TYPE, "UnsupportedMediaType"),
            Self::MisdirectedRequest => (S::MISDIRECTED_REQUEST, "MisdirectedRequest"),
            Self::CorruptPartition => (S::INTERNAL_SERVER_ERROR, "CorruptPartition"),
            Self::StorageError => (S::INTERNAL_SERVER_ERROR, "StorageError"),
            Self::SavedNotDurable => (S::INTERNAL_SERVER_ERROR, "SavedNotDurable"),
            Self::InternalError => (S::INTERNAL_SERVER_ERROR, "InternalError"),
            Self::Unavailable => (S::SERVICE_UNAVAILABLE, "Unavailable"),
        }
    }

    /// The HTTP status that it is answered with.
    #[must_use]
    pub fn status(self) -> u16 {
        self.row().0.as_u16()
    }

    /// Its name in an answer.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// What the client is told beside the body about what to do next.
    pub(super) fn header(self) -> Option<(header::HeaderName, HeaderValue)> {
        match self {
            Self::LockConflict | Self::Unavailable => {
                Some((header::RETRY_AFTER, HeaderValue::from_static("1")))
            }
            Self::Unauthorized => {
                Some((header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer")))
            }
            // What is left of the body would be read as the next request.
            Self::RequestTimeout => Some((header::CONNECTION, HeaderValue::from_static("close"))),
            _ => None,
        }
    }
}
