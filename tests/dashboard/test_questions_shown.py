"""What the dashboard says of questions that a crawl asked of searches."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from focused.desk.dashboard.app import create_app
from focused.desk.dashboard.served import Served
from tests.dashboard.conftest import ADDRESS
from tests.live.test_questions import MOON, SUN, asked_crawl
from tests.small_web import url_of


@pytest.fixture
def asked(tmp_path: Path) -> TestClient:
    asked_crawl(tmp_path / "data" / "test", 30).close()
    return TestClient(create_app(Served(tmp_path / "data")), base_url=ADDRESS, follow_redirects=False)


def test_the_overview_has_a_line_for_each_question(asked: TestClient) -> None:
    with asked:
        text = asked.get("/c/test/").text
    assert "What questions to searches brought" in text
    assert "solar panels" in text
    assert "&lt;b&gt;moon &amp; sun&lt;/b&gt;" in text


def test_a_crawl_without_questions_has_no_such_table(client: TestClient) -> None:
    assert "What questions to searches brought" not in client.get("/c/test/").text


def test_the_way_to_a_page_begins_with_the_search_that_named_it(asked: TestClient) -> None:
    with asked:
        text = asked.get("/c/test/page", params={"url": url_of(33)}).text
        question = asked.get("/c/test/page", params={"url": SUN.address.url})
        empty = asked.get("/c/test/page", params={"url": MOON.address.url})
        tables = [asked.get(f"/c/test/{name}").status_code for name in ("queue", "failures", "drops", "map", "search")]
    assert "the search &#39;solar panels&#39; (searxng host)" in text
    assert (question.status_code, empty.status_code) == (200, 200)
    assert set(tables) <= {200, 404}
