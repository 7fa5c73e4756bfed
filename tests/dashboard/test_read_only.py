"""Somebody else's folder, where nobody may write: everything can be looked at, and what would write is told in a sentence."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from focused.desk.dashboard.app import create_app
from focused.desk.dashboard.served import Served
from tests.dashboard.conftest import ADDRESS
from tests.small_web import url_of

NOBODY = 65534
PAGES = (
    "/",
    "/c/test/",
    "/c/test/search?q=solar",
    f"/c/test/page?url={url_of(3)}",
    "/c/test/hosts",
    "/c/test/failures",
    "/c/test/dropped",
    "/c/test/queue",
    "/c/test/map",
    "/c/test/judge?pile=audit",
    "/c/test/judge?pile=teach",
    "/c/test/judge/ahead?pile=teach",
    "/c/test/export?format=csv",
    "/c/test/export?format=jsonl",
)
CHANGES = (
    ("steer", {"kind": "deny_host", "argument": "a.example"}),
    ("judge", {"pile": "teach", "url": url_of(3), "said": "yes"}),
    ("judge/draw", {"size": "10"}),
    ("say", {"kind": "tag", "url": url_of(3), "tag": "good"}),
    ("searches", {"as": "mine", "query": "q=solar"}),
    ("map/name", {"key": "a", "text": "mine", "theme": "0"}),
)


@pytest.fixture
def foreign(data: Path) -> Iterator[Path]:
    """The data folder at a place that everybody may read; pytest's own folders are closed to others."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "data"
        shutil.copytree(data, copy)
        Path(folder).chmod(0o755)
        for path in (copy, *copy.rglob("*")):
            path.chmod(0o555 if path.is_dir() else 0o444)
        yield copy
        for path in (copy, *copy.rglob("*")):
            path.chmod(0o755)


@contextmanager
def nobody() -> Iterator[None]:
    """Be a user who owns nothing, as root may write everywhere."""
    if os.getuid() != 0:
        yield
        return
    os.setresuid(NOBODY, NOBODY, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)


def everything(client: TestClient) -> dict[str, int]:
    return {path: client.get(path).status_code for path in PAGES}


@pytest.mark.skipif(not hasattr(os, "setresuid"), reason="this system cannot take another user's place")
def test_everything_can_be_looked_at_and_nothing_is_written(data: Path, foreign: Path) -> None:
    everything(TestClient(create_app(Served(data)), base_url=ADDRESS))  # imports all that is imported late
    before = sorted(foreign.rglob("*"))
    served = Served(foreign)
    client = TestClient(create_app(served), base_url=ADDRESS)
    with nobody():
        assert {path: status for path, status in everything(client).items() if status != 200} == {}
        for path, fields in CHANGES:
            answer = client.post(f"/c/test/{path}", data={"token": served.token, **fields})
            assert (path, answer.status_code) == (path, 409)
            assert "Traceback" not in answer.text
            assert str(foreign) in answer.text
    assert sorted(foreign.rglob("*")) == before
