"""From a topic to what crawls it: the reader of its pages and the core with its strategy and page model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from focused.crawl.crawl import Crawl
from focused.crawl.strategy import Strategy
from focused.crawl.world import World
from focused.reading.page import Page
from focused.reading.reader import Reader
from focused.scoring.relevance import page_model
from focused.strategies import get_strategy
from focused.topic import Example, Topic


def assemble(
    topic: Topic, strategy: type[Strategy] | None = None, *, seed: int = 0, world: Callable[..., World] = World
) -> tuple[Reader, Crawl]:
    """Return a reader and a fresh core for a topic.

    strategy : instead of the topic's, with its default options
    seed : of everything random
    world : makes what the strategy may look at, where that is more than a World (see `focused/evaluation/yardstick.py`)

    Raises TopicError for an unknown strategy, ValueError for options that its `Options` refuse (a topic that
    `load_topic` gave has none of either).
    """
    reader = Reader(topic.reading, keep=topic.keywords)
    keywords = Counter(reader.analyser.terms(" ".join(topic.keywords)))
    examples = [terms for example in topic.examples if (terms := _terms(reader, example))]
    texts = [reader.analyser.terms(topic.description), *examples] if topic.description else examples
    chosen = strategy or get_strategy(topic.strategy)
    options = chosen.Options.model_validate({} if strategy else topic.strategy_options)
    known = world(keywords, texts, seed=seed, terms=reader.analyser.terms)
    return reader, Crawl(topic, chosen, options, known, page_model(topic.relevance.model, keywords, texts))


def _terms(reader: Reader, example: Example) -> list[str]:
    """The terms of an example that came as a file; one named by its URL is fetched like a seed."""
    if example.body is None:
        return []
    page = reader.read("http://example.invalid/", example.body)
    return page.terms if isinstance(page, Page) else []
