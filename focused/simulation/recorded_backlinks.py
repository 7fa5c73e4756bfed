"""Backlinks in a recorded web: its links turned round. What a search engine knew to say when the papers were written."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar
from weakref import WeakKeyDictionary

from focused.crawl.backlinks import Backlinks
from focused.simulation.analysed_web import AnalysedWeb, Fetched
from focused.simulation.first_reading import read_all

REPORT_EVERY = 100  #: pages read between two words on how far it is


class RecordedBacklinks(Backlinks):
    """All pages that link to a URL, in the order in which the web lists them. Redirects are not followed.

    The whole web is read at the first question, once for all crawls of the same `AnalysedWeb`.

    Parameters
    ----------
    web : the recording, as the reader of the topic reads it; its counts of links stay as they are
    report : told now and then how many pages have been read

    Attributes
    ----------
    cpu_seconds : that it took to turn the links round, which are not the strategy's
    """

    #: By web: the key of a URL -> numbers of the pages that link to it; and URLs by number.
    _turned: ClassVar[WeakKeyDictionary[AnalysedWeb, tuple[dict[int, list[int]], list[str]]]] = WeakKeyDictionary()

    def __init__(self, web: AnalysedWeb, limit: int, report: Callable[[int], object] = lambda _: None) -> None:
        super().__init__(web.reader.rules, limit)
        self._web, self._report = web, report
        self.cpu_seconds = 0.0

    def ask(self, urls: Sequence[str]) -> Mapping[str, list[str]]:
        if self._web not in self._turned:
            started = time.process_time()
            self._turned[self._web] = self._turn_round()
            self.cpu_seconds = time.process_time() - started
        pages, names = self._turned[self._web]
        return {url: [names[page] for page in pages.get(self.rules.key(url), ())] for url in urls}

    def _turn_round(self) -> tuple[dict[int, list[int]], list[str]]:
        web = AnalysedWeb(self._web.web, self._web.reader, self._web.cache, hide_outside=False)
        read_all(web, lambda done, _: self._report(done))
        pages: defaultdict[int, list[int]] = defaultdict(list)
        names: list[str] = []
        for count, url in enumerate(web.web.urls()):
            if count % REPORT_EVERY == 0:
                self._report(count)
            answer = web.ask(self.rules.canonical(url) or url)
            if not isinstance(answer, Fetched):
                continue
            for key in dict.fromkeys(link.key for link in answer.page.links):
                pages[key].append(len(names))
            names.append(answer.page.url)
        return dict(pages), names
