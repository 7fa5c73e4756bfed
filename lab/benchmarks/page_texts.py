"""Which text of a page should say how relevant it is: all of it, or less?

The pages of one fixed crawl by `dom` are ranked by the topic's own page model, which sees of each

- ``all``: all its text, as crawls do;
- ``no links``: all but the anchor texts;
- ``no repeats``: all but the texts of elements that stood on two earlier pages of its host, as menus and footers do;
- ``main text``: what `focused.reading.main_text` takes for the text of the author, with the title;
- ``both``: the mean of ``all`` and ``main text``.

It prints the average precision and the area under the ROC curve of each, as means over topics, and tests each against ``all``.

Example:
    python -m lab datasets topics webkb.tar.xz --out topics-webkb
    python -m lab.benchmarks.page_texts webkb.tar.xz --topics topics-webkb --out data/page-texts
"""

from __future__ import annotations

import argparse
import csv
import io
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sklearn.metrics import average_precision_score, roc_auc_score

from focused.exceptions import EvaluationError, FocusedError
from focused.reading.decoding import decode
from focused.reading.html import read_html
from focused.reading.link_context import span_norms
from focused.reading.main_text import main_text
from focused.reading.page import Page
from focused.reading.reader import Reader
from focused.reporting.progress_line import ProgressLine
from focused.run.assemble import assemble, page_model_of
from focused.scoring.relevance import PageModel
from focused.simulation.analysed_web import AnalysedWeb, Fetched
from focused.simulation.simulator import Network, Simulator
from focused.simulation.web_opener import WebOpener
from focused.strategies.dom import Dom
from focused.topic.topic import Budget
from lab.results.results_files import write_file
from lab.results.results_table import markdown
from lab.results.statistics import compare, mean
from lab.topics.labelled_files import LabelledFile, labelled_files

ALL, MAIN, BOTH = "all", "main text", "both"
TEXTS = (ALL, "no links", "no repeats", MAIN, BOTH)
REPEATED = 2  #: earlier pages of the host on which a text has stood
FEWEST = 5  #: targets among the pages of a crawl, and other pages, that a topic needs to be judged
PAGES = 500
SECONDS = 10.0  #: between two lines of progress
MEASURES = ("average precision", "ROC-AUC")


@dataclass(frozen=True)
class Figures:
    """What the page model made of one kind of text on one topic.

    targets : among the pages
    values : by measure
    """

    topic: str
    text: str
    pages: int
    targets: int
    values: Mapping[str, float]


class Texts:
    """The terms of each page by kind of text. Pages are told in the order in which a crawl fetched them."""

    def __init__(self, reader: Reader) -> None:
        self._analyser = reader.analyser
        self._seen: Counter[tuple[str, str]] = Counter()  # host and text of an element -> pages

    def of(self, page: Page, markup: str) -> dict[str, list[str]]:
        """The terms of a page by kind of text, but for BOTH."""
        texts: list[str] = []
        before: list[int] = []

        def terms_of_each(each: list[str]) -> tuple[list[str], list[int]]:
            found = self._analyser.terms_of_each(each)
            texts.extend(each)
            before.extend(found[1])
            return found

        found = read_html(markup, terms_of_each)
        terms = found.terms
        in_links = bytearray(len(terms))
        for link in found.links:
            in_links[link.anchor_start : link.anchor_end] = b"\1" * (link.anchor_end - link.anchor_start)
        places = [(page.host, " ".join(text.split())) for text in texts]
        own = [number for number, place in enumerate(places) if self._seen[place] < REPEATED]
        self._seen.update(set(places))
        main = main_text(markup, page.url)
        return {
            ALL: terms,
            "no links": [term for term, linked in zip(terms, in_links, strict=True) if not linked],
            "no repeats": [term for number in own for term in terms[before[number] : before[number + 1]]],
            MAIN: self._analyser.terms(main.title) + self._analyser.terms(main.text),
        }


def tried(file: LabelledFile, opener: WebOpener, pages: int) -> list[Figures]:
    """Rank the pages of a crawl for a topic by each kind of text; nothing where it has too few targets or others."""
    topic = file.topic.model_copy(update={"strategy": Dom.name, "strategy_options": {}, "budget": Budget(pages=pages)})
    reader, crawl = assemble(topic)
    web, targets = opener.open(topic, reader, file.part), file.read().judgements.targets
    urls = [
        fetch.final_url
        for fetch in Simulator(crawl, web, Network(in_flight=1, delay=0)).fetches()
        if fetch.outcome == "page"
    ]
    judged = list(scored(urls, web, *page_model_of(topic)))
    truth = [url in targets for url, _ in judged]
    if not FEWEST <= sum(truth) <= len(truth) - FEWEST:
        return []
    found = []
    for text in TEXTS:
        scores = [by_text[text] for _, by_text in judged]
        values = (average_precision_score(truth, scores), roc_auc_score(truth, scores))
        found.append(
            Figures(topic.name, text, len(truth), sum(truth), dict(zip(MEASURES, map(float, values), strict=True)))
        )
    return found


