"""Opens what a person calls a web, analysed for a topic: a recorded web, or the collection of an earlier crawl."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from contextlib import contextmanager
from functools import cached_property, partial
from pathlib import Path

from focused.errors import WebError
from focused.evaluation.analysed_web import AnalysedWeb
from focused.evaluation.analysis_cache import AnalysisCache, fingerprint
from focused.evaluation.crawled_web import CrawledWeb
from focused.reading.reader import Reader
from focused.storage.collection import DATABASE, PAGES
from focused.topic import Topic
from focused.webs.data_set import holds
from focused.webs.opening import open_web
from focused.webs.web import Answer, RecordedWeb
from focused.webs.wikispeedia import TABLES, TEXTS


class UnreadWeb:
    """A recorded web that is read when it is first asked for anything."""

    def __init__(self, read: Callable[[], RecordedWeb]) -> None:
        self._read = read

    @cached_property
    def _web(self) -> RecordedWeb:
        return self._read()

    @property
    def hosts(self) -> Set[str]:
        return self._web.hosts

    def answer(self, url: str) -> Answer | None:
        return self._web.answer(url)

    def urls(self) -> Iterator[str]:
        return self._web.urls()


class WebOpener:
    """Opens one web for topic after topic and keeps what it opened last, because reading a large web takes a while.

    Parameters
    ----------
    names : what `open_web` takes, or the folder of a collection (or its crawl.db)
    cache : folder that keeps what is read of the pages
    hide_outside : see AnalysedWeb
    """

    def __init__(self, names: Sequence[str], cache: Path, *, hide_outside: bool = True) -> None:
        self.names, self.cache, self.hide_outside = names, cache, hide_outside
        self._collection = collection_of(names)
        has_index_pages = not (tuple(names) == ("demo",) or any(holds(Path(name), TEXTS, *TABLES) for name in names))
        self._has_index_pages = has_index_pages and self._collection is None
        self._recorded: tuple[object, RecordedWeb] | None = None  # with what tells it from others
        self._analysed: tuple[str, AnalysedWeb, AnalysisCache] | None = None

    def fingerprint(self, topic: Topic, university: str | None = None, layout: str | None = None) -> str:
        """What the web and its reading depend on, as a short text; WebError if a file is missing."""
        files = [Path(name) for name in self.names if name != "demo"]
        if self._collection is not None:
            files = [self._collection / DATABASE, self._collection / PAGES]
        for file in files:
            if not file.exists():
                raise WebError(f"{file}: no such file or folder ('demo' is the built-in web)")
        return fingerprint(files, topic, f"{university} {layout}")

    def open(
        self, topic: Topic, reader: Reader, university: str | None = None, layout: str | None = None
    ) -> AnalysedWeb:
        """The web as the reader of a topic reads it, until the next is opened.

        university : only for WebKB: hide the others
        layout : only for Wikispeedia: its hosts

        A recording whose pages are all in the cache is not read at all: its mistakes are told when a page is asked for.
        Raises WebError or StorageError if there is no such web, or the cache cannot be used.
        """
        web = self._recorded_web(topic, university, layout)
        key = self.fingerprint(topic, university, layout)
        if self._analysed is None or self._analysed[0] != key:
            self._close_cache()
            kept = AnalysisCache(self.cache / f"{key}.sqlite")
            self._analysed = key, AnalysedWeb(web, reader, kept, hide_outside=self.hide_outside), kept
        return self._analysed[1]

    def save(self) -> None:
        """Write to the cache what was read since the last time."""
        if self._analysed is not None:
            self._analysed[2].save()

    def close(self) -> None:
        """Write what the cache still has to, and forget the web; it can be opened again."""
        self._close_cache()
        self._recorded = None

    def _recorded_web(self, topic: Topic, university: str | None, layout: str | None) -> RecordedWeb:
        # The web names its pages by the topic's rules, or their links would seem to lead out of it.
        fold_index = topic.reading.fold_index if self._has_index_pages else None
        key = (university, layout, fold_index)
        if self._recorded is None or self._recorded[0] != key:
            self.close()
            self._recorded = key, UnreadWeb(partial(self._read, *key))
        return self._recorded[1]

    def _read(self, university: str | None, layout: str | None, fold_index: bool | None) -> RecordedWeb:
        if self._collection is None:
            return open_web(self.names, university, fold_index, layout)
        if university or layout:
            raise WebError(f"{self.names[0]}: an earlier crawl has no universities or layouts; leave these options out")
        return CrawledWeb(self._collection)

    def _close_cache(self) -> None:
        if self._analysed is not None:
            cache, self._analysed = self._analysed[2], None
            cache.close()


@contextmanager
def analysed_web(
    names: Sequence[str],
    topic: Topic,
    reader: Reader,
    cache: Path,
    university: str | None = None,
    layout: str | None = None,
    *,
    hide_outside: bool = True,
) -> Iterator[AnalysedWeb]:
    """Open one web for one topic, as long as a block lasts; parameters and errors are those of `WebOpener`."""
    opener = WebOpener(names, cache, hide_outside=hide_outside)
    try:
        yield opener.open(topic, reader, university, layout)
    finally:
        opener.close()


def collection_of(names: Sequence[str]) -> Path | None:
    """The folder of the collection that is meant, or None for any other web."""
    if len(names) != 1:
        return None
    path = Path(names[0])
    folder = path.parent if path.name == DATABASE else path
    return folder if (folder / DATABASE).is_file() else None
