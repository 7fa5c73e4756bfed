"""Pages with texts of their own, and a core that defends itself, for tests of traps."""

from __future__ import annotations

from random import Random
from typing import Any

from focused.crawl.crawl import Crawl
from focused.crawl.world import World
from focused.page.page import Page
from focused.topic.topic import Traps
from tests.crawl.web import make_crawl, make_page, make_topic

WORDS = [f"{first}{second}{third}" for first in "bdfgklmnprst" for second in "aeiou" for third in "bdfgklmnprst"]


def text(seed: object, words: int = 120) -> str:
    """A text that shares no phrase with another, but by chance."""
    chance = Random(f"text {seed}")
    return " ".join(chance.choice(WORDS) for _ in range(words))


def page(url: str, says: str = "", links: list[str] | None = None, **values: Any) -> Page:
    """A page that says something of its own unless it is told what."""
    return make_page(url, says or text(url), [(link, "more") for link in links or []], body=url, **values)


def defended(strategy: str = "breadth_first", world: World | None = None, **options: Any) -> Crawl:
    """A core with the defences of a default topic, started from http://seed.example/."""
    return make_crawl(make_topic(traps=Traps(**options)), strategy, world)
