"""README.md's blocks of C++ as programs: the first one as it stands, all others together around one main.

A block with `app.` in it stands in main, before app.run(options); any other above main. `#include` lines go to the top.
"""
import pathlib
import re

README = pathlib.Path(__file__).resolve().parent.parent.parent / "README.md"

# What a reader of a snippet takes as said.
STANDARD = ("algorithm", "chrono", "cstdint", "cstdio", "cstdlib", "memory", "numeric", "span", "string",
            "string_view", "utility", "vector")
NAMES = ("AccessEntry", "EventStream", "field", "Receiver", "Request", "Response", "status", "Stream",
         "stream_events", "Upload", "verb", "Waker")


def blocks(language):
    """All blocks of this language, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def service():
    """The whole program that comes first."""
    return blocks("cpp")[0]


def features():
    """A program of all the other blocks."""
    includes = [f"#include <{name}>\n" for name in STANDARD] + ["#include <signet/signet.hpp>\n"]
    above, within = [], []
    for block in blocks("cpp")[1:]:
        lines = block.splitlines(keepends=True)
        includes += [line for line in lines if line.startswith("#include")]
        code = "".join(line for line in lines if not line.startswith("#include"))
        (within if "app." in code else above).append(code)
    return "\n".join([
        "".join(dict.fromkeys(includes)), "".join(f"using signet::{name};\n" for name in NAMES), *above,
        "int main(int argc, char** argv) {\nsignet::Options options;\n"
        'if (const auto code = options.parse(argc, argv, "README.md")) return *code;\nsignet::App app;\n', *within,
        "return app.run(options);\n}\n"])


def patterns():
    """The routes of features()."""
    return re.findall(r'app\.\w+\((?:verb::\w+, )?"(/[^"]*)", \[', "".join(
        re.sub(r"app\.(before|after)\(", "(", block) for block in blocks("cpp")[1:]))


def texts():
    """The texts of answers that README.md quotes: what follows a status of 4xx or 5xx."""
    lines = " ".join(README.read_text(encoding="utf-8").split())  # a text may go over a line's end
    found = re.findall(r"\b[45]\d\d (`[^`|]+`(?:, `[^`|]+`)*)", lines)
    return [text for group in found for text in re.findall(r"`([^`]+)`", group)]
