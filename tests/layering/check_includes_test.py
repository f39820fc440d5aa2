#!/usr/bin/env python3
"""Shows that check_includes.py can fail: each small bad tree below must give exactly its fault."""
import pathlib
import subprocess
import sys
import tempfile

CHECK = pathlib.Path(__file__).resolve().parent / "check_includes.py"

GOOD = {
    "base/bytes.hpp": "#pragma once\n#include <cstdint>\ninline int one() noexcept { return 1; }\n",
    "tls/record.cpp": "#include <signet/base/bytes.hpp>\n// throw new malloc(std::string)\n"
                      "int two(char* p) noexcept { return *new (p) char('{') + one(); }\n",
    "server/io/loop.hpp": "struct Loop {\n  Loop() = default;\n  ~Loop();\n  static int count() noexcept;\n};\n",
    "server/options.cpp": "#include <string>\nstd::string name() { return {}; }\n",
}

BAD = [  # (file, contents, what the check must say)
    ("base/up.hpp", "#include <signet/tls/record.cpp>\n", "base may not include tls/record.cpp"),
    ("http/up.hpp", "#include <signet/tls/record.cpp>\n", "http may not include tls/record.cpp"),
    ("tls/absent.hpp", "#include <signet/base/absent.hpp>\n", "is not there"),
    ("tls/quoted.hpp", '#include "record.cpp"\n', "write <signet/...>"),
    ("tls/socket.cpp", "#include <sys/socket.h>\n", "<sys/socket.h> is not for tls"),
    ("tls/clock.cpp", "#include <ctime>\n", "<ctime> is not for tls"),
    ("tls/now.cpp", "auto now() noexcept { return std::chrono::system_clock::now(); }\n", "system_clock is not for tls"),
    ("http/socket.cpp", "#include <netinet/in.h>\n", "<netinet/in.h> is not for http"),
    ("tls/json.cpp", "#include <simdjson.h>\n", "third-party"),
    ("tls/text.hpp", "struct S { std::string name; };\n", "std::string allocates"),
    ("server/io/list.cpp", "static std::vector<int> all;\n", "std::vector allocates"),
    ("crypto/heap.cpp", "int* heap() noexcept { return new int; }\n", "new without a place"),
    ("base/heap.cpp", "void* heap() noexcept { return malloc(4); }\n", "malloc() allocates"),
    ("tls/throws.cpp", "void f() noexcept { throw 1; }\n", "throw is not for this file"),
    ("http/catches.cpp", "void f() { try { g(); } catch (...) {} }\n", "try is not for this file"),
    ("tls/may_throw.hpp", "namespace t {\nclass C {\n public:\n  int size() const;\n};\n}\n", "size() is not noexcept"),
    ("base/free_function.hpp", "template <class T>\nT twice(T value) { return value + value; }\n",
     "twice() is not noexcept"),
    ("base/makes.hpp", "struct S {\n  explicit S(int a) : a_{a} {}\n  int a_;\n};\n", "S() is not noexcept"),
    ("base/long.hpp", "// line\n" * 701, "over 700 lines"),
]


def run(root):
    return subprocess.run([sys.executable, CHECK, root], capture_output=True, text=True)


def write(root, files):
    for name, contents in files.items():
        path = pathlib.Path(root) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(contents, encoding="utf-8")


def faults_of(files):
    """The check's lines, without those of listed files that a small tree has not got."""
    with tempfile.TemporaryDirectory() as root:
        write(root, files)
        done = run(root)
        return [line for line in done.stdout.splitlines() if "is listed but not there" not in line], done.returncode


def main():
    failed = 0
    lines, _ = faults_of(GOOD)
    if lines:
        failed += 1
        print("the good tree has faults:", *lines, sep="\n  ")
    for name, contents, expected in BAD:
        lines, code = faults_of({**GOOD, name: contents})
        if code == 0 or not lines or not all(line.startswith(name) for line in lines) or expected not in lines[0]:
            failed += 1
            print(f"{name}: expected '{expected}', got exit {code} and {lines}")
    print(f"layering check: {len(BAD) + 1 - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
