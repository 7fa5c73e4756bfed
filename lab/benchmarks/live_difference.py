"""How far a live crawl and a simulated one differ: same topics, strategies, pages and requests in flight, over HTTP and offline.

Topics are development topics of Wikispeedia, a host per article. Order may differ, as answers arrive in another order; quality
should not. As order alone moves a crawl, distributions are compared: several live crawls with several simulated ones, each with
latencies drawn anew. And the core is given the pages once more in the order of each live crawl: if it then makes the same picks,
order is all that differs.

Example:
    python -m lab.benchmarks.live_difference wikispeedia.tar.xz --strategies best_first adaptive --topics 4 --pages 300
    python -m lab.benchmarks.live_difference wikispeedia.tar.xz --topics 24 --live 2 --out live-difference
"""

from __future__ import annotations

import argparse
import csv
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import astuple, dataclass, fields
from itertools import accumulate, combinations
from math import nan
from pathlib import Path
from statistics import mean, stdev

import numpy as np
from scipy.stats import ks_2samp, mannwhitneyu, spearmanr

from focused.exceptions import FocusedError
from focused.reading.urls import Address, host_of
from focused.reporting.progress_line import ProgressLine
from focused.run.assemble import assemble
from focused.simulation.analysed_web import AnalysedWeb, Fetched
from focused.simulation.proxy.server import serving
from focused.simulation.recorded_web import RecordedWeb
from focused.simulation.simulator import Network, Simulator
from focused.strategies import get_strategy
from focused.topic.topic import Topic
from lab.benchmarks.measured import measured, options
from lab.judging.run import Run
from lab.measures.area_under_recall import area_under_recall
from lab.results.statistics import FEWEST_TOPICS, compare
from lab.topics.labelled_topics import LabelledTopic
from lab.topics.wikispeedia_topics import development, wikispeedia_topics
from lab.webs.wikispeedia import Wikispeedia

LATENCY = 0.05  #: seconds of each answer, live and simulated; the mean where latencies are drawn
IN_FLIGHT = 16
MEMORY = 2**28  #: bytes of pages that the simulated crawls of a topic share
SETTINGS: dict[str, object] = {
    "DOWNLOAD_DELAY": 0,
    "CONCURRENT_REQUESTS": IN_FLIGHT,
    "ROBOTSTXT_OBEY": 0,  # which the simulator does not know: a request for it takes a place
    "METAREFRESH_ENABLED": 0,
    "LOG_LEVEL": "WARNING",
}
JOURNAL = """SELECT event.kind, urls.id, urls.url FROM urls JOIN
    (SELECT seq, 'pick' AS kind, url FROM picks UNION ALL SELECT seq, outcome, url FROM fetches) event ON event.url = urls.id
    ORDER BY event.seq"""
PROGRESS_SECONDS = 10.0  #: between two lines of progress in a log
TABLE = "live_difference.csv"
HEADINGS = (
    *("strategy", "topic", "pages in common", "in common simulated", "rank correlation"),
    *("area live", "area simulated", "same latency", "same picks", "under way", "at most"),
)


@dataclass(slots=True, frozen=True)
class Difference:
    """One topic, crawled by one strategy live and simulated. Means are over the live crawls."""

    topic: str
    strategy: str
    in_common: (
        float  #: mean share of the pages fetched live that a simulated crawl fetched too, over all pairs of these
    )
    in_common_drawn: float  #: the same of pairs of simulated crawls
    correlation: float  #: mean over the same pairs: of the places of common pages in both orders (Spearman)
    areas_live: tuple[float, ...]  #: under the recall curve
    areas_drawn: tuple[float, ...]  #: of the simulated crawls with latencies drawn at random
    area_simulated: float  #: of the one with the same latency for all pages
    same_picks: (
        float  #: mean share of the live picks, from the first on, that the core makes if pages come in the live order
    )
    under_way: float  #: picks under way at a pick live, this one included, on average
    most_under_way: int  #: no more than IN_FLIGHT if pages are taken in before others are chosen


@dataclass(slots=True, frozen=True)
class Event:
    """A line of a crawl's journal."""

    kind: str  #: ``pick``, or the outcome of a fetch, such as ``page`` or ``probe``
    id: int  #: of the URL picked
    url: str


def live(web: RecordedWeb, topic: LabelledTopic, strategy: str, pages: int, folder: Path) -> list[Event]:
    """All that happened in a live crawl, in order."""
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
    events = [Event(*row) for row in database.execute(JOURNAL)]
    database.close()
    return events


def under_way(events: list[Event]) -> list[int]:
    """How many picks are under way at each pick, this one included."""
    counts = list(accumulate(1 if event.kind == "pick" else -1 for event in events))
    return [count for count, event in zip(counts, events, strict=True) if event.kind == "pick"]


