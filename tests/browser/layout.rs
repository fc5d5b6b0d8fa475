//! How the page looks: wide and narrow, light and dark, with values as long as people make them.

use serde_json::{Value, json};

use crate::browser::{Browser, Look, in_browser};
use crate::harness::Sandbox;
use crate::server::Server;

/// The names of elements that leave the window or whose text is cut, and of controls without a name
/// or too small to hit.
const FAULTS: &str = r##"
    const faults = [];
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth > width) faults.push("the page scrolls sideways");
    for (const element of document.body.querySelectorAll("*")) {
        const box = element.getBoundingClientRect();
        if (!box.width || !box.height) continue;
        const name = element.tagName + "#" + element.id + " " + element.textContent.slice(0, 20);
        if (box.left < -0.5 || box.right > width + 0.5) faults.push(name + " leaves the window");
        const isField = element.matches("input");
        if (!isField && element.scrollWidth > element.clientWidth + 1 && element.clientWidth)
            faults.push(name + " is cut");
        if (!element.matches("input, button")) continue;
        const label = element.labels?.[0]?.textContent ?? element.textContent;
        if (!label.trim()) faults.push(name + " has no name");
        if (box.height < 24 || box.width < 24) faults.push(name + " is small");
    }
    return faults;
"##;

/// The texts whose contrast with what is behind them is below 4.5, after WCAG 2.
const PALE: &str = r#"
    const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const rgb = (color) => {
        context.clearRect(0, 0, 1, 1);
        context.fillStyle = color;
        context.fillRect(0, 0, 1, 1);
        return [...context.getImageData(0, 0, 1, 1).data];
    };
    const luminance = ([r, g, b]) => {
        const part = (c) => ((c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
        return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
    };
    const behind = (element) => {
        for (; element; element = element.parentElement) {
            const color = rgb(getComputedStyle(element).backgroundColor);
            if (color[3] === 255) return color;
        }
        return [255, 255, 255, 255];
    };
    const pale = [];
    for (const element of document.body.querySelectorAll("*")) {
        const own = [...element.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
        if ((!own && !element.matches("input")) || !element.getClientRects().length) continue;
        const [a, b] = [rgb(getComputedStyle(element).color), behind(element)].map(luminance);
        const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (contrast < 4.5) pale.push(element.tagName + " " + element.textContent + ": " + contrast);
    }
    return pale;
"#;

/// The checks of axe-core (4.14.1, from npm; Mozilla Public License 2.0), which is used in this test alone.
const AXE: &str = include_str!("axe.min.js");

const RUN_AXE: &str = r#"
    const done = arguments[0];
    axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"] })
        .then(({ violations, passes }) => done({
            checks: passes.length,
            found: violations.flatMap(({ id, nodes }) => nodes.map((node) => id + ": " + node.html)),
        }));
"#;

async fn assert_sound(browser: &Browser, name: &str) {
    browser.screenshot(name).await;
    for script in [FAULTS, PALE] {
        assert_eq!(browser.run(script, vec![]).await, json!([]), "{name}");
    }
    browser.run(AXE, vec![]).await;
    let axe = browser.run_async(RUN_AXE, vec![]).await;
    assert!(
        axe["checks"].as_u64().is_some_and(|checks| checks > 10),
        "{axe}"
    );
    assert_eq!(axe["found"], json!([]), "{name}");
}

#[test]
fn nothing_overflows_or_is_cut_or_pale_in_any_state_or_width() {
    let sandbox = Sandbox::started();
    let address = format!("{}@example.com", "a-very-long-address".repeat(6));
    let name = "Donaudampfschifffahrtsgesellschaftskapitän ".repeat(8);
    sandbox.upsert(&address, &name, &[]);
    let server = Server::start(&sandbox);
    for is_phone in [false, true] {
        for is_dark in [false, true] {
            let width = if is_phone { "narrow" } else { "wide" };
            let light = if is_dark { "dark" } else { "light" };
            let named = |state: &str| format!("{width}-{light}-{state}");
            in_browser(Look { is_phone, is_dark }, async |browser| {
                browser.open(server.address).await;
                browser.wait_for("summary", "bytes in").await;
                let dark = "return matchMedia('(prefers-color-scheme: dark)').matches";
                assert_eq!(browser.run(dark, vec![]).await, Value::Bool(is_dark));
                assert_sound(browser, &named("start")).await;
                browser.look_up(&address, "Found.").await;
                assert_sound(browser, &named("found")).await;
                sandbox.upsert(&address, &format!("{name}{}", named("x")), &[]);
                browser.fill("fullName", "Mine").await;
                browser.press_button("Save").await;
                browser.wait_for("status", "Nothing was saved.").await;
                assert_sound(browser, &named("conflict")).await;
            });
        }
    }
}
