//! How large a directory is and how evenly it is filled. Knows sizes and numbers, no addresses.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::directory::Directory;
use crate::document::Document;
use crate::error::Error;
use crate::in_order::in_order;
use crate::partition::Partition;

/// The figures of a directory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Stats {
    /// All profiles.
    pub profiles: u64,
    /// The bytes of all partition files.
    pub bytes: u64,
    /// How many partitions have been written, of [`Partition::COUNT`].
    pub partitions_written: usize,
    /// How many of these couldn't be counted: corrupt ones, of which only the bytes are known, and
    /// ones that can't be read.
    pub not_counted: usize,
    /// The profiles of a written partition; `None` if there are none.
    pub profiles_per_partition: Option<Spread>,
    /// The bytes of a written partition, which is what the next save to it rewrites; `None` if there
    /// are none.
    pub bytes_per_partition: Option<Spread>,
    /// What each written partition holds.
    pub by_partition: BTreeMap<Partition, Size>,
}

/// What one partition holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Size {
    /// The length of its file; `None` if that can't be read.
    pub bytes: Option<u64>,
    /// Its profiles; `None` if they can't be counted.
    pub profiles: Option<u64>,
}

/// How a figure is spread over the written partitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Spread {
    /// The smallest.
    pub minimum: u64,
    /// The one in the middle; of two, the smaller.
    pub median: u64,
    /// The largest.
    pub maximum: u64,
    /// The first partition with the largest.
    pub maximum_in: Partition,
}

/// The bytes of each partition file alone, which a back end knows without reading any.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Sizes {
    /// All of them.
    pub bytes: u64,
    /// Those of each partition that has been written.
    pub bytes_by_partition: BTreeMap<Partition, u64>,
}

impl Sizes {
    /// Asks for the size of each partition, without a lock.
    pub fn of(directory: &Directory) -> Result<Self, Error> {
        let mut sizes = Self::default();
        for partition in directory.store().list()? {
            // One that was removed since it was listed has none.
            if let Some(snapshot) = directory.store().open(partition)? {
                sizes.bytes += snapshot.size();
                sizes.bytes_by_partition.insert(partition, snapshot.size());
            }
        }
        Ok(sizes)
    }
}

impl Stats {
    /// Reads all partitions, with all cores and without a lock. What can't be counted goes to `report`,
    /// and the others go on.
    pub fn of(directory: &Directory, report: &mut dyn FnMut(Error)) -> Result<Self, Error> {
        let mut by_partition = BTreeMap::new();
        let partitions = directory.store().list()?;
        let work = |partition: &Partition| (*partition, measure(directory, *partition));
        in_order(&partitions, work, |(partition, (size, error))| {
            by_partition.extend(size.map(|size| (partition, size)));
            error.into_iter().for_each(&mut *report);
            Ok(())
        })
        .map(|()| Self::over(by_partition))
    }

    fn over(by_partition: BTreeMap<Partition, Size>) -> Self {
        let profiles = figures(&by_partition, |size| size.profiles);
        let bytes = figures(&by_partition, |size| size.bytes);
        let sum = |figures: &[(u64, Partition)]| figures.iter().map(|(figure, _)| figure).sum();
        Self {
            profiles: sum(&profiles),
            bytes: sum(&bytes),
            partitions_written: by_partition.len(),
            not_counted: by_partition.len() - profiles.len(),
            profiles_per_partition: Spread::of(profiles),
            bytes_per_partition: Spread::of(bytes),
            by_partition,
        }
    }
}

/// What a partition holds, as far as that can be told, and why no more can. Nothing of both if it
/// was removed since it was listed.
fn measure(directory: &Directory, partition: Partition) -> (Option<Size>, Option<Error>) {
    let unknown = Size {
        bytes: None,
        profiles: None,
    };
    let opened = directory.store().open(partition);
    let bytes = match opened.and_then(|snapshot| snapshot.map(|s| s.read()).transpose()) {
        Ok(Some(bytes)) => bytes,
        Ok(None) => return (None, None),
        Err(error) => return (Some(unknown), Some(error.into())),
    };
    let (profiles, error) = match Document::parse(&bytes) {
        Ok(document) => (Some(document.count() as u64), None),
        Err(corrupt) => (None, Some(directory.corrupt(partition)(corrupt))),
    };
    let bytes = Some(bytes.len() as u64);
    (Some(Size { bytes, profiles }), error)
}

fn figures(
    sizes: &BTreeMap<Partition, Size>,
    figure: impl Fn(&Size) -> Option<u64>,
) -> Vec<(u64, Partition)> {
    let known = |(partition, size): (&Partition, &Size)| Some((figure(size)?, *partition));
    sizes.iter().filter_map(known).collect()
}

impl Spread {
    /// The spread of these figures of partitions.
    fn of(mut figures: Vec<(u64, Partition)>) -> Option<Self> {
        // Of equal ones the first partition comes last.
        figures.sort_by_key(|&(figure, partition)| (figure, std::cmp::Reverse(partition)));
        let (maximum, maximum_in) = *figures.last()?;
        let median = figures[(figures.len() - 1) / 2].0;
        Some(Self {
            minimum: figures[0].0,
            median,
            maximum,
            maximum_in,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spread(figures: &[u64]) -> Option<Spread> {
        let partitions = (0..).filter_map(Partition::from_number);
        Spread::of(figures.iter().copied().zip(partitions).collect())
    }

    #[test]
    fn the_median_is_a_figure_that_occurs_and_the_first_largest_is_named() {
        let expected = |[minimum, median, maximum]: [u64; 3], number| {
            Some(Spread {
                minimum,
                median,
                maximum,
                maximum_in: Partition::from_number(number).expect("a partition"),
            })
        };
        assert_eq!(spread(&[]), None);
        assert_eq!(spread(&[7]), expected([7, 7, 7], 0));
        assert_eq!(spread(&[9, 1, 9, 2]), expected([1, 2, 9], 0));
        assert_eq!(spread(&[5, 1, 9, 2, 9]), expected([1, 5, 9], 2));
    }
}
