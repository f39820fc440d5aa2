"""Runs named cases, prints a line for each, and gives the exit code."""
import time
import traceback


class Report:
    def __init__(self, title):
        self.title, self.passed, self.failed = title, 0, 0

    def case(self, name, function, *arguments):
        """What the function answers is printed behind the name; an exception fails the case."""
        start = time.monotonic()
        try:
            said = function(*arguments) or ""
            self.passed += 1
            print(f"  ok    {name:<44} {said}  ({time.monotonic() - start:.1f} s)", flush=True)
        except Exception as fault:  # every fault of a case is that case's, and the others still run
            self.failed += 1
            print(f"  FAIL  {name:<44} {type(fault).__name__}: {fault}", flush=True)
            traceback.print_exc()

    def end(self):
        print(f"{self.title}: {self.passed} passed, {self.failed} failed", flush=True)
        return 1 if self.failed or not self.passed else 0


def expect(condition, what):
    """An assert that stays when Python optimizes."""
    if not condition:
        raise AssertionError(what)
