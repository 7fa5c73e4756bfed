"""Crawls of the small web to their end, made once, and the strategies that they are tried with."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from focused.live.session import Session
from focused.strategies import names
from tests import small_web

#: Of each kind one: it learns, rescores all that waits, walks on its own. The others take as long and are slow tests: that each
#: stands where it stood is part of its contract.
SOME = ("adaptive", "hcla", "info_spiders")
STRATEGIES = [pytest.param(name, marks=() if name in SOME else pytest.mark.slow) for name in names()]

_made: dict[str, tuple[list[str], dict[Path, bytes]]] = {}


def collection(folder: Path, most: int = 1000, **tables: Any) -> list[str]:
    """Crawl the web, or its first pages, into a collection; return the URLs in their order.

    What was crawled once in this process is copied.
    """
    key = repr((most, tables, type(small_web.WEB), small_web.WEB))
    if key not in _made:
        with TemporaryDirectory() as name:
            session = Session(small_web.topic_of(**tables), Path(name))
            order = small_web.crawl(session, most)
            session.close()
            files = [path for path in Path(name).rglob("*") if path.is_file()]
            _made[key] = order, {path.relative_to(name): path.read_bytes() for path in files}
    order, contents = _made[key]
    for path, content in contents.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    return [*order]
