#!/usr/bin/env python3
"""Checks the tree against layers.toml: who includes whom, and what the paths of a connection may not do.

usage: check_includes.py [ROOT]

Exit 1 with one line for each fault.
"""
import fnmatch
import pathlib
import sys
import tomllib

import declarations
import source

HERE = pathlib.Path(__file__).resolve().parent
MAX_LINES = 700
ALLOCATING = {"string", "vector", "function", "map", "multimap", "unordered_map", "unordered_set", "set", "deque",
              "list", "forward_list", "make_unique", "make_shared", "any", "stringstream", "ostringstream", "regex"}
ALLOCATORS = {"malloc", "calloc", "realloc", "aligned_alloc", "posix_memalign", "strdup", "free"}


class Check:
    def __init__(self, root, table):
        self.root, self.table, self.faults = root, table, []
        self.layers = table["layer"]
        self.connection = table["connection_paths"]
        self.excused = self.connection.get("excused", {})
        self.may_catch = table["exceptions"]["allowed"]

    def fault(self, path, line, what):
        self.faults.append(f"{path}:{line}: {what}")

    def layer_of(self, path):
        """The longest layer that holds the file; '.' for files of the root; None for folders without a rule."""
        folders = [str(p) for p in pathlib.PurePath(path).parents]
        return next((f for f in folders if f in self.layers and (f != "." or "/" not in path)), None)

    def run(self):
        for path in self.files():
            text = (self.root / path).read_text(encoding="utf-8")
            if text.count("\n") > MAX_LINES and not path.startswith("crypto/generated/"):
                self.fault(path, MAX_LINES, f"over {MAX_LINES} lines")
            layer = self.layer_of(path)
            if layer is None:
                continue
            self.check_includes(path, layer, text)
            tokens = source.tokens(text)
            self.check_words(path, layer, tokens)
            self.check_code(path, tokens)
        for listed in [*self.excused, *self.may_catch]:
            if not list(self.root.glob(listed)):
                self.fault("layers.toml", 0, f"{listed} is listed but not there")
        return self.faults

    def files(self):
        kinds = {".hpp", ".cpp", ".h", ".c", ".py"}
        paths = (p.relative_to(self.root) for p in self.root.rglob("*") if p.suffix in kinds)
        return sorted(str(p) for p in paths if p.parts[0] not in ("build", ".git", ".cache"))

    def check_includes(self, path, layer, text):
        rule = self.layers[layer]
        for line, name, angled in source.includes(text):
            if not angled:
                self.fault(path, line, f'#include "{name}": write <signet/...>')
            elif name.startswith("signet/"):
                self.check_own(path, line, layer, rule, name.removeprefix("signet/"))
            elif self.matches(name, self.patterns("headers", rule)):
                self.fault(path, line, f"<{name}> is not for {layer}")
            elif self.is_third_party(name) and not self.matches(name, rule.get("external", [])):
                self.fault(path, line, f"<{name}> is third-party and not listed for {layer}")

    def check_own(self, path, line, layer, rule, target):
        if not (self.root / target).is_file():
            self.fault(path, line, f"<signet/{target}> is not there")
        elif self.layer_of(target) in (layer, *rule["may_include"]) or self.matches(target, rule.get("files", [])):
            return
        else:
            self.fault(path, line, f"{layer} may not include {target}")

    def patterns(self, kind, rule):
        return [pattern for group in rule.get("forbidden", []) for pattern in self.table[kind][group]]

    @staticmethod
    def matches(name, patterns):
        return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)

    @staticmethod
    def is_third_party(name):
        known_c = ("sys/", "netinet/", "arpa/", "linux/", "asm/", "valgrind/", "sanitizer/")
        if "/" in name:
            return not name.startswith(known_c)
        return name.startswith(("llhttp", "simdjson", "doctest"))

    def check_words(self, path, layer, tokens):
        forbidden = set(self.patterns("words", self.layers[layer]))
        for token in tokens:
            if token.text in forbidden:
                self.fault(path, token.line, f"{token.text} is not for {layer}")

    def check_code(self, path, tokens):
        excused = self.matches(path, self.excused)
        on_path = any(path.startswith(f + "/") for f in self.connection["folders"])
        if path not in self.may_catch and not path.startswith("examples/"):
            self.check_exceptions(path, tokens)
        if on_path and not excused:
            self.check_allocation(path, tokens)
            for line, name in declarations.missing_noexcept(tokens):
                self.fault(path, line, f"{name}() is not noexcept")

    def check_exceptions(self, path, tokens):
        for token in tokens:
            if token.text in ("throw", "try", "catch"):
                self.fault(path, token.line, f"{token.text} is not for this file")

    def check_allocation(self, path, tokens):
        for at, token in enumerate(tokens):
            before = tokens[at - 1].text if at else ""
            after = tokens[at + 1].text if at + 1 < len(tokens) else ""
            qualified = before == "::" and at > 1 and tokens[at - 2].text == "std"
            if token.text in ALLOCATING and qualified:
                self.fault(path, token.line, f"std::{token.text} allocates")
            elif token.text in ALLOCATORS and after == "(" and before not in (".", "->") and not self.declares(before):
                self.fault(path, token.line, f"{token.text}() allocates")
            elif token.text == "new" and (before == "operator" or after != "("):
                self.fault(path, token.line, "new without a place allocates")

    @staticmethod
    def declares(before):
        return before not in ("", "::", "return") and before[0].isalpha()


def main():
    root = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else HERE.parent.parent
    table = tomllib.loads((HERE / "layers.toml").read_text(encoding="utf-8"))
    faults = Check(root, table).run()
    print("\n".join(faults) if faults else "layering: no fault")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