def scored(
    urls: Sequence[str], web: AnalysedWeb, reader: Reader, model: PageModel
) -> Iterator[tuple[str, dict[str, float]]]:
    """The relevance of each page that has text, by kind of text."""
    texts = Texts(reader)
    for url in urls:
        read, answer = web.ask(url), web.web.answer(url)
        if not isinstance(read, Fetched) or answer is None or not read.page.terms:
            continue
        markup = decode(
            answer.body, next((value for name, value in answer.headers if name.lower() == "content-type"), "")
        )
        by_text = {text: relevance(read.page, terms, model) for text, terms in texts.of(read.page, markup).items()}
        yield url, by_text | {BOTH: (by_text[ALL] + by_text[MAIN]) / 2}


def relevance(page: Page, terms: list[str], model: PageModel) -> float:
    """How relevant a page would be if these were its terms."""
    whole = (0, len(terms))
    return model(replace(page, terms=terms, norm=span_norms(terms, [whole])[whole], links=[])) if terms else 0.0


def report(found: Sequence[Figures]) -> list[str]:
    """A table with a row for each kind of text."""
    rows = [["text", *MEASURES, "difference in average precision", "better on", "p that it is better (t-test)"]]
    by_text = {text: _by_topic([row for row in found if row.text == text]) for text in TEXTS}
    for text, values in by_text.items():
        cells = [f"{mean(values[name]).value:.3f} ± {mean(values[name]).standard_error:.3f}" for name in MEASURES]
        if text == ALL:
            rows.append([text, *cells, "", "", ""])
            continue
        ours, theirs = values[MEASURES[0]], by_text[ALL][MEASURES[0]]
        test, wins = compare(ours, theirs), sum(ours[topic] > theirs[topic] for topic in ours)
        rows.append(
            [text, *cells, f"{test.difference.value:+.3f}", f"{wins} of {len(ours)} topics", f"{test.t_test:.2g}"]
        )
    return markdown(rows)


def _by_topic(rows: Sequence[Figures]) -> dict[str, dict[str, float]]:
    """The values of some rows by measure and topic."""
    return {name: {row.topic: row.values[name] for row in rows} for name in MEASURES}


def csv_of(found: Sequence[Figures]) -> str:
    """A row for each topic and kind of text."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("topic", "text", "pages", "targets", *MEASURES))
    for row in found:
        writer.writerow(
            (row.topic, row.text, row.pages, row.targets, *(f"{row.values[name]:.6g}" for name in MEASURES))
        )
    return text.getvalue()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("web", nargs="+", help="a recorded web, as python -m lab experiment takes it")
    parser.add_argument(
        "--topics", nargs="+", required=True, help="folders or files of topics, with their labels beside them"
    )
    parser.add_argument("--pages", type=int, default=PAGES, help=f"of the crawl of each topic (default: {PAGES})")
    parser.add_argument("--cache", type=Path, help="folder that keeps what is read of pages (default: OUT/cache)")
    parser.add_argument("--out", type=Path, default=Path("data/page-texts"), help="folder of table.md and figures.csv")
    arguments = parser.parse_args()
    if arguments.pages < 1:
        parser.error(f"--pages {arguments.pages}: give a number from 1 on")
    opener = WebOpener(arguments.web, arguments.cache or arguments.out / "cache")
    files, progress, found = labelled_files(arguments.topics), ProgressLine(SECONDS), list[Figures]()
    for number, file in enumerate(files, 1):
        progress.show(lambda: f"topic {number} of {len(files)}: {file.topic.name}")  # noqa: B023
        found += tried(file, opener, arguments.pages)
    progress.close()
    if len({row.topic for row in found}) < 2:
        raise EvaluationError(
            f"fewer than two topics have {FEWEST} targets, and {FEWEST} other pages, among what was crawled"
        )
    lines = report(found)
    print("\n".join(lines))
    write_file(arguments.out / "table.md", "\n".join([*lines, ""]).encode())
    write_file(arguments.out / "figures.csv", csv_of(found).encode())
    print(f"\nAll figures are in {arguments.out}: table.md (this), figures.csv.")


if __name__ == "__main__":
    try:
        main()
    except FocusedError as error:
        sys.exit(f"page_texts: {error}")
