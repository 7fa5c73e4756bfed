"""A hostile page replayed in a real browser: it runs nothing, reaches nobody, and cannot touch the dashboard around it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Page

from tests.collection.collecting import collect
from tests.inspection.test_one_visit import Listener, hostile, listening

URL = "http://evil.example/"


@pytest.fixture
def listener() -> Iterator[Listener]:
    with listening() as server:
        yield server


@pytest.fixture
def address(tmp_path: Path, listener: Listener, open_dashboard: Callable[[Path], str]) -> str:
    markup = hostile(listener.port).decode()
    markup += "<script>parent.document.title = 'run'; top.location = 'about:blank'</script>"
    collect(tmp_path / "data" / "test", {URL: markup + "solar energy " * 30})
    return open_dashboard(tmp_path / "data")


@pytest.mark.parametrize("path", ["page?replay=1&url=", "replay?url="])
def test_nothing_runs_and_nobody_is_reached(page: Page, address: str, listener: Listener, path: str) -> None:
    loaded: list[str] = []
    page.on("requestfinished", lambda request: loaded.append(request.url))
    page.goto(f"{address}/c/test/{path}{quote(URL, safe='')}")
    frame = page.frames[-1]
    frame.wait_for_selector("#seen")
    page.wait_for_timeout(1500)
    assert "as it was" in frame.inner_text("#seen")
    assert "run" not in page.title()
    assert [url for url in loaded if not url.startswith((address, "data:"))] == []
    assert listener.asked == []
    assert len(page.frames) <= 2  # none inside the replay


def test_the_same_page_as_it_is_reaches_its_server(page: Page, listener: Listener, tmp_path: Path) -> None:
    """Otherwise the test above could not fail."""
    file = tmp_path / "page.html"
    file.write_bytes(hostile(listener.port))
    page.goto(file.as_uri(), wait_until="commit")
    page.wait_for_timeout(1500)
    assert b"connected" in listener.asked
