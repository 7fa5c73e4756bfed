"""What a model is trained on: pages with the class that each belongs to, and what is known of the topic."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from focused.page.page import Page
from focused.papers.strategies.focused.taxonomy import Node, name_of
from focused.scorers.word_weights import Outcomes

RELEVANT: Node = ("relevant",)  #: where only "on topic or not" is known
OTHER: Node = ("other",)


@dataclass(slots=True, frozen=True)
class Document:
    """A page (read by the topic's reader: terms, and links with their contexts) and its class."""

    page: Page
    node: Node


@dataclass(slots=True)
class Examples:
    """All that a kind may learn from.

    Parameters
    ----------
    documents : each URL once, in the order of the sources
    good : nodes of the taxonomy that are on topic, with all below them; none lies below another
    keywords : of the topic as stems with their counts; empty if no topic is given
    language : ISO 639-1 code whose analyser made the terms
    sources : where the documents come from, for a person
    stemming : the analyser made stems
    outcomes : what links led to, an earlier crawl each, for kinds that learn from crawls
    """

    documents: Sequence[Document]
    good: frozenset[Node] = frozenset({RELEVANT})
    keywords: Mapping[str, int] = field(default_factory=dict)
    language: str = "en"
    sources: Sequence[str] = ()
    stemming: bool = True
    outcomes: Sequence[Outcomes] = ()

    def is_good(self, document: Document) -> bool:
        """Whether a document belongs to a good node, or to one below."""
        node = document.node
        return any(node[:depth] in self.good for depth in range(1, len(node) + 1))

    def of(self, documents: Sequence[Document]) -> Examples:
        """The same with other documents."""
        return replace(self, documents=documents)

    def counts(self) -> dict[str, int]:
        """Documents of each class, ``science/physics: 12``, in alphabetical order."""
        return dict(sorted(Counter(name_of(document.node) for document in self.documents).items()))

    def digest(self) -> str:
        """SHA-256 of what is learned from: URLs, classes, terms, links, keywords, good nodes, and what links led to."""
        found = hashlib.sha256(repr((sorted(self.good), sorted(self.keywords.items()), self.language)).encode())
        for document in self.documents:
            page = document.page
            links = [(link.url, link.context_start, link.context_end) for link in page.links]
            found.update(repr((page.url, document.node, page.terms, links)).encode())
        for crawl in self.outcomes:
            for array in (crawl.words, crawl.links, crawl.relevance):
                found.update(array.tobytes())
        return found.hexdigest()
