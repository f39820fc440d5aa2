#!/usr/bin/env python3
"""The files of crypto/generated are what their generators write, octet by octet.

    compare.py [--control]

The first line of each names its generator. --control changes octets and files and fails unless that is noticed.
"""

import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GENERATED, GENERATORS = "crypto/generated", "scripts/gen"


def committed():
    """The octets of each generated file, by its path."""
    files = {}
    for name in sorted(os.listdir(os.path.join(ROOT, GENERATED))):
        with open(os.path.join(ROOT, GENERATED, name), "rb") as file:
            files[f"{GENERATED}/{name}"] = file.read()
    return files


def generator_of(path, octets):
    line = octets.split(b"\n", 1)[0].decode("utf-8", "replace")
    found = re.fullmatch(rf"// ({GENERATORS}/\w+\.py) > {re.escape(path)}", line)
    return found.group(1) if found else None


def first_difference(a, b):
    return next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))


def faults(files, generators, written):
    """What is wrong; `written` answers what a generator writes."""
    found, used = [], set()
    for path, octets in files.items():
        generator = generator_of(path, octets)
        if generator not in generators:
            found.append(f"{path}: its first line names no generator")
            continue
        used.add(generator)
        expected = written(generator)
        if octets != expected:
            found.append(f"{path}: differs from what {generator} writes at octet {first_difference(octets, expected)}")
    return found + [f"{generator}: no file is its" for generator in generators if generator not in used]


def generators_there():
    names = sorted(os.listdir(os.path.join(ROOT, GENERATORS)))
    return [f"{GENERATORS}/{name}" for name in names if name.endswith(".py")]


class Runs:
    """What generators write, each run once."""

    def __init__(self):
        self.outputs = {}

    def __call__(self, generator):
        if generator not in self.outputs:
            command = [sys.executable, os.path.join(ROOT, generator)]
            self.outputs[generator] = subprocess.run(command, check=True, capture_output=True).stdout
        return self.outputs[generator]


def control(files, generators, runs):
    """Whether each kind of fault is noticed."""
    path = next(iter(files))
    octets = files[path]
    at = len(octets) // 2
    altered = {
        "an octet changed": {**files, path: octets[:at] + bytes([octets[at] ^ 1]) + octets[at + 1 :]},
        "the last octet missing": {**files, path: octets[:-1]},
        "an octet too many": {**files, path: octets + b"\n"},
        "no generator named": {**files, path: octets[1:]},
        "a file missing": {name: files[name] for name in files if name != path},
    }
    good = True
    for what, changed in altered.items():
        found = faults(changed, generators, runs)
        print(f"{'noticed' if found else 'NOT NOTICED'}: {what}: {found}")
        good = good and bool(found)
    return good


def main():
    files, generators, runs = committed(), generators_there(), Runs()
    if "--control" in sys.argv[1:]:
        return 0 if control(files, generators, runs) else 1
    found = faults(files, generators, runs)
    print("\n".join(found) or f"{len(files)} files, {sum(map(len, files.values()))} octets: as they are generated")
    return 1 if found or not files else 0


if __name__ == "__main__":
    sys.exit(main())
