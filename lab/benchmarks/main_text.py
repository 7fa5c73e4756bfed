"""How well extractors find the main text of pages: words and runs of four words, precision and recall, and what it costs.

The source is a folder of pages with expected texts, or a WARC file of documentation whose templates mark the main text (see
`lab/benchmarks/main_text_pages.py`). Sites are split in two by their names: look at ``--split tune`` as often as you like, and
report what ``--split report`` says. With ``--bare`` pages lose what tells by its name where the text is: class, id, role, and
elements such as nav and main. Extractors whose package is not installed are left out, and named.

Example:
    python -m lab.benchmarks.main_text newspaper4k/tests/data --split report
    python -m lab.benchmarks.main_text docs-web.warc.gz --split report --bare --out data/main-text
"""

from __future__ import annotations

import argparse
import csv
import io
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import fmean, median

import numpy as np

from focused.exceptions import FocusedError
from focused.reading.main_text import main_text
from focused.reporting.progress_line import ProgressLine
from focused.topic.plain_files import writing
from lab.benchmarks.main_text_pages import SPLITS, LabelledPage, labelled_pages, without_names
from lab.results.results_files import write_file

Extractor = Callable[[str, str], str]  #: markup and URL -> text; it may raise whatever it likes
OURS = "focused"
RUN = 4  #: words of a run (Broder 1997: shingles); Lejeune and Barbaresi 2020 and others judge extractors by them
RESAMPLES = 2_000
#: Scripts without spaces: each character is a word.
_WORD = re.compile("[\u0e00-\u0eff\u1000-\u109f\u3040-\u30ff\u3400-\u9fff]|[^\\W_]+")


@dataclass(frozen=True, slots=True)
class Judged:
    """What one extractor did on one page; shares lie in [0, 1]."""

    extractor: str
    page: str
    site: str
    kind: str
    precision: float  #: of words, as a bag
    recall: float
    f1: float
    run_f1: float  #: of different runs of words
    cpu_ms: float
    failed: bool  #: it raised


def extractors() -> tuple[dict[str, Extractor], list[str]]:
    """Those that can be asked here by name, and the packages of those that cannot."""
    found: dict[str, Extractor] = {
        "all text": lambda markup, url: main_text(markup, url, "all").text,
        OURS: lambda markup, url: main_text(markup, url).text,
    }
    missing = []
    for package, make in _LIBRARIES.items():
        try:
            found |= make()
        except ImportError:
            missing.append(package)
    return found, missing


def _resiliparse() -> dict[str, Extractor]:
    from resiliparse.extract.html2text import extract_plain_text

    return {"resiliparse": lambda markup, _: str(extract_plain_text(markup, main_content=True))}


def _trafilatura() -> dict[str, Extractor]:
    from trafilatura import extract

    return {
        "trafilatura": lambda markup, url: extract(markup, url=url) or "",
        "trafilatura fast": lambda markup, url: extract(markup, url=url, fast=True) or "",
        "trafilatura recall": lambda markup, url: extract(markup, url=url, favor_recall=True) or "",
    }


def _readability() -> dict[str, Extractor]:
    from lxml.html import fromstring
    from readability import Document

    return {
        "readability-lxml": lambda markup, _: str(
            fromstring(Document(markup).summary(html_partial=True)).xpath("string()")
        )
    }


def _justext() -> dict[str, Extractor]:
    import justext

    words = justext.get_stoplist("English")
    return {
        "justext": lambda markup, _: "\n".join(
            block.text
            for block in justext.justext(markup.encode(), words, encoding="utf-8")
            if not block.is_boilerplate
        )
    }


_LIBRARIES: dict[str, Callable[[], dict[str, Extractor]]] = {
    "resiliparse": _resiliparse,
    "trafilatura": _trafilatura,
    "readability-lxml": _readability,
    "justext": _justext,
}


