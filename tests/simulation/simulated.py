"""Webs of a few lines in memory, and crawls of them in the simulator."""

from collections.abc import Iterator, Mapping
from typing import Any

from focused.live.assemble import assemble
from focused.page.urls import host_of
from focused.simulation.analysed_web import AnalysedWeb, AnalysisCache
from focused.simulation.recorded_web import Answer, html_answer, not_found
from focused.simulation.simulator import Fetch, Network, Simulator
from focused.topic.topic import Topic, Traps
from tests import small_web

#: The small web, as a recorded web has it.
ANSWERS = {url: html_answer(text.encode()) for url, text in small_web.WEB.items()}
STEP_BY_STEP = Network(in_flight=1, delay=0)


class SmallWeb:
    """A recorded web out of a dict; counts how often it is asked."""

    def __init__(self, answers: Mapping[str, Answer]) -> None:
        self.answers = dict(answers)
        self.hosts = frozenset(map(host_of, answers))
        self.asked = 0

    def urls(self) -> Iterator[str]:
        return iter(self.answers)

    def answer(self, url: str) -> Answer | None:
        self.asked += 1
        return self.answers.get(url, not_found(url)) if host_of(url) in self.hosts else None


def topic_of(*seeds: str, **tables: Any) -> Topic:
    values = {"name": "test", "keywords": ("solar energy",), "seeds": seeds, "strategy": "dom"}
    return Topic(**{**values, "traps": Traps(on=False), "relevance": small_web.SHORT_PAGES, **tables})


def simulator_of(
    web: Any,
    topic: Topic,
    network: Network = STEP_BY_STEP,
    cache: AnalysisCache | None = None,
    hide_outside: bool = True,
) -> Simulator:
    """A simulation that is yet to run; ``web`` may be a dict of answers."""
    reader, crawl = assemble(topic)
    web = SmallWeb(web) if isinstance(web, Mapping) else web
    return Simulator(crawl, AnalysedWeb(web, reader, cache, hide_outside=hide_outside), network)


def simulate(web: Any, topic: Topic, network: Network = STEP_BY_STEP, **options: Any) -> list[Fetch]:
    return list(simulator_of(web, topic, network, **options).fetches())
