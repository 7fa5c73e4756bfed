"""What counts as a page of a log, while it grows."""

from __future__ import annotations

from pathlib import Path

import pytest

from focused.exceptions import EvaluationError
from focused.reading.urls import UrlRules
from lab.rivals.served import START, AccessLog

TIME = "2026-11-23T11:00:00.000+00:00"


def line(url: str, status: int = 200, method: str = "GET") -> str:
    return f"{TIME} {method} {url} {status} 12\n"


def log_of(tmp_path: Path, *lines: str, fold_index: bool = True) -> AccessLog:
    path = tmp_path / "access.log"
    path.write_text("".join(lines))
    return AccessLog(path, UrlRules(fold_index)).update()


def test_pages_are_answers_200_each_once_in_order(tmp_path: Path) -> None:
    asked = [line("http://b.example/2"), line("http://a.example/1"), line("http://b.example/2")]
    assert list(log_of(tmp_path, *asked).pages.values()) == ["http://b.example/2", "http://a.example/1"]


def test_failures_redirects_and_requests_for_headers_are_no_pages(tmp_path: Path) -> None:
    log = log_of(
        tmp_path,
        line("http://a.example/gone", 404),
        line("http://a.example/moved", 301),
        line("http://a.example/", method="HEAD"),
    )
    assert (log.pages, log.requests) == ({}, 3)


def test_two_spellings_of_a_url_are_one_page(tmp_path: Path) -> None:
    spelt = [line("http://a.example/x/index.html"), line("http://A.example/x/"), line("http://a.example/x/?utm_id=1")]
    assert list(log_of(tmp_path, *spelt).pages.values()) == ["http://a.example/x/"]


def test_the_page_of_links_to_the_seeds_is_no_page(tmp_path: Path) -> None:
    log = log_of(tmp_path, line(START), line("http://a.example/"))
    assert (list(log.pages.values()), log.requests) == (["http://a.example/"], 1)


def test_a_growing_log_is_read_on_and_a_half_written_line_waits(tmp_path: Path) -> None:
    log = log_of(tmp_path, line("http://a.example/1"), line("http://a.example/22")[:-8])
    assert list(log.pages.values()) == ["http://a.example/1"]
    log.path.write_text(line("http://a.example/1") + line("http://a.example/22"))
    assert list(log.update().pages.values()) == ["http://a.example/1", "http://a.example/22"]


def test_what_is_no_log_is_told(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match=r"access\.log: not a line of an access log: 'hello'"):
        log_of(tmp_path, "hello\n")


def test_urls_that_no_browser_could_read_do_no_harm(tmp_path: Path) -> None:
    log = log_of(tmp_path, line("http://[broken/"), line("http://a.example/\x85\x1c\xa0"))
    assert log.requests == 2
