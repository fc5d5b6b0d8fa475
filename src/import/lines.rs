//! JSON Lines, cut into blocks at line ends and left unread otherwise: the lines are told apart on
//! all cores.

use std::io::Read;

use super::block::Block;
use super::guard::MAX_RECORD_BYTES;
use super::{Import, ImportError};

/// The bytes of a block, unless a single line is longer.
const BLOCK_BYTES: usize = 256 << 10;

/// Reads all lines of `input`.
pub(super) fn read(mut input: impl Read, import: &mut Import<'_>) -> Result<(), ImportError> {
    let mut begun = Vec::new();
    while fill(&mut begun, &mut input, import)? {
        import.guard.mark();
        let Some(end) = begun.iter().rposition(|&b| b == b'\n') else {
            if begun.len() as u64 > MAX_RECORD_BYTES {
                skip_line(&mut begun, &mut input, import)?;
            }
            continue;
        };
        let rest = begun.split_off(end + 1);
        import.push(Block::Lines(std::mem::replace(&mut begun, rest)))?;
    }
    if begun.is_empty() {
        Ok(())
    } else {
        import.push(Block::Lines(begun))
    }
}

/// Reads on until there is a block's worth more; false at the end of the input.
fn fill(
    begun: &mut Vec<u8>,
    input: &mut impl Read,
    import: &mut Import<'_>,
) -> Result<bool, ImportError> {
    import.check()?;
    begun.reserve(BLOCK_BYTES);
    let mut more = input.take(BLOCK_BYTES as u64);
    match more.read_to_end(begun) {
        Ok(read) => Ok(read > 0),
        Err(error) => Err(ImportError::Read(error)),
    }
}

/// Passes over the rest of a line that is too long to keep.
fn skip_line(
    begun: &mut Vec<u8>,
    input: &mut impl Read,
    import: &mut Import<'_>,
) -> Result<(), ImportError> {
    loop {
        begun.clear();
        let goes_on = fill(begun, input, import)?;
        import.guard.mark();
        if let Some(end) = begun.iter().position(|&b| b == b'\n') {
            begun.drain(..=end);
            break;
        }
        if !goes_on {
            break;
        }
    }
    import.push(Block::TooLongLine)
}
