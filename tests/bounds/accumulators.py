#!/usr/bin/env python3
"""Bounds of the accumulators of the portable multiplications, from the text of the C++ that computes them.

    accumulators.py [--control]

Operands have the largest values that the headers allow. No word, double word or difference may leave its range, and
what comes out must be what fields.py takes for granted when it closes the formulas' bounds. --control puts
faults in the text and fails unless each is noticed.
"""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, HERE)
from cpp_intervals import Fault, Interval, Struct, functions, interval, narrow  # noqa: E402
import fields  # noqa: E402
from fields import P256, Limbs, Words  # noqa: E402

FULL = 2**64 - 1
KERNELS = "crypto/kernels/"
# What the headers say, in their own words; fields.py and the operands below say the same in numbers.
STATED = {
    "portable/field25519_portable.hpp": ["tight, below 2^51 + 2^15", "2^54, what add and sub give",
                                         "sum of two tight ones first and a tight one second", "< 2^115"],
    "x86_64/field25519_adx.hpp": ["tight, below 2^255 + 2^32", "loose, below 2^256", "for a t4 below 2^27",
                                  "add tight ones, sub a loose one and a"],
    "portable/p256_field_portable.hpp": ["Operands are below p, except the first one of mul(), which may be any",
                                         "r = t mod p for t < 2p"],
    "x86_64/p256_field_adx.hpp": ["Operands are below p, except the first one of mul(), which may be any 256-bit"],
    "portable/poly1305_portable.hpp": ["h < 5 * 2^128 between blocks"],
}


SOURCES = [KERNELS + path for path in STATED] + ["crypto/p256_scalar.cpp"]


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def words(count, most=FULL):
    return [Interval(0, most) for _ in range(count)]


def check(holds, text):
    if not holds:
        raise Fault(text)


def check_stated():
    for path, phrases in STATED.items():
        said = " ".join(read(KERNELS + path).replace("\n//", " ").split())
        for phrase in phrases:
            check(phrase in said, f"{path} no longer says {phrase!r}")
    print(f"stated: {sum(len(p) for p in STATED.values())} bounds stand in the headers as they are checked here")


def highs(element):
    return tuple(interval(limb).high for limb in element.limb)


def element(bounds):
    return Struct(limb=[Interval(0, bound) for bound in bounds])


def check_limbs():
    """field25519_portable.hpp: its products, sums and loads against the model that the formulas' bounds rest on."""
    model = Limbs()
    loose, two, tight = (model.loose,) * 5, (model.sum_of_two,) * 5, (model.tight,) * 5
    names = ["carry", "mul", "sqr", "mul_121665", "add", "sub", "load"]
    code = functions(read(KERNELS + "portable/field25519_portable.hpp"), names, exact=True, low51=interval(2**51 - 1))
    for name, bounds in [("mul", (loose, loose)), ("sqr", (loose,)), ("mul_121665", (loose,)), ("add", (two, tight)),
                         ("sub", (two, tight))]:
        r = Struct(limb=[0] * 5)
        code[name](r, *(element(b) for b in bounds))
        expected = getattr(model, name)(*bounds)
        check(highs(r) == expected, f"{name} gives {highs(r)}, and the model {expected}")
    r = Struct(limb=[0] * 5)
    code["load"](r, Struct(w=words(4)))
    check(highs(r) == model.load(), f"load gives {highs(r)}")
    print(f"field25519_portable: {', '.join(names)} stay within their words and give what the model says")


def check_p256():
    """p256_field_portable.hpp: the rows and reductions of a product."""
    reduced = []
    code = functions(read(KERNELS + "portable/p256_field_portable.hpp"), ["add_product", "reduce_word", "mul"],
                     field_prime=Struct(w=[P256.p >> 64 * i & FULL for i in range(4)]),
                     subtract_prime=lambda r, t: reduced.append(t))
    code["mul"](Struct(w=[0] * 4), Struct(w=words(4)), Struct(w=words(4)))
    (t,) = reduced
    check(interval(t[4]).high <= 2, "the fifth word of a product")
    P256().mul(2**256 - 1, P256.p - 1)  # and its value is below 2p
    print("p256_field_portable: add_product, reduce_word, mul lose no carry for any 256-bit operands")


