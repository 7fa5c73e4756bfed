"""The file of one crawl: complete or not there, and told by its name when it is damaged."""

from __future__ import annotations

from pathlib import Path

import pytest

from focused.exceptions import StorageError
from lab.experiment.crawl_record import CrawlRecord, read_record, write_record

A, B = "http://a.example/", "http://a.example/b"
RECORD = CrawlRecord("dom", "solar", 2, [A, B], {B: A}, 0.25, 3, 1, 40, 30, "dead end", [0.5, 0.25])


def test_a_record_is_read_as_it_was_written_and_nothing_else_is_left(tmp_path: Path) -> None:
    path = tmp_path / "solar" / "dom-2.gz"
    write_record(RECORD, path)
    assert read_record(path) == RECORD
    assert list(path.parent.iterdir()) == [path]


def test_a_record_becomes_a_run_with_urls_as_the_judgements_spell_them() -> None:
    run = RECORD.run({A: "http://a.example/%7e"})
    assert run.urls == ["http://a.example/%7e", B]
    assert run.duplicates == {B: "http://a.example/%7e"}
    assert (run.strategy, run.topic, run.seed, run.cpu_seconds) == ("dom", "solar", 2, 0.25)


@pytest.mark.parametrize("data", [b"", b"\x1f\x8b\x08\x00", b"{}"])
def test_a_damaged_record_is_told(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "dom-2.gz"
    path.write_bytes(data)
    with pytest.raises(StorageError, match=r"dom-2\.gz: damaged \(.*\); delete it and compare again"):
        read_record(path)
