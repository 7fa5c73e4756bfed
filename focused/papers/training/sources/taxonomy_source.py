"""The fetched examples of a taxonomy (`scrapy taxonomy`): in the categories that a person said, else in those that it lists."""

from __future__ import annotations

from collections.abc import Iterator

from focused.page.page import Page
from focused.page.reader import Reader
from focused.papers.strategies.focused.taxonomy import node_of
from focused.papers.taxonomies.taxonomy_store import ExampleUrl, TaxonomyStore
from focused.papers.training.examples import Document


def taxonomy_documents(store: TaxonomyStore, reader: Reader) -> Iterator[Document]:
    """The pages of a taxonomy that belong to a category."""
    for _, document in example_documents(store, reader):
        if document.node:
            yield document


def example_documents(store: TaxonomyStore, reader: Reader) -> Iterator[tuple[ExampleUrl, Document]]:
    """Each fetched example that is not dropped, with its page; the root stands for a category that nobody knows.

    Where several examples lead to one page it comes once: as the one that a person judged, else as one with a category.
    """
    examples = [example for example in store.examples() if example.place and not example.dropped]
    seen: set[str] = set()
    for example in sorted(examples, key=lambda example: (not example.judged, not example.category)):
        assert example.place is not None  # or the line above
        kept = store.pages.get(example.place)
        page = reader.read(kept.url, kept.body, kept.content_type)
        if isinstance(page, Page) and page.terms and page.url not in seen:
            seen.add(page.url)
            yield example, Document(page, node_of(example.category or ""))
