"""`scrapy topics check`: fetches a topic's seeds and shows what they are worth, before any budget is spent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from scrapy.http import Response
from scrapy.settings import Settings

from focused.collection.collection import data_folder
from focused.collection.trained_model import MODELS
from focused.crawl.crawl import Crawl
from focused.crawl.events import Failed, PageArrived, Picked, Started
from focused.crawl.scope import seed_addresses
from focused.live.assemble import assemble
from focused.live.page_fetching import fetch_pages
from focused.live.responses import read_response
from focused.live.robots.robot import name_of_robot
from focused.page.page import Unreadable
from focused.page.reader import Reader
from focused.topic.topic import Topic


@dataclass(frozen=True)
class SeedFound:
    """What came of one seed.

    relevance : -1 if it gave no page
    moved : the URL that it redirected to; empty without a redirect
    links, followed : number of links on its page, and of those in scope; None if it gave no page
    """

    url: str
    verdict: str
    relevance: float = -1.0
    moved: str = ""
    links: int | None = None
    followed: int | None = None


@dataclass(slots=True)
class SeedCheck:
    """What came of fetching the seeds, in a separate core from which nothing is stored."""

    topic: Topic
    reader: Reader
    crawl: Crawl
    texts: dict[int, str] = field(default_factory=dict)  #: URL of each id
    seeds: list[SeedFound] = field(default_factory=list)
    pages: int = 0

    def take_in(self, seed: str, response: Response) -> None:
        """Read a seed's response and score its links."""
        page = read_response(self.reader, response)
        reason = page.reason if isinstance(page, Unreadable) else self.crawl.admission.against_page(page)
        if isinstance(page, Unreadable) or reason:
            self.fail(seed, reason)
            return
        arrival = self.crawl.apply(PageArrived(self._id(seed), page, len(response.body))).arrived
        visit = arrival.visit
        self.pages += 1
        self.texts.update((int(visit.targets[i]), link.url) for i, link in enumerate(page.links))
        followed = int((arrival.scores == arrival.scores).sum())  # NaN, for a link not followed, differs from itself
        verdict = "relevant" if visit.counts else visit.kind if visit.relevant else "NOT RELEVANT"
        if arrival.duplicate_of is not None:
            verdict = "DUPLICATE of another seed"
        moved = page.url if page.url != seed else ""
        self.seeds.append(SeedFound(seed, verdict, visit.relevance, moved, len(page.links), followed))

    def fail(self, seed: str, reason: str) -> None:
        self.crawl.apply(Failed(self._id(seed)))
        self.seeds.append(SeedFound(seed, f"FAILED: {reason}"))

    def best_links(self, most: int) -> Iterator[tuple[float, str, dict[str, float]]]:
        """Score, URL and parts of the links that wait, the best first."""
        ids, scores = self.crawl.frontier.waiting()
        for url, score in zip(ids[:most].tolist(), scores[:most].tolist(), strict=True):
            yield score, self.texts[url], self.crawl.named_parts(url)

    def _id(self, seed: str) -> int:
        return self.crawl.urls.find(self.reader.rules.key(seed))


def check_seeds(topic: Topic, settings: Settings) -> SeedCheck:
    """Fetch the seeds of a topic with the settings of the project and the topic; return what came of it."""
    reader, crawl = assemble(topic, models=data_folder(settings) / MODELS, robot=name_of_robot(settings))
    check = SeedCheck(topic, reader, crawl)
    seeds = seed_addresses(topic, reader.rules)
    for url in crawl.apply(Started(seeds)).urls:
        crawl.apply(Picked(url))
    fetch_pages([seed.url for seed in seeds], topic, settings, check.take_in, check.fail)
    return check
