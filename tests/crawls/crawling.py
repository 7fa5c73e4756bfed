"""Runs `scrapy crawl topical` as a person does, in a process of its own, and looks at what it leaves behind."""

from __future__ import annotations

import os
import resource
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from focused.page.page_kind import KINDS
from focused.testing import ForkedProcess, start_scrapy
from tests.crawls.mock_web import MockWeb

ROOT = Path(__file__).parents[2]
TIMEOUT = 100.0  #: seconds after which a crawl that hangs is killed, which fails the test
FAST = (
    *("DOWNLOAD_DELAY=0", "DOWNLOAD_TIMEOUT=10", "FOCUSED_COMMIT_SECONDS=0.2", "FOCUSED_BUSY_SECONDS=0.1"),
    *("FOCUSED_ROBOTS_RETRY_SECONDS=0.05", "REMOTE_CONTROL_ENABLED=0"),
)
TRUE_START: dict[str, Any] = {"start_new_session": True}  #: for what happens while Python starts and imports


@dataclass(slots=True)
class Ended:
    """A process that came to its end."""

    code: int
    output: str
    log: str  #: its stderr

    @property
    def plain(self) -> bool:
        """Whether it says what is wrong without a traceback."""
        return "Traceback" not in self.log + self.output


def scrapy(
    *arguments: str, port: int = 0, folder: Path | None = None, **options: Any
) -> ForkedProcess | subprocess.Popen[str]:
    """Start a command of the project behind the proxy on ``port``; ``options`` are those of Popen.

    It is forked, unless there are options that only a true start has. Of a forked one ``file_size`` limits its files, in bytes.
    """
    environment = {key: value for key, value in os.environ.items() if not key.lower().endswith("_proxy")}
    environment |= {"http_proxy": f"http://127.0.0.1:{port}", "https_proxy": f"http://127.0.0.1:{port}"} if port else {}
    environment |= {"PYTHONPATH": str(ROOT)} | options.pop("env", {})
    data = ("-s", f"FOCUSED_DATA_DIR={folder}") if folder else ()
    words = [arguments[0], *data, *arguments[1:]]
    options = {"cwd": ROOT, "env": environment} | options
    if options.keys() <= {"cwd", "env", "stdout", "stderr", "file_size"}:
        limit = options.pop("file_size", None)
        process = start_scrapy(*words, **options)
        if limit is not None:
            resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (limit, limit))  # long before it writes anything
        return process
    return subprocess.Popen(
        [sys.executable, "-W", "error::ResourceWarning", "-m", "scrapy", *words],
        **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True} | options,
    )


def end(process: ForkedProcess | subprocess.Popen[str], timeout: float = TIMEOUT) -> Ended:
    try:
        output, log = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        process.kill()
        output, log = process.communicate()
        raise AssertionError(f"still running after {timeout} s\n{output[-2000:]}\n{log[-4000:]}") from None
    return Ended(process.returncode, output, log)


def start(
    web: MockWeb | int,
    folder: Path,
    seeds: Sequence[str] = (),
    settings: Sequence[str] = (),
    spider: str = "topical",
    options: Sequence[str] = (),
    popen: Mapping[str, Any] | None = None,
    **arguments: object,
) -> ForkedProcess | subprocess.Popen[str]:
    """Start a crawl of the collection ``folder``/test; ``arguments`` are those of the spider."""
    given = {
        "name": "test",
        "keywords": "solar energy",
        "pages": 0,
        "traps__on": "false",
        "relevance__also": ",".join(KINDS),
    } | arguments  # pages of few words
    if seeds:
        given["seeds"] = ",".join(seeds)
    words = [word for name, value in given.items() for word in ("-a", f"{name.replace('__', '.')}={value}")]
    words += [word for setting in (*FAST, *settings) for word in ("-s", setting)]
    port = web.port if isinstance(web, MockWeb) else web
    return scrapy("crawl", spider, *words, *options, port=port, folder=folder, **(popen or {}))


def crawl(web: MockWeb | int, folder: Path, seeds: Sequence[str] = (), **options: Any) -> Ended:
    """Run a crawl to its end (see `start`)."""
    return end(start(web, folder, seeds, **options))


def wait_until(happened: Callable[[], object]) -> None:
    """Wait for something that a crawl writes down; its database may be in the making."""
    deadline = monotonic() + 60
    while monotonic() < deadline:
        try:
            if happened():
                return
        except sqlite3.Error:
            pass
        sleep(0.05)
    raise AssertionError("it did not happen within a minute")


def rows(folder: Path, query: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    """What the collection ``folder``/test answers to a query."""
    db = sqlite3.connect(folder / "test" / "crawl.db")
    try:
        return db.execute(query, values).fetchall()
    finally:
        db.close()


def column(folder: Path, query: str, values: Sequence[Any] = ()) -> list[Any]:
    return [row[0] for row in rows(folder, query, values)]


def fetched(folder: Path) -> list[str]:
    """Final URLs of all pages in the history, in order."""
    return column(folder, "SELECT final_url FROM history WHERE outcome = 'page' ORDER BY seq")


def failures(folder: Path) -> dict[str, str]:
    return dict(rows(folder, "SELECT url, reason FROM failures"))


def reasons(folder: Path) -> list[str]:
    """Why each run ended."""
    return column(folder, "SELECT reason FROM runs ORDER BY id")
