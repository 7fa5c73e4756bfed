"""A toy world for tests of scoring and strategies: pages made of paragraphs, their visits, and a small web.

A paragraph is a text and the URLs of the links in it; it is the aggregation node of those links. Terms are
the words of the text as they stand, neither stemmed nor stopped, so that a reader can count them.
"""

from __future__ import annotations

import hashlib
import math
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar
from urllib.parse import urlsplit

import numpy as np

from focused.collection.snapshot import decode, encode
from focused.crawl.strategy import Changes, Rescoring, Strategy, Visit, Waiting
from focused.crawl.world import World
from focused.page.page import Link, Page
from focused.scorers.similarity import page_similarity

AnyStrategy = TypeVar("AnyStrategy", bound=Strategy)
Paragraph = tuple[str, Sequence[str]]

KEYWORDS: Mapping[str, int] = {"solar": 2, "energy": 1, "größe": 1, "太阳能": 1}
SEED_HOSTS = frozenset({"host0.example", "host1.example", "host2.example"})
THRESHOLD = 0.1  #: relevance from which a page counts as relevant


def toy_world(
    keywords: Mapping[str, int] = KEYWORDS, seed_hosts: frozenset[str] = SEED_HOSTS, model: Any = None
) -> World:
    """What strategies may look at."""
    return World(keywords, seed_hosts=seed_hosts, model=model)


def world_of_urls(count: int = 1000) -> World:
    """A world that knows so many URLs, whose ids are 0, 1, 2 and so on."""
    world = toy_world()
    world.urls.intern(np.arange(count))
    return world


def hand_over(world: World, other: World) -> None:
    """Give the columns of one world to another, as a restart does."""
    other.urls.restore(decode(encode(world.urls.snapshot())))
    other.hosts.columns.restore(decode(encode(world.hosts.columns.snapshot(len(world.hosts)))))


def length(terms: Sequence[str]) -> float:
    """Euclidean length of the term-frequency vector of some terms."""
    return math.hypot(*Counter(terms).values())


def key_of(url: str) -> int:
    return int.from_bytes(hashlib.blake2b(url.encode(), digest_size=8).digest(), signed=True)


def host_of(url: str) -> str:
    return urlsplit(url).hostname or ""


def make_link(url: str, context: Sequence[str], start: int) -> Link:
    """A link whose context is a text that starts at this term of its page; the anchor is the text's first two terms."""
    end = start + len(context)
    return Link(
        url=url,
        key=key_of(url),
        host=host_of(url),
        anchor=" ".join(context[:2]),
        anchor_start=start,
        anchor_end=min(start + 2, end),
        context_start=start,
        context_end=end,
        context_norm=length(context),
        tag_path="p/a",
        nofollow=False,
    )


def make_page(url: str, *paragraphs: Paragraph) -> Page:
    """A page of these paragraphs, as a reader would give it."""
    terms: list[str] = []
    links: list[Link] = []
    for text, urls in paragraphs:
        words = text.split()
        links += [make_link(target, words, len(terms)) for target in urls]
        terms += words
    return Page(
        url=url,
        key=key_of(url),
        host=host_of(url),
        content_type="text/html",
        content_hash=hashlib.blake2b(repr(paragraphs).encode(), digest_size=16).hexdigest(),
        title=" ".join(terms[:3]),
        text=" ".join(terms),
        terms=terms,
        norm=length(terms),
        links=links,
    )


class Visits:
    """Makes visits as the crawl does: one id a URL, the depth of a page that of the link that led to it plus one."""

    def __init__(self, keywords: Mapping[str, int] = KEYWORDS) -> None:
        self.keywords = keywords
        self._ids: dict[str, int] = {}
        self._depths: dict[str, int] = {}

    def id(self, url: str) -> int:
        return self._ids.setdefault(url, len(self._ids))

    def show(self, world: World) -> None:
        """Let a world know all URLs there are ids for, as a crawl does before a strategy sees them."""
        for url in list(self._ids)[len(world.urls) :]:
            ids, _ = world.urls.meet(np.array([key_of(url)]))
            world.urls.host[ids] = world.hosts.intern(host_of(url))

    def of(self, page: Page) -> Visit:
        depth = self._depths.setdefault(page.url, 0)
        for link in page.links:
            self._depths.setdefault(link.url, depth + 1)
        relevance = page_similarity(self.keywords, page)
        return Visit(
            id=self.id(page.url),
            page=page,
            depth=depth,
            relevance=relevance,
            relevant=relevance >= THRESHOLD,
            targets=np.array([self.id(link.url) for link in page.links], np.int64),
        )


def visit_of(page: Page) -> Visit:
    """The first visit of a crawl."""
    return Visits().of(page)


def toy_web(pages: int = 40) -> dict[str, Page]:
    """A web by URL, the same at each call: on 7 hosts, every third page about the topic.

    Links lead to any of its pages. It holds what crawls meet: pages without text or links, links to oneself, several
    links to one URL, other scripts.
    """
    chance = random.Random(7)
    urls = [f"http://host{number % 7}.example/{number}" for number in range(pages)]
    web = {}
    for number, url in enumerate(urls):
        words = ["wind", "tax", "law", "straße", "рынок", "市场", *(list(KEYWORDS) if number % 3 == 0 else [])]
        paragraphs = [
            (" ".join(chance.choices(words, k=chance.randrange(12))), chance.choices(urls, k=chance.randrange(5)))
            for _ in range(chance.randrange(6))
        ]
        web[url] = make_page(url, *paragraphs)
    return web


def arrive(crawling: Strategy, visit: Visit, visits: Visits) -> Changes:
    """Show a page to a strategy as the crawl does: its world knows of it."""
    world = crawling.world
    visits.show(world)
    world.picks += 1
    world.pages += 1
    if crawling.uses_graph:
        world.graph.add(visit.id, visit.targets)
    return crawling.visited(visit)


def crawled(crawling: AnyStrategy, visits: Visits, *pages: Page) -> AnyStrategy:
    """A strategy that has seen some pages."""
    for page in pages:
        arrive(crawling, visits.of(page), visits)
    return crawling


def waiting(crawling: Strategy, visits: Visits, urls: Sequence[str]) -> Waiting:
    """Some URLs that wait, none of them scored yet."""
    ids = np.array([visits.id(url) for url in urls], np.int64)
    return Waiting(ids, np.zeros(len(ids)), np.zeros((len(ids), len(crawling.parts))))


def rescored(crawling: Strategy, waiting: Waiting) -> Rescoring:
    job = crawling.rescore(waiting)
    assert job is not None
    return job()
