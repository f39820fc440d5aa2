#!/usr/bin/env python3
"""Builds the service of README.md as a user would: from the installed package, with the README's own CMake lines.

usage: build_service.py BUILD_FOLDER COMPILER

The service is started and asked.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.append(str(ROOT / "tests" / "e2e"))
from http_client import Connection  # noqa: E402
from report import Report, expect  # noqa: E402
from server import Server  # noqa: E402

MOST_LINES = 20


def block(language):
    """The first block of this language in README.md."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    found = re.search(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    expect(found, f"README.md has no block of {language}")
    return found[1]


def run(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
    expect(done.returncode == 0, f"{command[0]} {command[1]}: {done.stdout[-3000:]}{done.stderr[-3000:]}")


def build(build_folder, compiler, folder):
    (folder / "service.cpp").write_text(block("cpp"), encoding="utf-8")
    (folder / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(service LANGUAGES C CXX)\n" + block("cmake"), encoding="utf-8")
    run("cmake", "--install", build_folder, "--prefix", folder / "installed")
    run("cmake", "-S", folder, "-B", folder / "build", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={folder / 'installed'}",
        f"-DCMAKE_CXX_COMPILER={compiler}", "-DCMAKE_CXX_FLAGS=-Wall -Wextra", "-DCMAKE_COMPILE_WARNING_AS_ERROR=ON")
    run("cmake", "--build", folder / "build")
    lines = len([line for line in block("cpp").splitlines() if line.strip()])
    expect(lines <= MOST_LINES, f"the service has {lines} lines")
    return f"{lines} lines"


def serve(folder):
    with Server(str(folder / "build" / "service"), "--plain") as server, Connection(server.port) as client:
        got = client.ask("GET", "/hello/world")
        expect((got.status, got.body) == (200, b"hello world\n"), got)


def main():
    build_folder, compiler = sys.argv[1:3]
    report = Report("the README's service")
    with tempfile.TemporaryDirectory() as folder:
        report.case("builds from the installed package", build, build_folder, compiler, pathlib.Path(folder))
        report.case("answers", serve, pathlib.Path(folder))
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
