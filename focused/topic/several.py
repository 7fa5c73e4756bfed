"""Which topics ``-a topics=...`` names: a folder of topic files, or names and paths with commas between."""

from __future__ import annotations

import os
from pathlib import Path

from focused.exceptions import TopicError
from focused.topic.plain_files import at_home
from focused.topic.topic_file import SUFFIX, find_topic, topic_files

#: Arguments that are one topic's own: with several they would mean the same collection, or the same seeds, for all.
OF_ONE_TOPIC = ("topic", "name", "topic.name", "keywords", "topic.keywords", "seeds", "topic.seeds", "seeds_file")


def topics_called(text: str, topics_dir: str | Path | None = None) -> dict[str, str]:
    """By the name of each topic, what ``-a topic=`` calls it; in the order given, of a folder in alphabetical order.

    Raises TopicError where nothing is named, a name is unknown, or two topics have the same name.
    """
    called: dict[str, str] = {}
    for item in (part.strip() for part in text.split(",")):
        for name in _named(item, topics_dir) if item else ():
            topic = find_topic(name, topics_dir).name
            twice = next((other for other in called if other.casefold() == topic.casefold()), None)
            if twice is not None:
                raise TopicError(
                    f"-a topics: {called[twice]} and {name} are both called {topic}, and would share a collection; rename one"
                )
            called[topic] = name
    if not called:
        raise TopicError(
            "-a topics: name a folder of topic files, or topics with commas between, as in topics=solar,wind"
        )
    return called


def _named(item: str, topics_dir: str | Path | None) -> list[str]:
    """Topics of a folder, or the one topic; a topic of this name comes before a folder of this name."""
    folder = at_home(item)
    if os.sep in item and not item.endswith(SUFFIX) and not folder.is_dir():
        raise TopicError(f"-a topics: {item}: no such folder")
    if not folder.is_dir() or (os.sep not in item and item in topic_files(topics_dir)):
        return [item]
    files = sorted(str(file) for file in folder.iterdir() if file.suffix == SUFFIX and not file.name.startswith("."))
    if not files:
        raise TopicError(f"-a topics: {item}: no topic files (*{SUFFIX}) lie in this folder")
    return files
