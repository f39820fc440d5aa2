#!/usr/bin/env python3
"""Builds the programs of README.md as a user would, from the installed package and with the README's own CMake lines,
and asks them.

usage: build_service.py BUILD_FOLDER COMPILER
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
from typing import NamedTuple

import snippets

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.append(str(ROOT / "tests" / "e2e"))
from http_client import Connection  # noqa: E402
from report import Report, expect  # noqa: E402
from server import Server  # noqa: E402

MOST_LINES = 20
CURL_SECONDS = 60


class Ask(NamedTuple):
    """How a route is asked with curl, and what comes: a pattern that the whole answer matches, head included."""
    pattern: str
    path: str
    flags: tuple
    answer: str
    given: bytes = b""  # to curl's standard input


ASKED = (
    Ask("/shops/{shop}", "/shops/caf%c3%a9?q=red+shoes", ("-b", "user=ann", "-H", "Accept-Language: de"),
        "200 .*\n\ncafé has red shoes for ann in de\n"),
    Ask("/shops/{shop}", "/shops/x", (), "400 .*\n\nsay what you look for: \\?q=\n"),
    Ask("/page", "/page", (), "200 .*Content-Type: text/html; charset=utf-8\n.*\n\n<!doctype html>.*"),
    Ask("/squares", "/squares", (), "200 .*\n\n1\n4\n9\n.*\n100000000\n"),
    Ask("/zeros", "/zeros", (), "200 .*Content-Length: 10000000\n.*\n\n0{10000000}"),
    Ask("/filled", "/filled", (), "200 .*\n\nabcdefghijklmnopqrstuvwxyz"),
    Ask("/json", "/json", (), '200 .*application/json\n.*\n\n{"answer":42}\n'),
    Ask("/double", "/double", ("-d", '{"n": 21}'), '200 .*\n\n{"n":42}\n'),
    Ask("/double", "/double", ("-d", '{"n": "x"}'), "400 .*\n\nJSON, octet \\d+: .*\n"),
    Ask("/files/{name}", "/files/a", ("-T", "-"), "200 .*\n\n5000000 octets\n", bytes(5_000_000)),
    Ask("/files/{name}", "/files/a", ("-X", "PUT", "--data-binary", "@-"), "413 .*the request body is too long\n",
        bytes((64 << 20) + 1)),
    Ask("/slow/{what}", "/slow/gold", (), "200 .*\n\nfound gold\n"),
    Ask("/count", "/count", ("-T", "-"), "200 .*\n\n300000 lines\n", b"line\n" * 300_000),
    Ask("/store", "/store", ("-T", "-"), "201 .*\n\n900000 octets are stored\n", b"line\n" * 180_000),
    Ask("/count-to/{n}", "/count-to/100000", (), "200 .*Transfer-Encoding: chunked\n.*\n\n1\n2\n3\n.*\n100000\n"),
    Ask("/count-to/{n}", "/count-to/3", ("--http1.0",), "200 .*Connection: close\n\n1\n2\n3\n"),
    Ask("/admin/{page}", "/admin/x", (), "401 .*WWW-Authenticate: Bearer\n.*\n\nwho are you\\?\n"),
    Ask("/admin/{page}", "/admin/x", ("-H", "Authorization: Bearer 1"), "200 .*nosniff\n.*\n\nthe page x\n"),
    Ask("/id", "/id", ("-H", "X-Request-Id: mine-1"), "200 .*X-Request-Id: mine-1\n.*\n\nmine-1\n"),
    Ask("/id", "/id", (), r"200 .*X-Request-Id: ([0-9a-f]{32})\n.*\n\n\1\n"),
    Ask("/nothing", "/nothing", (), "404 .*nosniff\n.*\n\nnothing is here\n"),
    Ask("/beast", "/beast", ("-d", "hello", "-H", "Content-Type: text/x-mine"),
        "200 .*Content-Type: text/x-mine\n.*Content-Length: 5\n.*\n\nhello"),
)


def run(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
    expect(done.returncode == 0, f"{command[0]} {command[1]}: {done.stdout[-3000:]}{done.stderr[-3000:]}")


def build(build_folder, compiler, folder):
    (folder / "service.cpp").write_text(snippets.service(), encoding="utf-8")
    (folder / "features.cpp").write_text(snippets.features(), encoding="utf-8")
    lines = snippets.blocks("cmake")[0]
    (folder / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(service LANGUAGES C CXX)\n" + lines +
        "add_executable(features features.cpp)\ntarget_link_libraries(features PRIVATE signet::signet)\n",
        encoding="utf-8")
    run("cmake", "--install", build_folder, "--prefix", folder / "installed")
    run("cmake", "-S", folder, "-B", folder / "build", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={folder / 'installed'}",
        f"-DCMAKE_CXX_COMPILER={compiler}", "-DCMAKE_CXX_FLAGS=-Wall -Wextra", "-DCMAKE_COMPILE_WARNING_AS_ERROR=ON")
    run("cmake", "--build", folder / "build")
    lines = len([line for line in snippets.service().splitlines() if line.strip()])
    expect(lines <= MOST_LINES, f"the service has {lines} lines")
    return f"{lines} lines, and {len(snippets.blocks('cpp')) - 1} snippets"


def serve(folder):
    with Server(str(folder / "build" / "service"), "--plain") as server, Connection(server.port) as client:
        got = client.ask("GET", "/hello/world")
        expect((got.status, got.body) == (200, b"hello world\n"), got)
        sent = bytes(range(256)) * 1000
        got = client.ask("POST", "/echo", sent)
        expect((got.status, got.body) == (200, sent), (got.status, len(got.body)))


def ask(port, question):
    """curl -i: the final head and the body."""
    done = subprocess.run(["curl", "-sSi", "-H", "Expect:", *question.flags, f"http://127.0.0.1:{port}{question.path}"],
                          input=question.given, capture_output=True, timeout=CURL_SECONDS)
    said = done.stdout.decode("utf-8").replace("\r\n", "\n")
    expect(re.fullmatch("HTTP/1.1 " + question.answer, said, re.DOTALL),
           f"{question.path} {question.flags}: {said[:1000]!r} {done.stderr.decode()}")


def events(port):
    """Two ticks of the clock; curl is ended by us, since such an answer has no end."""
    with subprocess.Popen(["curl", "-sSN", f"http://127.0.0.1:{port}/clock"], stdout=subprocess.PIPE) as curl:
        try:
            lines = [curl.stdout.readline().decode().strip() for _ in range(6)]
        finally:
            curl.kill()
    first, second = (lines[at + 1].removeprefix("data: ") for at in (0, 3))
    expect(lines == ["event: tick", f"data: {first}", "", "event: tick", f"data: {second}", ""], lines)
    expect(int(second) > int(first) > 0, lines)


def trailers(port):
    """curl has no flag for them."""
    with Connection(port) as client:
        client.send(b"PUT /files/a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n"
                    b"3\r\nabc\r\n0\r\nX-Sum: 7\r\n\r\n")
        got = client.answer()
        expect((got.status, got.body) == (200, b"3 octets\nX-Sum: 7\n"), got)


def access_lines(log):
    entries = [json.loads(line) for line in log.splitlines() if line.startswith("{")]
    expect(len(entries) >= len(ASKED), f"{len(entries)} lines")
    named = [entry for entry in entries if entry["id"] == "mine-1"]
    expect(len(named) == 1 and named[0]["target"] == "/id" and named[0]["status"] == 200 and named[0]["bytes"] == 7 and
           named[0]["complete"], named)
    cut = [entry for entry in entries if entry["target"] == "/clock"]
    expect(len(cut) == 1 and cut[0]["complete"], cut)  # the drain asked it, and it ended
    return f"{len(entries)} lines of the access log"


def features(folder):
    unasked = set(snippets.patterns()) - {question.pattern for question in ASKED} - {"/clock"}
    expect(not unasked, f"routes of README.md that are not asked: {unasked}")
    # The access log alone: it comes to the same file as the server's own.
    with Server(str(folder / "build" / "features"), "--plain", "--workers", 2, "--log-level", "off") as server:
        for question in ASKED:
            ask(server.port, question)
        trailers(server.port)
        events(server.port)
        server.stop()
        return access_lines(server.log())


def quoted_texts():
    """What README.md says that an answer says is written in the sources."""
    sources = "".join(path.read_text(encoding="utf-8")
                      for folder in ("http", "server") for path in sorted((ROOT / folder).glob("*.cpp")))
    texts = snippets.texts()
    missing = [text for text in texts if f'"{text}' not in sources]
    expect(len(texts) > 15 and not missing, f"{len(texts)} texts, in no source: {missing}")
    return f"{len(texts)} texts"


def main():
    build_folder, compiler = sys.argv[1:3]
    report = Report("the README's programs")
    with tempfile.TemporaryDirectory() as folder:
        report.case("they build from the installed package", build, build_folder, compiler, pathlib.Path(folder))
        report.case("the service answers", serve, pathlib.Path(folder))
        report.case("each route of the snippets answers curl", features, pathlib.Path(folder))
    report.case("texts of answers are the sources' own", quoted_texts)
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
