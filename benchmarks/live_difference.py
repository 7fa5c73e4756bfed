"""How far a simulated crawl is from a live one: the same strategies on the same topics, over HTTP and by the virtual clock.

The live crawl goes through the recorded-web proxy on loopback. Both have the same topic file, requests in flight, delay, latency
and page budget; labels are read only to judge what was fetched.

Example:
    python -m benchmarks.live_difference wikispeedia.tar.xz --strategies best_first,dom --pages 200 --out differences.csv
"""

from __future__ import annotations

import argparse
import csv
import math
import sqlite3
import sys
import tempfile
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from statistics import fmean

from scipy.stats import spearmanr

from benchmarks.measured import measured, options
from focused.errors import FocusedError
from focused.evaluation.crawling import Crawling, crawl
from focused.evaluation.labelled_files import LabelledFile, labelled_files
from focused.evaluation.measures.area_under_recall import area_under_recall
from focused.evaluation.opening import WebOpener
from focused.evaluation.run import Run
from focused.evaluation.simulator import Network
from focused.evaluation.topics import write_topics
from focused.evaluation.webkb_topics import webkb_topics
from focused.evaluation.wikispeedia_topics import development, wikispeedia_topics
from focused.plain_files import shown_path
from focused.strategies import names
from focused.topic import Budget
from focused.webs.opening import open_web
from focused.webs.server import serving
from focused.webs.web import RecordedWeb
from focused.webs.webkb import WebKB
from focused.webs.wikispeedia import Wikispeedia

LAYOUT = "article"  #: of Wikispeedia: a host per article, so that places are never kept free for a busy host
FEWEST = 2  #: pages that have a rank correlation


@dataclass(frozen=True, slots=True)
class Difference:
    """One topic crawled both ways by one strategy."""

    topic: str
    strategy: str
    live_pages: int
    simulated_pages: int
    common: int  #: pages that both fetched
    rank_correlation: float  #: Spearman's, of the order of arrival of common pages; NaN for fewer than two
    live_area: float  #: under recall
    simulated_area: float

    @property
    def area_difference(self) -> float:
        """Live minus simulated."""
        return self.live_area - self.simulated_area


def rank_correlation(first: Sequence[str], second: Sequence[str]) -> tuple[int, float]:
    """How many URLs two orders have in common, and Spearman's correlation of their ranks (NaN for fewer than two)."""
    position = {url: rank for rank, url in enumerate(second)}
    ranks = [(rank, position[url]) for rank, url in enumerate(first) if url in position]
    if len(ranks) < FEWEST:
        return len(ranks), math.nan
    return len(ranks), float(spearmanr(*zip(*ranks, strict=True)).statistic)


def live(web: RecordedWeb, labelled: LabelledFile, strategy: str, pages: int, network: Network) -> list[str]:
    """URLs of the pages that a live crawl through the proxy fetched, in the order of arrival."""
    name = labelled.topic.name
    with tempfile.TemporaryDirectory() as folder, serving(web, latency=network.latency) as server:
        settings: dict[str, object] = {
            "CONCURRENT_REQUESTS": network.in_flight,
            "CONCURRENT_REQUESTS_PER_DOMAIN": network.per_host,
            "DOWNLOAD_DELAY": network.delay,
            "RETRY_ENABLED": 0,  # what is not recorded answers 502 for good
            "LOG_LEVEL": "WARNING",
            "FOCUSED_DATA_DIR": folder,
            "FOCUSED_TOPICS_DIR": labelled.labels.parent,
        }
        arguments = {"topic": name, "strategy": strategy, "pages": pages}
        command = ["crawl", "topical", *options(settings)]
        for key, value in arguments.items():
            command += ["-a", f"{key}={value}"]
        measured(command, server.port, Path(folder) / "log")
        with closing(sqlite3.connect(Path(folder) / name / "crawl.db")) as database:
            rows = database.execute(
                "SELECT coalesce(final_url, url) FROM history WHERE outcome = 'page' ORDER BY seq"
            ).fetchall()
    return [url for (url,) in rows]


def simulated(opener: WebOpener, labelled: LabelledFile, strategy: str, pages: int, network: Network) -> list[str]:
    """The same crawl by the virtual clock."""
    topic = labelled.topic.model_copy(update={"strategy": strategy, "budget": Budget(pages=pages)})
    where = labelled.university, labelled.layout, None, Path()
    return list(crawl(Crawling(strategy, topic, 1, "", network, *where), opener).urls)


