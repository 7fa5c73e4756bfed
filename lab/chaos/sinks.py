"""Ports of this machine that nothing may arrive at: a crawl that is led to them must not go there, by TCP or by UDP."""

from __future__ import annotations

import selectors
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

LOOPBACK = ("127.0.0.1", "::1")


def own_address() -> str:
    """An address that this machine has in its network; one of loopback where it is in none. Nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect(("192.0.2.1", 9))  # an address of nobody, for documents
            address: str = asked.getsockname()[0]
        except OSError:
            return LOOPBACK[0]
    return address


class Sinks:
    """One port of loopback and of this machine's own address, for TCP and UDP; ``arrived`` says what came."""

    def __init__(self) -> None:
        self.port = 0
        self.arrived: list[str] = []
        self._selector = selectors.DefaultSelector()
        self._stop = threading.Event()

    def open(self) -> None:
        for address in dict.fromkeys((*LOOPBACK, own_address())):
            family = socket.AF_INET6 if ":" in address else socket.AF_INET
            for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
                own = socket.socket(family, kind)
                try:
                    own.bind((address, self.port))
                except OSError:  # no IPv6 here, or the port is taken for this kind
                    own.close()
                    continue
                self.port = own.getsockname()[1]
                own.setblocking(False)
                if kind == socket.SOCK_STREAM:
                    own.listen(16)
                self._selector.register(own, selectors.EVENT_READ, kind)

    def watch(self) -> None:
        while not self._stop.is_set():
            for key, _ in self._selector.select(0.1):
                assert isinstance(key.fileobj, socket.socket)
                with suppress(OSError):
                    if key.data == socket.SOCK_STREAM:
                        connection, _ = key.fileobj.accept()
                        connection.settimeout(0.5)
                        with connection, suppress(OSError):
                            self.arrived.append(f"TCP: {connection.recv(200)!r}")
                    else:
                        self.arrived.append(f"UDP: {key.fileobj.recv(200)!r}")

    def close(self) -> None:
        self._stop.set()


@contextmanager
def watching() -> Iterator[Sinks]:
    """Sinks that are open until the block ends."""
    sinks = Sinks()
    sinks.open()
    thread = threading.Thread(target=sinks.watch, name="sinks", daemon=True)
    thread.start()
    try:
        yield sinks
    finally:
        sinks.close()
        thread.join(5)
        for key in list(sinks._selector.get_map().values()):
            key.fileobj.close()  # type: ignore[union-attr]
        sinks._selector.close()
