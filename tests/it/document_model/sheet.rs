//! The model: a partition file as an ordered list of names and token texts, which can hold what
//! `serde_json::Value` can't, and what an upsert must do to it.

use dex_dir::document::Outcome;
use dex_dir::profile::{CustomerProfile, Field};

pub const MAP: &str = "profilesByCanonicalEmail";

/// A string as a file writes it, and as it is meant.
#[derive(Clone, Debug)]
pub struct Spelt {
    pub text: String,
    pub means: String,
}

/// A value's tokens; for a string that can be decoded also what it means.
#[derive(Clone, Debug)]
pub struct Value {
    pub tokens: Vec<String>,
    pub means: Option<String>,
}

/// The members of an object, in order.
pub type Members<T> = Vec<(Spelt, T)>;

/// A sound partition file.
#[derive(Clone, Debug)]
pub struct Sheet {
    pub map: Spelt,
    pub profiles: Members<Members<Value>>,
    /// The members beside the map.
    pub others: Members<Value>,
    /// How many of them stand before the map.
    pub before: usize,
}

impl Spelt {
    /// As this program writes it.
    pub fn plainly(means: &str) -> Self {
        Self {
            text: serde_json::to_string(means).expect("a string"),
            means: means.to_owned(),
        }
    }
}

impl From<Spelt> for Value {
    fn from(Spelt { text, means }: Spelt) -> Self {
        Self {
            tokens: vec![text],
            means: Some(means),
        }
    }
}

impl Sheet {
    /// What an upsert must answer, and what it must leave.
    pub fn upsert(&mut self, profile: &CustomerProfile) -> (Outcome, String) {
        let email = profile.email().as_str();
        let Some(index) = self.profiles.iter().position(|(key, _)| key.means == email) else {
            let members = saved(profile, &[]);
            let text = compact(&members);
            self.profiles.push((Spelt::plainly(email), members));
            return (Outcome::Created, text);
        };
        let (key, members) = &mut self.profiles[index];
        if Field::ALL.map(|field| own(members, field).map(str::to_owned))
            == values(profile).map(Some)
        {
            return (Outcome::Unchanged, compact(members));
        }
        *key = Spelt::plainly(email);
        *members = saved(profile, members);
        (Outcome::Updated, compact(members))
    }

    /// The exact bytes of the canonical layout.
    pub fn canonical(&self) -> String {
        let mut in_order: Vec<_> = self.profiles.iter().collect();
        in_order.sort_by_key(|(key, _)| key.means.as_bytes());
        let lines = in_order
            .iter()
            .map(|(key, members)| format!("{}:{}", key.text, compact(members)));
        let profiles = match lines.collect::<Vec<_>>().join(",\n") {
            none if none.is_empty() => none,
            lines => lines + "\n",
        };
        let others = self
            .others
            .iter()
            .map(|(name, value)| format!(",\n{}:{}", name.text, value.tokens.concat()));
        let others = others.collect::<Vec<_>>().concat();
        let end = if others.is_empty() { "" } else { "\n" };
        format!("{{\"{MAP}\":{{\n{profiles}}}{others}{end}}}\n")
    }

    /// Every token of the file, in the order in which a person left it.
    pub fn tokens(&self) -> Vec<String> {
        let tokens_of = |(name, value): &(Spelt, Value)| (name.text.clone(), value.tokens.clone());
        let profiles = self
            .profiles
            .iter()
            .map(|(key, members)| (key.text.clone(), object(members.iter().map(tokens_of))));
        let map = (self.map.text.clone(), object(profiles));
        let (before, after) = self.others.split_at(self.before);
        object(
            before
                .iter()
                .map(tokens_of)
                .chain([map])
                .chain(after.iter().map(tokens_of)),
        )
    }
}

/// The decoded text of a profile's own field, if it is a string.
pub fn own(members: &Members<Value>, field: Field) -> Option<&str> {
    let (_, value) = members
        .iter()
        .find(|(name, _)| name.means == field.name())?;
    value.means.as_deref()
}

/// An object without white space.
pub fn compact(members: &Members<Value>) -> String {
    let members = members
        .iter()
        .map(|(name, value)| (name.text.clone(), value.tokens.clone()));
    object(members).concat()
}

fn values(profile: &CustomerProfile) -> [String; 4] {
    Field::ALL.map(|field| profile.field(field))
}

/// The four fields first, in their order, then what a person added, in theirs.
fn saved(profile: &CustomerProfile, old: &[(Spelt, Value)]) -> Members<Value> {
    let four = Field::ALL.map(|field| {
        let value = Spelt::plainly(&profile.field(field)).into();
        (Spelt::plainly(field.name()), value)
    });
    let added = old
        .iter()
        .filter(|(name, _)| Field::ALL.iter().all(|field| name.means != field.name()));
    four.into_iter().chain(added.cloned()).collect()
}

fn object(members: impl Iterator<Item = (String, Vec<String>)>) -> Vec<String> {
    let mut tokens = vec!["{".to_owned()];
    for (name, value) in members {
        if tokens.len() > 1 {
            tokens.push(",".to_owned());
        }
        tokens.extend([name, ":".to_owned()]);
        tokens.extend(value);
    }
    tokens.push("}".to_owned());
    tokens
}
