//! A client that sends the bytes it is told to, and reads one answer after the other.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;

pub const START: &str = "/patterns/hash-partitioned-attribute-map/start";
pub const PROFILE: &str = "/patterns/hash-partitioned-attribute-map/customer-profile";

/// Who sends requests to one address.
#[derive(Clone, Copy, Debug)]
pub struct Client {
    pub address: SocketAddr,
}

impl Client {
    /// A new connection. Nothing is waited for longer than any limit of the server.
    pub fn connect(self) -> TcpStream {
        let stream = TcpStream::connect(self.address).expect("a connection");
        let longest = Some(Duration::from_secs(40));
        stream.set_read_timeout(longest).expect("a timeout");
        stream.set_write_timeout(longest).expect("a timeout");
        stream
    }

    /// Sends these bytes on a connection of their own, and reads the first answer.
    pub fn raw(self, bytes: impl AsRef<[u8]>) -> Answer {
        let mut stream = self.connect();
        stream.write_all(bytes.as_ref()).expect("sent");
        Answer::read(&stream)
    }

    /// Sends a request with further header lines, each ended by CRLF.
    pub fn send(self, method: &str, target: &str, headers: &str, body: &[u8]) -> Answer {
        let host = self.address;
        let length = body.len();
        let head = format!(
            "{method} {target} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {length}\r\n{headers}\r\n"
        );
        let mut stream = self.connect();
        stream
            .write_all(&[head.as_bytes(), body].concat())
            .expect("sent");
        if method == "HEAD" {
            Answer::read_head(&mut BufReader::new(&stream))
        } else {
            Answer::read(&stream)
        }
    }

    pub fn get(self, target: &str) -> Answer {
        self.send("GET", target, "", b"")
    }

    /// Looks an address up, which must need no encoding.
    pub fn look_up(self, email: &str) -> Answer {
        self.get(&format!("{PROFILE}?emailAddress={email}"))
    }

    pub fn start(self) -> Answer {
        self.send("POST", START, "", b"")
    }

    pub fn put(self, body: impl AsRef<[u8]>) -> Answer {
        let headers = "Content-Type: application/json\r\n";
        self.send("PUT", PROFILE, headers, body.as_ref())
    }

    /// The head of a PUT whose body of this length is still to be sent.
    pub fn put_head(self, length: usize, headers: &str) -> String {
        format!(
            "PUT {PROFILE} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n{headers}\r\n",
            self.address
        )
    }
}

/// What a server answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    pub status: u16,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Answer {
    /// Reads the next answer on a connection.
    pub fn read(stream: &TcpStream) -> Self {
        let mut reader = BufReader::new(stream);
        let mut answer = Self::read_head(&mut reader);
        if answer.status == 304 {
            return answer;
        }
        let length = answer.header("content-length").expect("a length").parse();
        let mut body = vec![0; length.expect("a number")];
        reader.read_exact(&mut body).expect("the whole body");
        answer.body = String::from_utf8(body).expect("UTF-8");
        answer
    }

    /// Reads the head of the next answer alone.
    pub fn read_head(reader: &mut impl BufRead) -> Self {
        let lines: Vec<String> = reader
            .lines()
            .map(|line| line.expect("an answer"))
            .take_while(|line| !line.is_empty())
            .collect();
        let status = lines.first().expect("a status line").split(' ').nth(1);
        let headers = lines[1..].iter().map(|line| {
            let (name, value) = line.split_once(": ").expect("a header");
            (name.to_ascii_lowercase(), value.to_owned())
        });
        Self {
            status: status.expect("a status").parse().expect("a number"),
            headers: headers.collect(),
            body: String::new(),
        }
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(found, _)| found == name);
        found.map(|(_, value)| &**value)
    }

    /// The code of a failure, which must have the form that all failures have.
    pub fn code(&self) -> String {
        assert_eq!(self.header("content-type"), Some("application/json"));
        assert_eq!(self.header("cache-control"), Some("no-store"));
        let body: Value = serde_json::from_str(&self.body).expect("JSON");
        let (error, code) = (&body["error"], &body["code"]);
        assert_eq!(self.body, format!(r#"{{"error":{error},"code":{code}}}"#));
        code.as_str().expect("a code").to_owned()
    }

    /// Fails unless it is the failure of this status and code.
    pub fn assert_failed(&self, status: u16, code: &str) {
        assert_eq!(self.status, status, "{}", self.body);
        assert_eq!(self.code(), code, "{}", self.body);
    }

    /// Fails unless it is a success with this body.
    pub fn assert_ok(&self, body: &str) {
        assert_eq!((self.status, &*self.body), (200, body));
        assert_eq!(self.header("content-type"), Some("application/json"));
        assert_eq!(self.header("cache-control"), Some("no-store"));
    }
}

/// Whether the server has closed a connection on which nothing more is to be read.
pub fn is_closed(mut stream: &TcpStream) -> bool {
    match stream.read(&mut [0]) {
        Ok(read) => read == 0,
        Err(error) if error.kind() == ErrorKind::ConnectionReset => true,
        Err(error) => panic!("neither closed nor answered: {error}"),
    }
}
