"""Topics of the documentation web: many hosts of software documentation, labelled by the structure of its sites.

They stand in one JSON file (topics.json) beside the WARC of the web. Its URLs name pages as the sites do; here ``/dir/`` and
``/dir/index.html`` are one page, and a URL that the WARC redirects is the page at the end of the redirects.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

from pydantic import BaseModel, Field, ValidationError

from focused.evaluation.analysed_web import REFRESH_LOOKED_FOR, AnalysedWeb, Fetched, Redirect
from focused.evaluation.errors import EvaluationError
from focused.evaluation.run import Judgements
from focused.evaluation.topics import LabelledTopic, beginning
from focused.plain_files import read_text, shown_path
from focused.reading.reader import Reader, ReadingOptions
from focused.reading.urls import UrlRules
from focused.topic import TOPIC_NAME, Keywords, Urls
from focused.webs.web import RecordedWeb

#: Easy: near pages of the topic, some are such. Hard: no seed lies on a host of a target.
DIFFICULTIES = ("easy", "hard")
READING = ReadingOptions(fold_index=True)
MOST_REDIRECTS = 20  #: as the simulator follows them
DESCRIBED = 200  #: targets whose beginnings make the description; a sample is as good as all of two thousand


class RecordedTopic(BaseModel):
    """An entry of the file; it has more keys, which nothing here needs."""

    id: str = Field(pattern=f"^{TOPIC_NAME.pattern}$")
    title: str = Field(min_length=1)
    keywords: Keywords = Field(min_length=1)
    seeds: Urls = Field(min_length=1)
    seeds_hard: Urls = Field(min_length=1)
    targets: Urls = Field(min_length=1)
    also: Urls = ()
    neutral: Urls = ()
    reachable_targets: int | None = None  #: from the seeds, counted when the file was made
    reachable_targets_hard: int | None = None


def documentation_topics(
    path: Path, web: RecordedWeb | None = None, difficulties: Iterable[str] = DIFFICULTIES
) -> list[LabelledTopic]:
    """A topic for each entry of the file and each kind of seeds.

    Parameters
    ----------
    path : of topics.json
    web : the recording, index pages folded. Without it redirects are not resolved, and a topic's description is its title.
    difficulties : kinds of seeds, of DIFFICULTIES

    Which targets links lead to is not known: all are taken for reachable; ``origin`` has the number that the file tells.
    Raises EvaluationError in one line if the file cannot be used.
    """
    pages = _Pages(web)
    chosen = list(difficulties)
    return [_topic(recorded, pages, difficulty) for recorded in _read(path) for difficulty in chosen]


def _read(path: Path) -> list[RecordedTopic]:
    try:
        content = json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise EvaluationError(f"{shown_path(path)}: not JSON: {error}") from None
    entries = content.get("topics") if isinstance(content, dict) else None
    if not isinstance(entries, list) or not entries:
        raise EvaluationError(f"{shown_path(path)}: not the topics of the documentation web: 'topics' must list them")
    topics = [_entry(path, number, entry) for number, entry in enumerate(entries)]
    names = [topic.id for topic in topics]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise EvaluationError(f"{shown_path(path)}: two topics have the id {twice[0]!r}; give each its own")
    return topics


def _entry(path: Path, number: int, entry: Any) -> RecordedTopic:
    try:
        return RecordedTopic.model_validate(entry)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = "".join(f".{key}" if isinstance(key, str) else f"[{key}]" for key in first["loc"])
        raise EvaluationError(f"{shown_path(path)}: topics[{number}]{where}: {first['msg']}") from None


def _topic(recorded: RecordedTopic, pages: _Pages, difficulty: str) -> LabelledTopic:
    hard = difficulty == "hard"
    seeds = pages.ends(recorded.seeds_hard if hard else recorded.seeds)
    started = set(seeds)
    targets = set(pages.ends(recorded.targets)) - started
    # Two URLs of one page may have two labels; what makes it count more is the one that stays.
    also = set(pages.ends(recorded.also)) - targets - started
    # Seeds are known beforehand: finding one is no merit and no mistake.
    neutral = (set(pages.ends(recorded.neutral)) - targets - also) | started
    name = f"{recorded.id}-{difficulty}"
    if not targets:
        raise EvaluationError(f"topic {name}: every target is a seed; there is nothing to find")
    origin: dict[str, str | list[str]] = {
        "data set": "documentation web",
        "category": recorded.title,
        "seeds": difficulty,
    }
    counted = recorded.reachable_targets_hard if hard else recorded.reachable_targets
    if counted is not None:
        origin["reachable targets"] = f"{counted} of {len(recorded.targets)}, by the file of topics, not told which"
    return LabelledTopic(
        keywords=tuple(dict.fromkeys(recorded.keywords)),
        seeds=seeds,
        judgements=Judgements(name, frozenset(targets), frozenset(also), frozenset(neutral)),
        description=pages.beginnings(recorded.id, targets) or recorded.title,
        origin=origin,
        fold_index=READING.fold_index,
    )


class _Pages:
    """The pages behind URLs, as the recording has them; without one, only their canonical URLs."""

    def __init__(self, web: RecordedWeb | None) -> None:
        self._rules = UrlRules(READING.fold_index, READING.strip_parameters)
        self._web = web
        self._analysed = None if web is None else AnalysedWeb(web, Reader(READING), hide_outside=False)
        self._recorded = frozenset(web.urls()) if web else frozenset()

    def ends(self, urls: Iterable[str]) -> tuple[str, ...]:
        """Canonical URLs, each once, of the pages that these URLs lead to."""
        canonical = (self._rules.canonical(url) or url for url in urls)
        return tuple(dict.fromkeys(map(self._end, canonical)))

    def _end(self, url: str) -> str:
        end = url
        for _ in range(MOST_REDIRECTS):
            following = self._rules.canonical(self._redirect(end))
            if following is None:
                return end
            end = following
        return url  # in circles

    def _redirect(self, url: str) -> str:
        """Where a URL redirects to; empty if it does not. Pages that cannot redirect are not read, which is most of the time."""
        answer = self._web.answer(url) if self._web and url in self._recorded else None
        if answer is None or (answer.status < 300 and b"refresh" not in answer.body[:REFRESH_LOOKED_FOR].lower()):
            return ""
        read = self._analysed.ask(url) if self._analysed else None
        return read.target if isinstance(read, Redirect) else ""

    def beginnings(self, name: str, urls: Iterable[str]) -> str:
        """Titles and first words of a sample of these pages, which is the same for the same name."""
        if self._analysed is None:
            return ""
        known = sorted(self._recorded.intersection(urls))
        sample = sorted(Random(name).sample(known, min(DESCRIBED, len(known))))
        answers = map(self._analysed.ask, sample)
        return "\n".join(beginning(answer.page) for answer in answers if isinstance(answer, Fetched))
