"""Crawls of the demo, a web that this machine serves, as a person starts them."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.crawls.crawling import end, scrapy


@contextmanager
def crawling(data: Path, pages: int, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A crawl of the demo, or of another topic that the arguments describe, in a session of its own: it ends with the block."""
    settings = ("FOCUSED_COMMIT_SECONDS=0.3", "REMOTE_CONTROL_ENABLED=0", f"FOCUSED_DATA_DIR={data}")
    words = [word for setting in settings for word in ("-s", setting)]
    process = scrapy(
        *("serve-web", "demo", "--latency", "50", "--", "scrapy", "crawl", "topical"),
        *("-a", f"pages={pages}", *(word for one in arguments or ("topic=demo",) for word in ("-a", one)), *words),
        start_new_session=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            kill(process)


def kill(process: subprocess.Popen[str]) -> None:
    os.killpg(process.pid, signal.SIGKILL)
    end(process)
