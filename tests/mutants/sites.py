"""Finds the mutants of a C++ file: small textual changes of one line each, by patterns of a kind.

An id is FILE:KIND:HASH.OCCURRENCE.NUMBER: the hash of the line's text, which one of the lines with that text it is, and
the change's number among those of its kind on the line. So it stays what it is when other lines change.
"""
import dataclasses
import hashlib
import re

# What no mutant touches: text for the compiler alone, and text in comments.
SKIPPED_LINE = re.compile(r"^\s*(#|//|assert\b|static_assert|template\b|using\b|namespace\b|public:|private:)")
COMMENT = re.compile(r"//.*$")
DECLARED_ARRAY = re.compile(r"\b(?!return\b|else\b)[\w>]+\s*[&*]?\s+[&*(]*\w+\)?\[")
FOR = re.compile(r"^\s*for \(.*;.*;")
# Tables and constants: not logic, and the vectors read every one of them.
CONSTANT_LINE = re.compile(r"^\s*(inline |static )*constexpr [^()]*=|^\s*\{?\{?0x[0-9a-f]+[,}]")


@dataclasses.dataclass(frozen=True)
class Mutant:
    id: str
    file: str
    line: int  # counted from 0
    kind: str
    before: str
    after: str

    def applied(self, lines):
        return "".join([*lines[: self.line], self.after, *lines[self.line + 1 :]])


def swap(pattern, *replacements):
    """A rule: each match of the pattern is replaced by each of the replacements in turn."""
    return re.compile(pattern), replacements


OPERAND = r"(?:~?[\w.:\->]+(?:\[[^\]]*\])?(?:\([^()]*\))?|\([^()]*(?:\([^()]*\)[^()]*)*\))"

# A plain constant: not a subscript, a type's extent, part of a name or number, or within quotes.
CONSTANT = r"(?<![\w.\[{'])(\d{1,3})(?![\w.\]}'>])(?=[^\"]*(?:\"[^\"]*\"[^\"]*)*$)"


def one_more(found):
    return str(int(found[1]) + 1)


def one_less(found):
    return str(int(found[1]) - 1)


