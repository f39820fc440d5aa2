#!/usr/bin/env python3
"""Several workers under load of many connections, and a drain in the middle of it; under ThreadSanitizer too.

usage: workers_and_drain.py HTTPS_HELLO LOAD_CLIENT
"""
import signal
import subprocess
import sys
import time

from report import Report, expect
from server import Server

WORKERS = 4
FEW_CONNECTIONS = 4


def start(client, server, mode, count, *more):
    return subprocess.Popen([client, mode, str(server.port), str(count), *more], stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL)


def mixed(client, server, factor):
    return [start(client, server, "handshakes", 150 * factor), start(client, server, "handshakes", 150 * factor),
            start(client, server, "requests", 1000 * factor, "/hello/x"),
            start(client, server, "requests", 20 * factor, "/big/60000")]


def short_ones(client, server):
    """Twice as many at once as --connections below allows, and none that is kept."""
    return [start(client, server, "handshakes", 60) for _ in range(2 * FEW_CONNECTIONS)]


def pauses(program, client):
    with Server(program, "--workers", WORKERS, "--connections", FEW_CONNECTIONS) as server:
        for load in short_ones(client, server):
            expect(load.wait(300) == 0, "a load client failed")
    return "all answered, exit 0"


def serves(program, client, *flags):
    with Server(program, "--workers", WORKERS, *flags) as server:
        for load in mixed(client, server, 1):
            expect(load.wait(300) == 0, "a load client failed")
        server.process.send_signal(signal.SIGUSR1)  # the report is made while connections come and go
        for load in mixed(client, server, 1):
            server.process.send_signal(signal.SIGUSR1)
            expect(load.wait(300) == 0, "a load client failed")
    return "all answered, exit 0"


def drains(program, client, number):
    with Server(program, "--workers", WORKERS) as server:
        loads = mixed(client, server, 1000)
        time.sleep(1)
        expect(all(load.poll() is None for load in loads), "a load client ended before the drain")
        code = server.stop(number, timeout=60)
        for load in loads:
            load.wait(60)
        expect(code == 0, f"exit {code}; the log:\n{server.log()[-6000:]}")
    return "exit 0 in the middle of the load"


def main():
    program, client = sys.argv[1:3]
    report = Report("workers and drain")
    report.case(f"{WORKERS} workers", serves, program, client)
    report.case("few areas, so that many wait", serves, program, client, "--areas", 2, "--handshakes", 1)
    report.case("few connections, so that listeners pause", pauses, program, client)
    report.case("SIGTERM under load", drains, program, client, signal.SIGTERM)
    report.case("SIGINT under load", drains, program, client, signal.SIGINT)
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
