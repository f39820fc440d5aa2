#!/usr/bin/env python3
"""How the server behaves towards key updates, early data, old versions and strangers, with openssl s_client.

usage: tls_behaviour.py HTTPS_HELLO
"""
import pathlib
import socket
import subprocess
import sys
import tempfile
import time

import clients
from certificates import Certificates
from report import Report, expect
from server import Server, free_port
from wire_tap import WireTap

SKIPPED_EARLY_DATA_BYTES = 16384    # tls/limits.hpp, record payloads counted
S_CLIENT_READS_BYTES = 8192         # octets of the file that s_client puts into one record
RECORD_OVERHEAD_BYTES = 17          # inner type and tag
PLAIN_REQUEST = b"GET /hello/x HTTP/1.1\r\nHost: localhost\r\n\r\n"


def key_updates(server, certificates):
    """Ours alone (k), and with one asked for (K), several times, with requests between them."""
    with clients.InteractiveClient(server.port, certificates, "-msg") as client:
        client.wait_for("Verify return code: 0 (ok)")
        for number, command in enumerate("kKkKK"):
            client.send(command + "\n")
            client.wait_for("KEYUPDATE")
            client.wait_for(">>> TLS 1.3, Handshake [length 0005], KeyUpdate")
            client.send(clients.request(f"n{number}").replace("Connection: close\r\n", ""))
            if command == "K":
                client.wait_for("<<< TLS 1.3, Handshake [length 0005], KeyUpdate")
            client.wait_for(f"hello n{number}")
    return "5 sent, 3 answered"


class EarlyDataSession:
    """A session that permits early data, from an openssl s_server with our certificate."""

    def __init__(self, certificates, folder):
        self.file, self.folder, port = pathlib.Path(folder) / "session.pem", pathlib.Path(folder), free_port()
        issuer = subprocess.Popen(
            ["openssl", "s_server", "-accept", f"127.0.0.1:{port}", "-cert", certificates.chain, "-key",
             certificates.key, "-early_data", "-max_early_data", str(4 * SKIPPED_EARLY_DATA_BYTES)],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            wait_for_port(port)
            with clients.InteractiveClient(port, certificates, "-msg", "-sess_out", self.file) as client:
                client.wait_for("NewSessionTicket")
                client.send("Q\n")
                client.process.wait(10)
        finally:
            issuer.terminate()
            issuer.wait()
            issuer.stdin.close()
        expect(self.file.is_file() and self.file.stat().st_size, "s_server gave no session")

    def send(self, server, certificates, payload_bytes, *flags, ok=(0,)):
        """A connection whose early data has record payloads of so many octets in all; (text, what was agreed)."""
        records = 1
        while payload_bytes - records * RECORD_OVERHEAD_BYTES > records * S_CLIENT_READS_BYTES:
            records += 1
        early = self.folder / "early"
        early.write_bytes(b"e" * (payload_bytes - records * RECORD_OVERHEAD_BYTES))
        with WireTap(server.port) as tap:
            text = clients.s_client(tap.port, certificates, "late", "-sess_in", self.file, "-early_data", early,
                                    *flags, ok=ok)
            return text, tap.agreed


def wait_for_port(port):
    end = time.monotonic() + 10
    while time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.02)
    raise AssertionError(f"nothing listens on {port}")


def early_data_skipped(server, certificates, session, payload_bytes, retried, *flags):
    text, agreed = session.send(server, certificates, payload_bytes, *flags)
    expect("Early data was rejected" in text, f"early data was not sent: {text[-2000:]}")
    expect("hello late" in text, f"no answer after the early data: {text[-2000:]}")
    expect(agreed and agreed[-1][3] == retried, f"HelloRetryRequest: {agreed}")
    return f"{payload_bytes} octets, then served"


def early_data_refused(server, certificates, session, payload_bytes, *flags):
    log = len(server.log())
    text, _ = session.send(server, certificates, payload_bytes, *flags, ok=(0, 1))
    expect("hello late" not in text, "too much early data was served")
    expect("unexpected message" in text or "unexpected_message" in text, f"no unexpected_message: {text[-2000:]}")
    server.wait_for_log("early data", log)
    return f"{payload_bytes} octets: unexpected_message"


