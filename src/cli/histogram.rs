//! A small histogram as lines of text that fit a terminal. Pure.

use std::collections::BTreeMap;

/// About so many lines are drawn.
const BUCKETS: u64 = 10;

/// How often `figures` fall where, one line each, no wider than `width` as long as the numbers
/// themselves aren't.
pub(super) fn lines(figures: &[u64], width: usize) -> Vec<String> {
    let (Some(&least), Some(&most)) = (figures.iter().min(), figures.iter().max()) else {
        return Vec::new();
    };
    let step = round_step((most - least) / BUCKETS + 1);
    let mut counts: BTreeMap<u64, usize> = (least / step..=most / step).map(|b| (b, 0)).collect();
    for figure in figures {
        *counts.entry(figure / step).or_default() += 1;
    }
    let rows: Vec<_> = counts
        .into_iter()
        .map(|(bucket, count)| (label(bucket, step), count))
        .collect();
    draw(&rows, width)
}

/// The first of 1, 2, 5, 10, 20, 50, … that is at least `step`, so that the buckets have round
/// bounds.
fn round_step(step: u64) -> u64 {
    let mut tens = 1;
    loop {
        match [1, 2, 5]
            .map(|digit| digit * tens)
            .into_iter()
            .find(|round| *round >= step)
        {
            Some(round) => return round,
            None if tens > u64::MAX / 100 => return step,
            None => tens *= 10,
        }
    }
}

fn label(bucket: u64, step: u64) -> String {
    let first = bucket * step;
    let last = first.saturating_add(step - 1);
    if first == last {
        first.to_string()
    } else {
        format!("{first}-{last}")
    }
}

fn draw(rows: &[(String, usize)], width: usize) -> Vec<String> {
    let widest = |lengths: &mut dyn Iterator<Item = usize>| lengths.max().unwrap_or(0);
    let labels = widest(&mut rows.iter().map(|(label, _)| label.len()));
    let counts = widest(&mut rows.iter().map(|(_, count)| count.to_string().len()));
    let most = widest(&mut rows.iter().map(|(_, count)| *count)).max(1);
    let room = width.saturating_sub(labels + counts + 4);
    let line = |(label, count): &(String, usize)| {
        // Rounded up: what is there shows.
        let bar = "#".repeat((count * room).div_ceil(most));
        let line = format!("{label:>labels$}  {count:>counts$}  {bar}");
        line.trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_is_counted_and_gaps_show() {
        let lines = lines(&[1, 1, 1, 1, 2, 4], 14);
        assert_eq!(lines, ["1  4  ########", "2  1  ##", "3  0", "4  1  ##"]);
    }

    #[test]
    fn lines_fit_and_are_about_ten_however_far_the_figures_spread() {
        for most in [1, 9, 10, 99, 12_345, u64::MAX] {
            let figures: Vec<_> = (0..1000).map(|i| most / 1000 * i).chain([most]).collect();
            for width in [0, 40, 80, 200] {
                let lines = lines(&figures, width);
                assert!(lines.len() <= 11, "{lines:#?}");
                let longest = lines.iter().map(String::len).max().unwrap_or_default();
                assert!(longest <= width.max(48), "{lines:#?}");
            }
        }
    }

    #[test]
    fn nothing_has_no_histogram() {
        assert!(lines(&[], 80).is_empty());
    }
}
