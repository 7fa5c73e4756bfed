"""`python -m lab calibrate`, run in this process on the demo web."""

from __future__ import annotations

import csv
import json
from importlib import resources

import pytest
from scrapy.exceptions import UsageError

from lab.commands.calibrate import Command
from tests.commands.running import run_command

DEMO = resources.files("focused").joinpath("topics/demo.toml")


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


@pytest.mark.parametrize("topic", ["demo", "{path}"])
def test_labels_of_another_topic_are_refused_before_the_crawl(data, tmp_path, capsys, topic):
    (tmp_path / "other.labels.json").write_text('{"topic": "other", "targets": ["http://a.example/"]}')
    named = topic.format(path=DEMO)
    assert simulate(data, "-a", f"topic={named}", "--labels", str(tmp_path / "other.labels.json"), "demo") == 1
    told = capsys.readouterr()
    assert "labels of topic other; the crawl is of demo" in told.err
    assert "Simulated" not in told.out


def test_a_topic_given_by_its_path_has_the_labels_of_its_name(data, tmp_path, capsys):
    mine = tmp_path / "demo.toml"
    mine.write_text(DEMO.read_text(encoding="utf-8"))
    (tmp_path / "demo.labels.json").write_text('{"topic": "demo", "targets": ["http://not-recorded.example/"]}')
    assert simulate(data, "-a", f"topic={mine}", "--labels", str(tmp_path / "demo.labels.json"), "demo") == 0
    assert "labels of demo" in capsys.readouterr().out


def test_labels_are_needed_and_read_before_the_crawl(data, capsys):
    with pytest.raises(UsageError, match="give --labels"):
        simulate(data, "demo")
    assert simulate(data, "--labels", "nowhere.labels.json", "demo") == 1
    assert "nowhere.labels.json: cannot be read" in capsys.readouterr().err
