"""Who crawls: rivals as they are published, and `focused` with one of its strategies; and how a process of each is started."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from focused import strategies
from focused.exceptions import FocusedError
from focused.simulation.analysed_web import code_digest, text_digest
from focused.simulation.comparison import DEFENDED
from focused.topic.topic import Topic
from lab.experiment.crawling import strategy_code

HERE = Path(__file__).parent
PROCESSES = HERE / "processes"
#: Where `make rivals` installs each rival, with all that it needs, apart from us.
ENVIRONMENTS = HERE.parent.parent / "build" / "rivals"
#: What a live crawl depends on beside its strategy and what the strategy depends on.
LIVE = ("focused.scheduler", "focused.spiders.topical")
#: Of our environment, what code of others needs to run.
KEPT = ("PATH", "LANG", "LC_ALL", "TMPDIR")
OURS: dict[str, object] = {
    "DOWNLOAD_DELAY": 0,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
    "RETRY_ENABLED": 0,
    "METAREFRESH_ENABLED": 0,
    "ROBOTSTXT_OBEY": 0,  # no robots.txt was recorded
    "TELNETCONSOLE_ENABLED": 0,
    "LOG_LEVEL": "WARNING",
}


@dataclass(frozen=True)
class Task:
    """What a crawler is told: no label, and no number of pages, because the judge ends the crawl.

    start : URL of a page that links to the seeds, for crawlers that take a single URL
    hosts : that exist; nobody may leave them
    proxy : URL
    in_flight : requests at a time, over all hosts
    """

    keywords: tuple[str, ...]
    seeds: tuple[str, ...]
    start: str
    hosts: tuple[str, ...]
    proxy: str
    in_flight: int


@dataclass(frozen=True)
class Rival:
    """A crawler of others: a file of `processes`, run by the Python of an environment of its own.

    environment : name of the folder and of the file of pinned requirements; empty where our own Python will do
    """

    script: str
    environment: str = ""

    @property
    def python(self) -> Path:
        """Raises FocusedError if the rival is not installed."""
        if not self.environment:
            return Path(sys.executable)
        python = ENVIRONMENTS / self.environment / "bin" / "python"
        if not python.exists():
            raise FocusedError(f"{self.environment} is not installed in build/rivals; run: make rivals")
        return python

    @property
    def version(self) -> str:
        """Changes with the script and with the pinned versions."""
        files = [PROCESSES / self.script, *([HERE / f"{self.environment}.txt"] if self.environment else [])]
        return text_digest(file.read_text(encoding="utf-8") for file in files)


RIVALS: Mapping[str, Rival] = {
    "crawl4ai": Rival("crawl4ai_best_first.py", "crawl4ai"),
    "bytecrawl": Rival("bytecrawl_shark.py", "bytecrawl"),
    "crawlee": Rival("crawlee_forefront.py", "crawlee"),
    "scrapy_keywords": Rival("keyword_spider.py"),
}


def check(name: str) -> None:
    """Raise FocusedError if no crawler has this name or it cannot run; TopicError where a strategy needs a model."""
    if name in RIVALS:
        _ = RIVALS[name].python
    elif name not in strategies.names():
        raise FocusedError(
            f"{name}: no such crawler; there are {', '.join(RIVALS)} and the strategies {', '.join(strategies.names())}"
        )


def version_of(name: str) -> str:
    """A text that changes when the crawler does."""
    if name in RIVALS:
        return RIVALS[name].version
    return text_digest([strategy_code(name), code_digest((), LIVE)])


def command_of(name: str, topic: Topic, task: Task, folder: Path) -> list[str]:
    """What starts a crawler. folder : exists, is empty, and may be filled by it"""
    if name in RIVALS:
        file = folder / "task.json"
        file.write_text(json.dumps(asdict(task)), encoding="utf-8")
        return [str(RIVALS[name].python), str(PROCESSES / RIVALS[name].script), str(file)]
    file = folder / "rivals.toml"
    file.write_text(_topic_file(topic, task), encoding="utf-8")
    settings = OURS | {"CONCURRENT_REQUESTS": task.in_flight, "FOCUSED_DATA_DIR": folder}
    return [
        *(sys.executable, "-m", "scrapy", "crawl", "topical"),
        *(part for setting, value in settings.items() for part in ("-s", f"{setting}={value}")),
        *("-a", f"topic={file}", "-a", f"strategy={name}", "-a", "pages=0"),
        *(() if name in DEFENDED else ("-a", "traps.on=false")),
    ]


def _topic_file(topic: Topic, task: Task) -> str:
    """Arrays of text are written in JSON and TOML alike."""
    return "\n".join(
        (
            "[topic]",
            f"keywords = {json.dumps(task.keywords, ensure_ascii=False)}",
            f"seeds = {json.dumps(task.seeds, ensure_ascii=False)}",
            "[reading]",
            f"fold_index = {str(topic.reading.fold_index).lower()}",
            "[scope]",
            f"nofollow = {json.dumps(topic.scope.nofollow)}",
            f"allowed_hosts = {json.dumps(task.hosts)}",
        )
    )


def environment_of(name: str, task: Task, folder: Path) -> dict[str, str]:
    """The environment of a crawler's process: everything goes through the proxy.

    Code of others gets nothing else of ours, which may hold secrets, and a home folder that is deleted afterwards.
    """
    proxies = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), task.proxy)
    if name in RIVALS:
        kept = {key: value for key, value in os.environ.items() if key in KEPT}
        return kept | proxies | {"HOME": str(folder), "CRAWL4_AI_BASE_DIRECTORY": str(folder)}
    return {key: value for key, value in os.environ.items() if not key.lower().endswith("_proxy")} | proxies
