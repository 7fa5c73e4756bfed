"""Content Signals: what a robots.txt says of the use that may be made of pages (contentsignals.org).

A file may grant a use (``ai-train=yes``), refuse it (``no``), or be silent.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import get_args

from focused.topic.topic import Scope, Signal

USES: tuple[str, ...] = get_args(Signal)
GRANTED, REFUSED = "yes", "no"
_LINE = re.compile(r"^content-signal:(.*)$", re.MULTILINE)


def signals_of(rules: str) -> str:
    """The signals among `own_rules`, as in ``ai-train=no, search=yes``, by name; empty where there are none.

    Where a file contradicts itself, it refuses.
    """
    said: dict[str, str] = {}
    for part in ",".join(_LINE.findall(rules)).lower().split(","):
        use, _, answer = ("".join(half.split()) for half in part.partition("="))
        if use in USES and answer in (GRANTED, REFUSED):
            said[use] = min(answer, said.get(use, answer))  # "no" < "yes"
    return ", ".join(f"{use}={said[use]}" for use in sorted(said))


def missing_signal(scope: Scope, signals: str | None) -> str:
    """Why a topic may not have the pages of an origin with these signals; the empty string if it may."""
    said = set((signals or "").split(", "))
    missing = (f"{use} is not granted" for use in scope.signals if f"{use}={GRANTED}" not in said)
    refused = (f"{use} is refused" for use in scope.refusals if f"{use}={REFUSED}" in said)
    return next(chain(missing, refused), "")
