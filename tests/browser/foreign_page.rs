//! A page that another server sent, and that may use the API.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::thread;

use crate::browser::{Browser, Look, in_browser};
use crate::client::{PROFILE, START};
use crate::harness::{ALICE, Sandbox, profile_json};
use crate::server::Server;

/// A server of empty pages.
fn elsewhere() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.expect("a connection");
            let _request = stream.read(&mut [0; 4096]);
            let page = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 0\r\n\
                Connection: close\r\n\r\n";
            let _gone = stream.write_all(page.as_bytes());
        }
    });
    address
}

const FETCH: &str = r#"
    const [url, options, done] = arguments;
    fetch(url, options)
        .then(async (answer) => done([answer.status, await answer.text(), answer.headers.get("etag")]))
        .catch((error) => done([0, String(error), null]));
"#;

async fn fetch(browser: &Browser, url: String, options: serde_json::Value) -> (u64, String) {
    let answer = browser.run_async(FETCH, vec![url.into(), options]).await;
    let status = answer[0].as_u64().expect("a status");
    (status, answer[1].as_str().expect("text").to_owned())
}

#[test]
fn a_page_of_an_allowed_origin_uses_all_routes_and_another_none() {
    let sandbox = Sandbox::new();
    let page = elsewhere();
    let origin = format!("http://{page}");
    let server = Server::start_with(&sandbox, &["--cors-origin", &origin]);
    let closed = Server::start(&sandbox);
    let body = profile_json(ALICE, "Alice");
    in_browser(Look::default(), async |browser| {
        browser.open(page).await;
        let put = serde_json::json!({
            "method": "PUT",
            "headers": { "Content-Type": "application/json", "If-None-Match": "*" },
            "body": body,
        });
        let post = serde_json::json!({ "method": "POST" });
        let get = serde_json::json!({});
        let look_up = format!("{PROFILE}?emailAddress={ALICE}");
        let url = |server: &Server, path: &str| format!("http://{}{path}", server.address);
        for (path, options) in [(START, &post), (PROFILE, &put), (&*look_up, &get)] {
            let (status, text) = fetch(browser, url(&closed, path), options.clone()).await;
            assert_eq!(status, 0, "{text}");
        }
        assert!(!sandbox.path("directory.json").exists());
        let (status, _) = fetch(browser, url(&server, START), post).await;
        assert_eq!(status, 200);
        let (status, saved) = fetch(browser, url(&server, PROFILE), put).await;
        assert_eq!((status, &saved), (200, &body));
        let (status, found) = fetch(browser, url(&server, &look_up), get).await;
        assert_eq!((status, &found), (200, &body));
    });
}
