//! `…/start`: the directory's beginning.

use super::answer::Answer;
use super::failure::Failure;
use super::service::Service;
use crate::directory::Directory;

/// Starts the directory, or says who it is if it has been started.
pub(super) async fn post(service: &Service) -> Result<Answer, Failure> {
    let manifest = service.run(|cache| Directory::start(cache.store())?.manifest());
    Ok(Answer(manifest.await?.identity()))
}
