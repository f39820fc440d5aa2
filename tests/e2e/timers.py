#!/usr/bin/env python3
"""The timers in real time: each ends its own peer between one and two periods, and is named by the log.

Only the timer that is meant is short; whatever ends within two periods was ended by it.

usage: timers.py HTTPS_HELLO
"""
import contextlib
import socket
import ssl
import sys
import tempfile
import time

from certificates import Certificates
from http_client import Connection
from record_client import RecordConnection
from report import Report, expect
from server import Server

PERIOD = 1.0        # seconds; long beside what a busy machine delays, since a case waits for nothing else
CLOCK_TICK = 0.02   # the server's clock may be that late when a timer starts
LONG = "600s"
TIMERS = ("handshake", "header", "record", "body", "write", "idle")
HEAD = b"POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 20\r\n\r\n"


class Ways:
    """How peers of the server under test connect."""

    def __init__(self, server, trust):
        self.server, self.trust = server, trust

    def connect(self):
        return Connection(self.server.port, self.trust)

    def records(self):
        return RecordConnection(self.server.port, self.trust)

    def silent(self):
        return socket.create_connection(("127.0.0.1", self.server.port), 20)


def dribble(send, octets, until, step):
    """Sends the octets slowly, one by one, and stops early when the other side is gone."""
    for octet in octets:
        if time.monotonic() > until:
            return
        try:
            send(bytes([octet]))
        except OSError:
            return
        time.sleep(step)


def handshake(ways):
    with ways.silent() as peer:
        peer.sendall(b"\x16\x03\x01\x02\x00\x01")
        expect(peer.recv(1 << 16)[:1] in (b"", b"\x15"), "something else than an alert or the end")


def header(ways):
    with ways.connect() as peer:
        peer.send(b"GET /hello/slow HTTP/1.1\r\nHo")
        too_late(peer, b"head")


def slow_header(ways):
    """Each octet comes well in time; the head as a whole does not."""
    with ways.connect() as peer:
        dribble(peer.send, b"GET /hello/slow HTTP/1.1\r\n", time.monotonic() + 0.8 * PERIOD, PERIOD / 10)
        too_late(peer, b"head")


def too_late(peer, what):
    got = peer.answer()
    expect(got.status == 408 and what in got.body and got.headers.get("connection") == "close", got)
    expect(peer.ends(), "the connection goes on")


def body(ways):
    with ways.connect() as peer:
        peer.send(HEAD + b"half a bod")
        too_late(peer, b"body")


def record(ways):
    with ways.records() as peer:
        whole = peer.socket.seal([b"GET /hello/slow HTTP/1.1\r\nHost: localhost\r\n\r\n"])
        peer.socket.wire.sendall(whole[:20])
        no_answer(peer)


def no_answer(peer):
    """Within a record nothing can be said that is an answer: close_notify, or the end of the connection."""
    with contextlib.suppress(ssl.SSLEOFError, ConnectionResetError):
        expect(not peer.socket.recv(1), "an answer")


def slow_record(ways):
    with ways.records() as peer:
        whole = peer.socket.seal([b"GET /hello/slow HTTP/1.1\r\nHost: localhost\r\n\r\n"])
        dribble(peer.socket.wire.sendall, whole, time.monotonic() + 0.8 * PERIOD, PERIOD / 10)
        no_answer(peer)


def write(ways):
    with ways.connect() as peer:
        since = len(ways.server.log())
        peer.send(b"GET /big/1073741824 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        ways.server.wait_for_log("write_timeout", since, 20)


def idle(ways):
    with ways.connect() as peer:
        expect(peer.ends(), "something else than the end")


def idle_again(ways):
    """The time between two requests counts, not that since the beginning."""
    with ways.connect() as peer:
        time.sleep(0.6 * PERIOD)
        expect(peer.ask("GET", "/hello/x").status == 200, "the first request")
        start = time.monotonic()
        expect(peer.ends(), "something else than the end")
    return start


def ends_in_time(program, trust, flags, timer, peer):
    cause = f"{timer}_timeout"
    others = [flag for name in TIMERS for flag in (f"--{name}-timeout", LONG) if name != timer]
    with Server(program, *flags, "--workers", 1, *others, f"--{timer}-timeout", f"{PERIOD * 1000:.0f}ms") as server:
        start = time.monotonic()
        start = peer(Ways(server, trust)) or start
        took = time.monotonic() - start
        expect(PERIOD - CLOCK_TICK <= took <= 2 * PERIOD, f"it took {took:.2f} s of a period of {PERIOD} s")
        counted = server.wait_for_counter(cause, 1, 20)
        expired = {name: n for name, n in counted.items() if name.endswith("_timeout")}
        expect(expired == {cause: 1}, f"counted {expired}")
        if timer != "idle":  # its end is in order: counted, and no line in the log
            server.wait_for_log(f"({cause})")
    return f"{took / PERIOD:.2f} periods"


def steady_body(program, trust, flags):
    """A body of which each octet comes in time is received, however long it takes as a whole."""
    with Server(program, *flags, "--workers", 1, "--body-timeout", f"{PERIOD * 1000:.0f}ms") as server:
        with Connection(server.port, trust) as peer:
            peer.send(HEAD)
            dribble(peer.send, b"x" * 20, time.monotonic() + 60, PERIOD / 8)
            expect(peer.answer().body == b"x" * 20, "the echo")
    return f"{20 / 8:.1f} periods"


def main():
    program = sys.argv[1]
    report = Report("timers")
    with tempfile.TemporaryDirectory() as folder:
        certificates = Certificates(folder)
        with_tls = ("--cert", certificates.chain, "--key", certificates.key)
        for timer, peer in (("handshake", handshake), ("header", header), ("header", slow_header), ("record", record),
                            ("record", slow_record), ("body", body), ("write", write), ("idle", idle),
                            ("idle", idle_again)):
            name = f"TLS: {peer.__name__.replace('_', ' ')}"
            report.case(name, ends_in_time, program, certificates.authority, with_tls, timer, peer)
        report.case("TLS: a slow but steady body", steady_body, program, certificates.authority, with_tls)
        for timer, peer in (("header", header), ("body", body), ("write", write), ("idle", idle)):
            report.case(f"plain: {peer.__name__}", ends_in_time, program, None, ("--plain",), timer, peer)
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
