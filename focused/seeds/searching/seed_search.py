"""The search for seeds: ask, fetch, judge, learn, ask again, until there are enough, or time, questions or ideas have run out."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from scrapy import Request
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK

from focused.crawl.scope import ScopeRules
from focused.crawl.url_forms import domain_of
from focused.exceptions import SearchError
from focused.live.assemble import page_model_of
from focused.live.responses import read_response
from focused.page.page import Unreadable
from focused.page.page_kind import STUB
from focused.page.plain_text import plain
from focused.page.urls import UrlRules, host_of
from focused.seeds.searching.queries import WrittenWords, first_queries, next_queries, telling_words, words_of
from focused.seeds.searching.search_options import SearchBudget
from focused.seeds.searching.search_providers import LONGEST_QUESTION, Providers, SearchResult, answer_of
from focused.seeds.searching.web_questions import WebQuestions
from focused.topic.topic import Topic

RELEVANT, NOT_RELEVANT, COPY, FAILED = "relevant", "NOT RELEVANT", "copy", "FAILED"


@dataclass(frozen=True)
class Origin:
    """Where a page was found first.

    provider : who named it; a file or a collection where nobody was asked
    query : the words that it was asked with; empty for none
    """

    provider: str
    query: str = ""


@dataclass(frozen=True)
class SeedCandidate:
    """A page that was found, and what it is worth.

    url : canonical, after redirects where there is a page
    relevance : in [0, 1]; -1 where there is no page
    verdict : `RELEVANT`, a kind of `page_kind` where a relevant page hardly says anything itself, `NOT_RELEVANT`, `COPY`, or
        `FAILED` with the reason
    good : whether it may be a seed
    """

    url: str
    host: str
    relevance: float
    verdict: str
    good: bool
    origin: Origin
    title: str = ""


class SeedJudge:
    """Reads responses as the topic does, and says what each is worth.

    Attributes
    ----------
    words : of all pages so far, for the next queries
    """

    def __init__(self, topic: Topic, models: Path | None = None) -> None:
        self.topic = topic
        self.reader, self.model = page_model_of(topic, models=models)
        self.keywords = frozenset(self.reader.analyser.terms(" ".join(topic.keywords)))
        self.words: list[WrittenWords] = []
        self._seen: set[str] = set()  # URLs and contents

    def judge(self, url: str, response: Response, origin: Origin) -> SeedCandidate:
        """What the response to a canonical URL is worth."""
        if response.status != 200:
            return self.failed(url, f"http {response.status}", origin)
        page = read_response(self.reader, response)
        if isinstance(page, Unreadable):
            return self.failed(url, page.reason, origin)
        if {page.url, page.content_hash} & self._seen:
            return SeedCandidate(page.url, page.host, -1.0, COPY, False, origin, page.title)
        self._seen |= {page.url, page.content_hash}
        relevance = self.model(page)
        relevant = self.topic.is_on_topic(page, relevance)
        self.words.append(words_of(page, self.reader.analyser, relevant=relevant))
        verdict = (page.kind or RELEVANT) if relevant else NOT_RELEVANT
        return SeedCandidate(
            page.url, page.host, relevance, verdict, relevant and page.kind != STUB, origin, page.title
        )

    def failed(self, url: str, reason: str, origin: Origin) -> SeedCandidate:
        return SeedCandidate(url, host_of(url), -1.0, f"{FAILED}: {plain(reason, 80)}", False, origin)


def chosen(judged: Iterable[SeedCandidate], wish: SearchBudget) -> list[SeedCandidate]:
    """The good pages, the most relevant first, within the limits of a wish."""
    of_domain: Counter[str] = Counter()
    seeds: list[SeedCandidate] = []
    for page in sorted(judged, key=lambda page: (-page.relevance, page.url)):
        domain = domain_of(page.host)
        if page.good and len(seeds) < wish.seeds and of_domain[domain] < wish.per_site:
            of_domain[domain] += 1
            seeds.append(page)
    return seeds


PAGES_AT_ONCE = 20  #: that are fetched before the next questions are made of them
WORDS_A_ROUND = 3  #: new queries that are made of what a round has found
TellLine = Callable[[str], None]  #: told each question and what came of it, in one line

logger = logging.getLogger(__name__)
#: Of reciprocal rank fusion (Cormack et al. 2009): a page is worth the sum of 1 / (RANK + rank) over all answers that name it.
RANK = 60


class SeedSearch:
    """One search.

    Attributes
    ----------
    judged : what came of each page that was fetched
    questions : so many have been asked
    """

    def __init__(
        self, judge: SeedJudge, providers: Providers, web: WebQuestions, wish: SearchBudget, tell: TellLine
    ) -> None:
        self._judge, self._providers, self._web, self._wish, self._tell = judge, providers, web, wish, tell
        self._candidates = Candidates(judge.topic, judge.reader.rules, wish.per_site + 1)
        self._ends = time.monotonic() + wish.seconds
        self._asked: list[str] = []
        self.judged: list[SeedCandidate] = []
        self.questions = 0

    @property
    def left(self) -> float:
        """Seconds that are left."""
        return self._ends - time.monotonic()

    @property
    def enough(self) -> bool:
        return len(chosen(self.judged, self._wish)) >= self._wish.seeds

    async def run(self, listed: Sequence[tuple[Origin, Sequence[SearchResult]]] = ()) -> None:
        """Search, beginning with pages that a person has listed."""
        for origin, found in listed:
            self._tell(f"{origin.provider}: {self._candidates.add(found, origin):,} URLs that can be asked for")
        if listed:
            await self._look()
        queries = self._first_queries()
        while queries and self._may_go_on():
            looked_at = len(self.judged)
            for query in queries:
                await self._ask_all(query)
            await self._look()
            await self._ask_for_hubs()
            brought_something = len(self.judged) > looked_at
            queries = self._new_queries() if brought_something else []
        if listed and not self._providers.searching:
            await self._ask_for_hubs()
        await self._look(all_of_them=True)

    def _may_go_on(self) -> bool:
        asking = self._providers.searching or self._providers.hubs
        return bool(asking) and self.questions < self._wish.questions and self.left > 0 and not self.enough

    async def _ask_all(self, query: str) -> None:
        self._asked.append(query)
        for provider in tuple(self._providers.searching):
            if not self._may_go_on():
                return
            asking = provider.search(query, self._wish.results)
            found = await self._answer(provider.name, asking, "; it is not asked again")
            if found is None:
                self._providers.searching.remove(provider)
            else:
                usable = self._candidates.add(found, Origin(provider.name, query))
                self._tell(f"{provider.name}: {query!r}: {usable} pages")

    async def _ask_for_hubs(self) -> None:
        """Ask who links to the best pages so far."""
        best = [page.url for page in chosen(self.judged, self._wish)]
        for hubs in tuple(self._providers.hubs) if len(best) > 1 else ():
            if not self._may_go_on():
                break
            self._providers.hubs.remove(hubs)  # the next answer would hardly be another
            found = await self._answer(hubs.name, hubs.linking_to(best, self._wish.results))
            if found is not None:
                usable = self._candidates.add(found, Origin(hubs.name))
                self._tell(f"{hubs.name}: {usable} pages link to several of the {len(best)} best")
        await self._look()

    async def _answer(
        self, name: str, asking: Awaitable[list[SearchResult]], then: str = ""
    ) -> list[SearchResult] | None:
        """What somebody found; None where there is no answer, which is told, with what comes of it."""
        self.questions += 1
        try:
            return await answer_of(name, asking, max(1.0, min(self.left, LONGEST_QUESTION)))
        except SearchError as error:
            self._tell(f"{name}: {error}{then}")
            return None

    def _first_queries(self) -> list[str]:
        """So many that half of the questions are left for what will be learned."""
        askers = len(self._providers.searching)
        if not askers:
            return []
        return first_queries(self._judge.topic.keywords)[: max(1, self._wish.questions // (2 * askers))]

    def _new_queries(self) -> list[str]:
        words = telling_words(self._judge.words, self._judge.keywords, len(self._asked) + WORDS_A_ROUND)
        return list(next_queries(self._judge.topic.keywords, words, self._asked))[:WORDS_A_ROUND]

    async def _look(self, *, all_of_them: bool = False) -> None:
        """Fetch and judge the best of what was named; in the end as much as is needed and allowed."""
        while (room := self._wish.pages - len(self.judged)) > 0 and self.left > 0 and not self.enough:
            taken = self._candidates.take(min(room, PAGES_AT_ONCE))
            if not taken:
                return
            tasks = {asyncio.create_task(self._fetch(url, origin)): (url, origin) for url, origin in taken}
            done, late = await asyncio.wait(tasks, timeout=max(1.0, self.left))
            self.judged += [task.result() for task in tasks if task in done]
            for task in late:
                task.cancel()
                url, origin = tasks[task]
                self.judged.append(self._judge.failed(url, "no time was left", origin))
            if not all_of_them:
                return

    async def _fetch(self, url: str, origin: Origin) -> SeedCandidate:
        try:
            response = await self._web.send(Request(url, NO_CALLBACK, dont_filter=True))
        except SearchError as error:
            return self._judge.failed(url, str(error), origin)
        try:
            return self._judge.judge(url, response, origin)
        except Exception:
            logger.debug("The page %s", url, exc_info=True)
            return self._judge.failed(url, "cannot be judged", origin)


class Candidates:
    """Takes in answers, and gives out URLs to be fetched.

    per_domain : URLs of a registered domain that are given out, at most
    """

    def __init__(self, topic: Topic, rules: UrlRules, per_domain: int) -> None:
        self._rules, self._scope = rules, ScopeRules(topic.scope)
        self._per_domain = per_domain
        self._worth: defaultdict[str, float] = defaultdict(float)
        self._origins: dict[str, Origin] = {}
        self._given: set[str] = set()
        self._of_domain: Counter[str] = Counter()

    def add(self, found: Iterable[SearchResult], origin: Origin) -> int:
        """Take in an answer; return how many URLs in it can be asked for at all: on the Web, and in the topic's scope."""
        usable = 0
        for one in found:
            url = self._rules.canonical(one.url)
            if url is None or self._scope.verdict(url, host_of(url)):
                continue
            usable += 1
            self._worth[url] += 1 / (RANK + one.rank)
            self._origins.setdefault(url, origin)
        return usable

    def take(self, most: int) -> list[tuple[str, Origin]]:
        """The best URLs that were not given out before, ``most`` at most."""
        taken: list[tuple[str, Origin]] = []
        for url in sorted(self._worth.keys() - self._given, key=lambda url: (-self._worth[url], url)):
            domain = domain_of(host_of(url))
            if len(taken) < most and self._of_domain[domain] < self._per_domain:
                self._of_domain[domain] += 1
                self._given.add(url)
                taken.append((url, self._origins[url]))
        return taken
