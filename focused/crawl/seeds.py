"""Where a crawl starts: the one way in which both drivers, and whoever tries the seeds, come from a topic to addresses."""

from __future__ import annotations

from focused.page.urls import Address, UrlRules
from focused.topic.topic import Topic


def seed_addresses(topic: Topic, rules: UrlRules) -> list[Address]:
    """The seeds of a topic and the examples that it gives by URL, each once, in the order of the topic."""
    examples = (example.source for example in topic.examples if example.body is None)
    canonical = (rules.canonical(url) for url in (*topic.seeds, *examples))
    addresses = (rules.address(url) for url in canonical if url is not None)
    return list({address.key: address for address in addresses}.values())
