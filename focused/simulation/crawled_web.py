"""An earlier crawl of ours as a recorded web: what it fetched answers again, from its page repository."""

from __future__ import annotations

from collections.abc import Iterator, Set
from pathlib import Path

from focused.collection.collection import PAGES, open_repository, opened
from focused.collection.repository import Place
from focused.collection.store import Store
from focused.exceptions import WebError
from focused.live.last_run import last_run
from focused.page.urls import UrlRules, host_of
from focused.simulation.recorded_web import TRANSFER_HEADERS, Answer, not_found

NO_ANSWER = 504  #: status of a URL that gave none when it was crawled: a timeout, a lost connection, robots.txt
FOUND = 302  #: status of a redirect whose own was not kept


class CrawledWeb:
    """The pages, redirects and failures in the collection of a topic. What that crawl did not ask for is not recorded.

    Raises WebError when there is no page inside, StorageError when the collection cannot be read.
    """

    def __init__(self, folder: Path) -> None:
        with opened(folder) as store:
            self._read(folder, store)

    def _read(self, folder: Path, store: Store) -> None:
        run = last_run(store)
        rows = store.execute(
            "SELECT url, final_url, outcome, status, file, offset, length FROM history ORDER BY seq"
        ).fetchall()
        self._rules = UrlRules(run.reading.fold_index, run.reading.strip_parameters)
        self._repository = open_repository(run.pages, folder / PAGES)
        self._answers: dict[str, Answer | Place] = {}
        for url, final_url, outcome, status, file, offset, length in rows:
            if final_url is not None and final_url != url:
                self._answers[url] = Answer(FOUND, (("Location", final_url),), b"")
            if outcome == "page":
                self._answers[final_url] = Place(file, offset, length)
            elif outcome == "failed":
                self._answers[url] = Answer(status if status and status >= 300 else NO_ANSWER, (), b"")
        if not any(isinstance(answer, Place) for answer in self._answers.values()):
            raise WebError(f"{folder}: no page was fetched by this crawl, so there is nothing to simulate with")
        self._hosts = frozenset(map(host_of, self._answers))

    @property
    def hosts(self) -> Set[str]:
        return self._hosts

    def urls(self) -> Iterator[str]:
        return iter(self._answers)

    def answer(self, url: str) -> Answer | None:
        canonical = self._rules.canonical(url)
        if canonical is None or host_of(canonical) not in self._hosts:
            return None
        found = self._answers.get(canonical)
        if not isinstance(found, Place):
            return found or not_found(url)
        stored = self._repository.get(found)
        headers = tuple((name, value) for name, value in stored.headers if name.lower() not in TRANSFER_HEADERS)
        return Answer(stored.status, headers, stored.body)
