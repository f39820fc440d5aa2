#!/usr/bin/env python3
"""Methods, uploads, limits and refusals as curl sees them, over TLS: the status, and the text for its reader.

usage: curl_view.py HTTPS_HELLO HTTP_ECHO
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import time
from typing import NamedTuple

from certificates import Certificates
from report import Report, expect
from server import Server

SECONDS = 60
EXPECT_SECONDS = 40  # what curl would wait for a 100 that does not come; an answer is there long before
TOO_LONG = (1 << 20) + 1  # one octet over the limit of routes that say nothing else


class Seen(NamedTuple):
    status: int
    headers: dict   # names in lower case
    body: bytes
    told: str       # what curl -v tells


class Curl:
    """curl before one server; every call is a connection of its own."""

    def __init__(self, server, certificates, folder):
        self.port, self.authority, self.folder = server.port, certificates.authority, pathlib.Path(folder)

    def __call__(self, path, *flags, host="localhost"):
        head, body = self.folder / "curl.head", self.folder / "curl.body"
        for file in (head, body):
            file.write_bytes(b"")
        command = ["curl", "-sSv", "--globoff", "--path-as-is", "--http1.1", "--cacert", self.authority, "-D", head,
                   "-o", body, "--connect-to", f"::127.0.0.1:{self.port}", *flags, f"https://{host}:{self.port}{path}"]
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True, errors="replace",
                              timeout=SECONDS, stdin=subprocess.DEVNULL)
        expect(done.returncode == 0, f"curl ended with {done.returncode}: {done.stderr[-3000:]}")
        final = head.read_bytes().decode("latin-1").split("\r\n\r\n")[-2]
        status, *fields = final.split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (field.partition(":") for field in fields)}
        return Seen(int(status.split(" ")[1]), headers, body.read_bytes(), done.stderr)


def refused(curl, status, text, path, *flags):
    """The status, and a line of text/plain that has this text."""
    seen = curl(path, *flags)
    expect(seen.status == status, f"{seen.status} {seen.body[:200]!r} instead of {status}")
    expect(seen.headers.get("content-type", "").startswith("text/plain"), seen.headers)
    said = seen.body.decode()
    expect(said.endswith("\n") and said.count("\n") == 1, f"not one line: {said!r}")
    expect(re.search(text, said, re.IGNORECASE), f"'{said.strip()}' does not say '{text}'")
    return f"{status} {said.strip()}"


def head_is_get_without_body(curl):
    got, head = curl("/hello/world"), curl("/hello/world", "--head")
    for seen in (got, head):
        seen.headers.pop("date")
    expect((got.status, got.body) == (200, b"hello world\n"), got)
    expect(head.status == 200 and head.headers == got.headers and head.headers["content-length"] == "12",
           f"{head.headers} instead of {got.headers}")
    expect(head.body in (b"", raw_head(head)), f"a body: {head.body!r}")
    expect("Excess found" not in head.told, "octets behind the head")


def raw_head(seen):
    """curl --head writes the head to the output as well."""
    return seen.body if seen.body.startswith(b"HTTP/1.1 200") and seen.body.endswith(b"\r\n\r\n") else b""


def expected(curl, folder, size, *flags):
    """An upload that waits for 100 Continue gets it at once: curl would go on without one only much later."""
    upload = pathlib.Path(folder) / "upload"
    upload.write_bytes(bytes(i % 251 for i in range(size)))
    start = time.monotonic()
    seen = curl("/upload", "-T", upload, "-H", "Expect: 100-continue", "--expect100-timeout", EXPECT_SECONDS, *flags)
    waited = time.monotonic() - start
    expect("HTTP/1.1 100 Continue" in seen.told, f"no 100: {seen.told[-2000:]}")
    expect(seen.status == 200 and seen.headers["x-method"] == "PUT", seen.headers)
    expect(seen.body == upload.read_bytes(), f"{len(seen.body)} octets of {size} came back")
    expect(waited < EXPECT_SECONDS, f"curl waited {waited:.1f} s")


def refused_instead_of_continue(curl, folder, status, text, path, *flags):
    """A final answer in place of 100 Continue: the body is not sent."""
    upload = pathlib.Path(folder) / "upload"
    upload.write_bytes(bytes(TOO_LONG))
    start = time.monotonic()
    said = refused(curl, status, text, path, "-T", upload, "--expect100-timeout", EXPECT_SECONDS, *flags)
    expect(time.monotonic() - start < EXPECT_SECONDS, "curl waited")
    return said


def methods(curl):
    names = ("GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "QUERY", "PROPFIND", "FOO", "m-search")
    for name in names:
        body = () if name in ("GET", "TRACE") else ("--data-binary", f"body of {name}")
        seen = curl(f"/any%20path/{name}?a=b&c", "-X", name, *body)
        wanted = (200, name, f"/any%20path/{name}?a=b&c", b"" if not body else f"body of {name}".encode())
        saw = (seen.status, seen.headers.get("x-method"), seen.headers.get("x-target"), seen.body)
        expect(saw == wanted, f"{saw} instead of {wanted}")
    return " ".join(names)


def targets(curl):
    for method, target in (("OPTIONS", "*"), ("GET", "http://localhost/absolute?q"), ("GET", "/a//b/../c%2Fd"),
                           ("CONNECT", "localhost:443"), ("OPTIONS", "/path")):
        seen = curl("/", "-X", method, "--request-target", target)
        saw = (seen.status, seen.headers.get("x-method"), seen.headers.get("x-target"))
        expect(saw == (200, method, target), f"{saw} for {method} {target}")


def method_not_allowed(curl):
    for method in ("DELETE", "TRACE", "PROPFIND"):
        seen = curl("/hello/world", "-X", method)
        expect(seen.status == 405, f"{method}: {seen}")
        allowed = {name.strip() for name in seen.headers.get("allow", "").split(",")}
        expect({"GET", "HEAD", "OPTIONS"} == allowed, f"Allow: {seen.headers.get('allow')}")
    return refused(curl, 405, "method", "/hello/world", "-X", "DELETE") + f"; Allow: {seen.headers['allow']}"


def options_are_automatic(curl):
    seen = curl("/hello/world", "-X", "OPTIONS")
    expect(seen.status in (200, 204) and not seen.body and "GET" in seen.headers.get("allow", ""), seen)
    seen = curl("/", "-X", "OPTIONS", "--request-target", "*")
    expect(seen.status in (200, 204) and not seen.body and "POST" in seen.headers.get("allow", ""), seen)


def old_version(curl):
    for flags in ((), ("-H", "Host:")):
        seen = curl("/hello/old", "--http1.0", *flags)
        expect((seen.status, seen.body) == (200, b"hello old\n"), seen)
        expect(seen.headers.get("connection") == "close", seen.headers)
        expect("transfer-encoding" not in seen.headers, seen.headers)
    seen = curl("/hello/old", "--http1.0", "-H", "Connection: keep-alive")
    expect(seen.status == 200, seen)


def hosts(curl):
    for host in ("127.0.0.1", "LOCALHOST", "localhost:8443", "[::1]"):
        seen = curl("/hello/x", "-H", f"Host: {host}")
        expect(seen.status == 200, f"Host: {host}: {seen.status} {seen.body!r}")
    return refused(curl, 421, "Host", "/hello/x", "-H", "Host: elsewhere.example")


def hello_cases(report, curl, folder):
    def refusal(name, *arguments):
        report.case(name, refused, curl, *arguments)

    report.case("HEAD", head_is_get_without_body, curl)
    report.case("HTTP/1.0, with Host and without", old_version, curl)
    report.case("OPTIONS", options_are_automatic, curl)
    report.case("method not allowed", method_not_allowed, curl)
    report.case("another Host", hosts, curl)
    refusal("unknown path", 404, "nothing is here", "/nothing")
    refusal("unknown method", 501, "method", "/hello/world", "-X", "FOO")
    refusal("no Host", 400, "Host", "/hello/x", "-H", "Host:")
    refusal("200 header fields", 431, "too many header fields", "/hello/x",
            *(flag for i in range(200) for flag in ("-H", f"X-{i}: value")))
    refusal("70 KiB of header fields", 431, "head is too long", "/hello/x",
            *(flag for i in range(7) for flag in ("-H", f"X-{i}: {'v' * 10240}")))
    refusal("a header field of 70 KiB", 431, "head is too long", "/hello/x", "-H", f"X: {'v' * 71680}")
    refusal("a long target", 414, "target is too long", "/hello/" + "x" * 9000)
    refusal("a broken escape", 400, "escape", "/hello/%zz")
    for value in ("gzip", "gzip, chunked", "identity"):
        refusal(f"Transfer-Encoding: {value}", 501, "Transfer-Encoding", "/echo", "-d", "x", "-H", "Content-Length:",
                "-H", f"Transfer-Encoding: {value}")
    refusal("chunked that is not the last coding", 400, "Transfer-Encoding", "/echo", "-d", "x", "-H",
            "Content-Length:", "-H", "Transfer-Encoding: chunked, gzip")
    refusal("another expectation", 417, "Expect", "/echo", "-d", "x", "-H", "Expect: something-else")
    refusal("a broken Content-Length", 400, "Content-Length", "/echo", "-d", "x", "-H", "Content-Length: 1x")
    report.case("a long body after Expect", refused_instead_of_continue, curl, folder, 413, "too long", "/echo",
                "-X", "POST", "-H", "Expect: 100-continue")
    report.case("a long body without Expect", refused_instead_of_continue, curl, folder, 413, "too long", "/echo",
                "-X", "POST", "-H", "Expect:")


def main():
    hello, echo = sys.argv[1:3]
    report = Report("curl's view")
    with tempfile.TemporaryDirectory() as folder:
        certificates = Certificates(folder)
        flags = ("--cert", certificates.chain, "--key", certificates.key, "--workers", 1)
        with Server(hello, *flags) as server:
            hello_cases(report, Curl(server, certificates, folder), folder)
        with Server(echo, *flags) as server:
            curl = Curl(server, certificates, folder)
            report.case("a range of methods", methods, curl)
            report.case("forms of the target", targets, curl)
            for size in (1, 1000, 16000):
                report.case(f"-T of {size} octets with Expect", expected, curl, folder, size)
                report.case(f"the same in chunks, {size}", expected, curl, folder, size, "-H",
                            "Transfer-Encoding: chunked")
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
