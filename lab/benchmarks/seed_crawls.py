"""A crawl from seeds of some source, judged: what was looked at to get the seeds counts as fetched."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from time import process_time

from focused.reading.reader import Reader
from focused.reading.urls import host_of
from focused.run.assemble import assemble
from focused.searching.providers.own_collections import Hubs
from focused.simulation.analysed_web import AnalysedWeb
from focused.simulation.simulator import Fetch, Network, Simulator
from focused.strategies.adaptive.adaptive import Adaptive
from focused.topic.topic import Budget, QuestionOptions
from lab.benchmarks.question_crawls import attribute
from lab.benchmarks.searched_seeds import Searched
from lab.benchmarks.stand_in_asker import StandInAsker
from lab.benchmarks.stand_in_search import StandInSearch
from lab.judging.run import Run
from lab.judging.spelling import Spelling
from lab.measures.normalised_area import normalised_area
from lab.topics.labelled_files import LabelledFile

ENOUGH = 100  #: relevant pages, the time to which is told


@dataclass
class Beginning:
    """What a crawl begins with.

    found : the seeds, and what it cost to find them
    hubs : further pages to begin with
    web : what it crawls, where that is not the web of the others
    askers : who is asked while it goes on
    """

    found: Searched
    hubs: Sequence[str] = ()
    web: AnalysedWeb | None = None
    askers: Sequence[StandInSearch | Hubs] = ()


@dataclass(frozen=True)
class Crawled:
    """What came of one crawl.

    half : `development` or `report`
    looked_at : pages fetched before the crawl to find seeds; they take places in the budget
    area, area_of_all : normalised, by the targets that links lead to from the hard seeds, and by all
    area_of_crawl : by all, as if looking at pages before the crawl cost nothing and found nothing
    hosts : with targets, that it found one on
    questions, led_to : asked during the crawl; targets to which the way begins with an answer
    enough_pages, enough_seconds, enough_cpu : until `ENOUGH` relevant pages were there, the search for seeds included; infinite
        where they never were. Seconds are virtual; those of the processor leave out reading in the crawl
    """

    topic: str
    half: str
    way: str
    seeds: int
    looked_at: int
    pages: int
    area: float
    area_of_all: float
    area_of_crawl: float
    targets: int
    hosts: int
    questions: int
    led_to: int
    enough_pages: float
    enough_seconds: float
    enough_cpu: float


@dataclass
class _Crawl:
    """What was fetched, and at what cost of the processor so far."""

    fetches: list[Fetch] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)


def crawled(
    labelled: LabelledFile, half: str, way: str, begin: Beginning, web: AnalysedWeb, pages: int, network: Network
) -> tuple[Crawled, list[Fetch]]:
    """Crawl a topic; no label reaches the crawl. Without seeds only what was looked at counts."""
    seeds, searched = begin.found.seeds, begin.found
    chosen = {"seeds": tuple(seeds), "hubs": tuple(begin.hubs), "strategy": Adaptive.name, "strategy_options": {}}
    topic = labelled.topic.model_copy(update=chosen | {"budget": Budget(pages=pages)})
    reader = Reader(topic.reading, keep=topic.keywords)
    _, crawl = assemble(topic, seed=1)
    crawl.lists.on = begin.web is not None
    asking = QuestionOptions(most=20)
    asker = StandInAsker(asking, crawl, reader, web, begin.askers) if begin.askers else None
    done = _Crawl()
    started, reading = process_time(), web.cpu_seconds
    for fetch in Simulator(crawl, begin.web or web, network, asker=asker).fetches() if seeds else ():
        done.fetches.append(fetch)
        done.cpu.append(process_time() - started - (web.cpu_seconds - reading))
        if asker:
            asker.fetches.append(fetch)
    judgements = labelled.read().judgements
    label = Spelling(judgements, reader.rules).label
    rows = list(_arrivals(searched, done, label))[:pages]
    urls = [url for url, _, _ in rows]
    run = _run(topic.name, urls, done.fetches, label)
    of_all = replace(judgements, reachable=None)
    crawl_alone = [url for url, _, _ in _arrivals(Searched(), done, label)]
    led_to = 0
    if asker:
        of_targets = {one.final_url for one in done.fetches if label(one.final_url) in judgements.targets}
        attribute(asker.brought, crawl, done.fetches, of_targets)
        led_to = sum(one.reached_targets for one in asker.brought.values())
    relevant = [place for place, url in enumerate(urls) if url in judgements.relevant]
    place = relevant[ENOUGH - 1] if len(relevant) >= ENOUGH else None
    found = judgements.targets.intersection(urls)
    return Crawled(
        topic=topic.name,
        half=half,
        way=way,
        seeds=len(seeds) + len(begin.hubs),
        looked_at=len(searched.looked_at),
        pages=len(urls),
        area=normalised_area(run, judgements, pages),
        area_of_all=normalised_area(run, of_all, pages),
        area_of_crawl=normalised_area(_run(topic.name, crawl_alone, done.fetches, label), of_all, pages),
        targets=len(found),
        hosts=len({host_of(url) for url in found}),
        questions=len(asker.brought) if asker else 0,
        led_to=led_to,
        enough_pages=math.inf if place is None else place + 1,
        enough_seconds=math.inf if place is None else rows[place][1],
        enough_cpu=math.inf if place is None else rows[place][2],
    ), done.fetches


def _run(name: str, urls: Sequence[str], fetches: Sequence[Fetch], label: Callable[[str], str]) -> Run:
    there = set(urls)
    duplicates = {label(one.final_url): label(one.duplicate_of) for one in fetches if one.duplicate_of}
    return Run(Adaptive.name, name, 1, urls, {url: first for url, first in duplicates.items() if {url, first} <= there})


def _arrivals(searched: Searched, done: _Crawl, label: Callable[[str], str]) -> Iterator[tuple[str, float, float]]:
    """URLs as labels spell them, each once, with virtual seconds and seconds of the processor: first what the search looked at."""
    seen: set[str] = set()
    looked_at = ((url, searched.seconds, searched.cpu_seconds) for url in searched.looked_at)
    fetched = (
        (fetch.final_url, searched.seconds + fetch.arrived, searched.cpu_seconds + cpu)
        for fetch, cpu in zip(done.fetches, done.cpu, strict=True)
        if fetch.outcome == "page"
    )
    for rows in (looked_at, fetched):
        for url, seconds, cpu in rows:
            spelt = label(url)
            if spelt not in seen:
                seen.add(spelt)
                yield spelt, seconds, cpu