def early_data_cases(report, server, certificates, folder):
    session = EarlyDataSession(certificates, folder)
    bound, retry = SKIPPED_EARLY_DATA_BYTES, ("-groups", "P-384:X25519")
    for payload_bytes in (100, bound):
        report.case(f"early data of {payload_bytes} declined", early_data_skipped, server, certificates, session,
                    payload_bytes, False)
        report.case(f"the same across a HelloRetryRequest, {payload_bytes}", early_data_skipped, server, certificates,
                    session, payload_bytes, True, *retry)
    report.case("early data, one octet over", early_data_refused, server, certificates, session, bound + 1)
    report.case("the same across a HelloRetryRequest", early_data_refused, server, certificates, session, bound + 1,
                *retry)


def old_version(server, certificates, *flags):
    log = len(server.log())
    text = clients.s_client(server.port, certificates, "x", *flags, ok=(1,))
    expect("alert protocol version" in text, f"no protocol_version: {text[-2000:]}")
    server.wait_for_log("does not offer TLS 1.3", log)
    return "protocol_version, and the log says why"


def refused(server, certificates, alert, in_log, *flags):
    log = len(server.log())
    text = clients.s_client(server.port, certificates, "x", *flags, ok=(1,))
    expect(alert in text, f"no '{alert}': {text[-2000:]}")
    server.wait_for_log(in_log, log)
    return alert


def plain_http(server):
    with socket.create_connection(("127.0.0.1", server.port), 10) as client:
        client.sendall(PLAIN_REQUEST)
        answer = read_to_end(client)
    expect(answer.startswith(b"HTTP/1.1 400 "), f"answer {answer!r}")
    expect(b"https" in answer.lower() or b"tls" in answer.lower(), f"it does not say what is wrong: {answer!r}")
    return answer.split(b"\r\n")[0].decode()


def read_to_end(client):
    answer = b""
    while True:
        try:
            piece = client.recv(65536)
        except ConnectionResetError:
            piece = b""
        if not piece:
            return answer
        answer += piece


def noise(server):
    with socket.create_connection(("127.0.0.1", server.port), 10) as client:
        client.sendall(b"\x00\x01\x02\x03\x04\x05\x06\x07" * 8)
        answer = read_to_end(client)
    expect(answer == b"" or answer[0] == 21, f"answer {answer!r}")
    return "an alert" if answer else "closed"


def probe(server):
    log = len(server.log())
    for _ in range(20):
        socket.create_connection(("127.0.0.1", server.port), 10).close()
    time.sleep(0.3)
    expect("error" not in server.log()[log:].lower(), f"probes are logged: {server.log()[log:]}")
    return "no error in the log"


def main():
    program = sys.argv[1]
    report = Report("TLS behaviour")
    with tempfile.TemporaryDirectory() as folder:
        certificates = Certificates(folder)
        with Server(program, "--cert", certificates.chain, "--key", certificates.key, "--workers", 1) as server:
            report.case("key updates", key_updates, server, certificates)
            early_data_cases(report, server, certificates, folder)
            report.case("a client of TLS 1.2", old_version, server, certificates, "-tls1_2")
            report.case("no protocol in common", refused, server, certificates, "alert no application protocol",
                        "no application protocol in common", "-alpn", "h2")
            report.case("no group in common", refused, server, certificates, "alert handshake failure",
                        "no group in common", "-groups", "P-384")
            report.case("no signature algorithm in common", refused, server, certificates, "alert handshake failure",
                        "no signature algorithm in common", "-sigalgs", "rsa_pss_rsae_sha256")
            report.case("plain HTTP on the TLS port", plain_http, server)
            report.case("octets that are no TLS", noise, server)
            report.case("port probes", probe, server)
            report.case("served after all that", lambda: expect(
                "hello still" in clients.curl(server.port, certificates, "still"), "no answer"))
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
