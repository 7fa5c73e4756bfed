"""Opens what a person calls a web, analysed for a topic: a recorded web, or the collection of an earlier crawl."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from focused.errors import WebError
from focused.evaluation.analysed_web import AnalysedWeb
from focused.evaluation.analysis_cache import AnalysisCache, fingerprint
from focused.evaluation.crawled_web import CrawledWeb
from focused.reading.reader import Reader
from focused.storage.collection import DATABASE, PAGES
from focused.topic import Topic
from focused.webs.opening import open_web
from focused.webs.web import RecordedWeb


@contextmanager
def analysed_web(
    names: Sequence[str],
    topic: Topic,
    reader: Reader,
    cache: Path,
    university: str | None = None,
    *,
    hide_outside: bool = True,
) -> Iterator[AnalysedWeb]:
    """Open a web for as long as a block lasts; what is read of it is kept in the folder ``cache``.

    names : what `open_web` takes, or the folder of a collection (or its crawl.db)
    university : only for WebKB: hide the others

    Raises WebError or StorageError if there is no such web, or the cache cannot be used.
    """
    folder = collection_of(names)
    if folder is not None:
        if university:
            raise WebError(f"{names[0]}: a university can only be chosen in WebKB; leave --university out")
        web: RecordedWeb = CrawledWeb(folder)
        files = [folder / DATABASE, folder / PAGES]
    else:
        # The web names its pages by the topic's rules, or their links would seem to lead out of it.
        web = open_web(names, university, None if tuple(names) == ("demo",) else topic.reading.fold_index)
        files = [] if tuple(names) == ("demo",) else [Path(name) for name in names]
    kept = AnalysisCache(cache / f"{fingerprint(files, topic, university or '')}.sqlite")
    try:
        yield AnalysedWeb(web, reader, kept, hide_outside=hide_outside)
    finally:
        kept.close()


def collection_of(names: Sequence[str]) -> Path | None:
    """The folder of the collection that is meant, or None for any other web."""
    if len(names) != 1:
        return None
    path = Path(names[0])
    folder = path.parent if path.name == DATABASE else path
    return folder if (folder / DATABASE).is_file() else None