def offline(web: RecordedWeb, topic: LabelledTopic, strategy: str, pages: int) -> tuple[Topic, AnalysedWeb]:
    """What the core crawls without HTTP."""
    made = Topic(name="offline", keywords=topic.keywords, seeds=topic.seeds, budget={"pages": pages}, strategy=strategy)
    return made, AnalysedWeb(web, assemble(made)[0], hide_outside=False, memory=MEMORY)


def simulated(topic: Topic, web: AnalysedWeb, seed: int | None) -> list[str]:
    """URLs in the order in which the simulator received them; latencies are drawn with ``seed``, or all the same."""
    network = Network(in_flight=IN_FLIGHT, delay=0.0, latency=LATENCY, seed=seed)
    fetches = Simulator(assemble(topic)[1], web, network).fetches()
    return [fetch.final_url for fetch in fetches if fetch.outcome == "page"]


def same_picks(topic: Topic, web: AnalysedWeb, events: list[Event]) -> float:
    """Share of the picks of a live crawl that the core makes before its first other one, pages coming in the live order."""
    reader, crawl = assemble(topic)
    crawl.world.probes = True
    crawl.start([Address(reader.rules.key(url), host_of(url), url) for url in topic.seeds])
    same = 0
    for event in events:
        if event.kind == "pick":
            pick = crawl.next()
            if pick is None or pick.id != event.id:
                break
            crawl.frontier.hold(pick.host)
            same += 1
            continue
        crawl.frontier.release(crawl.in_flight[event.id].host)
        answer = web.ask(event.url)
        if event.kind == "probe":
            crawl.probed(event.id, answer.page if isinstance(answer, Fetched) else None)
        elif isinstance(answer, Fetched):
            crawl.fetched(event.id, answer.page, answer.size)
        else:
            crawl.failed(event.id)
    return same / sum(event.kind == "pick" for event in events)


def difference(
    web: RecordedWeb, topic: LabelledTopic, strategy: str, pages: int, lives: int, orders: int
) -> Difference:
    """Crawl a topic ``lives`` times live, and ``orders`` times offline with latencies drawn at random."""

    def areas(crawls: list[list[str]]) -> tuple[float, ...]:
        return tuple(area_under_recall(Run(strategy, topic.name, 0, urls), topic.judgements, pages) for urls in crawls)

    journals = []
    for _ in range(lives):
        with tempfile.TemporaryDirectory() as folder:
            journals.append(live(web, topic, strategy, pages, Path(folder)))
    there = [[event.url for event in events if event.kind == "page"] for events in journals]
    made, analysed = offline(web, topic, strategy, pages)
    drawn = [simulated(made, analysed, seed) for seed in range(orders)]
    pairs = [(one, other) for one in there for other in drawn]
    counts = [count for events in journals for count in under_way(events)]
    return Difference(
        *(topic.name, strategy, mean(in_common(*pair) for pair in pairs)),
        in_common_drawn=mean([in_common(*pair) for pair in combinations(drawn, 2)] or [nan]),
        correlation=mean(rank_correlation(*pair) for pair in pairs),
        areas_live=areas(there),
        areas_drawn=areas(drawn),
        area_simulated=areas([simulated(made, analysed, None)])[0],
        same_picks=mean(same_picks(made, analysed, events) for events in journals),
        under_way=mean(counts),
        most_under_way=max(counts),
    )


def in_common(urls: list[str], others: list[str]) -> float:
    """Share of the pages of one crawl that another one fetched too."""
    return len({*urls} & {*others}) / max(1, len(urls))


def rank_correlation(urls: list[str], others: list[str]) -> float:
    """Of the places that common pages have in two crawls; NaN for fewer than two of these."""
    places = {url: place for place, url in enumerate(others)}
    common = [(place, places[url]) for place, url in enumerate(urls) if url in places]
    return float(spearmanr(common).statistic) if len(common) > 1 else nan


def report(
    web: RecordedWeb, topics: list[LabelledTopic], strategies: list[str], pages: int, lives: int, orders: int
) -> Iterator[Difference]:
    """Print and yield what is found for each topic and strategy; print for each strategy whether live is better or worse."""
    progress = ProgressLine(PROGRESS_SECONDS)
    print(f"| {' | '.join(HEADINGS)} |\n{'|---' * len(HEADINGS)}|")
    for strategy in strategies:
        found: list[Difference] = []
        for place, topic in enumerate(topics, start=1):
            progress.show(f"{strategy}, topic {place} of {len(topics)}: {topic.name}".__str__)
            found.append(difference(web, topic, strategy, pages, lives, orders))
            progress.close()
            print(row(found[-1]), flush=True)
            yield found[-1]
        if len(found) >= FEWEST_TOPICS:
            print(verdict(found), flush=True)


