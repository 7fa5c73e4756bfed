"""The pages of an earlier crawl: relevant or not as it judged them itself, or as a file of labels says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from focused.collection.collection import PAGES, open_repository, opened
from focused.collection.repository import Place
from focused.collection.sqlite_errors import damage_is_told
from focused.exceptions import TrainingError
from focused.live.last_run import last_run
from focused.page.page import Page
from focused.page.reader import Reader, ReadingOptions
from focused.papers.training.examples import OTHER, RELEVANT, Document
from focused.papers.training.sources.label_source import Labels

PAGES_FETCHED = (
    "SELECT final_url, relevant, kind IS NOT NULL AND relevance >= ?, file, offset, length FROM history "
    "WHERE outcome = 'page' AND verdict IS NULL ORDER BY seq"
)


def crawl_documents(folder: Path, reader: Reader, labels: Labels | None = None) -> Iterator[Document]:
    """The pages of a collection in the order in which they were fetched, those that bring nothing new left out.

    A page that is not relevant only because of its kind is left out too, unless it is labelled: its words are the topic's.

    labels : instead of the crawl's own judgement; pages it says nothing of are left out
    Raises StorageError if there is no such collection, TrainingError if it has no page.
    """
    with opened(folder) as store:
        run = last_run(store)
        rows = store.execute(PAGES_FETCHED, (run.topic["relevance"]["threshold"],)).fetchall()
    if not rows:
        raise TrainingError(f"{folder}: no page was fetched by this crawl")
    repository = open_repository(run.pages, folder / PAGES)
    for url, relevant, only_leads, file, offset, length in rows:
        node = labels(url) if labels else RELEVANT if relevant else None if only_leads else OTHER
        if node is None:
            continue
        with damage_is_told(folder):
            stored = repository.get(Place(file, offset, length))
            page = reader.read(url, stored.body, stored.content_type)
        if isinstance(page, Page):
            yield Document(page, node)


def reading_of(folder: Path) -> ReadingOptions:
    """How the last run of a crawl read pages. Raises StorageError if there is no such collection."""
    with opened(folder) as store:
        return last_run(store).reading
