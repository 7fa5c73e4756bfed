"""From a topic to what crawls it: the reader of its pages and the core with its strategy and page model."""

from __future__ import annotations

from collections import Counter

from focused.crawl.crawl import Crawl
from focused.reading.page import Page
from focused.reading.reader import Reader
from focused.scoring.relevance import page_model
from focused.strategies import get_strategy
from focused.topic import Example, Topic


def assemble(topic: Topic) -> tuple[Reader, Crawl]:
    """Return a reader and a fresh core for a topic.

    Raises TopicError for an unknown strategy, ValueError for options that its `Options` refuse (a topic that
    `load_topic` gave has none of either).
    """
    reader = Reader(topic.reading, keep=topic.keywords)
    keywords = Counter(reader.analyser.terms(" ".join(topic.keywords)))
    examples = [terms for example in topic.examples if (terms := _terms(reader, example))]
    texts = [reader.analyser.terms(topic.description), *examples] if topic.description else examples
    strategy = get_strategy(topic.strategy)
    options = strategy.Options.model_validate(topic.strategy_options)
    return reader, Crawl(topic, strategy, options, keywords, page_model(topic.relevance.model, keywords, texts))


def _terms(reader: Reader, example: Example) -> list[str]:
    """The terms of an example that came as a file; one named by its URL is fetched like a seed."""
    if example.body is None:
        return []
    page = reader.read("http://example.invalid/", example.body)
    return page.terms if isinstance(page, Page) else []
