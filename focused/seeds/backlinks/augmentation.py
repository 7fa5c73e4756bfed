"""`scrapy topics augment`: find the hubs of a topic's seeds and write them into its file."""

from __future__ import annotations

import argparse
import difflib
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path

import tomlkit
from scrapy.http import Response
from scrapy.settings import Settings

from focused import strategies
from focused.collection.collection import data_folder
from focused.crawl.backlinks import Backlinks
from focused.crawl.scope import ScopeRules
from focused.exceptions import BacklinkError, TopicError
from focused.explain.command import FocusedCommand
from focused.live.assemble import assemble
from focused.live.page_fetching import fetch_pages
from focused.live.responses import headers_of
from focused.live.robots.robot import obedient_as
from focused.page.page import Page
from focused.page.reader import Reader
from focused.page.urls import host_of
from focused.scorers.similarity import similarity_within
from focused.seeds.backlinks.providers import open_backlinks
from focused.seeds.searching.search_options import HubOptions
from focused.simulation.analysed_web import AnalysedWeb, Fetched, Redirect
from focused.simulation.web_opener import CACHE, CrawledWeb, analysed_web
from focused.topic.mistakes import Mistakes
from focused.topic.plain_files import at_home, read_text, writing
from focused.topic.project_settings import TOPIC_PRIORITY
from focused.topic.topic import Topic
from focused.topic.topic_file import TopicFile, find_topic
from focused.topic.topic_tables import build_topic

MOST_REDIRECTS = 5  #: that are followed in a recorded web


#: Gives the pages of canonical URLs, redirects followed; those that cannot be had are left out.
PageContents = Callable[[Sequence[str]], dict[str, Page]]


def recorded_contents(webs: Sequence[AnalysedWeb]) -> PageContents:
    """Pages out of recorded webs, or of earlier crawls, whichever has one first."""

    def pages(urls: Sequence[str]) -> dict[str, Page]:
        found = {url: next(filter(None, (_recorded(web, url) for web in webs)), None) for url in urls}
        return {url: page for url, page in found.items() if page is not None}

    return pages


def fetched_contents(topic: Topic, reader: Reader, settings: Settings) -> PageContents:
    """Pages fetched from the Web as seeds are; a process can do it once (see `fetch_pages`)."""

    def pages(urls: Sequence[str]) -> dict[str, Page]:
        found: dict[str, Page] = {}

        def take_in(url: str, response: Response) -> None:
            page = reader.read(response.url, response.body, headers_of(response)[0])
            if isinstance(page, Page):
                found[url] = page

        fetch_pages(urls, topic, settings, take_in, lambda *_: None)
        return found

    return pages


def _recorded(web: AnalysedWeb, url: str) -> Page | None:
    target: str | None = url
    for _ in range(MOST_REDIRECTS + 1):
        if target is None:
            break
        answer = web.ask(target)
        if isinstance(answer, Fetched):
            return answer.page
        target = web.reader.rules.canonical(answer.target) if isinstance(answer, Redirect) else None
    return None


@dataclass(frozen=True, slots=True)
class Hub:
    """A page that links to several seeds; ``hub_score`` counts them."""

    url: str
    hub_score: int


def find_hubs(backlinks: Mapping[str, Sequence[str]], least: int, left_out: Collection[str] = ()) -> list[Hub]:
    """Pages that link to at least ``least`` different seeds, the best first; among equals, the first named.

    backlinks : seed -> URLs of pages that link to it, each once
    left_out : URLs that are no hubs, such as the seeds themselves
    """
    counts = Counter(page for pages in backlinks.values() for page in pages)
    return [Hub(url, count) for url, count in counts.most_common() if count >= least and url not in left_out]


def without_mirrors(
    hubs: Sequence[Hub], contents: PageContents, description: Sequence[str], similarity: float
) -> tuple[list[Hub], list[Hub]]:
    """Part hubs from mirrors of the page that the topic was taken from, which would make its crawl trivial.

    description : terms of the topic's description
    similarity : a page more like it is a mirror, as far as terms of the description go: other text cannot hide a copy

    Return the hubs and the mirrors. A page that cannot be had is no mirror; without a description there is none.
    """
    if not description or not hubs:
        return list(hubs), []
    query = Counter(description)
    pages = contents([hub.url for hub in hubs])
    mirrors = {url for url, page in pages.items() if similarity_within(query, page, query) > similarity}
    return [hub for hub in hubs if hub.url not in mirrors], [hub for hub in hubs if hub.url in mirrors]


@dataclass
class Augmented:
    """What was found for a topic."""

    seeds: tuple[str, ...]
    hubs: list[Hub]
    mirrors: list[Hub] = field(default_factory=list)

    def report(self) -> Iterator[str]:
        for hub in self.hubs:
            yield f"  links to {hub.hub_score:>3} of {len(self.seeds)} seeds  {hub.url}"
        for hub in self.mirrors:
            yield f"  left out: a copy of the topic's description  {hub.url}"


