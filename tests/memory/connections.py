#!/usr/bin/env python3
"""What connections cost: idle ones own no buffer, closed ones leave nothing, waiting ones take no CPU.

usage: connections.py HTTPS_HELLO LOAD_CLIENT
"""
import contextlib
import pathlib
import re
import signal
import socket
import ssl
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
HELD = 256          # send buffers that a worker keeps for peers that do not read
MORE = 8
PATIENCE = 1.0      # seconds that such a peer may take where others need its buffer


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


def report_of(server):
    """What the one worker prints on SIGUSR1."""
    since = len(server.log())
    server.process.send_signal(signal.SIGUSR1)
    return server.wait_for_log("chunks_out", since)


def pools(report):
    """{name: (free, all)}: NAME=FREE/ALL."""
    return {name: (int(free), int(every)) for name, free, every in re.findall(r"(\w+)=(\d+)/(\d+)", report)}


def idle_owns_nothing(program, load_client):
    with Server(program, "--workers", 1) as server:
        with Load(load_client, "hold", server.port, IDLE, announcement=f"held {IDLE}"):
            time.sleep(0.3)
            said = report_of(server)
            expect(f"connections={IDLE}" in said, f"not {IDLE} connections: {said}")
            found = pools(said)
            expect({"areas", "receive", "held", "send", "held_send"} <= found.keys(), f"a pool is not told: {found}")
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


def no_cpu_used(server):
    """Measures a second in which nobody moves."""
    time.sleep(1)
    start = cpu_seconds(server)
    time.sleep(1)
    used = cpu_seconds(server) - start
    expect(used <= CPU_SHARE, f"{used * 1000:.1f} ms of CPU in a second of waiting")
    return f"{used * 1000:.2f} ms of CPU in a second"


def no_cpu(program, flags, *loads):
    """Runs the loads one after the other, all kept."""
    with Server(program, "--workers", 1, *flags) as server, contextlib.ExitStack() as kept:
        for make in loads:
            kept.enter_context(make(server))
        return no_cpu_used(server)


def connect(server):
    """A TLS connection whose kernel buffers are small, so that some hundred of them are no burden."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    plain = socket.socket()
    plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16 * 1024)
    plain.settimeout(20)
    plain.connect(("127.0.0.1", server.port))
    return context.wrap_socket(plain)


def ask(connection, path):
    connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())


def answer(connection):
    """Asks on a connection that is up, and takes the whole of a small answer."""
    ask(connection, "/hello/x")
    said = connection.recv(4096)
    expect(said.startswith(b"HTTP/1.1 200 ") and said.endswith(b"hello x\n"), f"the answer is {said}")


def held_send_buffers_full(program):
    """As many peers that do not read as send buffers may be held, and more: one hot buffer is left for all others."""
    with Server(program, "--workers", 1, "--areas", 1) as server, contextlib.ExitStack() as kept:
        quick = kept.enter_context(connect(server))
        for _ in range(HELD):
            ask(kept.enter_context(connect(server)), GIB)
        used = no_cpu_used(server)
        said = report_of(server)
        expect(pools(said)["held_send"] == (0, HELD) and pools(said)["send"] == (1, 1), f"not all held: {said}")
        expect("slow_reader" not in said, f"one was ended for nobody's sake: {said}")
        answer(quick)
        for _ in range(MORE):
            ask(kept.enter_context(connect(server)), GIB)
            answer(quick)
        time.sleep(PATIENCE)
        said = report_of(server)
        expect(f"slow_reader={MORE}" in said, f"not {MORE} gave way: {said}")
        expect(pools(said)["held_send"] == (0, HELD) and pools(said)["send"] == (1, 1), f"not all held: {said}")
    return f"{used}, {MORE} of {HELD + MORE} gave way"


def area_waited_for(program, client):
    """The one area is kept by a client that holds its Finished back; who waits for it costs nothing and gets it."""
    with Server(program, "--workers", 1, "--handshakes", 1) as server:
        with Load(client, "half", server.port, announcement="half"):
            start, begun = cpu_seconds(server), time.monotonic()
            subprocess.run([client, "requests", str(server.port), "1", "/hello/x"], check=True, timeout=20)
            used, waited = cpu_seconds(server) - start, time.monotonic() - begun
            expect(used <= CPU_SHARE, f"{used * 1000:.1f} ms of CPU in {waited:.1f} s of waiting and a few handshakes")
            said = report_of(server)
            expect("slow_handshake=1" in said, f"none gave way: {said}")
    return f"{used * 1000:.2f} ms of CPU in {waited:.1f} s"


def waiting_cases(report, program, client):
    def stalled(server):
        return Load(client, "stall", server.port, GIB, announcement="stalled")

    def half(server):
        return Load(client, "half", server.port, announcement="half")

    report.case("a peer that does not read", no_cpu, program, [], stalled)
    report.case("no send buffer may be held any more", held_send_buffers_full, program)
    report.case("no handshake area free", area_waited_for, program, client)
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
