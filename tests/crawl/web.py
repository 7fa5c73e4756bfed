"""A web in a few lines for tests of the core: pages by name, links between them, topics by their words."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from math import sqrt
from typing import Any

import numpy as np

from focused.collection.snapshot import decode, encode
from focused.crawl.crawl import Crawl
from focused.crawl.events import Failed, PageArrived, Pick
from focused.crawl.strategy import Strategy
from focused.crawl.world import World
from focused.page.page import Link, Page
from focused.page.urls import Address
from focused.strategies import get_strategy
from focused.topic.topic import Topic, Traps
from tests.contract.crawlers import toy_model


def key(url: str) -> int:
    return int.from_bytes(hashlib.blake2b(url.encode(), digest_size=8).digest(), "big", signed=True)


def host(url: str) -> str:
    return url.split("/")[2]


def address(url: str) -> Address:
    return Address(key(url), host(url), url)


def norm(terms: list[str]) -> float:
    return sqrt(sum(count * count for count in Counter(terms).values()))


def make_page(url: str, text: str, links: list[tuple[str, str]], **values: Any) -> Page:
    """A page with some words and then links, each with the words around it; ``nofollow:`` before a URL marks it so."""
    terms, made = text.split(), []
    for target, words in links:
        nofollow = target.startswith("nofollow:")
        target = target.removeprefix("nofollow:")
        start = len(terms)
        terms += words.split()
        span = (start, len(terms), start, len(terms), norm(words.split()))
        made.append(Link(target, key(target), host(target), words, *span, tag_path="p/a", nofollow=nofollow))
    content_hash = hashlib.sha1(values.pop("body", url).encode()).hexdigest()
    return Page(
        url, key(url), host(url), "text/html", content_hash, terms=terms, norm=norm(terms), links=made, **values
    )


def make_topic(**tables: Any) -> Topic:
    """A topic whose pages may all say the same few words."""
    values = {"name": "test", "keywords": ("solar",), "seeds": ("http://seed.example/",), "traps": Traps(on=False)}
    return Topic(**{**values, **tables})


def make_crawl(
    topic: Topic | None = None,
    strategy: str | type[Strategy] = "best_first",
    world: World | None = None,
    **options: Any,
) -> Crawl:
    topic = topic or make_topic()
    chosen = get_strategy(strategy) if isinstance(strategy, str) else strategy

    def model(page: Page) -> float:
        return min(1.0, page.terms.count("solar") / page.norm) if page.norm else 0.0

    world = world or World({"solar": 1}, model=toy_model(chosen))
    return Crawl(topic, chosen, chosen.Options(**options), world, model)


def restart(crawl: Crawl, fresh: Crawl, urls: Iterable[str]) -> Crawl:
    """Give a fresh crawl all that a journal and a snapshot keep of another; the other has seen nothing but these URLs."""
    keys = list(dict.fromkeys(known for url in urls if crawl.urls.find(known := key(url)) >= 0))
    keys.sort(key=crawl.urls.find)
    fresh.load(np.array(keys, np.int64), crawl.urls.host[: len(keys)].copy(), crawl.hosts.names)
    fresh.restore(decode(encode(crawl.snapshot())))
    return fresh


def fetch_next(crawl: Crawl, page: Page) -> Pick:
    """Take the next URL; it turns out to be this page, whatever its address."""
    pick = crawl.next()
    assert pick is not None
    crawl.apply(PageArrived(pick.id, page, 1))
    return pick


def run(crawl: Crawl, web: dict[str, Page], *, most: int = 1000) -> list[str]:
    """Crawl one page at a time until nothing comes; return the URLs in the order fetched. Unknown URLs fail."""
    urls = {page.key: url for url, page in web.items()}
    texts = {address(link.url).key: link.url for page in web.values() for link in page.links} | urls
    texts[key("http://seed.example/")] = "http://seed.example/"
    ids = {crawl.urls.find(known): text for known, text in texts.items() if crawl.urls.find(known) >= 0}
    order: list[str] = []
    while len(order) < most and (pick := crawl.next()) is not None:
        if pick.id not in ids:
            ids |= {crawl.urls.find(known): text for known, text in texts.items() if crawl.urls.find(known) >= 0}
        url = ids[pick.id]
        order.append(url)
        if url in web:
            crawl.apply(PageArrived(pick.id, web[url], 100))
        else:
            crawl.apply(Failed(pick.id))
    return order
