"""How far a live crawl and a simulated one differ: same topics, strategies, pages and requests in flight, over HTTP and offline.

Topics are development topics of Wikispeedia, a host per article. Order may differ, as answers arrive in another order; quality
should not.

Example:
    python -m benchmarks.live_difference wikispeedia.tar.xz --strategies best_first adaptive --topics 4 --pages 300
"""

from __future__ import annotations

import argparse
import sqlite3
import sys
import tempfile
from pathlib import Path
from statistics import mean

from scipy.stats import spearmanr

from benchmarks.measured import measured, options
from focused.crawl.assemble import assemble
from focused.errors import FocusedError
from focused.evaluation.analysed_web import AnalysedWeb
from focused.evaluation.measures.area_under_recall import area_under_recall
from focused.evaluation.run import Run
from focused.evaluation.simulator import Network, Simulator
from focused.evaluation.topics import LabelledTopic
from focused.evaluation.wikispeedia_topics import development, wikispeedia_topics
from focused.strategies import get_strategy
from focused.topic import Topic
from focused.webs.server import serving
from focused.webs.wikispeedia import Wikispeedia

LATENCY = 0.05  #: seconds of each answer, live and simulated
IN_FLIGHT = 16
SETTINGS: dict[str, object] = {
    "DOWNLOAD_DELAY": 0,
    "CONCURRENT_REQUESTS": IN_FLIGHT,
    "METAREFRESH_ENABLED": 0,
    "LOG_LEVEL": "WARNING",
}


def live(web: Wikispeedia, topic: LabelledTopic, strategy: str, pages: int, folder: Path) -> list[str]:
    """URLs in the order in which a live crawl received them."""
    arguments = {
        "name": "live",
        "keywords": ",".join(topic.keywords),
        "seeds": ",".join(topic.seeds),
        "strategy": strategy,
        "pages": pages,
    }
    command = ["crawl", "topical", *options(SETTINGS | {"FOCUSED_DATA_DIR": folder})]
    for name, value in arguments.items():
        command += ["-a", f"{name}={value}"]
    with serving(web, latency=LATENCY) as server:
        measured(command, server.port, folder / "log")
    database = sqlite3.connect(folder / "live" / "crawl.db")
    rows = database.execute("SELECT final_url FROM history WHERE outcome = 'page' ORDER BY seq").fetchall()
    database.close()
    return [url for (url,) in rows]


def simulated(web: Wikispeedia, topic: LabelledTopic, strategy: str, pages: int) -> list[str]:
    """URLs in the order in which the simulator received them."""
    reader, crawl = assemble(
        Topic(name="simulated", keywords=topic.keywords, seeds=topic.seeds, budget={"pages": pages}, strategy=strategy)
    )
    network = Network(in_flight=IN_FLIGHT, delay=0.0, latency=LATENCY)
    fetches = Simulator(crawl, AnalysedWeb(web, reader, hide_outside=False), network).fetches()
    return [fetch.final_url for fetch in fetches if fetch.outcome == "page"]


def compared(topic: LabelledTopic, strategy: str, there: list[str], here: list[str], pages: int) -> tuple[float, ...]:
    """Share of pages in common, rank correlation of their order, area under the recall curve live and simulated."""
    places = {url: place for place, url in enumerate(here)}
    common = [(place, places[url]) for place, url in enumerate(there) if url in places]
    correlation = float(spearmanr([pair[0] for pair in common], [pair[1] for pair in common]).statistic)
    areas = (area_under_recall(Run(strategy, topic.name, 0, urls), topic.judgements, pages) for urls in (there, here))
    return (len(common) / max(1, len(there)), correlation, *areas)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wikispeedia", type=Path, help="the data set: folder or tar archive")
    parser.add_argument("--strategies", nargs="+", default=["best_first", "dom", "adaptive"])
    parser.add_argument("--topics", type=int, default=3, help="so many development topics (default: 3)")
    parser.add_argument("--pages", type=int, default=200, help="of each crawl (default: 200)")
    arguments = parser.parse_args()
    try:
        for strategy in arguments.strategies:
            get_strategy(strategy)
        web = Wikispeedia(arguments.wikispeedia, layout="article")
        topics = wikispeedia_topics(web, development()[: arguments.topics])
        print(
            "| strategy | topic | pages in common | rank correlation | area live | area simulated |\n|---|---|---|---|---|---|"
        )
        for strategy in arguments.strategies:
            report(web, topics, strategy, arguments.pages)
    except FocusedError as error:
        sys.exit(f"live_difference: {error}")


def report(web: Wikispeedia, topics: list[LabelledTopic], strategy: str, pages: int) -> None:
    """Print a row a topic, and their mean."""
    rows = []
    for topic in topics:
        with tempfile.TemporaryDirectory() as folder:
            there = live(web, topic, strategy, pages, Path(folder))
        rows.append(compared(topic, strategy, there, simulated(web, topic, strategy, pages), pages))
        print(row(strategy, topic.name, rows[-1]), flush=True)
    print(row(strategy, "mean", tuple(map(mean, zip(*rows, strict=True)))), flush=True)


def row(strategy: str, topic: str, figures: tuple[float, ...]) -> str:
    share, correlation, *areas = figures
    return f"| {strategy} | {topic} | {share:.0%} | {correlation:.2f} | {areas[0]:.3f} | {areas[1]:.3f} |"


if __name__ == "__main__":
    main()
