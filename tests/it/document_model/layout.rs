//! How a person or a program may have laid out a file's tokens: white space decides nothing.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// A legal layout.
#[derive(Clone, Debug)]
pub struct Layout {
    byte_order_mark: bool,
    spacing: Spacing,
}

#[derive(Clone, Debug)]
enum Spacing {
    Minified,
    Pretty,
    /// This white space before the first token, between any two, and after the last, in turn.
    Scattered(Vec<&'static str>),
}

impl Layout {
    pub fn write(&self, tokens: &[String]) -> Vec<u8> {
        let mark = if self.byte_order_mark { "\u{feff}" } else { "" };
        let text = match &self.spacing {
            Spacing::Minified => tokens.concat(),
            Spacing::Pretty => pretty(tokens),
            Spacing::Scattered(spaces) => {
                let spaces = spaces.iter().cycle().copied();
                let with_end = tokens.iter().map(String::as_str).chain([""]);
                spaces.zip(with_end).flat_map(<[&str; 2]>::from).collect()
            }
        };
        format!("{mark}{text}").into_bytes()
    }
}

pub fn layouts() -> impl Strategy<Value = Layout> {
    let scattered = vec(select(vec!["", " ", "\n", "\t", "\r\n", " \n\t "]), 1..24);
    let spacing = prop_oneof![
        1 => Just(Spacing::Minified),
        1 => Just(Spacing::Pretty),
        3 => scattered.prop_map(Spacing::Scattered),
    ];
    (any::<bool>(), spacing).prop_map(|(byte_order_mark, spacing)| Layout {
        byte_order_mark,
        spacing,
    })
}

/// As `jq` does it, more or less.
fn pretty(tokens: &[String]) -> String {
    let mut depth = 0;
    let mut laid_out = vec![String::new(); tokens.len()];
    for (out, token) in laid_out.iter_mut().zip(tokens) {
        let break_line = |depth| format!("\n{}", "\t".repeat(depth));
        match token.as_str() {
            "{" | "[" => {
                depth += 1;
                *out = token.clone() + &break_line(depth);
            }
            "}" | "]" => {
                depth -= 1;
                *out = break_line(depth) + token;
            }
            "," => *out = token.clone() + &break_line(depth),
            ":" => ": ".clone_into(out),
            _ => out.clone_from(token),
        }
    }
    laid_out.concat() + "\n"
}
