"""Held-out sites are counted among the first that a crawl of the demo web ranks."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from focused import strategies
from focused.simulation.labels import Judgements
from focused.topic.topic_file import load_topic
from lab.benchmarks.companies import FIGURES, FIRST, ORDERS, main
from lab.topics.labelled_topics import LabelledTopic, write_topics

TARGETS = (
    "http://greenpower.example/solar/388.html",
    "http://daily-news.example/2024/892.html",
    "http://sunpower.example/",
    "http://panelforum.example/thread/236",
    "http://rooftop.example/",
)


@pytest.mark.slow
def test_sites_are_held_out_and_found_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    demo = load_topic("demo", strategies)
    topic = LabelledTopic(
        keywords=tuple(demo.keywords),
        seeds=("https://heliopedia.example/wiki/efficient-solar-cells-for-electricians",),
        judgements=Judgements("sun", frozenset(TARGETS)),
        description="",
        origin={},
    )
    write_topics([topic], tmp_path / "topics")
    options = ["--topics", str(tmp_path / "topics"), "--pages", "60", "--fewest", "5", "--draws", "1"]
    monkeypatch.setattr(sys, "argv", ["companies", "demo", *options, "--out", str(tmp_path / "out")])
    main()
    (found,) = json.loads((tmp_path / "out" / FIGURES).read_text())
    assert len(found["seeds"]) == 3
    assert found["held_out"] == 2
    assert found["met"] >= 1
    assert found["first"].keys() == ORDERS.keys()
    assert all(0 <= first <= later <= 2 for first, later in found["first"].values())
    assert found["first"]["the rating"][1] == found["met"]
    told = capsys.readouterr().out
    assert "1 crawls of 1 topics" in told
    assert f"| first {FIRST[0]} |" in told
