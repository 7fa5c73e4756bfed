"""Which pages are exported."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.export.collections import change, export, history


def chosen(data: Path, tmp_path: Path, *options: str) -> list[int]:
    """Events of the pages that an export with these options holds; none where it says that no page is left."""
    target = tmp_path / "chosen.jsonl"
    target.unlink(missing_ok=True)
    code = export(data, "test", target, "--fields", "seq", *options)
    assert (code == 0) is target.exists()
    return [json.loads(line)["seq"] for line in target.read_text().splitlines()] if code == 0 else []


def seqs(data: Path, condition: str) -> list[int]:
    return [seq for (seq,) in history(data, "seq", condition)]


THIRD = "(SELECT seq FROM fetches WHERE outcome = 'page' ORDER BY seq LIMIT 1 OFFSET 2)"


@pytest.mark.parametrize(
    ("options", "condition"),
    [
        (["--relevant"], "relevant = 1"),
        (["--min", "0.2"], "relevance >= 0.2"),
        (["--host", "host1.example,host3.example"], "final_url LIKE '%host1.%' OR final_url LIKE '%host3.%'"),
        (["--host", "HOST1.example", "--relevant"], "final_url LIKE '%host1.%' AND relevant"),
        (["--host", "example"], "1"),
        (["--host", "ost1.example"], "0"),
        (["--host", "h_st1.example"], "0"),
    ],
)
def test_each_option_leaves_pages_out(finished: Path, tmp_path: Path, options: list[str], condition: str) -> None:
    assert chosen(finished, tmp_path, *options) == seqs(finished, condition)


def test_a_language_is_the_one_that_is_known(data: Path, tmp_path: Path) -> None:
    change(data, f"UPDATE fetches SET language = 'de' WHERE seq = {THIRD}")
    assert chosen(data, tmp_path, "--lang", "DE,fr") == seqs(data, "language = 'de'")
    assert len(seqs(data, "language = 'de'")) == 1


def test_since_is_a_date_in_utc_or_a_time_in_any_zone(data: Path, tmp_path: Path) -> None:
    change(data, "UPDATE fetches SET time = '2026-10-31T23:59:59.999+00:00' WHERE outcome = 'page'")
    change(data, f"UPDATE fetches SET time = '2026-11-01T00:00:00.000+00:00' WHERE seq >= {THIRD}")
    late = seqs(data, "fetched >= '2026-11'")
    assert chosen(data, tmp_path, "--since", "2026-11-01") == late
    assert chosen(data, tmp_path, "--since", "2026-11-01T01:00+01:00") == late
    assert len(chosen(data, tmp_path, "--since", "2026-10-31")) == len(late) + 2


@pytest.mark.parametrize(
    ("column", "value", "is_copy"),
    [("verdict", "exact copy", True), ("verdict", "near copy", True), ("verdict", "copied text", True),
     ("duplicate_of", 0, True), ("verdict", "nothing new", False), ("verdict", "soft 404", False)],
)  # fmt: skip
def test_dedupe_leaves_copies_out_and_nothing_else(
    data: Path, tmp_path: Path, column: str, value: Any, is_copy: bool
) -> None:
    everything = seqs(data, "1")
    change(data, f"UPDATE fetches SET {column} = ? WHERE seq = {THIRD}", value)
    left = chosen(data, tmp_path, "--dedupe")
    assert left == [seq for seq in everything if seq != everything[2]] if is_copy else left == everything


def test_noindex_is_honoured_where_a_person_asks_for_it(data: Path, tmp_path: Path) -> None:
    change(data, f"UPDATE fetches SET noindex = 1 WHERE seq = {THIRD}")
    assert len(chosen(data, tmp_path)) == 40
    assert chosen(data, tmp_path, "--honour-noindex") == seqs(data, "noindex = 0")


def test_a_sample_is_drawn_from_what_the_other_options_leave_and_again_the_same(finished: Path, tmp_path: Path) -> None:
    relevant = seqs(finished, "relevant")
    drawn = chosen(finished, tmp_path, "--relevant", "--sample", "7", "--seed", "3")
    assert len(drawn) == 7
    assert drawn == sorted(drawn)
    assert set(drawn) < set(relevant)
    assert drawn == chosen(finished, tmp_path, "--relevant", "--sample", "7", "--seed", "3")
    assert drawn != chosen(finished, tmp_path, "--relevant", "--sample", "7", "--seed", "4")
    assert chosen(finished, tmp_path, "--relevant", "--sample", "1000") == relevant


def test_the_best_are_the_most_relevant_of_what_the_other_options_leave(finished: Path, tmp_path: Path) -> None:
    rows = history(finished, "seq, relevance", "final_url LIKE '%host1.%'")
    best = sorted(sorted(rows, key=lambda row: (-row[1], row[0]))[:3])
    assert chosen(finished, tmp_path, "--host", "host1.example", "--best", "3") == [seq for seq, _ in best]
    assert len(rows) > 3
