"""All that must pass the contract, strategies and yardsticks, each in the toy world that it may look at."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from focused import strategies
from focused.crawl.strategy import Changes, Strategy
from focused.crawl.world import World
from focused.page.page import Page
from focused.papers.training.examples import OTHER, RELEVANT, Examples, TrainingDocument
from focused.papers.training.kinds import get_kind
from focused.scorers.similarity import page_similarity
from focused.testing.toy_world import KEYWORDS, THRESHOLD, Visits, arrive, toy_web, toy_world
from lab.crawlers import yardsticks
from lab.crawlers.web_links import WebLinks
from lab.crawlers.yardstick import JudgedWorld, Yardstick

WITH_MODEL = " with model"

NAMES = [*strategies.names(), *yardsticks.names()]
NAMES += [
    name + WITH_MODEL
    for name, kind in ((name, strategies.get_strategy(name)) for name in strategies.names())
    if kind.trained and not kind.needs_model
]


def crawler(name: str) -> type[Strategy]:
    """The class of a strategy or a yardstick; of one that may have a trained model, also as if it needed it."""
    if name.endswith(WITH_MODEL):
        found = crawler(name.removesuffix(WITH_MODEL))
        kept = {"__doc__": found.__doc__, "__module__": found.__module__}
        return type(found.__name__, (found,), kept | {"needs_model": True})
    return yardsticks.get_yardstick(name) if name in yardsticks.names() else strategies.get_strategy(name)


def toy_model(kind: type[Strategy], *, relevant: tuple[str, ...] = RELEVANT, other: tuple[str, ...] = OTHER) -> Any:
    """What a strategy that needs a model learns from the toy web; None for any other.

    relevant, other : classes of the pages that have the keywords, and of those that have not
    """
    return copy.deepcopy(fitted(kind.trained, relevant, other)) if kind.needs_model else None


@cache
def fitted(trained: str, relevant: tuple[str, ...], other: tuple[str, ...]) -> Any:
    documents = [
        TrainingDocument(page, relevant if page_similarity(KEYWORDS, page) >= THRESHOLD else other)
        for page in toy_web().values()
    ]
    return get_kind(trained)().fit(Examples(documents, keywords=KEYWORDS))


def world_for(kind: type[Strategy], **known: Any) -> World:
    """What a crawler may look at: every fifth page of the toy web is a target, and only yardsticks are told."""
    world = toy_world(model=toy_model(kind), **known)
    if not issubclass(kind, Yardstick):
        return world
    pages = toy_web()
    keys = frozenset(page.key for number, page in enumerate(pages.values()) if number % 5 == 0)
    return JudgedWorld(
        world.keywords,
        seed_hosts=world.seed_hosts,
        words=tuple(world.keywords),
        targets=keys,
        relevant=keys,
        links=lambda: links_between(pages),
    )


def links_between(pages: Mapping[str, Page]) -> WebLinks:
    """All links among some pages by URL."""
    by_key = {page.key: page for page in pages.values()}
    keys = sorted(by_key)
    nodes = {key: node for node, key in enumerate(keys)}
    links = [[nodes[link.key] for link in by_key[key].links if link.key in nodes] for key in keys]
    every_page = np.arange(len(keys), dtype=np.int32)
    return WebLinks.joined(np.array(keys, np.int64), every_page, [np.array(targets, np.int32) for targets in links])


def answers_of(name: str) -> list[Changes]:
    """All that a crawler answers to the pages of the toy web."""
    kind, visits = crawler(name), Visits()
    crawling = kind(kind.Options(), world_for(kind))
    return [arrive(crawling, visits.of(page), visits) for page in toy_web().values()]


def digest_of(answers: list[Changes]) -> str:
    """The same exactly if the answers are."""
    arrays = (array for changes in answers for array in (changes.ids, changes.scores, changes.parts))
    return hashlib.sha256(b"".join(array.tobytes() for array in arrays)).hexdigest()
