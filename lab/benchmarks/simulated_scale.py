"""Speed and memory of a long simulated crawl on a synthetic web, which stores nothing itself.

Prints, as the crawl goes on, how many URLs are known and wait, the resident memory of the process, by how much it has grown for
each URL that became known since the first row, and the pages per second of CPU since the last one, making the pages included.

Example:
    python -m lab.benchmarks.simulated_scale --pages 20000
    python -m lab.benchmarks.simulated_scale --pages 5000 --web synthetic:pages=100000,topics=20 --strategy dom
"""

from __future__ import annotations

import argparse
import sys
import time

from focused import strategies
from focused.exceptions import FocusedError
from focused.run.assemble import assemble
from focused.simulation.analysed_web import AnalysedWeb
from focused.simulation.simulator import Simulator
from focused.topic.topic_arguments import topic_from_arguments
from lab.benchmarks.measured import resident
from lab.topics.synthetic_topics import seeds_of
from lab.webs.synthetic import SyntheticWeb, synthetic_options

STEPS = 10  #: rows of the table


def measure(web: SyntheticWeb, strategy: str, pages: int) -> None:
    """Crawl the first topic of a web and print the table."""
    arguments = {"keywords": ",".join(web.keywords(0)), "seeds": ",".join(seeds_of(web, 0))}
    reader, crawl = assemble(topic_from_arguments({**arguments, "strategy": strategy, "pages": str(pages)}, strategies))
    simulator = Simulator(crawl, AnalysedWeb(web, reader, hide_outside=False))
    print("| pages | known URLs | waiting URLs | resident MB | bytes per known URL | pages/s of CPU |")
    print("|---|---|---|---|---|---|")
    step, first, start = max(1, pages // STEPS), None, time.process_time()
    for fetch in simulator.fetches():
        if fetch.outcome != "page" or crawl.totals.pages % step:
            continue
        known, megabytes, now = len(crawl.urls), resident(), time.process_time()
        grown = f"{2**20 * (megabytes - first[1]) / (known - first[0]):.0f}" if first and known > first[0] else ""
        first = first or (known, megabytes)
        print(
            f"| {crawl.totals.pages:,} | {known:,} | {len(crawl.frontier):,} | {megabytes:.0f} | {grown} | "
            f"{step / (now - start):,.0f} |",
            flush=True,
        )
        start = now
    print(f"\n{simulator.ended}; {crawl.hosts.visited:,} hosts, {crawl.totals.duplicates:,} exact duplicates")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=20_000, help="pages to fetch (default: 20000)")
    parser.add_argument("--web", default="synthetic:pages=1000000", help="(default: synthetic:pages=1000000)")
    parser.add_argument("--strategy", default="best_first", help="(default: best_first)")
    arguments = parser.parse_args()
    try:
        measure(SyntheticWeb(synthetic_options(arguments.web)), arguments.strategy, arguments.pages)
    except FocusedError as error:
        sys.exit(f"simulated_scale: {error}")


if __name__ == "__main__":
    main()
