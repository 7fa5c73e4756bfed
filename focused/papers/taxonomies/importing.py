"""Which listings of a file a taxonomy takes in, and in which of its categories."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from focused.page.plain_text import plain
from focused.page.urls import UrlRules
from focused.papers.strategies.focused.taxonomy import Node, name_of, node_of
from focused.papers.taxonomies.categories import category_of
from focused.papers.taxonomies.taxonomy_store import Listing

LONGEST_TEXT = 2_000  #: characters of a title or a description
RULES = UrlRules()  #: by which examples are named


@dataclass(slots=True)
class Selection:
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
