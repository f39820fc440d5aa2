"""Runs servercost.py, which measures servers from outside, for the scripts of this folder.

It lies beside the vectors: in $SIGNET_VECTORS/../measure, else ../shared/measure beside the source root.
"""
import os
import pathlib
import platform
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
HELLO = ROOT / "build/release/examples/https_hello/https_hello"
# As servercost.py fills them in: its own copy of the yardstick, and the server that is measured.
COMMANDS = {
    "oserv": "{work}/oserv {port} {chain} {key}",
    "signet": f"{HELLO} --listen 127.0.0.1:{{port}} --cert {{chain}} --key {{key}} --workers 1 --tickets 0",
}
ROW = re.compile(r"^(\S+)\s+(\S+)\s+([\d.]+) us x([\d.]+)\s+user\s+([\d.]+) us x([\d.]+)\s+to ([\d.]+)", re.MULTILINE)


class Row:
    """What one operation cost: microseconds of CPU in all and in user space, ratios to the first server, the worst."""

    def __init__(self, match):
        self.kind, self.server = match.group(1, 2)
        self.us, self.ratio, self.user_us, self.user_ratio, self.most_us = map(float, match.group(3, 4, 5, 6, 7))


def servercost():
    vectors = os.environ.get("SIGNET_VECTORS")
    folder = pathlib.Path(vectors).parent if vectors else ROOT.parent / "shared"
    script = folder / "measure" / "servercost.py"
    if not script.exists():
        sys.exit(f"not there: {script}")
    if not HELLO.exists():
        sys.exit(f"not built: {HELLO.relative_to(ROOT)} (cmake --build --preset release)")
    return script


def cost(commands, kinds, rounds, seconds):
    """The rows of one run; `commands` is what stands for each server by name, the first is the reference."""
    servers = [f"{name}={command}" for name, command in commands.items()]
    line = [sys.executable, servercost(), "-r", rounds, "-s", seconds, *servers, "--", *kinds]
    done = subprocess.run([str(word) for word in line], stdout=subprocess.PIPE, text=True)
    rows = [Row(match) for match in ROW.finditer(done.stdout)]
    if done.returncode or len(rows) != len(commands) * len(kinds):
        sys.exit(f"servercost.py failed:\n{done.stdout}")
    return rows


def machine():
    """One line on where and on what this ran."""
    model = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    openssl = subprocess.run(["openssl", "version"], capture_output=True, text=True).stdout.split()[:2]
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    return (f"{model.group(1) if model else platform.machine()}, {' '.join(openssl)}, commit {commit.stdout.strip()}, "
            f"load average {os.getloadavg()[0]:.1f}")
