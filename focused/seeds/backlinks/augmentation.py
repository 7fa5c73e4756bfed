"""`scrapy topics augment`: find the hubs of a topic's seeds and write them into its file."""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import tomlkit
from scrapy.settings import Settings

from focused import strategies
from focused.collection.collection import data_folder
from focused.crawl.backlinks import Backlinks
from focused.crawl.scope import ScopeRules
from focused.exceptions import BacklinkError, TopicError
from focused.explain.command import FocusedCommand
from focused.explain.progress_line import ProgressLine
from focused.live.assemble import assemble
from focused.live.robots.robot import obedient_as
from focused.page.reader import Reader
from focused.page.urls import host_of
from focused.seeds.backlinks.contents import Contents, FetchedContents, RecordedContents
from focused.seeds.backlinks.hub_options import HubOptions
from focused.seeds.backlinks.hubs import Hub, find_hubs, without_mirrors
from focused.seeds.backlinks.providers import open_backlinks
from focused.simulation.analysed_web import AnalysedWeb
from focused.simulation.crawled_web import CrawledWeb
from focused.simulation.web_opener import CACHE, analysed_web
from focused.topic.mistakes import Mistakes
from focused.topic.plain_files import at_home, read_text, shown_path
from focused.topic.project_settings import TOPIC_PRIORITY
from focused.topic.topic import Topic
from focused.topic.topic_file import TopicFile, find_topic
from focused.topic.topic_tables import build_topic


def _nobody(_: int) -> None:
    pass


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
    topic: Topic, settings: Settings, wanted: HubOptions, web: Sequence[str] = (), tell: Callable[[int], None] = _nobody
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
) -> Iterator[tuple[Backlinks, Contents]]:
    """The provider of backlinks and the contents of the pages that it names, for as long as a block lasts."""
    data = data_folder(settings)
    settings = settings.copy()
    settings.setdict(topic.settings, priority=TOPIC_PRIORITY)
    if web:
        options = topic.backlinks.model_copy(update={"provider": "web"})
        topic = topic.model_copy(update={"backlinks": options})
        with analysed_web(web, topic, reader, data / CACHE) as recorded:
            yield _opened(topic, reader, data, settings, recorded, tell), RecordedContents([recorded])
        return
    provider = _opened(topic, reader, data, settings)
    if topic.backlinks.provider != "crawls":
        yield provider, FetchedContents(topic, reader, settings)
        return
    folders = [data / at_home(crawl) for crawl in topic.backlinks.crawls]
    yield provider, RecordedContents([AnalysedWeb(CrawledWeb(f), reader, hide_outside=False) for f in folders])


def _opened(
    topic: Topic,
    reader: Reader,
    data: Path,
    settings: Settings,
    web: AnalysedWeb | None = None,
    tell: Callable[[int], None] = _nobody,
) -> Backlinks:
    agent, robot = settings["USER_AGENT"] or "", obedient_as(settings)
    provider = open_backlinks(topic, reader.rules, data, user_agent=agent, robot=robot, web=web, report=tell)
    if provider is None:
        raise BacklinkError(
            f"{topic.source or topic.name}: nobody to ask for backlinks: set [backlinks] provider, or give --web WEB"
        )
    return provider


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
        try:
            file.path.write_text(after, encoding="utf-8")
        except OSError as error:
            raise TopicError(f"{shown_path(file.path)}: cannot be written: {error.strerror}") from None
    lines = before.splitlines(keepends=True), after.splitlines(keepends=True)
    return "".join(difflib.unified_diff(*lines, str(file), f"{file} with hubs"))


def augment_topic(command: FocusedCommand, name: str, opts: argparse.Namespace) -> None:
    """Find pages that link to several seeds of a topic and write them into its file, the difference shown."""

    assert command.settings is not None
    for option, value, least in (
        ("--least", opts.least, 1),
        ("--most", opts.most, 1),
        ("--similarity", opts.similarity, 0),
    ):
        if not value >= least:
            raise TopicError(f"{option} {value:g}: give a number of at least {least}")
    file = find_topic(name, command.topics_dir)
    progress = ProgressLine(command.settings.getfloat("FOCUSED_PROGRESS_SECONDS", 10.0))
    found = augment(
        original_topic(file),
        command.settings,
        HubOptions(opts.least, opts.most, opts.similarity),
        opts.web or (),
        lambda pages: progress.show(lambda: f"{pages:,} pages of the recorded web read"),
    )
    progress.close()
    print("\n".join(found.report()), end="\n" if found.hubs or found.mirrors else "")
    if not found.hubs:
        print(
            f"{file}: no page is known that links to {opts.least} of the {len(found.seeds)} seeds; nothing is changed"
        )
        return
    print(write_hubs(file, found.hubs, dry_run=opts.dry_run), end="")
