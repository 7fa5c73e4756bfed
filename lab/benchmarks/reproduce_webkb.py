"""Repeats the experiment of Almpanidis, Kotropoulos & Pitas (2007) on WebKB and prints their table 3 beside our figures.

Each of four universities is a web of its own; four kinds of page are the topics; the department page is the seed, the words of
their table 2 the keywords; every strategy crawls three times until nothing is left, one request at a time. SS1, SS2 and HCLA
crawl as the paper's do too (NAME-trained), with models of the other universities. Table 3, on the topic student, is all that
the paper prints in numbers.

Example:
    python -m lab.benchmarks.reproduce_webkb webkb.tar.xz --out data/reproduce-webkb
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from focused.collection.trained_model import save_model
from focused.exceptions import FocusedError
from focused.explain.plain_output import ProgressLine
from focused.page.reader import Reader, ReadingOptions
from focused.papers.training.examples import Examples, TrainingDocument
from focused.papers.training.kinds import card_of, get_kind
from focused.papers.training.sources import web_documents
from focused.topic.topic import DEFAULT_STRATEGY
from lab.crawlers import entrants
from lab.experiment.comparing import Comparing, write_results
from lab.experiment.experiment import Experiment, experiment_of
from lab.results.results import Results
from lab.results.results_files import write_file
from lab.results.results_table import markdown
from lab.topics.labelled_topics import LabelledTopic, write_topics
from lab.topics.webkb_topics import KEYWORDS, UNIVERSITIES, webkb_topics
from lab.webs.webkb import UNIVERSITIES as ALL
from lab.webs.webkb import WebKB

ELSEWHERE = tuple(sorted(set(ALL) - set(UNIVERSITIES)))  #: parts that are no task's: "misc", pages of many universities
FEWEST = 2  #: pages on topic, and of others, that a kind must be given: nothing is cross-validated here
SECONDS = 10.0  # between two lines of progress


@dataclass(frozen=True)
class Recipe:
    """A model that is trained for every task.

    name : of the model, in the folder of the task
    kind : one of `focused.papers.training.kinds`
    options : of the kind; the others have their defaults
    misc : whether the pages of "misc" teach it too
    """

    name: str
    kind: str
    options: Mapping[str, Any] = field(default_factory=dict)
    misc: bool = False

    def left_out(self, university: str) -> tuple[str, ...]:
        """Parts of WebKB that do not teach the model for a university."""
        return (university,) if self.misc else (university, *ELSEWHERE)

    def command(self, webkb: Path, category: str, university: str) -> tuple[str, ...]:
        """Arguments of the `scrapy train` that makes it."""
        words = ("-a", f"keywords={','.join(KEYWORDS[category])}", "-a", "reading.fold_index=true")
        chosen = (word for name, value in self.options.items() for word in ("--set", f"{name}={value}"))
        without = (word for name in self.left_out(university) for word in ("--without", name))
        return (self.kind, self.name, *words, *chosen, "--web", str(webkb), *without, "--good", category)


def train(webkb: Path, web: WebKB, universities: Sequence[str], recipes: Sequence[Recipe], models: Path) -> None:
    """Make all models of all tasks: ``models``/TASK/NAME. Raises TrainingError if there is too little to learn from."""
    progress, total, made = ProgressLine(SECONDS), len(KEYWORDS) * len(universities) * len(recipes), 0
    with closing(progress):
        for category in KEYWORDS:
            for university, recipe, examples in examples_of(web, category, universities, recipes):
                task = f"{university}-{category}"
                progress.show(partial("{}/{} models trained | {} for {}".format, made, total, recipe.name, task))
                kind = get_kind(recipe.kind)
                learner = kind(kind.Options(**recipe.options))
                learner.check(examples, FEWEST)
                model, command = learner.fit(examples), recipe.command(webkb, category, university)
                save_model(models / task, card_of(learner, recipe.name, command, examples, model, {}), model)
                made += 1


def crawl_tasks(
    experiment: Callable[[Sequence[Path]], Experiment],
    topics: Sequence[LabelledTopic],
    out: Path,
    processes: int,
) -> Results:
    """Crawl each task with the models made for it, and join what was found.

    experiment : what is compared on topics, given by their files in ``out``/topics
    out : models of a task lie in ``out``/models/TASK; its crawls are kept in ``out``/tasks/TASK
    """
    names = [topic.name for topic in topics]
    files = [out / "topics" / f"{name}.toml" for name in names]
    judged, notes = [], ["Models of a task were learned from pages of other universities only."]
    for number, (name, file) in enumerate(zip(names, files, strict=True), start=1):
        print(f"Task {number} of {len(names)}: {name}", file=sys.stderr, flush=True)
        folder, models = out / "tasks" / name, out / "models" / name
        found = Comparing(experiment([file]), folder, out / "cache", processes, SECONDS, models).run()
        judged += [*found.topics]
        notes += [f"{name}: {note}" for note in found.notes]
    return Results(experiment(files), judged, notes)


def examples_of(
    web: WebKB, category: str, universities: Sequence[str], recipes: Sequence[Recipe]
) -> Iterator[tuple[str, Recipe, Examples]]:
    """What each model of a category is learned from. Pages are read once, as the crawls read them."""
    keywords = KEYWORDS[category]
    reader = Reader(ReadingOptions(fold_index=True), keep=keywords)
    unused = () if any(recipe.misc for recipe in recipes) else ELSEWHERE
    pages = list(web_documents(web, reader, without=unused))
    words = Counter(reader.analyser.terms(" ".join(keywords)))
    for university in universities:
        for recipe in recipes:
            left_out = recipe.left_out(university)
            taught: list[TrainingDocument] = [one for one in pages if web.part_of(one.page.url) not in left_out]
            source = f"WebKB without {', '.join(left_out)}"
            yield (
                university,
                recipe,
                Examples(taught, frozenset({(category,)}), words, reader.analyser.language, [source]),
            )


LEVELS = (0.1, 0.5, 1.0)  #: recalls of tables 3 and 5
PRINTED = "student"  #: the topic of table 3
#: Table 3: precision and then F1 at these recalls, averaged over universities.
PAPER = {
    "breadth_first": (0.58, 0.32, 0.15, 0.17, 0.39, 0.26),
    "backlink_count": (0.52, 0.24, 0.13, 0.17, 0.32, 0.23),
    "ss1": (0.63, 0.29, 0.17, 0.17, 0.37, 0.30),
    "ss2": (0.62, 0.34, 0.18, 0.18, 0.41, 0.31),
    "pagerank": (0.54, 0.32, 0.15, 0.16, 0.39, 0.26),
    "hcla": (0.56, 0.37, 0.21, 0.18, 0.43, 0.35),
}
NOTES = """\
Precision and F1 when a recall of the reachable targets is first reached, mean over four universities. In the paper every strategy
but breadth-first reorders what waits every N = 50 pages; here those of the paper do so too, and a strategy that scores a link when
it is found orders at once. NAME-trained: as in the paper, with 1,000 terms of the other three universities (ss1), of their pages
that match the keywords best (ss2), or of these universities and "misc" (hcla); no label teaches any of the three.
The paper's own figures cannot be had from its description, not even those of breadth-first, which has no choices: compare orders.
"""
#: What the paper's systems learn before they crawl, without labels. A space of all pages is not said to be SS1's in so many words.
MODELS = (
    Recipe("ss1", "space", {"best": 0, "terms": 1000}),
    Recipe("ss2", "space", {"best": 500, "terms": 1000}),
    Recipe("hcla", "corpus", {"terms": 1000}, misc=True),
)
#: Strategies with other options than their own: what the paper's learn, how its HCLA takes new pages in (as far as it can be done
#: as printed, see `focused.papers.strategies.hcla`), and either of two with the other's choice of ``own``.
VARIANTS: dict[str, dict[str, Any]] = {
    **{f"{model.name}-trained": {"name": model.name, "model": model.name} for model in MODELS},
    "hcla-trained-updated": {"name": "hcla", "model": "hcla", "update": "zha_simon"},
    "hcla-own": {"name": "hcla", "own": True},
    "plsi_phits-not-own": {"name": "plsi_phits", "own": False},
}
#: The page of a department, where all crawls start, is no example of a topic: no context graph is grown around it.
OPTIONS: dict[str, dict[str, Any]] = {"context_graph": {"begin": False}}
#: All that need no trained model, and the variants.
STRATEGIES = [*(name for name in entrants.names() if not entrants.get_entrant(name).needs_model), *VARIANTS]
REPEATS = 3  #: of each crawl


def experiment(
    webkb: Path, repeats: int, strategies: Mapping[str, Mapping[str, Any]], topics: Sequence[Path]
) -> Experiment:
    """Strategies, by label with their options, on some tasks: crawled to the end, one request at a time."""
    plan: dict[str, Any] = {"web": [str(webkb.absolute())], "topics": [str(topic.absolute()) for topic in topics]}
    plan |= {"pages": 0, "repeats": repeats}
    if DEFAULT_STRATEGY in strategies:
        rivals = (name for name in strategies.keys() - VARIANTS.keys() if not entrants.sees_labels(name))
        plan |= {"challenger": DEFAULT_STRATEGY, "baselines": sorted({*rivals} - {DEFAULT_STRATEGY})}
    return experiment_of(
        {
            "experiment": plan,
            "network": {"in_flight": 1, "per_host": 1, "delay": 0},
            "measures": {"recall": list(LEVELS)},
            "strategies": strategies,
        }
    )


def report(results: Results) -> str:
    """Table 3 beside ours, and the same figures of ours on the other kinds of page."""
    lines = ["# WebKB as in Almpanidis et al. (2007)", "", NOTES]
    for kind in (PRINTED, *(kind for kind in KEYWORDS if kind != PRINTED)):
        names = [f"{university}-{kind}" for university in UNIVERSITIES]
        lines += [f"## {kind}", "", *table_beside(results, names, PAPER if kind == PRINTED else {})]
    return "\n".join(lines)


def table_beside(results: Results, topics: Sequence[str], paper: Mapping[str, Sequence[float]]) -> list[str]:
    """Precision and F1 at the recalls of tables 3 and 5, mean over topics, below what the paper has of a strategy."""
    return [*markdown(list(_rows(results, topics, paper))), ""]


def _rows(results: Results, topics: Sequence[str], paper: Mapping[str, Sequence[float]]) -> Iterator[list[str]]:
    heads = [f"{short} at {level:g}" for short in ("P", "F1") for level in LEVELS]
    yield ["strategy", *heads]
    first = [name for printed in paper for name in (printed, f"{printed}-trained")]
    for name in dict.fromkeys((*first, *results.strategies)):
        if name in paper:
            yield [f"{name}, paper", *(f"{figure:.2f}" for figure in paper[name])]
        if name in results.strategies:
            yield [f"{name}, here", *(_mean(results, figure, name, topics) for figure in _figures())]


def _figures() -> list[str]:
    return [f"{name}_{level:g}" for name in ("precision_at_recall", "f1_at_recall") for level in LEVELS]


def _mean(results: Results, figure: str, strategy: str, topics: Sequence[str]) -> str:
    """Over topics; a dash where one of them is missing."""
    values = results.figures.get(figure, {}).get(strategy, {})
    return f"{sum(values[topic] for topic in topics) / len(topics):.2f}" if values.keys() >= set(topics) else "-"


def reproduce(webkb: Path, out: Path, processes: int, strategies: Sequence[str], repeats: int = REPEATS) -> str:
    """Crawl, judge, write all results into a folder; return the report."""
    web = WebKB(webkb)
    topics = webkb_topics(web)
    write_topics(topics, out / "topics")
    chosen = {name: {**OPTIONS, **VARIANTS}.get(name, {}) for name in strategies}
    used = {options.get("model") for options in chosen.values()}
    train(webkb, web, UNIVERSITIES, [model for model in MODELS if model.name in used], out / "models")
    results = crawl_tasks(partial(experiment, webkb, repeats, chosen), topics, out, processes)
    write_results(results, out)
    text = report(results)
    write_file(out / "paper.md", text.encode())
    return text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("webkb", type=Path, help="the data set: folder or tar archive")
    parser.add_argument("--out", type=Path, default=Path("data/reproduce-webkb"), help="folder of all results")
    parser.add_argument("--strategies", nargs="+", choices=STRATEGIES, default=STRATEGIES)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument(
        "--repeats",
        type=int,
        default=REPEATS,
        help="so many crawls of each task: some strategies draw random numbers (3)",
    )
    given = parser.parse_args()
    print(reproduce(given.webkb, given.out, given.processes, given.strategies, given.repeats))
    print(f"All results are in {given.out}: paper.md (this), table.md, CSV files, plots.")


if __name__ == "__main__":
    try:
        main()
    except FocusedError as error:
        sys.exit(str(error))
