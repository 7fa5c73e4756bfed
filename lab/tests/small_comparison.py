"""A web of ten pages with two topics, on which every figure of a comparison can be computed by hand.

Topic `one`: the seed leads to a hub and to two other pages, in this order; the hub leads to the two targets, and a third target
is recorded nowhere. Topic `two` is the same with one other page and one target. Only the hubs hold the keyword, so best-first
goes from there to the targets at once, and breadth-first takes what lies beside the hub before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from focused.simulation.labels import Judgements
from lab.experiment.comparing import Comparing
from lab.experiment.experiment import Experiment, experiment_of
from lab.results.results import Results
from lab.topics.labelled_topics import LabelledTopic, write_topics
from tests.small_wikispeedia import write_files

LINKS = {
    "one/": "one/hub one/x one/y",
    "one/hub": "one/t one/u",
    "one/x": "",
    "one/y": "",
    "one/t": "",
    "one/u": "",
    "two/": "two/hub two/x",
    "two/hub": "two/t",
    "two/x": "",
    "two/t": "",
}
KEYWORD = "telescope"


def url(name: str) -> str:
    return f"http://www.{name.replace('/', '.example/', 1)}"


def urls(names: str) -> list[str]:
    return [url(name) for name in names.split()]


def labelled(name: str, targets: str, **values: Any) -> LabelledTopic:
    judgements = Judgements(name, frozenset(urls(targets)))
    made = LabelledTopic((KEYWORD,), (url(f"{name}/"),), judgements, "Telescopes", {})
    return replace(made, **values)


ONE, TWO = labelled("one", "one/t one/u one/lost"), labelled("two", "two/t")


def write_small_web(folder: Path) -> Path:
    """The pages in the layout of WebKB."""
    pages = {}
    for name, links in LINKS.items():
        title = f"{KEYWORD}s" if name.endswith("hub") else name.rpartition("/")[2] or "start"
        anchors = "".join(f"<p><a href={link}>here</a></p>" for link in urls(links))
        body = f"<html><title>{title}</title><p>The planets of {name}</p>{anchors}"
        pages[f"other/misc/{url(name).replace('/', '^')}"] = body
    return write_files(folder / "webkb", pages)


def small_experiment(
    folder: Path, *strategies: str, topics: Any = (ONE, TWO), **tables: Mapping[str, Any]
) -> Experiment:
    """Both topics on this web, one request at a time; ``tables`` change the experiment."""
    write_topics(topics, folder / "topics")
    web = folder / "webkb" if (folder / "webkb").exists() else write_small_web(folder)
    plan = {"web": [str(web)], "topics": [str(folder / "topics")], "pages": 0, **tables.pop("experiment", {})}
    taking_part = {name: {} for name in strategies or ("best_first", "breadth_first")}
    network = {"in_flight": 1, "delay": 0}
    return experiment_of({"experiment": plan, "network": network, "strategies": taking_part, **tables})


def comparing(folder: Path, experiment: Experiment, processes: int = 1) -> Comparing:
    return Comparing(experiment, folder / "out", folder / "cache", processes, interval=60)


def compared(folder: Path, *strategies: str, **tables: Any) -> Results:
    return comparing(folder, small_experiment(folder, *strategies, **tables)).run()
