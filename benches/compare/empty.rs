//! The empty program: what the system takes to start and end any process.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::process;

/// Compiles the empty C program, statically linked as ours is; nothing without a compiler.
pub fn compile(folder: &Path) -> Result<Option<PathBuf>> {
    if !process::is_there("cc") {
        return Ok(None);
    }
    let (source, program) = (folder.join("empty.c"), folder.join("empty"));
    std::fs::write(&source, "int main(void) { return 0; }\n")?;
    let mut compiler = Command::new("cc");
    process::output(
        compiler
            .args(["-O2", "-static", "-o"])
            .arg(&program)
            .arg(&source),
    )?;
    Ok(Some(program))
}
