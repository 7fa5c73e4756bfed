"""How well copies are told: precision and recall against pairs of pages that a person has read and judged.

`copies.csv` names 180 pairs of the documentation web: a page, and the earlier one most like it, from pages that have little in
common to pages with the same bytes. A *copy* says what the earlier page says: another version, a mirror, a manual that nobody
translated. A *twin* says nearly the same words of another thing, such as two functions of one library. The *others* are like
each other by their menus. Each pair stands for as many pages of that web as were like theirs to that degree; precision and
recall count it so often. Hosts are split in two by their names: look at ``--split tune`` as often as you like, and report what
``--split report`` says.

The first rows say what one measure of similarity would find, over all text and over the main text. The rows `crawl` say what a
crawl finds that has fetched some other pages of the same hosts before, with these values of ``near_copies``.

Example:
    python -m lab.benchmarks.copies docs-web.warc.gz --split report --out data/copies
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from random import Random

import numpy as np

from focused.crawl.novelty import EXACT, FEWEST_PHRASES, Contents, phrases_of
from focused.exceptions import EvaluationError, FocusedError
from focused.reading.decoding import decode
from focused.reading.main_text import main_text
from focused.reading.page import Page
from focused.reading.reader import Reader, ReadingOptions
from focused.reading.urls import host_of
from focused.reporting.progress_line import ProgressLine
from focused.simulation.known_webs import open_web
from focused.simulation.recorded_web import RecordedWeb
from focused.topic.topic import Traps
from lab.benchmarks.main_text_pages import SPLITS, split_of
from lab.results.results_files import write_file
from lab.results.results_table import markdown

PAIRS = Path(__file__).with_name("copies.csv")
COPY, TWIN, OTHER = LABELS = ("copy", "twin", "other")
THRESHOLDS = (0.6, 0.7, 0.8, 0.9)
BEFORE = 100  #: pages of the hosts of a pair that a crawl has fetched before the pair
SECONDS = 10.0  #: between two lines of progress


@dataclass(frozen=True, slots=True)
class Pair:
    """Two pages and what a person says of them; ``stands_for`` so many pages of the web."""

    label: str
    stands_for: int
    page: str
    earlier: str


@dataclass(frozen=True, slots=True)
class Judged:
    """A pair, and which ways call it a copy."""

    pair: Pair
    found: frozenset[str]


def read_pairs(path: Path, split: str) -> list[Pair]:
    """The pairs of one split, by the host of the page. Raises EvaluationError."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    pairs = [Pair(row["label"], int(row["stands_for"]), row["page"], row["earlier"]) for row in rows]
    if wrong := {pair.label for pair in pairs} - set(LABELS):
        raise EvaluationError(f"{path}: no such label: {', '.join(sorted(wrong))}; there are {', '.join(LABELS)}")
    return [pair for pair in pairs if split_of(host_of(pair.page)) == split]


class Texts:
    """The pages of a web as a crawl reads them, and their main texts."""

    def __init__(self, web: RecordedWeb) -> None:
        self._web, self._reader = web, Reader(ReadingOptions())

    def page(self, url: str) -> Page | None:
        """A page; None where there is none to read."""
        answer = self._web.answer(url)
        if answer is None or answer.status != 200:
            return None
        page = self._reader.read(url, answer.body, answer.header("Content-Type"))
        return page if isinstance(page, Page) else None

    def pair(self, pair: Pair) -> tuple[Page, Page]:
        """Both pages of a pair, the earlier one first. Raises EvaluationError."""
        earlier, page = self.page(pair.earlier), self.page(pair.page)
        if earlier is None or page is None:
            raise EvaluationError(f"{pair.page if page is None else pair.earlier} is not in this web")
        return earlier, page

    def main(self, page: Page) -> Page:
        """A page of which only the main text and the title are left."""
        answer = self._web.answer(page.url)
        text = main_text(decode(answer.body, answer.header("Content-Type")), page.url) if answer else None
        return replace(page, terms=self._reader.analyser.terms(f"{page.title} {text.text}") if text else [])


def ways_of(earlier: Page, page: Page, texts: Texts) -> Iterator[str]:
    """Which measures of two pages alone call the second one a copy."""
    exact = earlier.content_hash == page.content_hash
    if exact:
        yield EXACT
    similar = {"all text": similarity(earlier, page), "main text": similarity(texts.main(earlier), texts.main(page))}
    for name, value in similar.items():
        yield from (f"{name}, {least}" for least in THRESHOLDS if exact or value >= least)
    if (page.canonical or page.url) in (earlier.canonical, earlier.url) and (page.canonical or earlier.canonical):
        yield "rel=canonical"


