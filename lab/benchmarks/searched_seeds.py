"""The search for seeds, as a user runs it, over a recorded web: a stand-in answers, and pages come from the recording.

Queries, fetching, judging and choosing are the product's (`SeedSearch`). No label has a part in it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from time import process_time
from urllib.parse import urljoin

from scrapy import Request
from scrapy.http import Response

from focused.backlinks.contents import MOST_REDIRECTS
from focused.exceptions import SearchError
from focused.reading.urls import host_of
from focused.searching.choosing import chosen
from focused.searching.judged_pages import FAILED, Judge, Judged, Origin
from focused.searching.provider_list import Providers
from focused.searching.providers.own_collections import Hubs
from focused.searching.search_options import Wish
from focused.searching.search_provider import Found
from focused.searching.seed_search import SeedSearch
from focused.searching.web_questions import WebQuestions
from focused.simulation.analysed_web import REDIRECTS, AnalysedWeb
from focused.simulation.simulator import Network
from focused.topic.topic import Topic
from lab.benchmarks.stand_in_search import StandInSearch

NETWORK = Network()


@dataclass
class Searched:
    """What a search for seeds came to.

    seeds : canonical URLs; empty where the search found too few and would have written no topic
    looked_at : pages that it fetched and judged, in order
    seconds : virtual, of fetching and asking, with the delays of a crawl
    cpu_seconds : of all, reading of pages included
    """

    seeds: list[str] = field(default_factory=list)
    looked_at: list[str] = field(default_factory=list)
    questions: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0


class RecordedQuestions(WebQuestions):
    """Answers requests out of a recording, and counts the seconds that they would take.

    What is asked for at the same time runs at the same time, but one host is asked once a second.
    """

    def __init__(self, web: AnalysedWeb) -> None:
        self._web = web
        self.seconds = 0.0  #: when the last answer was there
        self._now, self._open = 0.0, 0
        self._free: dict[str, float] = {}

    async def send(self, request: Request) -> Response:
        if not self._open:
            self._now = self.seconds
        self._open += 1
        self._wait_for(host_of(request.url))
        await asyncio.sleep(0)  # the others of the batch begin now
        self._open -= 1
        return self._response(request.url)

    def _wait_for(self, host: str) -> None:
        begins = max(self._now, self._free.get(host, 0.0))
        self._free[host] = begins + NETWORK.delay
        self.seconds = max(self.seconds, begins + NETWORK.latency)

    def _response(self, url: str) -> Response:
        for _ in range(MOST_REDIRECTS + 1):
            answer = self._web.web.answer(url)
            if answer is None:
                break
            target = answer.header("Location")
            if answer.status not in REDIRECTS or not target:
                return Response(url, answer.status, dict(answer.headers), answer.body)
            url = self._web.reader.rules.canonical(urljoin(url, target)) or ""
        raise SearchError("not recorded")


class _Provider:
    """The stand-in as the search for seeds asks a provider."""

    def __init__(self, search: StandInSearch, web: RecordedQuestions) -> None:
        self.name, self._search, self._web = search.name, search, web

    async def search(self, query: str, most: int) -> list[Found]:
        self._web.seconds += NETWORK.latency
        return self._search.named(query, most)


def searched(
    topic: Topic,
    web: AnalysedWeb,
    search: StandInSearch | None = None,
    hubs: Hubs | None = None,
    listed: Sequence[tuple[Origin, Sequence[Found]]] = (),
) -> Searched:
    """Make a search with the usual limits. Of the topic only words and rules count, not its seeds."""
    started, asked, judge, wish = process_time(), RecordedQuestions(web), Judge(topic), Wish()
    providers = Providers([_Provider(search, asked)] if search else [], [hubs] if hubs else [])
    making = SeedSearch(judge, providers, asked, wish, lambda _: None)
    asyncio.run(making.run(listed))
    seeds = [page.url for page in chosen(making.judged, wish)]
    return Searched(
        seeds if len(seeds) >= wish.least else [],
        list(dict.fromkeys(page.url for page in making.judged if _came(page))),
        making.questions,
        asked.seconds,
        process_time() - started,
    )


def _came(page: Judged) -> bool:
    return not page.verdict.startswith(FAILED)
