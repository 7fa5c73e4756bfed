"""What a host may be asked now: what Scrapy's downloader knows of it in this run, and what is kept of earlier ones."""

from __future__ import annotations

from focused.collection.store import Row
from focused.live.courtesy import Courtesy
from focused.live.scrapy_engine import ScrapyEngine


class LiveManners:
    """`Manners` of a live crawl. Times are of `time.monotonic`."""

    def __init__(self, engine: ScrapyEngine, courtesy: Courtesy) -> None:
        self._engine, self._courtesy = engine, courtesy
        self._noted = 0.0  # what was sent until then has been noted

    def begin(self) -> None:
        """Tell the downloader of the delays that hosts asked for in earlier runs."""
        for host, delay in self._courtesy.delays().items():
            self._engine.keep_delay(host, delay, 0.0)

    def places(self, host: str) -> int:
        return self._engine.places(host)

    def delay(self, host: str) -> float:
        return max(self._engine.delay(host), self._courtesy.delay(host))

    def last_sent(self, host: str) -> float | None:
        sent = self._engine.last_sent(host)
        before = self._courtesy.last_asked(host)
        return max(before, sent) if sent is not None else before

    def not_before(self, host: str) -> float:
        return self._courtesy.not_before(host)

    def statements(self) -> list[tuple[str, Row]]:
        """What writes down when each host was asked last, since the last call; requests for robots.txt count."""
        asked = self._engine.sent_since(self._noted)
        self._noted = max(asked.values(), default=self._noted)
        self._courtesy.note(asked)
        return self._courtesy.statements()
