"""The same crawl in the simulator, written as the log of a server: how far imitations are from the real ones."""

from __future__ import annotations

import time

from focused.reading.reader import Reader
from focused.simulation.recorded_backlinks import RecordedBacklinks
from focused.simulation.simulator import Network, Simulator
from focused.simulation.web_opener import WebOpener
from focused.topic.plain_files import writing
from focused.topic.topic import Budget
from lab.crawlers import entrants
from lab.rivals.crawls import ENOUGH, Conditions, Files, Outcome, Tell, seeds_in_order
from lab.topics.labelled_files import LabelledFile

PREFIX = "simulated:"


def simulate(
    files: Files, labelled: LabelledFile, version: str, conditions: Conditions, opener: WebOpener, tell: Tell
) -> Outcome:
    """Crawl in the simulator with the same latencies, and write the two files. Labels are shown to nobody.

    The CPU seconds are those of the whole simulation: they say nothing beside those of a live crawl.
    """
    topic = labelled.topic.model_copy(
        update={
            "strategy": files.crawler.removeprefix(PREFIX),
            "strategy_options": {},
            "seeds": seeds_in_order(labelled, files.order),
            "budget": Budget(pages=conditions.pages),
        }
    )
    web = opener.open(topic, Reader(topic.reading, keep=topic.keywords), labelled.part)
    core = entrants.core_of(topic, web, None, files.order)
    network = Network(in_flight=conditions.in_flight, delay=0.0, latency=conditions.latency, seed=files.order)
    simulator = Simulator(core, web, network, RecordedBacklinks(web, topic.backlinks.limit))
    files.make_folder()
    start, cpu, pages = time.monotonic(), time.process_time(), 0
    with writing(files.log), files.log.open("w", encoding="utf-8", newline="\n") as log:
        for fetch in simulator.fetches():
            if fetch.outcome == "page":
                pages += 1
                log.write(f"{simulator.now:.3f} GET {fetch.final_url} 200 0\n")
                tell(pages)
    opener.save()
    ended = ENOUGH if pages >= conditions.pages else simulator.ended
    spent = time.process_time() - cpu, time.monotonic() - start
    outcome = Outcome(files.crawler, topic.name, files.order, version, conditions, ended, *spent)
    files.write(outcome)
    return outcome
