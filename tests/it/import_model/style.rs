//! Records, and the ways in which they may be written down.

use dex_dir::email::CanonicalEmail;
use dex_dir::import::Format;
use dex_dir::profile::Field;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// One record: whose it is, in which spelling, and with which name. An address that isn't ASCII
/// makes it a bad one.
#[derive(Clone, Debug)]
pub struct Record {
    pub address: &'static str,
    name: String,
}

impl Record {
    pub fn email(&self) -> Option<CanonicalEmail> {
        CanonicalEmail::parse(self.address).ok()
    }

    pub fn values(&self) -> [&str; 4] {
        [self.address, &self.name, "Acme, \"Inc\"", "gold"]
    }
}

pub fn records() -> impl Strategy<Value = Vec<Record>> {
    const ADDRESSES: [&str; 6] = [
        "a@example.com",
        " A@Example.COM\t",
        "\"b\\c,d\"@example.com",
        "b@example.com",
        "josé@example.com",
        "  ",
    ];
    const NAMES: [&str; 6] = ["N", "Zoë 😀", "a,\"b\"", "\u{1}", "line\nbreak", "'"];
    let record = (select(&ADDRESSES[..]), select(&NAMES[..]), 0..3_u8);
    let record = record.prop_map(|(address, name, i)| Record {
        address,
        name: format!("{name}{i}"),
    });
    vec(record, 0..12)
}

/// How records are written down.
#[derive(Clone, Debug)]
pub struct Style {
    pub format: Format,
    has_mark: bool,
    line_end: &'static str,
    ends_with_line_end: bool,
    /// What stands between records or tokens; its first part that suits the format is used.
    gaps: Vec<&'static str>,
    first_field: usize,
}

pub fn styles() -> impl Strategy<Value = Style> {
    (
        select(&[Format::JsonLines, Format::Json, Format::Csv][..]),
        any::<bool>(),
        select(&["\n", "\r\n"][..]),
        any::<bool>(),
        vec(select(&["", " ", "\t ", "\n", "\r\n\n"][..]), 1..5),
        0..4_usize,
    )
        .prop_map(
            |(format, has_mark, line_end, ends_with_line_end, gaps, first_field)| Style {
                format,
                has_mark,
                line_end,
                ends_with_line_end,
                gaps,
                first_field,
            },
        )
}

impl Style {
    /// The input, and on which line each record begins.
    pub fn write(&self, records: &[Record]) -> (String, Vec<u64>) {
        let mut text = String::new();
        match self.format {
            Format::JsonLines => self.write_lines(records, &mut text),
            Format::Json => self.write_array(records, &mut text),
            Format::Csv => self.write_table(records, &mut text),
        }
    }

    fn fields(&self) -> [Field; 4] {
        let mut fields = Field::ALL;
        fields.rotate_left(self.first_field);
        fields
    }

    fn gap(&self, i: usize) -> &'static str {
        self.gaps[i % self.gaps.len()]
    }

    fn object(&self, record: &Record, gap: &str) -> String {
        let values = record.values();
        let member = |field: Field| {
            let value = serde_json::Value::from(values[field as usize]);
            format!("{gap}\"{field}\"{gap}:{gap}{value}{gap}")
        };
        format!("{{{}}}", self.fields().map(member).join(","))
    }

    fn begin(&self, text: &mut String) {
        if self.has_mark {
            text.push('\u{feff}');
        }
    }

    fn write_lines(&self, records: &[Record], text: &mut String) -> (String, Vec<u64>) {
        self.begin(text);
        let mut places = Vec::new();
        for (i, record) in records.iter().enumerate() {
            if self.gap(i).contains('\n') {
                text.push_str(self.line_end);
            }
            places.push(line_after(text));
            let gap = self.gap(i).trim_end_matches(['\r', '\n']);
            text.push_str(&self.object(record, gap));
            if i + 1 < records.len() || self.ends_with_line_end {
                text.push_str(self.line_end);
            }
        }
        (std::mem::take(text), places)
    }

    fn write_array(&self, records: &[Record], text: &mut String) -> (String, Vec<u64>) {
        self.begin(text);
        text.push('[');
        let mut places = Vec::new();
        for (i, record) in records.iter().enumerate() {
            text.push_str(self.gap(i));
            text.push_str(if i > 0 { "," } else { "" });
            text.push_str(self.gap(i + 1));
            places.push(line_after(text));
            text.push_str(&self.object(record, self.gap(i)));
        }
        text.push_str(self.gap(0));
        text.push(']');
        (std::mem::take(text), places)
    }

    fn write_table(&self, records: &[Record], text: &mut String) -> (String, Vec<u64>) {
        self.begin(text);
        let row = |cells: [String; 4]| cells.map(|cell| cell.replace('"', "\"\""));
        let row = |cells| row(cells).map(|cell| format!("\"{cell}\"")).join(",");
        text.push_str(&row(self.fields().map(|field| field.name().to_owned())));
        let mut places = Vec::new();
        for record in records {
            text.push_str(self.line_end);
            places.push(line_after(text));
            let values = record.values();
            text.push_str(&row(self.fields().map(|f| values[f as usize].to_owned())));
        }
        if self.ends_with_line_end {
            text.push_str(self.line_end);
        }
        (std::mem::take(text), places)
    }
}

/// The number of the line that `text` ends in.
fn line_after(text: &str) -> u64 {
    1 + text.matches('\n').count() as u64
}
