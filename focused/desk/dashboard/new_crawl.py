"""A crawl that a person asks for on the dashboard: its words and limits become a topic file in the folder of its collection."""

from __future__ import annotations

import re
import shutil
from collections.abc import Collection
from contextlib import closing
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from focused import strategies
from focused.collection.collection import hold
from focused.collection.repository import storage_errors
from focused.collection.search_query import EITHER
from focused.crawl.domains import domain_of
from focused.exceptions import FocusedError, StorageError, TopicError
from focused.page.plain_text import plain
from focused.page.urls import host_of
from focused.topic.mistakes import Mistakes
from focused.topic.plain_files import shown_path, write_new
from focused.topic.topic import Topic, http_url
from focused.topic.topic_arguments import slug
from focused.topic.topic_file import RESERVED, SUFFIX
from focused.topic.topic_tables import build_topic, refuse_private_seeds
from focused.topic.topic_template import topic_template

ASKED_HERE = "# Asked for on the dashboard."  #: first line of a topic file that was written here
#: What a person may choose, and what it does; none needs a trained model.
CHOICES = {
    "adaptive": "learns which links lead to hits",
    "best_first": "links of the most similar pages first",
    "shark_search": "similar pages, and what stands at the link",
    "hub_seeking": "lists of links that lead to hits",
    "info_spiders": "a population of agents that split and die",
    "breadth_first": "every link in turn",
}
MOST_PAGES, MOST_SEEDS, MOST_DEPTH = 100_000, 500, 100
#: Of a map of one site: a path never ends for want of hits, as all of the site is to be seen.
WHOLE_SITE = {"shark_search": {"depth": 100}}


@dataclass(frozen=True)
class NewCrawl:
    """What was asked for.

    words : as in a search: quotation marks make phrases; what is to be left out is
    depth : links from a seed, at most; 0: no limit
    hosts : that it stays on, with their subdomains; none: the whole Web
    """

    words: str
    seeds: tuple[str, ...]
    strategy: str = "adaptive"
    pages: int = 200
    depth: int = 0
    hosts: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.strategy not in CHOICES:
            raise TopicError(f"There is no strategy {plain(self.strategy, 40)!r} here: take {', '.join(CHOICES)}.")
        if not keywords_in(self.words):
            raise TopicError("Give some words that say what to look for.")

    @property
    def tables(self) -> dict[str, dict[str, Any]]:
        """Those of the topic file."""
        options = WHOLE_SITE.get(self.strategy, {}) if self.hosts else {}
        scope: dict[str, Any] = {"allowed_hosts": list(self.hosts)} if self.hosts else {}
        return {
            "topic": {"keywords": keywords_in(self.words), "seeds": list(dict.fromkeys(self.seeds))[:MOST_SEEDS]},
            "strategy": {"name": self.strategy, **options},
            "budget": {"pages": self.pages},
            "scope": scope | ({"max_depth": self.depth} if self.depth else {}),
        }

    def topic(self, name: str) -> Topic:
        """Raises TopicError with all mistakes."""
        mistakes = Mistakes("")
        return refuse_private_seeds(build_topic(name, self.tables, strategies, mistakes), mistakes)

    def begin(self, data: Path, taken: Collection[str]) -> str:
        """Make the folder of a new collection with a topic file in it; return its name.

        taken : names that it may not have, beside those of folders there are
        Raises TopicError for mistakes, before anything is made, and where nothing can be written.
        """
        base = slug(self.hosts[0] if self.hosts else self.words)
        self.topic(base)
        with storage_errors(data, "create the folder"):
            data.mkdir(parents=True, exist_ok=True)
        for number in count(1):
            name = base if number == 1 else f"{base}-{number}"
            if name in taken or name.casefold() in RESERVED:
                continue
            with storage_errors(data / name, "create the folder"):
                try:
                    (data / name).mkdir()
                except FileExistsError:
                    continue
            break
        path = file_of(data / name)
        kind = strategies.get_strategy(self.strategy)
        text = topic_template(shown_path(path), self.tables, kind.name, kind.summary(), kind.Options)
        write_new(path, f"{ASKED_HERE}\n{text}")
        return name


def keywords_in(words: str) -> list[str]:
    """The phrases of a search, and what is between them, as the keywords of a topic."""
    text = plain(words)
    rest = re.sub(r'-?"[^"]*"?', " , ", text)
    kept = [word for word in rest.split() if word != EITHER and not re.match(r"-\w", word)]
    found = [*re.findall(r'(?<!-)"([^"]+)"', text), *" ".join(kept).replace("*", "").split(",")]
    return [keyword.strip() for keyword in dict.fromkeys(found) if re.search(r"\w", keyword)]


def file_of(folder: Path) -> Path:
    """Where the topic file of a collection lies that was asked for here."""
    return folder / (folder.name + SUFFIX)


def is_asked_here(folder: Path) -> bool:
    """Whether the crawl of a collection was asked for on a dashboard."""
    try:
        with file_of(folder).open(encoding="utf-8", errors="replace") as file:
            return file.readline().rstrip() == ASKED_HERE
    except OSError:
        return False


def forget(data: Path, folder: Path) -> None:
    """Delete a collection with all that was said of it. Raises FocusedError for one that was not asked for here, or is crawled."""
    if folder.parent != data or folder.is_symlink() or not is_asked_here(folder):
        raise FocusedError(f"{folder.name}: only a collection that was asked for here can be deleted here.")
    with closing(hold(folder)):
        pass  # no crawl has it
    try:
        shutil.rmtree(folder)
    except OSError as error:
        raise StorageError(f"{folder}: cannot be deleted: {error.strerror}") from None


def site_of(text: str, *, whole_domain: bool) -> tuple[str, tuple[str, ...]]:
    """The URL to begin with, and the hosts to stay on, of what a person wrote as a site. Raises TopicError."""
    url = text.strip() if "://" in text else f"https://{text.strip()}"
    try:
        host = host_of(http_url(url))
    except ValueError as error:
        raise TopicError(f"The site: {plain(str(error), 300)}") from None
    return url, (domain_of(host) if whole_domain else host,)
