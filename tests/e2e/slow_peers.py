#!/usr/bin/env python3
"""Slow senders and slow readers cost nobody else anything.

usage: slow_peers.py HTTPS_HELLO [--only-reader] [--seconds N] [--record FILE]

--seconds is how long the slow reader of a large answer reads; --record appends the figures to a file of results.
"""
import argparse
import asyncio
import contextlib
import pathlib
import re
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time

from certificates import Certificates
from crowd import Crowd, described, percentile
from http_client import Connection
from report import Report, expect
from server import Server

SLOW_PEERS = 200
MANY_SLOW_PEERS, FEW_AREAS = 600, 16    # more than there are buffers to hold, so that some must give way
ATTACK_SECONDS = 9
SHORTEST_TIMER = 3          # seconds: of a head, a body and an answer; the quick client must never wait so long
TIMERS = ("--header-timeout", f"{SHORTEST_TIMER}s", "--body-timeout", f"{SHORTEST_TIMER}s", "--write-timeout",
          f"{SHORTEST_TIMER}s", "--record-timeout", "30s")
OTHERS, OTHERS_RATE = 1_000, 500
READ_BYTES = 10 * 1024      # a second
MEMORY_KIB = 4 * 1024       # what one slow reader of a large answer may cost the server at most


class Attack:
    """slowhttptest as a context, with all its connections open when it begins to be interesting."""

    def __init__(self, port, peers, path, *flags):
        self.command = ["slowhttptest", *flags, "-c", peers, "-r", peers, "-l", ATTACK_SECONDS, "-p",
                        SHORTEST_TIMER, "-v", 1, "-u", f"https://127.0.0.1:{port}{path}"]

    def __enter__(self):
        self.told = tempfile.TemporaryFile()
        self.process = subprocess.Popen([str(part) for part in self.command], stdin=subprocess.DEVNULL,
                                        stdout=self.told, stderr=self.told)
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.told.close()

    def runs(self):
        return self.process.poll() is None

    def service_was_available(self):
        """What slowhttptest itself says of its probes."""
        self.told.seek(0)
        text = re.sub(r"\x1b\[[0-9;]*m", "", self.told.read().decode(errors="replace"))
        answers = re.findall(r"service available:\s+(YES|NO)", text)
        return bool(answers) and "NO" not in answers


def quick_requests(server, trust, attack):
    """Asks as long as the attack lasts, on a kept connection and on new ones in turn; answers the seconds of each."""
    waits = []
    with Connection(server.port, trust) as kept:
        while attack.runs():
            start = time.monotonic()
            with contextlib.nullcontext(kept) if len(waits) % 2 else Connection(server.port, trust) as peer:
                got = peer.ask("GET", "/hello/quick")
            waits.append(time.monotonic() - start)
            expect((got.status, got.body) == (200, b"hello quick\n"), got)
    return sorted(waits)


def attacked(program, certificates, peers, server_flags, causes, path, *flags):
    with Server(program, "--cert", certificates.chain, "--key", certificates.key, "--workers", 1, *TIMERS,
                *server_flags) as server:
        with Attack(server.port, peers, path, *flags) as attack:
            waits = quick_requests(server, certificates.authority, attack)
            available = attack.service_was_available()
        counted = server.counters()
    expect(waits and waits[-1] < SHORTEST_TIMER, f"a quick request waited {waits[-1]:.2f} s")
    expect(available, "slowhttptest found the service not available")
    ended = {name: counted[name] for name in causes}
    expect(ended[causes[0]] > 0, f"no {causes[0]}: {dict(counted)}")
    expect(sum(ended.values()) >= peers, f"of {peers} slow peers: {dict(counted)}")
    return f"{described(waits)}; {', '.join(f'{name}={count}' for name, count in ended.items())}"


