#!/usr/bin/env python3
"""100 pipelined requests in one record, in 100 records, and in records of one octet get 100 answers in order.

usage: pipelining.py HTTPS_HELLO HTTP_ECHO
"""
import sys
import tempfile

from certificates import Certificates
from record_client import RecordConnection
from report import Report, expect
from server import Server

REQUESTS = 100
HOST = b"Host: localhost\r\n"


def greeting(i):
    return b"GET /hello/%d HTTP/1.1\r\n%s\r\n" % (i, HOST), b"hello %d\n" % i


def with_body(i):
    body = b"body %d " % i * (i % 7)
    return b"POST /%d HTTP/1.1\r\n%sContent-Length: %d\r\n\r\n%s" % (i, HOST, len(body), body), body


def with_chunks(i):
    chunks = [b"chunk %d of %d;" % (n, i) for n in range(i % 5)]
    framed = b"".join(b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in [*chunks])
    return (b"PUT /%d HTTP/1.1\r\n%sTransfer-Encoding: chunked\r\n\r\n%s0\r\n\r\n" % (i, HOST, framed),
            b"".join(chunks))


def mixed(i):
    return (with_body, with_chunks)[i % 2](i)


def some_late(i):
    """Every tenth one, the first included, is answered by another thread after a while; the others wait behind it."""
    request, body = mixed(i)
    return request.replace(HOST, HOST + b"X-Late: 20\r\n", 1) if i % 10 == 0 else request, body


CUTS = {
    "one record": lambda requests: [b"".join(requests)],
    "100 records": lambda requests: requests,
    "records of one octet": lambda requests: [bytes([octet]) for octet in b"".join(requests)],
    "records cut between requests' halves": lambda requests: halves(requests),
}


def halves(requests):
    """Each record ends in the middle of a request."""
    octets, size = b"".join(requests), max(map(len, requests)) + 1
    return [octets[at:at + size] for at in range(0, len(octets), size)]


def answered_in_order(connect, make, cut, records):
    requests, bodies = zip(*(make(i) for i in range(REQUESTS)))
    pieces = CUTS[cut](list(requests))
    with connect() as c:
        sent = c.send_records(pieces)
        expect(sent == len(pieces) and (records is None or sent == records), f"{sent} records")
        for i, body in enumerate(bodies):
            got = c.answer()
            expect((got.status, got.body) == (200, body), f"answer {i}: {got} instead of {body!r}")
        expect(not c.octets, f"behind the last answer: {bytes(c.octets[:200])!r}")
        request, body = make(REQUESTS)
        c.send(request)
        expect(c.answer().body == body, "the connection does not go on")
    return f"{sent} records"


def closes_in_the_middle(connect):
    """What is pipelined behind Connection: close is not answered."""
    requests = [greeting(i)[0] for i in range(3)]
    requests[1] = requests[1].replace(HOST, HOST + b"Connection: close\r\n")
    with connect() as c:
        c.send_records([b"".join(requests)])
        expect([c.answer().body, c.answer().body] == [b"hello 0\n", b"hello 1\n"], "order")
        expect(c.ends(), "an answer behind the last one")


def malformed_in_the_middle(connect):
    """What came before a malformed request is answered, then the 400, then nothing."""
    requests = [greeting(0)[0], b"GET /hello/1 HTTP/1.1\r\nBad Name: x\r\n\r\n", greeting(2)[0]]
    with connect() as c:
        c.send_records([b"".join(requests)])
        expect(c.answer().body == b"hello 0\n" and c.answer().status == 400, "order")
        expect(c.ends(), "an answer behind the refusal")


def cases(report, connect, make, what):
    for cut, records in zip(CUTS, (1, REQUESTS, None, None)):
        report.case(f"{what} in {cut}", answered_in_order, connect, make, cut, records)


def main():
    hello, echo = sys.argv[1:3]
    report = Report("pipelining")
    with tempfile.TemporaryDirectory() as folder:
        certificates = Certificates(folder)
        flags = ("--cert", certificates.chain, "--key", certificates.key, "--workers", 1)
        with Server(hello, *flags) as server:
            def connect():
                return RecordConnection(server.port, certificates.authority)
            cases(report, connect, greeting, "requests")
            report.case("Connection: close in the middle", closes_in_the_middle, connect)
            report.case("a malformed one in the middle", malformed_in_the_middle, connect)
        with Server(echo, *flags) as server:
            def connect_echo():
                return RecordConnection(server.port, certificates.authority)
            cases(report, connect_echo, with_body, "bodies")
            cases(report, connect_echo, with_chunks, "chunked bodies")
            cases(report, connect_echo, mixed, "both kinds of bodies")
            cases(report, connect_echo, some_late, "late answers between")
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
