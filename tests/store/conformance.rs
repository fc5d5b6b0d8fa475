//! What every back end must do, asked of each in the same words: one line adds a back end.
//!
//! No claim says whether a conflict shows when a change begins, as with locks, or when it is
//! committed, as with conditional writes. Each starts from a back end that holds nothing.

use std::any::Any;
use std::sync::Arc;

use dex_dir::store::Store;
use dex_dir::store::local::LocalStore;
use dex_dir::store::memory::MemoryStore;

use crate::harness::Sandbox;

mod changes;
mod races;
mod reading;

/// A back end, and what must be there as long as it.
struct Fresh {
    store: Arc<dyn Store>,
    _place: Box<dyn Any>,
}

/// A started directory on disk, in which nothing may be left over in the end.
struct Tidy(Sandbox);

impl Drop for Tidy {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.0.assert_no_temporary_files();
        }
    }
}

fn local() -> Fresh {
    let sandbox = Sandbox::new();
    Fresh {
        store: Arc::new(LocalStore::new(sandbox.dir())),
        _place: Box::new(Tidy(sandbox)),
    }
}

fn memory() -> Fresh {
    Fresh {
        store: Arc::new(MemoryStore::default()),
        _place: Box::new(()),
    }
}

macro_rules! conforms {
    ($back_end:ident) => {
        conforms! { $back_end:
            reading::a_manifest_is_made_only_if_there_is_none,
            reading::of_twenty_that_start_at_once_all_get_the_same_manifest,
            reading::what_was_never_written_is_none,
            reading::a_snapshot_gives_what_was_committed,
            reading::a_read_past_the_end_is_an_error,
            reading::a_snapshot_stays_as_it_is_while_a_commit_replaces_it,
            reading::a_version_tells_a_state_from_the_next_and_from_nothing_else,
            reading::partitions_are_listed_in_order_once_written,
            changes::a_change_begins_from_what_is_there,
            changes::a_dropped_change_changes_nothing_and_frees_the_partition,
            changes::a_commit_puts_its_parts_one_after_the_other,
            changes::of_two_changes_begun_at_once_exactly_one_commits,
            changes::changes_of_different_partitions_do_not_conflict,
            changes::nobody_who_reads_waits_for_a_change,
            changes::confirming_leaves_the_bytes_and_frees_the_partition,
            races::no_increment_is_lost,
            races::no_profile_is_lost,
            races::a_reader_sees_whole_states_only,
        }
    };
    ($back_end:ident: $($theme:ident::$claim:ident),* $(,)?) => {
        mod $back_end {
            $(#[test]
            fn $claim() {
                let fresh = super::$back_end();
                super::$theme::$claim(&fresh.store);
            })*
        }
    };
}

conforms!(local);
conforms!(memory);

fn partition(number: u16) -> dex_dir::partition::Partition {
    dex_dir::partition::Partition::from_number(number).expect("a partition")
}