def original_topic(file: TopicFile) -> Topic:
    """The topic of a file, without the hubs that an earlier run wrote into it."""
    tables = file.read()
    if isinstance(tables.get("topic"), dict):
        tables["topic"].pop("hubs", None)
    return build_topic(file.name, tables, strategies, Mistakes(str(file)), file.folder)


def augment(
    topic: Topic,
    settings: Settings,
    wanted: HubOptions,
    web: Sequence[str] = (),
    tell: Callable[[int], None] = lambda _: None,
) -> Augmented:
    """Ask the topic's provider, or a recorded web, who links to its seeds; return the pages that link to several.

    web : what a person calls the recorded web (see `open_web`); empty: the topic's provider is asked
    tell : told how many pages of a recorded web were read for their links

    Raises BacklinkError, StorageError or WebError where nobody can be asked.
    """
    reader, _ = assemble(topic)
    rules = reader.rules
    seeds = tuple(dict.fromkeys(url for seed in topic.seeds if (url := rules.canonical(seed))))
    scope = ScopeRules(topic.scope, topic.seeds)
    with _asked(topic, reader, settings, web, tell) as (provider, contents):
        backlinks = provider.backlinks_of(seeds)
        found = find_hubs(backlinks, wanted.least, left_out=seeds)
        allowed = [hub for hub in found if not scope.verdict(hub.url, host_of(hub.url))]
        description = reader.analyser.terms(topic.description)
        hubs, mirrors = without_mirrors(allowed, contents, description, wanted.similarity)
    return Augmented(seeds, hubs[: wanted.most], mirrors)


@contextmanager
def _asked(
    topic: Topic, reader: Reader, settings: Settings, web: Sequence[str], tell: Callable[[int], None]
) -> Iterator[tuple[Backlinks, PageContents]]:
    """The provider of backlinks and the contents of the pages that it names, for as long as a block lasts."""
    data, options = data_folder(settings), topic.backlinks
    settings = settings.copy()
    settings.setdict(topic.settings, priority=TOPIC_PRIORITY)
    agent, robot = settings["USER_AGENT"] or "", obedient_as(settings)
    if web:
        topic = topic.model_copy(update={"backlinks": options.model_copy(update={"provider": "web"})})
    with analysed_web(web, topic, reader, data / CACHE) if web else nullcontext() as recorded:
        provider = open_backlinks(topic, reader.rules, data, user_agent=agent, robot=robot, web=recorded, report=tell)
        if provider is None:
            raise BacklinkError(
                f"{topic.source or topic.name}: nobody to ask for backlinks: set [backlinks] provider, or give --web WEB"
            )
        if recorded is not None:
            yield provider, recorded_contents([recorded])
        elif options.provider == "crawls":
            webs = [CrawledWeb(data / at_home(crawl)) for crawl in options.crawls]
            yield provider, recorded_contents([AnalysedWeb(one, reader, hide_outside=False) for one in webs])
        else:
            yield provider, fetched_contents(topic, reader, settings)


def with_hubs(text: str, hubs: list[Hub]) -> str:
    """The text of a topic file with these hubs in it, and nothing else changed."""
    document = tomlkit.parse(text)
    urls = tomlkit.array()
    urls.extend(hub.url for hub in hubs)
    document["topic"]["hubs"] = urls.multiline(True)
    return tomlkit.dumps(document)


def write_hubs(file: TopicFile, hubs: list[Hub], *, dry_run: bool) -> str:
    """Write hubs into a topic file unless it is a dry run; return the difference that makes, as `diff -u` shows it."""
    before = read_text(file.path)
    after = with_hubs(before, hubs)
    if not dry_run:
        if not isinstance(file.path, Path):
            raise TopicError(f"{file}: cannot be written to; copy it into a folder that FOCUSED_TOPICS_DIR names")
        with writing(file.path, TopicError):
            file.path.write_text(after, encoding="utf-8")
    lines = before.splitlines(keepends=True), after.splitlines(keepends=True)
    return "".join(difflib.unified_diff(*lines, str(file), f"{file} with hubs"))


def augment_topic(command: FocusedCommand, name: str, opts: argparse.Namespace) -> None:
    """Find pages that link to several seeds of a topic and write them into its file, the difference shown."""
    assert command.settings is not None
    for option, least in (("least", 1), ("most", 1), ("similarity", 0)):
        if not getattr(opts, option) >= least:
            raise TopicError(f"--{option} {getattr(opts, option):g}: give a number of at least {least}")
    file = find_topic(name, command.topics_dir)
    with closing(command.progress()) as progress:
        found = augment(
            original_topic(file),
            command.settings,
            HubOptions(opts.least, opts.most, opts.similarity),
            opts.web or (),
            lambda pages: progress.show(lambda: f"{pages:,} pages of the recorded web read"),
        )
    print("\n".join(found.report()), end="\n" if found.hubs or found.mirrors else "")
    if not found.hubs:
        print(
            f"{file}: no page is known that links to {opts.least} of the {len(found.seeds)} seeds; nothing is changed"
        )
        return
    print(write_hubs(file, found.hubs, dry_run=opts.dry_run), end="")
