"""The last run of a crawl, under whose rules the journal was written."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from scrapy.utils.project import ENVVAR, get_project_settings

from focused import strategies
from focused.collection.store import Store
from focused.exceptions import StorageError
from focused.page.reader import ReadingOptions
from focused.scorers import SETTING
from focused.topic.mistakes import shown
from focused.topic.topic import Topic
from focused.topic.topic_tables import topic_of_run


@dataclass(frozen=True, slots=True)
class LastRun:
    """What a collection keeps of a run."""

    version: str  #: of focused
    topic: dict[str, dict[str, Any]]  #: as `Topic.as_dict` gave it
    #: digest of the trained model that it used, empty without one; None: not known, from an older release
    model: str | None

    def had_model(self, digest: str) -> bool:
        """Whether it used this trained model; True if that is not known."""
        return self.model in (None, digest)

    @property
    def reading(self) -> ReadingOptions:
        """How it read pages, and made URLs canonical."""
        return ReadingOptions.model_validate(self.topic["reading"])

    @property
    def keywords(self) -> list[str]:
        """The keywords of all languages."""
        return flat_keywords(self.topic["topic"]["keywords"])

    @property
    def pages(self) -> str:
        """Kind of its page repository."""
        return str(self.topic["storage"]["pages"])


def flat_keywords(keywords: Sequence[str] | Mapping[str, Sequence[str]]) -> list[str]:
    """All keywords, whether they are given by language or not."""
    return [*chain.from_iterable(keywords.values())] if isinstance(keywords, Mapping) else [*keywords]


def last_run(store: Store) -> LastRun:
    """The last run, under way or not; StorageError if there was none."""
    row = store.execute("SELECT version, topic, model FROM runs ORDER BY id DESC LIMIT 1").fetchone()
    if row is None:
        raise StorageError(f"{store.path}: nothing was crawled yet")
    version, topic, model = row
    return LastRun(version, json.loads(topic), model)


def topic_of_last_run(store: Store) -> Topic:
    """The topic of the last run: the topic's file may have changed since, and arguments are in no file.

    Raises StorageError if its strategy or link scorers are not code of this project: a name in a database must not make us import
    anything.
    """
    tables = last_run(store).topic
    name = tables.get("strategy", {}).get("name", "")
    if name and not strategies.is_own(name):
        raise StorageError(
            f"{store.path}: names the strategy {shown(name)}, which is no code of this project, so that it is not imported; if "
            "it is yours, give it an entry point of the group focused.strategies"
        )
    scorers = tables.get("settings", {}).get(SETTING, {})
    # Scrapy has set it where there is a project; else this would set it, for every process to come.
    named = get_project_settings().get(SETTING) or () if ENVVAR in os.environ else ()
    for path in scorers if isinstance(scorers, dict) else ():
        if not path.startswith("focused.scorers.") and path not in named and not strategies.is_own(path):
            raise StorageError(
                f"{store.path}: names the link scorer {shown(path)}, which is no code of this project, so that it is not imported; "
                "if it is yours, name it in LINK_SCORERS in the settings of your project"
            )
    return topic_of_run(tables, strategies, str(store.path))
