"""Simulated crawls that ask a search while they go on, and what each of their questions brought.

The search knows a part of a recorded web: BM25 over titles and texts of the pages that a hash of their URL draws. It sees no label
and no topic. What it names is what a search engine on the Web names: addresses, titles, and the words around those asked for.
"""

from __future__ import annotations

import re
import sqlite3
import sys
from collections.abc import Mapping, Sequence, Set
from contextlib import closing
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from pathlib import Path

from focused.crawl.crawl import Crawl
from focused.crawl.occasions import Occasions
from focused.reading.reader import Reader
from focused.reading.urls import Address, UrlRules, host_of
from focused.run.assemble import assemble
from focused.run.questions import Question
from focused.searching.answer_feeds import feed_of, usable
from focused.searching.query_ideas import (
    MOST_GOOD,
    MOST_OTHERS,
    Known,
    QueryIdeas,
    known,
    some_of_each_host,
)
from focused.searching.search_provider import Found
from focused.simulation.analysed_web import AnalysedWeb, Fetched
from focused.simulation.simulator import Fetch, Network, Simulator
from focused.simulation.web_opener import WebOpener
from focused.topic.topic import Budget, QuestionOptions
from lab.judging.run import Run, Spelling
from lab.measures import normalised_area
from lab.topics.labelled_topics import LabelledFile

ONE_IN = 10  #: pages that is indexed
LONGEST_TEXT = 20_000  #: characters of a page that are indexed
IN_TITLE = 5.0  #: how much more a word counts there than in the text
AROUND = 30  #: words of a snippet
REPORT_EVERY = 1_000
NAME = "stand-in"


class StandInSearch:
    """Asks an index; it is built by `index_of`."""

    name = NAME

    def __init__(self, path: Path) -> None:
        self._db = sqlite3.connect(path)

    def close(self) -> None:
        self._db.close()

    def named(self, query: str, most: int) -> list[Found]:
        """The pages with any of these words, the best first."""
        words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", query))
        rows = self._db.execute(
            f"SELECT url, title, snippet(pages, 2, '', '', ' ', {AROUND}) FROM pages WHERE pages MATCH ? "
            f"ORDER BY bm25(pages, 0, {IN_TITLE}, 1) LIMIT ?",
            (words, most),
        )
        return [Found(url, title, snippet, rank) for rank, (url, title, snippet) in enumerate(rows, 1)]


def is_drawn(url: str, one_in: int = ONE_IN) -> bool:
    """Whether a page is indexed, which depends on its URL alone."""
    return int.from_bytes(blake2b(url.encode(), digest_size=8).digest(), "big") % one_in == 0


def index_of(web: AnalysedWeb, path: Path, one_in: int = ONE_IN) -> None:
    """Index a web, unless that was done before."""
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".part")
    unfinished.unlink(missing_ok=True)
    with closing(sqlite3.connect(unfinished)) as db:
        db.execute("CREATE VIRTUAL TABLE pages USING fts5(url UNINDEXED, title, text, tokenize = 'porter unicode61')")
        drawn = [url for url in web.web.urls() if is_drawn(url, one_in)]
        for number, url in enumerate(drawn):
            if number % REPORT_EVERY == 0:
                print(f"{number:,} of {len(drawn):,} pages indexed", file=sys.stderr)
            answer = web.ask(web.reader.rules.canonical(url) or url)
            if isinstance(answer, Fetched):
                row = (answer.page.url, answer.page.title, answer.page.text[:LONGEST_TEXT])
                db.execute("INSERT INTO pages VALUES (?, ?, ?)", row)
        db.commit()
    unfinished.rename(path)


NAMED = 60  #: pages that the stand-in names, of which the limits of the topic leave some


@dataclass
class Brought:
    """What a question brought: pages whose links its answer was the best for, and all that was found on the way through those."""

    why: str
    words: str
    at: int  #: pages before it
    results: int
    new: int = 0  #: of the results, never heard of before
    fetched: int = 0
    targets: int = 0
    reached: int = 0  #: pages, through these pages as well
    reached_targets: int = 0


