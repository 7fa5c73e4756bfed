"""How well extractors find the main text of pages: runs of four words, precision and recall, and what a page costs.

The source is a folder of pages with known texts, or a WARC file of documentation whose templates mark the main text (see
`lab/benchmarks/main_text_pages.py`). Sites are split in two by a hash of their names: look at ``--split tune`` as often as you
like, and report what ``--split report`` says; ``all`` is for a set that nothing was chosen on. With ``--bare`` pages lose what
tells by its name where the text is. Extractors whose package is not installed are left out.

Example:
    python -m lab.benchmarks.main_text article-extraction-benchmark --split all
    python -m lab.benchmarks.main_text docs-web.warc.gz --split report --bare
    python -m lab.benchmarks.main_text web-content-extraction-benchmark/test --split all
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean, median

import numpy as np

from focused.exceptions import FocusedError
from focused.page.blocks import Block, Blocks, read_blocks
from focused.page.main_text import main_blocks, main_text
from focused.page.markdown import plain_of
from lab.benchmarks.main_text_pages import SPLITS, LabelledPage, labelled_pages, without_names

Extractor = Callable[[str, str], str]  #: markup and URL -> text; it may raise whatever it likes
RUN = 4  #: words of a run, as in Scrapinghub's article extraction benchmark
RESAMPLES = 2_000
#: Scripts without spaces: each character is a word.
_WORD = re.compile("[\u0e00-\u0eff\u1000-\u109f\u3040-\u30ff\u3400-\u9fff]|[^\\W_]+")


@dataclass(frozen=True, slots=True)
class Judged:
    """What one extractor did on one page; shares lie in [0, 1]."""

    site: str
    precision: float
    recall: float
    cpu_ms: float
    kind: str = "article"  #: of the page
    words: float = 0.0  #: F1 of its words, as in WCXB


def extractors() -> dict[str, Extractor]:
    """Those that can be asked here, by name."""
    found: dict[str, Extractor] = {
        "all text": lambda markup, _: _written(markup, lambda found: found.blocks),
        "our rules": lambda markup, _: _written(markup, main_blocks),
        "focused": lambda markup, _: main_text(markup),
    }
    for make in (_resiliparse, _trafilatura, _readability):
        try:
            found |= make()
        except ImportError as error:
            print(f"left out: {error.name} is not installed", file=sys.stderr)
    return found


def _written(markup: str, choose: Callable[[Blocks], Sequence[Block]]) -> str:
    found = read_blocks(markup)
    return plain_of(choose(found), found.tables)


def _resiliparse() -> dict[str, Extractor]:
    from resiliparse.extract.html2text import extract_plain_text

    return {"resiliparse": lambda markup, _: str(extract_plain_text(markup, main_content=True))}


def _trafilatura() -> dict[str, Extractor]:
    from trafilatura import extract

    return {
        "trafilatura": lambda markup, _: extract(markup, include_comments=False) or "",
        "trafilatura fast": lambda markup, _: extract(markup, include_comments=False, fast=True) or "",
    }


def _readability() -> dict[str, Extractor]:
    from lxml.html import fromstring
    from readability import Document

    return {
        "readability-lxml": lambda markup, _: str(
            fromstring(Document(markup).summary(html_partial=True)).xpath("string()")
        )
    }


def runs_of(text: str) -> Counter[tuple[str, ...]]:
    """Runs of four words, how often each stands there; a shorter text is one run."""
    words = _WORD.findall(text.lower())
    return (
        Counter(tuple(words[start : start + RUN]) for start in range(max(1, len(words) - RUN + 1)))
        if words
        else Counter()
    )


def judge(extract: Extractor, page: LabelledPage) -> Judged:
    """One that raises has found nothing. A page without text has precision 1 if nothing is found."""
    start = time.process_time()
    try:
        text = extract(page.markup, page.name)
    except Exception:  # another's code, on whatever pages there are: that it fails is a result
        text = ""
    cpu = 1000 * (time.process_time() - start)
    found, expected = runs_of(text), runs_of(page.expected)
    common = (found & expected).total()
    precision, recall = (common / of.total() if of else float(not (found or expected)) for of in (found, expected))
    return Judged(page.site, precision, recall, cpu, page.kind, words_f1(text, page.expected))


def words_f1(text: str, expected: str) -> float:
    """F1 of the words of a text, each as often as it stands there."""
    found, wanted = (Counter(_WORD.findall(one.lower())) for one in (text, expected))
    common = (found & wanted).total()
    return 2 * common / (found.total() + wanted.total()) if common else float(not (found or wanted))


def f1_of(rows: Sequence[Judged]) -> float:
    """Of the mean precision and the mean recall."""
    precision, recall = fmean(row.precision for row in rows), fmean(row.recall for row in rows)
    return 2 * precision * recall / max(precision + recall, 1e-9)


def interval(rows: Sequence[Judged], seed: int = 0) -> tuple[float, float]:
    """Where 95 % of the F1 would lie if sites were drawn again; pages of one site are drawn together."""
    sites = defaultdict(list)
    for row in rows:
        sites[row.site].append(row)
    sums = np.array([(sum(row.precision for row in own), sum(row.recall for row in own)) for own in sites.values()])
    counts = np.array([len(own) for own in sites.values()])
    drawn = np.random.default_rng(seed).integers(0, len(sites), (RESAMPLES, len(sites)))
    precision, recall = (sums[drawn].sum(1) / counts[drawn].sum(1)[:, None]).T
    low, high = np.percentile(2 * precision * recall / np.maximum(precision + recall, 1e-9), (2.5, 97.5))
    return float(low), float(high)


def table_of(judged: dict[str, list[Judged]]) -> Iterator[str]:
    """A table in Markdown, a row for each extractor."""
    yield "| extractor | precision | recall | F1 (95 %) | CPU ms, mean | median |"
    yield "|---|---|---|---|---|---|"
    for name, rows in judged.items():
        shares = f"{fmean(row.precision for row in rows):.3f} | {fmean(row.recall for row in rows):.3f}"
        low, high = interval(rows)
        times = [row.cpu_ms for row in rows]
        yield (
            f"| {name} | {shares} | {f1_of(rows):.3f} ({low:.3f} to {high:.3f}) | {fmean(times):.1f} | {median(times):.1f} |"
        )


def table_by_kind(judged: dict[str, list[Judged]]) -> Iterator[str]:
    """The mean F1 of the words, of pages of each kind and of all."""
    kinds = sorted({row.kind for rows in judged.values() for row in rows})
    yield f"| extractor | all | {' | '.join(kinds)} |"
    yield f"|---|{'---|' * (1 + len(kinds))}"
    for name, rows in judged.items():
        means = (fmean(row.words for row in rows if row.kind == kind) for kind in kinds)
        yield f"| {name} | {fmean(row.words for row in rows):.3f} | {' | '.join(f'{mean:.3f}' for mean in means)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path, help="folder of pages with known texts, or WARC file of documentation")
    parser.add_argument("--split", choices=(*SPLITS, "all"), default="tune", help="sites to look at (default: tune)")
    parser.add_argument("--bare", action="store_true", help="take the names away that tell where the text is")
    arguments = parser.parse_args()
    try:
        if not arguments.source.exists():
            raise FocusedError(f"{arguments.source}: no such file or folder")
        found = extractors()
        judged: dict[str, list[Judged]] = {name: [] for name in found}
        for page in labelled_pages(arguments.source, arguments.split):
            shown = replace(page, markup=without_names(page.markup)) if arguments.bare else page
            for name, extract in found.items():
                judged[name].append(judge(extract, shown))
        sites = {row.site for row in judged["focused"]}
        print(f"{len(judged['focused'])} pages of {len(sites)} sites")
        print("\n".join([*table_of(judged), "", "F1 of words, by kind of page:", "", *table_by_kind(judged)]))
    except FocusedError as error:
        sys.exit(f"main_text: {error}")


if __name__ == "__main__":
    main()
