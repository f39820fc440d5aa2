"""Finds the functions that a file declares at namespace or class scope, and whether each says noexcept.

No C++ parser: it follows braces and semicolons. What it takes for a function is a statement with a name in front of
a parenthesis, outside of function bodies, initializers and enumerations.
"""

_NOT_A_NAME = {"alignas", "noexcept", "decltype", "static_assert", "requires", "explicit", "sizeof", "alignof",
               "__attribute__", "if", "while", "for", "switch", "return", "asm", "throw", "catch", "operator"}
_NO_FUNCTION = {"using", "typedef", "static_assert", "friend"}


def missing_noexcept(tokens):
    """(line, name) of each declared function without noexcept; deleted, defaulted ones and destructors are exempt."""
    found = []
    _scope(tokens, 0, found)
    return found


def _scope(tokens, at, found):
    """Reads statements up to the scope's closing brace; answers the place behind it."""
    statement = []
    while at < len(tokens):
        token = tokens[at]
        if token.text == "}":
            return at + 1
        if token.text == "{":
            kind = _opens(statement)
            if kind == "scope":
                at = _scope(tokens, at + 1, found)
                statement = []
                continue
            at = _skip(tokens, at, "{", "}")
            if kind == "function":
                _judge(statement, found)
                statement = []
            else:
                statement = [*statement, token]  # an initializer: the statement goes on
            continue
        if token.text == "(":
            end = _skip(tokens, at, "(", ")")
            statement += tokens[at:end]
            at = end
            continue
        if token.text == ";":
            _judge(statement, found)
            statement = []
        elif token.text == ":" and [t.text for t in statement] in (["public"], ["private"], ["protected"]):
            statement = []
        else:
            statement.append(token)
        at += 1
    return at


def _skip(tokens, at, opening, closing):
    depth = 0
    while at < len(tokens):
        depth += (tokens[at].text == opening) - (tokens[at].text == closing)
        at += 1
        if depth == 0:
            break
    return at


def _without_template(statement):
    while statement and statement[0].text == "template":
        depth, at = 0, 1
        while at < len(statement):
            depth += (statement[at].text == "<") - (statement[at].text == ">")
            at += 1
            if depth == 0:
                break
        statement = statement[at:]
    return statement


def _opens(statement):
    """What a brace behind this statement opens: 'scope', 'function' or 'other'."""
    words = [t.text for t in _without_template(statement)]
    if "namespace" in words or words[:1] == ["extern"]:
        return "scope"
    if "enum" in words:
        return "other"
    name, _ = _function(statement)
    if name is None:
        return "scope" if {"class", "struct", "union"} & set(words) and "=" not in words else "other"
    # Within a constructor's list of members a brace may be a member's initializer.
    parameters_end = _parameters_end(words)
    tail = words[parameters_end:]
    if ":" in tail and words[-1] not in (")", "}", "{"):
        return "other"
    return "function"


def _parameters_end(words):
    depth = 0
    for at, word in enumerate(words):
        depth += (word == "(") - (word == ")")
        if word == ")" and depth == 0:
            return at + 1
    return len(words)


def _function(statement):
    """(line, name) when the statement declares a function, else (None, None); the pair is (name, line)."""
    statement = _without_template(statement)
    words = [t.text for t in statement]
    if not words or words[0] in _NO_FUNCTION:
        return None, None
    depth = 0
    for at, word in enumerate(words):
        if word == "=" and depth == 0 and (at == 0 or words[at - 1] != "operator"):
            return None, None  # a variable with an initializer
        if word == "operator":
            return "operator", statement[at].line
        if word == "(" and depth == 0 and at > 0:
            before = words[at - 1]
            if before in _NOT_A_NAME or not (before[0].isalpha() or before[0] == "_"):
                depth += 1
                continue
            if at == 1 and not before[0].isupper():
                return None, None
            return before, statement[at - 1].line
        depth += (word == "(") - (word == ")")
    return None, None


def _judge(statement, found):
    name, line = _function(statement)
    if name is None:
        return
    words = [t.text for t in statement]
    if {"noexcept", "~", "consteval"} & set(words) or words[-2:] in (["=", "delete"], ["=", "default"]):
        return
    if name.isupper() and "_" in name:
        return  # a macro's call
    found.append((line, name))
