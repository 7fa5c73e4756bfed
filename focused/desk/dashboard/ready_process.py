"""``python -m focused.desk.dashboard.ready_process``: a `scrapy` that has imported all it needs and waits to be told what to do.

To import Scrapy and ourselves takes longer than to fetch the first pages. So a dashboard starts one of these when a person is about
to ask for a crawl; it ends when nobody tells it anything.
"""

from __future__ import annotations

import json
import os
import sys

from scrapy.cmdline import execute

from focused.live.preloading import import_all

COMMAND = "command"  #: fields of what it is told, as JSON: the words of a command line,
LOG = "log"  #: and a file for what it says


def told(line: str) -> tuple[list[str], str] | None:
    """What a line tells; None for none."""
    if not line.strip():
        return None
    asked = json.loads(line)
    return [str(word) for word in asked[COMMAND]], str(asked[LOG])


def main() -> None:
    import_all()
    asked = told(sys.stdin.readline())
    if asked is None:
        return
    command, log = asked
    target = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for source, to in ((nothing, 0), (target, 1), (target, 2)):
        os.dup2(source, to)
    sys.argv = ["scrapy", *command]
    execute(sys.argv)


if __name__ == "__main__":
    main()
