"""What the log of the server says a crawler fetched: nothing that a crawler says of itself is believed."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from focused.exceptions import EvaluationError
from focused.reading.urls import UrlRules
from focused.topic.mistakes import shown
from focused.topic.plain_files import shown_path
from lab.rivals.served import START_HOST

FIELDS = 5  #: of a line: time, method, URL, status, bytes


@dataclass
class AccessLog:
    """The distinct pages of a log that may still grow, in the order in which they were answered.

    A page is an answer 200 to a GET. Two spellings of a URL are one page, the first counts; the page of links to the seeds is none.
    """

    path: Path
    rules: UrlRules
    pages: dict[int, str] = field(default_factory=dict)  #: key -> URL
    requests: int = 0
    _read: int = 0  #: bytes

    def update(self) -> AccessLog:
        """Read what was written since the last time. Raises EvaluationError for a line that is none."""
        with self.path.open("rb") as file:
            file.seek(self._read)
            new = file.read()
        whole = new[: new.rfind(b"\n") + 1]  # the last line may be half written
        self._read += len(whole)
        for line in whole.decode("utf-8", "replace").split("\n")[:-1]:
            self._take(line)
        return self

    def _take(self, line: str) -> None:
        parts = line.split(" ")
        if len(parts) != FIELDS:
            raise EvaluationError(f"{shown_path(self.path)}: not a line of an access log: {shown(line)}")
        _, method, url, status, _ = parts
        if host_of(url) == START_HOST:
            return
        self.requests += 1
        if method == "GET" and status == "200":
            canonical = self.rules.canonical(url) or url
            self.pages.setdefault(self.rules.key(canonical), canonical)


def host_of(url: str) -> str:
    """The host; empty for a URL that cannot be read."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""
