"""How well pages that hardly say anything themselves are told from others: against labels of a reader, page by page.

`page_kinds.csv` holds 245 pages drawn from crawls by `dom` on four webs, half of which an early version of the rule called an
index, a listing or a stub. One reader read the text of each, without knowing what the rule says, and wrote down the kind (empty: it
says something) and why. ``weight`` is the number of pages in those crawls that a page stands for. Sites are split in two by their
names (pages of Wikispeedia one by one): the rule was made on ``--split tune``; report what ``--split report`` says. Pages of webs
that are not given are left out.

Example:
    python -m lab.benchmarks.page_kinds webkb.tar.xz docs-web.warc.gz wikispeedia.tar.xz:layout=article demo
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from statistics import fmean

from focused.exceptions import EvaluationError, FocusedError
from focused.reading.decoding import decode
from focused.reading.html import read_html
from focused.reading.page_kind import KINDS, SPEAKS, kind_of
from focused.reading.text import TextAnalyser
from focused.reading.urls import host_of
from focused.reporting.audit.proportion import Share, wilson
from focused.simulation.known_webs import open_web, web_called
from lab.results.results_table import markdown

LABELS = Path(__file__).with_name("page_kinds.csv")
SPLITS = ("report", "tune")
SAYS_SOMETHING = "says something"
BEDS = ("WebKB", "documentation", "Wikispeedia", "demo")


@dataclass(frozen=True, slots=True)
class Labelled:
    """A page, the kind that the reader gave it, and how many pages of its crawls it stands for."""

    bed: str
    url: str
    kind: str
    weight: float
    reason: str

    @property
    def split(self) -> str:
        host = host_of(self.url)
        site = host if self.bed == "Wikispeedia" else ".".join(host.split(".")[-2:])
        return SPLITS[blake2b(site.encode(), digest_size=1).digest()[0] % 2]


@dataclass(frozen=True, slots=True)
class Judged:
    """What the rule says of a labelled page, and its cost in milliseconds of CPU."""

    page: Labelled
    kind: str
    reading_ms: float
    kind_ms: float


def labelled_pages(path: Path = LABELS) -> list[Labelled]:
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return [Labelled(row["bed"], row["url"], row["kind"], float(row["weight"]), row["reason"]) for row in rows]


def judged(pages: Sequence[Labelled], names: Sequence[str], cache: Path | None = None) -> Iterator[Judged]:
    """Ask webs for the pages, one web after the other, and the rule for their kind; pages that no web has are left out."""
    analyser, left = TextAnalyser(), list(pages)
    for name in names:
        web = open_web([name], True if web_called([name]).has_index_pages else None, cache)  # as in those crawls
        answers = [(page, web.answer(page.url)) for page in left]
        left = [page for page, answer in answers if answer is None or answer.status != 200]
        for page, answer in answers:
            if answer is None or answer.status != 200:
                continue
            declared = next((value for header, value in answer.headers if header.lower() == "content-type"), "")
            markup = decode(answer.body, declared)
            start = time.process_time()
            document = read_html(markup, analyser.terms_of_each)
            read = time.process_time()
            kind = kind_of(document)
            yield Judged(page, kind, 1e3 * (read - start), 1e3 * (time.process_time() - read))


def report(found: Sequence[Judged]) -> Iterator[str]:
    """Yield what the rule says by what the reader says, how often the two agree, and what it costs, line by line."""
    counts = Counter((one.page.kind, one.kind) for one in found)
    called = (SPEAKS, *KINDS)
    rows = [["the reader says / the rule says", *(kind or SAYS_SOMETHING for kind in called)]]
    rows += [[kind or SAYS_SOMETHING, *(str(counts[kind, by_rule]) for by_rule in called)] for kind in called]
    yield from markdown(rows)
    yield ""
    rows = [
        ["bed", "pages", "kept apart", "of them rightly", "of those to be kept apart, found", "the same by weights"]
    ]
    rows += [_row(bed, [one for one in found if one.page.bed == bed]) for bed in BEDS]
    rows.append(_row("all", found))
    yield from markdown([row for row in rows if row[1] != "0"])
    yield ""
    reading, kind = fmean(one.reading_ms for one in found), fmean(one.kind_ms for one in found)
    yield f"CPU: {reading:.2f} ms a page for reading it, and {kind:.2f} ms for its kind."


def _row(name: str, found: Sequence[Judged]) -> list[str]:
    apart = [one for one in found if one.kind]
    due = [one for one in found if one.page.kind]
    right = [one for one in apart if one.page.kind]
    weights = [sum(one.page.weight for one in some) for some in (apart, due, right)]
    precision, recall = (weights[2] / weight if weight else 1.0 for weight in weights[:2])
    cells = [
        _share(len(right), len(apart)),
        _share(len(right), len(due)),
        f"{precision:.2f}, {recall:.2f}" if due else "",
    ]
    return [name, str(len(found)), str(len(apart)), *cells]


def _share(some: int, of: int) -> str:
    if not of:
        return ""
    share: Share = wilson(some / of, of)
    return f"{some} of {of}: {share.value:.2f} ({share.low:.2f} to {share.high:.2f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("web", nargs="+", help="a recorded web, as scrapy serve-web takes it")
    parser.add_argument("--split", choices=SPLITS, default="report", help="half of the sites (default: report)")
    parser.add_argument("--wrong", action="store_true", help="list the pages on which the reader and the rule differ")
    parser.add_argument("--cache", type=Path, help="folder that keeps the index of WARC files")
    arguments = parser.parse_args()
    pages = [page for page in labelled_pages() if page.split == arguments.split]
    found = list(judged(pages, arguments.web, arguments.cache))
    if not found:
        raise EvaluationError(f"{', '.join(arguments.web)}: none of the labelled pages is in there")
    print("\n".join(report(found)))
    for one in found if arguments.wrong else ():
        if bool(one.kind) != bool(one.page.kind):
            print(f"{one.page.url}: {one.kind or SAYS_SOMETHING}, but it is: {one.page.reason}")


if __name__ == "__main__":
    try:
        main()
    except FocusedError as error:
        sys.exit(f"page_kinds: {error}")
