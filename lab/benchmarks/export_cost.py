"""What `scrapy export` costs: pages a second and peak memory in each format, of a collection of pages of 37 KB.

Peak memory is that of the largest process; it must not grow with the number of pages.

Example:
    python -m lab.benchmarks.export_cost --pages 20000 --out data/export-cost
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path

from focused import __version__
from focused.reading.urls import UrlRules, host_of
from focused.storage.collection import Collection
from focused.storage.repository import Stored
from focused.storage.store import COLUMNS, Row, Unit
from focused.topic.topic import Topic
from lab.benchmarks.generated_web import GeneratedWeb
from lab.benchmarks.measured import measured, options

#: What is written, with the options that it takes.
EXPORTS = (
    "pages.jsonl", "pages.jsonl --text all", "pages.jsonl --structured", "pages.jsonl --chunks", "pages.jsonl.zst", "pages.csv",
    "pages.parquet", "pages.xlsx", "pages.warc.gz", "pages.wacz", "pages.txt", "pages/",
)  # fmt: skip
NAME = "generated"
FAN_OUT = 8  #: pages that were found on a page


def make_collection(folder: Path, count: int) -> None:
    """Write a collection of so many pages, as a crawl that found each on an earlier one would have."""
    web, rules = GeneratedWeb(), UrlRules()
    topic = Topic(name=NAME, keywords=("solar panel",), seeds=(web.url(0),))
    hosts = {name: number for number, name in enumerate(sorted(web.hosts))}
    with closing(Collection(folder, pages="warc")) as collection:
        store, now, depths = collection.store, datetime.now(UTC), list[int]()
        time = now.isoformat(timespec="milliseconds")
        store.execute(
            "INSERT INTO runs (id, started, version, strategy, topic) VALUES (1, ?, ?, 'adaptive', ?)",
            (time, __version__, json.dumps(topic.as_dict())),
        )
        store.add(1, [("seeds", [(1, 0)]), ("hosts", [(number, name, None) for name, number in hosts.items()])])
        for page in range(count):
            url = web.url(page)
            answer = web.answer(url)
            assert answer is not None
            place = collection.repository.put(Stored(url, answer.status, answer.headers, answer.body), now)
            pick, relevant = 2 + 2 * page, page % 10 == 0
            source = page // FAN_OUT if page else None
            depths.append(0 if source is None else depths[source] + 1)
            digest, size = blake2b(answer.body, digest_size=16).hexdigest(), len(answer.body)
            fetch: Row = (pick + 1, 1, pick, page, page, "page", None, answer.status, time, size, "text/html", "en")
            fetch += (f"Article {page}", 0.5 * relevant, int(relevant), digest, None, 0, 0)
            fetch += (place.file, place.offset, place.length)
            fetch += (None,) * (COLUMNS["fetches"] - len(fetch))
            unit: Unit = [
                ("urls", [(page, rules.key(url), hosts[host_of(url)], url)]),
                ("picks", [(pick, 1, page, time, 0.5, "{}", source, depths[page], None)]),
            ]
            store.add(pick, unit)
            store.add(pick + 1, [("fetches", [fetch])])
            if page % 500 == 0:
                store.commit()
        collection.repository.flush()
        store.commit()


def costs(data: Path, count: int, processes: int, exports: Sequence[str] = EXPORTS) -> Iterator[str]:
    """Rows of a table in Markdown."""
    yield "| export | seconds | pages a second | CPU ms a page | peak MB of a process | MB |"
    yield "|---|---|---|---|---|---|"
    settings = options({"FOCUSED_DATA_DIR": data})
    for export in exports:
        name, *asked = export.split()
        with tempfile.TemporaryDirectory(dir=data) as folder:
            target = f"{folder}/{name}"
            command = ["export", NAME, target, *asked, "--processes", str(processes), *settings]
            cost = measured(command, 0, data / "export.log")
            size = sum(file.stat().st_size for file in Path(folder).rglob("*") if file.is_file()) / 1e6
        speed, cpu = count / cost.wall, 1000 * cost.cpu / count
        yield f"| `{export}` | {cost.wall:.1f} | {speed:,.0f} | {cpu:.2f} | {cost.peak:.0f} | {size:,.0f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=20_000, help="of the collection (default: 20000)")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="(default: one for each core)")
    parser.add_argument("--out", type=Path, default=Path("data/export-cost"), help="folder of the collection")
    parser.add_argument(
        "--export", action="append", metavar="EXPORT", help=f"which, of any (default: {', '.join(EXPORTS)})"
    )
    arguments = parser.parse_args()
    folder = arguments.out / f"{arguments.pages}"
    if not (folder / NAME).exists():
        print(f"making a collection of {arguments.pages:,} pages in {folder}", file=sys.stderr)
        make_collection(folder / NAME, arguments.pages)
    for line in costs(folder, arguments.pages, arguments.processes, arguments.export or EXPORTS):
        print(line, flush=True)


if __name__ == "__main__":
    main()
