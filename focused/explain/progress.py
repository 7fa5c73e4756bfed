"""Shows a person a running crawl: one live line on a terminal, plain lines in a log, a summary at the end."""

from __future__ import annotations

import logging
import shlex
import shutil
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Self, TextIO

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.utils.asyncio import create_looping_call

from focused import wings
from focused.collection.collection import AUDIT, DATABASE, PAGES, open_to_read
from focused.collection.store import CHANGED, GONE, MISSED, SAME
from focused.explain.harvest_watch import HarvestWatch, shown_harvest
from focused.explain.plain_output import CLEAR, LIVE_SECONDS, in_words
from focused.explain.strangers import StrangerWatch
from focused.live.session import Session, session_of
from focused.live.shared_run import shared_run_of
from focused.page.plain_text import plain
from focused.topic.topic import HOURS_A_DAY, Topic

logger = logging.getLogger(__name__)

MOST_SEEDS = 20  #: seeds that the summary explains if nothing was collected


class Progress:
    """Shows how far the crawl has come, and at the end what it collected, why it ended and where everything lies."""

    def __init__(self, crawler: Crawler, session: Session, stream: TextIO) -> None:
        self.session = session
        self.stream = stream
        self.live = stream.isatty() and not crawler.settings["LOG_FILE"] and crawler.settings.getbool("LOG_ENABLED")
        self._interval = LIVE_SECONDS if self.live else crawler.settings.getfloat("FOCUSED_PROGRESS_SECONDS")
        self._loop = create_looping_call(self.show)
        self._began = self._last = (time.monotonic(), session.crawl.totals.pages)
        self._watch = HarvestWatch()
        self._watch.follow(session.crawl.totals)  # an earlier run has told of earlier falls
        self._strangers = StrangerWatch(session.folder)
        self._audited = 0.0, ""  # when the judged sample was last written, and what it says

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        if shared_run_of(crawler):
            raise NotConfigured  # `ManyTopics` shows all topics
        extension = cls(crawler, session_of(crawler), sys.stderr)
        crawler.signals.connect(extension.opened, signals.spider_opened)
        crawler.signals.connect(extension.closed, signals.spider_closed)
        return extension

    def opened(self) -> None:
        session, totals = self.session, self.session.crawl.totals
        if session.resumed:
            logger.info(
                "Going on with %s in %s: %d pages so far, %d URLs wait",
                *(session.topic.name, session.folder, totals.pages, len(session.crawl.frontier)),
            )
        else:
            logger.info("Crawling %s into %s by %s", session.topic.name, session.folder, session.topic.strategy)
        if session.revisiting.due:
            days = session.topic.recrawl.age
            age = f"{days:g} days" if days >= 1 else f"{days * HOURS_A_DAY:g} hours"
            logger.info(
                "Asking once more for %d pages, which answered last %s ago or more", session.revisiting.due, age
            )
        if self.live:
            for handler in logging.root.handlers:
                handler.addFilter(self._clear_line)
        self._loop.start(self._interval, now=False)

    def show(self) -> None:
        self._tell_falls()
        self._strangers.look(self.session.crawl.totals.relevant)
        if self.live:
            width = shutil.get_terminal_size().columns
            self.stream.write(CLEAR + self.line()[: width - 1])
            self.stream.flush()
        else:
            logger.info("%s", self.line())

    def line(self) -> str:
        """The state of the crawl in one line."""
        session, crawl = self.session, self.session.crawl
        budget, totals, (then, before) = crawl.budget, crawl.totals, self._last
        now = time.monotonic()
        rate = (totals.pages - before) / max(now - then, 1e-9)
        self._last = (now, totals.pages)
        pages = f"{totals.pages:,}/{budget.pages:,}" if budget.pages else f"{totals.pages:,}"
        best = crawl.frontier.next_score
        asking = f", {len(crawl.asking):,} asked who links to them" if crawl.asking else ""
        asked, due = session.questions_asked, session.revisiting.due
        questions = f", {asked:,}/{session.topic.questions.most:,} questions" if asked else ""
        again = f" | {session.revisiting.done:,}/{due:,} asked again" if due else ""
        return (
            f"{pages} pages, {rate:.1f}/s | harvest {totals.harvest:.0%}, "
            f"{shown_harvest(totals.recent)}{self._judged()} | "
            f"{len(crawl.frontier):,} wait, best {'-' if best is None else f'{best:.3f}'}{asking}{questions} | "
            f"{crawl.hosts.visited:,} hosts, {_failures(session)}{again}"
            f"{_left_alone(session)}{' | paused' if session.orders.paused else self._left(now)}"
        )

    def _left(self, now: float) -> str:
        """How long the budget will last: its pages at the pace of this run, or its hours; empty if neither is known."""
        budget, pages = self.session.crawl.budget, self.session.crawl.totals.pages
        began, before = self._began
        lasts: list[float] = []
        if budget.pages and pages > before and now - began >= LIVE_SECONDS:
            lasts.append((budget.pages - pages) * (now - began) / (pages - before))
        if budget.hours:
            lasts.append(max(0.0, budget.hours * 3600 - self.session.journal.run.seconds))
        return f" | about {in_words(min(lasts))} left" if lasts else ""

    def _judged(self) -> str:
        """The harvest rate by a person's judgements, with a comma before it; read anew when the sample file has changed."""
        try:
            written = (self.session.folder / AUDIT).stat().st_mtime
        except OSError:
            return ""
        if written != self._audited[0]:
            with closing(open_to_read(self.session.folder)) as store:
                found = wings.ask("judged_harvest", store)
            self._audited = written, f", {found}" if found else ""
        return self._audited[1]

    def _tell_falls(self) -> None:
        for fall in self._watch.follow(self.session.crawl.totals):
            logger.warning("%s", fall.warning_of(self.session.topic.name))

    def closed(self) -> None:
        self._tell_falls()
        self._strangers.end(self.session.crawl.totals.relevant)
        if self._loop.running:
            self._loop.stop()
        if self.live:
            self.stream.write(CLEAR)
            for handler in logging.root.handlers:
                handler.removeFilter(self._clear_line)
        logger.info("%s", summary(self.session))

    def _clear_line(self, record: logging.LogRecord) -> bool:
        self.stream.write(CLEAR)
        return True


