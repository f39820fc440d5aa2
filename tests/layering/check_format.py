#!/usr/bin/env python3
"""Asks clang-format whether each C and C++ file stands as .clang-format says; generated code is passed over.

usage: check_format.py [--write]

--write formats the files instead.
"""
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SKIPPED = {"build", ".git", ".cache"}


def files():
    paths = (p.relative_to(ROOT) for p in ROOT.rglob("*") if p.suffix in {".hpp", ".cpp", ".h", ".c"})
    return sorted(str(p) for p in paths if p.parts[0] not in SKIPPED and p.parts[:2] != ("crypto", "generated"))


def main():
    action = ["-i"] if "--write" in sys.argv[1:] else ["--dry-run", "--Werror"]
    done = subprocess.run(["clang-format", *action, *files()], cwd=ROOT)
    print(f"format: {len(files())} files, {'faults above' if done.returncode else 'no fault'}")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