def words_of(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def overlap(found: Counter[str], expected: Counter[str]) -> tuple[float, float, float]:
    """Precision, recall and F1 of two bags; an empty one has precision and recall 0, unless both are empty: 1."""
    if not found and not expected:
        return 1.0, 1.0, 1.0
    common = (found & expected).total()
    precision, recall = common / max(1, found.total()), common / max(1, expected.total())
    return precision, recall, 2 * common / (found.total() + expected.total())


def runs_of(words: Sequence[str]) -> Counter[str]:
    return Counter(
        {" ".join(words[start : start + RUN]) for start in range(max(1, len(words) - RUN + 1))} if words else ()
    )


def judge(name: str, extract: Extractor, page: LabelledPage) -> Judged:
    failed, text, start = False, "", time.process_time()
    try:
        text = extract(page.markup, page.name)
    except Exception:  # another's code, on whatever pages there are: that it fails is a result
        failed = True
    cpu = 1000 * (time.process_time() - start)
    found, expected = words_of(text), words_of(page.expected)
    precision, recall, f1 = overlap(Counter(found), Counter(expected))
    run_f1 = overlap(runs_of(found), runs_of(expected))[2]
    return Judged(name, page.name, page.site, page.kind, precision, recall, f1, run_f1, cpu, failed)


def interval(values: Sequence[tuple[str, float]], seed: int = 0) -> tuple[float, float]:
    """Where 95 % of the means would lie if sites were drawn again; pages of one site are drawn together.

    values : site and figure of each page
    """
    sites = defaultdict(list)
    for site, value in values:
        sites[site].append(value)
    sums, counts = np.array([sum(own) for own in sites.values()]), np.array([len(own) for own in sites.values()])
    drawn = np.random.default_rng(seed).integers(0, len(sites), (RESAMPLES, len(sites)))
    low, high = np.percentile(sums[drawn].sum(1) / counts[drawn].sum(1), (2.5, 97.5))
    return float(low), float(high)


def behind(rows: Sequence[Judged], ours: Sequence[Judged]) -> str:
    """By how much F1 is less than ours, page by page, with its interval; "-" if it is our own or ours are not there."""
    if not ours or rows[0].extractor == OURS:
        return "-"
    differences = [(row.site, own.f1 - row.f1) for row, own in zip(rows, ours, strict=True)]
    low, high = interval(differences)
    return f"{fmean(value for _, value in differences):+.3f} ({low:+.3f} to {high:+.3f})"


def table_of(rows: Sequence[Judged]) -> Iterator[str]:
    """Rows of a table in Markdown: an extractor each, all kinds of pages; then F1 by kind."""
    of: dict[str, list[Judged]] = {}
    for row in rows:
        of.setdefault(row.extractor, []).append(row)
    yield (
        "| extractor | precision | recall | F1 | 95 % | focused is better by (95 %) | F1 of runs | worst tenth F1 "
        "| CPU ms, mean | median | failed |"
    )
    yield "|---|---|---|---|---|---|---|---|---|---|---|"
    for name, own in of.items():
        low, high = interval([(row.site, row.f1) for row in own])
        shares = (fmean(row.precision for row in own), fmean(row.recall for row in own), fmean(row.f1 for row in own))
        runs, worst = fmean(row.run_f1 for row in own), float(np.percentile([row.f1 for row in own], 10))
        times = [row.cpu_ms for row in own]
        cells = (
            name,
            *(f"{share:.3f}" for share in shares),
            f"{low:.3f} to {high:.3f}",
            behind(own, of.get(OURS, [])),
            f"{runs:.3f}",
            f"{worst:.3f}",
            f"{fmean(times):.2f}",
            f"{median(times):.2f}",
            str(sum(row.failed for row in own)),
        )
        yield f"| {' | '.join(cells)} |"
    kinds = Counter(row.kind for row in next(iter(of.values())))
    yield ""
    yield f"| F1 by kind (pages) | {' | '.join(f'{kind} ({count})' for kind, count in kinds.most_common())} |"
    yield "|---|" + "---|" * len(kinds)
    for name, own in of.items():
        means = (fmean(row.f1 for row in own if row.kind == kind) for kind, _ in kinds.most_common())
        yield f"| {name} | {' | '.join(f'{value:.3f}' for value in means)} |"


def csv_of(rows: Sequence[Judged]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, asdict(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(asdict(row) for row in rows)
    return text.getvalue()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path, help="folder of pages with expected texts, or WARC file of documentation")
    parser.add_argument("--split", choices=SPLITS, default=SPLITS[0], help="sites to look at (default: tune)")
    parser.add_argument("--bare", action="store_true", help="take the names away that tell where the text is")
    parser.add_argument("--extractors", nargs="+", metavar="NAME", help="only these (default: all that are installed)")
    parser.add_argument("--out", type=Path, help="folder of the CSV file with a row for each page and extractor")
    arguments = parser.parse_args()
    try:
        if not arguments.source.exists():
            raise FocusedError(f"{arguments.source}: no such file or folder")
        found, missing = extractors()
        if unknown := set(arguments.extractors or ()) - found.keys():
            raise FocusedError(f"no extractor {sorted(unknown)[0]!r}; there are {', '.join(found)}")
        if missing:
            print(f"not installed, left out: {', '.join(missing)}", file=sys.stderr)
        chosen = {name: extract for name, extract in found.items() if name in (arguments.extractors or found)}
        rows, line = list[Judged](), ProgressLine(10)
        for number, page in enumerate(labelled_pages(arguments.source, arguments.split), 1):
            bare = page if not arguments.bare else replace(page, markup=without_names(page.markup))
            rows += (judge(name, extract, bare) for name, extract in chosen.items())
            line.show(f"{number} pages".__str__)
        line.close()
        if not rows:
            raise FocusedError(f"{arguments.source}: no page belongs to the split {arguments.split}")
        print("\n".join(table_of(rows)))
        if arguments.out:
            name = f"main-text-{arguments.split}{'-bare' if arguments.bare else ''}.csv"
            with writing(arguments.out):
                arguments.out.mkdir(parents=True, exist_ok=True)
            write_file(arguments.out / name, csv_of(rows).encode())
    except FocusedError as error:
        sys.exit(f"main_text: {error}")


if __name__ == "__main__":
    main()
