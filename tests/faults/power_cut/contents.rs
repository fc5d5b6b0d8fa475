//! The bytes of one file, of which those that weren't synced may be lost block by block.

/// What a disk writes as one, or not at all.
const BLOCK: usize = 512;

/// The bytes that are safe, and what was written after them since.
#[derive(Clone, Debug)]
pub struct Contents {
    safe: Vec<u8>,
    written: Vec<(Vec<u8>, usize)>,
}

impl Contents {
    pub fn safe(bytes: Vec<u8>) -> Self {
        Self {
            safe: bytes,
            written: Vec::new(),
        }
    }

    /// Writes to the end, by a call that ended at this place in the trace.
    pub fn append(&mut self, bytes: &[u8], ended: usize) {
        self.written.push((bytes.to_vec(), ended));
    }

    /// Makes safe what was written before a call that began at this place.
    pub fn sync(&mut self, begun: usize) {
        let is_covered = |(_, ended): &(Vec<u8>, usize)| *ended < begun;
        let covered = self.written.iter().take_while(|w| is_covered(w)).count();
        let covered = self.written.drain(..covered);
        self.safe.extend(covered.flat_map(|(bytes, _)| bytes));
    }

    /// What is seen while the power is on.
    pub fn seen(&self) -> Vec<u8> {
        let written = self.written.iter().flat_map(|(bytes, _)| bytes);
        self.safe.iter().chain(written).copied().collect()
    }

    /// What may be there after a power cut: cut off at a block's end or near its own ends, and each
    /// block that was being written is there or full of zeros. The first is what is safe, the last
    /// what is seen.
    pub fn possible(&self) -> Vec<Vec<u8>> {
        let seen = self.seen();
        let ends = (0..=seen.len()).filter(|end| {
            let is_near = *end == 1 || *end + 1 >= seen.len();
            *end > self.safe.len() && (is_near || end % BLOCK == 0)
        });
        let mut possible = vec![self.safe.clone()];
        for end in ends {
            possible.extend(self.with_blocks_lost(&seen[..end]));
        }
        possible
    }

    /// `bytes` with each choice of the blocks that aren't safe full of zeros, at last none.
    fn with_blocks_lost<'b>(&self, bytes: &'b [u8]) -> impl Iterator<Item = Vec<u8>> + use<'b> {
        let first = self.safe.len();
        let blocks = (bytes.len() - first).div_ceil(BLOCK);
        assert!(blocks <= 8, "too many states: {blocks} blocks");
        (0..1_u32 << blocks).rev().map(move |lost| {
            let mut bytes = bytes.to_vec();
            for (i, block) in bytes[first..].chunks_mut(BLOCK).enumerate() {
                if lost >> i & 1 == 1 {
                    block.fill(0);
                }
            }
            bytes
        })
    }
}
