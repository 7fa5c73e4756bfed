"""The laboratory's webs are known by what their files look like, and take options of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from focused.exceptions import WebError
from focused.simulation.known_webs import open_web
from lab.webs.webkb import WebKB
from tests.small_wikispeedia import write_files


@pytest.fixture
def webkb(tmp_path: Path) -> Path:
    return write_files(tmp_path / "webkb", {"course/cornell/http:^^a.example^index.html": "<h1>course</h1>"})


def test_webkb_is_known_by_its_layout(webkb: Path) -> None:
    for name in (webkb, webkb.parent):
        web = open_web([f"{name}:university=cornell"])
        assert isinstance(web, WebKB)
        assert list(web.urls()) == ["http://a.example/"]


def test_index_pages_are_folded_unless_a_topic_says_otherwise(webkb: Path) -> None:
    assert list(open_web([str(webkb)]).urls()) == ["http://a.example/"]
    assert list(open_web([str(webkb)], fold_index=False).urls()) == ["http://a.example/index.html"]


def test_what_does_not_fit_is_told(webkb: Path) -> None:
    for names, told in {
        (str(webkb), "demo"): "cannot be served with other webs",
        ("traps:size=5",): "size",
        (f"{webkb}:university=oxford",): "'oxford' is not a university of WebKB",
    }.items():
        with pytest.raises(WebError, match=told):
            open_web(names)