def row(found: Difference) -> str:
    cells = (
        *(found.strategy, found.topic, f"{found.in_common:.0%}", f"{found.in_common_drawn:.0%}"),
        *(f"{found.correlation:.2f}", with_spread(found.areas_live), with_spread(found.areas_drawn)),
        *(
            f"{found.area_simulated:.3f}",
            f"{found.same_picks:.0%}",
            f"{found.under_way:.1f}",
            f"{found.most_under_way}",
        ),
    )
    return f"| {' | '.join(cells)} |"


def with_spread(areas: Sequence[float]) -> str:
    """The mean and, of several, the standard deviation."""
    return f"{mean(areas):.3f}" + (f" ~ {stdev(areas):.3f}" if len(areas) > 1 else "")


def verdict(found: list[Difference]) -> str:
    """The means over topics, the mean difference of areas with its bootstrap interval, and whether distributions differ."""
    there = {one.topic: mean(one.areas_live) for one in found}
    here = {one.topic: mean(one.areas_drawn) for one in found}
    compared, (smirnov, mann) = compare(there, here), distributions(found)
    spreads = [
        mean(stdev(areas) for areas in some) if all(len(areas) > 1 for areas in some) else nan
        for some in ([one.areas_live for one in found], [one.areas_drawn for one in found])
    ]
    return (
        f"{found[0].strategy}, {len(found)} topics: {mean(one.in_common for one in found):.0%} of pages in common live and "
        f"simulated, {mean(one.in_common_drawn for one in found):.0%} of two simulated crawls; "
        f"area live {mean(there.values()):.3f}, simulated {mean(here.values()):.3f} "
        f"(the same latency for all: {mean(one.area_simulated for one in found):.3f}), "
        f"difference {compared.difference.value:+.4f} (95 % interval {compared.low:+.4f} to {compared.high:+.4f}); "
        f"order moves the area of a topic by {spreads[0]:.3f} live, {spreads[1]:.3f} simulated; the same distribution, less the "
        f"mean of each topic: p = {smirnov:.2g} (Kolmogorov-Smirnov), {mann:.2g} (Mann-Whitney); "
        f"{mean(one.same_picks for one in found):.0%} of the picks are the core's in the live order"
    )


def distributions(found: Sequence[Difference]) -> tuple[float, float]:
    """Two-sided p of two tests whether areas live and simulated are of one distribution: Kolmogorov-Smirnov, Mann-Whitney.

    Areas are taken less the mean of all crawls of their topic, and then all topics together: topics differ by far more than
    crawls of one topic do. Less the mean of the simulated crawls alone, these would vary less than live ones do, and the first
    test would take that for a difference: always, where there is one simulated crawl of each topic.
    """
    means = [mean((*one.areas_live, *one.areas_drawn)) for one in found]
    there = np.concatenate([np.array(one.areas_live) - middle for one, middle in zip(found, means, strict=True)])
    here = np.concatenate([np.array(one.areas_drawn) - middle for one, middle in zip(found, means, strict=True)])
    return float(ks_2samp(there, here).pvalue), float(mannwhitneyu(there, here).pvalue)


@contextmanager
def table(folder: Path | None) -> Iterator[Callable[[Difference], object]]:
    """What writes a row into the CSV file of a folder at once, so that a run cut short leaves what it found."""
    if folder is None:
        yield lambda _: None
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = (folder / TABLE).open("w", encoding="utf-8", newline="", buffering=1)
    except OSError as error:
        raise FocusedError(f"{folder / TABLE}: cannot be written: {error.strerror}") from None
    with file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(field.name for field in fields(Difference))
        yield lambda found: writer.writerow(map(cell, astuple(found)))


def cell(value: object) -> object:
    """Several numbers stand in one cell."""
    return " ".join(map(str, value)) if isinstance(value, tuple) else value


def at_least_one(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wikispeedia", type=Path, help="the data set: folder or tar archive")
    parser.add_argument("--strategies", nargs="+", default=["best_first", "dom", "adaptive"])
    parser.add_argument("--topics", type=at_least_one, default=3, help="so many development topics (default: 3)")
    parser.add_argument("--pages", type=at_least_one, default=200, help="of each crawl (default: 200)")
    parser.add_argument("--live", type=at_least_one, default=4, help="live crawls of each topic (default: 4)")
    parser.add_argument(
        "--orders", type=at_least_one, default=10, help="simulated crawls with latencies drawn at random (default: 10)"
    )
    parser.add_argument("--out", type=Path, help=f"folder for the table as CSV ({TABLE})")
    arguments = parser.parse_args()
    try:
        for strategy in arguments.strategies:
            get_strategy(strategy)
        web = Wikispeedia(arguments.wikispeedia, layout="article")
        topics = wikispeedia_topics(web, development()[: arguments.topics])
        with table(arguments.out) as write:
            for found in report(web, topics, arguments.strategies, arguments.pages, arguments.live, arguments.orders):
                write(found)
    except FocusedError as error:
        sys.exit(f"live_difference: {error}")


if __name__ == "__main__":
    main()
