"""Memory of a long crawl, live over HTTP or simulated, on a synthetic web: what is taken in all, and what parts of the crawl hold.

What the parts hold is counted object by object. What is resident beside them must not grow: a table says by how much it did in the
second half of the crawl. Samples are written as CSV, curves as PNG and SVG.

Example:
    python -m lab.benchmarks.memory_curve live --pages 20000 --out data/memory-curve
    python -m lab.benchmarks.memory_curve simulated --pages 200000 --strategy dom --out data/memory-curve
"""

from __future__ import annotations

import argparse
import csv
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import astuple, fields
from pathlib import Path
from time import monotonic
from typing import Any

from focused import strategies
from focused.exceptions import FocusedError
from focused.reading.urls import host_of
from focused.run.assemble import assemble
from focused.simulation.analysed_web import AnalysedWeb
from focused.simulation.proxy.server import serving
from focused.simulation.recorded_web import Answer
from focused.simulation.simulator import Simulator
from focused.topic.plain_files import writing
from focused.topic.topic_arguments import topic_from_arguments
from lab.benchmarks.measured import measured, options, resident
from lab.benchmarks.pulse import Sample, options_of_pulse, read_pulse
from lab.benchmarks.state_sizes import sizes_of
from lab.results.plots import save_picture
from lab.topics.synthetic_topics import seeds_of
from lab.webs.synthetic import SyntheticWeb, synthetic_options

STEPS = 10  #: rows of the printed table
SAMPLES = 40  #: counts of what parts hold
PARTS = {
    "urls_mb": "URLs",
    "hosts_mb": "hosts",
    "frontier_mb": "frontier",
    "strategy_mb": "strategy",
    "rest_mb": "rest",
}
COLOURS = ("#56B4E9", "#0072B2", "#009E73", "#E69F00", "#CC79A7")
ROBOTS = b"User-agent: *\nDisallow: /private\nDisallow: /search\nSitemap: http://any.example/map.xml\n"
SETTINGS: dict[str, object] = {"DOWNLOAD_DELAY": 0, "LOG_LEVEL": "INFO", "CONCURRENT_REQUESTS": 16}


class PoliteWeb:
    """A synthetic web whose hosts are all quick, and have a robots.txt each: a crawl keeps rules for every one."""

    def __init__(self, web: SyntheticWeb) -> None:
        self._web = web

    @property
    def hosts(self) -> Set[str]:
        return self._web.hosts

    def urls(self) -> Iterator[str]:
        return self._web.urls()

    def answer(self, url: str) -> Answer | None:
        if url.endswith("/robots.txt") and host_of(url) in self.hosts:
            return Answer(200, (("Content-Type", "text/plain"),), ROBOTS)
        return self._web.answer(url)


def arguments_of(web: SyntheticWeb, strategy: str, pages: int) -> dict[str, str]:
    """Of a crawl of the first topic."""
    return {
        "name": "memory",
        "keywords": ",".join(web.keywords(0)),
        "seeds": ",".join(seeds_of(web, 0)),
        "strategy": strategy,
        "pages": str(pages),
    }


