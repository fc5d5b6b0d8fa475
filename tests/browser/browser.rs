//! A browser on the page of a server.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use fantoccini::key::Key;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};

use crate::harness::{has_tools, project};

/// What the browser pretends to be.
#[derive(Clone, Copy, Default)]
pub struct Look {
    pub is_phone: bool,
    pub is_dark: bool,
}

/// A browser with one page open.
pub struct Browser {
    client: Client,
}

/// Lets `test` use a browser, and closes it whatever happens.
pub fn in_browser(look: Look, test: impl AsyncFnOnce(&Browser)) {
    if !has_tools(&["chromium", "chromedriver"]) {
        return;
    }
    let driver = Driver::start();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let browser = Browser {
            client: driver.client(look).await,
        };
        test(&browser).await;
        browser.client.close().await.expect("closed");
    });
}

/// The program that drives the browser; killing it ends both.
struct Driver {
    process: Child,
    port: u16,
}

impl Driver {
    fn start() -> Self {
        let mut command = Command::new("chromedriver");
        command
            .args(["--port=0"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut process = command.spawn().expect("it runs");
        let mut lines = BufReader::new(process.stdout.take().expect("a pipe")).lines();
        let port = lines.find_map(|line| {
            let line = line.expect("readable");
            let (_, port) = line.split_once("successfully on port ")?;
            port.trim_end_matches('.').parse().ok()
        });
        // Nobody reads on; what more it says is lost.
        std::thread::spawn(move || lines.for_each(drop));
        Self {
            process,
            port: port.expect("a port"),
        }
    }

    async fn client(&self, look: Look) -> Client {
        let mut args = vec![
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
        ];
        args.push("--window-size=1440,1000");
        if look.is_dark {
            args.push("--blink-settings=preferredColorScheme=0");
        }
        let mut options = json!({ "args": args });
        if look.is_phone {
            options["mobileEmulation"] =
                json!({ "deviceMetrics": { "width": 360, "height": 800, "pixelRatio": 2.0 } });
        }
        let capabilities = json!({ "goog:chromeOptions": options });
        let capabilities = capabilities.as_object().expect("an object").clone();
        let address = format!("http://127.0.0.1:{}", self.port);
        let mut client = ClientBuilder::new(HttpConnector::new());
        client
            .capabilities(capabilities)
            .connect(&address)
            .await
            .expect("a browser")
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // If the test failed its browser is still there.
        let _gone = self.process.kill();
        let _ended = self.process.wait();
    }
}

impl Browser {
    pub async fn open(&self, address: impl std::fmt::Display) {
        let address = format!("http://{address}/");
        self.client.goto(&address).await.expect("the page");
    }

    /// Runs a script and gives what it returns.
    pub async fn run(&self, script: &str, args: Vec<Value>) -> Value {
        self.client.execute(script, args).await.expect(script)
    }

    /// Runs a script that hands its answer to its last argument.
    pub async fn run_async(&self, script: &str, args: Vec<Value>) -> Value {
        self.client.execute_async(script, args).await.expect(script)
    }

    pub async fn press(&self, id: &str) {
        let element = self.client.find(Locator::Id(id)).await.expect(id);
        element.click().await.expect(id);
    }

    /// Presses the button with this text.
    pub async fn press_button(&self, text: &str) {
        let path = format!("//button[normalize-space()='{text}']");
        let button = self.client.find(Locator::XPath(&path)).await.expect(text);
        button.click().await.expect(text);
    }

    /// Puts `text` in the place of what is in a field.
    pub async fn fill(&self, id: &str, text: &str) {
        let field = self.client.find(Locator::Id(id)).await.expect(id);
        field.clear().await.expect(id);
        field.send_keys(text).await.expect(id);
    }

    /// Types into whatever has the focus.
    pub async fn type_keys(&self, keys: &str) {
        let focused = self.client.active_element().await.expect("a focus");
        focused.send_keys(keys).await.expect(keys);
    }

    pub async fn type_key(&self, key: Key) {
        self.type_keys(&char::from(key).to_string()).await;
    }

    pub async fn value(&self, id: &str) -> String {
        let script = "return document.getElementById(arguments[0]).value";
        let value = self.run(script, vec![id.into()]).await;
        value.as_str().expect("text").to_owned()
    }

    pub async fn text(&self, id: &str) -> String {
        let script = "return document.getElementById(arguments[0]).textContent";
        let text = self.run(script, vec![id.into()]).await;
        text.as_str().expect("text").to_owned()
    }

    /// The id of what has the focus.
    pub async fn focus(&self) -> String {
        let id = self.run("return document.activeElement.id", vec![]).await;
        id.as_str().expect("text").to_owned()
    }

    pub async fn is_shown(&self, id: &str) -> bool {
        let element = self.client.find(Locator::Id(id)).await.expect(id);
        element.is_displayed().await.expect(id)
    }

    /// Waits until an element's text has this in it.
    pub async fn wait_for(&self, id: &str, text: &str) {
        for _ in 0..600 {
            if self.text(id).await.contains(text) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("#{id} says {:?}, not {text:?}", self.text(id).await);
    }

    /// Looks an address up, and waits until the page says this.
    pub async fn look_up(&self, address: &str, said: &str) {
        self.fill("address", address).await;
        self.press_button("Look up").await;
        self.wait_for("status", said).await;
    }

    pub async fn screenshot(&self, name: &str) {
        let folder = project().join("target/screenshots");
        fs::create_dir_all(&folder).expect("a folder");
        let picture = self.client.screenshot().await.expect("a picture");
        fs::write(folder.join(format!("{name}.png")), picture).expect("written");
    }
}
