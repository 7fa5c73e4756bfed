"""What a paper claims of its figure, tested on ours: means and one-tailed paired tests over topics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from lab.judging.judging import grid
from lab.results.results import Results
from lab.results.results_table import markdown
from lab.results.statistics import FEWEST_TOPICS, average_repeats, compare, mean

LEVEL = 0.05  #: of a one-tailed test


@dataclass(frozen=True)
class Claim:
    """One sentence of a paper, and the figures of ours that it is about.

    says : in short, with the place
    printed : what the paper gives for it, such as its p
    better, worse : topic -> figure of who shall be ahead, and of who shall be behind
    """

    says: str
    printed: str
    better: Mapping[str, float]
    worse: Mapping[str, float]


def values_at(results: Results, curve: str, strategy: str, pages: int) -> dict[str, float]:
    """Topic -> the value of a strategy's curve after so many pages, the mean of its repeats."""
    kept = grid(pages)
    crawls = [crawl for crawl in results.crawls if crawl.strategy == strategy]
    return average_repeats(
        {
            (crawl.topic, crawl.repeat): float(crawl.curves[curve][min(len(kept), len(crawl.curves[curve])) - 1])
            for crawl in crawls
        }
    )


def claims_table(claims: Iterable[Claim]) -> list[str]:
    """A row for each claim: our difference with one standard error, p of the paired t-test, and whether it holds here.

    Tests need two topics at least: a claim on fewer cannot be tested.
    """
    rows = [["the paper says", "printed there", "difference here", "p here", "so here"]]
    rows += ([claim.says, claim.printed, *_tested(claim)] for claim in claims)
    return [*markdown(rows), ""]


def _tested(claim: Claim) -> tuple[str, str, str]:
    """The difference, p, and what they say: that it is so, the opposite, or neither."""
    if len(claim.better) < FEWEST_TOPICS:
        return "-", "-", "too few topics"
    found, opposite = compare(claim.better, claim.worse), compare(claim.worse, claim.better)
    so = "yes" if found.t_test < LEVEL else "the opposite" if opposite.t_test < LEVEL else "no difference seen"
    return f"{found.difference.value:+.3f} ± {found.difference.standard_error:.3f}", f"{found.t_test:.2g}", so


def means_table(head: str, columns: Mapping[str, Mapping[str, Mapping[str, float]]], decimals: int = 3) -> list[str]:
    """Means over topics with one standard error: a row for each name, a column for each heading.

    columns : heading -> name of a row -> topic -> figure; a dash where a row has none
    """
    names: Sequence[str] = list(dict.fromkeys(name for column in columns.values() for name in column))
    rows = ([name, *(_cell(column.get(name, {}), decimals) for column in columns.values())] for name in names)
    return [*markdown([[head, *columns], *rows]), ""]


def _cell(values: Mapping[str, float], decimals: int) -> str:
    if not values:
        return "-"
    if len(values) < FEWEST_TOPICS:
        return f"{next(iter(values.values())):.{decimals}f}"
    found = mean(values)
    return f"{found.value:.{decimals}f} ± {found.standard_error:.{decimals}f}"
