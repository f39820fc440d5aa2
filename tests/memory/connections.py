#!/usr/bin/env python3
"""What connections cost: idle ones own no buffer, closed ones leave nothing, waiting ones take no CPU.

usage: connections.py HTTPS_HELLO LOAD_CLIENT
"""
import contextlib
import pathlib
import re
import signal
import subprocess
import sys
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "e2e"))
from report import Report, expect  # noqa: E402
from server import Server  # noqa: E402

IDLE = 5_000
FEW, MANY = 1_000, 10_000
GROWTH_KIB = 128
CPU_SHARE = 0.02    # of a second, for the whole process: its timers and nothing else
GIB = "/big/1073741824"


class Load:
    """The load client as a context; `announcement` is the line that it says when it has come so far."""

    def __init__(self, program, mode, port, *more, announcement):
        self.command, self.announcement = [program, mode, str(port), *map(str, more)], announcement

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        said = self.process.stdout.readline().strip()
        expect(said == self.announcement, f"the load client says '{said}'")
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        code = self.process.wait(120)
        self.process.stdout.close()
        expect(code == 0, f"the load client ended with {code}")


def pools(server):
    """{name: (free, all)} of the report that the one worker prints on SIGUSR1: NAME=FREE/ALL."""
    since = len(server.log())
    server.process.send_signal(signal.SIGUSR1)
    report = server.wait_for_log("chunks_out", since)
    expect(f"connections={IDLE}" in report, f"not {IDLE} connections: {report}")
    return {name: (int(free), int(every)) for name, free, every in re.findall(r"(\w+)=(\d+)/(\d+)", report)}


def idle_owns_nothing(program, load_client):
    with Server(program, "--workers", 1) as server:
        with Load(load_client, "hold", server.port, IDLE, announcement=f"held {IDLE}"):
            time.sleep(0.3)
            found = pools(server)
            expect({"areas", "receive", "held", "send"} <= found.keys(), f"a pool is not told: {found}")
            expect(all(free == every > 0 for free, every in found.values()), f"not free: {found}")
            text = ", ".join(f"{name} {free} of {every} free" for name, (free, every) in found.items())
    return f"{IDLE} connections: {text}"


def resident_kib(server):
    rollup = pathlib.Path(f"/proc/{server.pid}/smaps_rollup").read_text(encoding="ascii")
    return int(re.search(r"^Rss:\s+(\d+) kB", rollup, re.MULTILINE)[1])


def closed_leave_nothing(program, load_client):
    with Server(program, "--workers", 1) as server:
        def after(count):
            subprocess.run([load_client, "handshakes", str(server.port), str(count)], check=True, timeout=300)
            time.sleep(0.3)
            return resident_kib(server)
        few = after(FEW)
        many = after(MANY - FEW)
        expect(many - few <= GROWTH_KIB, f"{few} KiB after {FEW}, {many} KiB after {MANY}")
    return f"{few} KiB after {FEW}, {many} KiB after {MANY}"


def cpu_seconds(server):
    """On-CPU time of all threads so far."""
    tasks = pathlib.Path(f"/proc/{server.pid}/task").glob("*/schedstat")
    return sum(int(task.read_text().split()[0]) for task in tasks) / 1e9


def no_cpu(program, flags, *loads):
    """Runs the loads one after the other, all kept, and measures a second in which nobody moves."""
    with Server(program, "--workers", 1, *flags) as server, contextlib.ExitStack() as kept:
        for make in loads:
            kept.enter_context(make(server))
        time.sleep(1)
        start = cpu_seconds(server)
        time.sleep(1)
        used = cpu_seconds(server) - start
        expect(used <= CPU_SHARE, f"{used * 1000:.1f} ms of CPU in a second of waiting")
    return f"{used * 1000:.2f} ms of CPU in a second"


class Waiting:
    """The load client, asking for something that it cannot get yet: it says nothing and is ended in the end."""

    def __init__(self, program, mode, port, *more):
        self.command = [program, mode, str(port), *map(str, more)]

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()


def waiting_cases(report, program, client):
    def stalled(server):
        return Load(client, "stall", server.port, GIB, announcement="stalled")

    def half(server):
        return Load(client, "half", server.port, announcement="half")

    def asking(server):
        return Waiting(client, "requests", server.port, 1, "/hello/x")

    report.case("a peer that does not read", no_cpu, program, [], stalled)
    report.case("no send buffer free", no_cpu, program, ["--areas", 1], stalled, asking)
    report.case("no handshake area free", no_cpu, program, ["--handshakes", 1], half, asking)
    report.case("handshakes that stopped half way", no_cpu, program, [], half, half)


def main():
    program, client = sys.argv[1:3]
    report = Report("connections' cost")
    report.case("idle ones own no buffer", idle_owns_nothing, program, client)
    report.case("closed ones leave nothing", closed_leave_nothing, program, client)
    waiting_cases(report, program, client)
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
