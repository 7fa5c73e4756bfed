"""What a crawl makes of copies that are known: which it tells, and how many of them it fetches.

Crawls the web of copies (`lab/webs/copies.py`) to its end, with and without what is learned of URLs (``traps.variants``), each
with and without leaving places that bring nothing new (``traps.patience`` and ``traps.detour``). A row for each kind of page
says how many there are, how many of them a crawl fetched, and how many of those it called copies. The articles themselves are
one kind: all of them are there to be found.

Example:
    python -m lab.benchmarks.copies_built
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from focused import strategies
from focused.exceptions import FocusedError
from focused.run.assemble import assemble
from focused.simulation.analysed_web import AnalysedWeb
from focused.simulation.simulator import Network, Simulator
from focused.topic.topic_arguments import topic_from_arguments
from lab.results.results_table import markdown
from lab.webs.copies import SEED, CopyWeb

ARTICLES = 40
NO_PLACES = {"traps.patience": "0", "traps.detour": "0", "traps.turns": "false"}
NO_VARIANTS = {"traps.variants": "false"}
WAYS: Mapping[str, Mapping[str, str]] = {
    "as it is": {},
    "no variants": NO_VARIANTS,
    "no places": NO_PLACES,
    "no places, no variants": {**NO_PLACES, **NO_VARIANTS},
}


@dataclass(frozen=True, slots=True)
class Counts:
    """Pages by kind."""

    fetched: Counter[str] = field(default_factory=Counter)
    called_copies: Counter[str] = field(default_factory=Counter)  #: of these, or called pages without anything new


def crawled(web: CopyWeb, more: Mapping[str, str]) -> Counts:
    """Crawl the web to its end."""
    arguments = {"keywords": "any", "seeds": SEED, "strategy": "breadth_first", "pages": "0", **more}
    reader, crawl = assemble(topic_from_arguments(arguments, strategies))
    counts = Counts()
    for fetch in Simulator(
        crawl, AnalysedWeb(web, reader, hide_outside=False), Network(in_flight=1, delay=0)
    ).fetches():
        if fetch.outcome == "page":
            kind = web.pages[fetch.final_url].kind
            counts.fetched[kind] += 1
            counts.called_copies[kind] += bool(fetch.verdict)
    return counts


def table(web: CopyWeb, found: Mapping[str, Counts]) -> list[list[str]]:
    """A row for each kind of page."""
    there = Counter(page.kind for page in web.pages.values())
    copies = {page.kind for page in web.pages.values() if page.original}
    rows = [["kind", "are copies", "there are", *(f"fetched, {way}" for way in found), "of these called copies"]]
    for kind, number in there.items():
        last = list(found.values())[-1]
        cells = [str(counts.fetched[kind]) for counts in found.values()]
        rows.append([kind, "yes" if kind in copies else "no", str(number), *cells, str(last.called_copies[kind])])
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--articles", type=int, default=ARTICLES, help=f"on each site (default: {ARTICLES})")
    parser.add_argument("--seed", type=int, default=1, help="of the web (default: 1)")
    arguments = parser.parse_args()
    if arguments.articles < 1:
        parser.error(f"--articles {arguments.articles}: give a number from 1 on")
    web = CopyWeb(arguments.articles, arguments.seed)
    print("\n".join(markdown(table(web, {way: crawled(web, more) for way, more in WAYS.items()}))))


if __name__ == "__main__":
    try:
        main()
    except FocusedError as error:
        sys.exit(f"copies_built: {error}")
