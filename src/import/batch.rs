//! A batch: the profiles that are saved together, by partition.

use super::records::{Record, Records};
use crate::partition::Partition;

/// Records by partition, each partition's in input order.
pub(super) struct Batch {
    /// The records as they were read: moving each to its partition's would take as long as reading it.
    blocks: Vec<Records>,
    /// Where each partition's are, by its number.
    partitions: Vec<Vec<At>>,
    bytes: usize,
}

/// The number of a block and that of a record in it.
type At = (usize, usize);

impl Default for Batch {
    fn default() -> Self {
        Self {
            blocks: Vec::new(),
            partitions: vec![Vec::new(); Partition::COUNT.into()],
            bytes: 0,
        }
    }
}

impl Batch {
    /// Adds records, each of which belongs to the partition at its place in `partitions`.
    pub(super) fn add(&mut self, records: Records, partitions: &[Partition]) {
        self.bytes += records.bytes() + records.len() * size_of::<At>();
        let block = self.blocks.len();
        for (record, partition) in partitions.iter().enumerate() {
            self.partitions[usize::from(partition.number())].push((block, record));
        }
        self.blocks.push(records);
    }

    /// How much memory it takes, about.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// How many records there are.
    pub(super) fn len(&self) -> u64 {
        self.blocks.iter().map(|block| block.len() as u64).sum()
    }

    /// The partitions that have records, in order.
    pub(super) fn partitions(&self) -> impl Iterator<Item = Partition> {
        let all = (0..Partition::COUNT).filter_map(Partition::from_number);
        all.filter(|&partition| !self.places(partition).is_empty())
    }

    fn places(&self, partition: Partition) -> &[At] {
        &self.partitions[usize::from(partition.number())]
    }

    /// A partition's records.
    pub(super) fn records(&self, partition: Partition) -> Vec<Record<'_>> {
        let record = |&(block, record): &At| self.blocks[block].get(record);
        self.places(partition).iter().map(record).collect()
    }
}
