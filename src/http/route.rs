//! The paths of the API.

/// A path that the API knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Route {
    CustomerProfile,
    Start,
    Healthz,
    Readyz,
    Metrics,
    OpenApi,
    Stats,
    Page,
    PageCss,
    PageJs,
}

impl Route {
    const ALL: [Self; 10] = [
        Self::CustomerProfile,
        Self::Start,
        Self::Healthz,
        Self::Readyz,
        Self::Metrics,
        Self::OpenApi,
        Self::Stats,
        Self::Page,
        Self::PageCss,
        Self::PageJs,
    ];

    /// The route of this path.
    pub(super) fn of(path: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|route| route.path() == path)
    }

    /// Its path.
    pub(super) fn path(self) -> &'static str {
        match self {
            Self::CustomerProfile => "/patterns/hash-partitioned-attribute-map/customer-profile",
            Self::Start => "/patterns/hash-partitioned-attribute-map/start",
            Self::Healthz => "/healthz",
            Self::Readyz => "/readyz",
            Self::Metrics => "/metrics",
            Self::OpenApi => "/openapi.json",
            Self::Stats => "/stats",
            Self::Page => "/",
            Self::PageCss => "/page.css",
            Self::PageJs => "/page.js",
        }
    }

    /// The methods that it answers, as `Allow` names them.
    pub(super) fn methods(self, is_read_only: bool) -> &'static str {
        match (self, is_read_only) {
            (Self::CustomerProfile, false) => "GET,HEAD,PUT",
            (Self::Start, false) => "POST",
            (Self::Start, true) => "",
            _ => "GET,HEAD",
        }
    }

    /// Whether it is answered without a token: everybody may see that the server is there and whether
    /// it is well, and the page asks for the token.
    pub(super) fn is_open(self) -> bool {
        match self {
            Self::Healthz | Self::Readyz | Self::Page | Self::PageCss | Self::PageJs => true,
            Self::CustomerProfile | Self::Start | Self::Metrics | Self::OpenApi | Self::Stats => {
                false
            }
        }
    }
}
