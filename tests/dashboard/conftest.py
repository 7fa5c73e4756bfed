"""A crawled collection of forty pages, and a dashboard over it that a test asks without a server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from focused.dashboard.app import create_app
from focused.dashboard.served import Served
from focused.run.session import Session
from tests.small_web import crawl, topic_of

ADDRESS = "http://127.0.0.1"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The data folder of one collection, called test, whose crawl has ended."""
    session = Session(topic_of(), tmp_path / "data" / "test")
    crawl(session)
    session.close()
    return tmp_path / "data"


@pytest.fixture
def served(data: Path) -> Served:
    return Served(data)


@pytest.fixture
def client(served: Served) -> Iterator[TestClient]:
    with TestClient(create_app(served), base_url=ADDRESS, follow_redirects=False) as client:
        yield client