def ways_of_crawls(earlier: Page, page: Page, before: Sequence[Page]) -> Iterator[str]:
    """With which thresholds a crawl calls the second page a copy."""
    for least in THRESHOLDS:
        contents, numbers = Contents(Traps(near_copies=least), {}), count()
        for one in (*before, earlier):
            contents.judge(next(numbers), one)
        if contents.judge(next(numbers), page).original is not None:
            yield f"crawl, {least}"


def similarity(one: Page, other: Page) -> float:
    """Share of phrases that two pages have in common (Jaccard); 0 where one has too few."""
    ours, theirs = phrases_of(one.terms), phrases_of(other.terms)
    if min(len(ours), len(theirs)) < FEWEST_PHRASES:
        return 0.0
    both = len(np.intersect1d(ours, theirs, assume_unique=True))
    return both / (len(ours) + len(theirs) - both)


def judged(web: RecordedWeb, pairs: Sequence[Pair], before: int, progress: ProgressLine) -> Iterator[Judged]:
    """What each way says of each pair."""
    texts, urls = Texts(web), urls_by_host(web.urls())
    for number, pair in enumerate(pairs, 1):
        progress.show(lambda: f"pair {number:,} of {len(pairs):,}: {pair.page}")  # noqa: B023
        earlier, page = texts.pair(pair)
        hosts = sorted({host_of(pair.page), host_of(pair.earlier)})
        others = [url for host in hosts for url in urls[host] if url not in (pair.page, pair.earlier)]
        drawn = Random(pair.page).sample(others, min(before, len(others)))
        known = [one for url in drawn if (one := texts.page(url)) is not None]
        yield Judged(pair, frozenset((*ways_of(earlier, page, texts), *ways_of_crawls(earlier, page, known))))


def urls_by_host(urls: Iterable[str]) -> Mapping[str, list[str]]:
    """URLs by host, in their order."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for url in urls:
        found[host_of(url)].append(url)
    return found


def table(found: Sequence[Judged]) -> list[list[str]]:
    """A row for each way: what it calls a copy, and what of that is one; what it finds of the copies."""
    rows = [
        [
            "way",
            "pairs",
            "copies",
            "twins",
            "others",
            "precision",
            "recall",
            "precision with twins",
            "recall with twins",
        ]
    ]
    names = [EXACT, "rel=canonical"]
    names += [f"{what}, {least}" for what in ("all text", "main text", "crawl") for least in THRESHOLDS]
    for name in names:
        called = [one.pair for one in found if name in one.found]
        counts = [str(sum(pair.label == label for pair in called)) for label in LABELS]
        shares = [
            f"{share:.2f}"
            for wanted in ((COPY,), (COPY, TWIN))
            for share in precision_recall(called, [one.pair for one in found], wanted)
        ]
        rows.append([name, str(len(called)), *counts, *shares])
    return rows


def precision_recall(called: Sequence[Pair], pairs: Sequence[Pair], wanted: Sequence[str]) -> tuple[float, float]:
    """Both with each pair counted as often as it stands for; a precision of nothing is 1."""
    right = sum(pair.stands_for for pair in called if pair.label in wanted)
    every = sum(pair.stands_for for pair in pairs if pair.label in wanted)
    return right / (sum(pair.stands_for for pair in called) or 1) if called else 1.0, right / (every or 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("web", help="the web of the pairs, as python -m lab experiment takes it")
    parser.add_argument(
        "--pairs", type=Path, default=PAIRS, help="file of labelled pairs (default: copies.csv beside this)"
    )
    parser.add_argument("--split", choices=SPLITS, default=SPLITS[0], help=f"which hosts (default: {SPLITS[0]})")
    parser.add_argument(
        "--before", type=int, default=BEFORE, help=f"pages fetched before each pair (default: {BEFORE})"
    )
    parser.add_argument("--cache", type=Path, help="folder that keeps the index of the web (default: it is not kept)")
    parser.add_argument("--out", type=Path, help="folder of table.md and pairs.csv (default: they are not written)")
    arguments = parser.parse_args()
    if arguments.before < 0:
        parser.error(f"--before {arguments.before}: give a number from 0 on")
    pairs, progress = read_pairs(arguments.pairs, arguments.split), ProgressLine(SECONDS)
    web = open_web([arguments.web], cache=arguments.cache)
    found = list(judged(web, pairs, arguments.before, progress))
    progress.close()
    text = "\n".join(markdown(table(found)))
    print(text)
    if arguments.out:
        write_file(arguments.out / "table.md", f"{text}\n".encode())
        lines = [f"{one.pair.label},{one.pair.page},{one.pair.earlier},{'+'.join(sorted(one.found))}" for one in found]
        write_file(arguments.out / "pairs.csv", "\n".join(["label,page,earlier,found", *lines, ""]).encode())
        print(f"\nAll figures are in {arguments.out}: table.md (this), pairs.csv.")


if __name__ == "__main__":
    try:
        main()
    except FocusedError as error:
        sys.exit(f"copies: {error}")