class SlowReader:
    """Reads a large answer at READ_BYTES a second in a thread, and is gone without a word when it is stopped."""

    def __init__(self, port, trust):
        self.stopped, self.received = threading.Event(), 0
        plain = socket.socket()
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16 * 1024)
        plain.settimeout(60)
        plain.connect(("127.0.0.1", port))
        self.socket = ssl.create_default_context(cafile=trust).wrap_socket(plain, server_hostname="localhost")
        self.socket.sendall(b"GET /big/1073741824 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        self.thread = threading.Thread(target=self._read)
        self.thread.start()

    def _read(self):
        while not self.stopped.wait(0.1):
            self.received += len(self.socket.recv(READ_BYTES // 10))

    def stop(self):
        self.stopped.set()
        self.thread.join()
        self.socket.close()


async def beside_a_slow_reader(server, trust, seconds):
    """(quiet, beside the slow reader): the sorted waits of the others; and the reader's part."""
    async with Crowd(server.port, trust, OTHERS) as others:
        await others.ask(2, OTHERS_RATE)  # so that first times are nobody's
        quiet = await others.ask(seconds, OTHERS_RATE)
        before = server.memory_kib()[0]
        reader = SlowReader(server.port, trust)
        beside = await others.ask(seconds, OTHERS_RATE)
        reader.stop()
        after_it_left = await others.ask(2, OTHERS_RATE)
    expect(after_it_left, "nobody was served behind the slow reader")
    return quiet, beside, server.memory_kib()[1] - before, reader.received


def large_answer(program, certificates, seconds, record):
    with Server(program, "--cert", certificates.chain, "--key", certificates.key, "--workers", 1) as server:
        quiet, beside, growth, received = asyncio.run(beside_a_slow_reader(server, certificates.authority, seconds))
        counted = server.wait_for_counter("peer_gone", 1, 20)
        expect(counted["connections"] == 0 or counted["peer_gone"] >= 1, dict(counted))
    expect(received < 2 * READ_BYTES * seconds, f"the slow reader read {received} octets")
    expect(growth <= MEMORY_KIB, f"the server's memory grew by {growth} KiB")
    factor = percentile(beside, 0.99) / percentile(quiet, 0.99)
    text = (f"{OTHERS} others, {OTHERS_RATE} requests a second for {seconds} s\n"
            f"  quiet:                {described(quiet)}\n"
            f"  beside a slow reader: {described(beside)}\n"
            f"  99th percentile: {factor:.2f} times the quiet one; the reader took {received} octets; memory grew by "
            f"{growth} KiB")
    print(text, flush=True)
    if record:
        with pathlib.Path(record).open("a", encoding="ascii") as results:
            results.write(f"{time.strftime('%Y-%m-%d')} {text}\n")
    return f"99th percentile {factor:.2f} times the quiet one"


def attacks(report, program, certificates):
    """First with a buffer for each slow peer, whom its timer ends; then with fewer, and the longest give way."""
    heads = ("/hello/slow", "-H", "-i", "1", "-x", "8")
    bodies = ("/echo", "-B", "-i", "20", "-s", "8192", "-x", "8")
    readers = ("/big/10000000", "-X", "-n", "20", "-w", "512", "-y", "1024", "-z", "32")
    for name, timeout, gave_way, attack in (("heads", "header_timeout", "gave_way", heads),
                                            ("bodies", "body_timeout", "gave_way", bodies),
                                            ("readers", "write_timeout", "slow_reader", readers)):
        report.case(f"slow {name}", attacked, program, certificates, SLOW_PEERS, (), (timeout,), *attack)
        report.case(f"slow {name}, few buffers", attacked, program, certificates, MANY_SLOW_PEERS,
                    ("--areas", FEW_AREAS), (gave_way, timeout), *attack)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("program")
    arguments.add_argument("--only-reader", action="store_true")
    arguments.add_argument("--seconds", type=int, default=10)
    arguments.add_argument("--record")
    asked = arguments.parse_args()
    report = Report("slow peers")
    with tempfile.TemporaryDirectory() as folder:
        certificates = Certificates(folder)
        if not asked.only_reader:
            attacks(report, asked.program, certificates)
        report.case("a slow reader of 1 GiB", large_answer, asked.program, certificates, asked.seconds, asked.record)
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
