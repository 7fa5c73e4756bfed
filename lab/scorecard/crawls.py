"""What the default finds on recorded webs with labels, and on webs with traps."""

from __future__ import annotations

import csv
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

from focused.exceptions import EvaluationError
from focused.explain.plain_output import ProgressLine
from focused.topic.topic import DEFAULT_STRATEGY
from lab.benchmarks.measured import RunError
from lab.benchmarks.traps import Way, crawled
from lab.webs.traps import TrapOptions, TrapWeb

ORDERS = 3
STEP_BY_STEP = ("--in-flight", "1", "--delay", "0")
AREA = "normalised_area"
WEBKB = "wisconsin"  #: WebKB's fourth university: the other three are there to develop with
TRAP_SEEDS = (1, 2, 3)


def lab(*command: str) -> None:
    """Run ``python -m lab COMMAND``; raises RunError where it fails."""
    done = subprocess.run([sys.executable, "-m", "lab", *command], stdout=subprocess.DEVNULL, check=False)
    if done.returncode:
        raise RunError(f"python -m lab {' '.join(command)}: exit code {done.returncode}")


def experiment(
    web: Path, topics: str, pages: int, out: Path, network: Sequence[str] = STEP_BY_STEP
) -> dict[str, tuple[float, float]]:
    """Mean and spread of each figure of the default strategy."""
    lab(*("experiment", "--strategies", DEFAULT_STRATEGY, "--topics", topics, "--pages", str(pages)),
        *("--repeats", str(ORDERS), *network, "--out", str(out), str(web)))  # fmt: skip
    with (out / "summary.csv").open(newline="") as file:
        return {row["measure"]: (float(row["mean"]), float(row["spread"] or "nan")) for row in csv.DictReader(file)}


def documentation(folder: Path, web: Path, topics: Path) -> dict[str, float]:
    """The documentation web. Raises EvaluationError where it is not built."""
    for path in (web, topics):
        if not path.exists():
            raise EvaluationError(f"{path} is not there: DOCS_WEB and DOCS_TOPICS name the documentation web")
    written = folder / "topics-docs"
    if not written.exists():
        lab(*("datasets", "topics", str(topics), "--web", str(web), "--nofollow", "ignore", "--out", str(written)))
    kinds = ("easy", "hard")
    found = {kind: experiment(web, f"{written}/*-{kind}.toml", 2000, folder / f"docs-{kind}") for kind in kinds}
    figures = {}
    for kind, values in found.items():
        figures[f"docs_{kind}"], figures[f"docs_{kind}_spread"] = values[AREA]
    figures["docs_harvest"] = fmean(values["harvest_rate"][0] for values in found.values())
    figures["docs_own_less_true"] = fmean(values["own_harvest_distance"][0] for values in found.values())
    return figures


def webkb(folder: Path, web: Path) -> dict[str, float]:
    """The topics of one university."""
    lab("datasets", "topics", _there(web), "--out", str(folder / "topics-webkb"))
    values = experiment(web, f"{folder}/topics-webkb/{WEBKB}-*.toml", 400, folder / "webkb")
    return dict(zip(("webkb", "webkb_spread"), values[AREA], strict=True))


def wikispeedia(folder: Path, web: Path) -> dict[str, float]:
    """The topics of the scorecard, a host per article."""
    out = folder / "topics-wiki"
    lab(*("datasets", "topics", _there(web), "--layout", "article", "--split", "scorecard", "--out", str(out)))
    values = experiment(web, str(out), 500, folder / "wiki")
    return dict(zip(("wiki", "wiki_spread"), values[AREA], strict=True))


def traps() -> dict[str, float]:
    """The trap webs: what traps took, what was found beside them, what the crawl believed of itself."""
    figures: dict[str, float] = {}
    progress = ProgressLine(30.0)
    for name, begin in (("seen", "traps"), ("fresh", "fresh")):
        some = [
            crawled(TrapWeb(TrapOptions(seed=seed, set=name)), DEFAULT_STRATEGY, Way(), progress) for seed in TRAP_SEEDS
        ]
        figures[f"{begin}_found"] = fmean(one.found / one.good for one in some)
        figures[f"{begin}_wasted"] = fmean(one.wasted for one in some)
        figures[f"{begin}_own_less_true"] = fmean(abs(one.own_harvest - one.true_harvest) for one in some)
    progress.close()
    return figures


def _there(path: Path) -> str:
    if not path.exists():
        raise EvaluationError(f"{path} is not there: make datasets fetches it")
    return str(path)