def live(web: SyntheticWeb, strategy: str, pages: int, out: Path) -> list[Sample]:
    """Crawl over HTTP, in a process of its own; its log lies in ``out`` beside the pulse."""
    pulse = out / "pulse.csv"
    pulse.unlink(missing_ok=True)
    words = [word for name, value in arguments_of(web, strategy, pages).items() for word in ("-a", f"{name}={value}")]
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(Path.cwd()), os.environ.get("PYTHONPATH"))))
    with serving(PoliteWeb(web)) as server, tempfile.TemporaryDirectory(dir=out) as folder:
        settings = SETTINGS | options_of_pulse(pulse, pages // SAMPLES) | {"FOCUSED_DATA_DIR": folder}
        measured(["crawl", "topical", *options(settings), *words], server.port, out / "crawl.log")
    return read_pulse(pulse)


def simulated(web: SyntheticWeb, strategy: str, pages: int, _: Path) -> list[Sample]:
    """Crawl in this process, without network and stores."""
    reader, crawl = assemble(topic_from_arguments(arguments_of(web, strategy, pages), strategies))
    samples, start, step = list[Sample](), monotonic(), max(1, pages // SAMPLES)
    for fetch in Simulator(crawl, AnalysedWeb(web, reader, hide_outside=False)).fetches():
        if fetch.outcome != "page" or crawl.totals.pages % step:
            continue
        counts = (crawl.totals.pages, len(crawl.urls), len(crawl.frontier), len(crawl.hosts))
        sample = Sample(
            round(monotonic() - start, 1), *counts, round(resident(), 1), round(resident("VmHWM"), 1), 0.0, 0.0, 0, 0
        )
        for part, size in sizes_of(crawl).items():
            setattr(sample, f"{part}_mb", round(size / 2**20, 2))
        samples.append(sample)
        print(row_of(sample), flush=True)
    return samples


def parts_of(sample: Sample) -> float:
    """MB that the parts of a crawl hold; 0 where nobody counted."""
    return float(sum(getattr(sample, part) for part in PARTS))


def row_of(sample: Sample) -> str:
    parts = " | ".join(f"{getattr(sample, part):.1f}" for part in PARTS)
    beside = sample.resident - parts_of(sample)
    return f"| {sample.pages:,.0f} | {sample.known:,.0f} | {sample.waiting:,.0f} | {sample.resident:.0f} | {parts} | {beside:.0f} |"


def table_of(samples: Sequence[Sample]) -> Iterator[str]:
    """Rows of a table in Markdown, and what it says of the second half."""
    counted = [sample for sample in samples if parts_of(sample)]
    yield f"| pages | known URLs | waiting URLs | resident MB | {' | '.join(PARTS.values())} | beside these |"
    yield "|---|---|---|---|" + "---|" * (len(PARTS) + 1)
    for sample in counted[:: max(1, len(counted) // STEPS)]:
        yield row_of(sample)
    half, last = counted[len(counted) // 2], counted[-1]
    beside = (last.resident - parts_of(last)) - (half.resident - parts_of(half))
    known = last.known - half.known
    yield ""
    yield (
        f"From page {half.pages:,.0f} to {last.pages:,.0f}: resident {last.resident - half.resident:+.1f} MB, parts "
        f"{parts_of(last) - parts_of(half):+.1f} MB, beside them {beside:+.1f} MB; {known:,.0f} URLs became known, "
        f"{2**20 * (last.resident - half.resident) / max(1, known):.0f} bytes each."
    )


def curves_of(samples: Sequence[Sample], title: str) -> Callable[[Any], None]:
    """What draws resident memory, and what the parts hold, one on top of the other."""
    counted = [sample for sample in samples if parts_of(sample)]

    def fill(axes: Any) -> None:
        layers = [[getattr(sample, part) for sample in counted] for part in PARTS]
        pages = [sample.pages for sample in counted]
        axes.stackplot(pages, *layers, labels=list(PARTS.values()), colors=COLOURS)
        axes.plot([s.pages for s in samples], [s.resident for s in samples], color="black", label="resident")
        axes.set(xlabel="pages fetched", ylabel="MB", title=title)
        axes.set_xlim(left=0)
        axes.set_ylim(bottom=0)
        axes.grid(alpha=0.3)
        axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False)

    return fill


def write(samples: Sequence[Sample], path: Path) -> None:
    with writing(path), path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(field.name for field in fields(Sample))
        rows.writerows(astuple(sample) for sample in samples)


KINDS: dict[str, Callable[[SyntheticWeb, str, int, Path], list[Sample]]] = {"live": live, "simulated": simulated}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--pages", type=int, default=20_000, help="pages to fetch (default: 20000)")
    parser.add_argument("--web", default="synthetic:pages=1000000", help="(default: synthetic:pages=1000000)")
    parser.add_argument("--strategy", default="adaptive", help="(default: adaptive)")
    parser.add_argument("--out", type=Path, default=Path("data/memory-curve"), help="folder of CSV, PNG and log")
    arguments = parser.parse_args()
    if arguments.pages < STEPS:
        parser.error(f"--pages: give {STEPS} or more")
    kind, name = arguments.kind, f"memory-{arguments.kind}"
    try:
        web = SyntheticWeb(synthetic_options(arguments.web))
        with writing(arguments.out):
            arguments.out.mkdir(parents=True, exist_ok=True)
        samples = KINDS[kind](web, arguments.strategy, arguments.pages, arguments.out)
        if not any(map(parts_of, samples)):
            raise FocusedError(f"the crawl ended after {samples[-1].pages if samples else 0} pages; its log says why")
        print("\n".join(table_of(samples)))
        write(samples, arguments.out / f"{name}.csv")
        save_picture(arguments.out / name, curves_of(samples, f"{kind} crawl, {arguments.strategy}"))
    except FocusedError as error:
        sys.exit(f"memory_curve: {error}")


if __name__ == "__main__":
    main()
