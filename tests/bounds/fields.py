"""What the field kernels take and give, as their headers state it, with the largest values in exact integers.

Each class mirrors one header of crypto/kernels. An operation gets the largest values of its operands and answers the
largest value of its result. It complains when an operand is outside what the header allows, when a word or an
accumulator would overflow or a difference go below zero, or when the result is outside what the header promises. The
attributes that __init__ sets are those limits.
"""


class Fault(Exception):
    pass


def require(holds, text):
    if not holds:
        raise Fault(text)


class P256:
    """p256_field_portable.hpp and p256_field_adx.hpp, which promise the same. A bound is a number."""

    prefix = "p256 "
    p = 2**256 - 2**224 + 2**192 + 2**96 - 1

    def __init__(self):
        self.operand = self.p - 1
        self.first_factor = 2**256 - 1
        self.before_subtraction = 2 * self.p - 1  # what one subtraction of p brings below p
        self.in_words = 2**256 - 1

    def reduced(self, largest):
        require(largest <= self.before_subtraction, f"{largest:#x} is more than one subtraction of p can reduce")
        return min(largest, self.p - 1)

    def operands(self, *bounds):
        for bound in bounds:
            require(bound <= self.operand, f"an operand of {bound:#x} may be p or more")

    def constant(self, value):
        return value

    def from_outside(self, name):
        """Table entries and public points are below p."""
        return self.p - 1 if name.startswith("affine.") else None

    def mul(self, a, b):
        require(a <= self.first_factor, "the first factor has more than 256 bits")
        self.operands(b)
        # Montgomery's: a multiple of p below 2^256 p is added, and the sum divided by 2^256.
        return self.reduced((a * b + (2**256 - 1) * self.p) >> 256)

    def sqr(self, a):
        return self.mul(a, a) if a <= self.operand else self.operands(a)

    def add(self, a, b):
        self.operands(a, b)
        return self.reduced(a + b)

    def sub(self, a, b):
        self.operands(a, b)  # a - b, or a - b + p when a < b: below p both
        return self.p - 1

    def add_weak(self, a, b):
        self.operands(a, b)
        require(a + b - self.p <= self.in_words, "p less does not make the sum fit")
        return min(a + b, 2**256 - 1)

    def half(self, a):
        self.operands(a)
        require((a + self.p) // 2 <= self.operand, "a half is p or more")
        return self.p - 1

    def three_halves(self, a):
        return self.add(self.half(a), a)

    def choose(self, a, b):
        return max(a, b)

    def inverse(self, a):
        self.operands(a)  # modular_inverse.hpp
        return self.p - 1


class Limbs:
    """field25519_portable.hpp: five limbs of 51 bits. A bound is a tuple of the limbs' largest values."""

    prefix = "x25519 "
    low51 = 2**51 - 1

    def __init__(self):
        self.tight = 2**51 + 2**15 - 1
        self.loose = 2**54 - 1
        self.sum_of_two = 2 * (2**51 + 2**15) - 2
        self.column = 2**115 - 1  # an accumulator of a product

    def within(self, a, limit):
        require(max(a) <= getattr(self, limit), f"a limb of {max(a):#x} is not {limit}")

    def product(self, a, b):
        self.within(a, "loose")
        self.within(b, "loose")
        require(max(19 * limb for limb in b) < 2**64, "19 times a limb overflows")
        columns = []
        for k in range(5):
            parts = [a[i] * b[k - i] if i <= k else a[i] * 19 * b[5 + k - i] for i in range(5)]
            columns.append(sum(parts))
        return self.carried(columns)

    def carried(self, columns):
        t = list(columns)
        require(max(t) <= self.column, f"a column of {max(t):#x}")
        for k in range(4):
            t[k + 1] += t[k] >> 51
        require(max(t) < 2**128, "a column overflows")
        low = self.low51 + (t[4] >> 51) * 19
        require(low < 2**128 and low >> 51 < 2**64, "the last carry overflows")
        r = (self.low51, self.low51 + (low >> 51), self.low51, self.low51, self.low51)
        self.within(r, "tight")
        return r

    mul = product

    def sqr(self, a):
        require(2 * max(a) < 2**64, "twice a limb overflows")
        return self.product(a, a)  # the same products, some of them doubled instead of added twice

    def mul_121665(self, a):
        self.within(a, "loose")
        return self.carried([121665 * limb for limb in a])

    def add(self, a, b):
        self.within(a, "sum_of_two")
        self.within(b, "tight")
        r = tuple(x + y for x, y in zip(a, b))
        self.within(r, "loose")
        return r

    add_loose = add

    def sub(self, a, b):
        self.within(a, "sum_of_two")
        self.within(b, "tight")
        four_p = (4 * (self.low51 - 18),) + 4 * (4 * self.low51,)
        require(all(y <= c for y, c in zip(b, four_p)), "a difference goes below zero")
        r = tuple(x + c for x, c in zip(a, four_p))
        self.within(r, "loose")
        return r

    def choose(self, a, b):
        return tuple(max(x, y) for x, y in zip(a, b))

    def load(self):
        r = (self.low51 + 19,) + 4 * (self.low51,)
        self.within(r, "tight")
        return r

    def store(self, a):
        self.within(a, "loose")
        carried = self.carried(list(a))
        value = sum(limb << 51 * i for i, limb in enumerate(carried))
        require(value < 2 * (2**255 - 19), "what is stored may be 2p or more")
        return carried


class Words:
    """field25519_adx.hpp: four words. A bound is a number."""

    prefix = "x25519 "

    def __init__(self):
        self.tight = 2**255 + 2**32 - 1
        self.loose = 2**256 - 1
        self.fifth_word = 2**27 - 1  # what is left above 256 bits before the last fold

    def within(self, a, limit):
        require(a <= getattr(self, limit), f"{a:#x} is not {limit}")

    def folded(self, largest):
        """2^255 = 19, once: what is above bit 255, with that bit, times 19."""
        require(largest >> 256 <= self.fifth_word, f"a fifth word of {largest >> 256:#x}")
        r = min(largest, 2**255 - 1) + 19 * (largest >> 255)
        self.within(r, "tight")
        return r

    def mul(self, a, b):
        self.within(a, "loose")
        self.within(b, "loose")
        # Rows: what five words hold before a word times `a` is added to them; eight words in the end.
        rows = 0
        for i in range(4):
            rows = min(rows >> 64, 2**256 - 1) + a * min(b >> 64 * i, 2**64 - 1)
            require(rows < 2**320, "a row's carry is lost")
        return self.folded(min(a * b, 2**256 - 1) + 38 * (a * b >> 256))

    def sqr(self, a):
        return self.mul(a, a)

    def mul_121665(self, a):
        self.within(a, "loose")
        return self.folded(121665 * a)

    def add(self, a, b):
        self.within(a, "tight")
        self.within(b, "tight")
        over = a + b - 2**256  # 38 is added to what a carry leaves, in its lowest word alone
        require(over < 2**64 - 38, "38 more carries on")
        r = max(min(a + b, 2**256 - 1), over + 38)
        self.within(r, "loose")
        return r

    def add_loose(self, a, b):
        self.within(a, "loose")
        self.within(b, "loose")
        # a + b - 2^256 + 38 may carry once more; then less than 38 is left, and 38 carry no further.
        require(a + b - 2**256 + 38 - 2**256 + 38 < 2**64, "the second 38 carry on")
        r = min(a + b + 38, 2**256 - 1)
        self.within(r, "loose")
        return r

    def sub(self, a, b):
        self.within(a, "loose")
        self.within(b, "tight")
        require(2**256 - b >= 38, "38 less borrow once more")
        r = max(a, 2**256 - 1 - 38)
        self.within(r, "loose")
        return r

    def choose(self, a, b):
        return max(a, b)

    def load(self):
        return self.folded(2**256 - 1)

    def store(self, a):
        self.within(a, "loose")
        reduced = self.folded(a)
        require(reduced + 19 < 2**256 and reduced < 2 * (2**255 - 19), "what is stored may be 2p or more")
        return reduced


FIELDS = (P256, Limbs, Words)
