"""Writes what a comparison found as CSV files, for a spreadsheet or a notebook."""

from __future__ import annotations

import csv
import gzip
import io
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path

from focused.page.plain_text import cell
from focused.topic.plain_files import writing
from lab.judging.judging import grid
from lab.results.results import Results

CURVES = "curves.csv.gz"
DIGITS = 6  #: of a number
LEVEL = 4  #: of gzip


def write_csv_files(results: Results, folder: Path) -> None:
    """Write all files; StorageError if one cannot be written."""
    files = {
        "summary.csv": _summary,
        "per_topic.csv": _per_topic,
        "per_crawl.csv": _per_crawl,
        "tests.csv": _tests,
        CURVES: _curves,
    }
    for name, rows in files.items():
        with writing(folder / name), (folder / name).open("wb") as file:
            # Curves are millions of rows: they go to the file as they come.
            packed = gzip.GzipFile("", "wb", LEVEL, file, mtime=0) if name == CURVES else nullcontext(file)
            with packed as binary, io.TextIOWrapper(binary, "utf-8", newline="") as text:
                csv.writer(text, lineterminator="\n").writerows(map(_plain, row) for row in rows(results))


def write_file(path: Path, data: bytes) -> None:
    """Write a file; StorageError if that cannot be."""
    with writing(path):
        path.write_bytes(data)


def _plain(value: object) -> object:
    """A number with as many digits as anybody reads; empty for one that is not known. A text that is no formula."""
    if isinstance(value, str):
        return cell(value)
    if not isinstance(value, float):
        return value
    return "" if value != value else f"{value:.{DIGITS}g}"


def _summary(results: Results) -> Iterator[Sequence[object]]:
    yield "strategy", "measure", "mean", "standard_error", "topics", "spread"
    for figure in results.figures:
        for strategy in results.strategies:
            if found := results.mean(figure, strategy):
                spread = results.spread(figure, strategy)
                yield (
                    strategy,
                    figure,
                    found.value,
                    found.standard_error,
                    found.topics,
                    "" if spread is None else spread,
                )


def _per_topic(results: Results) -> Iterator[Sequence[object]]:
    """Each topic with the mean of its repeats."""
    yield "topic", "strategy", *results.figures
    for topic in results.topics:
        for strategy in results.strategies:
            values = (by_strategy[strategy].get(topic.name, "") for by_strategy in results.figures.values())
            yield topic.name, strategy, *values


def _per_crawl(results: Results) -> Iterator[Sequence[object]]:
    yield "topic", "strategy", "repeat", *results.figures
    for crawl in results.crawls:
        yield crawl.topic, crawl.strategy, crawl.repeat, *(crawl.figures.get(figure, "") for figure in results.figures)


def _tests(results: Results) -> Iterator[Sequence[object]]:
    yield (
        *("measure", "challenger", "baseline", "topics", "difference", "standard_error", "low", "high"),
        *("t_test_p", "t_test_p_holm", "wilcoxon_p", "wilcoxon_p_holm"),
    )
    for test in results.tests:
        found, difference = test.comparison, test.comparison.difference
        yield (
            *(test.figure, results.experiment.challenger, test.baseline, difference.topics),
            *(difference.value, difference.standard_error, found.low, found.high),
            *(found.t_test, test.t_test_holm, found.wilcoxon, test.wilcoxon_holm),
        )


def _curves(results: Results) -> Iterator[Sequence[object]]:
    """Every curve of every crawl: a row for each number of pages."""
    names = list(dict.fromkeys(name for crawl in results.crawls for name in crawl.curves))
    yield "topic", "strategy", "repeat", "pages", *names
    for topic in results.topics:
        pages = grid(topic.budget).tolist()
        for crawl in topic.crawls:
            unknown = [""] * len(pages)
            columns = [crawl.curves[name].tolist() if name in crawl.curves else unknown for name in names]
            for count, *values in zip(pages, *columns, strict=True):
                yield crawl.topic, crawl.strategy, crawl.repeat, count, *values
