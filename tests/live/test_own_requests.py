"""Requests of the user's own, saved as JSON: what a planted row names is not imported, made or called."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from scrapy import FormRequest, Request, Spider
from scrapy.http import JsonRequest

from focused.live.own_requests import OwnRequests, saved_form
from focused.page.urls import UrlRules

HOST = "own.example"


class Own(Spider):
    name = "own"
    found = print  #: no method of it

    def looked_at(self, response: Any) -> None:
        """A callback."""

    def _failed(self, failure: Any) -> None:
        """An errback."""


SPIDER = Own()


class Special(Request):
    """A class of requests of the user's own."""


def taken(saved: Any) -> Request | None:
    return OwnRequests({7: saved}, UrlRules()).take(7, HOST, SPIDER)


def planted(**values: Any) -> str:
    return json.dumps({"url": f"http://{HOST}/x", **values})


@pytest.mark.parametrize(
    "request_",
    [
        Request(f"http://{HOST}/a", SPIDER.looked_at, errback=SPIDER._failed, cb_kwargs={"n": 1}, flags=["x"]),
        Request(f"http://{HOST}/a", SPIDER.parse, headers={"X": "y"}, meta={"n": [1, None], "playwright": True}),
        FormRequest(f"http://{HOST}/f", formdata={"a": "b"}),
        JsonRequest(f"http://{HOST}/j", data={"a": 1}),
        Special(f"http://{HOST}/s", priority=7),
    ],
)
def test_a_request_comes_back_as_it_was_saved(request_: Request) -> None:
    again = taken(saved_form(request_, SPIDER))
    assert type(again) is type(request_)
    assert again.to_dict(spider=SPIDER) == request_.to_dict(spider=SPIDER)


@pytest.mark.parametrize(
    "values",
    [
        {"callback": "crawler"},
        {"callback": "found"},
        {"callback": "_set_crawler"},
        {"callback": "from_crawler"},
        {"callback": "__init__"},
        {"callback": "__class__"},
        {"callback": "log"},
        {"errback": "close"},
        {"errback": "start"},
        {"callback": ["looked_at"]},
        {"_class": "subprocess.Popen"},
        {"_class": "planted_module.Request"},
        {"_class": "focused.live.own_requests.OwnRequests"},
        {"_class": "Request"},
        {"_class": 7},
        {"url": "file:///etc/passwd"},
        {"url": "http://other.example/x"},
        {"url": "data:text/html,x"},
        {"url": None},
        {"meta": {"playwright_page_init_callback": "os.abort"}},
        {"meta": {"playwright_page_event_handlers": {"dialog": "_set_crawler"}}},
        {"meta": 7},
        {"priority": "high"},
    ],
)
def test_what_a_planted_row_names_is_not_called(
    values: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "planted_module.py").write_text("from scrapy import Request")
    monkeypatch.syspath_prepend(tmp_path)
    assert taken(planted()) is not None
    assert taken(planted(**values)) is None
    assert "A saved request cannot be rebuilt" in caplog.text
    assert "planted_module" not in sys.modules


@pytest.mark.parametrize("saved", ["", "{", "[]", "null", '"text"', "[" * 100_000, 7, b"\xff", '{"url": 5}'])
def test_a_damaged_row_is_fetched_as_a_page(saved: Any, caplog: pytest.LogCaptureFixture) -> None:
    assert taken(saved) is None
    assert "A saved request cannot be rebuilt" in caplog.text


def test_a_request_whose_meta_names_code_is_not_saved(caplog: pytest.LogCaptureFixture) -> None:
    request = Request(f"http://{HOST}/", meta={"playwright_page_init_callback": "mine.look"})
    assert saved_form(request, SPIDER) is None
    assert "cannot be saved (meta names code: playwright_page_init_callback)" in caplog.text


def test_what_a_page_is_asked_for_comes_back_as_it_was_saved() -> None:
    page = pytest.importorskip("scrapy_playwright.page")
    methods = [page.PageMethod("click", "#more", timeout=5), page.PageMethod("evaluate", "x => x", [1, None])]
    request = Request(f"http://{HOST}/", meta={"playwright": True, "playwright_page_methods": methods})
    again = taken(saved_form(request, SPIDER))
    assert again is not None
    assert [vars(method) for method in again.meta["playwright_page_methods"]] == [vars(method) for method in methods]
    assert request.meta["playwright_page_methods"] is methods


@pytest.mark.parametrize(
    "methods", [7, "click", [7], [{}], [{"method": "click"}], [{"method": "x", "args": 7, "kwargs": []}]]
)
def test_planted_page_methods_are_none(methods: Any, caplog: pytest.LogCaptureFixture) -> None:
    pytest.importorskip("scrapy_playwright.page")
    assert taken(planted(meta={"playwright_page_methods": methods})) is None
    assert "A saved request cannot be rebuilt" in caplog.text


def test_code_that_a_page_is_to_be_given_to_is_not_saved(caplog: pytest.LogCaptureFixture) -> None:
    page = pytest.importorskip("scrapy_playwright.page")
    request = Request(f"http://{HOST}/", meta={"playwright_page_methods": [page.PageMethod(print)]})
    assert saved_form(request, SPIDER) is None
    assert "cannot be saved" in caplog.text
