"""Which listings of a file a taxonomy takes in, and in which of its categories."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from focused.exceptions import TaxonomyError
from focused.page.page import Page
from focused.page.plain_text import plain
from focused.page.reader import Reader, ReadingOptions
from focused.page.urls import UrlRules
from focused.papers.models.taxonomy import Node, name_of, nested, node_of
from focused.papers.taxonomies.taxonomy_store import ExampleUrl, Listing
from focused.topic.mistakes import shown, unknown
from focused.topic.plain_files import at_home, read_bytes, read_urls, shown_path

ROOT = "Top"  #: how the Open Directory Project calls the root, with which all its categories begin
LONGEST_NAME = 500  #: characters of a category


def category_of(text: str) -> str:
    """The name of a category as we keep it: ``Top/Science/ Physics/`` is ``Science/Physics``; empty for what is none."""
    names = tuple(name for part in node_of(plain(text)) if (name := part.strip()))
    name = name_of(names[1:] if names[:1] == (ROOT,) else names)
    return name if len(name) <= LONGEST_NAME else ""


def nodes_of(examples: Iterable[ExampleUrl]) -> set[Node]:
    """All categories that examples belong to, with those above them."""
    names = {example.category for example in examples if example.category}
    return {node[:depth] for node in map(node_of, names) for depth in range(1, len(node) + 1)}


def known_category(text: str, nodes: Collection[Node]) -> str:
    """A category that a person names; TaxonomyError, naming the nearest, for one that no example belongs to."""
    name = category_of(text)
    if node_of(name) not in nodes:
        raise TaxonomyError(f"{text!r} is {unknown(name, sorted(map(name_of, nodes)), plural='categories')}")
    return name


def checked_good(good: Iterable[str]) -> list[str]:
    """Categories that may be marked good together: none lies below another, or its pages would count twice (eq. 6)."""
    names = sorted(set(good))
    if pair := nested(map(node_of, names)):
        one, other = map(name_of, pair)
        raise TaxonomyError(
            f"{other!r} lies below {one!r}: only one of them can be good; --not {other!r} takes a mark away"
        )
    return names


@dataclass
class CategoryCount:
    """Examples of a category and all below it."""

    examples: int = 0
    judged: int = 0
    pages: int = 0
    failed: int = 0


def tree(examples: Iterable[ExampleUrl], below: Node = ()) -> Mapping[Node, CategoryCount]:
    """Counts of each category below a node, itself first, from the top down. The root counts examples without a category, too."""
    counts: defaultdict[Node, CategoryCount] = defaultdict(CategoryCount)
    for example in examples:
        node = node_of(example.category or "")
        if node[: len(below)] == below:
            for depth in range(len(below), len(node) + 1):
                count = counts[node[:depth]]
                count.examples += 1
                count.judged += bool(example.judged)
                count.pages += bool(example.place)
                count.failed += bool(example.reason)
    return dict(sorted(counts.items()))


LONGEST_TEXT = 2_000  #: characters of a title or a description
RULES = UrlRules()  #: by which examples are named


@dataclass(slots=True)
class ImportFilter:
    """What is taken of a file.

    under : categories to take, with all below them; empty: all
    depth : levels to keep below these (below the root, if there are none); what lies deeper counts there; 0: all
    read, passed_over : listings seen so far, and those of them without an http(s) URL or a category
    tops : the topmost categories seen, for a person who has named another
    """

    under: tuple[Node, ...] = ()
    depth: int = 0
    read: int = 0
    passed_over: int = 0
    tops: set[str] = field(default_factory=set)

    def taken(self, listings: Iterable[Listing], told: Callable[[], object] = lambda: None) -> Iterator[Listing]:
        """The listings that are wanted, in our names. told : is called after each listing"""
        place = lru_cache(maxsize=10_000)(self._place)
        for listing in listings:
            self.read += 1
            told()
            name, wanted = place(listing.category)
            url = RULES.canonical(listing.url.strip())
            if not name or url is None:
                self.passed_over += 1
            elif wanted:
                yield Listing(
                    wanted, url, plain(listing.title)[:LONGEST_TEXT], plain(listing.description)[:LONGEST_TEXT]
                )

    def _place(self, text: str) -> tuple[str, str]:
        """A category in our name, and where its pages go; empty if it is none, or not wanted."""
        name = category_of(text)
        node = node_of(name)
        self.tops.update(node[:1])
        above = next((top for top in self.under or ((),) if node[: len(top)] == top), None)
        if above is None or not node:
            return name, ""
        return name, name_of(node[: len(above) + self.depth] if self.depth else node)


NO_PLACE = "http://bookmarks.invalid/"


def own_examples(given: Iterable[str]) -> dict[str, str]:
    """URL -> title (empty where none is told) of what a person gives: URLs, .txt files of URLs, .html files with links.

    Raises TaxonomyError for what is neither, and for a file without a link.
    """
    found: dict[str, str] = {}
    for text in given:
        if "://" in text:
            found.setdefault(_url(text), "")
            continue
        path = at_home(text)
        if not path.is_file():
            raise TaxonomyError(f"{shown(text)}: neither an http(s) URL nor a file")
        before = len(found)
        for url, title in _of_file(path):
            found.setdefault(url, title)
        if len(found) == before:
            raise TaxonomyError(f"{shown_path(path)}: holds no http(s) URL that was not given already")
    return found


def _of_file(path: Path) -> Iterator[tuple[str, str]]:
    if path.suffix.lower() not in (".html", ".htm"):
        yield from ((_url(url, f"{shown_path(path)}: line {number}: "), "") for number, url in read_urls(path))
        return
    page = Reader(ReadingOptions(max_bytes=0)).read(NO_PLACE, read_bytes(path), "text/html")
    if isinstance(page, Page):
        yield from ((link.url, link.anchor[:LONGEST_TEXT]) for link in page.links if not link.url.startswith(NO_PLACE))


def _url(text: str, where: str = "") -> str:
    url = RULES.canonical(text)
    if url is None:
        raise TaxonomyError(f"{where}{shown(text)} is not an http(s) URL")
    return url
