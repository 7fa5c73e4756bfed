"""Reads all pages of a recorded web for the first time, on all cores. A crawl, which needs only some, reads those it asks for."""

from __future__ import annotations

import pickle
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import suppress
from functools import lru_cache
from multiprocessing import parent_process
from typing import ClassVar
from weakref import WeakKeyDictionary

from focused.crawl.backlinks import Backlinks
from focused.exceptions import WebError
from focused.live.child_processes import end_with_parent, in_processes
from focused.page.reader import Reader
from focused.simulation.analysed_web import AnalysedWeb, Fetched, kept_form, packed, read_answer
from focused.simulation.recorded_web import Answer, RecordedWeb

BATCH = 32  #: pages that a process reads at a time: some 100 ms
FEW = 500  #: pages that are read sooner than processes have started

ReadingProgress = Callable[[int, int], object]
RecordedAnswer = tuple[str, Answer | None]


def read_all(web: AnalysedWeb, told: ReadingProgress | None = None, processes: int = 0) -> None:
    """Let the cache of a web hold all its pages; without a cache nothing is read.

    told : how many pages have been read that were not there, and how many these are in all
    processes : that read; 0: as many as there are cores, or LOKY_MAX_CPU_COUNT says; 1: nothing is read ahead

    Other runs may fill the same cache meanwhile. A process that works for another one reads nothing ahead: its kind has the cores.
    Raises WebError where a process dies; what was read until then is kept.
    """
    cache = web.cache
    if cache is None or parent_process() is not None:
        return
    from joblib import effective_n_jobs  # which takes a while

    processes = effective_n_jobs(processes or -1)
    known, rules = cache.keys(), web.reader.rules
    urls = [url for url in dict.fromkeys(rules.canonical(url) or url for url in web.web.urls()) if url not in known]
    if len(urls) < FEW or processes == 1:
        return
    reader = pickle.dumps(web.reader)
    batches = (list(_answers(web.web, urls[first : first + BATCH])) for first in range(0, len(urls), BATCH))
    done = 0
    try:
        for batch in in_processes(_read, ((reader, batch) for batch in batches), processes):
            for url, value in batch:
                cache.put_packed(url, value)
            done = min(done + BATCH, len(urls))
            if told is not None:
                told(done, len(urls))
    except BrokenExecutor:
        raise WebError(
            "a process died that read the web, perhaps for lack of memory; what was read is kept: run the same command again, "
            "with LOKY_MAX_CPU_COUNT=1 in the environment for a single one"
        ) from None


def _answers(web: RecordedWeb, urls: list[str]) -> Iterator[RecordedAnswer]:
    """Called in a thread of joblib, which would wait for ever after an error: what cannot be had is told to who asks for it."""
    for url in urls:
        with suppress(Exception):
            yield url, web.answer(url)


def _read(reader: bytes, asked: list[RecordedAnswer]) -> list[tuple[str, bytes]]:
    return [(url, packed(kept_form(read_answer(_reader(reader), url, answer)))) for url, answer in asked]


@lru_cache(1)
def _reader(pickled: bytes) -> Reader:
    """A process reads one web after the other; a reader remembers the stems of words."""
    end_with_parent()
    reader: Reader = pickle.loads(pickled)
    return reader


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