def summary(session: Session) -> str:
    """The end of a run in a few lines; for a run that collected nothing, why each seed gave no page."""
    crawl, folder = session.crawl, session.folder
    totals, name = crawl.totals, session.topic.name
    lines = [
        f"Ended: {session.ended.sentence if session.ended else 'not yet'}",
        f"  fetched   {totals.pages:,} pages ({totals.bytes / 1e6:,.1f} MB) of {crawl.hosts.visited:,} hosts, "
        f"{_failures(session)}, {totals.duplicates + totals.stale:,} that bring nothing new{_unstored(session)}",
    ]
    if not totals.pages:
        fates = [(plain(url), plain(why)) for url, why in session.seed_fates[:MOST_SEEDS]]
        more = len(session.seed_fates) - len(fates)
        lines += ["  nothing was collected:", *(f"    {url}: {why}" for url, why in fates)]
        lines += [f"    ... and {more} more seeds"] if more else []
        return "\n".join([*lines, f"  next      {_how_to_check(session.topic)}{_how_to_go_on(session)}"])
    lines += [
        f"  relevant  {totals.relevant:,} pages: harvest rate {totals.harvest:.1%}, {shown_harvest(totals.recent)}",
        *_what_lists_brought(session),
        *_what_became(session),
        f"  waiting   {len(crawl.frontier):,} URLs",
        f"  results   {folder / DATABASE} (history), {folder / PAGES} (pages)",
        f"  next      scrapy dashboard {name} | scrapy report {name} | scrapy explain {name} URL | "
        f"{_how_to_go_on(session)}",
    ]
    return "\n".join(lines)


def _what_became(session: Session) -> list[str]:
    """A line about re-fetched pages, if there were any."""
    counts, due = session.revisiting.counts, session.revisiting.due
    if not due:
        return []
    found = f"{counts[CHANGED]:,} changed, {counts[SAME]:,} as they were, {counts[GONE]:,} gone"
    left = due - session.revisiting.done
    rest = [f"{counts[MISSED]:,} without an answer"] if counts[MISSED] else []
    rest += [f"{left:,} not asked for"] if left else []
    return [f"  again     {', '.join([found, *rest])}"]


def _what_lists_brought(session: Session) -> list[str]:
    """A line about sitemaps, feeds and answers of searches, if any came."""
    totals = session.crawl.lists.totals
    if not totals.brought:
        return []
    pages = f"{totals.pages:,} pages came by their links, {totals.relevant:,} of them relevant"
    return [f"  lists     {totals.brought:,} sitemaps, feeds and the like with {totals.links:,} links; {pages}"]


def _left_alone(session: Session) -> str:
    """How many hosts are held, and when the first may be asked again; empty if none is held."""
    seconds = session.courtesy.left_alone() if session.courtesy else []
    if not seconds:
        return ""
    hosts = "1 host is" if len(seconds) == 1 else f"{len(seconds):,} hosts are"
    return f" | {hosts} held: asked again in {in_words(seconds[0])}"


def _unstored(session: Session) -> str:
    """How many pages the user's item pipelines have kept out of the collection."""
    count = session.journal.unstored.total()
    return f", {count:,} that the item pipelines have not stored" if count else ""


def _failures(session: Session) -> str:
    failures, unanswered = session.crawl.totals.failures, session.outage.doubts
    return f"{failures:,} failures" + (f", {unanswered:,} without an answer" if unanswered else "")


def _how_to_check(topic: Topic) -> str:
    """The command that checks the seeds; empty for a topic without a file."""
    if not topic.source:
        return ""
    file = topic.name if Path(topic.source).stem == topic.name else shlex.quote(topic.source)
    return f"scrapy topics {file} check | "


def _how_to_go_on(session: Session) -> str:
    """What would make the same command fetch more."""
    pages = session.crawl.budget.pages
    if session.error:
        return f"{session.going_on} once the cause is fixed"
    if pages and session.crawl.totals.pages >= pages:
        return f"-a pages={2 * pages} goes on, -a fresh=true starts anew"
    if session.crawl.exhausted and not session.crawl.totals.pages:
        return "correct the seeds, then -a fresh=true starts anew"
    if session.crawl.exhausted and len(session.crawl.frontier):
        return "a lower -a strategy.min_score goes on, -a fresh=true starts anew"
    if session.crawl.exhausted:
        return "more seeds or a wider [scope] go on, -a fresh=true starts anew"
    return f"{session.going_on}, -a fresh=true starts anew"
