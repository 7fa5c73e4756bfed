"""Whether two versions of the code crawl alike is seen from the crawls of two experiments."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from lab.benchmarks import same_picks
from lab.experiment.crawl_record import CrawlRecord, write_record


def keep(folder: Path, name: str, *urls: str) -> None:
    record = CrawlRecord(name, "wind", 1, list(urls), {}, 1.0, 0, 0, 0, 0, "page budget reached")
    write_record(record, folder / "crawls" / "wind" / f"{name}-1.{folder.name}.json.gz")


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    before, after = tmp_path / "before", tmp_path / "after"
    keep(before, "dom", "a", "b", "c")
    keep(after, "dom", "a", "b", "c")
    return before, after


def compared(folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> object:
    monkeypatch.setattr(sys, "argv", ["same_picks", *map(str, folders)])
    with pytest.raises(SystemExit) as end:
        same_picks.main()
    return end.value.code


def test_equal_crawls_are_told_as_such(
    folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert compared(folders, monkeypatch) == 0
    assert capsys.readouterr().out.splitlines()[1].split() == ["wind", "dom-1", "3", "the", "same"]


@pytest.mark.parametrize(
    ("urls", "told"),
    [("axc", "differ from page 2 on"), ("ab", "differ from page 3 on"), ("abcd", "differ from page 4 on")],
)
def test_the_first_page_that_differs_is_named(
    urls: str,
    told: str,
    folders: tuple[Path, Path],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for folder, pages in zip(folders, ("abc", urls), strict=True):
        keep(folder, "adaptive", *pages)
    assert compared(folders, monkeypatch) == "1 of 2 crawls differ"
    assert told in capsys.readouterr().out
