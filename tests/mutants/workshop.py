"""Builds mutants apart from the tree, and runs the tests on them.

The unchanged objects are those of a build directory of CMake with Ninja, which is brought up to date first and then
only read. What a mutant changes is compiled from a copy of the sources, and linked before the libraries' own members.
"""
import dataclasses
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import time

COMPILE_SECONDS = 120
# The tests in turn: the first that fails kills the mutant. The vectors need the crypto libraries of the first one alone.
PROGRAMS = {"unit_crypto": ["--abort-after=1"], "unit_tls": ["--abort-after=1"], "vectors": []}
ENVIRONMENTS = {"vectors": [{}, {"SIGNET_CPU_DENY": "aesni,pclmul,sha,avx2,bmi2,adx,vaes,vpclmul"}]}
SKIPPED = 77  # the exit code of a test that could not run


class Fault(Exception):
    """The workshop itself cannot go on."""


@dataclasses.dataclass(frozen=True)
class Outcome:
    result: str  # killed, survived, unbuilt
    by: str = ""
    seconds: float = 0.0


def run(command, seconds, **options):
    """The exit code and output; (None, output) when the time was over. The process group ends with it."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                          start_new_session=True, **options) as process:
        try:
            output, _ = process.communicate(timeout=seconds)
            return process.returncode, output
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return None, process.communicate()[0]


class Workshop:
    def __init__(self, root, build, folder, programs):
        self.root, self.build, self.folder = pathlib.Path(root), pathlib.Path(build), pathlib.Path(folder)
        self.bring_up_to_date(programs)
        self.programs = [name for name in programs if (self.build / "tests" / name).exists()]
        self.tree = self.folder / "include/signet"
        self.copy_sources()
        self.compiles = self.compile_commands()
        self.dependencies = self.read_dependencies()
        self.links = {name: self.link_command(name) for name in self.programs}
        self.limits = {}

    def bring_up_to_date(self, programs):
        code, output = run(["cmake", "--build", str(self.build), "-j1", "--target", *programs], 3600)
        if code != 0:
            raise Fault(f"the unchanged tree does not build:\n{output[-3000:]}")

    def copy_sources(self):
        self.tree.mkdir(parents=True)
        for entry in self.root.iterdir():
            if entry.name in ("base", "crypto", "tests"):
                shutil.copytree(entry, self.tree / entry.name)
            elif entry.name != "build" and not entry.name.startswith("."):
                (self.tree / entry.name).symlink_to(entry)

    def compile_commands(self):
        """For each object of a program or of the libraries that all link: its command, with the copy's sources."""
        commands = {}
        for entry in json.loads((self.build / "compile_commands.json").read_text()):
            words = shlex.split(entry["command"])
            if pathlib.Path(words[0]).name == "ccache":  # of no use to a text that is compiled once
                words = words[1:]
            target = words[words.index("-o") + 1]
            words = [word.replace(f"{self.root}/", f"{self.tree}/") if word == entry["file"] else word
                     for word in words if word not in ("-g1", "-g", "-Werror")]
            include = f"-I{self.build}/include"
            commands[target] = [f"-I{self.folder}/include" if word == include else word for word in words] + ["-w"]
        return commands

    def read_dependencies(self):
        """Object -> the files of the project that it is made of, as Ninja has recorded them."""
        code, output = run(["ninja", "-C", str(self.build), "-t", "deps"], 120)
        if code != 0:
            raise Fault(output)
        found, files = {}, None
        for line in output.splitlines():
            if line and not line[0].isspace() and ": #deps" in line:
                files = found.setdefault(line.split(": #deps")[0], set())
            elif line.strip() and files is not None and not line.strip().startswith("/usr/"):
                path = pathlib.Path(os.path.normpath(self.build / line.strip())).resolve()
                if path.is_relative_to(self.root):
                    files.add(str(path.relative_to(self.root)))
        return found

    def link_command(self, name):
        """The words of the link, with copies of the archives and objects: the build directory may change meanwhile."""
        code, output = run(["ninja", "-C", str(self.build), "-t", "commands", f"tests/{name}"], 120)
        if code != 0:
            raise Fault(output)
        line = next(line for line in reversed(output.splitlines()) if f"-o tests/{name}" in line)
        words = [word for word in shlex.split(line.split("&&", 1)[1].rsplit("&&", 1)[0]) if not word.startswith("-g")]
        copied = []
        for word in words:
            if word.endswith((".o", ".a")) and not word.startswith("/"):
                copy = self.folder / "unchanged" / word
                copy.parent.mkdir(parents=True, exist_ok=True)
                if not copy.exists():
                    shutil.copy2(self.build / word, copy)
                word = str(copy)
            copied.append(str(self.folder / name) if word == f"tests/{name}" else word)
        return copied

    # A mutant's test.

    def baseline(self):
        """The tests pass on the unchanged tree; their time says how long a mutant may take."""
        for name in list(self.programs):
            self.link(name, {})
            start = time.monotonic()
            killed_by = self.test(name, 900)
            if killed_by == "skipped":
                self.programs.remove(name)
            elif killed_by:
                raise Fault(f"the unchanged tree fails {name}: {killed_by}")
            self.limits[name] = 10 + 5 * (time.monotonic() - start)

    def try_mutant(self, mutant, text):
        start = time.monotonic()
        path = self.tree / mutant.file
        unchanged = path.read_text()
        path.write_text(text)
        try:
            result, by = self.judge(mutant)
        finally:
            path.write_text(unchanged)
        return Outcome(result, by, round(time.monotonic() - start, 2))

    def judge(self, mutant):
        libraries, tests = self.objects_of(mutant.file)
        if not libraries and not tests:
            return "unbuilt", "no program is made of it"
        changed = {}
        fault = self.compile(libraries, changed)
        if fault:
            return "unbuilt", fault
        for name in self.programs:
            killed_by = self.link(name, changed) or self.test(name, self.limits[name])
            if not killed_by and name == "unit_crypto" and tests:
                # What a header defines is in the tests' objects too; they take long, so they come second.
                fault = self.compile(tests, changed)
                if fault:
                    return "unbuilt", fault
                killed_by = self.link(name, changed) or self.test(name, self.limits[name])
            if killed_by:
                return "killed", f"{name}: {killed_by}"
        return "survived", ""

    def objects_of(self, file):
        made = [target for target, files in self.dependencies.items() if file in files and target in self.compiles]
        libraries = [target for target in made if "signet_crypto.dir/" in target]
        return libraries, [target for target in made if "unit_crypto.dir/" in target]

    def compile(self, targets, changed):
        for target in targets:
            out = self.folder / "changed" / target
            out.parent.mkdir(parents=True, exist_ok=True)
            words = [str(out) if word == target else word for word in self.compiles[target]]
            code, output = run(words, COMPILE_SECONDS, cwd=self.build)
            if code != 0:
                faults = [line for line in output.splitlines() if "error" in line.lower()]
                return faults[0].replace(str(self.tree) + "/", "")[:160] if faults else "the compiler's time is over"
            changed[target] = str(out)
        return ""

    def link(self, name, changed):
        """Objects are replaced in their place; a library's come before the archives, whose members then stay out."""
        unchanged = str(self.folder / "unchanged") + "/"
        words = [changed.get(word.removeprefix(unchanged), word) for word in self.links[name]]
        extra = [path for path in changed.values() if path not in words and "signet_crypto.dir/" in path]
        first_archive = next((i for i, word in enumerate(words) if word.endswith(".a")), len(words))
        code, output = run(words[:first_archive] + extra + words[first_archive:], COMPILE_SECONDS, cwd=self.build)
        return "" if code == 0 else "does not link: " + output.strip().splitlines()[-1][:120]

    def test(self, name, seconds):
        """What killed the mutant, or nothing."""
        for environment in ENVIRONMENTS.get(name, [{}]):
            code, output = run([str(self.folder / name), *PROGRAMS[name]], seconds, cwd=self.root,
                               env={**os.environ, **environment})
            if code is None:
                return "time limit"
            if code == SKIPPED:
                return "skipped"
            if code != 0:
                return failing_test(output) or f"exit {code}"
        return ""


def failing_test(output):
    """The test case that failed, of doctest's output, with its file; else the first line that tells of a failure."""
    case = ""
    for line, following in zip(output.splitlines(), [*output.splitlines()[1:], ""]):
        if following.startswith("TEST CASE:"):
            case = f"{pathlib.Path(line.split(':')[0]).name}, {following.removeprefix('TEST CASE:').strip()}"
        if re.search(r"\bERROR: ", line):
            return case
    failed = [line for line in output.splitlines() if "failed" in line.lower()]
    return failed[0].strip()[:100] if failed else ""