def check_order():
    """p256_scalar.cpp: the same for products modulo the group order, whose reduction multiplies by n in full."""
    n = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
    code = functions(read("crypto/p256_scalar.cpp"), ["add_product"])
    t = [interval(0)] * 5 + [interval(0)]
    order = [interval(n >> 64 * i & FULL) for i in range(4)]
    for _ in range(4):  # montgomery_mul's turns
        t[5] = code["add_product"](t, words(4), Interval(0, FULL))
        t[5] = t[5] + code["add_product"](t, order, Interval(0, FULL))
        t = t[1:] + [interval(0)]
    check(t[4].high <= 2, "the fifth word of a product")
    check(((2**256 - 1) * (n - 1) + (2**256 - 1) * n) >> 256 < 2 * n, "one subtraction of n is not enough")
    print("p256_scalar: add_product loses no carry in montgomery_mul")


def check_poly1305():
    """poly1305_portable.hpp: a step from h < 5 * 2^128 comes back to it."""
    low = lambda v: narrow(interval(v))  # noqa: E731
    high = lambda v: narrow(interval(v) >> 64)  # noqa: E731
    code = functions(read(KERNELS + "portable/poly1305_portable.hpp"), ["poly1305_step"], wraps=("text", "folded"),
                     low=low, high=high)
    total = Struct(h=[Interval(0, FULL), Interval(0, FULL), Interval(0, 4)])
    key = Struct(r=[Interval(0, 0x0FFFFFFC0FFFFFFF), Interval(0, 0x0FFFFFFC0FFFFFFC)])
    code["poly1305_step"](total, key, Interval(0, 2**128 - 1, 128), Interval(0, 1))
    check(total.h[2].high <= 4, f"h2 of {total.h[2].high}")
    print("poly1305_portable: a step overflows no column and keeps h below 5 * 2^128")


def check_words():
    """field25519_adx.hpp is assembly: what its folds multiply by, and what the rows then hold (fields.py)."""
    text = read(KERNELS + "x86_64/field25519_adx.hpp")
    for instruction in ("movl $38, %%edx", "imulq $19, %[t4], %[t4]", "movl $121665, %%edx"):
        check(text.count(instruction) == 1, f"not one {instruction!r}")
    model = Words()
    model.mul(model.loose, model.loose)
    model.mul_121665(model.loose)
    print("field25519_adx: products and their folds fit their words, by value")


# Faults of the sources that must be noticed: the check, the file, what stands there, and what stands there instead.
FAULTS = [
    ("check_limbs", "field25519_portable.hpp", "+ 4 * low51 -", "+ 2 * low51 -"),
    ("check_limbs", "field25519_portable.hpp", "(static_cast<u64>(t1) & low51) +", "static_cast<u64>(t1) +"),
    ("check_limbs", "field25519_portable.hpp", "static_cast<u64>(t3) & low51", "static_cast<u64>(t3)"),
    ("check_limbs", "field25519_portable.hpp", "(t4 >> 51) * 19", "t4 * 19"),
    ("check_p256", "p256_field_portable.hpp", "carry >>= 64;", "carry >>= 63;"),
    ("check_p256", "p256_field_portable.hpp", "u128{a.w[j]} * b + t[j]", "u128{a.w[j]} * b + t[j] + t[j]"),
    ("check_order", "p256_scalar.cpp", "u128{a[j]} * b + t[j]", "u128{a[j]} * b + t[j] + t[j]"),
    ("check_poly1305", "poly1305_portable.hpp", "(column2 & 3)", "(column2 & 7)"),
    ("check_poly1305", "poly1305_portable.hpp", "h2 * r1_5", "(h2 << 3) * r1_5"),
    ("check_words", "field25519_adx.hpp", "imulq $19", "imulq $38"),
    ("check_stated", "field25519_adx.hpp", "below 2^255 + 2^32", "below 2^255 + 2^31"),
]


def is_noticed(check_name, file, right, wrong):
    global read
    original = read
    read = lambda path: original(path).replace(right, wrong) if path.endswith(file) else original(path)  # noqa: E731
    try:
        globals()[check_name]()
        return False
    except (Fault, fields.Fault) as fault:
        print(f"noticed: {right!r} as {wrong!r}: {fault}")
        return True
    finally:
        read = original


def control():
    """Whether every fault is noticed, and stands in for something that is there."""
    good = True
    for name, file, right, wrong in FAULTS:
        there = any(right in read(path) for path in SOURCES if path.endswith(file))
        if not there or not is_noticed(name, file, right, wrong):
            good = False
            print(f"NOT NOTICED: {right!r} as {wrong!r} in {file}")
    return good


def main():
    if "--control" in sys.argv[1:]:
        return 0 if control() else 1
    check_stated()
    check_limbs()
    check_p256()
    check_order()
    check_poly1305()
    check_words()
    return 0


if __name__ == "__main__":
    sys.exit(main())
