"""Models for the tasks of WebKB, each learned from the other universities, and the crawls of each task with its own models.

A task is a kind of page at one of four universities. No page of the university that is crawled teaches a model for it.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from focused.reading.reader import Reader, ReadingOptions
from focused.reporting.progress_line import ProgressLine
from focused.storage.trained_model import save_model
from focused.training.card import card_of
from focused.training.examples import Document, Examples
from focused.training.kinds import get_kind
from focused.training.sources.web_source import web_documents
from lab.experiment.comparing import Comparing
from lab.experiment.experiment import Experiment
from lab.results.results import Results
from lab.topics.labelled_topics import LabelledTopic
from lab.topics.webkb_topics import KEYWORDS, UNIVERSITIES
from lab.webs.webkb import UNIVERSITIES as ALL
from lab.webs.webkb import WebKB

ELSEWHERE = tuple(sorted(set(ALL) - set(UNIVERSITIES)))  #: parts that are no task's: "misc", pages of many universities
FEWEST = 2  #: pages on topic, and of others, that a kind must be given: nothing is cross-validated here
SECONDS = 10.0  # between two lines of progress


@dataclass(frozen=True)
class Recipe:
    """A model that is trained for every task.

    name : of the model, in the folder of the task
    kind : one of `focused.training.kinds`
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
    tasks: str = "tasks",
) -> Results:
    """Crawl each task with the models made for it, and join what was found.

    experiment : what is compared on topics, given by their files in ``out``/topics
    out : models of a task lie in ``out``/models/TASK; its crawls are kept in ``out``/``tasks``/TASK
    """
    names = [topic.name for topic in topics]
    files = [out / "topics" / f"{name}.toml" for name in names]
    judged, notes = [], ["Models of a task were learned from pages of other universities only."]
    for number, (name, file) in enumerate(zip(names, files, strict=True), start=1):
        print(f"Task {number} of {len(names)}: {name}", file=sys.stderr, flush=True)
        folder, models = out / tasks / name, out / "models" / name
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
            taught: list[Document] = [one for one in pages if web.part_of(one.page.url) not in left_out]
            source = f"WebKB without {', '.join(left_out)}"
            yield (
                university,
                recipe,
                Examples(taught, frozenset({(category,)}), words, reader.analyser.language, [source]),
            )
