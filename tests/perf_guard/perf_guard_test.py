#!/usr/bin/env python3
"""Shows that scripts/perf_guard tells every difference, and takes nothing for a count that is none."""
import contextlib
import importlib.machinery
import importlib.util
import io
import pathlib
import sys
import tempfile

SCRIPT = pathlib.Path(__file__).resolve().parent.parent.parent / "scripts/perf_guard"
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("perf_guard", str(SCRIPT))
guard = importlib.util.module_from_spec(importlib.util.spec_from_loader("perf_guard", loader))
loader.exec_module(guard)
sys.path.insert(0, str(SCRIPT.parent.parent / "tests/e2e"))
from report import Report, expect  # noqa: E402

ROW = "SHA-256 | 64 | sha256-portable"
HERE = "x86_64, GNU 12.2.0"
DUMP = f"part: 1\ndesc: Trigger: Client Request: {ROW}\nsummary: 100\nfn=(1) f\n1 100\n\ntotals: 100\n"


def only(verdict, recorded, counted):
    found = guard.compare(recorded, counted)
    expect(found == ({ROW: verdict} if verdict else {}), f"{found} of {recorded} and {counted}")


def bounds():
    only(None, {ROW: 1000}, {ROW: 1000})
    only(None, {ROW: 1000}, {ROW: 1100})
    only(guard.Verdict.DEARER, {ROW: 1000}, {ROW: 1101})
    only(None, {ROW: 1100}, {ROW: 1000})
    only(guard.Verdict.CHEAPER, {ROW: 1101}, {ROW: 1000})


def missing_rows():
    only(guard.Verdict.NOT_COUNTED, {ROW: 1000}, {})
    only(guard.Verdict.NOT_RECORDED, {}, {ROW: 1000})
    found = guard.compare({ROW: 1000}, {ROW.replace("portable", "shani"): 1000})
    expect(set(found.values()) == {guard.Verdict.NOT_COUNTED, guard.Verdict.NOT_RECORDED}, "another kernel passed")


def is_fault(function, *arguments):
    try:
        answer = function(*arguments)
    except guard.Fault:
        return
    raise AssertionError(f"{function.__name__} answered {answer!r}")


def bad_runs():
    """Real runs under valgrind: a program that counts nothing, one that fails, and none at all."""
    is_fault(guard.measure, "/bin/true")
    is_fault(guard.measure, "/bin/false")
    is_fault(guard.measure, "/nowhere/counted_work")
    is_fault(guard.run, ["sh", "-c", "kill -ILL $$"])


def bad_dumps():
    expect(guard.rows_of_dumps([DUMP, "part: 2\ntotals: 0\n"], 1) == {ROW: 100}, "a good dump")
    is_fault(guard.rows_of_dumps, [DUMP], 2)
    is_fault(guard.rows_of_dumps, [DUMP, DUMP], 2)
    is_fault(guard.rows_of_dumps, [DUMP.replace("totals: 100\n", "")], 1)
    is_fault(guard.rows_of_dumps, [DUMP.replace("summary: 100", "summary: 0")], 1)
    is_fault(guard.rows_of_dumps, [DUMP.replace("summary: 100\n", "")], 1)


def baselines():
    sections = {HERE: {ROW: 1000, "TLS handshake | 0 | -": 7}, "aarch64, GNU 12.2.0": {ROW: 2000}}
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "baseline.txt"
        expect(guard.read_baseline(file) == {}, "no baseline")
        guard.write_baseline(file, sections)
        expect(guard.read_baseline(file) == sections, file.read_text())
    for bad in (f"{ROW} | 5", f"[{HERE}]\n{ROW} | 5\n{ROW} | 6", f"[{HERE}]\n{ROW} | 0", f"[{HERE}]\nSHA-256 | 64 | 5"):
        is_fault(guard.parse_baseline, bad)


def checked(file, section, count):
    """check's exit code and what it says, where a program of `section` counts so much."""
    guard.section_of, guard.measure = lambda program: section, lambda program: {ROW: count}
    with contextlib.redirect_stdout(io.StringIO()) as said:
        return guard.check("", file)[0], said.getvalue()


def exit_codes():
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "baseline.txt"
        is_fault(checked, file, HERE, 1000)  # a baseline that is lost
        guard.write_baseline(file, {HERE: {ROW: 1000}})
        expect(checked(file, HERE, 1000)[0] == 0, "what was recorded")
        expect(checked(file, HERE, 1200)[0] == 1, "a dearer row")
        expect(checked(file, HERE, 800)[0] == 1, "a cheaper row")
        for section in ("x86_64, GNU 13.1.0", "aarch64, GNU 12.2.0"):
            code, said = checked(file, section, 1200)
            expect(code == 0 and "NOT COMPARABLE" in said and section in said, f"{code} {said}")


def main():
    report = Report("perf_guard's comparison")
    for name, function in [("bounds of 1.1 both ways", bounds), ("rows on one side alone", missing_rows),
                           ("runs that do not end well", bad_runs),
                           ("dumps that are not whole", bad_dumps), ("the baseline's file", baselines),
                           ("what check answers", exit_codes)]:
        report.case(name, function)
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
