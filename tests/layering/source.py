"""C++ source as a list of tokens, comments, literals' contents and the preprocessor's lines left out."""
import re
from typing import NamedTuple

_PIECES = re.compile(
    r'(?P<comment>//[^\n]*|/\*.*?\*/)'
    r'|(?P<raw>R"(?P<delimiter>[^()\s\\]{0,16})\(.*?\)(?P=delimiter)")'
    r'|(?P<string>"(?:\\.|[^"\\\n])*"|(?<![0-9A-Fa-f])\'(?:\\.|[^\'\\\n])+\')'
    r'|(?P<directive>^[ \t]*\#(?:\\\n|[^\n])*)'
    r'|(?P<word>[A-Za-z_0-9]+(?:\'[0-9A-Fa-f]+)*)'
    r'|(?P<mark>::|->|&&|\|\||==|[^\s])',
    re.DOTALL | re.MULTILINE)

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?P<open>[<"])(?P<name>[^>"]+)[>"]', re.MULTILINE)


class Token(NamedTuple):
    text: str
    line: int


def tokens(text):
    """Strings and characters come as the token '""'."""
    found, line, end = [], 1, 0
    for piece in _PIECES.finditer(text):
        line += text.count("\n", end, piece.start())
        end = piece.start()
        if piece["raw"] or piece["string"]:
            found.append(Token('""', line))
        elif piece["word"] or piece["mark"]:
            found.append(Token(piece[0], line))
    return found


def includes(text):
    """(line, name, whether it stands in angle brackets) of each #include."""
    return [(text.count("\n", 0, i.start()) + 1, i["name"], i["open"] == "<") for i in INCLUDE.finditer(text)]
