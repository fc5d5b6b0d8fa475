//! The OpenAPI document says what there is: every route, method, status and code, and no more.

use std::collections::BTreeSet;

use dex_dir::http::{Code, OPENAPI};
use serde_json::Value;

use crate::harness::Sandbox;
use crate::server::Server;

const METHODS: [&str; 5] = ["get", "put", "post", "delete", "patch"];

fn document() -> Value {
    serde_json::from_str(OPENAPI).expect("JSON")
}

/// Every response of every operation, with what it refers to put in its place.
fn responses(document: &Value) -> Vec<(u16, String)> {
    let mut responses = Vec::new();
    for path in document["paths"].as_object().expect("paths").values() {
        for operation in METHODS.iter().filter_map(|method| path.get(method)) {
            for (status, response) in operation["responses"].as_object().expect("responses") {
                let response = match response["$ref"].as_str() {
                    Some(reference) => document.pointer(&reference[1..]).expect(reference),
                    None => response,
                };
                let status = status.parse().expect("a number");
                responses.push((status, response["description"].to_string()));
            }
        }
    }
    responses
}

#[test]
fn every_status_and_code_is_in_it_and_no_other() {
    let document = document();
    let schema = "/components/schemas/Failure/properties/code/enum";
    let listed = document.pointer(schema).and_then(Value::as_array);
    let listed: BTreeSet<_> = listed
        .expect("codes")
        .iter()
        .filter_map(Value::as_str)
        .collect();
    let known = Code::ALL.map(Code::name);
    assert_eq!(listed, BTreeSet::from(known));
    let responses = responses(&document);
    for code in Code::ALL {
        // What isn't a path can't be described as one.
        if code == Code::RouteNotFound {
            continue;
        }
        let name = format!("`{}`", code.name());
        let told =
            |(status, text): &(u16, String)| *status == code.status() && text.contains(&name);
        assert!(responses.iter().any(told), "{} {name}", code.status());
    }
}

#[test]
fn every_route_is_in_it_with_its_methods() {
    let sandbox = Sandbox::started();
    let server = Server::start(&sandbox);
    let document = document();
    for (path, operations) in document["paths"].as_object().expect("paths") {
        let allowed = server.send("DELETE", path, "", b"");
        allowed.assert_failed(405, "MethodNotAllowed");
        let allowed = allowed.header("allow").expect("methods");
        let allowed = allowed.split(',').filter(|method| *method != "HEAD");
        let allowed: BTreeSet<_> = allowed.map(str::to_lowercase).collect();
        let described = operations.as_object().expect("operations").keys().cloned();
        assert_eq!(allowed, described.collect(), "{path}");
    }
    // Those of the program's own text, lest one be forgotten.
    let source = include_str!("../../src/http/route.rs");
    let paths = source.split("=> \"/").skip(1);
    let paths: BTreeSet<_> = paths.filter_map(|rest| rest.split('"').next()).collect();
    let described = document["paths"].as_object().expect("paths").keys();
    assert_eq!(paths, described.map(|path| &path[1..]).collect());
}

#[test]
fn the_server_answers_it() {
    let sandbox = Sandbox::new();
    Server::start(&sandbox)
        .get("/openapi.json")
        .assert_ok(OPENAPI);
}
