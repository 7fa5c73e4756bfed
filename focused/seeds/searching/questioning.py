"""Asks search providers while a crawl goes on, when it fails.

A question is asked outside of the crawl's way: by Scrapy's downloader, with robots.txt and delays as for pages, or in a thread. The
answer is one event of the crawl. What was asked stands in the journal: a question without an answer is asked again by the next run.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

from lxml import etree
from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.exceptions import DontCloseSpider
from scrapy.utils.asyncio import create_looping_call
from scrapy.utils.defer import deferred_from_coro
from twisted.python.failure import Failure

from focused.collection.collection import PAGES, data_folder, open_repository, opened
from focused.collection.repository import Place
from focused.crawl.url_forms import domain_of
from focused.exceptions import FocusedError, SearchError
from focused.live.questions import ORIGIN, Question, pages_before, questions_asked
from focused.live.scrapy_engine import ScrapyEngine
from focused.live.session import Session, session_of
from focused.page.addresses import is_local
from focused.page.page import Page
from focused.page.plain_text import LONGEST_TITLE, plain
from focused.page.reader import Reader
from focused.page.urls import UrlRules, host_of
from focused.seeds.searching.occasions import Occasions
from focused.seeds.searching.queries import (
    MOST_GOOD,
    MOST_OTHERS,
    QueryIdeas,
    QuerySource,
    best_urls,
    known,
    some_of_each_host,
)
from focused.seeds.searching.search_providers import (
    LONGEST_SNIPPET,
    MOST,
    Hubs,
    SearchProvider,
    SearchResult,
    answer_of,
    check_specs,
    open_providers,
)
from focused.seeds.searching.web_questions import WebQuestions
from focused.topic.topic import Topic

ATOM_NAMESPACE = "http://www.w3.org/2005/Atom"
_NOBODYS = urlsplit(ORIGIN).hostname


def usable(
    found: Sequence[SearchResult], rules: UrlRules, most: int, per_site: int, *, private: bool = False
) -> Iterator[SearchResult]:
    """The results that lead somewhere, each URL once and in canonical form.

    most, per_site : results in all, and of one registered domain
    private : hosts on this machine and in private networks are among them
    """
    seen: set[str] = set()
    of_site = Counter[str]()
    for one in found:
        url = rules.canonical(one.url)
        if url is None or url in seen or host_of(url) == _NOBODYS or (not private and is_local(host_of(url))):
            continue
        site = domain_of(host_of(url))
        if of_site[site] == per_site or len(seen) == most:
            continue
        of_site[site] += 1
        seen.add(url)
        yield SearchResult(url, one.title, one.snippet, one.rank)


def feed_of(question: Question, found: Sequence[SearchResult]) -> bytes:
    """The results as a feed, in their order."""
    root = etree.Element("feed", {"xmlns": ATOM_NAMESPACE})
    _add(root, "title", plain(question.words, LONGEST_TITLE))
    for one in found:
        entry = etree.SubElement(root, "entry")
        _add(entry, "title", plain(one.title, LONGEST_TITLE))
        etree.SubElement(entry, "link", href=one.url)
        _add(entry, "summary", plain(one.snippet, LONGEST_SNIPPET))
    return etree.tostring(root, encoding="utf-8", xml_declaration=True)


def _add(element: etree._Element, name: str, text: str) -> None:
    etree.SubElement(element, name).text = text


logger = logging.getLogger(__name__)

INTERVAL = 1.0  #: seconds between two looks at whether it is time for a question
ASKED, FAILED = "focused/questions/asked", "focused/questions/failed"
RESULTS = {
    "new": "focused/questions/new",
    "known": "focused/questions/known",
    "barred": "focused/questions/barred",
}
LOOKED_AT = 2_000  #: rows of the history of either kind, among which pages of several hosts are looked for
#: The most relevant pages, and the last of the rest; those that bring nothing new say nothing new.
SAMPLE = """
    SELECT u.url, f.relevance, f.relevant, f.file, f.offset, f.length FROM fetches f JOIN urls u ON u.id = f.final_url
    WHERE f.outcome = 'page' AND f.verdict IS NULL AND """
GOOD = f"{SAMPLE} f.relevant = 1 ORDER BY f.relevance DESC, f.seq LIMIT {LOOKED_AT}"
OTHERS = f"{SAMPLE} f.relevant = 0 ORDER BY f.seq DESC LIMIT {LOOKED_AT}"


class Questioning:
    """Asks one question at a time, the providers in turn. One that gives no answer is not asked again in this run.

    specs : of the providers, some at least; they are opened for the first question, so that a crawl that does well needs none

    Attributes
    ----------
    failures : questions of this run that got no answer; they take their place in the budget
    """

    def __init__(self, crawler: Crawler, session: Session, specs: Sequence[str]) -> None:
        self.crawler, self.session = crawler, session
        self.failures = 0
        self._specs = specs
        self._askers: list[SearchProvider | Hubs] | None = None  # none is open
        asked = questions_asked(session.store)
        pages = pages_before(session.store, asked[-1].seq) if asked else 0
        self._occasions = Occasions(session.topic.questions, len(asked), pages)
        topic, analyser = session.topic, session.reader.analyser
        terms = frozenset(analyser.terms(" ".join(topic.keywords)))
        self._ideas = QueryIdeas(topic.keywords, terms, [one.question.words for one in asked])
        self._is_open = self._is_closed = False
        self._loop = create_looping_call(self.look)
        self._results = dict.fromkeys(RESULTS, 0)
        session.crawl.asks_more = self._may_ask
        session.count_questions(len(asked))

    @classmethod
    def of(cls, crawler: Crawler, specs: Sequence[str]) -> Self:
        """Connect it to the signals of a crawler. Raises SearchError for mistakes in specs."""
        check_specs([spec for spec in specs if not spec.startswith("hubs")])
        extension = cls(crawler, session_of(crawler), specs)
        crawler.signals.connect(extension.opened, signals.spider_opened)
        crawler.signals.connect(extension.look, signals.item_scraped)
        crawler.signals.connect(extension.idle, signals.spider_idle)
        crawler.signals.connect(extension.closed, signals.spider_closed)
        return extension

    @property
    def _may_ask(self) -> bool:
        return self._askers != [] and self._occasions.may_ask

    def opened(self) -> None:
        self._loop.start(INTERVAL, now=True)

    def idle(self) -> None:
        """Keep the spider open while an answer may bring something to fetch."""
        self.look()
        if self.session.crawl.asks_more and self.session.stop() is None:
            raise DontCloseSpider

    def closed(self) -> None:
        self._is_closed = True
        if self._loop.running:
            self._loop.stop()

    def look(self) -> None:
        """Ask, if it is time to, and no question is open."""
        session = self.session
        if self._is_open or self._is_closed or session.error or session.orders.paused or session.stop() is not None:
            return
        if self._may_ask and (why := self._occasions.due(session.crawl)):
            self._is_open = True
            self._occasions.passes(session.crawl.totals)
            deferred_from_coro(self._ask(why)).addErrback(self._failed).addBoth(self._over)

    async def _ask(self, why: str) -> None:
        """Make a question of what the crawl has learned, ask it, and take in the answer."""
        if self._askers is None:
            data, web = data_folder(self.crawler.settings), WebQuestions(self.crawler)
            providers = open_providers(self._specs, web, self.session.reader, data)
            self._askers = [*providers.searching, *providers.hubs]
        pages: list[QuerySource] = []
        if self.session.crawl.totals.pages:
            pages = await asyncio.to_thread(known_pages, self.session.folder, self.session.topic)
        turn = self._occasions.asked % len(self._askers)
        for asker in (*self._askers[turn:], *self._askers[:turn]):
            words = self._ideas.about_links(pages) if isinstance(asker, Hubs) else self._ideas.next(pages)
            if words is not None:
                break
        else:
            if self.session.crawl.is_stuck:  # nothing will teach it more
                self._askers.clear()
            return
        self._occasions.asked += 1
        question = Question(asker.name, words)
        found = await self._answer(asker, question, pages)
        if found is None or self._is_closed or self.session.ended or self.session.error:
            return
        self._take_in(question, found, why)

    async def _answer(
        self, asker: SearchProvider | Hubs, question: Question, pages: list[QuerySource]
    ) -> list[SearchResult] | None:
        """What it says; None, and no more questions, where it fails."""
        asking = (
            asker.linking_to(best_urls(pages), MOST) if isinstance(asker, Hubs) else asker.search(question.words, MOST)
        )
        try:
            return await answer_of(asker.name, asking)
        except SearchError as error:
            reason = plain(str(error), 200)
        self.failures += 1
        self._askers = [other for other in self._askers or () if other is not asker]
        self.crawler.stats.set_value(FAILED, self.failures)
        if not self._is_closed:
            logger.warning("%s: %s; it is not asked again in this run", asker.name, reason)
        return None

    def _take_in(self, question: Question, found: list[SearchResult], why: str) -> None:
        session, topic = self.session, self.session.topic
        crawl, rules = session.crawl, session.reader.rules
        limits = topic.questions.results, topic.questions.per_site
        results = list(usable(found, rules, *limits, private=topic.scope.allow_private))
        addresses = [rules.address(one.url) for one in results]
        barred = sum(bool(crawl.admission.against_address(address)) for address in addresses)
        known = sum(
            crawl.urls.is_met(address.key) and not crawl.admission.against_address(address) for address in addresses
        )
        session.found(question.address, feed_of(question, results))
        session.count_questions(session.questions_asked + 1)
        self._ideas.asked.append(question.words)
        counts = {"new": len(results) - known - barred, "known": known, "barred": barred}
        for name, count in counts.items():
            self._results[name] += count
            self.crawler.stats.set_value(RESULTS[name], self._results[name])
        self.crawler.stats.inc_value(ASKED)
        logger.info(
            "Asked %s for %r, as %s: %d results, %d of them new%s",
            *(question.provider, question.words, why, len(results), counts["new"]),
            f", {barred} out of scope" if barred else "",
        )

    def _failed(self, failure: Failure) -> None:
        """A bug of ours, or a provider that cannot be opened, costs the questions, not the crawl."""
        self._askers = []
        if not self.session.error and not self._is_closed:
            told = None if isinstance(failure.value, FocusedError) else (failure.type, failure.value, failure.tb)
            logger.error("Asking a search failed, no more questions are asked: %s", failure.value, exc_info=told)  # type: ignore[arg-type]

    def _over(self, _: object) -> None:
        self._is_open = False
        if not self._is_closed:
            self.session.crawl.asks_more = self._may_ask
            ScrapyEngine(self.crawler).look_again()


def known_pages(folder: Path, topic: Topic) -> list[QuerySource]:
    """What was committed: good pages, the best first, then others, the last first. Raises StorageError.

    It has a connection and a reader of its own.
    """
    reader = Reader(topic.reading, keep=topic.keywords_by_language)
    with opened(folder) as store:
        good, others = (store.execute(query).fetchall() for query in (GOOD, OTHERS))
    repository, found = open_repository(topic.storage.pages, folder / PAGES), []
    for rows, most in ((good, MOST_GOOD), (others, MOST_OTHERS)):
        for url, relevance, relevant, *place in some_of_each_host(rows, lambda row: host_of(row[0]), most):
            stored = repository.get(Place(*place))
            page = reader.read(url, stored.body, stored.content_type)
            if isinstance(page, Page):
                found.append(known(page, relevance, reader.analyser, relevant=bool(relevant)))
    return found
