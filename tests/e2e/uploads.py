#!/usr/bin/env python3
"""Uploads of 1 octet to 1 GiB, with Content-Length and chunked: what arrives is what was sent, and memory is bounded.

usage: uploads.py HTTP_ECHO UPLOAD_SINK

http_echo holds a body whole and sends it back; upload_sink takes it in pieces and answers its length and SHA-256.
"""
import hashlib
import sys
import tempfile

from certificates import Certificates
from http_client import Connection
from report import Report, expect
from server import Server

KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30
BUFFERED = (1, KIB, 64 * KIB, MIB, 16 * MIB)
STREAMED = (*BUFFERED, GIB)
BLOCK = MIB
# What a server may take beyond the bodies that it holds: buffers of a connection, and the allocator's slack.
SLACK_KIB = 8 * KIB


def blocks(size):
    """`size` octets in blocks of which no two are alike, so that a lost or repeated one is seen."""
    filler = bytes(i * i % 251 for i in range(BLOCK))
    for at in range(0, size, BLOCK):
        yield (at.to_bytes(8, "big") + filler)[:min(BLOCK, size - at)]


def framed_by_length(size):
    yield b"Content-Length: %d\r\n\r\n" % size
    yield from blocks(size)


def framed_in_chunks(size):
    """Chunks of uneven lengths, some of one octet."""
    yield b"Transfer-Encoding: chunked\r\n\r\n"
    for block in blocks(size):
        for begin, end in ((0, 1), (1, 1000), (1000, 300_000), (300_000, BLOCK)):
            if piece := block[begin:end]:
                yield b"%x\r\n%b\r\n" % (len(piece), piece)
    yield b"0\r\n\r\n"


FRAMINGS = {"Content-Length": framed_by_length, "chunked": framed_in_chunks}


def upload(peer, framing, size):
    peer.send(b"PUT /upload HTTP/1.1\r\nHost: localhost\r\n")
    for piece in FRAMINGS[framing](size):
        peer.send(piece)
    return peer.answer()


def checksum(size):
    digest = hashlib.sha256()
    for block in blocks(size):
        digest.update(block)
    return digest.hexdigest()


def grown(server, before, most_kib):
    """The growth of the server's memory at its height, which is bounded."""
    growth = server.memory_kib()[1] - before
    expect(growth <= most_kib, f"memory grew by {growth} KiB, more than {most_kib}")
    return f"memory grew by {growth} KiB"


def buffered(connect, server, framing, size):
    before = server.memory_kib()[0]
    with connect() as peer:
        got = upload(peer, framing, size)
        expect(got.status == 200, f"{got.status} {got.body[:200]!r}")
        expect(len(got.body) == size, f"{len(got.body)} octets of {size}")
        expect(hashlib.sha256(got.body).hexdigest() == checksum(size), "other octets came back")
        expect(peer.ask("PUT", "/after", b"next").body == b"next", "the connection does not go on")
    # A chunked body's buffer doubles: the one that is full is there beside the new one.
    return grown(server, before, (3 if framing == "chunked" else 1) * size // KIB + SLACK_KIB)


def streamed(connect, server, framing, size):
    before = server.memory_kib()[0]
    with connect() as peer:
        got = upload(peer, framing, size)
        expect(got.status == 200, f"{got.status} {got.body[:200]!r}")
        expect(got.body.decode().split() == [str(size), checksum(size)], f"{got.body!r}")
        expect(upload(peer, framing, 5).body.split()[0] == b"5", "the connection does not go on")
    return grown(server, before, SLACK_KIB)


def over_the_limit(connect, framing):
    with connect() as peer:
        try:
            got = upload(peer, framing, BUFFERED[-1] + 1)
        except OSError:  # the server said its word and takes no more
            got = peer.answer()
        expect(got.status == 413 and got.headers.get("connection") == "close", got)
    return f"413 {got.body.decode().strip()}"


def cases(report, way, program, case, sizes, flags, trust):
    for framing in FRAMINGS:
        for size in sizes:
            with Server(program, "--workers", 1, "--max-body-bytes", sizes[-1], *flags) as server:
                def connect():
                    return Connection(server.port, trust, 120)
                report.case(f"{way}, {case.__name__}, {framing}, {size}", case, connect, server, framing, size)
                if case is buffered and size == sizes[-1]:
                    report.case(f"{way}, {framing}, over the limit", over_the_limit, connect, framing)


def main():
    echo, sink = (sys.argv[1:] + [None])[:2]
    report = Report("uploads")
    with tempfile.TemporaryDirectory() as folder:
        certificates = Certificates(folder)
        tls = ("--cert", certificates.chain, "--key", certificates.key)
        cases(report, "TLS", echo, buffered, BUFFERED, tls, certificates.authority)
        cases(report, "plain", echo, buffered, BUFFERED, ("--plain",), None)
        if sink:
            cases(report, "TLS", sink, streamed, STREAMED, tls, certificates.authority)
            cases(report, "plain", sink, streamed, STREAMED[:-1], ("--plain",), None)
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
