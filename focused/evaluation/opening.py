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
from focused.webs.data_set import holds
from focused.webs.opening import is_generated, open_web
from focused.webs.synthetic import SyntheticWeb
from focused.webs.web import RecordedWeb
from focused.webs.wikispeedia import TABLES, TEXTS


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
    memory: int = 0,
) -> Iterator[AnalysedWeb]:
    """Open a web for as long as a block lasts; what is read of it, unless it is synthetic, is kept in the folder ``cache``.

    names : what `open_web` takes, or the folder of a collection (or its crawl.db)
    university : only for WebKB: hide the others
    layout : only for Wikispeedia: its hosts
    memory : bytes of pages that stay in memory, for several crawls (`page_memory.LIMIT` is a good number)

    Raises WebError or StorageError if there is no such web, or the cache cannot be used.
    """
    folder = collection_of(names)
    if folder is None:
        has_index_pages = not any(is_generated(name) or holds(Path(name), TEXTS, *TABLES) for name in names)
        # The web names its pages by the topic's rules, or their links would seem to lead out of it.
        fold_index = topic.reading.fold_index if has_index_pages else None
        web: RecordedWeb = open_web(names, university, fold_index, layout, cache)
        files = [Path(name) for name in names if not is_generated(name)]
    elif university or layout:
        raise WebError(f"{names[0]}: an earlier crawl has no universities or layouts; leave these options out")
    else:
        web, files = CrawledWeb(folder), [folder / DATABASE, folder / PAGES]
    if isinstance(web, SyntheticWeb):
        # Nothing leads out of it, and a cache of so many pages would be larger than is worth it.
        yield AnalysedWeb(web, reader, hide_outside=False)
        return
    kept = AnalysisCache(cache / f"{fingerprint(files, topic, f'{university} {layout}')}.sqlite")
    try:
        yield AnalysedWeb(web, reader, kept, hide_outside=hide_outside, memory=memory)
    finally:
        kept.close()


def collection_of(names: Sequence[str]) -> Path | None:
    """The folder of the collection that is meant, or None for any other web."""
    if len(names) != 1:
        return None
    path = Path(names[0])
    folder = path.parent if path.name == DATABASE else path
    return folder if (folder / DATABASE).is_file() else None
