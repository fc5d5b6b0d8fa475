//! `/stats`: how the bytes are spread over the partitions. No address is in it.

use axum::extract::State;

use super::answer::Answer;
use super::failure::Failure;
use super::service::Service;
use crate::directory::Directory;
use crate::stats::Sizes;

/// Answers the sizes, which are known without reading any file.
pub(super) async fn get(State(service): State<Service>) -> Result<Answer, Failure> {
    let sizes = service.on_store(|store| Sizes::of(&Directory::open(store)?));
    let text = serde_json::to_string(&sizes.await?);
    // It is made of names and numbers.
    text.map(Answer)
        .map_err(|_| Failure::internal("could not write JSON"))
}
