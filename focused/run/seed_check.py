"""`scrapy topics check`: fetch a topic's seeds and show what they are worth, before any budget is spent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from scrapy.http import Response
from scrapy.settings import Settings

from focused.crawl.crawl import Crawl
from focused.crawl.seeds import seed_addresses
from focused.reading.page import Unreadable
from focused.reading.reader import Reader
from focused.run.assemble import assemble
from focused.run.page_fetching import fetch_pages
from focused.run.responses import read_response
from focused.storage.collection import data_folder
from focused.storage.trained_model import MODELS
from focused.topic.topic import Topic

BEST_LINKS = 20  #: links shown


@dataclass(slots=True)
class SeedCheck:
    """What came of fetching the seeds, in a core of its own that nothing is stored from."""

    topic: Topic
    reader: Reader
    crawl: Crawl
    texts: dict[int, str] = field(default_factory=dict)  #: URL of each id
    lines: list[str] = field(default_factory=list)  #: one a seed
    pages: int = 0

    def take_in(self, seed: str, response: Response) -> None:
        """Read a seed's response and score its links."""
        page = read_response(self.reader, response)
        if isinstance(page, Unreadable):
            self.fail(seed, page.reason)
            return
        arrival = self.crawl.fetched(self._id(seed), page, len(response.body))
        visit = arrival.visit
        self.pages += 1
        self.texts.update((int(visit.targets[i]), link.url) for i, link in enumerate(page.links))
        followed = int((arrival.scores == arrival.scores).sum())  # NaN, for a link not followed, differs from itself
        verdict = "relevant" if visit.relevant else "NOT RELEVANT"
        moved = f" -> {page.url}" if page.url != seed else ""
        self.lines.append(
            f"  {visit.relevance:.3f}  {verdict:<12}  {len(page.links):>5,} links, {followed:>5,} in scope  {seed}{moved}"
        )

    def fail(self, seed: str, reason: str) -> None:
        self.crawl.failed(self._id(seed))
        self.lines.append(f"      -  FAILED        {reason}  {seed}")

    def _id(self, seed: str) -> int:
        return self.crawl.urls.find(self.reader.rules.key(seed))

    def report(self) -> Iterator[str]:
        """Yield what a person should know before the crawl, line by line."""
        relevance = self.topic.relevance
        yield f"Seeds by relevance ({relevance.model}, threshold {relevance.threshold:g}):"
        yield from sorted(self.lines, reverse=True)
        ids, scores = self.crawl.frontier.waiting()
        yield ""
        yield f"The best of {len(ids):,} links, by {self.topic.strategy}:"
        parts = self.crawl.strategy.parts
        for url, score in zip(ids[:BEST_LINKS].tolist(), scores[:BEST_LINKS].tolist(), strict=True):
            named = zip(parts, self.crawl.frontier.parts(url), strict=True)
            yield f"  {score:.3f}  {self.texts[url]}  ({', '.join(f'{name} {part:.3f}' for name, part in named)})"


def check_seeds(topic: Topic, settings: Settings) -> SeedCheck:
    """Fetch the seeds of a topic with the settings of the project and the topic; return what came of it."""
    reader, crawl = assemble(topic, models=data_folder(settings) / MODELS)
    check = SeedCheck(topic, reader, crawl)
    seeds = seed_addresses(topic, reader.rules)
    crawl.start(seeds)
    for seed in seeds:
        crawl.pick(crawl.urls.find(seed.key))
    fetch_pages([seed.url for seed in seeds], topic, settings, check.take_in, check.fail)
    return check
