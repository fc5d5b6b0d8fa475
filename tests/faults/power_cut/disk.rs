//! A disk that loses in part what was not synced, as far as POSIX leaves it open.
//!
//! A sync of a file makes the file's bytes safe, not its name; a sync of a directory makes the names in
//! it safe. Of what is not safe, each name holds any of the files that it has held since its directory
//! was synced, whatever the others hold, and each block of a file is there, or full of zeros, or cut off.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

use super::contents::Contents;
use super::steps::{Operation, Step};
use crate::tree::Tree;

/// Which file or directory, whatever its names.
type Id = usize;

/// The root of the disk.
const ROOT: Id = 0;

/// All files and directories that there ever were.
#[derive(Clone, Debug)]
pub struct Disk {
    nodes: Vec<Node>,
}

#[derive(Clone, Debug)]
enum Node {
    File(Contents),
    Directory(BTreeMap<OsString, Name>),
}

/// What a name has held since its directory was synced: first what is safe, last what is seen.
#[derive(Clone, Debug)]
pub struct Name {
    held: Vec<Held>,
}

#[derive(Clone, Debug)]
struct Held {
    id: Option<Id>,
    /// The place in the trace where the call ended that made it so.
    since: usize,
}

impl Disk {
    /// A disk on which all of `tree` is safe.
    pub fn new(tree: &Tree) -> Self {
        let mut disk = Self {
            nodes: vec![Node::Directory(BTreeMap::new())],
        };
        for (path, bytes) in &tree.0 {
            let node = match bytes {
                Some(bytes) => Node::File(Contents::safe(bytes.clone())),
                None => Node::Directory(BTreeMap::new()),
            };
            let id = Some(disk.add(node));
            let name = Name {
                held: vec![Held { id, since: 0 }],
            };
            disk.directory(parent(path)).insert(file_name(path), name);
        }
        disk
    }

    /// What a call does that has begun. It may be in part on the disk from now on.
    pub fn begin(&mut self, step: &Step) {
        match &step.operation {
            Operation::Create(path) if self.find(path).is_none() => {
                self.make(path, Node::File(Contents::safe(Vec::new())), step.ended);
            }
            Operation::MakeDirectory(path) => {
                self.make(path, Node::Directory(BTreeMap::new()), step.ended);
            }
            Operation::Write(path, bytes) => {
                let id = self.find(path).expect("a file");
                let Node::File(contents) = &mut self.nodes[id] else {
                    panic!("{} is a directory", path.display());
                };
                contents.append(bytes, step.ended);
            }
            Operation::Rename(from, to) => {
                let id = self.find(from);
                self.hold(to, id, step.ended);
                self.hold(from, None, step.ended);
            }
            Operation::Remove(path) => self.hold(path, None, step.ended),
            Operation::Create(_) | Operation::Sync(_) | Operation::Report => {}
        }
    }

    /// What a call has done that has ended: what was done before it began is safe after a sync.
    pub fn end(&mut self, step: &Step) {
        if let Operation::Sync(path) = &step.operation {
            let id = self.find(path).expect("what is synced");
            match &mut self.nodes[id] {
                Node::File(contents) => contents.sync(step.begun),
                Node::Directory(names) => names.values_mut().for_each(|name| name.sync(step.begun)),
            }
        }
    }

    /// All names and files that aren't safe, with what each may hold after a power cut.
    pub fn unsafe_parts(&self) -> Vec<Part> {
        let parts = self.nodes.iter().enumerate();
        let parts = parts.flat_map(|(id, node)| match node {
            Node::File(contents) => vec![Part::File(id, contents.possible())],
            Node::Directory(names) => {
                let names = names.iter();
                let names = names.map(|(name, held)| Part::Name(id, name.clone(), held.possible()));
                names.collect()
            }
        });
        parts.filter(|part| part.choices() > 1).collect()
    }

