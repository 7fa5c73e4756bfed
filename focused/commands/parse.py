"""`scrapy parse`: one page as a topical crawl sees it: its item, what the spider's own callback gives, its links with scores."""

from __future__ import annotations

import argparse
import asyncio
import inspect
from collections.abc import AsyncIterable, Coroutine, Iterable, Mapping
from contextlib import closing
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from scrapy import Request, Spider
from scrapy.commands.parse import Command as ScrapyParse
from scrapy.exceptions import UsageError
from scrapy.http import Response
from scrapy.spiderloader import get_spider_loader

from focused.exceptions import FocusedError
from focused.explain.command import CommandHelp, leave_out_what_scrapy_says, one_line_for_mistakes
from focused.explain.plain_output import Column, print_table
from focused.page.plain_text import plain
from focused.spiders.topical import RUN_ARGUMENTS, TopicalSpider
from focused.topic.project_settings import add_own_defaults

if TYPE_CHECKING:
    from focused.live.own_fields import Field

MOST_LINKS = 30  #: shown, the best first
LONGEST = 300  #: characters of a field


class Command(ScrapyParse):
    """Fetches one page politely and keeps nothing. Spiders that are not topical are parsed by Scrapy's own command."""

    def short_desc(self) -> str:
        return "Show what a spider makes of one page; of the topical spider: item, relevance, links with their scores"

    def long_desc(self) -> str:
        return (
            "For a topical spider: scrapy parse URL --spider topical -a topic=NAME. The page is fetched and read as a crawl\n"
            "does it; nothing is stored, and no other page is fetched. For any other spider this is Scrapy's own command."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.formatter_class = CommandHelp
        parser.epilog = "Examples\n========\n  scrapy parse https://example.org/ --spider topical -a topic=solar"

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        super().process_options(args, opts)
        assert self.settings is not None
        if self._topical(opts.spider) is not None:
            leave_out_what_scrapy_says(self.settings)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        assert self.settings is not None
        spider = self._topical(opts.spider)
        if spider is None:
            super().run(args, opts)
            return
        if len(args) != 1:
            raise UsageError("give one URL, as in: scrapy parse https://example.org/ --spider topical -a topic=solar")
        add_own_defaults(self.settings)
        with one_line_for_mistakes(self, "scrapy parse"):
            self._parse(args[0], spider, dict(opts.spargs))

    def _topical(self, name: str | None) -> type[TopicalSpider] | None:
        """The topical spider that is meant: the one named, or the only spider there is."""
        assert self.settings is not None
        loader = get_spider_loader(self.settings)
        names = [name] if name else loader.list()
        if len(names) != 1 or names[0] not in loader.list():
            return None
        found: type[Spider] = loader.load(names[0])
        return found if issubclass(found, TopicalSpider) else None

    def _parse(self, url: str, spider: type[TopicalSpider], given: dict[str, str]) -> None:
        from focused import strategies
        from focused.collection.collection import data_folder
        from focused.collection.trained_model import MODELS
        from focused.items import page_fields
        from focused.live.assemble import assemble
        from focused.live.journal import now
        from focused.live.own_fields import KEEP_FIELDS, checked
        from focused.live.page_fetching import fetch_pages
        from focused.live.reasons import with_advice
        from focused.live.responses import PAGE, read_response, stored
        from focused.page.page import Unreadable
        from focused.topic.topic_arguments import NO_SEED, topic_from_arguments

        assert self.settings is not None
        if "topic" not in given:
            given.setdefault("seeds", NO_SEED)
        topics_dir = self.settings.get("FOCUSED_TOPICS_DIR") or None
        topic = topic_from_arguments(given, strategies, topics_dir=topics_dir, reserved=RUN_ARGUMENTS)
        reader, crawl = assemble(topic, models=data_folder(self.settings) / MODELS)
        canonical = reader.rules.canonical(url)
        if canonical is None:
            raise FocusedError(f"{url}: not an http(s) URL")
        address = reader.rules.address(canonical)
        crawl.start([address])
        pick = crawl.pick(crawl.urls.find(address.key))
        answers: list[Response] = []
        failures: list[str] = []
        settings = self.settings.copy()
        spider.update_settings(settings)
        fetch_pages(
            *([canonical], topic, settings),
            lambda _, found: answers.append(found),
            lambda _, why: failures.append(why),
        )
        if not answers:
            raise FocusedError(f"{canonical}: {with_advice(failures[0]) if failures else 'no answer'}")
        response = answers[0]
        page = read_response(reader, response)
        if isinstance(page, Unreadable):
            raise FocusedError(f"{canonical}: no page: {page.reason}")
        arrival = crawl.fetched(pick.id, page, len(response.body))
        fields = asdict(page_fields(arrival, pick, stored(response), canonical, None, now(), rendered=False))
        print_table(("field", "value"), [(name, str(value)[:LONGEST]) for name, value in fields.items()], "Item")
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
        barred = dict(arrival.drops)
        rows: dict[str, tuple[str, ...]] = {}  # by URL: of several links to one, the best
        for position in sorted(range(len(scores)), key=lambda place: (scores[place] != scores[place], -scores[place])):
            target, link = int(arrival.visit.targets[position]), page.links[position]
            followed = scores[position] == scores[position]  # NaN differs from itself
            parts = crawl.named_parts(target) if followed else {}
            told = ", ".join(f"{name} {part:.2f}" for name, part in parts.items()) or barred.get(target, "not followed")
            score = f"{scores[position]:.3f}" if followed else "-"
            rows.setdefault(link.url, (score, link.url, plain(link.anchor)[:60], told))
        columns = (Column("score", is_number=True), "link", "anchor", "made of, or why not")
        print_table(columns, list(rows.values())[:MOST_LINKS], f"\nLinks, by {topic.strategy}")
        if len(rows) > MOST_LINKS:
            print(f"... and {len(rows) - MOST_LINKS:,} more")


def outputs(result: Any) -> list[Any]:
    """What a callback gives, whatever kind of function it is."""
    if isinstance(result, AsyncIterable):
        result = _all_of(result)
    if inspect.iscoroutine(result):
        result = _waited_for(result)
    if result is None:
        return []
    return list(result) if isinstance(result, Iterable) and not isinstance(result, dict | str) else [result]


async def _all_of(found: AsyncIterable[Any]) -> list[Any]:
    return [output async for output in found]


def _waited_for(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """What a coroutine gives. `asyncio.run` would drop the loop that the reactor has, unclosed."""
    with closing(asyncio.new_event_loop()) as loop:
        return loop.run_until_complete(coroutine)


def _print_own(found: list[Any], added: Mapping[str, Field]) -> None:
    rows = [
        ("request", f"{output.method} {output.url}") if isinstance(output, Request) else ("item", str(output)[:LONGEST])
        for output in found
    ]
    rows += [("field", f"{name}: {value}"[:LONGEST]) for name, value in added.items()]
    print_table(("kind", "value"), rows, "\nFrom the spider's own callback")
