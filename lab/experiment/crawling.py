"""One crawl of a comparison: which one it is, what it depends on, and how it is done.

No label is seen here, but by those yardsticks that are made to see them.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from focused.exceptions import EvaluationError
from focused.live.assemble import model_of
from focused.page.reader import Reader
from focused.simulation.analysed_web import DIGITS, code_digest, text_digest
from focused.simulation.first_reading import RecordedBacklinks
from focused.simulation.labelled_files import LabelledFile
from focused.simulation.simulator import Network, Simulator
from focused.simulation.web_opener import WebOpener
from focused.topic.plain_files import read_text
from focused.topic.topic import Budget, Topic
from lab.crawlers import entrants
from lab.experiment.crawl_record import CrawlRecord, write_record
from lab.experiment.experiment import Experiment

#: What decides a crawl beside its strategy: if this code changes, crawls are made anew.
PACKAGES = ("focused.crawl", "focused.page", "focused.papers.models")
MODULES = (
    *(f"focused.scorers.{name}" for name in ("plain_state", "relevance", "similarity", "vectors", "verdict_teacher")),
    "focused.live.assemble",
    "lab.crawlers.entrants",
    "focused.crawl.backlinks",
    "focused.simulation.first_reading",
    "focused.simulation.analysed_web",
    "focused.simulation.simulator",
)
#: Strategies that are a file each lie here; one with a package of its own depends on all of it.
SHARED = ("focused.strategies", "focused.papers.strategies", "lab.crawlers.yardsticks")
RELEVANCE_DECIMALS = 4  #: kept of each page
HALVES = ("first", "second")  #: of the seeds


@dataclass(frozen=True)
class Crawling:
    """One crawl to be made.

    strategy : the name in the experiment
    topic : with the strategy, its options, the budget and, of robustness, the half of the seeds
    repeat : from 1 on
    half : one of HALVES; empty for all seeds
    part : which part of the web is open
    labelled : the labels, for a crawler that is shown them; None for all others
    path : of the record
    models : folder of the user's trained models
    """

    strategy: str
    topic: Topic
    repeat: int
    half: str
    network: Network
    part: Mapping[str, str]
    labelled: LabelledFile | None
    path: Path
    models: Path | None = None

    def __str__(self) -> str:
        seeds = f", {self.half} half of the seeds" if self.half else ""
        return f"{self.strategy} on {self.topic.name}, repeat {self.repeat}{seeds}"

    def __call__(self, opener: WebOpener) -> None:
        """Crawl and write the record; records of the same crawl by older code or other options are deleted."""
        record = crawl(self, opener)
        opener.save()
        for older in self.path.parent.glob(_file(_name(self.strategy, self.repeat, self.half), "?" * DIGITS)):
            older.unlink(missing_ok=True)
        write_record(record, self.path)


def crawl(which: Crawling, opener: WebOpener) -> CrawlRecord:
    """Make a crawl. Raises EvaluationError if it fetched nothing, and what opening the web raises."""
    reader = Reader(which.topic.reading, keep=which.topic.keywords)
    web = opener.open(which.topic, reader, which.part)
    judgements = which.labelled.read().judgements if which.labelled else None
    core = entrants.core_of(which.topic, web, judgements, which.repeat, which.models)
    backlinks = RecordedBacklinks(web, which.topic.backlinks.limit)  # the same for all, whomever the topic names
    simulator = Simulator(core, web, which.network, backlinks)
    urls: list[str] = []
    relevance: list[float] = []
    duplicates: dict[str, str] = {}
    failure = ""
    links, hidden, reading, started = web.links, web.hidden, web.cpu_seconds, time.process_time()
    for fetch in simulator.fetches():
        failure = failure or fetch.reason
        if fetch.outcome == "page":
            urls.append(fetch.final_url)
            relevance.append(round(fetch.relevance or 0.0, RELEVANCE_DECIMALS))
            if fetch.duplicate_of is not None:
                duplicates[fetch.final_url] = fetch.duplicate_of
    cpu = time.process_time() - started - (web.cpu_seconds - reading) - backlinks.cpu_seconds
    if not urls:
        raise EvaluationError(f"no page was fetched ({failure or simulator.ended}): is a seed of the topic recorded?")
    return CrawlRecord(
        strategy=which.strategy,
        topic=which.topic.name,
        repeat=which.repeat,
        urls=urls,
        duplicates=duplicates,
        cpu_seconds=max(cpu, 0.0),
        failures=core.totals.failures,
        own_relevant=core.totals.relevant,
        links=web.links - links,
        hidden=web.hidden - hidden,
        ended=simulator.ended,
        relevance=relevance,
    )


def crawlings(
    experiment: Experiment,
    topics: list[LabelledFile],
    opener: WebOpener,
    folder: Path,
    models: Path | None = None,
) -> Iterator[Crawling]:
    """All crawls of an experiment, those of one topic in a row. Records lie in ``folder``/TOPIC.

    models : folder of the user's trained models; raises ModelError if one is missing there and in the package
    """
    for labelled in topics:
        web = opener.fingerprint(labelled.topic, labelled.part)
        for strategy, entrant in experiment.strategies.items():
            topic = entrant.topic_of(labelled.topic).model_copy(update={"budget": Budget(pages=experiment.plan.pages)})
            shown = labelled if entrants.sees_labels(entrant.name) else None
            about = [
                web,
                experiment.plan.outside,
                strategy_code(entrant.name),
                read_text(shown.labels) if shown else "",
            ]
            about.append(model_of(topic, models, entrants.get_entrant(entrant.name)))
            for repeat in range(1, experiment.plan.repeats + 1):
                network = experiment.network_of(repeat)
                for half, seeds in _starts(experiment, topic, repeat):
                    started = topic.model_copy(update={"seeds": seeds})
                    text = json.dumps([*about, repeat, asdict(network), started.as_dict()], sort_keys=True)
                    path = folder / topic.name / _file(_name(strategy, repeat, half), text_digest([text]))
                    where = labelled.part, shown, path, models
                    yield Crawling(strategy, started, repeat, half, network, *where)


def _starts(experiment: Experiment, topic: Topic, repeat: int) -> Iterator[tuple[str, tuple[str, ...]]]:
    """From which seeds to crawl: all, and for robustness, in the first repeat, every second one and the others."""
    yield "", topic.seeds
    if experiment.plan.robustness and repeat == 1 and len(topic.seeds) > 1:
        for position, half in enumerate(HALVES):
            yield half, topic.seeds[position::2]


def _name(strategy: str, repeat: int, half: str) -> str:
    return "-".join(filter(None, (strategy, str(repeat), half)))


def _file(name: str, fingerprint: str) -> str:
    return f"{name}.{fingerprint}.json.gz"


def strategy_code(strategy: str) -> str:
    """A digest of the code that decides a crawl by a strategy."""
    modules = [cls.__module__ for cls in entrants.get_entrant(strategy).__mro__]
    homes = {name: name.rpartition(".")[0] for name in modules if name.partition(".")[0] not in sys.stdlib_module_names}
    own = tuple(
        name for name, package in homes.items() if package in SHARED or not name.startswith(("focused.", "lab."))
    )
    packages = dict.fromkeys(package for name, package in homes.items() if name not in own)
    return code_digest((*PACKAGES, *packages), (*MODULES, *own))
