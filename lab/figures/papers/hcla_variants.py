"""HCLA on WebKB, with its frontier reordered more or less often and with more or fewer factors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from lab.benchmarks.reproduce_webkb import MODELS, train
from lab.figures.figure import PAGES, Bench, Claim, Figure, claims_table, means_table, tables, values_at
from lab.results.plots import curves_of
from lab.results.results import Results
from lab.topics.webkb_topics import UNIVERSITIES, webkb_topics
from lab.webs.webkb import WebKB

WEBKB, HCLA, HARVEST = "webkb", "hcla", "harvest_rate"
EVERY, FACTORS = (10, 25, 50), (30, 50, 80)  #: N of figure 7, with 50 factors; k of figure 8, with N = 50
USUAL = 50  #: both, in all other figures
SHOWN = "washington-project"  #: the task of figures 7 and 8
STAGES = (100, 250, PAGES)


def _name(factors: int, every: int) -> str:
    """As in the legends of the paper: HCLA50r10."""
    return f"hcla{factors}r{every}"


BY_EVERY = [_name(USUAL, every) for every in EVERY]
BY_FACTORS = [_name(factors, USUAL) for factors in FACTORS]
#: New pages are taken in by updating, as in the paper: the background corpus is decomposed once.
CRAWLERS: dict[str, dict[str, Any]] = {
    _name(factors, every): {
        "name": HCLA,
        "model": HCLA,
        "update": "zha_simon",
        "factors": factors,
        "reorder_every": every,
    }
    for factors, every in (*((USUAL, every) for every in EVERY), *((factors, USUAL) for factors in FACTORS))
} | {"breadth_first": {}}


class HclaVariants(Figure):
    paper = (
        "Almpanidis, Kotropoulos & Pitas 2007, Combining text and link analysis for focused crawling, figures 5, 7, 8"
    )
    shows = "harvest rate of HCLA by how often it reorders (N) and by its factors (k), on 16 tasks and on one"
    needs: ClassVar[tuple[str, ...]] = (WEBKB,)
    minutes = 30

    def make(self, bench: Bench) -> list[str]:
        web = WebKB(bench.webs[WEBKB])
        models, topics = bench.folder / "models", webkb_topics(web)
        train(bench.webs[WEBKB], web, UNIVERSITIES, [model for model in MODELS if model.name == HCLA], models)
        bed = {**tables(CRAWLERS), "network": {"in_flight": 1, "per_host": 1, "delay": 0}}
        made = [bench.compare(topic.name, bed, WEBKB, [topic], models=models / topic.name).results for topic in topics]
        results = Results(made[0].experiment, [topic for one in made for topic in one.topics])
        one = Results(results.experiment, [topic for topic in results.topics if topic.name == SHOWN])
        return [
            *bench.picture(
                "figures-5-7-8",
                curves_of(results, HARVEST, "harvest rate", list(CRAWLERS), "(5) all tasks"),
                curves_of(one, HARVEST, "harvest rate", BY_EVERY, f"(7) {SHOWN}"),
                curves_of(one, HARVEST, "harvest rate", BY_FACTORS, f"(8) {SHOWN}"),
            ),
            *_table("Reordered every N pages", results, one, BY_EVERY),
            *_table("With k factors", results, one, BY_FACTORS),
            *claims_table(_claims(results)),
        ]


def _table(heading: str, results: Results, one: Results, names: Sequence[str]) -> list[str]:
    columns = {
        f"{pages} pages{where}": {name: values_at(found, HARVEST, name, pages) for name in (*names, "breadth_first")}
        for where, found in (("", results), (f", {SHOWN}", one))
        for pages in STAGES
    }
    return [f"{heading}, harvest rate after so many pages:", "", *means_table("crawler", columns)]


def _claims(results: Results) -> Iterator[Claim]:
    usual = _name(USUAL, USUAL)
    for figure, others, printed in (
        ("7", BY_EVERY, "more often is not necessarily better"),
        ("8", BY_FACTORS, "50 factors are best, 80 can be worse"),
    ):
        for other in others:
            if other != usual:
                for pages in STAGES:
                    both = (values_at(results, HARVEST, name, pages) for name in (usual, other))
                    yield Claim(f"({figure}) {usual} is ahead of {other}, {pages} pages", printed, *both)
