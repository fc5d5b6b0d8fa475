//! `/stats`: how the bytes are spread over the partitions. No address is in it.

use super::answer::Answer;
use super::failure::Failure;
use super::service::Service;
use crate::stats::Sizes;

/// Answers the sizes, which are known without reading any file.
pub(super) async fn get(service: &Service) -> Result<Answer, Failure> {
    let sizes = service.on_directory(|directory| Sizes::of(&directory));
    let text = serde_json::to_string(&sizes.await?);
    // It is made of names and numbers.
    text.map(Answer)
        .map_err(|_| Failure::internal("could not write JSON"))
}