def difference(
    web: RecordedWeb, opener: WebOpener, labelled: LabelledFile, strategy: str, pages: int, network: Network
) -> Difference:
    """Crawl both ways and compare; both crawls are judged over the same budget."""
    orders = [
        live(web, labelled, strategy, pages, network),
        simulated(opener, labelled, strategy, pages, network),
    ]
    judgements = labelled.read().judgements
    areas = [area_under_recall(Run(strategy, judgements.topic, 1, urls), judgements, pages) for urls in orders]
    return Difference(labelled.topic.name, strategy, *map(len, orders), *rank_correlation(orders[0], orders[1]), *areas)


def write_labelled_topics(path: Path, folder: Path) -> None:
    """Write the topics of WebKB, or the near development topics of Wikispeedia; FocusedError for another web."""
    web = open_web([str(path)])
    if isinstance(web, Wikispeedia):
        write_topics(wikispeedia_topics(Wikispeedia(path, LAYOUT), development()), folder)
    elif isinstance(web, WebKB):
        write_topics(webkb_topics(web), folder)
    else:
        raise FocusedError(f"{path}: live crawls are compared on WebKB and Wikispeedia; name the archive of one")


def row(topic: str, strategy: str, differences: Sequence[Difference]) -> str:
    """A line of the table: means over these."""
    correlations = [one.rank_correlation for one in differences if not math.isnan(one.rank_correlation)]
    correlation = f"{fmean(correlations):.3f}" if correlations else "-"
    live_area, simulated_area = (
        fmean(getattr(d, name) for d in differences) for name in ("live_area", "simulated_area")
    )
    pages = " | ".join(
        f"{fmean(getattr(d, name) for d in differences):.0f}" for name in ("live_pages", "simulated_pages", "common")
    )
    gap = fmean(d.area_difference for d in differences)
    return f"| {topic} | {strategy} | {pages} | {correlation} | {live_area:.3f} | {simulated_area:.3f} | {gap:+.3f} |"


def write_rows(differences: Sequence[Difference], path: Path) -> None:
    """Write a line for each topic and strategy; FocusedError if the file cannot be written."""
    columns = [*(field.name for field in fields(Difference)), "area_difference"]
    try:
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, columns)
            writer.writeheader()
            writer.writerows(asdict(one) | {"area_difference": one.area_difference} for one in differences)
    except OSError as error:
        raise FocusedError(f"{shown_path(path)}: cannot be written: {error.strerror}") from None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("web", type=Path, help="archive of WebKB or Wikispeedia")
    parser.add_argument("--strategies", default="best_first,dom,adaptive", help="names with commas (%(default)s)")
    parser.add_argument("--topics", type=int, default=3, help="how many, the first by name (%(default)s)")
    parser.add_argument("--pages", type=int, default=200, help="budget of each crawl (%(default)s)")
    parser.add_argument("--in-flight", type=int, default=16, help="requests at a time (%(default)s)")
    parser.add_argument("--delay", type=float, default=0.0, help="seconds between requests to a host (%(default)s)")
    parser.add_argument("--latency", type=float, default=0.05, help="seconds until an answer comes (%(default)s)")
    parser.add_argument("--out", type=Path, help="write a row for each topic and strategy to this CSV file")
    arguments = parser.parse_args()
    strategies = arguments.strategies.split(",")
    if unknown := [name for name in strategies if name not in names()]:
        parser.error(f"no strategy {unknown[0]!r}; there are {', '.join(names())}")
    if min(arguments.topics, arguments.pages) < 1:
        parser.error("--topics and --pages must be 1 or more")
    network = Network(in_flight=arguments.in_flight, delay=arguments.delay, latency=arguments.latency)
    differences: list[Difference] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_labelled_topics(arguments.web, folder / "topics")
        # What is not recorded fails in both crawls: a live one cannot hide it.
        with closing(WebOpener([str(arguments.web)], folder / "cache", hide_outside=False)) as opener:
            print(
                "| topic | strategy | live pages | simulated | common | rank correlation | live area | simulated | difference |"
            )
            print("|---|---|---|---|---|---|---|---|---|")
            for labelled in labelled_files([str(folder / "topics")])[: arguments.topics]:
                web = open_web([str(arguments.web)], labelled.university, layout=labelled.layout)
                for strategy in strategies:
                    one = difference(web, opener, labelled, strategy, arguments.pages, network)
                    differences.append(one)
                    print(row(one.topic, strategy, [one]), flush=True)
    for strategy in strategies:
        print(row("mean", strategy, [one for one in differences if one.strategy == strategy]))
    if arguments.out:
        write_rows(differences, arguments.out)


if __name__ == "__main__":
    try:
        main()
    except FocusedError as error:
        sys.exit(str(error))
