//! The growth plot: figures by the size of the directory, both axes logarithmic, as an SVG file.

use crate::table::Unit;
use std::fmt::Write;

/// One kind of work.
pub struct Line {
    pub name: String,
    pub unit: Unit,
    pub points: Vec<Point>,
}

/// A figure at a size.
pub struct Point {
    pub size: usize,
    pub figure: f64,
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 320.0;
const MARGIN: f64 = 50.0;
const COLOURS: [&str; 3] = ["#0072b2", "#d55e00", "#009e73"];

/// Times above, rates below.
pub fn svg(lines: &[Line]) -> String {
    let (times, rates): (Vec<_>, Vec<_>) = lines
        .iter()
        .partition(|line| matches!(line.unit, Unit::Milliseconds));
    let total = HEIGHT * 2.0;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {total}\" \
         font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    panel(&mut out, "milliseconds a process", &times, 0.0);
    panel(&mut out, "answers a second", &rates, HEIGHT);
    out.push_str("</svg>\n");
    out
}

/// Where sizes and figures come to stand.
struct Axes {
    sizes: (f64, f64),
    figures: (f64, f64),
    top: f64,
}

impl Axes {
    fn of(lines: &[&Line], top: f64) -> Self {
        let points = || lines.iter().flat_map(|line| &line.points);
        let range = |figures: &mut dyn Iterator<Item = f64>| {
            let all = figures.fold((f64::INFINITY, 0.0), |(low, high): (f64, f64), figure| {
                (low.min(figure), high.max(figure))
            });
            // Whole powers of ten, so that the axis has labels.
            (all.0.log10().floor(), all.1.log10().floor() + 1.0)
        };
        let sizes = points().map(|point| (point.size as f64).log10());
        let (low, high) = sizes.fold((f64::INFINITY, 0.0_f64), |(low, high), size| {
            (low.min(size), high.max(size))
        });
        let figures = range(&mut points().map(|point| point.figure));
        Self {
            sizes: (low, high),
            figures,
            top,
        }
    }

    fn x(&self, size: f64) -> f64 {
        let width = WIDTH - 4.0 * MARGIN;
        MARGIN + width * (size.log10() - self.sizes.0) / (self.sizes.1 - self.sizes.0)
    }

    fn y(&self, figure: f64) -> f64 {
        let height = HEIGHT - 2.0 * MARGIN;
        let part = (figure.log10() - self.figures.0) / (self.figures.1 - self.figures.0);
        self.top + HEIGHT - MARGIN - height * part
    }
}

fn panel(out: &mut String, title: &str, lines: &[&Line], top: f64) {
    let Some(first) = lines.first() else { return };
    let axes = Axes::of(lines, top);
    text(out, MARGIN, top + MARGIN / 2.0, title);
    let mut power = axes.figures.0;
    while power <= axes.figures.1 {
        let (figure, y) = (10_f64.powf(power), axes.y(10_f64.powf(power)));
        rule(out, axes.x(first.points[0].size as f64), y);
        text(out, 2.0, y + 4.0, &figure.to_string());
        power += 1.0;
    }
    for point in &first.points {
        let x = axes.x(point.size as f64);
        text(
            out,
            x - 12.0,
            top + HEIGHT - MARGIN / 2.0,
            &point.size.to_string(),
        );
    }
    for (place, (line, colour)) in lines.iter().zip(COLOURS).enumerate() {
        draw(out, &axes, line, colour);
        let y = top + MARGIN + 18.0 * place as f64;
        name(out, y, &line.name, colour);
    }
}

fn draw(out: &mut String, axes: &Axes, line: &Line, colour: &str) {
    let place = |point: &Point| (axes.x(point.size as f64), axes.y(point.figure));
    let places: Vec<_> = line.points.iter().map(place).collect();
    let path = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}"));
    let path = path.collect::<Vec<_>>().join(" ");
    writeln!(
        out,
        "<polyline points=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>"
    )
    .ok();
}

/// In the line's colour, beside the panel, where no other name is.
fn name(out: &mut String, y: f64, name: &str, colour: &str) {
    let x = WIDTH - 2.6 * MARGIN;
    writeln!(
        out,
        "<text x=\"{x}\" y=\"{y}\" fill=\"{colour}\">{name}</text>"
    )
    .ok();
}

fn rule(out: &mut String, x: f64, y: f64) {
    let end = WIDTH - 3.0 * MARGIN;
    writeln!(out, "<path d=\"M{x:.1} {y:.1}H{end}\" stroke=\"#ddd\"/>").ok();
}

fn text(out: &mut String, x: f64, y: f64, text: &str) {
    writeln!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\">{text}</text>").ok();
}
