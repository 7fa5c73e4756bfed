"""Keeps a page for a collection: as a seed of its topic, and as a verdict that teaches its crawl."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import tomlkit
from tomlkit.exceptions import TOMLKitError

from focused.collection.collection import is_crawled
from focused.collection.desk import TEACH_PILE, Desk
from focused.exceptions import TopicError
from focused.topic.plain_files import read_text, shown_path
from focused.topic.topic_file import TopicFile


def keep_page(url: str, file: TopicFile, folder: Path) -> str:
    """Keep the page at a canonical URL; say what became of it.

    file : of the topic
    folder : of the collection

    Raises TopicError where the topic file cannot be written, StorageError where the desk cannot.
    """
    before = read_text(file.path)
    after = with_seed(before, url)
    if after != before:
        _replace(file, after)
    desk = Desk(folder)
    desk.judge([(url, TEACH_PILE, True)])
    if is_crawled(folder):
        desk.ask("raise_url", url)
        return "kept: the running crawl fetches it next"
    return "kept: the next crawl fetches it" if after != before else "it was kept already"


def with_seed(text: str, url: str) -> str:
    """The text of a topic file with one more seed, and nothing else changed. Raises TopicError for one that is no topic."""
    try:
        document = tomlkit.parse(text)
        seeds = document["topic"].setdefault("seeds", tomlkit.array())
        if url not in seeds:
            seeds.add_line(url)
            if not seeds.as_string().rstrip("]").endswith("\n"):
                seeds.add_line(indent="")
        return tomlkit.dumps(document)
    except (TOMLKitError, AttributeError, KeyError, TypeError):
        raise TopicError("the topic file has no list of seeds that can be added to") from None


def _replace(file: TopicFile, text: str) -> None:
    """Write a file anew: whoever reads it finds the old one or the new one."""
    path = file.path
    if not isinstance(path, Path):
        raise TopicError(f"{file}: cannot be written to; copy it into a folder that FOCUSED_TOPICS_DIR names")
    new = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        new.write_text(text, encoding="utf-8")
        new.chmod(path.stat().st_mode & 0o777)
        new.replace(path.resolve())
    except OSError as error:
        with suppress(OSError):
            new.unlink(missing_ok=True)
        raise TopicError(f"{shown_path(path)}: cannot be written: {error.strerror}") from None
