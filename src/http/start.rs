//! `…/start`: the directory's beginning.

use axum::extract::State;

use super::answer::Answer;
use super::failure::Failure;
use super::service::Service;
use crate::directory::Directory;

/// Starts the directory, or says who it is if it has been started.
pub(super) async fn post(State(service): State<Service>) -> Result<Answer, Failure> {
    let directory = service.on_store(Directory::start).await?;
    Ok(Answer(directory.manifest().identity()))
}
