//! Whether the server is well: `/healthz` says that it answers at all, `/readyz` that it can do its
//! work.

use super::answer::Answer;
use super::code::Code;
use super::failure::Failure;
use super::service::Service;
use crate::partition::Partition;

/// Says that the server answers. It doesn't touch the store.
pub(super) fn get() -> Answer {
    Answer(r#"{"status":"ok"}"#.to_owned())
}

/// Says that there is a directory to look up in and, unless the server is read-only, that it can be
/// written.
pub(super) async fn ready(service: &Service) -> Result<Answer, Failure> {
    let is_read_only = service.config.read_only;
    let checked = service.on_directory(move |directory| match Partition::from_number(0) {
        Some(partition) if !is_read_only => directory.check_replaceable(partition),
        _ => Ok(()),
    });
    match checked.await {
        Ok(()) if is_read_only => Ok(Answer(r#"{"status":"ready","readOnly":true}"#.to_owned())),
        Ok(()) => Ok(Answer(r#"{"status":"ready","readOnly":false}"#.to_owned())),
        Err(failure) => Err(failure.under(Code::Unavailable)),
    }
}
