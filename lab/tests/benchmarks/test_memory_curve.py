"""Memory of long crawls: what parts hold is counted once, samples are written as they come, and the table tells the growth."""

from __future__ import annotations

import csv

import numpy as np
import pytest

from lab.benchmarks import memory_curve
from lab.benchmarks.memory_curve import PARTS, main, parts_of, table_of
from lab.benchmarks.pulse import Sample, options_of_pulse, read_pulse
from lab.benchmarks.state_sizes import held

SMALL = "synthetic:pages=2000,topics=5"


def sample(pages: int, resident: float, urls_mb: float = 0.0) -> Sample:
    return Sample(0.0, pages, 10 * pages, 9 * pages, 5, resident, resident, 0.0, 0.0, 0, 0, urls_mb=urls_mb)


def run(monkeypatch, folder, *arguments):
    monkeypatch.setattr("sys.argv", ["memory_curve", *arguments, "--web", SMALL, "--out", str(folder)])
    main()


def read(path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text().splitlines()))


def test_a_simulated_crawl_is_sampled_and_drawn(monkeypatch, tmp_path, capsys):
    run(monkeypatch, tmp_path, "simulated", "--pages", "80", "--strategy", "breadth_first")
    rows = read(tmp_path / "memory-simulated.csv")
    assert [int(row["pages"]) for row in rows] == list(range(2, 81, 2))
    assert all(float(row["urls_mb"]) > 0 for row in rows)
    assert {path.suffix for path in tmp_path.iterdir()} == {".csv", ".png", ".svg"}
    assert "resident" in capsys.readouterr().out


def test_a_live_crawl_is_sampled_from_inside(monkeypatch, tmp_path, capsys):
    run(monkeypatch, tmp_path, "live", "--pages", "40", "--strategy", "breadth_first")
    last = read(tmp_path / "memory-live.csv")[-1]
    assert int(float(last["pages"])) == 40
    assert float(last["peak"]) >= float(last["resident"]) > 20
    assert 0 < float(last["block_cpu"]) < 60
    assert "From page" in capsys.readouterr().out


def test_a_crawl_that_fetched_nothing_is_told_in_one_line(monkeypatch, tmp_path):
    monkeypatch.setitem(memory_curve.KINDS, "live", lambda *_: [])
    with pytest.raises(SystemExit, match="the crawl ended after 0 pages"):
        run(monkeypatch, tmp_path, "live")


def test_the_table_says_what_grew_beside_the_parts():
    lines = list(table_of([sample(10, 100, 1), sample(20, 110, 2), sample(30, 120), sample(40, 130, 7)]))
    assert len(lines) == 2 + 3 + 2
    assert lines[-1].startswith("From page 20 to 40: resident +20.0 MB, parts +5.0 MB, beside them +15.0 MB")


def test_samples_that_were_cut_short_end_the_pulse(tmp_path):
    path = tmp_path / "pulse.csv"
    names = list(Sample.__dataclass_fields__)
    whole = ",".join(["1"] * len(names))
    path.write_text("\n".join([",".join(names), whole, whole, "1,2,3"]))
    assert [one.pages for one in read_pulse(path)] == [1, 1]
    assert read_pulse(tmp_path / "none.csv") == []
    assert "Pulse" in str(options_of_pulse(path)["ADDONS"])


def test_each_object_counts_once():
    array, seen = np.zeros(10_000), set[int]()
    assert 80_000 < held([[array, array]], seen) < 81_000
    assert held([[array]], seen) < 200
    assert held([{number: number for number in range(1000, 1100)}], set()) > 100 * 56


def test_parts_are_those_of_a_sample():
    assert set(PARTS) <= set(Sample.__dataclass_fields__)
    assert parts_of(sample(1, 5, 2.5)) == 2.5
