#!/usr/bin/env python3
"""tls_echo gives back what it gets: in any sizes, in both directions at once, to the last octet before a goodbye.

usage: echo_behaviour.py TLS_ECHO
"""
import contextlib
import random
import select
import socket
import ssl
import sys
import tempfile

import clients
from certificates import Certificates
from http_client import Connection
from report import Report, expect
from server import Server


def receive(connection, count):
    octets = bytearray()
    while len(octets) < count:
        piece = connection.socket.recv(1 << 20)
        expect(piece, f"ended after {len(octets)} of {count} octets")
        octets += piece
    return bytes(octets)


def in_turns(connect):
    sizes = [1, 2, 15, 16, 17, 1000, 16383, 16384, 16385, 65536, 200_001]
    with connect() as c:
        for size in sizes:
            sent = random.Random(size).randbytes(size)
            c.send(sent)
            expect(receive(c, size) == sent, f"{size} octets came back otherwise")
    return ", ".join(map(str, sizes))


def small_pieces(connect):
    sent = random.Random(3).randbytes(3000)
    with connect() as c:
        for at in range(0, len(sent), 3):
            c.send(sent[at:at + 3])
        expect(receive(c, len(sent)) == sent, "came back otherwise")
    return "1000 records of 3 octets"


def both_ways_at_once(connect):
    """More than all buffers between hold: whoever stops reading while it cannot write hangs here."""
    sent = memoryview(random.Random(5).randbytes(8 << 20))
    waits = (ssl.SSLWantReadError, ssl.SSLWantWriteError)
    with connect() as c:
        c.socket.setblocking(False)
        at, got = 0, bytearray()
        while len(got) < len(sent):
            ready = select.select([c.socket], [c.socket] if at < len(sent) else [], [], 20)
            expect(any(ready), f"nothing moves after {at} octets there and {len(got)} back")
            with contextlib.suppress(*waits):
                at += c.socket.send(sent[at:at + 65536]) if at < len(sent) else 0
            with contextlib.suppress(*waits):
                got += c.socket.recv(65536)
        expect(got == sent, "came back otherwise")
    return f"{len(sent)} octets"


def many_at_once(connect):
    count = 100
    held = [connect() for _ in range(count)]
    for number, c in enumerate(held):
        c.send(b"%05d" % number * 1000)
    for number, c in enumerate(held):
        expect(receive(c, 5000) == b"%05d" % number * 1000, f"connection {number}")
        c.socket.close()
    return f"{count} connections"


def goodbye(connect):
    """What was sent before our close_notify comes back, and then the other side's close_notify."""
    with connect() as c:
        c.send(b"last words")
        expect(receive(c, 10) == b"last words", "came back otherwise")
        c.socket.unwrap()
    return "close_notify both ways"


def reset(connect):
    for _ in range(20):
        c = connect()
        c.send(b"x" * 50_000)
        c.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        c.socket.close()
    return in_turns(connect)


def s_client(server, certificates):
    with clients.InteractiveClient(server.port, certificates) as client:
        client.wait_for("Verify return code: 0 (ok)")
        client.send("once more\n")
        client.wait_for("once more\n")


def main():
    program = sys.argv[1]
    report = Report("echo behaviour")
    with tempfile.TemporaryDirectory() as folder:
        certificates = Certificates(folder)
        with Server(program, "--cert", certificates.chain, "--key", certificates.key, "--workers", 1,
                    "--areas", 8) as server:
            def connect():
                return Connection(server.port, certificates.authority)
            for case in (in_turns, small_pieces, both_ways_at_once, many_at_once, goodbye, reset):
                report.case(case.__name__.replace("_", " "), case, connect)
            report.case("openssl s_client", s_client, server, certificates)
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
