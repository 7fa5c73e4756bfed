"""A crawled collection of forty pages, and a dashboard over it that a test asks without a server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from shutil import copytree

import pytest
from starlette.testclient import TestClient

from focused.desk.dashboard.app import create_app
from focused.desk.dashboard.served import Served
from focused.live.session import Session
from tests.small_web import crawl, topic_of

ADDRESS = "http://127.0.0.1"


@pytest.fixture(scope="session")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A collection that no test changes."""
    folder = tmp_path_factory.mktemp("crawled") / "test"
    session = Session(topic_of(), folder)
    crawl(session)
    session.close()
    return folder


@pytest.fixture
def data(crawled: Path, tmp_path: Path) -> Path:
    """The data folder of one collection, called test, whose crawl has ended."""
    copytree(crawled, tmp_path / "data" / "test")
    return tmp_path / "data"


@pytest.fixture
def served(data: Path) -> Served:
    return Served(data)


@pytest.fixture
def client(served: Served) -> Iterator[TestClient]:
    with TestClient(create_app(served), base_url=ADDRESS, follow_redirects=False) as client:
        yield client
