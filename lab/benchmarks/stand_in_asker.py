"""Asks stand-ins while a simulated crawl goes on: a search, and who knows links."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from focused.crawl.crawl import Crawl
from focused.crawl.occasions import Occasions
from focused.reading.reader import Reader
from focused.reading.urls import Address, host_of
from focused.run.questions import Question
from focused.searching.answer_feeds import feed_of, usable
from focused.searching.providers.own_collections import Hubs
from focused.searching.query_ideas import (
    MOST_GOOD,
    MOST_OTHERS,
    Known,
    QueryIdeas,
    best_urls,
    known,
    some_of_each_host,
)
from focused.searching.result_pages import MOST
from focused.searching.search_provider import Found
from focused.simulation.analysed_web import AnalysedWeb, Fetched
from focused.simulation.simulator import Fetch
from focused.topic.topic import QuestionOptions
from lab.benchmarks.stand_in_search import StandInSearch

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
    """Asks stand-ins as a live crawl asks (see `Questioning`), in turn; it knows of its crawl what a collection knows."""

    def __init__(
        self,
        options: QuestionOptions,
        crawl: Crawl,
        reader: Reader,
        web: AnalysedWeb,
        askers: Sequence[StandInSearch | Hubs],
    ) -> None:
        self.occasions = Occasions(options)
        topic = crawl.topic
        terms = frozenset(reader.analyser.terms(" ".join(topic.keywords)))
        self.ideas = QueryIdeas(topic.keywords, terms)
        self.fetches: list[Fetch] = []
        self.brought: dict[int, Brought] = {}  # by id of the question's address
        self._crawl, self._reader, self._web, self._askers = crawl, reader, web, askers
        self._options, self._why = options, ""

    @property
    def may_ask(self) -> bool:
        return self.occasions.may_ask

    def due(self) -> bool:
        self._why = self.occasions.due(self._crawl)
        if not self._why:
            return False
        self.occasions.passes(self._crawl.totals)
        if not self._has_idea():
            return False  # the next occasion may have one
        self.occasions.asked += 1
        return True

    def ask(self) -> tuple[Address, bytes] | None:
        pages = self._known()
        turn = (self.occasions.asked - 1) % len(self._askers)
        for asker in (*self._askers[turn:], *self._askers[:turn]):
            words = self.ideas.about_links(pages) if isinstance(asker, Hubs) else self.ideas.next(pages)
            if words is not None:
                return self._answer(asker, words, pages)
        return None

    def _has_idea(self) -> bool:
        """A search can always be asked for something; who knows links only once there are pages to ask about."""
        only_links = all(isinstance(asker, Hubs) for asker in self._askers)
        return not only_links or self.ideas.about_links(self._known()) is not None

    def _answer(self, asker: StandInSearch | Hubs, words: str, pages: list[Known]) -> tuple[Address, bytes]:
        self.ideas.asked.append(words)
        question = Question(asker.name, words)
        named = _links(asker, pages) if isinstance(asker, Hubs) else asker.named(words, NAMED)
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


def _links(asker: Hubs, pages: list[Known]) -> list[Found]:
    return asyncio.run(asker.linking_to(best_urls(pages), MOST))
