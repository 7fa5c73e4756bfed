"""focused: a topical crawler for Scrapy. It decides, link after link, what is worth fetching next.

What is named here is the public face: it keeps its meaning between versions, and is imported when it is first used. All else may
change. An author of a strategy finds its contract as `check_strategy` in ``focused.testing``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from focused.addon import Addon

if TYPE_CHECKING:
    from focused.collection.collection import Collection
    from focused.crawl.arrays import FloatArray
    from focused.crawl.strategy import Changes, Strategy, StrategyOptions, Visit
    from focused.crawl.world import World
    from focused.page.page import Page
    from focused.scorers.link_scorer import LinkScorer, PageLinks
    from focused.topic.topic import Topic

__all__ = [
    "Addon",
    "Changes",
    "Collection",
    "FloatArray",
    "LinkScorer",
    "Page",
    "PageLinks",
    "Strategy",
    "StrategyOptions",
    "Topic",
    "Visit",
    "World",
]
__version__ = "0.2.0"

_LIE_IN = {
    "Changes": "crawl.strategy",
    "Collection": "collection.collection",
    "FloatArray": "crawl.arrays",
    "LinkScorer": "scorers.link_scorer",
    "Page": "page.page",
    "PageLinks": "scorers.link_scorer",
    "Strategy": "crawl.strategy",
    "StrategyOptions": "crawl.strategy",
    "Topic": "topic.topic",
    "Visit": "crawl.strategy",
    "World": "crawl.world",
}


def __getattr__(name: str) -> Any:
    if name not in _LIE_IN:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_LIE_IN[name]}"), name)
