#!/usr/bin/env python3
"""Asks clang-format whether each C and C++ file stands as .clang-format says, and looks for comments that are too
long, which it leaves alone; generated code is passed over.

usage: check_format.py [--write]

--write formats the files instead; comments are for a person to break.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
COLUMNS = 110
PROSE = re.compile(r"\s*///? \S")  # a comment on a line of its own, and no picture
SKIPPED = {"build", ".git", ".cache"}


def files():
    paths = (p.relative_to(ROOT) for p in ROOT.rglob("*") if p.suffix in {".hpp", ".cpp", ".h", ".c"})
    return sorted(str(p) for p in paths if p.parts[0] not in SKIPPED and p.parts[:2] != ("crypto", "generated"))


def long_comments():
    for name in files():
        lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
        yield from (f"{name}:{number}: a comment of more than {COLUMNS} columns"
                    for number, line in enumerate(lines, 1) if len(line) > COLUMNS and PROSE.match(line))


def main():
    action = ["-i"] if "--write" in sys.argv[1:] else ["--dry-run", "--Werror"]
    done = subprocess.run(["clang-format", *action, *files()], cwd=ROOT)
    comments = list(long_comments())
    print("".join(f"{comment}\n" for comment in comments), end="")
    bad = done.returncode != 0 or bool(comments)
    print(f"format: {len(files())} files, {'faults above' if bad else 'no fault'}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
