//! The bytes at which the reading of a string has to stop, sixteen at a time: most of the time that it
//! takes to read a whole partition goes by here.

const BLOCK: usize = 16;

/// Where the first byte from `at` on is that can't stand for itself in a string: a quote, a backslash or
/// a control character.
#[inline]
pub(crate) fn special_from(bytes: &[u8], mut at: usize) -> Option<usize> {
    while let Some(block) = bytes.get(at..)?.first_chunk() {
        let marks = marks(block);
        if marks != 0 {
            return Some(at + marks.trailing_zeros() as usize / 8);
        }
        at += BLOCK;
    }
    Some(at + bytes[at..].iter().position(|&byte| is_special(byte))?)
}

fn is_special(byte: u8) -> bool {
    matches!(byte, 0..b' ' | b'"' | b'\\')
}

/// All bits of each byte that is special, the lowest for the first. Compilers make vector instructions of
/// this form.
#[inline]
fn marks(block: &[u8; BLOCK]) -> u128 {
    u128::from_le_bytes(block.map(|byte| if is_special(byte) { 0xFF } else { 0 }))
}
