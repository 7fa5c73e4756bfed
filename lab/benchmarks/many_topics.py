"""What many topics cost in one process against one after the other: requests, CPU time, memory, and what each topic finds.

All crawl the same synthetic web over a proxy on this machine. Topics may share a subject: then they want many pages of each other.

Example:
    python -m lab.benchmarks.many_topics --topics 1 10 50 --subjects 10 --pages 40 --out data/many-topics
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import sys
import tempfile
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import mean

from focused.exceptions import FocusedError
from focused.simulation.proxy.server import serving
from lab.benchmarks.measured import Cost, measured, options
from lab.webs.synthetic import SyntheticOptions, SyntheticWeb

SETTINGS: dict[str, object] = {
    "DOWNLOAD_DELAY": 0,
    "CONCURRENT_REQUESTS": 16,
    "LOG_LEVEL": "INFO",
}
LATENCY = 0.02  #: seconds before each answer
SEEDS = 3  #: of each topic
WORDS = 4  #: keywords of a topic; of one subject each topic leaves out another word


@dataclass(frozen=True, slots=True)
class Result:
    """One way of crawling so many topics.

    requests : that arrived at the server, those for robots.txt included
    pages : of all topics together; one that two topics have counts twice
    harvest : share of a topic's pages that are articles about its subject, by the web itself; mean of the topics
    worst : the lowest of these
    cpu, wall : seconds, of all processes
    peak : MB, of the largest process
    """

    topics: int
    way: str
    requests: int
    pages: int
    harvest: float
    worst: float
    cpu: float
    wall: float
    peak: float


class Bench:
    """The web, its topics and where they are crawled.

    subjects : topics 0, 1, ... are about subjects 0, 1, ... and begin again after so many
    pages : budget of each topic
    """

    def __init__(self, web: SyntheticWeb, subjects: int, pages: int, folder: Path) -> None:
        self.web, self.subjects, self.pages, self.folder = web, subjects, pages, folder
        self.truth = [set(web.relevant_urls(subject)) for subject in range(subjects)]

    def write_topics(self, count: int) -> list[Path]:
        """A file for each of so many topics, in a folder of their own."""
        folder = self.folder / f"topics-{count}"
        folder.mkdir()
        files = []
        for number in range(count):
            subject, turn = number % self.subjects, number // self.subjects
            words = list(self.web.keywords(subject))[: WORDS + 1]
            if turn:
                del words[turn % len(words)]
            seeds = list(self.web.relevant_urls(subject))[turn * SEEDS : (turn + 1) * SEEDS]
            files.append(folder / f"topic{number}.toml")
            tables: dict[str, dict[str, object]] = {
                "topic": {"keywords": words, "seeds": seeds},
                "budget": {"pages": self.pages},
            }
            files[-1].write_text(
                "\n".join(
                    f"[{table}]\n" + "\n".join(f"{key} = {json.dumps(value)}" for key, value in values.items())
                    for table, values in tables.items()
                )
            )
        return files

    def run(self, files: Sequence[Path], way: str) -> Result:
        """Crawl these topics ``together`` or ``in turn``."""
        data, log = self.folder / f"{way.replace(' ', '-')}-{len(files)}", self.folder / "access.log"
        data.mkdir()
        log.unlink(missing_ok=True)
        given = options(SETTINGS | {"FOCUSED_DATA_DIR": data})
        named = [f"topics={files[0].parent}"] if way == "together" else [f"topic={file}" for file in files]
        with serving(self.web, latency=LATENCY, log=log) as server:
            costs = [
                measured(["crawl", "topical", *given, "-a", argument], server.port, data / "log.txt")
                for argument in named
            ]
        found = [self._found(data / file.stem, number) for number, file in enumerate(files)]
        harvests = [good / pages if pages else 0.0 for pages, good in found]
        return Result(
            topics=len(files),
            way=way,
            requests=len(log.read_text().splitlines()),
            pages=sum(pages for pages, _ in found),
            harvest=mean(harvests),
            worst=min(harvests),
            **_sum(costs),
        )

    def _found(self, collection: Path, topic: int) -> tuple[int, int]:
        """How many pages a topic has, and how many of them are about its subject."""
        with closing(sqlite3.connect(collection / "crawl.db")) as db:
            urls = [url for (url,) in db.execute("SELECT final_url FROM history WHERE outcome = 'page'")]
        return len(urls), len(self.truth[topic % self.subjects].intersection(urls))


def _sum(costs: Sequence[Cost]) -> dict[str, float]:
    return {
        "cpu": sum(cost.cpu for cost in costs),
        "wall": sum(cost.wall for cost in costs),
        "peak": max(cost.peak for cost in costs),
    }


def row(result: Result) -> str:
    each = result.topics
    return (
        f"| {each} | {result.way} | {result.requests:,} | {result.pages:,} | {result.harvest:.3f} | {result.worst:.3f} | "
        f"{result.cpu:.1f} | {result.cpu / each:.2f} | {result.wall:.0f} | {result.peak:.0f} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--topics", type=int, nargs="+", default=[1, 10, 50], help="how many at once")
    parser.add_argument("--subjects", type=int, default=10, help="that the topics are about, in turn")
    parser.add_argument("--pages", type=int, default=40, help="budget of each topic")
    parser.add_argument("--web", type=int, default=20_000, metavar="PAGES", help="size of the web")
    parser.add_argument("--out", type=Path, help="folder for many-topics.json")
    arguments = parser.parse_args()
    results: list[Result] = []
    web = SyntheticWeb(SyntheticOptions(pages=arguments.web, topics=max(2, arguments.subjects)))
    print("| topics | way | requests | pages | harvest | worst | CPU s | CPU s a topic | wall s | peak MB |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(web, arguments.subjects, arguments.pages, Path(folder))
        for count in arguments.topics:
            files = bench.write_topics(count)
            for way in ("together", "in turn"):
                results.append(bench.run(files, way))
                print(row(results[-1]), flush=True)
    if arguments.out:
        arguments.out.mkdir(parents=True, exist_ok=True)
        told = {"arguments": vars(arguments) | {"out": str(arguments.out)}, "results": [asdict(one) for one in results]}
        (arguments.out / "many-topics.json").write_text(json.dumps(told, indent=2))


if __name__ == "__main__":
    try:
        main()
    except FocusedError as error:
        sys.exit(str(error))
