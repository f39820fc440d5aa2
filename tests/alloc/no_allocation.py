#!/usr/bin/env python3
"""Shows that a warm server asks neither malloc nor the kernel for memory while it serves.

usage: no_allocation.py HTTPS_HELLO COUNTER_LIBRARY LOAD_CLIENT

The server runs under the counting library and under strace, which lists brk, mmap, munmap and mremap of all its
threads. After a warm-up, all counts are compared before and after 1,000 handshakes, and before and after 100,000
requests, both plain GETs and JSON bodies behind a browser's header fields.
"""
import pathlib
import struct
import subprocess
import sys
import tempfile
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "e2e"))
from report import Report, expect  # noqa: E402
from server import Server  # noqa: E402

WARM_UP, HANDSHAKES, REQUESTS = 1_000, 1_000, 100_000
JSON = '{"name": "Ada", "age": 36, "languages": ["en", "fr"], "address": {"city": "London", "zip": "SW1A"}}'
CALLS = "brk,mmap,munmap,mremap"


class Counted:
    """The server under both counters."""

    def __init__(self, program, library, load_client, folder):
        self.load_client = load_client
        self.counts, self.calls = pathlib.Path(folder) / "counts", pathlib.Path(folder) / "calls"
        tracer = ["strace", "-f", "--seccomp-bpf", "-qq", "-e", f"trace={CALLS}", "-e", "signal=none", "-o",
                  str(self.calls), "-E", f"LD_PRELOAD={library}", "-E", f"SIGNET_ALLOCATION_COUNTS={self.counts}"]
        self.server = Server(program, "--workers", 1, prefix=tracer)

    def load(self, mode, count, *more):
        subprocess.run([self.load_client, mode, str(self.server.port), str(count), *more], check=True, timeout=300)

    def snapshot(self):
        """Once the server is done with the load: (malloc and its kin, free, lines of strace)."""
        time.sleep(0.2)
        allocated, freed = struct.unpack("=QQ", self.counts.read_bytes())
        return allocated, freed, self.calls.read_text(encoding="ascii").splitlines()

    def difference(self, mode, count, *more):
        before = self.snapshot()
        self.load(mode, count, *more)
        after = self.snapshot()
        allocated, freed, calls = after[0] - before[0], after[1] - before[1], after[2][len(before[2]):]
        said = f"{count} {mode}: malloc +{allocated}, free +{freed}, {CALLS} +{len(calls)}"
        expect((allocated, freed, calls) == (0, 0, []), "\n".join([said, *calls[:20]]))
        return said


def counters_work(counted):
    """Starting up allocates, so zeros would mean that nothing was counted."""
    allocated, _, calls = counted.snapshot()
    expect(allocated > 0 and calls, f"nothing was counted: malloc {allocated}, calls {len(calls)}")
    return f"start-up: malloc {allocated}, calls {len(calls)}"


def main():
    report = Report("no allocation")
    with tempfile.TemporaryDirectory() as folder:
        counted = Counted(*sys.argv[1:4], folder)
        with counted.server:
            report.case("the counters count", counters_work, counted)
            counted.load("handshakes", WARM_UP)
            counted.load("requests", WARM_UP, "/hello/world")
            report.case("handshakes", counted.difference, "handshakes", HANDSHAKES)
            report.case("requests", counted.difference, "requests", REQUESTS, "/hello/world")
            counted.load("posts", WARM_UP, "/json", JSON)
            report.case("JSON bodies", counted.difference, "posts", REQUESTS, "/json", JSON)
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
