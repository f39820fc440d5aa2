#!/usr/bin/env python3
"""Accounts for every conditional jump and every division in the functions of a linked program that handle secrets.

usage: jump_audit.py check|record PROGRAM [--list FILE]

check   fails on a jump or division that the list has not got, on an entry that is not found any more, and on an
        entry without a reason
record  writes what is found to the list; reasons stay, and new entries get none, so that check fails until a person
        has looked at them

An entry is a source line of this tree (its file and its text, so that it may move), with the functions of the program
that have jumps or divisions of it and how many. The list belongs to an architecture and a compiler's version; of
another one, check says that it is not comparable and exits 0. Needs objdump, readelf and addr2line (binutils), and a
program with line numbers (-g1).
"""
import argparse
import collections
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from source_lines import path_in_tree, text_of

LIST = pathlib.Path(__file__).resolve().parent / "jumps.txt"
MISSING = "REASON MISSING"
LIST_HEAD = """\
# Every conditional jump and every division in functions that handle secrets, as jump_audit.py finds them in https_hello.
# An entry: file, text of the line, the functions with the count of each, and behind '=' why it tells nothing secret.
"""

# What is looked at: all of crypto/, and what derives and uses keys in tls/.
LOOKED_AT = re.compile(r"crypto/|tls/(key_schedule|key_exchange|key_cache|verified_signature|record)\.")

# But not these, which handle nothing secret.
PUBLIC_FILES = {
    r"crypto/(der|pem|oid|oid_name|ecdsa_der)\.": "encodings of what is public; a scalar in them is only viewed",
    r"crypto/private_key\.": "the structure around a scalar, at start-up; valgrind follows the scalar",
    r"crypto/(cpu|random)\.": "features of the processor, answers of the system",
}
PUBLIC_FUNCTIONS = {
    r"_vartime\b": "says by its name that it is given nothing secret",
    r"\bNaf::": "the digits of verification's scalars",
    r"kernels\(|_list\(|List::": "lists of kernels, made once",
    r"P256VerifyTable": "a public key's table",
}

JUMP = re.compile(r"^j(?!mp)\w+$|^loop\w*$")  # x86-64; the list says the architecture
DIVISION = re.compile(r"^i?div[lqwb]?$")

Place = collections.namedtuple("Place", "path text")
Found = collections.namedtuple("Found", "place kind function")


class Fault(Exception):
    """Why there is no answer: no finding."""


def run(command, text=None):
    try:
        return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as fault:
        raise Fault(f"{' '.join(map(str, command))[:200]}: {fault}") from fault


# The program.

def section_of(program):
    """Architecture and compilers, as the program says."""
    machine = re.search(r"Machine:\s+(.+)", run(["readelf", "-h", program]))[1]
    if "X86-64" not in machine:
        raise Fault(f"jumps of {machine} are not known")
    comment = run(["readelf", "-p", ".comment", program])
    return "x86_64, " + ", ".join(sorted(set(re.findall(r"\]\s+(.+)", comment))))


def instructions(program):
    """(address, kind) of each jump and division of functions with a name of ours in theirs."""
    ours = False
    for line in run(["objdump", "-d", "--no-show-raw-insn", "-j", ".text", program]).splitlines():
        if line.endswith(">:"):
            ours = "6signet" in line
            continue
        parts = line.split("\t")
        if not ours or len(parts) < 2:
            continue
        mnemonic = parts[1].split()[0] if parts[1].split() else ""
        kind = "jump" if JUMP.match(mnemonic) else "division" if DIVISION.match(mnemonic) else None
        if kind:
            yield parts[0].strip(" :"), kind


def frames_of(program, addresses):
    """For each address its frames, innermost first: (function, file, line)."""
    said = run(["addr2line", "-e", program, "-a", "-f", "-i", "-C"], "\n".join(addresses)).splitlines()
    stacks = []
    at = 0
    while at < len(said):
        if said[at].startswith("0x"):
            stacks.append([])
            at += 1
            continue
        file, _, line = said[at + 1].split(" (")[0].rpartition(":")
        stacks[-1].append((said[at], file, int(line) if line.isdecimal() else 0))
        at += 2
    if len(stacks) != len(addresses):
        raise Fault(f"addr2line answered {len(stacks)} of {len(addresses)} addresses")
    return stacks


def short(function):
    """Without parameters, return type and what is the same everywhere."""
    name = function.replace("(anonymous namespace)::", "").replace("signet::crypto::", "").replace("signet::", "")
    name = re.sub(r" \[clone [^]]*\]", "", name).replace("[abi:cxx11]", "")
    depth = 0
    for at, letter in enumerate(name):
        depth += (letter == "<") - (letter == ">")
        if letter == "(" and depth == 0 and not name[:at].endswith("operator"):
            name = name[:at]
            break
    return re.sub(r"^(void|bool) ", "", name).strip()


