"""Shows what a search has found, and writes its seeds into the text of a topic file, each with a word on where it came from."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import tomlkit

from focused.explain.plain_output import Column, table_text
from focused.page.plain_text import plain
from focused.seeds.searching.judged_pages import Judged
from focused.strategies import get_strategy
from focused.topic.plain_files import read_text
from focused.topic.topic import Topic
from focused.topic.topic_template import topic_template

COLUMNS = (Column("relevance", True), "verdict", "seed", "URL", "provider", "query")
BY_SEARCH = "# A search found its seeds."  #: first line of a topic file that a search wrote
LONGEST_COMMENT = 120  #: characters


def table_rows(judged: Sequence[Judged], seeds: Sequence[Judged]) -> list[tuple[object, ...]]:
    """A row for each page that was looked at, the best first."""
    taken = {page.url for page in seeds}
    return [
        (
            f"{page.relevance:.3f}" if page.relevance >= 0 else "-",
            page.verdict,
            "yes" if page.good and page.url in taken else "",
            page.url,
            page.origin.provider,
            page.origin.query,
        )
        for page in sorted(judged, key=lambda page: (-page.relevance, page.url))
    ]


def table_of(judged: Sequence[Judged], seeds: Sequence[Judged]) -> str:
    """The pages that were looked at, as a table."""
    return table_text(COLUMNS, table_rows(judged, seeds), stream=sys.stdout)


def text_of_topic(
    name: str, tables: Mapping[str, Mapping[str, Any]], topic: Topic, given: Sequence[str], seeds: Sequence[Judged]
) -> str:
    """The text of a new topic file.

    tables : what it sets beside keywords and seeds
    given : seeds that a person gave
    """
    strategy = get_strategy(topic.strategy)
    about = {**tables.get("topic", {}), "keywords": topic.own_keywords or topic.keywords, "seeds": list(given)}
    text = topic_template(name, {**tables, "topic": about}, strategy.name, strategy.summary(), strategy.Options)
    return f"{BY_SEARCH}\n{with_seeds(text, given, seeds)}"


def is_written_by_search(path: Path) -> bool:
    """Whether a topic file says of itself that a search wrote it. Raises TopicError where it cannot be read."""
    return read_text(path).startswith(BY_SEARCH)


def with_seeds(text: str, given: Sequence[str], seeds: Sequence[Judged]) -> str:
    """The text of a topic file with these seeds: those that a person gave, then those that were found."""
    document = tomlkit.parse(text)
    urls = tomlkit.array()
    for url in given:
        urls.add_line(url)
    for page in seeds:
        if page.url not in given:
            urls.add_line(page.url, comment=_comment(page))
    urls.add_line(indent="")
    document["topic"]["seeds"] = urls
    return tomlkit.dumps(document)


def _comment(page: Judged) -> str:
    asked = f": {page.origin.query}" if page.origin.query else ""
    return plain(f"{page.relevance:.2f}, {page.origin.provider}{asked}", LONGEST_COMMENT)
