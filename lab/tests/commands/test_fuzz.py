"""The command `python -m lab fuzz`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.crawls.crawling import Ended, end, scrapy


def fuzz(*arguments: str, folder: Path) -> Ended:
    return end(scrapy("fuzz", *arguments, env={"SCRAPY_PROJECT": "lab"}, cwd=folder))


def test_it_tells_how_many_cases_were_tried_and_what_was_found(tmp_path: Path) -> None:
    (tmp_path / "urls").mkdir()
    (tmp_path / "urls" / "running").write_bytes(b"http://h/")
    ended = fuzz("urls", "robots", "--minutes", "0.01", "--out", str(tmp_path), folder=Path.cwd())
    assert (ended.code, ended.plain) == (1, True), ended.log
    assert "urls: " in ended.output
    assert "1 findings" in ended.output
    assert "robots: " in ended.output
    assert "ended the process that tried it" in ended.output


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("url",), "fuzz: url: unknown; did you mean urls?"),
        (("urls", "--minutes", "0"), "fuzz: --minutes 0: give a time, such as 60"),
        (("urls", "--out", "/dev/null/x"), "findings cannot be kept"),
    ],
)
def test_a_mistake_is_one_line(arguments: tuple[str, ...], line: str) -> None:
    ended = fuzz(*arguments, folder=Path.cwd())
    assert (ended.code, ended.plain) == (1, True)
    assert line in ended.log