    /// What there is if each of `parts` holds what was chosen for it, and all else what is safe.
    pub fn after_power_cut(&self, parts: &[Part], choice: &[usize]) -> Tree {
        let mut left = Left {
            disk: self,
            files: BTreeMap::new(),
            names: BTreeMap::new(),
            tree: Tree::default(),
        };
        for (part, &choice) in parts.iter().zip(choice) {
            match part {
                Part::File(id, contents) => drop(left.files.insert(*id, &contents[choice])),
                Part::Name(directory, name, ids) => {
                    left.names.insert((*directory, name), ids[choice]);
                }
            }
        }
        left.collect(ROOT, Path::new(""));
        left.tree
    }

    fn add(&mut self, node: Node) -> Id {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    fn make(&mut self, path: &Path, node: Node, since: usize) {
        let id = self.add(node);
        self.hold(path, Some(id), since);
    }

    fn hold(&mut self, path: &Path, id: Option<Id>, since: usize) {
        let name = self.directory(parent(path)).entry(file_name(path));
        let name = name.or_insert_with(|| Name {
            held: vec![Held { id: None, since: 0 }],
        });
        name.held.push(Held { id, since });
    }

    /// What is seen at a path, while the power is on.
    fn find(&self, path: &Path) -> Option<Id> {
        path.iter()
            .try_fold(ROOT, |id, name| match &self.nodes[id] {
                Node::Directory(names) => names.get(name)?.seen(),
                Node::File(_) => None,
            })
    }

    fn directory(&mut self, path: &Path) -> &mut BTreeMap<OsString, Name> {
        let id = self.find(path).expect("a directory");
        match &mut self.nodes[id] {
            Node::Directory(names) => names,
            Node::File(_) => panic!("{} is a file", path.display()),
        }
    }
}

impl Name {
    fn seen(&self) -> Option<Id> {
        self.held.last()?.id
    }

    fn sync(&mut self, begun: usize) {
        let safe = self.held.iter().rposition(|held| held.since < begun);
        self.held.drain(..safe.unwrap_or(0));
    }

    fn possible(&self) -> Vec<Option<Id>> {
        self.held.iter().map(|held| held.id).collect()
    }
}

/// What a power cut leaves of a disk: what is safe, but for what was chosen.
struct Left<'a> {
    disk: &'a Disk,
    files: BTreeMap<Id, &'a [u8]>,
    names: BTreeMap<(Id, &'a OsString), Option<Id>>,
    tree: Tree,
}

impl Left<'_> {
    fn collect(&mut self, directory: Id, path: &Path) {
        let disk = self.disk;
        let Node::Directory(names) = &disk.nodes[directory] else {
            return;
        };
        for (name, held) in names {
            let chosen = self.names.get(&(directory, name)).copied();
            let Some(id) = chosen.unwrap_or_else(|| held.seen()) else {
                continue;
            };
            let path = path.join(name);
            let bytes = match &disk.nodes[id] {
                Node::File(contents) => Some(self.bytes(id, contents)),
                Node::Directory(_) => None,
            };
            self.tree.0.insert(path.clone(), bytes);
            self.collect(id, &path);
        }
    }

    fn bytes(&self, id: Id, contents: &Contents) -> Vec<u8> {
        let chosen = self.files.get(&id).map(|bytes| bytes.to_vec());
        chosen.unwrap_or_else(|| contents.seen())
    }
}

/// Something that isn't safe, and what it may hold.
#[derive(Clone, Debug)]
pub enum Part {
    File(Id, Vec<Vec<u8>>),
    Name(Id, OsString, Vec<Option<Id>>),
}

impl Part {
    /// How many there are to choose from: the first is what is safe, the last what is seen.
    pub fn choices(&self) -> usize {
        match self {
            Self::File(_, contents) => contents.len(),
            Self::Name(_, _, ids) => ids.len(),
        }
    }
}

fn parent(path: &Path) -> &Path {
    path.parent().expect("a path below the root")
}

fn file_name(path: &Path) -> OsString {
    path.file_name().expect("a name").to_owned()
}
