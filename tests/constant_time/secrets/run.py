#!/usr/bin/env python3
"""Runs marked_secrets under valgrind's memcheck, which reports each jump and each address that depends on a secret.

usage: run.py check|control PROGRAM

check    fails on a report that revealed.txt does not explain, and on a line there that explains none
control  fails unless memcheck reports each of the program's leaks on purpose, and nothing where nothing leaks

A run of valgrind that does not come to its end is an error, exit 2. Needs valgrind (scripts/deps).
"""
import collections
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from source_lines import path_in_tree, text_of

REVEALED = pathlib.Path(__file__).resolve().parent / "revealed.txt"
LONGEST_RUN = 500  # seconds
FOUND = 99  # what valgrind is to exit with when it reports anything
JUMP, ADDRESS = "UninitCondition", "UninitValue"

# What each control of controls.cpp must show.
CONTROLS = {"branch": {JUMP}, "index": {ADDRESS}, "vartime": {JUMP, ADDRESS}, "revealed": set()}

Report = collections.namedtuple("Report", "kind path text stack")


class Fault(Exception):
    """Why there is no answer: no leak."""


def memcheck(program, *arguments):
    """The reports of one whole run."""
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder) / "reports.xml"
        command = ["valgrind", "--tool=memcheck", "--leak-check=no", "--xml=yes", f"--xml-file={log}",
                   f"--error-exitcode={FOUND}", "--error-limit=no", "--num-callers=8", program, *arguments]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST_RUN, check=False)
            reports = [report_of(error) for error in xml.etree.ElementTree.parse(log).iter("error")]
        except (OSError, subprocess.TimeoutExpired, xml.etree.ElementTree.ParseError) as fault:
            raise Fault(str(fault)) from fault
    if done.returncode != (FOUND if reports else 0):
        raise Fault(f"exit {done.returncode} of {' '.join(command)}\n{(done.stdout + done.stderr)[-2000:]}")
    return reports, done.stdout


def report_of(error):
    frames = [frame_of(frame) for frame in error.find("stack").iter("frame")]
    # A memcmp of the C library is its caller's.
    path, line, _ = next((frame for frame in frames if frame[0]), (None, 0, None))
    stack = [f"{function or '?'} ({path or '?'}:{line})" for path, line, function in frames]
    return Report(error.findtext("kind"), path, text_of(path, line) if path else "", stack)


def frame_of(frame):
    recorded = f"{frame.findtext('dir') or ''}/{frame.findtext('file') or ''}"
    return path_in_tree(recorded), int(frame.findtext("line") or 0), frame.findtext("fn")


def read_revealed():
    """{(path, text): reason}; three lines an entry, a blank one between."""
    entries = {}
    body = "\n".join(line for line in REVEALED.read_text().splitlines() if not line.startswith("#"))
    for block in filter(None, (block.strip() for block in body.split("\n\n"))):
        lines = block.splitlines()
        if len(lines) < 3:
            raise Fault(f"{REVEALED.name} has an entry without file, line and reason: {block}")
        entries[lines[0], lines[1].strip()] = " ".join(line.strip() for line in lines[2:])
    return entries


def check(program):
    reports, said = memcheck(program)
    if not said.endswith("all work was done\n"):
        raise Fault(f"the program did not come to its end: {said[-500:]}")
    revealed = read_revealed()
    used = {(report.path, report.text) for report in reports if report.kind == JUMP} & revealed.keys()
    leaks = [report for report in reports if (report.path, report.text) not in used or report.kind != JUMP]
    for leak in leaks:
        print(f"a secret shows ({leak.kind}): {leak.path}: {leak.text}")
        print("".join(f"    {frame}\n" for frame in leak.stack), end="")
    stale = revealed.keys() - used
    for path, text in sorted(stale):
        print(f"{REVEALED.name} explains what was not reported: {path}: {text}")
    kernels = [line for line in said.splitlines() if not line.startswith(" ") and ": " in line]
    print("\n".join(kernels))
    print(f"{len(kernels)} kinds of work, {len(leaks)} leaks, {len(used)} revealed jumps, {len(stale)} stale")
    return 1 if leaks or stale else 0


def control(program):
    wrong = 0
    for name, expected in CONTROLS.items():
        kinds = {report.kind for report in memcheck(program, name)[0]}
        wrong += kinds != expected
        print(f"{name}: reported {sorted(kinds) or 'nothing'}, expected {sorted(expected) or 'nothing'}")
    return 1 if wrong else 0


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in ("check", "control"):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        return {"check": check, "control": control}[sys.argv[1]](sys.argv[2])
    except Fault as fault:
        print(f"error: {fault}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
