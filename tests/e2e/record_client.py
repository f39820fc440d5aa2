"""A connection over TLS whose records are cut as the test says: one for each octet string that is given."""
import socket
import ssl
import threading

from http_client import Connection

RECORD_HEADER_BYTES, INNER_TYPE_AND_TAG_BYTES = 5, 17
APPLICATION_DATA = 23


class RecordSocket:
    """Python's TLS between two memory buffers, and the socket that carries what they hold."""

    def __init__(self, port, trust, seconds):
        self.wire = socket.create_connection(("127.0.0.1", port), seconds)
        self.wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        context = ssl.create_default_context(cafile=trust)
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        context.set_alpn_protocols(["http/1.1"])
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = context.wrap_bio(self.incoming, self.outgoing, server_hostname="localhost")
        self._complete(self.tls.do_handshake)
        self.wire.sendall(self.outgoing.read())

    def seal(self, pieces):
        """The records of the pieces, one each, not sent yet."""
        for piece in pieces:
            self.tls.write(piece)
        return self.outgoing.read()

    def sendall(self, octets):
        self.wire.sendall(self.seal([octets]))

    def recv(self, most):
        return self._complete(lambda: self.tls.read(most))

    def close(self):
        self.wire.close()

    def _complete(self, step):
        while True:
            try:
                return step()
            except ssl.SSLWantReadError:
                self.wire.sendall(self.outgoing.read())
                if received := self.wire.recv(1 << 18):
                    self.incoming.write(received)
                else:
                    self.incoming.write_eof()
            except ssl.SSLZeroReturnError:
                return b""


class RecordConnection(Connection):
    def __init__(self, port, trust, seconds=60):
        self.socket = RecordSocket(port, trust, seconds)
        self.octets = bytearray()

    def send_records(self, pieces):
        """All records in one go, beside the caller, who may read meanwhile; answers how many they are."""
        records = self.socket.seal(pieces)
        threading.Thread(target=self.socket.wire.sendall, args=(records,), daemon=True).start()
        return count_records(records)


def count_records(octets):
    """How many records of application data the octets are; they must be nothing else."""
    count, at = 0, 0
    while at < len(octets):
        length = int.from_bytes(octets[at + 3:at + 5], "big")
        if octets[at] != APPLICATION_DATA or length <= INNER_TYPE_AND_TAG_BYTES:
            raise AssertionError(f"no record of application data at {at}")
        at += RECORD_HEADER_BYTES + length
        count += 1
    return count
