"""Crawls that a person asks the dashboard for: the topic file, the start, and a search for seeds, each a process of its own.

What was asked for in words becomes a topic file in the folder of its collection.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Collection, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from focused import strategies
from focused.collection.collection import hold, is_crawled
from focused.collection.repository import storage_errors
from focused.crawl.url_forms import domain_of
from focused.desk.dashboard.tasks import COMMAND, LOG
from focused.desk.job import TASKS, Job
from focused.exceptions import FocusedError, StorageError, TopicError
from focused.inspection.search_query import EITHER
from focused.page.plain_text import plain
from focused.page.urls import host_of
from focused.topic.mistakes import Mistakes
from focused.topic.plain_files import shown_path, write_new
from focused.topic.topic import Topic, http_url
from focused.topic.topic_arguments import NO_SEED, slug
from focused.topic.topic_file import RESERVED, SUFFIX, find_topic, topic_files, topic_template
from focused.topic.topic_tables import build_topic, refuse_private_seeds

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
#: Of a crawl from several seeds: as in MySpiders, each has a frontier of its own (Pant, Srinivasan & Menczer 2004, section 5.1).
MANY_SEEDS = {"best_first": {"by_seed": True}}
#: Of a map of one site: a path never ends for want of hits, as all of the site is to be seen.
WHOLE_SITE = {"shark_search": {"depth": 100}}
DASHBOARD_LOG = "dashboard.log"  #: in the folder of a collection: what a crawl that was started here said
TELL = 500  #: characters of a failed start that are told
SOON = ("-s", "FOCUSED_COMMIT_SECONDS=0.3")  #: somebody waits for the first hits
KEPT = 20  #: searches that are remembered
AT_ONCE = 3
LONGEST_LINE = 2_000_000  #: characters
GIVEN, UPLOADED = "given", "uploaded"  #: what lists of URLs are called that have no name


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
        options = (WHOLE_SITE if self.hosts else MANY_SEEDS).get(self.strategy, {})
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
        names = (base if number == 1 else f"{base}-{number}" for number in count(1))
        free = (one for one in names if one not in taken and one.casefold() not in RESERVED)
        name = next(one for one in free if not (data / one).exists())
        with storage_errors(data / name, "create the folder"):
            (data / name).mkdir(parents=True)
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


@dataclass
class Launcher:
    """Knows how the person started the dashboard, and starts crawls in the same way.

    data : folder of all collections
    topics_dir : the user's folder of topics; None: those of the package
    settings : ``NAME=VALUE`` pairs of the command line, which the crawls get too
    search : specs of the providers that can be asked for seeds
    """

    data: Path
    topics_dir: Path | None = None
    settings: Sequence[str] = ()
    search: Sequence[str] = ()
    _running: dict[str, Job] = field(default_factory=dict)
    _ready: Job | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def topics(self) -> list[str]:
        """Names of the topic files there are."""
        return list(topic_files(self.topics_dir))

    def start(self, name: str) -> None:
        """Start, or go on with, the crawl of a topic. Raises FocusedError for an unknown topic or one that is under way."""
        find_topic(name, self.topics_dir)
        if name not in self.topics():
            raise FocusedError(f"{name}: only topics by their names can be started here")
        self._start(name, name)

    def start_asked(self, name: str) -> None:
        """Start, or go on with, a crawl that was asked for here. Raises FocusedError where there is none, or it is under way."""
        folder = self.data / name
        if not is_asked_here(folder):
            raise FocusedError(f"{name}: was not asked for here")
        here = f"FOCUSED_DATA_DIR={self.data.absolute()}"
        self._start(name, str(file_of(folder).absolute()), (*SOON, "-s", here))

    def is_starting(self, name: str) -> bool:
        """Whether its crawl was started here and has not ended."""
        process = self._running.get(name)
        return process is not None and process.poll() is None

    def failures(self) -> dict[str, str]:
        """What the crawls that ended with an error said at last, by topic."""
        found = {}
        for name, process in self._running.items():
            if process.poll():
                with suppress(OSError):
                    said = (self.data / name / DASHBOARD_LOG).read_text(errors="replace").strip()
                    found[name] = said.rpartition("\n")[2][:TELL]
                found[name] = found.get(name) or f"exit code {process.returncode}"
        return found

    def forget(self, name: str) -> None:
        """Tell nothing more of a collection."""
        self._running.pop(name, None)

    def get_ready(self) -> None:
        """Let a process import what a crawl needs, for a person who is about to ask for one; it ends when nobody does."""
        with self._lock, suppress(OSError):
            if self._ready is None or self._ready.poll() is not None:
                self._ready = _crawler()

    def close(self) -> None:
        """End what waits to be asked for."""
        if self._ready is not None:
            self._ready.hang_up()
            self._ready.wait()

    def _start(self, name: str, topic: str, more: Sequence[str] = ()) -> None:
        if self.is_starting(name):
            raise FocusedError(f"{name}: its crawl has been started already")
        folder = self.data / name
        if is_crawled(folder):
            raise FocusedError(f"{name}: its crawl is running already")
        given = [part for pair in self.settings for part in ("-s", pair)]
        command = ["crawl", "topical", "-a", f"topic={topic}", *more, *given]
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._running[name] = self._told({COMMAND: command, LOG: str((folder / DASHBOARD_LOG).absolute())})
        except OSError as error:
            raise FocusedError(f"{folder}: the crawl cannot be started: {error.strerror}") from None

    def _told(self, order: Mapping[str, object]) -> Job:
        """A process that was told to crawl, and goes on when the dashboard ends: the one that waits, or a new one."""
        with self._lock:
            job, self._ready = self._ready or _crawler(), None
        try:
            job.tell(order)
        except OSError:  # it has ended
            job = _crawler()
            job.tell(order)
        job.hang_up()
        return job


def _crawler() -> Job:
    return Job(TASKS, "crawl", stdout=subprocess.DEVNULL)


@dataclass
class SeedFinding:
    """One search.

    told : what it has done, line by line
    judged : what it found, see `tasks.find_seeds`; None: it is under way, or came to nothing
    trouble : why it came to nothing; empty: it did not
    """

    new: NewCrawl
    told: list[str] = field(default_factory=list)
    judged: list[dict[str, Any]] | None = None
    trouble: str = ""

    @property
    def done(self) -> bool:
        return self.judged is not None or bool(self.trouble)


class SeedFindings:
    """All searches of one dashboard.

    settings : ``NAME=VALUE`` pairs of its command line
    """

    def __init__(self, settings: Sequence[str] = ()) -> None:
        self._settings = list(settings)
        self._lock = threading.Lock()
        self._findings: dict[int, SeedFinding] = {}
        self._last = 0

    def begin(self, new: NewCrawl, specs: Sequence[str], uploaded: bytes | None) -> int:
        """Begin a search for seeds of a crawl; return its number.

        uploaded : a file with URLs

        Raises FocusedError where too many are under way, TopicError for mistakes in what was asked for.
        """
        topic = NewCrawl(new.words, (NO_SEED,), new.strategy).topic("seeds")
        with self._lock:
            if sum(not one.done for one in self._findings.values()) >= AT_ONCE:
                raise FocusedError("Other searches for seeds are under way: wait until one has ended.")
            self._last += 1
            number, finding = self._last, SeedFinding(new)
            self._findings[number] = finding
            for old in [one for one, other in self._findings.items() if other.done][:-KEPT]:
                del self._findings[old]
        asked = {"topic": topic.as_dict(), "specs": list(specs), "settings": self._settings}
        threading.Thread(target=_work, args=(finding, asked, uploaded), name="seeds", daemon=True).start()
        return number

    def find(self, number: int) -> SeedFinding | None:
        return self._findings.get(number)


def _work(finding: SeedFinding, asked: dict[str, Any], uploaded: bytes | None) -> None:
    lists = {GIVEN: "\n".join(finding.new.seeds).encode(), UPLOADED: uploaded}
    try:
        with tempfile.TemporaryDirectory(prefix="focused-seeds-") as folder, Job(TASKS, "seeds") as job:
            paths = {Path(folder, name): content for name, content in lists.items() if content}
            for path, content in paths.items():
                path.write_bytes(content)
            job.tell(asked | {"sources": list(map(str, paths))})
            assert job.stdout is not None
            while line := job.stdout.readline(LONGEST_LINE):
                said = json.loads(line)
                if "told" in said:
                    finding.told.append(str(said["told"]))
                finding.trouble = str(said.get("trouble", finding.trouble))
                finding.judged = said.get("judged", finding.judged)
    except OSError as error:
        finding.trouble = f"no search can be started: {error.strerror}"
    finally:
        finding.trouble = finding.trouble or ("" if finding.judged is not None else "the search broke off")