def is_public(path, frames):
    if any(re.match(pattern, path) for pattern in PUBLIC_FILES):
        return True
    return any(re.search(pattern, function) for pattern in PUBLIC_FUNCTIONS for function, _, _ in frames)


def find(program):
    """{Found: count} of the functions that handle secrets."""
    found = collections.Counter()
    pairs = list(instructions(program))
    for (_, kind), frames in zip(pairs, frames_of(program, [address for address, _ in pairs])):
        # A line of the standard library is that line of ours which calls it.
        path, line = next(((path_in_tree(file), line) for _, file, line in frames if path_in_tree(file)), (None, 0))
        if path and LOOKED_AT.match(path) and not is_public(path, frames):
            found[Found(Place(path, text_of(path, line)), kind, short(frames[-1][0]))] += 1
    if not found:
        raise Fault(f"{program} has no jump in any function that handles secrets: has it line numbers?")
    return found


# The list.

def read_list(file):
    """section, {Found: count}, {Place: reason}"""
    section, found, reasons = None, {}, {}
    body = "\n".join(line for line in file.read_text().splitlines() if not line.startswith("#"))
    for block in filter(None, (block.strip("\n") for block in body.split("\n\n"))):
        if block.startswith("["):
            section = block.strip("[]")
            continue
        place, counts, reason = parse_entry(block)
        found |= {Found(place, kind, function): count for count, kind, function in counts}
        reasons[place] = reason
    if section is None:
        raise Fault(f"{file} does not say for which compiler it is")
    return section, found, reasons


def parse_entry(block):
    lines = block.splitlines()
    counts = [re.fullmatch(r"    (\d+) (jump|division) (.+)", line) for line in lines[2:] if line.startswith("    ")]
    reason = " ".join(line[2:].strip() for line in lines[2:] if line.startswith("= "))
    if len(lines) < 4 or not counts or None in counts or not reason:
        raise Fault(f"an entry of the list is not understood: {block}")
    return Place(lines[0], lines[1]), [(int(c[1]), c[2], c[3]) for c in counts], reason


def write_list(file, section, found, reasons):
    parts = [LIST_HEAD, f"\n[{section}]\n"]
    places = collections.defaultdict(list)
    for one, count in sorted(found.items()):
        places[one.place].append(f"    {count} {one.kind} {one.function}\n")
    for place, counts in places.items():
        parts.append(f"\n{place.path}\n{place.text}\n{''.join(counts)}= {reasons.get(place, MISSING)}\n")
    file.write_text("".join(parts))


# The verbs.

def faults(recorded, reasons, found):
    """A line for each difference, and for each reason that is missing."""
    for one in sorted(recorded.keys() | found.keys()):
        before, now = recorded.get(one, 0), found.get(one, 0)
        if before != now:
            what = "new" if before == 0 else "not found any more" if now == 0 else "another count"
            yield f"{what}: {now} {one.kind} (recorded {before}) in {one.function}: {one.place.path}: {one.place.text}"
    for place in sorted(place for place, reason in reasons.items() if MISSING in reason):
        yield f"no reason is given: {place.path}: {place.text}"


def check(program, file):
    section, recorded, reasons = read_list(file)
    if section != section_of(program):
        print(f"jump_audit: NOT COMPARABLE, nothing was checked: this is [{section_of(program)}], listed is [{section}]")
        return 0
    found = find(program)
    wrong = list(faults(recorded, reasons, found))
    print("".join(f"{fault}\n" for fault in wrong), end="")
    print(f"jump_audit: {sum(found.values())} jumps and divisions on {len(reasons)} lines, {len(wrong)} at fault")
    return 1 if wrong else 0


def record(program, file):
    reasons = read_list(file)[2] if file.exists() else {}
    found = find(program)
    write_list(file, section_of(program), found, reasons)
    missing = {one.place for one in found} - reasons.keys()
    print(f"jump_audit: {sum(found.values())} recorded in {file}; a reason is missing on {len(missing)} lines")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("verb", choices=["check", "record"])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--list", type=pathlib.Path, default=LIST)
    arguments = parser.parse_args()
    try:
        if arguments.verb == "check":
            return check(arguments.program, arguments.list)
        record(arguments.program, arguments.list)
        return 0
    except Fault as fault:
        print(f"jump_audit: error: {fault}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
