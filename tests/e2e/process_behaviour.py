#!/usr/bin/env python3
"""The server as a process: exit codes, reasons at start, and the drain.

usage: process_behaviour.py HTTPS_HELLO
"""
import ctypes
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import threading

from certificates import Certificates, make_key
from http_client import Connection
from report import Report, expect
from server import Server, free_port


SYS_TGKILL = 234  # x86_64


def run(program, *flags):
    done = subprocess.run([program, *map(str, flags)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=20)
    return done.returncode, done.stdout + done.stderr


def asks_for_help(program):
    code, text = run(program, "--help")
    expect(code == 0, f"exit {code}")
    flags = ["--listen", "--cert", "--key", "--plain", "--workers", "--connections", "--areas", "--handshakes",
             "--max-header-bytes", "--max-body-bytes", "--tickets", "--help", "--version"]
    expect(not [f for f in flags if f not in text], f"not told: {[f for f in flags if f not in text]}")
    code, text = run(program, "--version")
    expect(code == 0 and any(c.isdigit() for c in text), f"--version: exit {code}, {text!r}")


def usage_errors(program):
    wrong = [["--no-such-flag"], ["--workers", "many"], ["--workers", "0"], ["--listen", "nowhere"],
             ["--listen", "127.0.0.1:99999"], ["--areas", "-1"], ["--cert"], ["stray"]]
    for flags in wrong:
        code, text = run(program, *flags)
        expect(code == 2 and text.strip(), f"{flags}: exit {code}, {text!r}")
    return f"{len(wrong)} times exit 2"


def start_errors(program, certificates, folder):
    folder = pathlib.Path(folder)
    other_key, rubbish, broken = folder / "other.key", folder / "rubbish.pem", folder / "broken.pem"
    make_key(other_key)
    rubbish.write_text("not a certificate\n", encoding="ascii")
    chain = certificates.chain.read_text(encoding="ascii")
    broken.write_text(chain.replace(chain.splitlines()[3], "!" * 64, 1), encoding="ascii")
    listen = ["--listen", f"127.0.0.1:{free_port()}"]
    wrong = [(folder / "absent.pem", certificates.key, "absent.pem"), (rubbish, certificates.key, "rubbish.pem"),
             (broken, certificates.key, "broken.pem"), (certificates.chain, folder / "absent.key", "absent.key"),
             (certificates.chain, rubbish, "rubbish.pem"), (certificates.chain, other_key, "private key")]
    for chain, key, named in wrong:
        code, text = run(program, *listen, "--cert", chain, "--key", key)
        expect(code == 3 and named in text, f"{chain.name} and {key.name}: exit {code}, {text!r}")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, text = run(program, "--listen", f"127.0.0.1:{port}")
        expect(code == 3 and str(port) in text, f"a port in use: exit {code}, {text!r}")
    with Server(program) as first:
        code, text = run(program, "--listen", f"127.0.0.1:{first.port}")
        expect(code == 3 and str(first.port) in text, f"another server's port: exit {code}, {text!r}")
    return f"{len(wrong) + 2} times exit 3 with the reason"


def drains(program, certificates, number):
    """An idle connection gets its close_notify, a running answer is finished, and new connections are refused."""
    with Server(program, "--cert", certificates.chain, "--key", certificates.key, "--workers", 2) as server:
        with Connection(server.port, certificates.authority) as idle, \
                Connection(server.port, certificates.authority) as busy:
            expect(idle.ask("GET", "/hello/x").status == 200, "no answer")
            busy.send(b"GET /big/10000000 HTTP/1.1\r\nHost: localhost\r\n\r\n")
            busy.more()
            code = []
            stopper = threading.Thread(target=lambda: code.append(server.stop(number)))
            stopper.start()
            expect(idle.ends(), "the idle connection got something else than close_notify")
            expect(len(busy.answer().body) == 10_000_000, "the running answer was cut")
            expect(busy.ends(), "the busy connection goes on")
            stopper.join()
            expect(code == [0], f"exit {code}")
        refused = socket.socket().connect_ex(("127.0.0.1", server.port))
        expect(refused != 0, "somebody still listens")
    return "exit 0"


def any_thread(program):
    """The kernel may give a signal to any thread, one of the program's own too; workers stand for it here."""
    with Server(program, "--workers", 2) as server:
        threads = sorted(int(task.name) for task in pathlib.Path(f"/proc/{server.pid}/task").iterdir())
        expect(len(threads) > 2, f"threads {threads}")
        libc = ctypes.CDLL(None, use_errno=True)
        expect(libc.syscall(SYS_TGKILL, server.pid, threads[-1], int(signal.SIGTERM)) == 0, "tgkill")
        code = server.stop(0)
        expect(code == 0, f"exit {code}")
    return "exit 0"


def listens_twice(program):
    second = free_port()
    with Server(program, "--plain", "--listen", f"127.0.0.1:{second}") as server:
        for port in (server.port, second):
            with Connection(port) as c:
                expect(c.ask("GET", "/hello/x").body == b"hello x\n", f"port {port}")
    return "both answer"


def main():
    program = sys.argv[1]
    report = Report("process behaviour")
    with tempfile.TemporaryDirectory() as folder:
        certificates = Certificates(folder)
        report.case("--help and --version", asks_for_help, program)
        report.case("usage errors", usage_errors, program)
        report.case("errors at start", start_errors, program, certificates, folder)
        report.case("two --listen", listens_twice, program)
        report.case("SIGTERM", drains, program, certificates, signal.SIGTERM)
        report.case("SIGINT", drains, program, certificates, signal.SIGINT)
        report.case("SIGTERM to any thread", any_thread, program)
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
