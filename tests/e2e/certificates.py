"""Test certificates, made by the openssl command: a P-256 authority, and a leaf for localhost, 127.0.0.1 and ::1."""
import pathlib
import subprocess


class Certificates:
    """`authority` is what clients trust, `chain` and `key` are the server's."""

    def __init__(self, folder):
        folder = pathlib.Path(folder)
        self.authority, self.chain, self.key = folder / "authority.pem", folder / "chain.pem", folder / "key.pem"
        authority_key, request, extensions = folder / "authority.key", folder / "leaf.csr", folder / "leaf.ext"
        make_key(authority_key)
        openssl("req", "-x509", "-new", "-key", authority_key, "-sha256", "-days", "30",
                "-subj", "/CN=Signet test authority", "-out", self.authority)
        make_key(self.key)
        openssl("req", "-new", "-key", self.key, "-subj", "/CN=localhost", "-out", request)
        extensions.write_text("subjectAltName=DNS:localhost,IP:127.0.0.1,IP:::1\n"
                              "keyUsage=digitalSignature\nextendedKeyUsage=serverAuth\n", encoding="ascii")
        leaf = folder / "leaf.pem"
        openssl("x509", "-req", "-in", request, "-CA", self.authority, "-CAkey", authority_key, "-CAcreateserial",
                "-days", "30", "-sha256", "-extfile", extensions, "-out", leaf)
        self.chain.write_text(leaf.read_text(encoding="ascii") + self.authority.read_text(encoding="ascii"),
                              encoding="ascii")


def make_key(path):
    openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", path)


def openssl(*arguments):
    return subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True, text=True).stdout
