//! A partition in a person's editor: again and again, until the text is saved or given up.

use std::ops::ControlFlow;

use anyhow::Context;

use super::editor::Editor;
use super::private_copy::PrivateCopy;
use super::prompt;
use super::refusal::Refusal;
use super::session::Session;
use super::signals::Signals;
use crate::cli::exit::ExitStatus;
use crate::cli::report::complain;
use crate::edit::Edit;

/// Lets a person edit the partition.
pub(super) fn run(session: &Session, editor: &Editor) -> anyhow::Result<ExitStatus> {
    let signals = Signals::catch().context("could not catch signals")?;
    let by_hand = ByHand {
        session,
        editor,
        signals: &signals,
    };
    loop {
        if let ControlFlow::Break(end) = by_hand.edit()? {
            signals.obey();
            return end;
        }
    }
}

struct ByHand<'s> {
    session: &'s Session,
    editor: &'s Editor,
    signals: &'s Signals,
}

impl ByHand<'_> {
    /// Edits one state of the partition, until the text is saved or given up, or there is another
    /// state to edit.
    fn edit(&self) -> anyhow::Result<ControlFlow<anyhow::Result<ExitStatus>>> {
        let edit = self.session.open()?;
        let copy = PrivateCopy::new(&edit.path(), edit.text())?;
        loop {
            let refusal = match self.turn(&edit, &copy) {
                Ok(end) => {
                    copy.discard()?;
                    return Ok(ControlFlow::Break(end));
                }
                Err(refusal) => refusal,
            };
            refusal.show_problems(copy.path());
            if !self.goes_on(&refusal) {
                return Ok(ControlFlow::Break(Ok(refusal.give_up(copy.kept()))));
            }
            if let Refusal::Outdated(_) = refusal {
                complain(&copy.kept());
                return Ok(ControlFlow::Continue(()));
            }
        }
    }

    /// Runs the editor once, and saves what it leaves.
    fn turn(
        &self,
        edit: &Edit<'_>,
        copy: &PrivateCopy,
    ) -> Result<anyhow::Result<ExitStatus>, Refusal> {
        let edited = self.editor.run(copy.path());
        self.signals.forget_keyboard();
        let text = match copy.read() {
            Ok(text) => text,
            Err(error) if copy.files() == 0 => return Ok(Err(error)),
            Err(error) => return Err(Refusal::Editor(error)),
        };
        let is_untouched = text == edit.text() && copy.files() == 1;
        match edited {
            Err(error) if is_untouched => Ok(Err(error.context("nothing was changed"))),
            Err(error) => Err(Refusal::Editor(error)),
            Ok(()) if self.signals.is_caught() && !is_untouched => Err(Refusal::Stopped),
            Ok(()) => self
                .session
                .settle(edit, &text, &|| self.signals.is_caught()),
        }
    }

    fn goes_on(&self, refusal: &Refusal) -> bool {
        let is_possible = prompt::is_possible() && !self.signals.is_caught();
        let question = refusal.question().filter(|_| is_possible);
        // Who can't be asked won't go on.
        question.is_some_and(|question| prompt::agrees(&question, self.signals).unwrap_or(false))
    }
}
