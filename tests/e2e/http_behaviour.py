#!/usr/bin/env python3
"""HTTP/1.1 as https_hello speaks it, over TLS and with --plain.

usage: http_behaviour.py HTTPS_HELLO
"""
import json
import sys
import tempfile
import time

from certificates import Certificates
from http_client import Connection
from report import Report, expect
from server import Server

MOST_BODY = 1 << 20  # of routes that say nothing else
JSON = "Content-Type: application/json\r\n"


def hello(connect):
    with connect() as c:
        got = c.ask("GET", "/hello/world")
        expect((got.status, got.body) == (200, b"hello world\n"), got)
        expect(got.headers["content-type"].startswith("text/plain"), got)
        expect(c.ask("GET", "/hello/a%20b").body == b"hello a b\n", "a percent-encoded name")
        expect(c.ask("GET", "/hello/query?x=1").body == b"hello query\n", "a query")


def head(connect):
    with connect() as c:
        got = c.ask("HEAD", "/hello/world")
        expect(got.status == 200 and got.headers["content-length"] == "12", got)
        expect(c.ask("GET", "/hello/next").body == b"hello next\n", "a body came with HEAD's answer")


def refusals(connect):
    with connect() as c:
        expect(c.ask("GET", "/nothing").status == 404, "404")
        got = c.ask("DELETE", "/hello/world")
        expect(got.status == 405 and "GET" in got.headers.get("allow", ""), got)
        expect(c.ask("GET", "/hello/world").status == 200, "the connection stays open after 404 and 405")


def malformed(connect):
    bad = [b"GET /hello/x HTTP/1.1\r\n\r\n",                                       # no Host
           b"GET  /hello/x HTTP/1.1\r\nHost: localhost\r\n\r\n",                           # two blanks
           b"GET /hello/x HTTP/1.1\r\nHost: localhost\r\nBad Name: x\r\n\r\n",
           b"GET /hello/x HTTP/1.1\r\nHost: localhost\r\n folded: x\r\n\r\n",
           b"POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
           b"POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
           b"POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
           b"\x00\x01\x02\r\n\r\n"]
    for octets in bad:
        with connect() as c:
            c.send(octets)
            got = c.answer()
            expect(got.status == 400, f"{octets!r}: {got}")
            expect(got.headers.get("connection") == "close" and c.ends(), f"{octets!r}: the connection goes on")
    return f"{len(bad)} times 400, then closed"


def pipelined(connect):
    count = 200
    with connect() as c:
        c.send(b"".join(b"GET /hello/%d HTTP/1.1\r\nHost: localhost\r\n\r\n" % i for i in range(count)))
        for i in range(count):
            got = c.answer()
            expect(got.body == b"hello %d\n" % i, f"answer {i}: {got}")
    with connect() as c:  # bodies between, and a large answer in the middle
        c.send(b"POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nfirst"
               b"GET /big/300000 HTTP/1.1\r\nHost: localhost\r\n\r\n"
               b"POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nlast")
        expect([len(c.answer().body), len(c.answer().body), len(c.answer().body)] == [5, 300000, 4], "order")
    return f"{count} in order"


def pieces(connect):
    request = b"POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n0123456789"
    with connect() as c:
        for octet in request:
            c.send(bytes([octet]))
        expect(c.answer().body == b"0123456789", "octet by octet")
        for cut in range(1, len(request)):
            c.send(request[:cut])
            time.sleep(0.001)
            c.send(request[cut:])
            expect(c.answer().body == b"0123456789", f"cut at {cut}")
    return f"{len(request)} pieces, {len(request) - 1} cuts"


def bodies(connect):
    sizes = [0, 1, 100, 8191, 16000, 16384, 16385, 100_000, MOST_BODY]
    with connect() as c:
        for size in sizes:
            body = bytes(i * 7 % 251 for i in range(size))
            headers = "" if body else "Content-Length: 0\r\n"
            got = c.ask("POST", "/echo", body, headers)
            expect(got.status == 200 and got.body == body, f"{size} octets: {got.status}, {len(got.body)}")
    with connect() as c:
        c.send(b"POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % (MOST_BODY + 1))
        expect(c.answer().status == 413, "one octet over --max-body-bytes")
    return ", ".join(map(str, sizes)) + "; 413 over the limit"


def big(connect):
    sizes = [0, 1, 1000, 16384, 65536, 65537, 1 << 20, 20_000_003]
    with connect() as c:
        for size in sizes:
            got = c.ask("GET", f"/big/{size}")
            expect(got.status == 200 and got.body == b"x" * size, f"{size}: {got.status}, {len(got.body)}")
        expect(c.ask("GET", "/big/1073741825").status in (400, 404), "over 1 GiB")
        expect(c.ask("GET", "/big/-1").status in (400, 404), "no number")
    return f"up to {sizes[-1]}"


def json_bodies(connect):
    with connect() as c:
        got = c.ask("POST", "/json", b'{"name": "J\\u00f6rg \\"x\\""}', JSON)
        expect(got.status == 200 and got.headers["content-type"].startswith("application/json"), got)
        texts = [value for value in json.loads(got.body).values() if isinstance(value, str)]
        expect(any("J\u00f6rg \"x\"" in text for text in texts), got)
        for bad in (b"{", b'{"name": 1}', b'{"nobody": "x"}', b'{"name": "a"} x', b'{"name": "a"} {}',
                    b'{"name": "a", }', b"\xff"):
            got = c.ask("POST", "/json", bad, JSON)
            expect(got.status == 400 and got.body, f"{bad!r}: {got}")
        # What follows the body in the same record must not complete it.
        c.send(b'POST /json HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{"name": ' b'"x"}')
        expect(c.answer().status == 400, "octets behind the body were read as JSON")


def ends(connect):
    with connect() as c:
        got = c.ask("GET", "/hello/x", headers="Connection: close\r\n")
        expect(got.headers.get("connection") == "close" and c.ends(), "Connection: close")
    with connect() as c:
        c.send(b"GET /hello/x HTTP/1.0\r\nHost: localhost\r\n\r\n")
        expect(c.answer().body == b"hello x\n" and c.ends(), "HTTP/1.0")


def cases(report, way, connect):
    for case in (hello, head, refusals, malformed, pipelined, pieces, bodies, big, json_bodies, ends):
        report.case(f"{way}: {case.__name__.replace('_', ' ')}", case, connect)


def main():
    program = sys.argv[1]
    report = Report("HTTP behaviour")
    with tempfile.TemporaryDirectory() as folder:
        certificates = Certificates(folder)
        with Server(program, "--cert", certificates.chain, "--key", certificates.key, "--workers", 1) as server:
            cases(report, "TLS", lambda: Connection(server.port, certificates.authority))
        with Server(program, "--plain", "--workers", 1) as server:
            cases(report, "plain", lambda: Connection(server.port))
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
