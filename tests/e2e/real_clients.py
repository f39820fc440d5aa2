#!/usr/bin/env python3
"""Real clients against the server, with what each handshake agreed on as read from the wire.

usage: real_clients.py HTTPS_HELLO SCREENSHOT

Chromium's view of the first page is left in the file SCREENSHOT.
"""
import pathlib
import sys
import tempfile

import clients
from certificates import Certificates, openssl
from report import Report, expect
from server import Server
from wire_tap import WireTap

SUITES = ["TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"]
GROUPS = {"X25519": "x25519", "P-256": "secp256r1"}


def agreed(tap, text, name, suite=None, group=None, retried=False):
    """Judges one client's answer and its handshake; the line of the table."""
    expect(f"hello {name}" in text, f"the answer is not there: {text[-2000:]}")
    expect(tap.agreed, "no ServerHello was seen")
    version, got_suite, got_group, got_retried = tap.agreed[-1]
    expect(version == "1.3", f"version {version}")
    expect(suite in (None, got_suite), f"{got_suite} instead of {suite}")
    expect(group in (None, got_group), f"{got_group} instead of {group}")
    expect(retried == got_retried, f"HelloRetryRequest: {got_retried}")
    return f"TLS {version}  {got_suite:<28}  {got_group}{'  after HelloRetryRequest' if got_retried else ''}"


def over_tap(server, certificates, client, *more, suite=None, group=None, retried=False, **options):
    with WireTap(server.port) as tap:
        text = client(tap.port, certificates, "client", *more, **options)
        return agreed(tap, text, "client", suite, group, retried)


def s_client_cases(report, server, certificates):
    for suite in SUITES:
        for flag, group in GROUPS.items():
            report.case(f"openssl s_client {suite[4:]} {flag}", lambda: over_tap(
                server, certificates, clients.s_client, "-ciphersuites", suite, "-groups", flag,
                suite=suite, group=group))
    for flag, group in GROUPS.items():
        report.case(f"openssl s_client HelloRetryRequest {flag}", lambda: over_tap(
            server, certificates, clients.s_client, "-groups", f"P-384:{flag}", group=group, retried=True))
    report.case("openssl s_client without middlebox mode", lambda: over_tap(
        server, certificates, clients.s_client, "-no_middlebox"))
    report.case("openssl s_client without a server name", lambda: over_tap(
        server, certificates, clients.s_client, "-noservername"))
    report.case("openssl s_client ALPN", lambda: alpn(server, certificates))


def alpn(server, certificates):
    text = clients.s_client(server.port, certificates, "client", "-alpn", "h2,http/1.1")
    expect("ALPN protocol: http/1.1" in text, text)
    return "http/1.1"


def programs(report, server, certificates, folder, screenshot):
    simple = {"curl": clients.curl, "gnutls-cli": clients.gnutls_cli, "Python ssl": clients.python_ssl,
              "node": clients.node, "wrk": clients.wrk}
    for name, client in simple.items():
        report.case(name, lambda: over_tap(server, certificates, client))
    for name, client in {"Java SSLSocket": clients.java, "tstclnt": clients.tstclnt}.items():
        own = pathlib.Path(folder) / name.split()[0]
        own.mkdir()
        report.case(name, lambda: over_tap(server, certificates, client, own))
    report.case("Chromium", lambda: over_tap(server, certificates, clients.chromium, folder,
                                             screenshot=screenshot))


class Trust:
    """For clients: the certificate of a server that made its own."""

    def __init__(self, server, folder):
        shown = clients.run("openssl", "s_client", "-connect", f"127.0.0.1:{server.port}", stdin="Q\n", ok=(0, 1))
        start, end = "-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----"
        self.authority = pathlib.Path(folder) / "development.pem"
        self.authority.write_text(start + shown.split(start)[1].split(end)[0] + end + "\n", encoding="ascii")


def development_certificate(program, folder):
    with Server(program) as server:
        trust = Trust(server, folder)
        digest = openssl("x509", "-in", trust.authority, "-noout", "-fingerprint", "-sha256").strip().split("=")[1]
        log = server.log().lower()
        expect(digest.lower() in log or digest.replace(":", "").lower() in log, f"{digest} is not in the log: {log}")
        for client in (clients.curl, clients.python_ssl):
            over_tap(server, trust, client)
    return "its SHA-256 is in the log; curl and Python verify it"


def main():
    program, screenshot = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    report = Report("real clients")
    with tempfile.TemporaryDirectory() as folder:
        certificates = Certificates(folder)
        with Server(program, "--cert", certificates.chain, "--key", certificates.key, "--workers", 1) as server:
            programs(report, server, certificates, folder, screenshot)
            s_client_cases(report, server, certificates)
        report.case("development certificate", development_certificate, program, folder)
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
