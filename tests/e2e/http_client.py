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
        while b"\r\n\r\n" not in self.octets:
            self.more()
        head = bytes(self.octets[:self.octets.index(b"\r\n\r\n")])
        del self.octets[:len(head) + 4]
        first, *fields = head.decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (f.partition(":") for f in fields)}
        status = int(first.split(" ")[1])
        if not first.startswith("HTTP/1.1 "):
            raise AssertionError(f"status line {first!r}")
        bodiless = method == "HEAD" or status in (204, 304)
        length = 0 if bodiless else int(headers["content-length"])
        while len(self.octets) < length:
            self.more()
        body = bytes(self.octets[:length])
        del self.octets[:length]
        return Answer(status, headers, body)

    def ends(self):
        """Waits for the other side's end, which over TLS is its close_notify; answers whether nothing came before."""
        return not self.octets and self.socket.recv(1) == b""

    def more(self):
        piece = self.socket.recv(1 << 20)
        if not piece:
            raise AssertionError(f"the connection ended within an answer: {self.octets[:200]!r}")
        self.octets += piece
