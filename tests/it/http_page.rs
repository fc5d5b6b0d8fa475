//! The page's files, as the server sends them. What they do is tried in a real browser, in
//! `tests/browser`.

use crate::harness::{ALICE, Sandbox};
use crate::server::Server;

#[test]
fn the_page_is_three_files_that_bring_nothing_from_outside() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox);
    for (path, kind) in [
        ("/", "text/html; charset=utf-8"),
        ("/page.css", "text/css; charset=utf-8"),
        ("/page.js", "text/javascript; charset=utf-8"),
    ] {
        let file = server.get(path);
        assert_eq!(file.status, 200);
        assert_eq!(file.header("content-type"), Some(kind));
        assert_eq!(file.header("cache-control"), Some("no-store"));
        assert_eq!(file.header("x-content-type-options"), Some("nosniff"));
        let policy = file.header("content-security-policy").expect("a policy");
        assert!(policy.starts_with("default-src 'none';"), "{policy}");
        assert!(
            !policy.contains("unsafe") && !policy.contains('*'),
            "{policy}"
        );
        for outside in ["http:", "https:", "//cdn", " style=", " onclick="] {
            assert!(!file.body.contains(outside), "{outside} in {path}");
        }
    }
    assert_eq!(server.get("/page.html").status, 404);
}

#[test]
fn stats_tell_the_bytes_of_each_partition_and_no_address() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox);
    server.get("/stats").assert_failed(404, "FlowNotFound");
    server.start();
    server
        .get("/stats")
        .assert_ok(r#"{"bytes":0,"bytesByPartition":{}}"#);
    sandbox.upsert(ALICE, "Alice", &[]);
    let size = sandbox.read("partition-278.json").len();
    let expected = format!(r#"{{"bytes":{size},"bytesByPartition":{{"partition-278":{size}}}}}"#);
    server.get("/stats").assert_ok(&expected);
}