class StandInAsker:
    """Asks a stand-in as a live crawl asks (see `AskAgain`); it knows of its crawl what a collection knows."""

    def __init__(
        self,
        options: QuestionOptions,
        crawl: Crawl,
        reader: Reader,
        web: AnalysedWeb,
        search: StandInSearch,
    ) -> None:
        self.occasions = Occasions(options)
        topic = crawl.topic
        terms = frozenset(reader.analyser.terms(" ".join(topic.keywords)))
        self.ideas = QueryIdeas(topic.keywords, terms)
        self.fetches: list[Fetch] = []
        self.brought: dict[int, Brought] = {}  # by id of the question's address
        self._crawl, self._reader, self._web, self._search = crawl, reader, web, search
        self._options, self._why = options, ""

    @property
    def may_ask(self) -> bool:
        return self.occasions.may_ask

    def due(self) -> bool:
        self._why = self.occasions.due(self._crawl)
        if not self._why:
            return False
        self.occasions.passes(self._crawl.totals)
        self.occasions.asked += 1
        return True

    def ask(self) -> tuple[Address, bytes] | None:
        words = self.ideas.next(self._known())
        if words is None:
            return None
        self.ideas.asked.append(words)
        question = Question(self._search.name, words)
        named = self._search.named(words, NAMED)
        found = list(usable(named, self._reader.rules, self._options.results, self._options.per_site))
        brought = Brought(self._why, words, self._crawl.totals.pages, len(found))
        keys = [self._reader.rules.key(one.url) for one in found]
        brought.new = sum(not self._crawl.urls.is_met(key) for key in keys)
        self.brought[len(self._crawl.urls)] = brought
        return question.address, feed_of(question, found)

    def _known(self) -> list[Known]:
        pages = [fetch for fetch in self.fetches if fetch.outcome == "page" and not fetch.verdict]
        best = sorted((one for one in pages if one.relevant), key=lambda one: -(one.relevance or 0.0))
        others = [one for one in reversed(pages) if not one.relevant]
        chosen = [*some_of_each_host(best, _host, MOST_GOOD), *some_of_each_host(others, _host, MOST_OTHERS)]
        return [one for fetch in chosen if (one := self._one_known(fetch))]

    def _one_known(self, fetch: Fetch) -> Known | None:
        answer = self._web.ask(fetch.final_url)
        if not isinstance(answer, Fetched):
            return None
        return known(answer.page, fetch.relevance or 0.0, self._reader.analyser, relevant=fetch.relevant)


def _host(fetch: Fetch) -> str:
    return host_of(fetch.final_url)


@dataclass
class Crawled:
    """One crawl, judged."""

    topic: str
    in_flight: int
    asking: bool
    area: float  #: normalised, by the targets that links lead to from the seeds
    area_of_all: float  #: the same by all targets: a search may name those that no link leads to
    pages: int
    targets: int
    brought: list[Brought] = field(default_factory=list)


def crawled(
    labelled: LabelledFile,
    opener: WebOpener,
    search: StandInSearch,
    pages: int,
    network: Network,
    options: QuestionOptions | None,
    seed: int = 1,
) -> Crawled:
    """Crawl a topic, with questions or (None) without. No label reaches the crawl."""
    topic = labelled.topic.model_copy(update={"strategy": "adaptive", "budget": Budget(pages=pages)})
    reader = Reader(topic.reading, keep=topic.keywords)
    web = opener.open(topic, reader, labelled.part)
    _, crawl = assemble(topic, seed=seed)
    asker = StandInAsker(options, crawl, reader, web, search) if options else None
    fetches: list[Fetch] = []
    for fetch in Simulator(crawl, web, network, asker=asker).fetches():
        fetches.append(fetch)
        if asker:
            asker.fetches.append(fetch)
    opener.save()
    judgements = labelled.read().judgements
    label = Spelling(judgements, reader.rules).label
    urls = [label(fetch.final_url) for fetch in fetches if fetch.outcome == "page"]
    duplicates = {label(fetch.final_url): label(fetch.duplicate_of) for fetch in fetches if fetch.duplicate_of}
    run = Run("adaptive", topic.name, seed, urls, duplicates)
    targets = judgements.targets
    found = Crawled(
        topic.name,
        network.in_flight,
        asker is not None,
        normalised_area(run, judgements, pages),
        normalised_area(run, replace(judgements, reachable=None), pages),
        len(urls),
        len(targets.intersection(urls)),
    )
    if asker:
        attribute(
            asker.brought, crawl, fetches, {fetch.final_url for fetch in fetches if label(fetch.final_url) in targets}
        )
        found.brought = list(asker.brought.values())
    return found


def attribute(brought: Mapping[int, Brought], crawl: Crawl, fetches: Sequence[Fetch], targets: Set[str]) -> None:
    """Count for each question what was fetched because of it: the way to a page is that of the best link to it."""
    origin: dict[int, int] = {}  # page -> question whose answer the way to it begins with
    for fetch in fetches:
        if fetch.outcome != "page":
            continue
        ids = [crawl.urls.find(UrlRules.key(url)) for url in (fetch.url, fetch.final_url)]
        source = int(crawl.urls.source[ids[0]])
        is_target = fetch.final_url in targets
        asked = source if source in brought else origin.get(source)
        if source in brought:
            brought[source].fetched += 1
            brought[source].targets += is_target
        if asked is not None:
            origin[ids[0]] = origin[ids[1]] = asked
            brought[asked].reached += 1
            brought[asked].reached_targets += is_target
