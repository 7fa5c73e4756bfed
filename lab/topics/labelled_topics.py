"""Topics of a data set with the labels that crawls are judged by, written as files: one for the crawler, one for the evaluation."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from focused.exceptions import EvaluationError
from focused.page.page import Page
from focused.simulation.labels import LABELS_SUFFIX, Judgements
from focused.topic.plain_files import writing
from focused.topic.topic import Nofollow
from focused.topic.topic_file import SUFFIX, toml_value

FIRST_WORDS = 60  #: of a page: its first paragraph, which most pages do not mark


@dataclass(frozen=True)
class LabelledTopic:
    """A topic and what is known about it.

    Parameters
    ----------
    keywords, seeds : what the crawler is told
    judgements : targets, also those that links from the seeds do not lead to, and which of them are reachable
    description : titles and first paragraphs of the targets; the average relevance of a crawl is measured against it
    origin : where the topic comes from (data set, category, kind of seeds), for a person
    fold_index : ``/index.html`` is ``/`` in this web
    nofollow : which requests not to follow links a crawl obeys; None = as ever
    hosts : a crawl stays on these; none = the whole web
    languages : of its pages, by ISO 639-1 code; none = English
    hubs : pages that link to several seeds, to start from as well
    """

    keywords: tuple[str, ...]
    seeds: tuple[str, ...]
    judgements: Judgements
    description: str
    origin: Mapping[str, str | list[str]]
    fold_index: bool = False
    nofollow: Nofollow | None = None
    hosts: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    hubs: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.judgements.topic

    def topic_file(self) -> str:
        """The text of the topic file. The budget has no limit: the evaluation sets one."""
        seeds = "".join(f"    {toml_value(seed)},\n" for seed in self.seeds)
        hubs = f"hubs = {toml_value(self.hubs)}\n" if self.hubs else ""
        reading = _table("reading", language=self.languages, fold_index=self.fold_index)
        scope = _table("scope", nofollow=self.nofollow, allowed_hosts=self.hosts)
        return (
            "# Written by `python -m lab datasets`; what a crawl of this topic is judged by stands in the label file beside it.\n\n"
            f"[topic]\nkeywords = {toml_value(self.keywords)}\nseeds = [\n{seeds}]\n{hubs}\n[budget]\npages = 0\n{reading}{scope}"
        )

    def label_file(self) -> str:
        """The text of the label file, which `read_labels` reads."""
        found = self.judgements
        sets = {"targets": found.targets, "also": found.also, "neutral": found.neutral, "reachable": found.reachable}
        lists = {name: None if urls is None else sorted(urls) for name, urls in sets.items()}
        labels = {"topic": self.name, "origin": dict(self.origin), **lists, "description": self.description}
        return json.dumps(labels, ensure_ascii=False, indent=1) + "\n"


def _table(name: str, **keys: Any) -> str:
    """A table of a topic file with those of its keys that say something; empty if none does."""
    lines = "".join(f"{key} = {toml_value(value)}\n" for key, value in keys.items() if value)
    return f"\n[{name}]\n{lines}" if lines else ""


def write_topics(topics: Iterable[LabelledTopic], folder: Path) -> None:
    """Write both files of each topic; EvaluationError if one cannot be written. Older files of that name are replaced."""
    for topic in topics:
        for suffix, text in ((SUFFIX, topic.topic_file()), (LABELS_SUFFIX, topic.label_file())):
            path = folder / f"{topic.name}{suffix}"
            with writing(path, EvaluationError):
                path.write_text(text, encoding="utf-8")


def reachable(seeds: Iterable[str], links: Callable[[str], Iterable[str]]) -> set[str]:
    """All URLs that following links leads to, seeds included. links : URLs that a page links to, none for an unknown URL."""
    waiting = list(dict.fromkeys(seeds))
    found = set(waiting)
    while waiting:
        new = set(links(waiting.pop())) - found
        found |= new
        waiting += new
    return found


def beginning(page: Page) -> str:
    """Title and first words of a page, for the description of a topic."""
    return f"{page.title}. {' '.join(page.text.split()[:FIRST_WORDS])}"
