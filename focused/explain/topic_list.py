"""The list of topics: a line for each with its state, then what may not be meant in them, and what is wrong."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from focused import strategies
from focused.exceptions import ModelError, TopicError
from focused.explain.tables import Column, print_table
from focused.live.assemble import model_of
from focused.topic.doubts import doubts_about
from focused.topic.topic import Budget, Topic
from focused.topic.topic_file import find_topic, load_topic, topic_files

COLUMNS = ("topic", "state", "keywords", Column("seeds", True), "strategy", "budget", "file")
WIDEST_KEYWORDS = 40  # characters of the keywords that the list shows


@dataclass
class Checked:
    """A topic name with what its file gave: a topic, or the mistakes."""

    name: str
    file: str
    topic: Topic | None
    mistakes: list[str]

    def row(self) -> tuple[object, ...]:
        if self.topic is None:
            count = len(self.mistakes)
            return (self.name, f"{count} mistake{'s' * (count > 1)}", None, None, None, None, self.file)
        topic = self.topic
        return (
            self.name,
            "OK",
            _shortened(", ".join(topic.keywords)),
            len(topic.seeds),
            topic.strategy,
            budget_in_words(topic.budget),
            self.file,
        )


def list_topics(names: Iterable[str], topics_dir: Path | None, models: Path) -> None:
    """Print a line for each of these topics (all if there are none), then what may not be meant, and their mistakes."""
    names = list(names)
    checked = [_check(name, topics_dir, models) for name in names or topic_files(topics_dir)]
    print_table(COLUMNS, [topic.row() for topic in checked])
    for one in checked:
        for doubt in doubts_about(one.topic) if one.topic else ():
            print(f"{one.name}: {doubt}")
    mistakes = [line for topic in checked for line in topic.mistakes]
    if not names and topics_dir and not topics_dir.is_dir():
        mistakes.append(f"FOCUSED_TOPICS_DIR: no folder {topics_dir}")
    if mistakes:
        raise TopicError("\n".join(mistakes))


def budget_in_words(budget: Budget) -> str:
    """The limits of a budget, such as ``1000 pages, 2.5 hours``."""
    limits = {
        "pages": budget.pages,
        "hours": budget.hours and f"{budget.hours:g}",
        "MB": budget.megabytes,
        "relevant pages": budget.relevant_pages,
    }
    words = [f"{limit} {what}" for what, limit in limits.items() if limit]
    if budget.harvest_floor:
        words.append(f"harvest below {budget.harvest_floor:g}")
    return ", ".join(words) or "none"


def _check(name: str, topics_dir: Path | None, models: Path) -> Checked:
    file = ""
    try:
        file = str(find_topic(name, topics_dir))
        topic = load_topic(name, strategies, topics_dir=topics_dir)
        model_of(topic, models)  # is there
        return Checked(name, file, topic, [])
    except (TopicError, ModelError) as error:
        return Checked(name, file, None, str(error).splitlines())


def _shortened(text: str) -> str:
    return text if len(text) <= WIDEST_KEYWORDS else text[: WIDEST_KEYWORDS - 3] + "..."
