"""`python -m lab calibrate`, run in this process on the demo web."""

from __future__ import annotations

import csv
import json

import pytest
from scrapy.exceptions import UsageError

from lab.commands.calibrate import Command
from tests.commands.running import run_command


def simulate(data, *arguments):
    return run_command(Command(), "-a", "topic=demo", "-a", "pages=60", *arguments, data_dir=data)


@pytest.fixture
def data(tmp_path):
    return tmp_path / "data"


def test_estimates_are_compared_with_labels_that_change_no_fetch(data, tmp_path, capsys):
    def order_with(*targets: str) -> tuple[list[dict[str, str]], str]:
        labels = tmp_path / "demo.labels.json"
        labels.write_text(json.dumps({"topic": "demo", "targets": targets}))
        options = ("--order", str(tmp_path / "order.csv"), "--labels", str(labels))
        assert simulate(data, "-a", "strategy=breadth_first", *options, "demo") == 0  # finds what is not relevant, too
        return list(csv.DictReader((tmp_path / "order.csv").read_text().splitlines())), capsys.readouterr().out

    rows, text = order_with("http://not-recorded.example/")
    assert "0.0% by labels" in text
    relevant = [row["url"] for row in rows if row["relevant"] == "True"]
    same, text = order_with(*relevant)
    assert same == rows
    assert "labels of demo" in text
    assert "relevant are  100.0% of the pages that the crawl calls relevant, 0.0% of the others" in text


def test_labels_are_needed_and_read_before_the_crawl(data, capsys):
    with pytest.raises(UsageError, match="give --labels"):
        simulate(data, "demo")
    assert simulate(data, "--labels", "nowhere.labels.json", "demo") == 1
    assert "nowhere.labels.json: cannot be read" in capsys.readouterr().err
