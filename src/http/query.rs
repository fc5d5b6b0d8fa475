//! The query of a request's target, read strictly: what can't be told for sure is an error, never
//! a guess, because a guess could be another customer. Pure.

use crate::json;

/// One parameter of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter<'q> {
    /// The name, decoded.
    pub name: String,
    /// The value, decoded; empty if there is no `=`.
    pub value: String,
    /// The value as it was sent.
    pub raw_value: &'q str,
}

/// Why a query can't be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QueryError {
    /// A `%` without two hexadecimal digits after it.
    #[error("a % in the query is not followed by two hexadecimal digits; send % itself as %25")]
    BrokenEscape,
    /// A name or value that is not UTF-8 once decoded.
    #[error("the query is not UTF-8 once decoded")]
    NotUtf8,
    /// A name that is given more than once.
    #[error("parameter {} is given twice", json::quoted(.0))]
    Repeated(String),
}

/// The parameters of `query`, the part after the `?`, in their order.
///
/// The format is that of HTML forms, `application/x-www-form-urlencoded`: pairs are separated by
/// `&`, and `+` is a space. Nothing between two separators is no parameter.
///
/// ```
/// let parameters = dex_dir::http::query::parse("emailAddress=alice%2Bnews@example.com")?;
/// assert_eq!(parameters[0].value, "alice+news@example.com");
/// # Ok::<(), dex_dir::http::query::QueryError>(())
/// ```
pub fn parse(query: &str) -> Result<Vec<Parameter<'_>>, QueryError> {
    let mut parameters: Vec<Parameter> = Vec::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, raw_value) = pair.split_once('=').unwrap_or((pair, ""));
        let name = decode(name)?;
        if parameters.iter().any(|earlier| earlier.name == name) {
            return Err(QueryError::Repeated(name));
        }
        let value = decode(raw_value)?;
        parameters.push(Parameter {
            name,
            value,
            raw_value,
        });
    }
    Ok(parameters)
}

fn decode(text: &str) -> Result<String, QueryError> {
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [byte, tail @ ..] = rest {
        rest = tail;
        match byte {
            b'+' => decoded.push(b' '),
            b'%' => {
                let (value, tail) = decode_escape(tail).ok_or(QueryError::BrokenEscape)?;
                decoded.push(value);
                rest = tail;
            }
            _ => decoded.push(*byte),
        }
    }
    String::from_utf8(decoded).map_err(|_| QueryError::NotUtf8)
}

/// The byte that the two digits at the start of `text` stand for, and what comes after them.
fn decode_escape(text: &[u8]) -> Option<(u8, &[u8])> {
    let ([high, low], rest) = text.split_first_chunk()?;
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let value = digit(*high)? * 16 + digit(*low)?;
    Some((u8::try_from(value).ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(query: &str) -> Vec<(String, String)> {
        let parameters = parse(query).expect(query);
        parameters.into_iter().map(|p| (p.name, p.value)).collect()
    }

    fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        let owned = |&(a, b): &(&str, &str)| (a.to_owned(), b.to_owned());
        pairs.iter().map(owned).collect()
    }

    #[test]
    fn names_and_values_are_decoded() {
        assert_eq!(
            values("a=x+y%2Bz&%c3%A9=%F0%9F%98%80&b&=c&d=1=2"),
            pairs(&[
                ("a", "x y+z"),
                ("é", "😀"),
                ("b", ""),
                ("", "c"),
                ("d", "1=2")
            ])
        );
    }

    #[test]
    fn nothing_between_separators_is_no_parameter() {
        assert_eq!(values(""), []);
        assert_eq!(values("&&a=1&"), pairs(&[("a", "1")]));
    }

    #[test]
    fn what_can_not_be_told_for_sure_is_refused() {
        for query in ["a=%", "a=%4", "a=%4g", "a=%+1", "%zz=1", "a=1&b=%"] {
            assert_eq!(parse(query), Err(QueryError::BrokenEscape), "{query}");
        }
        for query in ["a=%ff", "%C3=1", "a=%ed%a0%80"] {
            assert_eq!(parse(query), Err(QueryError::NotUtf8), "{query}");
        }
        let twice = Err(QueryError::Repeated("a".to_owned()));
        assert_eq!(parse("a=1&b=2&%61=1"), twice);
    }
}
