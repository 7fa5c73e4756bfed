"""`scrapy score`: what the page model of a topic makes of one page, fetched or from a file, and why."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from focused.exceptions import FocusedError
from focused.explain.command import FocusedCommand
from focused.explain.plain_output import Column, print_table
from focused.page.plain_text import plain
from focused.topic.plain_files import read_bytes

if TYPE_CHECKING:
    from focused.page.page import Page, Unreadable
    from focused.page.reader import Reader
    from focused.relevance.relevance import PageModel
    from focused.topic.topic import Topic

NOT_FETCHED = "http://file.invalid/"  #: the URL of a page that is read from a file
MOST_TERMS = 15  #: listed


class Command(FocusedCommand):
    """Keeps nothing."""

    examples = """
scrapy score https://example.org/page.html -a topic=solar
scrapy score saved.html -a keywords="solar cell,inverter"        a page in a file"""

    def syntax(self) -> str:
        return "URL|FILE -a topic=NAME"

    def short_desc(self) -> str:
        return "Say how relevant a page is to a topic, and which words make it so"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        self.add_arguments_option(parser, "topic=NAME or keywords=WORDS, as of scrapy crawl topical")

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        from focused import strategies
        from focused.live.assemble import page_model_of
        from focused.live.reasons import with_advice
        from focused.page.page import Unreadable
        from focused.page.page_kind import meaning_of
        from focused.topic.topic_arguments import NO_SEED, topic_from_arguments

        assert self.settings is not None
        if len(args) != 1:
            raise UsageError("give one URL or file, as in: scrapy score https://example.org/ -a topic=solar")
        given = self.arguments(opts)
        if "topic" not in given:
            given.setdefault("seeds", NO_SEED)
        topic = topic_from_arguments(given, strategies, topics_dir=self.topics_dir)
        reader, model = page_model_of(topic)
        page = self._page(args[0], topic, reader)
        if isinstance(page, Unreadable):
            raise FocusedError(f"{args[0]}: no page: {with_advice(page.reason)}")
        relevance, languages = model(page), topic.scope.languages
        spoken = not languages or not page.language or page.language in languages
        speaks = topic.relevance.counts(page.kind)
        verdict = "relevant" if spoken and speaks and relevance >= topic.relevance.threshold else "not relevant"
        print(f"{plain(page.title) or args[0]}")
        print(
            f"{relevance:.3f} by the page model {topic.relevance.model}: {verdict} (threshold {topic.relevance.threshold:g}; "
            f"language {page.language or 'unknown'}; {len(page.terms):,} terms, {len(page.links):,} links)"
        )
        if page.kind:
            print(f"{page.kind}: {meaning_of(page.kind)}{'' if speaks else ', so it does not count as relevant'}")
        _print_terms(page, model, "word stem" if topic.reading.stemming else "word")

    def _page(self, name: str, topic: Topic, reader: Reader) -> Page | Unreadable:
        from focused.live.page_fetching import fetch_pages
        from focused.live.responses import read_response
        from focused.page.page import Unreadable

        if "://" not in name:
            kind = "text/plain" if name.lower().endswith(".txt") else ""
            return reader.read(NOT_FETCHED, read_bytes(Path(name)), kind)
        assert self.settings is not None
        canonical = reader.rules.canonical(name)
        if canonical is None:
            raise FocusedError(f"{name}: not an http(s) URL")
        found: list[Page | Unreadable] = []
        fetch_pages(
            [canonical],
            topic,
            self.settings,
            lambda _, response: found.append(read_response(reader, response)),
            lambda _, reason: found.append(Unreadable(reason)),
        )
        return found[0] if found else Unreadable("no answer")


def _print_terms(page: Page, model: PageModel, term_is: str) -> None:
    """Each word of the topic adds its part to a cosine."""
    counts = Counter(page.terms)
    shares = sorted(model.shares(page).items(), key=lambda item: -item[1])
    rows = [(term, counts[term], f"{share:.3f}") for term, share in shares[:MOST_TERMS] if counts[term]]
    columns = (term_is, Column("times on the page", is_number=True), Column("adds", is_number=True))
    print_table(columns, rows, "\nWhat makes it so")
    if missing := [term for term, _ in shares if not counts[term]]:
        print(f"\nNot on the page: {', '.join(missing[:MOST_TERMS])}")
