"""What a model is trained on: pages with the class that each belongs to, and what is known of the topic."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from focused.crawl.arrays import FloatArray
from focused.exceptions import TrainingError
from focused.page.page import Page
from focused.papers.models.taxonomy import Node, name_of, nested
from focused.scorers.word_weights import Outcomes

RELEVANT: Node = ("relevant",)  #: where only "on topic or not" is known
OTHER: Node = ("other",)


@dataclass(slots=True, frozen=True)
class TrainingDocument:
    """A page (read by the topic's reader: terms, and links with their contexts) and its class."""

    page: Page
    node: Node


@dataclass(slots=True, frozen=True)
class Followed:
    """The links that one crawl followed, as the link scorers of `adaptive` saw them just before it learned what they led to.

    columns : (n, c) of link scorers
    relevance : (n,) of the pages, in [0, 1], as the crawl saw them
    prior : (c,) by name of the column, what its scorer says of its weight
    """

    columns: FloatArray
    relevance: FloatArray
    prior: Mapping[str, float]


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
    outcomes, followed : what links led to, an earlier crawl each, for kinds that learn from crawls
    """

    documents: Sequence[TrainingDocument]
    good: frozenset[Node] = frozenset({RELEVANT})
    keywords: Mapping[str, int] = field(default_factory=dict)
    language: str = "en"
    sources: Sequence[str] = ()
    stemming: bool = True
    outcomes: Sequence[Outcomes] = ()
    followed: Sequence[Followed] = ()

    def is_good(self, document: TrainingDocument) -> bool:
        """Whether a document belongs to a good node, or to one below."""
        node = document.node
        return any(node[:depth] in self.good for depth in range(1, len(node) + 1))

    @property
    def on_topic(self) -> list[bool]:
        """Whether each document is on topic."""
        return list(map(self.is_good, self.documents))

    @property
    def texts(self) -> list[list[str]]:
        """The terms of each."""
        return [document.page.terms for document in self.documents]

    @property
    def labels(self) -> list[str]:
        """The name of the class of each."""
        return [name_of(document.node) for document in self.documents]

    def of(self, positions: Iterable[int]) -> Examples:
        """The same with some of the documents."""
        return replace(self, documents=[self.documents[position] for position in positions])

    def counts(self) -> dict[str, int]:
        """Documents of each class, ``science/physics: 12``, in alphabetical order."""
        return dict(sorted(Counter(self.labels).items()))

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
        for seen in self.followed:
            found.update(seen.columns.tobytes() + seen.relevance.tobytes())
        return found.hexdigest()


def parts(labels: Sequence[str], count: int) -> Iterator[tuple[list[int], list[int]]]:
    """Yield the positions to learn from and those to test on, ``count`` times; each class is spread evenly over the parts.

    The same labels give the same parts. A class with fewer members than parts is missing in some of them.
    """
    by_class: dict[str, list[int]] = {}
    for position, label in enumerate(labels):
        by_class.setdefault(label, []).append(position)
    part = np.empty(len(labels), np.int64)
    dealt = 0
    for label in sorted(by_class):
        members = np.random.default_rng(0).permutation(by_class[label])
        part[members] = (dealt + np.arange(len(members))) % count
        dealt += len(members)
    for number in range(count):
        yield np.flatnonzero(part != number).tolist(), np.flatnonzero(part == number).tolist()


def require_documents(examples: Examples, least: int) -> None:
    """Refuse fewer documents."""
    if len(examples.documents) < least:
        raise TrainingError(
            f"{counted_pages(len(examples.documents))} to learn from, at least {least} are needed: add a source"
        )


def require_keywords(examples: Examples) -> None:
    if not examples.keywords:
        raise TrainingError("the topic's keywords are needed: give -a topic=NAME or -a keywords=WORDS")


def require_good_nodes(examples: Examples) -> None:
    """Refuse good nodes that are unknown or lie below each other."""
    known = {document.node[:depth] for document in examples.documents for depth in range(1, len(document.node) + 1)}
    classes = ", ".join(map(name_of, sorted(known))) or "none"
    if not examples.good or not examples.good <= known:
        strange = ", ".join(f"{name_of(node)!r}" for node in sorted(examples.good - known))
        raise TrainingError(
            f"--good: no page belongs to {strange or 'a good class'}; say what is on topic; classes: {classes}"
        )
    if pair := nested(examples.good):
        one, other = map(name_of, pair)
        raise TrainingError(f"--good: {other!r} lies below {one!r}, which is good already; leave one of them out")


def require_pages_on_both_sides(examples: Examples, least: int) -> None:
    """Refuse a good node, or all the rest, with fewer pages: some part of a cross-validation would have none to learn from."""
    for node in sorted(examples.good):
        count = sum(document.node[: len(node)] == node for document in examples.documents)
        if count < least:
            raise TrainingError(
                f"class {name_of(node)!r} has {counted_pages(count)}, at least {least} are needed (as --folds says)"
            )
    count = sum(not examples.is_good(document) for document in examples.documents)
    if count < least:
        raise TrainingError(
            f"{counted_pages(count)} off topic, at least {least} are needed (as --folds says): add a source"
        )


def require_targets(examples: Examples, least: int) -> None:
    """Refuse examples whose links lead to fewer distinct good pages."""
    good = {document.page.url for document in examples.documents if examples.is_good(document)}
    linked = Counter(link.url for document in examples.documents for link in document.page.links)
    found = sum(url in linked for url in good)
    if found < least:
        raise TrainingError(
            f"links lead to {found} of the {len(good)} pages on topic, at least {least} are needed: "
            "give a crawl or a recorded web that holds whole sites"
        )


def counted_pages(count: int) -> str:
    """``1 page``, ``2 pages``."""
    return f"{count} page{'' if count == 1 else 's'}"
