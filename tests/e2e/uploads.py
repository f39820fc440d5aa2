#!/usr/bin/env python3
"""Uploads of 1 octet to 1 GiB, with Content-Length and chunked: what arrives is what was sent, and memory is bounded.

usage: uploads.py HTTP_ECHO UPLOAD_SINK [MOST_BYTES]

http_echo holds a body whole and sends it back; upload_sink takes it in pieces and answers its length and SHA-256, at
once for /upload and a little at a time for /paced. Sizes over MOST_BYTES are left out.
"""
import hashlib
import sys
import tempfile
import threading
import time

from certificates import Certificates
from http_client import Connection
from report import Report, expect
from server import Server

KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30
BUFFERED = (1, KIB, 64 * KIB, MIB, 16 * MIB)
STREAMED = (*BUFFERED, GIB)
BLOCK = MIB
# What a server may take beyond the bodies that it holds: buffers of a connection, and the allocator's slack.
SLACK_KIB = 4 * KIB


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


def upload(peer, framing, size, path="/upload"):
    peer.send(f"PUT {path} HTTP/1.1\r\nHost: localhost\r\n".encode())
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
    if server.is_sanitized():
        return "memory is the sanitizer's"
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
    # A chunked body's buffer doubles as it is filled.
    return grown(server, before, (2 if framing == "chunked" else 1) * size // KIB + SLACK_KIB)


def streamed(connect, server, framing, size, path="/upload"):
    before = server.memory_kib()[0]
    with connect() as peer:
        got = upload(peer, framing, size, path)
        expect(got.status == 200, f"{got.status} {got.body[:200]!r}")
        expect(got.body.decode().split() == [str(size), checksum(size)], f"{got.body!r}")
        expect(upload(peer, framing, 5).body.split()[0] == b"5", "the connection does not go on")
    return grown(server, before, SLACK_KIB)


def paced(connect, server, framing, size):
    """The server takes the body more slowly than it is sent, and what it does not take stays outside of it."""
    return streamed(connect, server, framing, size, "/paced")


def over_the_memory(server, connect):
    """Of two long bodies at once there is memory for one: the other is answered 503, and later has its turn. The first
    goes on a little at a time, since one that stands still would give way."""
    whole = b"".join(framed_by_length(BUFFERED[-1]))
    most, more = len(whole) - 1000, whole.index(b"\r\n\r\n") + 4 + BUFFERED[-1] // 2 + MIB // 8
    over = threading.Event()
    with connect() as first, connect() as second:
        before = server.memory_kib()[0]
        first.send(b"PUT /first HTTP/1.1\r\nHost: localhost\r\n" + whole[:most])
        dripper = threading.Thread(target=drip, args=(first, whole[most:], over))
        dripper.start()
        try:
            until(lambda: server.memory_kib()[0] - before > BUFFERED[-1] * 9 // 10 // KIB)
            second.send(b"PUT /second HTTP/1.1\r\nHost: localhost\r\n" + whole[:more])
            refused = second.answer()
        finally:
            over.set()
            dripper.join()
        expect(refused.status == 503 and refused.headers.get("connection") == "close", refused)
        expect(first.answer().status == 200, "the first one")
    with connect() as again:
        expect(upload(again, "Content-Length", BUFFERED[-1]).status == 200, "its turn")


def drip(peer, octets, over):
    """One octet now and then; the rest when it is over."""
    sent = 0
    while not over.wait(0.1) and sent < len(octets) - 1:
        peer.send(octets[sent:sent + 1])
        sent += 1
    peer.send(octets[sent:])


def until(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        expect(time.monotonic() < end, "it does not come")
        time.sleep(0.02)


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
                connect = connecting(server, trust)
                report.case(f"{way}, {case.__name__}, {framing}, {size}", case, connect, server, framing, size)
                if case is buffered and size == sizes[-1]:
                    report.case(f"{way}, {framing}, over the limit", over_the_limit, connect, framing)


def memory_case(report, way, program, flags, trust):
    bound = BUFFERED[-1] * 3 // 2
    with Server(program, "--workers", 1, "--max-body-bytes", BUFFERED[-1], "--body-memory", bound, *flags) as server:
        report.case(f"{way}, over the worker's memory", over_the_memory, server,
                    connecting(server, trust))


def connecting(server, trust):
    return lambda: Connection(server.port, trust, 120)


def main():
    echo, sink = sys.argv[1:3]
    most = int(sys.argv[3]) if len(sys.argv) > 3 else GIB
    large = [size for size in STREAMED if size <= most]
    report = Report("uploads")
    with tempfile.TemporaryDirectory() as folder:
        certificates = Certificates(folder)
        tls = ("--cert", certificates.chain, "--key", certificates.key)
        for way, flags, trust in (("TLS", tls, certificates.authority), ("plain", ("--plain",), None)):
            cases(report, way, echo, buffered, BUFFERED, flags, trust)
            memory_case(report, way, echo, flags, trust)
            cases(report, way, sink, streamed, large, flags, trust)
            cases(report, way, sink, paced, (KIB, 16 * MIB), flags, trust)
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
