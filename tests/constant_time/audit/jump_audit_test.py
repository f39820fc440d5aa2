#!/usr/bin/env python3
"""Shows that the audit of jumps can fail: on a program that branches on a secret, and on lists that do not fit.

usage: jump_audit_test.py PROGRAM CXX

PROGRAM is one that the committed list is for, or another compiler's; CXX compiles a small program with a leak.
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

import jump_audit

PROGRAM, CXX = pathlib.Path(), ""

# Stands in for a file of the tree, by its name: a selection that became a branch, and a remainder of a secret. The
# third function says by its name that it may branch.
LEAKING_HEADER = "\n" * 11 + """\
inline int select(int secret, int a) { if (secret) return sink(a); return 3; }
inline unsigned remainder(unsigned secret, unsigned n) { return secret % n; }
inline int select_vartime(int secret, int a) { if (secret) return sink(a); return 4; }
"""
LEAK = """\
namespace signet::crypto {
int sink(int a) { asm volatile("" : "+r"(a)); return a; }
#include "crypto/ct.hpp"
}
int main(int n, char**) {
  using namespace signet::crypto;
  return select(n, 1) + select_vartime(n, 2) + static_cast<int>(remainder(7, static_cast<unsigned>(n)));
}
"""


def build_leak(folder):
    (folder / "crypto").mkdir()
    (folder / "crypto/ct.hpp").write_text(LEAKING_HEADER)
    (folder / "leak.cpp").write_text(LEAK)
    subprocess.run([CXX, "-std=c++20", "-O2", "-g1", "-fno-inline", "leak.cpp", "-o", "leak"], cwd=folder, check=True)
    return folder / "leak"


class Leak(unittest.TestCase):
    def test_branch_and_division_are_found_and_vartime_is_passed_over(self):
        with tempfile.TemporaryDirectory() as name:
            program = build_leak(pathlib.Path(name))
            found = {(one.kind, one.function) for one in jump_audit.find(program)}
            self.assertEqual(found, {("jump", "select"), ("division", "remainder")})

    def test_recorded_without_a_reason_fails_and_with_one_passes(self):
        with tempfile.TemporaryDirectory() as name:
            program, listed = build_leak(pathlib.Path(name)), pathlib.Path(name) / "jumps.txt"
            jump_audit.record(program, listed)
            self.assertEqual(jump_audit.check(program, listed), 1)
            listed.write_text(listed.read_text().replace(jump_audit.MISSING, "this is a test"))
            self.assertEqual(jump_audit.check(program, listed), 0)


class List(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.found = jump_audit.find(PROGRAM)
        cls.reasons = {one.place: "reason" for one in cls.found}

    def faults_with(self, recorded, reasons=None):
        return list(jump_audit.faults(recorded, reasons or self.reasons, self.found))

    def test_the_same_has_no_fault(self):
        self.assertEqual(self.faults_with(self.found), [])

    def test_a_new_jump(self):
        one = max(self.found)
        faults = self.faults_with({key: count for key, count in self.found.items() if key != one})
        self.assertEqual([fault.split(":")[0] for fault in faults], ["new"])

    def test_one_more_jump_on_a_known_line(self):
        one = max(self.found)
        faults = self.faults_with(self.found | {one: self.found[one] + 1})
        self.assertEqual([fault.split(":")[0] for fault in faults], ["another count"])

    def test_a_stale_entry(self):
        stale = max(self.found)._replace(function="gone")
        faults = self.faults_with(self.found | {stale: 1})
        self.assertEqual([fault.split(":")[0] for fault in faults], ["not found any more"])

    def test_a_missing_reason(self):
        faults = self.faults_with(self.found, self.reasons | {max(self.found).place: jump_audit.MISSING})
        self.assertEqual([fault.split(":")[0] for fault in faults], ["no reason is given"])

    def test_written_and_read_again(self):
        with tempfile.TemporaryDirectory() as name:
            listed = pathlib.Path(name) / "jumps.txt"
            jump_audit.write_list(listed, "here", self.found, self.reasons)
            self.assertEqual(jump_audit.read_list(listed), ("here", dict(self.found), self.reasons))

    def test_another_compiler_is_not_comparable(self):
        with tempfile.TemporaryDirectory() as name:
            listed = pathlib.Path(name) / "jumps.txt"
            jump_audit.write_list(listed, "x86_64, another one", {}, {})
            self.assertEqual(jump_audit.check(PROGRAM, listed), 0)


if __name__ == "__main__":
    PROGRAM, CXX = pathlib.Path(sys.argv[1]), sys.argv[2]
    unittest.main(argv=sys.argv[:1])
