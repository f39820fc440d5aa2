#!/usr/bin/env python3
"""Writes crypto/generated/edwards25519_tables.cpp: odd multiples of edwards25519's base point.

Plain affine arithmetic from the curve's definition (RFC 8032 section 5.1), nothing else.
"""

P = 2**255 - 19
D = -121665 * pow(121666, -1, P) % P
G = (
    15112221349535400772501151409588531511454012693041857206046113283949847762202,
    46316835694926478169428394003475163141307993866256225615783033603165251855960,
)
WIDTH, ROWS = 5, 52


def add(p, q):
    """p + q on -x^2 + y^2 = 1 + d x^2 y^2; complete."""
    cross = D * p[0] * q[0] * p[1] * q[1] % P
    x = (p[0] * q[1] + p[1] * q[0]) * pow(1 + cross, -1, P) % P
    y = (p[1] * q[1] + p[0] * q[0]) * pow(1 - cross, -1, P) % P
    return x, y


def words(value):
    """The four words of value, least first."""
    value %= P
    return ", ".join(f"{value >> 64 * i & 2**64 - 1:#018x}" for i in range(4))


def main():
    print("// scripts/gen/edwards25519_tables.py > crypto/generated/edwards25519_tables.cpp")
    print("#include <signet/crypto/kernels/x25519_kernels.hpp>\n")
    print("namespace signet::crypto::c25519 {\n")
    print("alignas(64) constinit const TableEntry base_table[base_rows][base_entries] = {")
    start = G
    for row in range(ROWS):
        print(f"    {{  // odd multiples of 2^{WIDTH * row} B")
        point, twice = start, add(start, start)
        for _ in range(2 ** (WIDTH - 1)):
            x, y = point
            print(f"        {{{{{{{words(y + x)}}}}},")
            print(f"         {{{{{words(y - x)}}}}},")
            print(f"         {{{{{words(2 * D * x * y)}}}}}}},")
            point = add(point, twice)
        print("    },")
        for _ in range(WIDTH):
            start = add(start, start)
    print("};\n\n}  // namespace signet::crypto::c25519")


if __name__ == "__main__":
    main()
