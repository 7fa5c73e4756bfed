"""The access log of the hostile server: one line of JSON a request, written by the server about what came and what it sent.

Imports nothing of the product: whoever judges the crawler by this log must not believe the crawler.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

#: Headers of a request that may tell somebody's secrets; they are kept, others are not.
TELLING = ("authorization", "cookie", "proxy-authorization", "referer")


@dataclass(slots=True)
class Entry:
    """One request.

    start, end : seconds of the server's monotonic clock: when its head had arrived; when the answer was sent or the client left
    late : seconds by which the client may have begun it earlier: the server stood still, or a connection had to be made first
    connection : number of the client's connection
    host : as the client wrote it, in lower case, without port and credentials
    path : with the query
    credentials : of the URL that was asked for
    headers : those of `TELLING` that came
    status : that was sent; 0 where none was
    address : that the client connected to, where it did without a proxy
    retry_after : seconds that the answer told the client to wait, from its end on
    """

    start: float
    connection: int
    method: str
    scheme: str
    host: str
    port: int
    path: str
    address: str = ""
    credentials: str = ""
    late: float = 0.0
    headers: dict[str, str] = field(default_factory=dict)
    end: float = 0.0
    status: int = 0
    retry_after: float | None = None

    @property
    def url(self) -> str:
        """For a person."""
        usual = {"http": 80, "https": 443}.get(self.scheme)
        return f"{self.scheme}://{self.host}{'' if self.port == usual else f':{self.port}'}{self.path}"

    @property
    def is_robots(self) -> bool:
        return self.path.partition("?")[0] == "/robots.txt"


def line_of(entry: Entry) -> str:
    return json.dumps(asdict(entry)) + "\n"


def read_log(path: Path) -> list[Entry]:
    """All requests of a log, by the time they came. Raises ValueError for a line that is none."""
    return sorted(_entries(path), key=lambda entry: entry.start)


def _entries(path: Path) -> Iterator[Entry]:
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            try:
                yield Entry(**json.loads(line))
            except (TypeError, json.JSONDecodeError):
                raise ValueError(f"{path}, line {number}: no request of an access log: {line[:100]!r}") from None
