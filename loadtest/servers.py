"""Starts the servers that memory and kept measure, on 127.0.0.1, and reads what the kernel counted for them."""
import os
import pathlib
import re
import resource
import shutil
import socket
import subprocess
import sys
import time

import measure

BUILD = measure.ROOT / "build/release"
START_SECONDS, END_SECONDS = 20, 20
SPARE_DESCRIPTORS = 100
LONG = "30m"  # no timer of ours ends what is measured
OURS = "--listen 127.0.0.1:{port} --workers 1 --log-level error " + " ".join(
    f"--{name}-timeout {LONG}" for name in ("handshake", "header", "record", "idle"))
IDENTITY = "--cert {folder}/chain.pem --key {folder}/key.pem"
OPENSSL = f"{BUILD}/loadtest/openssl_server {{port}} {{folder}}/chain.pem {{folder}}/key.pem"


def tool(name):
    """A built program of this tree."""
    path = BUILD / name
    if not path.exists():
        sys.exit(f"not built: {path.relative_to(measure.ROOT)} (cmake --build --preset release)")
    return path


def need_descriptors(connections):
    """Client and server need one each, both under the same limit."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if hard != resource.RLIM_INFINITY and hard < connections + SPARE_DESCRIPTORS:
        sys.exit(f"{connections} connections need {connections + SPARE_DESCRIPTORS} descriptors in a process, "
                 f"and the hard limit here is {hard} (ulimit -Hn)")


def make_identity(folder):
    """A P-256 key and its certificate, for all servers alike."""
    line = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
            "30", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
            "-keyout", f"{folder}/key.pem", "-out", f"{folder}/chain.pem"]
    done = subprocess.run(line, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"openssl made no certificate:\n{done.stderr}")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """A context: the server runs within it, on one processor, and is ended by its pid."""

    def __init__(self, command, folder):
        self.port = free_port()
        words = command.format(port=self.port, folder=folder).split()
        self.command = words if shutil.which("taskset") is None else ["taskset", "-c", str(processors()[0]), *words]
        self.log = pathlib.Path(folder) / "server.log"

    def __enter__(self):
        with self.log.open("w") as log:
            self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            self._wait_until_it_listens()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    @property
    def pid(self):
        return self.process.pid

    def _wait_until_it_listens(self):
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end and self.process.poll() is None:
            try:
                return socket.create_connection(("127.0.0.1", self.port), 1).close()
            except OSError:
                time.sleep(0.05)
        sys.exit(f"does not listen: {' '.join(self.command)}\n{self.log.read_text()}")

    def resident_kib(self):
        """Exact: the counters in status may lag by many pages."""
        return self._kib("smaps_rollup", "Rss")

    def forget_peak(self):
        pathlib.Path(f"/proc/{self.pid}/clear_refs").write_text("5")

    def peak_kib(self):
        return self._kib("status", "VmHWM")

    def _kib(self, file, name):
        text = pathlib.Path(f"/proc/{self.pid}/{file}").read_text()
        return int(re.search(rf"^{name}:\s+(\d+) kB", text, re.MULTILINE)[1])

    def cpu_seconds(self):
        """On-CPU time of all threads."""
        tasks = pathlib.Path(f"/proc/{self.pid}/task").glob("*/schedstat")
        return sum(int(task.read_text().split()[0]) for task in tasks) / 1e9

    def ticks(self):
        """(user, user and system) so far, in the kernel's ticks."""
        fields = pathlib.Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return int(fields[11]), int(fields[11]) + int(fields[12])

    def wait_until_quiet(self, seconds=60):
        """Until it uses no CPU to speak of for a while."""
        end, used = time.monotonic() + seconds, self.cpu_seconds()
        while time.monotonic() < end:
            time.sleep(0.3)
            before, used = used, self.cpu_seconds()
            if used - before < 0.003:
                return
        sys.exit(f"not quiet after {seconds} s: {' '.join(self.command)}")


def processors():
    """The server's and the load's."""
    allowed = sorted(os.sched_getaffinity(0))
    return allowed[0], allowed[-1]
