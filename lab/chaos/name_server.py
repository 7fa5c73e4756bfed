"""A name server that lies: it gives a name another address each time, or several at once. UDP, A and AAAA, nothing else."""

from __future__ import annotations

import ipaddress
import socket
import struct
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress

#: What a name is answered with: addresses for the first question, for the second, and so on, from the beginning again then.
Answers = Sequence[Sequence[str]]
A, AAAA = 1, 28
NO_SUCH_NAME = 3


class NameServer:
    """Answers for names; those under none of them do not exist."""

    def __init__(self, names: Mapping[str, Answers]) -> None:
        self._names = names
        self._asked: Counter[tuple[str, int]] = Counter()

    def reply(self, query: bytes) -> bytes:
        """The answer to one query. Raises ValueError or IndexError for what is none."""
        labels, place = [], 12
        while length := query[place]:
            labels.append(query[place + 1 : place + 1 + length].decode("latin-1").lower())
            place += length + 1
        name = ".".join(labels)
        kind = int.from_bytes(query[place + 1 : place + 3], "big")
        records = self._records(name, kind)
        flags = 0x8580 | (0 if name in self._names else NO_SUCH_NAME)
        head = query[:2] + struct.pack("!HHHHH", flags, 1, len(records), 0, 0)
        body = b"".join(struct.pack("!HHHIH", 0xC00C, kind, 1, 0, len(data)) + data for data in records)
        return head + query[12 : place + 5] + body

    def _records(self, name: str, kind: int) -> list[bytes]:
        """Addresses of the kind that is asked for, as bytes."""
        answers = self._names.get(name)
        version = {A: 4, AAAA: 6}.get(kind)
        if not answers or version is None:
            return []
        turn = self._asked[name, kind]
        self._asked[name, kind] += 1
        found = [ipaddress.ip_address(text) for text in answers[turn % len(answers)]]
        return [address.packed for address in found if address.version == version]


@contextmanager
def answering(names: Mapping[str, Answers], address: tuple[str, int]) -> Iterator[int]:
    """Answer on a UDP port until the block ends; yields the port."""
    server, stop = NameServer(names), threading.Event()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as own:
        own.bind(address)
        own.settimeout(0.1)

        def serve() -> None:
            while not stop.is_set():
                with suppress(TimeoutError, ValueError, IndexError):
                    query, client = own.recvfrom(4096)
                    own.sendto(server.reply(query), client)

        thread = threading.Thread(target=serve, name="name server", daemon=True)
        thread.start()
        try:
            yield own.getsockname()[1]
        finally:
            stop.set()
            thread.join(5)
