"""What labelled pages bring: strategies that were trained on three universities of WebKB crawl the fourth, beside untrained ones.

Each of four universities is a web of its own; four kinds of page are the topics: 16 tasks. For each, every kind of model that a
strategy can take is learned from the labelled pages of the other three universities, so that no page that a crawl is judged by has
taught it. All crawl three times from the department page until nothing is left, one request at a time. The table has the area
under the recall curve, tests of adaptive against each other strategy (Holm), and how much of the gap to the oracle is closed.

Example:
    python -m lab.benchmarks.webkb_labelled webkb.tar.xz --out data/webkb-labelled
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from focused import strategies
from focused.exceptions import FocusedError
from focused.topic.topic import DEFAULT_STRATEGY
from lab.benchmarks.webkb_trained import Recipe, crawl_tasks, train
from lab.experiment.comparing import write_results
from lab.experiment.experiment import Experiment, experiment_of
from lab.topics.labelled_topics import write_topics
from lab.topics.webkb_topics import UNIVERSITIES, webkb_topics
from lab.webs.webkb import WebKB

MODEL = "others"  #: name of each model, which lies in the folder of its task and kind
LABELLED = "-labelled"  #: ends the name of a strategy that has a model
#: The best that use no labelled pages, the default among them, and the reference.
UNTRAINED = (DEFAULT_STRATEGY, "keyword_priority", "best_first", "dom", "oracle")
TRAINED = tuple(name for name in strategies.names() if strategies.get_strategy(name).trained)
KINDS = tuple(dict.fromkeys(strategies.get_strategy(name).trained for name in TRAINED))
REPEATS = 3  #: of each crawl: some strategies draw random numbers


def _model(strategy: str) -> str:
    return f"{MODEL}-{strategies.get_strategy(strategy).trained}"


_LAYERS = {"name": "context_graph", "model": _model("context_graph")}
#: Everybody who crawls, with options.
ENTRANTS: dict[str, dict[str, Any]] = {
    **{f"{name}{LABELLED}": {"name": name, "model": _model(name)} for name in TRAINED},
    f"context_graph{LABELLED}-rebuilt": {**_LAYERS, "rebuild": True},
    f"context_graph{LABELLED}-thresholds": {**_LAYERS, "name": "lab.benchmarks.learned_thresholds.LearnedThresholds"},
    f"context_graph{LABELLED}-parents": {**_LAYERS, "parents": True},
    "context_graph-begun": {"name": "context_graph"},
    "context_graph-own-links": {"name": "context_graph", "begin": False},
    **{name: {} for name in UNTRAINED},
}


def experiment(webkb: Path, names: Sequence[str], topics: Sequence[Path]) -> Experiment:
    """Some entrants on some tasks, crawled to the end, one request at a time."""
    challenger = f"{DEFAULT_STRATEGY}{LABELLED}"
    return experiment_of(
        {
            "experiment": {
                "web": [str(webkb.absolute())],
                "topics": [str(topic.absolute()) for topic in topics],
                "pages": 0,
                "repeats": REPEATS,
                "challenger": challenger if challenger in names else names[0],
            },
            "network": {"in_flight": 1, "per_host": 1, "delay": 0},
            "strategies": {name: ENTRANTS[name] for name in names},
        }
    )


def run(
    webkb: Path,
    out: Path,
    processes: int,
    universities: Sequence[str] = UNIVERSITIES,
    names: Sequence[str] = tuple(ENTRANTS),
) -> str:
    """Train, crawl, judge, write all results into a folder; return the table."""
    web = WebKB(webkb)
    topics = webkb_topics(web, universities)
    write_topics(topics, out / "topics")
    used = {model for name in names if (model := ENTRANTS[name].get("model"))}
    recipes = [recipe for kind in KINDS if (recipe := Recipe(f"{MODEL}-{kind}", kind)).name in used]
    train(webkb, web, universities, recipes, out / "models")
    return write_results(crawl_tasks(partial(experiment, webkb, names), topics, out, processes), out)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("webkb", type=Path, help="the data set: folder or tar archive")
    parser.add_argument("--out", type=Path, default=Path("data/webkb-labelled"), help="folder of all results")
    parser.add_argument(
        "--universities",
        nargs="+",
        choices=UNIVERSITIES,
        default=UNIVERSITIES,
        help="only the tasks of these (all four)",
    )
    parser.add_argument("--strategies", nargs="+", choices=tuple(ENTRANTS), default=tuple(ENTRANTS), metavar="NAME")
    parser.add_argument("--processes", type=int, default=1, help="so many crawls at a time (1)")
    chosen = parser.parse_args()
    print(run(chosen.webkb, chosen.out, chosen.processes, chosen.universities, chosen.strategies))
    print(f"All results are in {chosen.out}: table.md (this), CSV files, plots.")


if __name__ == "__main__":
    try:
        main()
    except FocusedError as error:
        sys.exit(str(error))
