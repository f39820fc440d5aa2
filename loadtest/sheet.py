"""What memory and kept print: a head, a table or JSON, and a picture when one is asked for."""
import json
import os
import sys

import measure


def add_arguments(parser):
    parser.add_argument("--quick", action="store_true", help="a short run, to see that all of it works: no figures to keep")
    parser.add_argument("--json", action="store_true", help="an object with a list of rows instead of a table")
    parser.add_argument("--picture", metavar="FILE", help="draw the rows too (python3-matplotlib)")


def pyplot_for(picture):
    """matplotlib, only when a picture is asked for, and before anything is measured."""
    if not picture:
        return None
    try:
        import matplotlib
    except ImportError:
        sys.exit(f"--picture needs matplotlib, which {sys.executable} does not have: install python3-matplotlib "
                 "(scripts/deps) and run this with /usr/bin/python3")
    matplotlib.use("Agg")
    from matplotlib import pyplot
    return pyplot


def head(arguments, load_before):
    """On what this ran, and how busy the machine was with other work before."""
    words = ["--quick" if arguments.quick else "full run", measure.machine(), f"before the run {load_before:.1f}",
             f"{os.cpu_count()} processors"]
    return ", ".join(words)


def show(rows, columns, title, as_json):
    """`columns`: (key, heading, format) in order; a row without a value has a dash."""
    if as_json:
        print(json.dumps({"head": title, "rows": rows}, indent=1))
        return
    print(title)
    lines = [[heading for _, heading, _ in columns]]
    lines += [["-" if row.get(key) is None else format(row[key], how) for key, _, how in columns] for row in rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(columns))]
    for line in lines:
        first, *rest = (word.ljust(width) if i == 0 else word.rjust(width)
                        for i, (word, width) in enumerate(zip(line, widths)))
        print("  ".join([first, *rest]).rstrip())
