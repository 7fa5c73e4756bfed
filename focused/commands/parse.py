"""`scrapy parse`: one page as a topical crawl sees it: its relevance and why, its item, its links with scores."""

from __future__ import annotations

import argparse
import asyncio
import inspect
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from scrapy import Request, Spider
from scrapy.commands.parse import Command as ScrapyParse
from scrapy.exceptions import UsageError
from scrapy.http import Headers, Response
from scrapy.responsetypes import responsetypes
from scrapy.spiderloader import get_spider_loader
from scrapy.utils.asyncgen import collect_asyncgen
from scrapy.utils.misc import arg_to_iter

from focused.exceptions import FocusedError
from focused.explain.command import CommandHelp, leave_out_what_scrapy_says, one_line_for_mistakes
from focused.explain.plain_output import TableColumn, print_table
from focused.page.plain_text import plain
from focused.spiders.topical import RUN_ARGUMENTS, TopicalSpider
from focused.topic.plain_files import read_bytes
from focused.topic.project_settings import add_own_defaults

if TYPE_CHECKING:
    from scrapy.settings import Settings

    from focused.live.own_fields import Field
    from focused.page.page import Page
    from focused.page.urls import UrlRules
    from focused.scorers.relevance import PageModel, TrainedPageModel
    from focused.topic.topic import Topic

EXAMPLES = """Examples
========
  scrapy parse https://example.org/ -a topic=solar
  scrapy parse saved.html -a keywords="solar cell,inverter"        a page in a file
  scrapy parse https://example.org/ --spider mine -a topic=solar   a spider of your own"""
NOT_FETCHED = "http://file.invalid/"  #: the URL of a page that is read from a file
MOST_TERMS = 15  #: listed
MOST_LINKS = 30  #: shown, the best first
LONGEST = 300  #: characters of a field


