"""A view that a handler kept too long is reported by AddressSanitizer, whoever uses its buffer meanwhile.

    misuse.py PROGRAM

Only for a build with AddressSanitizer. Each run is a child that must die of a report; one that does nothing wrong must
not, or the others would prove nothing.
"""
import os
import subprocess
import sys

REPORTS = ("use-after-poison", "heap-use-after-free")


def run(program, *arguments):
    environment = dict(os.environ, ASAN_OPTIONS="detect_leaks=0:abort_on_error=0:exitcode=99")
    child = subprocess.run([program, *arguments], env=environment, capture_output=True, text=True, timeout=60)
    return child.returncode, child.stdout + child.stderr


def is_reported(program, what, *arguments):
    code, said = run(program, what, *arguments)
    reported = code == 99 and any(f"AddressSanitizer: {report}" in said for report in REPORTS)
    print(f"{what:10} {' '.join(arguments):10} {'reported' if reported else f'NOT REPORTED, exit {code}'}")
    if not reported:
        print(said[-3000:])
    return reported


def is_served(program):
    code, said = run(program, "nothing")
    served = code == 0 and "served to the end" in said
    print(f"{'nothing':21} {'served' if served else f'NOT SERVED, exit {code}'}")
    if not served:
        print(said[-3000:])
    return served


def main():
    program = sys.argv[1]
    good = is_served(program)
    for what in ("body", "header", "parameter", "target"):
        for arguments in ([], ["pipelined"]):
            good = is_reported(program, what, *arguments) and good
    good = is_reported(program, "stream") and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
