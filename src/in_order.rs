//! Work on many things with all cores, and its results in the order of the things. At no time are
//! there more things under way than threads.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread;

/// Does `work` with each of `items` and gives the results to `each`, in order, as they come. The
/// first error of `each` ends it.
pub(crate) fn in_order<T: Sync, R: Send, E>(
    items: &[T],
    work: impl Fn(&T) -> R + Sync,
    each: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        // Bounded, so that results don't pile up before whoever is slow to take them.
        let (sender, receiver) = mpsc::sync_channel(threads);
        for _ in 0..threads.min(items.len()) {
            let (sender, next, work) = (sender.clone(), &next, &work);
            scope.spawn(move || {
                while let Some((turn, item)) = take(items, next)
                    && sender.send((turn, work(item))).is_ok()
                {}
            });
        }
        drop(sender);
        deliver(receiver, each)
    })
}

fn take<'i, T>(items: &'i [T], next: &AtomicUsize) -> Option<(usize, &'i T)> {
    let turn = next.fetch_add(1, Ordering::Relaxed);
    Some((turn, items.get(turn)?))
}

fn deliver<R, E>(
    results: Receiver<(usize, R)>,
    mut each: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let mut early = BTreeMap::new();
    let mut turn = 0;
    for (its_turn, result) in results {
        early.insert(its_turn, result);
        while let Some(result) = early.remove(&turn) {
            each(result)?;
            turn += 1;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let items: Vec<u64> = (0..100).collect();
        let slow_at_times = |item: &u64| {
            thread::sleep(Duration::from_micros(item % 7 * 100));
            *item
        };
        let mut results = Vec::new();
        let done = in_order(&items, slow_at_times, |result| {
            results.push(result);
            Ok::<_, ()>(())
        });
        assert_eq!((done, results), (Ok(()), items));
    }

    #[test]
    fn the_first_error_ends_it() {
        let items: Vec<u64> = (0..100).collect();
        let stop_at_three = |item| if item == 3 { Err(item) } else { Ok(()) };
        assert_eq!(in_order(&items, |item| *item, stop_at_three), Err(3));
    }
}
