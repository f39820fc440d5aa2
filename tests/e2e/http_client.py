"""A small HTTP/1.1 client for tests: it sends octets as they are given, and reads answers by their framing."""
import socket
import ssl
from typing import NamedTuple


class Answer(NamedTuple):
    status: int
    headers: dict  # names in lower case
    body: bytes


class Connection:
    """Over TLS when `trust`, a file of authorities, is given; else plain."""

    def __init__(self, port, trust=None, seconds=20):
        self.socket = socket.create_connection(("127.0.0.1", port), seconds)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if trust:
            context = ssl.create_default_context(cafile=trust)
            context.set_alpn_protocols(["http/1.1"])
            self.socket = context.wrap_socket(self.socket, server_hostname="localhost",
                                              suppress_ragged_eofs=False)
        self.octets = bytearray()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, octets):
        self.socket.sendall(octets)

    def ask(self, method, target, body=b"", headers=""):
        length = f"Content-Length: {len(body)}\r\n" if body else ""
        self.send(f"{method} {target} HTTP/1.1\r\nHost: localhost\r\n{headers}{length}\r\n".encode() + body)
        return self.answer(method)

    def answer(self, method="GET"):
        """The next final answer; interim ones are passed over."""
        status, headers = self.head()
        while status < 200:
            status, headers = self.head()
        if method == "HEAD" or status in (204, 304):
            return Answer(status, headers, b"")
        if headers.get("transfer-encoding") == "chunked":
            return Answer(status, headers, self.chunked())
        return Answer(status, headers, self.octets_of(int(headers["content-length"])))

    def head(self):
        """(status, header fields) of the next head, interim or final."""
        first, *fields = self.through(b"\r\n\r\n").decode("latin-1").split("\r\n")
        if not first.startswith("HTTP/1.1 "):
            raise AssertionError(f"status line {first!r}")
        headers = {name.lower(): value.strip() for name, _, value in (field.partition(":") for field in fields)}
        return int(first.split(" ")[1]), headers

    def chunked(self):
        body = b""
        while size := int(self.through(b"\r\n"), 16):
            body += self.octets_of(size)
            if self.through(b"\r\n"):
                raise AssertionError("a chunk is longer than it says")
        while self.through(b"\r\n"):  # trailers
            pass
        return body

    def through(self, mark):
        """What comes before the mark; both are taken."""
        while (at := self.octets.find(mark)) < 0:
            self.more()
        found = bytes(self.octets[:at])
        del self.octets[:at + len(mark)]
        return found

    def octets_of(self, count):
        while len(self.octets) < count:
            self.more()
        found = bytes(self.octets[:count])
        del self.octets[:count]
        return found

    def ends(self):
        """Waits for the other side's end, which over TLS is its close_notify; answers whether nothing came before."""
        return not self.octets and self.socket.recv(1) == b""

    def more(self):
        piece = self.socket.recv(1 << 20)
        if not piece:
            raise AssertionError(f"the connection ended within an answer: {self.octets[:200]!r}")
        self.octets += piece
