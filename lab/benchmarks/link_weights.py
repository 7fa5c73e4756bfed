"""Fits models/adaptive.json, the weights that `adaptive` begins with, from crawls of recorded webs (make models).

A bed is a web with its topics. Each topic is crawled once, half of the picks being drawn at random among all URLs that could be
taken: what `adaptive` alone picks is a biased sample, in which bad links are rare. No label is read: a link counts as good as the
crawl itself judged the page behind it, which is what `adaptive` goes on to learn from. Each bed is left out in turn.

Example:
    python -m lab.benchmarks.link_weights --bed webkb.tar.xz topics-webkb --bed wikispeedia.tar.xz topics-wiki --out data/weights
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from focused.collection.trained_model import SHIPPED, shipped_weights
from focused.crawl.strategy import Ready
from focused.exceptions import FocusedError, TrainingError
from focused.explain.plain_output import TableColumn, print_table
from focused.live.assemble import assemble
from focused.page.reader import Reader
from focused.papers.training.examples import Examples, Followed
from focused.papers.training.following import Following
from focused.papers.training.kinds import WeightsOfLinks, card_of
from focused.simulation.labelled_files import labelled_files
from focused.simulation.simulator import Network, Simulator
from focused.simulation.web_opener import WebOpener
from focused.simulation.workers import FailedTask, do
from focused.topic.plain_files import replace_file, shown_path
from focused.topic.topic import Budget, Topic

PAGES = 500
AT_RANDOM = 0.5  #: share of the picks
KIND = WeightsOfLinks.name
ONE_BY_ONE = Network(in_flight=1, delay=0.0)


class Sampling(Following):
    """Takes a URL at random, of a host at random, in half of the picks."""

    name = "sampling"

    def choose(self, ready: Ready) -> int | None:
        chance = self.world.chance(self.name)
        hosts = ready.ready_hosts()
        if chance.random() >= AT_RANDOM or not len(hosts):
            return super().choose(ready)
        urls = ready.ready_of(int(chance.choice(hosts.tolist())))
        return int(chance.choice(urls.tolist()))


@dataclass(frozen=True)
class Sample:
    """A crawl to be made."""

    topic: Topic
    part: Mapping[str, str]

    def __call__(self, opener: WebOpener) -> Followed:
        topic = self.topic
        _, crawl = assemble(topic, Sampling)
        web = opener.open(topic, Reader(topic.reading, keep=topic.keywords), self.part)
        for _ in Simulator(crawl, web, ONE_BY_ONE).fetches():
            pass
        opener.save()
        assert isinstance(crawl.strategy, Sampling)
        return crawl.strategy.followed()


def sampled(web: str, topics: str, options: argparse.Namespace) -> list[Followed]:
    """What crawls of a bed saw. Raises TrainingError if one of them fails."""
    opener = WebOpener([web], options.cache)
    tasks = [
        Sample(one.topic.model_copy(update={"budget": Budget(pages=options.pages)}), one.part)
        for one in labelled_files([topics])
    ]
    found = []
    for task, result in do(tasks[:: max(1, len(tasks) // options.topics)][: options.topics], opener, options.processes):
        assert isinstance(task, Sample)
        if isinstance(result, FailedTask):
            raise TrainingError(f"{task.topic.name}: {result.message}")
        print(f"{web}: {task.topic.name}, {len(result.relevance):,} links", file=sys.stderr)
        found.append(result)
    opener.close()
    return found


def compared(beds: Mapping[str, Sequence[Followed]], kind: WeightsOfLinks) -> dict[str, list[float]]:
    """By column: the weight in use, fitted on all beds, and on all but each; ``spread`` is over the latter."""
    everything = [crawl for crawls in beds.values() for crawl in crawls]
    rows = {name: [weight] for name, weight in shipped_weights().weights.items()}
    without = [[crawl for other, crawls in beds.items() if other != bed for crawl in crawls] for bed in beds]
    for crawls in (everything, *(some for some in without if some)):
        for name, weight in kind.fit(Examples([], frozenset(), followed=crawls)).items():
            rows.setdefault(name, [0.0]).append(weight)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bed", nargs=2, action="append", required=True, metavar=("WEB", "TOPICS"))
    parser.add_argument("--topics", type=int, default=12, metavar="N", help="crawls of each bed (default: 12)")
    parser.add_argument("--pages", type=int, default=PAGES, metavar="N", help=f"of each crawl (default: {PAGES})")
    parser.add_argument("--processes", type=int, default=1, metavar="N", help="crawls at a time (default: 1)")
    parser.add_argument("--cache", type=Path, default=Path("data/cache"), metavar="FOLDER", help="of what was read")
    parser.add_argument("--out", type=Path, default=Path("models"), metavar="FOLDER", help="of the card")
    options = parser.parse_args()
    beds = {f"{Path(web).name}, {Path(topics).name}": sampled(web, topics, options) for web, topics in options.bed}
    kind = WeightsOfLinks()
    examples = Examples(
        [], frozenset(), sources=list(beds), followed=[crawl for crawls in beds.values() for crawl in crawls]
    )
    kind.check(examples, 2)
    rows = compared(beds, kind)
    names = ("in use", "fitted", *(f"not {bed}" for bed in beds))
    heads: list[TableColumn | str] = ["column", *(TableColumn(name, True) for name in names)]
    table = [(name, *(f"{weight:.3f}" for weight in weights)) for name, weights in rows.items()]
    print_table(heads[: len(table[0])], table)
    scores = kind.scores(examples, 5, lambda _: None)
    card = card_of(kind, SHIPPED, (SHIPPED, KIND), examples, kind.fit(examples), scores)
    commit = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=False).stdout.strip()
    small = [name for name, (_, *fitted) in rows.items() if abs(fitted[0]) <= 2 * float(np.std(fitted[1:] or fitted))]
    card = card.model_copy(
        update={
            "licence": "BSD-3-Clause",
            "note": f"Fitted by make models. No different from 0 over beds: {', '.join(small) or 'none'}.",
            "versions": {**card.versions, "commit": commit},
        }
    )
    options.out.mkdir(parents=True, exist_ok=True)
    path = options.out / f"{SHIPPED}.json"
    replace_file(path, card.model_dump_json(indent=1).encode() + b"\n")
    print("\n".join(f"{name}: {score:.4f}" for name, score in scores.items()))
    print(f"\n{shown_path(path)} is written.")


if __name__ == "__main__":
    try:
        main()
    except FocusedError as error:
        sys.exit(str(error))
