#!/usr/bin/env python3
"""Bounds of every value in the point formulas and public-key operations, from the recorded field operations.

    formulas.py RECORD_FORMULAS [--control]

RECORD_FORMULAS is the program that prints the operations. A coordinate may come out of any formula that gives it, so
the bounds are joined over all formulas until nothing changes; then no sequence of formulas, however long, leaves them.
--control finds how far each stated limit can be tightened, and fails when one is never noticed.
"""

import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from fields import FIELDS, P256, Fault  # noqa: E402


class Formula:
    def __init__(self, name):
        self.name, self.steps, self.outputs = name, [], []

    def inputs(self):
        return {step[2] for step in self.steps if step[0] == "in"}


def read_formulas(text):
    formulas = []
    for line in text.splitlines():
        kind, _, rest = line.partition(" ")
        if kind == "formula":
            formulas.append(Formula(rest))
        elif kind == "in":
            number, name = rest.split()
            formulas[-1].steps.append(("in", int(number), name))
        elif kind == "constant":
            number, value = rest.split()
            formulas[-1].steps.append(("constant", int(number), int(value, 16)))
        elif kind == "out":
            number, name = rest.split()
            formulas[-1].outputs.append((int(number), name))
        elif kind != "end":
            number, *operands = (int(word) for word in rest.split())
            formulas[-1].steps.append((kind, number, *operands))
    return formulas


class Fixpoint:
    """The largest value of each coordinate, by its name, over all formulas of a field."""

    def __init__(self, field, formulas):
        self.field = field
        self.formulas = [f for f in formulas if f.name.startswith(field.prefix)]
        self.state, self.rounds, self.operations = {}, 0, 0
        self.seed()

    def seed(self):
        outside = getattr(self.field, "from_outside", lambda name: None)
        for name in {name for f in self.formulas for name in f.inputs()}:
            bound = outside(name)
            if bound is not None:
                self.state[name] = bound

    def close(self):
        changed = True
        while changed:
            changed, self.operations = False, 0
            self.rounds += 1
            for formula in self.formulas:
                changed |= self.apply(formula)
            if self.rounds > 50:
                raise Fault("the bounds do not settle")
        missing = [f.name for f in self.formulas if not f.inputs() <= self.state.keys()]
        if missing:
            raise Fault(f"never reached: {missing}")

    def apply(self, formula):
        if not formula.inputs() <= self.state.keys():
            return False
        values = {}
        for operation, number, *operands in formula.steps:
            try:
                values[number] = self.step(operation, operands, values)
            except Fault as fault:
                raise Fault(f"{formula.name}, value {number}, {operation}: {fault}") from None
        return any([self.join(name, values[number]) for number, name in formula.outputs])

    def step(self, operation, operands, values):
        if operation == "in":
            return self.state[operands[0]]
        if operation == "constant":
            return self.field.constant(operands[0])
        self.operations += 1
        return getattr(self.field, operation)(*(values[operand] for operand in operands))

    def join(self, name, bound):
        joined = self.field.choose(self.state[name], bound) if name in self.state else bound
        changed = self.state.get(name) != joined
        self.state[name] = joined
        return changed


def shown(bound):
    """Near a power of two, as the headers write it."""
    if isinstance(bound, tuple):
        return "limbs " + ", ".join(shown(limb) for limb in bound)
    if bound == P256.p - 1:
        return "p - 1"
    power = max(bound.bit_length() - 1, 0)
    below, above = 2 ** (power + 1) - bound, bound - 2**power
    return f"2^{power + 1} - {below}" if below < above else f"2^{power} + {above}" if above < 2**64 else f"{bound:#x}"


def prove(formulas):
    for field in FIELDS:
        proof = Fixpoint(field(), formulas)
        proof.close()
        print(f"{field.__name__}: {len(proof.formulas)} formulas, {proof.operations} operations, settled after "
              f"{proof.rounds} rounds; no operand, accumulator or result outside its bounds")
        for name in sorted(proof.state):
            print(f"    {name:14} at most {shown(proof.state[name])}")


def holds(field, formulas):
    try:
        Fixpoint(field, formulas).close()
        return True
    except Fault:
        return False


def least_that_holds(field_class, limit, formulas):
    """By bisection: the least value of the limit under which nothing is out of bounds."""
    field = field_class()
    low, high = 0, getattr(field, limit)
    while low < high:
        middle = (low + high) // 2
        setattr(field, limit, middle)
        low, high = (low, middle) if holds(field, formulas) else (middle + 1, high)
    return low


def control(formulas):
    """Whether every limit, made less than the formulas need, is noticed: then it is looked at."""
    formulas = [f for f in formulas if len(f.steps) < 100]  # the whole operations consist of the others
    unnoticed = 0
    for field in FIELDS:
        for limit, stated in vars(field()).items():
            least = least_that_holds(field, limit, formulas)
            unnoticed += least == 0
            noticed = f"one less than {shown(least)} is noticed" if least > 0 else "NOT NOTICED"
            print(f"{field.__name__:6} {limit:18} stated {shown(stated)}: {noticed}")
    return unnoticed == 0


def main():
    recorded = subprocess.run([sys.argv[1]], check=True, capture_output=True, text=True).stdout
    formulas = read_formulas(recorded)
    if "--control" in sys.argv[2:]:
        return 0 if control(formulas) else 1
    try:
        prove(formulas)
    except Fault as fault:
        print(f"formulas: {fault}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
