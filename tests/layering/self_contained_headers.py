#!/usr/bin/env python3
"""Compiles every header of the tree alone, with warnings as errors.

usage: self_contained_headers.py COMPILER INCLUDE_DIRECTORY [FLAG ...]
"""
import concurrent.futures
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDERS = ["base", "crypto", "tls", "http", "server"]
WARNINGS = ["-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror"]


def headers():
    within = [p for folder in FOLDERS for p in sorted((ROOT / folder).rglob("*.hpp"))]
    return [p.relative_to(ROOT) for p in [*sorted(ROOT.glob("*.hpp")), *within]]


def compile_alone(command, header):
    text = f"#include <signet/{header}>\n#include <signet/{header}>\n"
    done = subprocess.run([*command, "-"], input=text, capture_output=True, text=True)
    return header, done.returncode, done.stderr


def main():
    compiler, include, *flags = sys.argv[1:]
    command = [compiler, "-std=c++20", "-fsyntax-only", *WARNINGS, "-I", include, *flags, "-x", "c++"]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for header, code, errors in pool.map(lambda h: compile_alone(command, h), headers()):
            if code:
                failed += 1
                print(f"{header} does not compile alone:\n{errors}")
    print(f"self-contained headers: {len(headers()) - failed} passed, {failed} failed")
    return 1 if failed or not headers() else 0


if __name__ == "__main__":
    sys.exit(main())
