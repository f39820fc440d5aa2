"""Real TLS clients. Each function asks PORT for /hello/NAME and answers what came back, as text.

A client that is not installed raises FileNotFoundError, which fails its case.
"""
import os
import pathlib
import ssl
import subprocess
import time
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
SECONDS = 60


def run(*command, stdin="", ok=(0,), **options):
    done = subprocess.run([str(c) for c in command], input=stdin, capture_output=True, text=True, errors="replace",
                          timeout=SECONDS, **options)
    if done.returncode not in ok:
        raise AssertionError(f"{command[0]} ended with {done.returncode}: {done.stdout[-1000:]}{done.stderr[-3000:]}")
    return done.stdout + done.stderr


def request(name, host="localhost"):
    return f"GET /hello/{name} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"


def curl(port, certificates, name, *flags):
    return run("curl", "-sS", "--cacert", certificates.authority, *flags, f"https://localhost:{port}/hello/{name}",
               "--resolve", f"localhost:{port}:127.0.0.1")


def s_client(port, certificates, name, *flags, ok=(0,)):
    server_name = () if "-noservername" in flags else ("-servername", "localhost")
    return run("openssl", "s_client", "-connect", f"127.0.0.1:{port}", *server_name, "-verify_hostname", "localhost",
               "-verify_return_error", "-CAfile", certificates.authority, "-ign_eof", *flags,
               stdin=request(name), ok=ok)


def gnutls_cli(port, certificates, name):
    return run("gnutls-cli", "--x509cafile", certificates.authority, "--sni-hostname", "localhost",
               "--verify-hostname", "localhost", "--port", port, "127.0.0.1", stdin=request(name))


def python_ssl(port, certificates, name):
    trust = ssl.create_default_context(cafile=certificates.authority)
    with urllib.request.urlopen(f"https://127.0.0.1:{port}/hello/{name}", context=trust, timeout=SECONDS) as answer:
        return answer.read().decode()


def node(port, certificates, name):
    script = (f"require('https').get({{host: '127.0.0.1', servername: 'localhost', port: {port},"
              f" path: '/hello/{name}', ca: require('fs').readFileSync('{certificates.authority}')}},"
              " answer => answer.pipe(process.stdout))")
    return run("node", "-e", script)


def java(port, certificates, name, folder):
    run("javac", "-d", folder, HERE / "HelloClient.java")
    return run("java", "-cp", folder, "HelloClient", port, certificates.authority, name)


def nss_database(folder, certificates):
    """A certutil database in `folder` that trusts the test authority."""
    pathlib.Path(folder).mkdir(parents=True)
    run("certutil", "-N", "--empty-password", "-d", f"sql:{folder}")
    run("certutil", "-A", "-d", f"sql:{folder}", "-n", "authority", "-t", "C,,", "-i", certificates.authority)


def tstclnt(port, certificates, name, folder):
    database = pathlib.Path(folder) / "nss"
    nss_database(database, certificates)
    asked = pathlib.Path(folder) / "request"
    asked.write_text(request(name), encoding="ascii", newline="")
    return run("tstclnt", "-h", "127.0.0.1", "-a", "localhost", "-p", port, "-d", f"sql:{database}", "-V",
               "tls1.3:tls1.3", "-A", asked)


def wrk(port, _certificates, name):
    said = run("wrk", "-t1", "-c8", "-d2s", f"https://127.0.0.1:{port}/hello/{name}")
    if "Socket errors" in said or "Non-2xx" in said or "Requests/sec" not in said:
        raise AssertionError(said)
    return f"hello {name}"


def chromium(port, certificates, name, folder, *, screenshot):
    """Loads the first page headless, with a home of its own that trusts the authority; answers /hello/NAME's document.

    The screenshot is of the first page, for a look by a person.
    """
    home = pathlib.Path(folder) / "home"
    nss_database(home / ".pki" / "nssdb", certificates)
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync",
             "--host-resolver-rules=MAP localhost 127.0.0.1", f"--user-data-dir={home / 'profile'}"]
    environment = {"HOME": str(home), "PATH": "/usr/bin:/bin", "XDG_CONFIG_HOME": str(home)}
    page = f"https://localhost:{port}/"
    screenshot.unlink(missing_ok=True)
    run("chromium", *flags, f"--screenshot={screenshot}", "--window-size=600,250", page, env=environment)
    if not screenshot.is_file() or screenshot.read_bytes()[:8] != b"\x89PNG\r\n\x1a\n":
        raise AssertionError("no screenshot was taken")
    document = run("chromium", *flags, "--dump-dom", page, env=environment)
    if "Signet serves this page" not in document:
        raise AssertionError(f"the page is another one: {document}")
    return run("chromium", *flags, "--dump-dom", f"{page}hello/{name}", env=environment)


class InteractiveClient:
    """openssl s_client with its input open, for commands in the middle of a connection."""

    def __init__(self, port, certificates, *flags):
        self.process = subprocess.Popen(
            ["openssl", "s_client", "-connect", f"127.0.0.1:{port}", "-servername", "localhost", "-CAfile",
             str(certificates.authority), *map(str, flags)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def __enter__(self):
        os.set_blocking(self.process.stdout.fileno(), False)
        self.said = ""
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.terminate()
        self.process.wait(SECONDS)
        self.process.stdout.close()

    def send(self, text):
        """One write, so that a command letter stands first in what s_client reads."""
        self.process.stdin.write(text.encode())
        self.process.stdin.flush()

    def wait_for(self, text, seconds=10):
        """Reads until `text` was said behind what earlier calls waited for."""
        end = time.monotonic() + seconds
        while text not in self.said:
            if time.monotonic() > end:
                raise AssertionError(f"s_client does not say '{text}': {self.said[-3000:]}")
            self.said += (self.process.stdout.read() or b"").decode(errors="replace")
            time.sleep(0.01)
        at = self.said.index(text) + len(text)
        self.said = self.said[at:]
