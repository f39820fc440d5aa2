"""Many kept connections over TLS that ask at a steady rate, and how long each of their answers took."""
import asyncio
import ssl
import time

REQUEST = b"GET /hello/crowd HTTP/1.1\r\nHost: localhost\r\n\r\n"
ANSWER_END = b"hello crowd\n"
CONNECTING_AT_ONCE = 32


class Crowd:
    """An asynchronous context. Requests are due at a fixed rate, whatever the answers do, so that a stall is not hidden
    by the requests that it kept from being sent."""

    def __init__(self, port, trust, count):
        self.port, self.count = port, count
        self.context = ssl.create_default_context(cafile=trust)
        self.members = []

    async def __aenter__(self):
        gate = asyncio.Semaphore(CONNECTING_AT_ONCE)

        async def connect():
            async with gate:
                return await asyncio.open_connection("127.0.0.1", self.port, ssl=self.context,
                                                     server_hostname="localhost")
        self.members = await asyncio.gather(*(connect() for _ in range(self.count)))
        return self

    async def __aexit__(self, *_):
        for _, writer in self.members:
            writer.transport.abort()

    async def ask(self, seconds, rate):
        """Each member in its turn, `rate` requests a second; answers the sorted seconds from when each was due."""
        start = time.monotonic()
        running = []
        for i in range(int(seconds * rate)):
            due = start + i / rate
            await asyncio.sleep(due - time.monotonic())
            running.append(asyncio.create_task(self._ask_one(i % self.count, due)))
        return sorted(await asyncio.gather(*running))

    async def _ask_one(self, member, due):
        reader, writer = self.members[member]
        writer.write(REQUEST)
        answer = await reader.readuntil(ANSWER_END)
        if not answer.startswith(b"HTTP/1.1 200 "):
            raise AssertionError(f"{answer!r}")
        return time.monotonic() - due


def percentile(ordered, share):
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def described(ordered):
    return (f"{len(ordered)} answers, median {percentile(ordered, 0.5) * 1000:.2f} ms, 99th percentile "
            f"{percentile(ordered, 0.99) * 1000:.2f} ms, longest {ordered[-1] * 1000:.2f} ms")
