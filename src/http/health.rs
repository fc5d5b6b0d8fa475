//! `/healthz`: whether the server answers at all. It doesn't touch the store.

use super::answer::Answer;

/// Says that the server answers.
pub(super) async fn get() -> Answer {
    Answer(r#"{"status":"ok"}"#.to_owned())
}
