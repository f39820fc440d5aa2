"""Starts the server under test on a free port of 127.0.0.1, and ends it; its log is kept for the tests to read."""
import collections
import os
import pathlib
import re
import signal
import socket
import subprocess
import tempfile
import time

START_SECONDS = 20
REPORT_SECONDS = 20


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """A context: the server runs within it and must end with exit code 0 by SIGTERM."""

    def __init__(self, program, *flags, prefix=(), environment=None):
        self.port = free_port()
        self.command = [*prefix, program, "--listen", f"127.0.0.1:{self.port}", *map(str, flags)]
        self.environment = {**os.environ, **(environment or {})}
        self.process = None
        self.ended = False

    def __enter__(self):
        self._log = tempfile.TemporaryFile()
        self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=self._log, stderr=self._log,
                                        env=self.environment)
        self._wait_until_it_listens()
        return self

    def __exit__(self, kind, value, trace):
        code = self.stop() if not self.ended else 0
        if kind is None and code != 0:
            raise AssertionError(f"the server ended with {code}; its log:\n{self.log()}")
        if kind is not None:
            print(f"the server's log:\n{self.log()[-4000:]}")
        self._log.close()

    @property
    def pid(self):
        """The server's own; the process started may be a tracer."""
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return int(children[0]) if children else self.process.pid

    def stop(self, number=signal.SIGTERM, timeout=30):
        """Sends the signal, and answers the exit code."""
        self.ended = True
        if self.process.poll() is None:
            os.kill(self.pid, number)
        try:
            return self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            os.kill(self.pid, signal.SIGKILL)
            self.process.wait()
            raise AssertionError(f"the server did not end; its log:\n{self.log()}") from None

    def log(self):
        size = os.fstat(self._log.fileno()).st_size
        return os.pread(self._log.fileno(), size, 0).decode(errors="replace")

    def memory_kib(self):
        """(resident now, resident at most so far)."""
        status = pathlib.Path(f"/proc/{self.pid}/status").read_text(encoding="ascii")
        return tuple(int(re.search(rf"^{name}:\s+(\d+) kB", status, re.MULTILINE)[1]) for name in ("VmRSS", "VmHWM"))

    def is_sanitized(self):
        """A sanitizer's run time is in it: its memory and speed say nothing of the server's own."""
        return re.search(r"/lib(asan|tsan)\.so", pathlib.Path(f"/proc/{self.pid}/maps").read_text()) is not None

    def counters(self, workers=1):
        """The sums of NAME=NUMBER over the workers' reports, which SIGUSR1 asks for."""
        since = len(self.log())
        os.kill(self.pid, signal.SIGUSR1)
        end = time.monotonic() + REPORT_SECONDS
        while len(reports := re.findall(r"^worker \d+: .*\n", self.log()[since:], re.MULTILINE)) < workers:
            if time.monotonic() > end:
                raise AssertionError(f"no report of {workers} workers:\n{self.log()[since:]}")
            time.sleep(0.02)
        sums = collections.Counter()
        for name, number in re.findall(r" (\w+)=(\d+)(?![/\d])", " ".join(reports)):
            sums[name] += int(number)
        return sums

    def wait_for_counter(self, name, least, seconds):
        """Waits until the one worker counted so many."""
        end = time.monotonic() + seconds
        while (counters := self.counters())[name] < least:
            if time.monotonic() > end:
                raise AssertionError(f"{name} is not {least}: {dict(counters)}")
            time.sleep(0.05)
        return counters

    def wait_for_log(self, text, since=0, seconds=5):
        """Waits until the log behind `since` holds the text; answers that part of the log."""
        end = time.monotonic() + seconds
        while text not in self.log()[since:]:
            if time.monotonic() > end:
                raise AssertionError(f"the log does not say '{text}':\n{self.log()[since:]}")
            time.sleep(0.02)
        return self.log()[since:]

    def _wait_until_it_listens(self):
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise AssertionError(f"the server ended at once with {self.process.returncode}:\n{self.log()}")
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                time.sleep(0.02)
        raise AssertionError(f"nothing listens on port {self.port}:\n{self.log()}")
