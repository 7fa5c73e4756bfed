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
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

from focused import strategies
from focused.exceptions import FocusedError
from focused.reading.reader import Reader, ReadingOptions
from focused.reporting.progress_line import ProgressLine
from focused.storage.trained_model import save_model
from focused.topic.topic import DEFAULT_STRATEGY
from focused.training.card import card_of
from focused.training.examples import Examples
from focused.training.kinds import get_kind
from focused.training.sources.web_source import web_documents
from lab.experiment.comparing import Comparing, write_results
from lab.experiment.experiment import Experiment, experiment_of
from lab.results.results import Results
from lab.topics.labelled_topics import LabelledTopic, write_topics
from lab.topics.webkb_topics import KEYWORDS, UNIVERSITIES, webkb_topics
from lab.webs.webkb import UNIVERSITIES as ALL
from lab.webs.webkb import WebKB

MODEL = "others"  #: name of each model, which lies in the folder of its task and kind
LABELLED = "-labelled"  #: ends the name of a strategy that has a model
#: The best that use no labelled pages, the default among them, and the reference.
UNTRAINED = (DEFAULT_STRATEGY, "keyword_priority", "dom", "oracle")
TRAINED = tuple(name for name in strategies.names() if strategies.get_strategy(name).trained)
KINDS = tuple(dict.fromkeys(strategies.get_strategy(name).trained for name in TRAINED))
FEWEST = 2  #: pages on topic, and of others, that a kind must be given: nothing is cross-validated here
REPEATS = 3  #: of each crawl: some strategies draw random numbers
SECONDS = 10.0  # between two lines of progress


def experiment(webkb: Path, topics: Sequence[Path]) -> Experiment:
    """The strategies with and without models on some tasks, crawled to the end, one request at a time."""
    trained = {f"{name}{LABELLED}": {"name": name, "model": _model(name)} for name in TRAINED}
    challenger = f"{DEFAULT_STRATEGY}{LABELLED}"
    return experiment_of(
        {
            "experiment": {
                "web": [str(webkb.absolute())],
                "topics": [str(topic.absolute()) for topic in topics],
                "pages": 0,
                "repeats": REPEATS,
                "challenger": challenger if challenger in trained else DEFAULT_STRATEGY,
            },
            "network": {"in_flight": 1, "per_host": 1, "delay": 0},
            "strategies": {**trained, **{name: {} for name in UNTRAINED}},
        }
    )


def examples_of(web: WebKB, category: str, universities: Sequence[str]) -> Iterator[tuple[str, Examples]]:
    """Each university, and the labelled pages of the other three with which a model for it is trained."""
    keywords, outside = KEYWORDS[category], sorted(set(ALL) - set(UNIVERSITIES))
    reader = Reader(ReadingOptions(fold_index=True), keep=keywords)  # as the crawls read
    pages = list(web_documents(web, reader, without=outside))
    words = Counter(reader.analyser.terms(" ".join(keywords)))
    for university in universities:
        documents = [one for one in pages if web.pages[one.page.url].university != university]
        source = f"WebKB without {', '.join((university, *outside))}"
        yield university, Examples(documents, frozenset({(category,)}), words, reader.analyser.language, [source])


def train(webkb: Path, web: WebKB, universities: Sequence[str], models: Path) -> None:
    """Train every kind for every task: ``models``/TASK/others-KIND. Raises TrainingError if there is too little to learn from."""
    progress, total, made = ProgressLine(SECONDS), len(KEYWORDS) * len(universities) * len(KINDS), 0
    with closing(progress):
        for category in KEYWORDS:
            for university, examples in examples_of(web, category, universities):
                for name in KINDS:
                    task = f"{university}-{category}"
                    progress.show(partial("{}/{} models trained | {} for {}".format, made, total, name, task))
                    kind = get_kind(name)()
                    kind.check(examples, FEWEST)
                    model, command = kind.fit(examples), _command(webkb, name, category, university)
                    save_model(models / task, card_of(kind, command[1], command, examples, model, {}), model)
                    made += 1


def compare(webkb: Path, topics: Sequence[LabelledTopic], out: Path, processes: int) -> Results:
    """Crawl every task with the models made for it, and join what was found."""
    names = [topic.name for topic in topics]
    files = [out / "topics" / f"{name}.toml" for name in names]
    judged, notes = [], ["Models of a task were learned from the labelled pages of the other three universities."]
    for number, (name, file) in enumerate(zip(names, files, strict=True), start=1):
        print(f"Task {number} of {len(names)}: {name}", file=sys.stderr, flush=True)
        one = experiment(webkb, [file])
        folder, models = out / "tasks" / name, out / "models" / name
        found = Comparing(one, folder, out / "cache", processes, SECONDS, models).run()
        judged += [*found.topics]
        notes += [f"{name}: {note}" for note in found.notes]
    return Results(experiment(webkb, files), judged, notes)


def run(webkb: Path, out: Path, processes: int, universities: Sequence[str] = UNIVERSITIES) -> str:
    """Train, crawl, judge, write all results into a folder; return the table."""
    web = WebKB(webkb)
    topics = webkb_topics(web, universities)
    write_topics(topics, out / "topics")
    train(webkb, web, universities, out / "models")
    return write_results(compare(webkb, topics, out, processes), out)


def _model(strategy: str) -> str:
    return f"{MODEL}-{strategies.get_strategy(strategy).trained}"


def _command(webkb: Path, kind: str, category: str, university: str) -> tuple[str, ...]:
    """Arguments of the `scrapy train` that makes such a model."""
    words = ("-a", f"keywords={','.join(KEYWORDS[category])}", "-a", "reading.fold_index=true")
    left_out = (university, *sorted(set(ALL) - set(UNIVERSITIES)))
    without = (word for name in left_out for word in ("--without", name))
    return (kind, f"{MODEL}-{kind}", *words, "--web", str(webkb), *without, "--good", category)


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
    parser.add_argument("--processes", type=int, default=1, help="so many crawls at a time (1)")
    chosen = parser.parse_args()
    print(run(chosen.webkb, chosen.out, chosen.processes, chosen.universities))
    print(f"All results are in {chosen.out}: table.md (this), CSV files, plots.")


if __name__ == "__main__":
    try:
        main()
    except FocusedError as error:
        sys.exit(str(error))
