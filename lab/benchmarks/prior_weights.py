"""Fits the weights that `adaptive` believes in before a crawl, from its crawls of development topics.

Features of each link are noted when it is followed. The weights explain best, by least squares over all crawls, half of what the
page model says of the page behind it, which is what a crawl goes on to learn from, and half of its label. Every bed counts the
same, and every crawl of a bed. The labels are of development topics: figures on these say nothing of how good the weights are.

Example:
    python -m lab.benchmarks.prior_weights wikispeedia.tar.xz webkb.tar.xz --out data/prior-weights
    python -m lab.benchmarks.prior_weights wikispeedia.tar.xz webkb.tar.xz --docs docs-web.warc.gz topics.json
"""

from __future__ import annotations

import argparse
import csv
import io
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path

import numpy as np

from focused.crawl.arrays import FloatArray
from focused.crawl.strategy import Changes, StrategyOptions, Visit
from focused.crawl.world import World
from focused.exceptions import FocusedError
from focused.reporting.progress_line import ProgressLine
from focused.run.assemble import assemble
from focused.simulation.page_memory import LIMIT
from focused.simulation.simulator import Simulator
from focused.simulation.web_opener import WebOpener
from focused.strategies.adaptive.adaptive import Adaptive
from focused.strategies.adaptive.link_evidence import NAMES, PRIOR
from focused.topic.topic import Budget
from lab.benchmarks.page_models import Bed, beds, drawn
from lab.results.results_files import write_file
from lab.results.results_table import markdown
from lab.topics.documentation_topics import DIFFICULTIES, recorded_documentation_topics
from lab.topics.labelled_topics import LabelledTopic
from lab.webs.wikispeedia import LAYOUTS

PAGES = 600
RIDGE = 0.01  #: mean square that the weights in use count as: features that say the same keep their shares
SECONDS = 10.0  #: between two lines of progress


class Noting(Adaptive):
    """Crawls as `adaptive` does, and sums up what least squares needs: no label changes what it does."""

    relevant: frozenset[str] = frozenset()

    def __init__(self, options: StrategyOptions, world: World) -> None:
        super().__init__(options, world)
        self.squares: FloatArray = np.zeros((len(NAMES), len(NAMES)))
        self.products: FloatArray = np.zeros(len(NAMES))
        self.links = 0

    def visited(self, visit: Visit) -> Changes:
        known = np.array([visit.picked])
        features = self.evidence.features(known)[0] if self.evidence.knows(known)[0] else None
        changes = super().visited(visit)
        if features is not None:
            label = float(visit.page.url in self.relevant and not visit.duplicate)
            self.squares += np.outer(features, features)
            self.products += features * (self._last[-1] + label) / 2
            self.links += 1
        return changes


def sums(bed: Bed, labelled: LabelledTopic, pages: int) -> tuple[FloatArray, FloatArray]:
    """Mean squares (f, f) of the features of a crawl's links, and their mean products (f,) with what they are to explain."""
    topic, web = bed.opened(labelled)
    strategy = type("Noting", (Noting,), {"relevant": labelled.judgements.targets})
    _, crawl = assemble(topic.model_copy(update={"budget": Budget(pages=pages)}), strategy)
    for _ in Simulator(crawl, web).fetches():
        pass
    noted = crawl.strategy
    assert isinstance(noted, Noting)
    links = max(1, noted.links)
    return noted.squares / links, noted.products / links


def documentation_beds(web: Path, topics: Path, count: int, cache: Path) -> Iterator[Bed]:
    """The documentation web with easy and with hard seeds, so many topics of each, drawn at random; 0 = all.

    Raises FocusedError if one of the two files cannot be used.
    """
    opener = WebOpener([str(web)], cache, memory=LIMIT)
    for seeds in DIFFICULTIES:
        found = recorded_documentation_topics(topics, web, cache, (seeds,), nofollow="ignore")
        yield Bed(f"documentation web, {seeds} seeds", opener, drawn(found, count))


def fit(found: Sequence[tuple[FloatArray, FloatArray]]) -> FloatArray:
    """(f,) weights that explain crawls best, pulled a little towards those in use."""
    squares = np.mean([one for one, _ in found], axis=0)
    products = np.mean([one for _, one in found], axis=0)
    in_use = np.array(list(PRIOR.values()))
    return np.asarray(np.linalg.solve(squares + RIDGE * np.eye(len(squares)), products + RIDGE * in_use))


def fitted(found: Mapping[str, Sequence[tuple[FloatArray, FloatArray]]]) -> list[list[str]]:
    """A row for each feature: the weight in use, that of all beds together, and of each bed alone."""
    means = [
        (np.mean([one for one, _ in crawls], axis=0), np.mean([one for _, one in crawls], axis=0))
        for crawls in found.values()
    ]
    together = fit(means)  # every bed counts the same
    columns = [np.array(list(PRIOR.values())), together, *(fit(crawls) for crawls in found.values())]
    rows = [[name, *(f"{column[place]:.3f}" for column in columns)] for place, name in enumerate(NAMES)]
    return [["feature", "in use", "fitted", *found], *rows]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, nargs="+", help="Wikispeedia and WebKB: folders or tar archives")
    parser.add_argument(
        "--docs",
        type=Path,
        nargs=2,
        metavar=("WARC", "TOPICS"),
        help="the documentation web as well, and its topics.json",
    )
    parser.add_argument("--topics", type=int, default=0, help="so many of each bed, drawn at random; 0 = all (default)")
    parser.add_argument("--pages", type=int, default=PAGES, help=f"of each crawl (default {PAGES})")
    parser.add_argument("--out", type=Path, default=Path("data/prior-weights"), help="folder of the table")
    arguments = parser.parse_args()
    progress = ProgressLine(SECONDS)
    found: dict[str, list[tuple[FloatArray, FloatArray]]] = {}
    cache = arguments.out / "cache"
    web, topics = arguments.docs or (None, None)
    docs = documentation_beds(web, topics, arguments.topics, cache) if web and topics else ()
    for bed in chain(beds(arguments.data, arguments.topics, cache, LAYOUTS), docs):
        for number, labelled in enumerate(bed.topics, 1):
            progress.show(lambda: f"{bed.name}: topic {number} of {len(bed.topics)}, {labelled.name}")  # noqa: B023
            found.setdefault(bed.name, []).append(sums(bed, labelled, arguments.pages))
        bed.opener.save()
    progress.close()
    rows = fitted(found)
    print("\n".join(markdown(rows)))
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    write_file(arguments.out / "weights.csv", text.getvalue().encode())
    print(f"\nThe table is in {arguments.out / 'weights.csv'}.")


if __name__ == "__main__":
    try:
        main()
    except FocusedError as error:
        sys.exit(str(error))
