"""Says in words and tables (Markdown) what a comparison found."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from focused.simulation.statistics import Mean
from lab.results.results import MAIN, Results

#: Figures of the main table: heading, name, decimals.
QUALITY = (
    ("area under recall", MAIN, 3),
    ("normalised area", "normalised_area", 3),
    ("recall", "target_recall", 3),
    ("of all targets", "target_recall_of_all", 3),
    ("harvest rate", "harvest_rate", 3),
    ("average precision", "average_precision", 3),
    ("search length", "search_length", 0),
    ("relevant hosts", "distinct_relevant_hosts", 1),
    ("robustness", "robustness", 3),
)
FACTS = (
    ("pages", "pages", 0),
    ("failures", "failures", 1),
    ("duplicates", "duplicates", 1),
    ("links hidden", "hidden_links", 3),
    ("CPU ms per page", "cpu_per_page", 2),
)
#: What crawls believed of themselves.
OWN = (
    ("own harvest rate", "own_harvest_rate", 3),
    ("by labels", "harvest_rate", 3),
    ("difference", "own_harvest_less_true", 3),
    ("distance", "own_harvest_distance", 3),
    ("ROC-AUC", "own_roc_auc", 3),
    ("calibration error", "own_calibration_error", 3),
)
UNKNOWN = "-"
SPREAD = "Behind ~ stands what luck makes: the standard deviation over the crawls of a topic, mean over topics."


def table(results: Results) -> str:
    """The report of a comparison. Raises nothing: what is not known is told as such."""
    plan, names = results.experiment.plan, results.strategies
    repeats = sum(1 for crawl in results.crawls if (crawl.strategy, crawl.topic) == _first(results))
    pages = f"{plan.pages:,} pages" if plan.pages else "all pages that links lead to"
    of_repeats = f", the mean of {repeats} crawls each" if repeats > 1 else ""
    lines = [
        f"# Comparison of {', '.join(names)}",
        "",
        f"{len(results.topics)} topics{of_repeats}; {pages} a crawl; mean over topics ± one standard error.",
        *([SPREAD] if repeats > 1 else []),
        "",
        *(f"- {note}" for note in results.notes),
        *([""] if results.notes else []),
    ]
    if not results.topics:
        return "\n".join([*lines, "No topic was crawled by all of them, so nothing can be compared.", ""])
    lines += _section("How good", _means(results, QUALITY))
    lines += [
        "Recall is of the targets that can be reached. Normalised area: divided by that of a crawl of nothing but such targets. "
        "Search length: pages until "
        f"{results.experiment.measures.search:.0%} of them are in, over the topics (in brackets) where every crawl got that far.",
        "",
    ]
    lines += _section("Precision and F1 at a recall", _means(results, _levels(results)))
    lines += _section(
        f"{results.experiment.challenger} against each baseline, area under recall", list(_tests(results))
    )
    if results.tests:
        lines += [
            "Differences over topics with a 95 % bootstrap interval; p of one-tailed paired tests, corrected for the number of "
            "baselines (Holm). Other measures: tests.csv.",
            "",
        ]
    else:
        lines += ["Tests need two topics at least and a strategy to compare with.", ""]
    if gap := results.gap_closed:
        rival, share = gap
        lines += [f"Gap to the oracle closed: {share:.0%} of the way from {rival}, the best of the others.", ""]
    lines += _section("What the crawls did", _means(results, FACTS))
    lines += ["CPU: choosing, without reading pages.", ""]
    lines += _section("What the crawls believed", _means(results, OWN))
    lines += [
        "Own: by the topic's page model, which decides nothing here. Difference: own harvest rate less that by labels; "
        "distance: the same without its sign, so that errors in both directions do not cancel. Each topic: per_topic.csv.",
        "",
    ]
    return "\n".join(lines)


def markdown(rows: Sequence[Sequence[str]]) -> list[str]:
    """A table whose first row is the header; columns are aligned, so that it can be read as it is."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |" for row in rows
    ]
    return [lines[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *lines[1:]]


def _first(results: Results) -> tuple[str, str] | None:
    return next(((crawl.strategy, crawl.topic) for crawl in results.crawls), None)


def _section(title: str, rows: Sequence[Sequence[str]]) -> list[str]:
    return [f"## {title}", "", *markdown(rows), ""] if len(rows) > 1 else []


def _levels(results: Results) -> list[tuple[str, str, int]]:
    levels = results.experiment.measures.recall
    figures = (("P", "precision_at_recall"), ("F1", "f1_at_recall"))
    return [(f"{short} at {level:g}", f"{name}_{level:g}", 3) for short, name in figures for level in levels]


def _means(results: Results, figures: Iterable[tuple[str, str, int]]) -> list[list[str]]:
    """Rows of strategies, best area first; a figure that nobody has is left out."""
    shown = [figure for figure in figures if any(results.mean(figure[1], name) for name in results.strategies)]
    rows = [["strategy", *(heading for heading, _, _ in shown)]]
    for strategy in sorted(results.strategies, key=lambda name: -_value(results.mean(MAIN, name))):
        cells = (
            _cell(results.mean(name, strategy), results.spread(name, strategy), decimals, len(results.topics))
            for _, name, decimals in shown
        )
        rows.append([strategy, *cells])
    return rows if shown else []


def _cell(found: Mean | None, spread: float | None, decimals: int, topics: int) -> str:
    if found is None:
        return UNKNOWN
    error = "" if math.isnan(found.standard_error) else f" ± {found.standard_error:,.{decimals}f}"
    luck = "" if spread is None else f" ~ {spread:,.{decimals}f}"
    of = f" ({found.topics})" if found.topics < topics else ""
    return f"{found.value:,.{decimals}f}{error}{luck}{of}"


def _value(found: Mean | None) -> float:
    return found.value if found else -math.inf


def _tests(results: Results) -> Iterator[list[str]]:
    yield ["baseline", "difference", "95 % interval", "p (t-test)", "p (Wilcoxon)"]
    for test in results.tests:
        if test.figure == MAIN:
            found = test.comparison
            interval = f"{found.low:+.3f} to {found.high:+.3f}"
            p_values = f"{test.t_test_holm:.2g}", f"{test.wilcoxon_holm:.2g}"
            yield [test.baseline, f"{found.difference.value:+.3f}", interval, *p_values]
