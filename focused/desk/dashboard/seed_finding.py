"""Searches for seeds that people ask a dashboard for: each a process of its own, which says how far it is."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from focused.desk.dashboard.new_crawl import NewCrawl
from focused.exceptions import FocusedError
from focused.topic.topic_arguments import NO_SEED

KEPT = 20  #: searches that are remembered
AT_ONCE = 3
LONGEST_LINE = 2_000_000  #: characters
UPLOADED = "uploaded"  #: what a list of URLs is called that came without a name


@dataclass
class SeedFinding:
    """One search.

    told : what it has done, line by line
    judged : what it found, see `seed_finding_process`; None: it is under way, or came to nothing
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
    folder = Path(tempfile.mkdtemp(prefix="focused-seeds-"))
    try:
        sources = [*finding.new.seeds]
        if uploaded is not None:
            (folder / UPLOADED).write_bytes(uploaded)
        given = folder / "given"
        if sources:
            given.write_text("\n".join(sources), encoding="utf-8")
        asked["sources"] = [str(path) for path in (given, folder / UPLOADED) if path.exists()]
        _run(finding, asked)
    except OSError as error:
        finding.trouble = f"no search can be started: {error.strerror}"
    finally:
        finding.trouble = finding.trouble or ("" if finding.judged is not None else "the search broke off")
        shutil.rmtree(folder, ignore_errors=True)


def _run(finding: SeedFinding, asked: dict[str, Any]) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "focused.desk.dashboard.seed_finding_process"],
        stdin=subprocess.PIPE,  # its end tells the process that the dashboard has ended
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        start_new_session=True,
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(f"{json.dumps(asked)}\n".encode())
        process.stdin.flush()
        while line := process.stdout.readline(LONGEST_LINE):
            said = json.loads(line)
            if "told" in said:
                finding.told.append(str(said["told"]))
            finding.trouble = str(said.get("trouble", finding.trouble))
            finding.judged = said.get("judged", finding.judged)