class Command(ScrapyParse):
    """Fetches one page politely, or reads a file, and keeps nothing. Other spiders are for Scrapy's own command."""

    settings: Settings  # Scrapy sets them before it calls any method

    def short_desc(self) -> str:
        return "Show what a crawl makes of one page: how relevant it is and which words make it so, its item, its links with scores"

    def long_desc(self) -> str:
        return (
            "For a topical spider: scrapy parse URL|FILE -a topic=NAME. The page is fetched, or read from a file, as a crawl does\n"
            "it; nothing is stored, and no other page is fetched. For any other spider this is Scrapy's own command."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.formatter_class = CommandHelp
        parser.usage = "scrapy parse URL|FILE [options]"
        parser.epilog = EXAMPLES

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        super().process_options(args, opts)
        if self._topical(opts) is not None:
            leave_out_what_scrapy_says(self.settings)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        spider = self._topical(opts)
        if spider is None:
            super().run(args, opts)
            return
        if len(args) != 1:
            raise UsageError("give one URL or file, as in: scrapy parse https://example.org/ -a topic=solar")
        add_own_defaults(self.settings)
        with one_line_for_mistakes(self, "scrapy parse"):
            self._parse(args[0], spider, dict(opts.spargs))

    def _topical(self, opts: argparse.Namespace) -> type[TopicalSpider] | None:
        """The topical spider that is meant: the one named, the only spider there is, or ours where a topic is given."""
        loader = get_spider_loader(self.settings)
        names = [opts.spider] if opts.spider else loader.list()
        if len(names) > 1 and TopicalSpider.name in names and {"topic", "keywords"} & set(opts.spargs):
            names = [TopicalSpider.name]
        if len(names) != 1 or names[0] not in loader.list():
            return None
        found: type[Spider] = loader.load(names[0])
        return found if issubclass(found, TopicalSpider) else None

    def _parse(self, url: str, spider: type[TopicalSpider], given: dict[str, str]) -> None:
        from focused import strategies
        from focused.collection.collection import data_folder
        from focused.collection.trained_model import MODELS
        from focused.crawl.events import PageArrived, Picked, Started
        from focused.items import page_fields
        from focused.live.assemble import assemble
        from focused.live.forms import now
        from focused.live.own_fields import KEEP_FIELDS, checked
        from focused.live.reasons import with_advice
        from focused.live.responses import PAGE, read_response, stored
        from focused.live.robots.robot import name_of_robot
        from focused.page.page import Unreadable
        from focused.scorers import with_scorers
        from focused.topic.topic_arguments import NO_SEED, topic_from_arguments

        if "topic" not in given:
            given.setdefault("seeds", NO_SEED)
        topics_dir = self.settings.get("FOCUSED_TOPICS_DIR") or None
        topic = topic_from_arguments(given, strategies, topics_dir=topics_dir, reserved=RUN_ARGUMENTS)
        settings = self.settings.copy()
        spider.update_settings(settings)
        known, robot = data_folder(self.settings) / MODELS, name_of_robot(settings)
        reader, crawl = assemble(with_scorers(topic, settings), models=known, robot=robot)
        response = self._answer(url, reader.rules, topic, settings)
        page = read_response(reader, response)
        if isinstance(page, Unreadable):
            raise FocusedError(f"{url}: no page: {with_advice(page.reason)}")
        _print_relevance(page, topic, cast("PageModel | TrainedPageModel", crawl.judge.model))
        canonical = response.url if "://" not in url else str(reader.rules.canonical(url))
        [seed] = crawl.apply(Started([reader.rules.address(canonical)])).urls
        pick = crawl.apply(Picked(seed)).picked
        outcome = crawl.apply(PageArrived(seed, page, len(response.body)))
        arrival = outcome.arrived
        fields = asdict(page_fields(arrival, pick, stored(response), canonical, None, now(), rendered=False))
        print_table(("field", "value"), [(name, str(value)[:LONGEST]) for name, value in fields.items()], "\nItem")
        response.meta[PAGE] = page
        added: dict[str, Field] = {}
        response.meta[KEEP_FIELDS] = lambda fields: added.update(checked(fields))
        own = spider()
        own.topic, own.settings = topic, settings
        try:
            found = outputs(own.parse(response))
        except Exception as error:
            raise FocusedError(f"{spider.name}.parse failed on {canonical}: {type(error).__name__}: {error}") from error
        _print_own(found, added)
        scores = arrival.scores.tolist()
        barred = dict(outcome.drops)
        rows: dict[str, tuple[str, ...]] = {}  # by URL: of several links to one, the best
        for position in sorted(range(len(scores)), key=lambda place: (scores[place] != scores[place], -scores[place])):
            target, link = int(arrival.visit.targets[position]), page.links[position]
            followed = scores[position] == scores[position]  # NaN differs from itself
            parts = crawl.named_parts(target) if followed else {}
            told = ", ".join(f"{name} {part:.2f}" for name, part in parts.items()) or barred.get(target, "not followed")
            score = f"{scores[position]:.3f}" if followed else "-"
            rows.setdefault(link.url, (score, link.url, plain(link.anchor)[:60], told))
        columns = (TableColumn("score", is_number=True), "link", "anchor", "made of, or why not")
        print_table(columns, list(rows.values())[:MOST_LINKS], f"\nLinks, by {topic.strategy}")
        if len(rows) > MOST_LINKS:
            print(f"... and {len(rows) - MOST_LINKS:,} more")

    def _answer(self, name: str, rules: UrlRules, topic: Topic, settings: Settings) -> Response:
        """What a server answers, or what lies in a file. Raises FocusedError where there is none."""
        from focused.live.page_fetching import fetch_pages
        from focused.live.reasons import with_advice

        if "://" not in name:
            kind = b"text/plain" if name.lower().endswith(".txt") else b"text/html"
            body, headers = read_bytes(Path(name)), Headers({b"Content-Type": kind})
            made = responsetypes.from_args(headers=headers, url=NOT_FETCHED, body=body)
            return made(NOT_FETCHED, headers=headers, body=body, request=Request(NOT_FETCHED))
        canonical = rules.canonical(name)
        if canonical is None:
            raise FocusedError(f"{name}: not an http(s) URL")
        answers: list[Response] = []
        failures: list[str] = []
        fetch_pages(
            *([canonical], topic, settings),
            lambda _, found: answers.append(found),
            lambda _, why: failures.append(why),
        )
        if not answers:
            raise FocusedError(f"{canonical}: {with_advice(failures[0]) if failures else 'no answer'}")
        return answers[0]


def _print_relevance(page: Page, topic: Topic, model: PageModel | TrainedPageModel) -> None:
    """How relevant a page is by the page model of a topic, and which words make it so."""
    from focused.page.page_kind import meaning_of

    relevance, speaks = model(page), topic.relevance.counts(page.kind)
    verdict = "relevant" if topic.is_harvest(page, relevance) else "not relevant"
    print(plain(page.title) or page.url)
    print(
        f"{relevance:.3f} by the page model {topic.relevance.model}: {verdict} (threshold {topic.relevance.threshold:g}; "
        f"language {page.language or 'unknown'}; {len(page.terms):,} terms, {len(page.links):,} links)"
    )
    if page.kind:
        print(f"{page.kind}: {meaning_of(page.kind)}{'' if speaks else ', so it does not count as relevant'}")
    if not topic.relevance.is_trained:
        _print_terms(page, cast("PageModel", model), "word stem" if topic.reading.stemming else "word")


def _print_terms(page: Page, model: PageModel, term_is: str) -> None:
    """Each word of the topic adds its part to a cosine."""
    counts = Counter(page.terms)
    shares = sorted(model.shares(page).items(), key=lambda item: -item[1])
    rows = [(term, counts[term], f"{share:.3f}") for term, share in shares[:MOST_TERMS] if counts[term]]
    columns = (term_is, TableColumn("times on the page", is_number=True), TableColumn("adds", is_number=True))
    print_table(columns, rows, "\nWhat makes it so")
    if missing := [term for term, _ in shares if not counts[term]]:
        print(f"\nNot on the page: {', '.join(missing[:MOST_TERMS])}")


def outputs(result: Any) -> list[Any]:
    """What a callback gives, whatever kind of function it is."""
    if isinstance(result, AsyncIterator):
        result = collect_asyncgen(result)
    if inspect.iscoroutine(result):
        # `asyncio.run` would drop the loop that the reactor has, unclosed.
        with closing(asyncio.new_event_loop()) as loop:
            result = loop.run_until_complete(result)
    return list(arg_to_iter(result))


def _print_own(found: list[Any], added: Mapping[str, Field]) -> None:
    rows = [
        ("request", f"{output.method} {output.url}") if isinstance(output, Request) else ("item", str(output)[:LONGEST])
        for output in found
    ]
    rows += [("field", f"{name}: {value}"[:LONGEST]) for name, value in added.items()]
    print_table(("kind", "value"), rows, "\nFrom the spider's own callback")
