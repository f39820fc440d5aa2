"""A relay in front of the server that reads what a handshake agreed on from the ServerHello.

Version, suite and group stand in the ServerHello unprotected, so that every client is judged by the wire and not by
what it says of itself.
"""
import selectors
import socket
import threading

SUITES = {0x1301: "TLS_AES_128_GCM_SHA256", 0x1302: "TLS_AES_256_GCM_SHA384",
          0x1303: "TLS_CHACHA20_POLY1305_SHA256"}
GROUPS = {0x0017: "secp256r1", 0x001d: "x25519"}
RETRY_RANDOM = bytes.fromhex("cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c")


class WireTap:
    """Listens on a port of its own. `agreed` has (version, suite, group, whether a HelloRetryRequest came before)."""

    def __init__(self, server_port):
        self.server_port = server_port
        self.agreed = []

    def __enter__(self):
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._listener.close()

    def _accept(self):
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._relay, args=(client,), daemon=True).start()

    def _relay(self, client):
        with client, socket.create_connection(("127.0.0.1", self.server_port)) as server:
            reader = ServerHelloReader(self.agreed)
            selector = selectors.DefaultSelector()
            selector.register(client, selectors.EVENT_READ, server)
            selector.register(server, selectors.EVENT_READ, client)
            try:
                while selector.get_map():
                    for key, _ in selector.select():
                        self._move(selector, key.fileobj, key.data, reader if key.fileobj is server else None)
            except OSError:
                return

    @staticmethod
    def _move(selector, source, target, reader):
        data = source.recv(65536)
        if data:
            if reader:
                reader.feed(data)
            target.sendall(data)
        else:
            selector.unregister(source)
            target.shutdown(socket.SHUT_WR)


class ServerHelloReader:
    """Takes a server's octets; once the ServerHello is there, what was agreed on is appended to `agreed`."""

    def __init__(self, agreed):
        self.agreed, self.octets, self.retried, self.done = agreed, b"", False, False

    def feed(self, data):
        if self.done:
            return
        self.octets += data
        while len(self.octets) >= 5 and not self.done:
            kind, length = self.octets[0], int.from_bytes(self.octets[3:5], "big")
            if len(self.octets) < 5 + length:
                return
            payload, self.octets = self.octets[5:5 + length], self.octets[5 + length:]
            if kind == 22:
                self._hello(payload)
            elif kind != 20:
                self.done = True

    def _hello(self, message):
        body = message[4:]
        if body[2:34] == RETRY_RANDOM:
            self.retried = True
            return
        self.done = True
        at = 35 + body[34]
        suite = int.from_bytes(body[at:at + 2], "big")
        version, group = self._extensions(body[at + 5:])
        self.agreed.append(("1.3" if version == 0x0304 else "1.2 or older", SUITES.get(suite, hex(suite)),
                            GROUPS.get(group, hex(group)), self.retried))

    @staticmethod
    def _extensions(octets):
        version, group, at = 0, 0, 0
        while at + 4 <= len(octets):
            kind, length = int.from_bytes(octets[at:at + 2], "big"), int.from_bytes(octets[at + 2:at + 4], "big")
            value = int.from_bytes(octets[at + 4:at + 6], "big")
            version = value if kind == 43 else version
            group = value if kind == 51 else group
            at += 4 + length
        return version, group
