"""Runs straight-line functions of the portable field code on intervals instead of words.

The text of the function is taken from the C++ source and rewritten as Python: declarations, assignments, counted loops,
calls. Words and double words are intervals that know their width; a sum, product or difference that leaves it is a
fault, and so is (where the function must be exact) adding to what a cast has cut.
"""

import re


class Fault(Exception):
    pass


class Interval:
    wrapping = False  # set while an assignment runs that is meant to wrap

    def __init__(self, low, high, bits=64, cut=False):
        self.low, self.high, self.bits, self.cut = low, high, bits, cut
        self.settle()

    def settle(self):
        if 0 <= self.low and self.high < 2**self.bits:
            return
        if not Interval.wrapping:
            side = "goes below zero" if self.low < 0 else f"reaches {self.high:#x}, more than {self.bits} bits"
            raise Fault(f"a value {side}")
        self.low, self.high = 0, 2**self.bits - 1

    def combine(self, other, low, high):
        return Interval(low, high, max(self.bits, other.bits))

    def __add__(self, other):
        other = interval(other)
        if exact_sums and (self.cut or other.cut):
            raise Fault("a sum takes what a cast has cut")
        return self.combine(other, self.low + other.low, self.high + other.high)

    def __sub__(self, other):
        other = interval(other)
        return self.combine(other, self.low - other.high, self.high - other.low)

    def __mul__(self, other):
        other = interval(other)
        return self.combine(other, self.low * other.low, self.high * other.high)

    def __rsub__(self, other):
        return interval(other) - self

    __radd__, __rmul__ = __add__, __mul__

    def __rshift__(self, by):
        return Interval(self.low >> by, self.high >> by, self.bits)

    def __lshift__(self, by):
        high = self.high << by
        if high >= 2**self.bits:
            return Interval(0, 2**self.bits - 1, self.bits, cut=True)
        return Interval(self.low << by, high, self.bits)

    def __and__(self, mask):
        mask = interval(mask)
        return Interval(0, min(self.high, mask.high), self.bits)

    def __or__(self, other):
        other = interval(other)
        most = 2 ** max(self.high.bit_length(), other.high.bit_length()) - 1
        return Interval(0, min(most, self.high + other.high), max(self.bits, other.bits))

    def __invert__(self):
        return Interval(0, 2**self.bits - 1, self.bits)


exact_sums = False


def interval(value):
    return value if isinstance(value, Interval) else Interval(value, value)


def wide(value):
    value = interval(value)
    return Interval(value.low, value.high, 128, value.cut)


def narrow(value):
    value = interval(value)
    if value.high < 2**64:
        return Interval(value.low, value.high, 64, value.cut)
    return Interval(0, 2**64 - 1, 64, cut=True)


def meant_to_wrap(compute):
    Interval.wrapping = True
    try:
        return compute()
    finally:
        Interval.wrapping = False


class Struct:
    """An object with arrays of words: Element, Words, Fe, Poly1305Sum."""

    def __init__(self, **arrays):
        self.__dict__.update({name: list(values) for name, values in arrays.items()})


def split_at_commas(text):
    parts, depth = [""], 0
    for c in text:
        depth += (c in "([{") - (c in ")]}")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return [part.strip() for part in parts]


def closing(text, at):
    """The place behind the bracket that closes the one at `at`."""
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] in "([{") - (text[i] in ")]}")
        if depth == 0:
            return i + 1
    raise Fault("a bracket is not closed")


def expression(text):
    text = re.sub(r"u128\{([^{}]*)\}", r"wide(\1)", text)
    text = re.sub(r"(?:std::uint64_t|u64)\{([^{}]*)\}", r"interval(\1)", text)
    text = text.replace("static_cast<u64>(", "narrow(")
    text = re.sub(r"\(\w+ < \w+ \? 1U : 0U\)", "Interval(0, 1)", text)
    return re.sub(r"\b(\d+)U\b", r"\1", text)


class Function:
    """One function of a C++ source as a Python function of intervals."""

    def __init__(self, source, name, wraps=()):
        text = re.sub(r"//[^\n]*|^\s*#[^\n]*", "", source, flags=re.M)
        found = re.search(rf"\b{name}\(([^()]*)\)\s*(?:noexcept)?\s*{{", text)
        if not found:
            raise Fault(f"no function {name}")
        self.name, self.wraps = name, wraps
        self.parameters = [re.search(r"(\w+)(?:\[\d*\])?$", p).group(1) for p in split_at_commas(found.group(1))]
        start = found.end() - 1
        self.lines = []
        self.translate(text[start + 1 : closing(text, start) - 1], 1)

    def emit(self, indent, line):
        self.lines.append("    " * indent + line)

    def translate(self, text, indent):
        text = text.strip()
        while text:
            loop = re.match(r"for \(int (\w+) = (\w+); \1 < (\w+); \1\+\+\)\s*", text)
            if loop:
                self.emit(indent, f"for {loop.group(1)} in range({loop.group(2)}, {loop.group(3)}):")
                text = text[loop.end() :]
                if text.startswith("{"):
                    end = closing(text, 0)
                    self.translate(text[1 : end - 1], indent + 1)
                    text = text[end:].strip()
                    continue
                end = self.end_of_statement(text)
                self.statement(text[:end], indent + 1)
            else:
                end = self.end_of_statement(text)
                self.statement(text[:end], indent)
            text = text[end + 1 :].strip()

    @staticmethod
    def end_of_statement(text):
        depth = 0
        for i, c in enumerate(text):
            depth += (c in "([{") - (c in ")]}")
            if c == ";" and depth == 0:
                return i
        raise Fault(f"no end of the statement {text[:40]!r}")

    def statement(self, text, indent):
        text = " ".join(text.split())
        if re.match(r"const auto (low|high) =", text) or text.startswith("base::wipe"):
            return
        text = re.sub(r"^(?:constexpr |const )+", "", text)
        declared = re.match(r"(u64|u128|std::uint64_t) (.*)", text)
        if declared:
            for variable in split_at_commas(declared.group(2)):
                self.declare(declared.group(1), variable, indent)
            return
        assigned = re.match(r"([\w.\[\] +-]+?) (=|\+=|>>=|&=) (.*)$", text)
        if assigned:
            self.assign(assigned.group(1), assigned.group(2), expression(assigned.group(3)), indent)
        elif text.startswith("return "):
            self.emit(indent, "return " + expression(text[len("return ") :]))
        else:
            self.emit(indent, expression(text))

    def declare(self, kind, variable, indent):
        name, _, value = (part.strip() for part in variable.partition("="))
        array = re.match(r"(\w+)\[\d+\]$", name)
        if array:
            self.emit(indent, f"{array.group(1)} = [{expression(value[1:-1])}]")
        else:
            value = expression(value)
            self.assign(name, "=", f"wide({value})" if kind == "u128" else value, indent)

    def assign(self, target, operator, value, indent):
        if target in self.wraps:
            value = f"meant_to_wrap(lambda: {value})"
        self.emit(indent, f"{target} {operator} {value}")

    def python(self):
        return f"def {self.name}({', '.join(self.parameters)}):\n" + "\n".join(self.lines)


def functions(source, names, exact=False, wraps=(), **others):
    """The functions of `source` called `names`, which may call each other and `others`."""
    global exact_sums
    exact_sums = exact
    scope = {"Interval": Interval, "interval": interval, "wide": wide, "narrow": narrow, "Struct": Struct,
             "meant_to_wrap": meant_to_wrap, **others}
    for name in names:
        exec(Function(source, name, wraps).python(), scope)  # the project's own source
    return scope
