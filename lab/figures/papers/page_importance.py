"""What five crawlers fetch, by each way to tell the importance of a page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from lab.figures.figure import (
    PAGES,
    WIKISPEEDIA,
    Bench,
    Claim,
    Figure,
    claims_table,
    means_table,
    tables,
    topics,
    values_at,
)
from lab.results.plots import curves_of
from lab.results.results import Results
from lab.results.results_table import markdown

CRAWLERS = ("adaptive", "best_first", "pagerank", "breadth_first", "random")
#: In the order of the paper's list, with what the axis says.
IMPORTANCES = {
    "keywords": "keywords on the page",
    "query": "similarity to the keywords",
    "seeds": "similarity to the seeds",
    "classifier": "classifier score",
    "retrieval_rank": "retrieval rank (1 = first)",
    "in_links": "in-links",
    "pagerank": "PageRank (1 = mean page)",
    "authority": "authority (1 = mean page)",
}
DESCRIPTION = {"average_precision": "similarity to the description"}
BY_LABELS = {"harvest_rate": "harvest rate (by labels)"}
RECALL = "target_recall_of_all"  #: figure 6 (b)


class PageImportance(Figure):
    paper = "Pant, Srinivasan & Menczer 2004, Crawling the Web, section 4.1 (measures) and figure 6 (trajectories)"
    shows = (
        "average relevance over the pages fetched, by eight measures of importance, beside the labels; target recall"
    )
    needs: ClassVar[tuple[str, ...]] = (WIKISPEEDIA,)
    minutes = 12

    def make(self, bench: Bench) -> list[str]:
        bed = tables({name: {} for name in CRAWLERS}, importance=list(IMPORTANCES), windows=[200])
        results = bench.compare("importance", bed, WIKISPEEDIA, topics(bench, each=3)).results
        curves = {f"average_{name}": label for name, label in IMPORTANCES.items()} | DESCRIPTION | BY_LABELS
        labels = curves | {RECALL: "target recall"}
        panels = [curves_of(results, curve, label, title=label) for curve, label in labels.items()]
        columns = {
            label: {name: values_at(results, curve, name, PAGES) for name in results.strategies}
            for curve, label in labels.items()
        }
        return [
            *bench.picture("figure-importance", *panels, columns=2),
            f"Means after {PAGES} pages:",
            "",
            *means_table("crawler", columns),
            *_orders(results, curves),
            *claims_table(_claims(results)),
        ]


def _claims(results: Results) -> Iterator[Claim]:
    """Of figure 6, the only ones that are printed."""
    for what, curve in (("precision", "average_precision"), ("target recall", RECALL)):
        both = (values_at(results, curve, name, PAGES) for name in ("best_first", "breadth_first"))
        yield Claim(f"best-first is ahead of breadth-first in {what}", "p < .01", *both)


def _orders(results: Results, curves: dict[str, str]) -> list[str]:
    """Who is ahead by each measure: whether it matters which one is taken."""
    rows = [["measure", "order of the crawlers, the best first"]]
    for curve, label in curves.items():
        values = {name: values_at(results, curve, name, PAGES).values() for name in results.strategies}
        means = {name: sum(some) / len(some) for name, some in values.items()}
        rows.append([label, " > ".join(sorted(means, key=means.__getitem__, reverse=True))])
    return [*markdown(rows), ""]
