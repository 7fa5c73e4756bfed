"""A strategy may ask who links to a URL; the answer is an event of the crawl like any other."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import pytest

from focused.collection.snapshot import decode, encode
from focused.crawl.arrays import IntArray
from focused.crawl.crawl import Crawl
from focused.crawl.events import BacklinksNamed, Started
from focused.crawl.strategy import Changes, Strategy, Visit
from focused.crawl.world import World
from tests.crawl.web import address, fetch_next, make_page, make_topic

SEED, CHILD, PARENT = "http://seed.example/", "http://child.example/", "http://parent.example/"


class Asking(Strategy):
    """Asks about every page, and takes what it is told with score 2."""

    name = "asking"
    parts: ClassVar[tuple[str, ...]] = ()

    def visited(self, visit: Visit) -> Changes:
        count = len(visit.targets)
        return Changes(visit.targets, np.ones(count), np.empty((count, 0)), ask=[visit.id])

    def backlinks(self, url: int, ids: IntArray) -> Changes:
        return Changes(ids, np.full(len(ids), 2.0), np.empty((len(ids), 0)))


class Deaf(Asking):
    """Asks and does not listen: what every strategy does that says nothing of backlinks."""

    backlinks = Strategy.backlinks


def begun(strategy: type[Strategy] = Asking, answers: bool = True, **scope: object) -> Crawl:
    """A crawl whose seed is fetched and has led to one child."""
    topic = make_topic(scope=scope)
    crawl = Crawl(topic, strategy, strategy.Options(), World({}), lambda _: 0.0)
    crawl.world.answers = answers
    crawl.apply(Started([address(SEED)]))
    fetch(crawl, SEED, CHILD)
    return crawl


def fetch(crawl: Crawl, url: str, *links: str) -> None:
    pick = fetch_next(crawl, make_page(url, "words", [(link, "anchor") for link in links]))
    assert pick.id == crawl.urls.find(address(url).key)


def test_a_question_stays_open_until_it_is_answered() -> None:
    crawl = begun()
    assert list(crawl.asking) == [0]
    crawl.apply(BacklinksNamed(0, []))
    assert list(crawl.asking) == []


def test_a_crawl_with_an_open_question_is_not_at_its_end() -> None:
    crawl = begun()
    fetch(crawl, CHILD)
    assert not crawl.exhausted
    for url in list(crawl.asking):
        crawl.apply(BacklinksNamed(url, []))
    assert crawl.exhausted


def test_nobody_waits_where_there_is_nobody_to_answer() -> None:
    crawl = begun(answers=False)
    fetch(crawl, CHILD)
    assert not crawl.asking
    assert crawl.exhausted


def test_pages_that_were_named_wait_one_link_deeper_and_come_from_no_page() -> None:
    crawl = begun()
    assert crawl.apply(BacklinksNamed(0, [address(PARENT), address(CHILD), address(SEED)])).drops == []
    picks = [crawl.next(), crawl.next(), crawl.next()]
    # The child waited first; what was fetched does not come again.
    assert [(pick.id, pick.score, pick.depth, pick.source) for pick in picks if pick] == [
        (1, 2.0, 1, -1),
        (2, 2.0, 1, -1),
    ]


@pytest.mark.parametrize(
    ("scope", "reason"), [({"denied_hosts": ("parent.example",)}, "host denied"), ({"max_depth": 1}, "depth")]
)
def test_the_scope_holds_for_them(scope: dict[str, object], reason: str) -> None:
    crawl = begun(**scope)
    crawl.apply(BacklinksNamed(0, []))
    fetch(crawl, CHILD)
    assert crawl.apply(BacklinksNamed(1, [address(PARENT)])).drops == [(2, reason)]
    assert crawl.next() is None


def test_a_strategy_that_does_not_listen_is_not_disturbed() -> None:
    crawl = begun(Deaf)
    assert crawl.apply(BacklinksNamed(0, [address(PARENT)])).drops == []
    assert [crawl.next().id, crawl.next()] == [1, None]


def test_open_questions_survive_a_restart() -> None:
    crawl, restored = begun(), begun()
    restored.asking.clear()
    restored.restore(decode(encode(crawl.snapshot())))
    assert list(restored.asking) == [0]
