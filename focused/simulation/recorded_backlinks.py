"""Backlinks in a recorded web: its links turned round. What a search engine knew to say when the papers were written."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from focused.crawl.backlinks import Backlinks
from focused.simulation.analysed_web import AnalysedWeb, Fetched

REPORT_EVERY = 100  #: pages read between two words on how far it is


class RecordedBacklinks(Backlinks):
    """All pages that link to a URL, in the order in which the web lists them. Redirects are not followed.

    The whole web is read at the first question.

    Parameters
    ----------
    web : the recording, as the reader of the topic reads it; its counts of links stay as they are
    report : told now and then how many pages have been read

    Attributes
    ----------
    cpu_seconds : that it took to turn the links round, which are not the strategy's
    """

    def __init__(self, web: AnalysedWeb, limit: int, report: Callable[[int], object] = lambda _: None) -> None:
        super().__init__(web.reader.rules, limit)
        self._web = AnalysedWeb(web.web, web.reader, web.cache, hide_outside=False)
        self._report = report
        self.cpu_seconds = 0.0
        self._pages: dict[int, list[int]] | None = None  # key of a URL -> numbers of the pages that link to it
        self._urls: list[str] = []  # by number

    def ask(self, urls: Sequence[str]) -> Mapping[str, list[str]]:
        if self._pages is None:
            started = time.process_time()
            self._pages = self._turned_round()
            self.cpu_seconds = time.process_time() - started
        pages = self._pages
        return {url: [self._urls[page] for page in pages.get(self.rules.key(url), ())] for url in urls}

    def _turned_round(self) -> dict[int, list[int]]:
        pages: defaultdict[int, list[int]] = defaultdict(list)
        for count, url in enumerate(self._web.web.urls()):
            if count % REPORT_EVERY == 0:
                self._report(count)
            answer = self._web.ask(self.rules.canonical(url) or url)
            if not isinstance(answer, Fetched):
                continue
            for key in dict.fromkeys(link.key for link in answer.page.links):
                pages[key].append(len(self._urls))
            self._urls.append(answer.page.url)
        return dict(pages)
