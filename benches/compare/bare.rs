//! The bare system calls of a save, with no program around them: the limit for any durable save
//! that replaces a file.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Barrier;
use std::thread::{self, ScopedJoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use rustix::fs::{FlockOperation, flock};

/// The files of one writer: data, lock and temporary file in a directory of many.
pub struct Bare {
    folder: PathBuf,
    data: PathBuf,
    lock: PathBuf,
    temporary: PathBuf,
    buffer: Vec<u8>,
}

impl Bare {
    /// Makes the files of this number, holding `bytes`.
    pub fn new(folder: &Path, number: usize, bytes: &[u8]) -> Result<Self> {
        fs::create_dir_all(folder)?;
        let path = |kind: &str| folder.join(format!("{number}.{kind}"));
        let (data, lock, temporary) = (path("json"), path("lock"), path("tmp"));
        fs::write(&data, bytes)?;
        fs::write(&lock, "")?;
        Ok(Self {
            folder: folder.to_owned(),
            data,
            lock,
            temporary,
            buffer: Vec::new(),
        })
    }

    /// Locks, reads, writes a temporary file, syncs it, renames it over the data, syncs the
    /// directory.
    pub fn save(&mut self) -> Result<()> {
        let lock = OpenOptions::new().read(true).write(true).open(&self.lock)?;
        flock(&lock, FlockOperation::NonBlockingLockExclusive)?;
        self.buffer.clear();
        File::open(&self.data)?.read_to_end(&mut self.buffer)?;
        let mut temporary = File::create_new(&self.temporary)?;
        temporary.write_all(&self.buffer)?;
        temporary.sync_all()?;
        let folder = File::open(&self.folder)?;
        fs::rename(&self.temporary, &self.data)?;
        folder.sync_all()?;
        Ok(())
    }

    /// Saves once and gives the time.
    pub fn timed(&mut self) -> Result<Duration> {
        let begun = Instant::now();
        self.save()?;
        Ok(begun.elapsed())
    }
}

/// Saves a second of as many threads as there are `bares`, each in its own files.
pub fn saves_a_second(bares: &mut [Bare], time: Duration) -> Result<f64> {
    let together = Barrier::new(bares.len());
    let rates: Vec<Result<f64>> = thread::scope(|scope| {
        let started = bares.iter_mut().map(|bare| {
            let together = &together;
            scope.spawn(move || {
                together.wait();
                rate(bare, time)
            })
        });
        let threads: Vec<_> = started.collect();
        let ended = threads.into_iter().map(ScopedJoinHandle::join);
        ended
            .map(|rate| rate.unwrap_or_else(|_| Err(anyhow!("a writer panicked"))))
            .collect()
    });
    rates.into_iter().sum()
}

fn rate(bare: &mut Bare, time: Duration) -> Result<f64> {
    let begun = Instant::now();
    let mut saves = 0_u32;
    while begun.elapsed() < time {
        bare.save()?;
        saves += 1;
    }
    Ok(f64::from(saves) / begun.elapsed().as_secs_f64())
}
