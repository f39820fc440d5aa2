"""The source line behind an address, as its file in this tree and its text: a line keeps its text when it moves."""
import functools
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


@functools.cache
def path_in_tree(recorded):
    """The file that debug information calls `recorded`, relative to the tree; None when it is not of the tree.

    Another checkout may have compiled the object for a compiler cache, so only the end of the path counts.
    """
    parts = [part for part in pathlib.PurePosixPath(recorded).parts if part not in ("..", ".", "/")]
    for start in range(len(parts) - 1):
        relative = pathlib.PurePosixPath(*parts[start:])
        if relative.parts[0] != "build" and (ROOT / relative).is_file():
            return str(relative)
    return None


@functools.cache
def lines_of(path):
    return (ROOT / path).read_text().splitlines()


def text_of(path, number):
    """The text of line `number`, without its comment and with single blanks; "-" when nothing is left."""
    lines = lines_of(path)
    line = lines[number - 1] if 0 < number <= len(lines) else ""
    return " ".join(line.split("//")[0].split()) or "-"
