//! Access by bearer token, RFC 6750: whoever sends one of the tokens may use the server.

use std::fmt;
use std::str::FromStr;

use axum_core::extract::Request;
use http::{HeaderMap, header};
use subtle::{Choice, ConstantTimeEq};

use super::code::Code;
use super::failure::Failure;
use super::route::Route;
use super::service::Service;

/// The tokens that open a server. Several can be valid at once, so that one can take the place
/// of another without a moment in which neither is.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Tokens(Vec<Box<[u8]>>);

/// A text holds no tokens, or something that can't be sent as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokensError {
    /// There is no line with a token.
    #[error("it holds no token")]
    None,
    /// The token on this line has a character that no bearer token may have.
    #[error("line {0}: a token consists of letters, digits and -._~+/=")]
    Malformed(usize),
}

impl Tokens {
    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a request brings one of them. How long that takes says nothing of how much of a
    /// token was right.
    fn admit(&self, headers: &HeaderMap) -> bool {
        let mut sent = headers.get_all(header::AUTHORIZATION).iter();
        let (Some(sent), None) = (sent.next(), sent.next()) else {
            return false;
        };
        let Some((scheme, token)) = sent.as_bytes().split_at_checked("Bearer ".len()) else {
            return false;
        };
        let known = self.0.iter().map(|known| known.ct_eq(token));
        let any = known.fold(Choice::from(0), |a, b| a | b);
        scheme.eq_ignore_ascii_case(b"Bearer ") && bool::from(any)
    }
}

impl FromStr for Tokens {
    type Err = TokensError;

    /// Reads one token a line. Blank lines don't count.
    fn from_str(text: &str) -> Result<Self, TokensError> {
        let valid = |b: u8| b.is_ascii_alphanumeric() || b"-._~+/=".contains(&b);
        let mut tokens = Vec::new();
        for (i, line) in text.lines().enumerate() {
            let token = line.trim();
            if !token.bytes().all(valid) {
                return Err(TokensError::Malformed(i + 1));
            }
            if !token.is_empty() {
                tokens.push(token.as_bytes().into());
            }
        }
        if tokens.is_empty() {
            return Err(TokensError::None);
        }
        Ok(Self(tokens))
    }
}

impl fmt::Debug for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} tokens", self.0.len())
    }
}

/// Fails if a token is asked for and the request brings none.
pub(super) fn check(
    service: &Service,
    route: Option<Route>,
    request: &Request,
) -> Result<(), Failure> {
    let tokens = &service.config.tokens;
    let is_open = tokens.is_empty() || route.is_some_and(Route::is_open);
    if is_open || tokens.admit(request.headers()) {
        return Ok(());
    }
    let text = "this server asks for a token: send it as `Authorization: Bearer TOKEN`";
    Err(Failure::new(Code::Unauthorized, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admits(values: &[&str]) -> bool {
        let tokens: Tokens = "\nold-token\r\n  new.token==\n".parse().expect("tokens");
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(header::AUTHORIZATION, value.parse().expect("a value"));
        }
        tokens.admit(&headers)
    }

    #[test]
    fn any_of_the_tokens_opens_and_nothing_else() {
        for value in ["Bearer old-token", "bearer new.token=="] {
            assert!(admits(&[value]), "{value}");
        }
        for value in [
            "",
            "Bearer",
            "Bearer ",
            "Bearer old-toke",
            "Bearer old-tokenn",
            "Bearer  old-token",
            "Basic old-token",
            "old-token",
        ] {
            assert!(!admits(&[value]), "{value}");
        }
        assert!(!admits(&[]));
        assert!(!admits(&["Bearer old-token", "Bearer old-token"]));
    }

    #[test]
    fn what_is_no_token_is_refused_with_its_line() {
        assert_eq!("\n \n".parse::<Tokens>(), Err(TokensError::None));
        assert_eq!("a\nb c".parse::<Tokens>(), Err(TokensError::Malformed(2)));
        let shown = format!("{:?}", "secret".parse::<Tokens>());
        assert!(!shown.contains("secret"), "{shown}");
    }
}
