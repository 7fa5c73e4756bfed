"""Memory of a long crawl: the session with its stores, without the network, over a generated web.

Prints the resident memory of the process as the crawl goes on, and by how much it has grown for each URL that became
known since the first row.

Example:
    python -m lab.benchmarks.memory --pages 10000
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path

from focused import strategies
from focused.collection.repository import Stored
from focused.live.session import Session
from focused.topic.topic_arguments import topic_from_arguments
from lab.benchmarks.generated_web import GeneratedWeb
from lab.benchmarks.measured import resident

STEPS = 10  #: rows of the table
COMMIT_EVERY = 100  #: pages: about a second of a live crawl


def fetch(session: Session, web: GeneratedWeb) -> float:
    """Bring one page through reading, core and stores; return the CPU seconds it took, without making the page."""
    start = time.process_time()
    pick = session.next()
    if pick is None:
        raise SystemExit("the web is too small: nothing is left to fetch")
    url = session.store.url(pick.id)
    before = time.process_time() - start
    answer = web.answer(url)
    start = time.process_time()
    if answer is None or answer.status != 200:  # a crawl asks each host for a page that cannot be
        session.failed(pick.id, "http 404", 404)
        return before + time.process_time() - start
    record = session.fetched(pick.id, Stored(url, 200, answer.headers, answer.body), answer.header("Content-Type"))
    if isinstance(record, str):
        raise SystemExit(f"{url}: {record}")
    session.journal.keep(record)
    session.journal.finish(record)
    return before + time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--json", type=Path, help="write the table to this file")
    arguments = parser.parse_args()
    web = GeneratedWeb()
    topic = topic_from_arguments(
        {"keywords": "solar energy,solar panel,inverter", "seeds": ",".join(web.seeds), "pages": "0"},
        strategies,
    )
    rows: list[dict[str, float]] = []
    with tempfile.TemporaryDirectory() as folder:
        session = Session(topic, Path(folder) / "memory")
        print("| pages | known URLs | waiting URLs | resident MB | bytes per known URL | CPU ms per page |")
        print("|---|---|---|---|---|---|")
        cpu, step = 0.0, max(1, arguments.pages // STEPS)
        for number in range(1, arguments.pages + 1):
            cpu += fetch(session, web)
            if number % COMMIT_EVERY == 0:
                session.commit()
            if number % step:
                continue
            known, megabytes = len(session.crawl.urls), resident()
            grown = f"{2**20 * (megabytes - rows[0]['MB']) / (known - rows[0]['known']):.0f}" if rows else ""
            rows.append({"pages": number, "known": known, "waiting": len(session.crawl.frontier), "MB": megabytes})
            print(
                f"| {number:,} | {known:,} | {len(session.crawl.frontier):,} | {megabytes:.0f} | "
                f"{grown} | {1000 * cpu / step:.1f} |",
                flush=True,
            )
            cpu = 0.0
        session.close()
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
