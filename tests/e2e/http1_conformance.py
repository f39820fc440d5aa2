#!/usr/bin/env python3
"""http_echo before an independent checker of HTTP/1.1's framing, plain and over TLS, on its files of cases.

usage: http1_conformance.py HTTP_ECHO SOURCE_ROOT

The checker lies beside the vectors: in $SIGNET_VECTORS/../conformance, else ../shared/conformance beside the source
root. Without it the test is skipped (exit 77).
"""
import os
import pathlib
import subprocess
import sys
import tempfile

from certificates import Certificates
from report import Report, expect
from server import Server

SKIPPED = 77
FILES = ("smuggling_smuggler.json", "smuggling_portswigger.json", "parsers.json")
# How long the checker waits for more of an answer; long, so that a slow machine is not taken for a silent server.
IDLE_SECONDS, CASES_AT_ONCE = 1.0, 16


def vectors_folder(source_root):
    given = os.environ.get("SIGNET_VECTORS")
    return pathlib.Path(given) if given else pathlib.Path(source_root).parent / "shared" / "vectors"


def check(checker, files, server, *tls):
    command = [sys.executable, checker, "--idle", IDLE_SECONDS, "--jobs", CASES_AT_ONCE, *tls, server.port, *files]
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=240)
    said = (done.stdout + done.stderr).rstrip()
    print(said, flush=True)
    closing = said.splitlines()[-1]
    expect(done.returncode == 0 and closing.endswith(" passed, 0 failed") and not closing.startswith("0 "), closing)
    return closing


def main():
    program, source_root = sys.argv[1:3]
    folder = vectors_folder(source_root)
    checker = folder.parent / "conformance" / "http1_check.py"
    files = [folder / "http1" / name for name in FILES]
    absent = [str(path) for path in (checker, *files) if not path.exists()]
    if absent:
        print(f"skipped: not there: {', '.join(absent)}")
        return SKIPPED
    report = Report("HTTP/1.1 conformance")
    with Server(program, "--plain", "--workers", 1) as server:
        report.case("plain", check, checker, files, server)
    with tempfile.TemporaryDirectory() as scratch:
        certificates = Certificates(scratch)
        with Server(program, "--cert", certificates.chain, "--key", certificates.key, "--workers", 1) as server:
            report.case("over TLS", check, checker, files, server, "--tls", certificates.authority)
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
