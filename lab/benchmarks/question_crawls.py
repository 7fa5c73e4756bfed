"""Simulated crawls that ask a stand-in search while they go on, and what each of their questions brought."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from focused.crawl.crawl import Crawl
from focused.reading.reader import Reader
from focused.reading.urls import UrlRules
from focused.run.assemble import assemble
from focused.simulation.simulator import Fetch, Network, Simulator
from focused.simulation.web_opener import WebOpener
from focused.topic.topic import Budget, QuestionOptions
from lab.benchmarks.stand_in_asker import Brought, StandInAsker
from lab.benchmarks.stand_in_search import StandInSearch
from lab.judging.run import Run
from lab.judging.spelling import Spelling
from lab.measures.normalised_area import normalised_area
from lab.topics.labelled_files import LabelledFile


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
    asker = StandInAsker(options, crawl, reader, web, [search]) if options else None
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
