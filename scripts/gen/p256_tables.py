#!/usr/bin/env python3
"""Writes crypto/generated/p256_tables.cpp: odd multiples of P-256's base point, in Montgomery form.

Plain affine arithmetic from the curve's definition (SEC 2 section 2.4.2), nothing else.
"""

P = 2**256 - 2**224 + 2**192 + 2**96 - 1
G = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
)
WIDTH, ROWS = 7, 37


def add(p, q):
    """p + q for points that are neither opposite nor at infinity."""
    if p == q:
        slope = (3 * p[0] * p[0] - 3) * pow(2 * p[1], -1, P) % P
    else:
        slope = (q[1] - p[1]) * pow(q[0] - p[0], -1, P) % P
    x = (slope * slope - p[0] - q[0]) % P
    return x, (slope * (p[0] - x) - p[1]) % P


def words(value):
    """The four words of value in Montgomery form, least first."""
    value = value * 2**256 % P
    return ", ".join(f"{value >> 64 * i & 2**64 - 1:#018x}" for i in range(4))


def main():
    print("// scripts/gen/p256_tables.py > crypto/generated/p256_tables.cpp")
    print("#include <signet/crypto/kernels/p256_kernels.hpp>\n")
    print("namespace signet::crypto::p256 {\n")
    print("alignas(64) constinit const Affine base_table[base_rows][base_entries] = {")
    start = G
    for row in range(ROWS):
        print(f"    {{  // odd multiples of 2^{WIDTH * row} G")
        point, twice = start, add(start, start)
        for _ in range(2 ** (WIDTH - 1)):
            print(f"        {{{{{{{words(point[0])}}}}},")
            print(f"         {{{{{words(point[1])}}}}}}},")
            point = add(point, twice)
        print("    },")
        for _ in range(WIDTH):
            start = add(start, start)
    print("};\n\n}  // namespace signet::crypto::p256")


if __name__ == "__main__":
    main()