# `< 5` is `<= 4`, and `> 3` is `>= 4`: a limit is moved only the way that another comparison does not.
RULES = {
    "comparison": [
        swap(r"(?<= )==(?= )", "!="),
        swap(r"(?<= )!=(?= )", "=="),
        swap(r"(?<= )<(?= )", "<="),
        swap(r"(?<= )<=(?= )", "<"),
        swap(r"(?<= )>(?= )", ">="),
        swap(r"(?<= )>=(?= )", ">"),
        swap(r"(?<= )\|\|(?= )", "&&"),
        swap(r"(?<= )&&(?= )", "||"),
    ],
    "mask": [
        swap(rf" & {OPERAND}", ""),
        swap(rf" &= {OPERAND};", " &= ~std::uint64_t{0};"),
        swap(rf" \^ {OPERAND}", ""),
        swap(r"(?<!operator)~(?=[\w(])(?!\w+\(\) *\{)", ""),
        swap(r"(?<=[ (])((?:ct::)?Mask::\w+\([^()]*\))(?!\.bit)", r"~\1"),
        swap(r"\.select\((\w+(?:\[\w+\])?), (\w+(?:\.\w+)*(?:\[\w+\])?)\)", r".select(\1, \1)", r".select(\2, \2)",
             r".select(\2, \1)"),
        swap(r"(choose\([^,]+, [^,]+), ([^,]+), ([^,()]+)\)", r"\1, \3, \2)", r"\1, \2, \2)", r"\1, \3, \3)"),
        swap(r"cmovncq", "cmovcq", "movq"),
        swap(r"cmovcq", "cmovncq", "movq"),
    ],
    "carry": [
        swap(r"\b(carry|borrow) >>= 64;", r"\1 = 0;"),
        swap(r"(?<= )[-+] (carry|borrow)\b", ""),
        swap(r"\b(carry|borrow|c|cf|cg|cd|ce) \+= ", r"\1 = "),
        swap(r"(?<!const u64 )\b(carry|borrow) = static_cast<[^;]*;", r"\1 = 0;"),
        swap(r"\((carry|cf|cg|cd|ce|c) >> \d+\) \+ ", ""),
        swap(r"\(carry << 63\)", "u64{0}"),
        swap(r"return borrow;", "return 0;"),
        swap(r"return static_cast<u64>\(carry(?: >> 64)?\);", "return 0;"),
        swap(r"\+= (?=\w+(?:\.\w+)?\[[^\]]*\] >> )", "+= 0 * "),
        swap(r"\badcq\b", "addq"),
        swap(r"\bsbbq\b", "subq"),
        swap(r"\badcxq\b", "adoxq"),
        swap(r"\badoxq\b", "adcxq"),
    ],
    "bound": [
        swap(rf"(?<!< )(?<!>= ){CONSTANT}", one_more),
        swap(rf"(?<!> )(?<!<= )(?<!== )(?<!!= ){CONSTANT}(?<![ (]0)", one_less),
        swap(r"\.size\(\)(?= [-+])", ".size() + 1"),
    ],
    "check": [
        swap(r"(?<!else )if \((?!false\b|constexpr)(.*)\) (return [^;]*|continue);", r"if (false && (\1)) \2;"),
        swap(r"(?<!else )if \((?!false\b|constexpr)(.*)\)( \{|)$", r"if (false && (\1))\2"),
        swap(r"\} else if \((.*)\) \{", r"} else if (false && (\1)) {"),
    ],
    "wipe": [
        swap(r"^(\s*)(?:base::)?wipe(?:_object)?\([^;]*\);", r"\1"),
        swap(r"^(\s*)\w+(?:\.|->)wipe\(\);", r"\1"),
        swap(r"\{ (?:base::)?wipe(?:_object)?\([^;]*\); \}", "{}"),
    ],
    "limb": [
        swap(r"(?<=[\w.])\[(\d)\]", lambda m: f"[{int(m[1]) - 1 if int(m[1]) else 1}]"),
        swap(r"(?<=[\w.])\[(\w+) ([-+]) (\d)\]", r"[\1]"),
        swap(r"(?<=[\w.])(?<!%k)\[([a-z]\w*)\]", "[0]"),
        swap(r"\b(8|16|24)\(%\[", lambda m: f"{int(m[1]) - 8}(%["),
    ],
}


def code_of(line):
    return COMMENT.sub("", line.rstrip("\n")).rstrip()


def applies(kind, code, start):
    if kind == "limb":
        return not any(found.end() - 1 <= start < found.end() + 1 for found in DECLARED_ARRAY.finditer(code))
    return not (kind == "bound" and DECLARED_ARRAY.search(code) and not FOR.match(code))


def changes_of(kind, line):
    """Every changed form of the line, without repetitions."""
    code = code_of(line)
    changed = []
    for pattern, replacements in RULES[kind]:
        for found in pattern.finditer(code):
            if not applies(kind, code, found.start()):
                continue
            for replacement in replacements:
                new = replacement(found) if callable(replacement) else found.expand(replacement)
                whole = code[: found.start()] + new + code[found.end() :]
                if whole != code and whole not in changed:
                    changed.append(whole)
    return changed


def mutants_of(file, text, kinds=None):
    seen = {}
    found = []
    for number, line in enumerate(text.splitlines(keepends=True)):
        stripped = line.strip()
        occurrence = seen[stripped] = seen.get(stripped, -1) + 1
        if not stripped or SKIPPED_LINE.match(line) or CONSTANT_LINE.match(line):
            continue
        digest = hashlib.sha256(stripped.encode()).hexdigest()[:8]
        for kind in kinds or RULES:
            for nth, changed in enumerate(changes_of(kind, line)):
                name = f"{file}:{kind}:{digest}.{occurrence}.{nth}"
                found.append(Mutant(name, file, number, kind, line, changed + "\n"))
    return found
