"""Judgements handed on: a list of labels, and the pages judged relevant as example files of the topic."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from pathlib import Path

from focused.collection.collection import PAGES, open_repository
from focused.collection.repository import Place
from focused.collection.store import Store
from focused.exceptions import AuditError
from focused.page.page import Page
from focused.page.plain_text import cell
from focused.page.reader import Reader
from focused.topic.plain_files import writing
from focused.topic.topic import Topic
from focused.topic.topic_template import toml_value

LABELS = "labels.csv"
RELEVANT, OTHER = "relevant", "other"  #: classes of the list
EXAMPLES = "examples"
PLACES = (
    "SELECT u.url, f.content_type, f.file, f.offset, f.length FROM fetches f JOIN urls u ON u.id = f.final_url "
    "WHERE f.outcome = 'page' ORDER BY f.seq"
)


def write_labels(judgements: Mapping[str, bool], folder: Path) -> Path:
    """Write a CSV file of URL and class."""
    path = folder / LABELS
    with writing(path, AuditError), path.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(("url", "class"))
        rows.writerows((cell(url), RELEVANT if relevant else OTHER) for url, relevant in judgements.items())
    return path


def write_examples(judgements: Mapping[str, bool], store: Store, topic: Topic, folder: Path) -> list[Path]:
    """Write title and text of each page judged relevant into a file of its own, as `examples` of a topic take them.

    topic : says how the pages are read, and where the collection keeps them
    Raises AuditError if a file cannot be written, StorageError if a page cannot be read. A page without text gives none.
    """
    reader = Reader(topic.reading, keep=topic.keywords_by_language)
    repository = open_repository(topic.storage.pages, store.path.parent / PAGES)
    written: list[Path] = []
    for url, content_type, *place in store.execute(PLACES):
        if not judgements.get(url):
            continue
        stored = repository.get(Place(*place))
        page = reader.read(url, stored.body, stored.content_type or content_type or "")
        if not isinstance(page, Page) or not page.terms:
            continue
        path = folder / EXAMPLES / f"{len(written) + 1:03}.txt"
        with writing(path, AuditError):
            path.write_text(f"{page.title}\n{page.text}\n", encoding="utf-8")
        written.append(path)
    return written


def use_of_examples(paths: list[Path]) -> Iterator[str]:
    """Yield the lines of a topic file that make the page model learn from examples."""
    yield "[topic]"
    yield "examples = ["
    yield from (f"    {toml_value(str(path.resolve()))}," for path in paths)
    yield "]"
    yield "[relevance]"
    yield 'model = "centroid"'
