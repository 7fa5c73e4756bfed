"""What a recorded web is: a fixed set of answers, found by URL. Readers of data sets and the demo web give one each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

#: Headers that describe how a body travelled. An answer has none: its body is plain and the server sets its own.
TRANSFER_HEADERS = frozenset({"content-length", "content-encoding", "transfer-encoding", "connection", "keep-alive"})


@dataclass(slots=True, frozen=True)
class Answer:
    """What a server said to one request. The body is not compressed and not chunked, whatever was on the wire."""

    status: int
    headers: tuple[tuple[str, str], ...]  #: in recorded order, without TRANSFER_HEADERS
    body: bytes

    def header(self, name: str) -> str:
        """Value of the first header of that name (any case), empty if there is none."""
        wanted = name.lower()
        return next((value for key, value in self.headers if key.lower() == wanted), "")


class RecordedWeb(Protocol):
    """A set of answers. Asking twice gives the same answer."""

    @property
    def hosts(self) -> Set[str]:
        """Names of the hosts in this web, lower case, without port."""

    def answer(self, url: str) -> Answer | None:
        """The answer to an absolute URL: 404 for an unknown page of a known host, None for a host outside this web."""

    def urls(self) -> Iterator[str]:
        """Canonical URLs of all recorded answers, each once, in a fixed order."""


@runtime_checkable
class SlowWeb(RecordedWeb, Protocol):
    """A web some hosts of which answer slowly."""

    def slowness(self, host: str) -> float:
        """Seconds that a host takes longer to answer than others do."""


@runtime_checkable
class SeededWeb(RecordedWeb, Protocol):
    """A data set that says where to start."""

    @property
    def seeds(self) -> Mapping[str, str]:
        """URLs of good seeds, each under the name of the part of the web that it opens."""


@runtime_checkable
class ClassifiedWeb(RecordedWeb, Protocol):
    """A data set whose pages people have put into classes. It may have parts, which a model can be tested on apart."""

    @property
    def parts(self) -> Sequence[str]:
        """Names of all parts."""

    def part_of(self, url: str) -> str:
        """The part that a recorded URL belongs to; empty if there are none."""

    def class_of(self, url: str) -> tuple[str, ...] | None:
        """The class of a recorded URL, as a path from the top, such as ``("science", "physics")``; None if it has none."""


@runtime_checkable
class AddressedWeb(RecordedWeb, Protocol):
    """A web that says which hosts lie on one machine."""

    def address(self, host: str) -> str:
        """The address of a host; empty where it is not known."""


def slowness(web: RecordedWeb, host: str) -> float:
    """Seconds that a host of a web takes longer to answer than others do; 0 where the web says nothing of it."""
    return web.slowness(host) if isinstance(web, SlowWeb) else 0.0


def address_of(web: RecordedWeb, host: str) -> str:
    """The address of a host of a web; empty where the web says nothing of it."""
    return web.address(host) if isinstance(web, AddressedWeb) else ""


def html_answer(body: bytes, status: int = 200, charset: str = "utf-8") -> Answer:
    """An HTML page in the given encoding (which `body` is in already)."""
    return Answer(status, (("Content-Type", f"text/html; charset={charset}"),), body)


def not_found(url: str) -> Answer:
    """The 404 page for a URL that was not recorded."""
    return Answer(404, (("Content-Type", "text/plain; charset=utf-8"),), f"{url} is not recorded\n".encode())
