"""Of the URLs that a crawl would leave out as variants, how many are copies? Counted on a recorded web, in a fixed random order.

Reads whole hosts of one split, in random order, until there are so many pages. Of each page it is asked whether its URL is a
variant of one that came before; if it is, the page counts as left out, and it is looked at all the same whether it is a copy.
So precision is the share of pages left out that are copies, and savings the share of copies that are left out. Only copies of
pages of the same host count: these are what variants can know.

Example:
    python -m lab.benchmarks.url_variants docs-web.warc.gz --split report
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import numpy as np

from focused.crawl.hosts import Hosts
from focused.crawl.novelty import Contents
from focused.crawl.url_table import State, UrlTable
from focused.crawl.variants import ENOUGH, Variants
from focused.exceptions import FocusedError
from focused.reading.page import Page
from focused.reporting.progress_line import ProgressLine
from focused.simulation.known_webs import open_web
from focused.simulation.recorded_web import RecordedWeb
from focused.topic.topic import Traps
from lab.benchmarks.copies import Texts, urls_by_host
from lab.benchmarks.main_text_pages import SPLITS, split_of
from lab.results.results_table import markdown

PAGES = 20_000
SECONDS = 10.0  #: between two lines of progress


@dataclass(slots=True)
class Tally:
    """Pages by host."""

    pages: Counter[str] = field(default_factory=Counter)
    copies: Counter[str] = field(default_factory=Counter)  #: of pages of the same host
    left_out: Counter[str] = field(default_factory=Counter)
    rightly: Counter[str] = field(default_factory=Counter)  #: of these, copies
    habits: dict[str, list[str]] = field(default_factory=dict)


def tallied(pages: Iterator[Page]) -> Tally:
    """Count what would be left out of pages that come in this order."""
    urls, hosts, tally = UrlTable(), Hosts(), Tally()
    contents, variants = Contents(Traps(), {}), Variants(urls, hosts)
    for page in pages:
        known = urls.intern(np.array([page.key]))
        number = int(known[0])
        urls.host[number] = hosts.intern(page.host)
        why, finding = variants.against(number, page.url, page.host), contents.judge(number, page)
        is_copy = finding.original is not None and urls.host[finding.original] == urls.host[number]
        tally.pages[page.host] += 1
        tally.copies[page.host] += is_copy
        if why:
            tally.left_out[page.host] += 1
            tally.rightly[page.host] += is_copy
            continue
        urls.state[number], variants.fetched[number] = State.DONE, True
        variants.learn(number, page, finding)
    for host, known_points in variants.snapshot()["points"]:
        tally.habits[host] = [f"{old!r} to {new!r}" for old, new, points in known_points if points >= ENOUGH]
    return tally


def drawn(web: RecordedWeb, split: str, most: int) -> list[str]:
    """URLs of whole hosts of a split, in random order."""
    chance, by_host = Random(18), urls_by_host(web.urls())
    names = sorted(host for host in by_host if split_of(host) == split)
    chance.shuffle(names)
    urls: list[str] = []
    for name in names:
        urls += by_host[name] if len(urls) + len(by_host[name]) <= most else []
    chance.shuffle(urls)
    return urls


def pages_of(web: RecordedWeb, urls: Sequence[str], progress: ProgressLine) -> Iterator[Page]:
    """Those of them that can be read."""
    texts = Texts(web)
    for number, url in enumerate(urls, 1):
        progress.show(lambda: f"{number:,} of {len(urls):,} pages")  # noqa: B023
        if page := texts.page(url):
            yield page


def table(tally: Tally) -> list[list[str]]:
    """A row for each host of which something was left out, most first, and one for all hosts."""
    rows = [["host", "pages", "copies", "left out", "precision", "savings", "habits"]]
    for host, _ in tally.left_out.most_common():
        rows.append(
            [host, *_cells(*(counter[host] for counter in _counters(tally))), ", ".join(tally.habits[host][:3])]
        )
    whole = [sum(counter.values()) for counter in _counters(tally)]
    habits = sum(map(len, tally.habits.values()))
    return [*rows, [f"all {len(tally.pages)} hosts", *_cells(*whole), f"{habits} habits"]]


def _counters(tally: Tally) -> Sequence[Counter[str]]:
    return tally.pages, tally.copies, tally.left_out, tally.rightly


def _cells(pages: int, copies: int, left_out: int, rightly: int) -> list[str]:
    numbers = [f"{number:,}" for number in (pages, copies, left_out)]
    return [*numbers, f"{rightly / left_out:.2f}" if left_out else "", f"{rightly / copies:.2f}" if copies else ""]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("web", help="a recorded web, as python -m lab experiment takes it")
    parser.add_argument("--split", choices=SPLITS, default=SPLITS[0], help=f"which hosts (default: {SPLITS[0]})")
    parser.add_argument("--pages", type=int, default=PAGES, help=f"at most so many (default: {PAGES:,})")
    parser.add_argument("--cache", type=Path, help="folder that keeps the index of the web (default: it is not kept)")
    arguments = parser.parse_args()
    if arguments.pages < 1:
        parser.error(f"--pages {arguments.pages}: give a number from 1 on")
    web, progress = open_web([arguments.web], cache=arguments.cache), ProgressLine(SECONDS)
    tally = tallied(pages_of(web, drawn(web, arguments.split, arguments.pages), progress))
    progress.close()
    print("\n".join(markdown(table(tally))))


if __name__ == "__main__":
    try:
        main()
    except FocusedError as error:
        sys.exit(f"url_variants: {error}")
