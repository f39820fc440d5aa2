#!/usr/bin/env python3
"""Shows that scripts/mutants can tell a fault that a test sees from one that it does not, on a tree of one function."""
import json
import pathlib
import subprocess
import sys
import tempfile

SCRIPT = pathlib.Path(__file__).resolve().parent.parent.parent / "scripts/mutants"

TOY = {
    "CMakeLists.txt": """\
cmake_minimum_required(VERSION 3.25)
project(toy LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/include)
file(CREATE_LINK ${PROJECT_SOURCE_DIR} ${CMAKE_BINARY_DIR}/include/signet SYMBOLIC)
include_directories(${CMAKE_BINARY_DIR}/include)
add_library(signet_crypto STATIC crypto/clamp.cpp)
add_executable(unit_crypto tests/unit/crypto/clamp_test.cpp)
target_link_libraries(unit_crypto PRIVATE signet_crypto)
set_target_properties(unit_crypto PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
""",
    "crypto/clamp.hpp": "#pragma once\nint clamp(int v);\nint count_down(int v);\n",
    "crypto/clamp.cpp": """\
#include <signet/crypto/clamp.hpp>
int clamp(int v) {
  if (v > 9) return 9;
  return v;
}
int count_down(int v) {
  while (v != 0) v--;
  return v;
}
""",
    "tests/unit/crypto/clamp_test.cpp": """\
#include <cstdio>
#include <signet/crypto/clamp.hpp>
int main() {
  if (clamp(8) == 8 && clamp(20) == 9 && count_down(3) == 0) return 0;
  std::puts("clamp_test.cpp:1:\\nTEST CASE:  numbers\\n\\nclamp_test.cpp:4: ERROR: CHECK");
  return 1;
}
""",
}
# The first is the same function; a test at 10 would kill the second.
EXPECTED = {  # the changed line -> outcome
    "  if (v >= 9) return 9;": "survived",
    "  if (v > 10) return 9;": "survived",
    "  if (v > 9) return 10;": "killed",
    "  if (v > 9) return 8;": "killed",
    "  if (false && (v > 9)) return 9;": "killed",
    "  while (v == 0) v--;": "killed",
    "  while (v != 1) v--;": "killed",
}
FAULTS = []


def require(holds, what):
    if not holds:
        FAULTS.append(what)


def mutants(root, verb, *words):
    return subprocess.run([sys.executable, SCRIPT, verb, "--root", root, "--build", root / "build", "--programs",
                           "unit_crypto", *words], capture_output=True, text=True)


def outcomes(root):
    lines = (root / "build/mutants/results.jsonl").read_text().splitlines()
    return {entry["id"]: entry for entry in map(json.loads, lines)}


def changed_lines(root):
    lines = mutants(root, "list").stdout.splitlines()
    return {lines[i]: lines[i + 2].split(": ", 1)[1] for i in range(0, len(lines), 3)}


def try_all(root):
    subprocess.run(["cmake", "-G", "Ninja", "-S", root, "-B", root / "build"], check=True, capture_output=True)
    done = mutants(root, "run")
    require(done.returncode == 1, f"survivors without an argument must fail the run: {done.stdout}{done.stderr}")
    found = {changed_lines(root)[name]: entry for name, entry in outcomes(root).items()}
    for line, result in EXPECTED.items():
        entry = found.get(line.strip(), {"result": "not there"})
        require(entry["result"] == result, f"{line.strip()}: {entry['result']}, not {result}")
    require(found["if (v > 9) return 8;"]["by"] == "unit_crypto: clamp_test.cpp, numbers", "the killing test is not named")
    return [name for name, entry in outcomes(root).items() if entry["result"] == "survived"]


def try_arguments(root, survivors):
    path = root / "tests/mutants/equivalent.txt"
    path.parent.mkdir()
    path.write_text("".join(f"{name} - the same function\n" for name in survivors))
    require(mutants(root, "check").returncode == 0, "every survivor has an argument, and check fails")
    again = mutants(root, "run")
    require(again.returncode == 0, "a run with arguments for all survivors fails")
    require(f"{len(outcomes(root))} with a result already" in again.stdout, f"a rerun does not go on: {again.stdout}")
    path.write_text(path.read_text().split("\n", 1)[1])
    require(mutants(root, "check").returncode == 1, "a survivor without an argument passes check")
    path.write_text("".join(f"{name} - the same function\n" for name in survivors) +
                    "crypto/clamp.cpp:bound:00000000.0.0 - it was there once\n")
    require("there is no such mutant" in mutants(root, "check").stdout, "a stale argument passes check")


def try_ids(root, survivors):
    path = root / "crypto/clamp.cpp"
    path.write_text(path.read_text().replace("int count_down", "\n// Elsewhere.\nint count_down"))
    require(set(survivors) <= set(changed_lines(root)), "an edit elsewhere changes an id")


def main():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder).resolve()
        for name, text in TOY.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        survivors = try_all(root)
        try_arguments(root, survivors)
        try_ids(root, survivors)
    print("\n".join(FAULTS) if FAULTS else "all as expected")
    return 1 if FAULTS else 0


if __name__ == "__main__":
    sys.exit(main())
