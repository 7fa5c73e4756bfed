"""Opens what a person calls a web, analysed for a topic: a recorded web, or the collection of an earlier crawl."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from pathlib import Path

from focused.collection.collection import DATABASE, PAGES, open_repository, opened
from focused.collection.repository import Place
from focused.collection.store import Store
from focused.exceptions import WebError
from focused.live.last_run import last_run
from focused.page.reader import Reader
from focused.page.urls import UrlRules, host_of
from focused.simulation.analysed_web import LIMIT, AnalysedWeb, AnalysisCache, fingerprint
from focused.simulation.known_webs import WebName, is_generated, web_called
from focused.simulation.recorded_web import TRANSFER_HEADERS, Answer, RecordedWeb, not_found
from focused.topic.topic import Topic

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
        self._rules = UrlRules(run.reading.fold_index, run.reading.strip_parameters, run.reading.strip_session_ids)
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


CACHE = "cache"  #: folder in FOCUSED_DATA_DIR
#: No options: all of a web.
WHOLE: Mapping[str, str] = {}


class WebOpener:
    """Opens one web for topic after topic and keeps what it opened last, because reading a large web takes a while.

    Parameters
    ----------
    names : what `open_web` takes, or the folder of a collection (or its crawl.db)
    cache : folder that keeps the index of WARC files, and what is read of pages
    hide_outside : see AnalysedWeb
    memory : bytes of pages that stay in memory, for the next crawl of the same web

    Raises WebError if there is no such web.
    """

    def __init__(self, names: Sequence[str], cache: Path, *, hide_outside: bool = True, memory: int = LIMIT) -> None:
        self.names, self.cache, self.hide_outside = names, cache, hide_outside
        self._memory = memory
        self._collection = collection_of(names)
        self._name = web_called(names) if self._collection is None else None
        self._recorded: tuple[object, RecordedWeb] | None = None  # with what tells it from others
        self._analysed: tuple[str, AnalysedWeb] | None = None

    def fingerprint(self, topic: Topic, part: Mapping[str, str] = WHOLE, robot: str = "") -> str:
        """What the web, or a part of it, and its reading by a robot of this name depend on, as a short text."""
        if self._collection is not None:
            return fingerprint([self._collection / DATABASE, self._collection / PAGES], topic, robot)
        web = self._web_name(part)
        generated = [name for name in self.names if is_generated(name)]
        options = [f"{option}={value}" for option, value in sorted(web.options.items())]
        return fingerprint(web.files, topic, " ".join((*options, *generated, *robot.split())))

    def open(self, topic: Topic, reader: Reader, part: Mapping[str, str] = WHOLE) -> AnalysedWeb:
        """The web as the reader of a topic reads it, until the next is opened.

        part : options of the web beside those in its name, such as the university of WebKB

        Raises WebError or StorageError if there is no such web, or the cache cannot be used.
        """
        web = self._recorded_web(topic, part)
        key = self.fingerprint(topic, part, reader.robot)
        if self._analysed is None or self._analysed[0] != key:
            self._close_cache()
            # What is too large for a cache is generated, and nothing leads out of it.
            kept = AnalysisCache(self.cache / f"{key}.sqlite") if self._is_cached else None
            hides = self.hide_outside and self._is_cached
            self._analysed = key, AnalysedWeb(web, reader, kept, hide_outside=hides, memory=self._memory)
        return self._analysed[1]

    def save(self) -> None:
        """Write to the cache what was read since the last time."""
        if self._analysed is not None and (kept := self._analysed[1].cache):
            kept.save()

    def close(self) -> None:
        """Write what the cache still has to, and forget the web; it can be opened again."""
        self._close_cache()
        self._recorded = None

    @property
    def _is_cached(self) -> bool:
        return self._name is None or self._name.cached

    def _web_name(self, part: Mapping[str, str]) -> WebName:
        if self._name is None:
            raise WebError(f"{self.names[0]}: an earlier crawl has no parts; leave {', '.join(part)} out")
        return self._name.part(part)

    def _recorded_web(self, topic: Topic, part: Mapping[str, str]) -> RecordedWeb:
        # The web names its pages by the topic's rules, or their links would seem to lead out of it.
        fold_index = topic.reading.fold_index if self._name and self._name.has_index_pages else None
        key = (tuple(sorted(part.items())), fold_index)
        if self._recorded is None or self._recorded[0] != key:
            self.close()
            self._recorded = key, self._read(part, fold_index)
        return self._recorded[1]

    def _read(self, part: Mapping[str, str], fold_index: bool | None) -> RecordedWeb:
        if self._collection is not None and not part:
            return CrawledWeb(self._collection)
        return self._web_name(part).open(fold_index, self.cache)

    def _close_cache(self) -> None:
        analysed, self._analysed = self._analysed, None
        if analysed is not None and (kept := analysed[1].cache):
            kept.close()


@contextmanager
def analysed_web(
    names: Sequence[str],
    topic: Topic,
    reader: Reader,
    cache: Path,
    *,
    hide_outside: bool = True,
    memory: int = 0,
) -> Iterator[AnalysedWeb]:
    """Open one web for one topic, as long as a block lasts; parameters and errors are those of `WebOpener`.

    memory : none by default, because a single crawl asks for a page once; `LIMIT` is a good number for several
    """
    opener = WebOpener(names, cache, hide_outside=hide_outside, memory=memory)
    try:
        yield opener.open(topic, reader)
    finally:
        opener.close()


def collection_of(names: Sequence[str]) -> Path | None:
    """The folder of the collection that is meant, or None for any other web."""
    if len(names) != 1:
        return None
    path = Path(names[0])
    folder = path.parent if path.name == DATABASE else path
    return folder if (folder / DATABASE).is_file() else None
