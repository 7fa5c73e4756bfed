"""Topics with labels: what the crawler's file says, what only the label file says, and what links lead to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from focused import strategies
from focused.exceptions import EvaluationError
from focused.simulation.labels import Judgements, Labels, read_labels
from focused.topic.topic_file import load_topic
from lab.topics.labelled_topics import LabelledTopic, reachable, write_topics

FOUND = Judgements("owls-near", frozenset({"http://a.example/1", "http://a.example/2"}), reachable=frozenset())
TOPIC = LabelledTopic(
    keywords=("owls", 'the "great" ones'),
    seeds=("http://a.example/s",),
    judgements=FOUND,
    description="Owl. A bird of the night.",
    origin={"category": "subject.Birds", "train on": ["texas"]},
)


def test_the_topic_file_is_one_as_for_the_live_web(tmp_path: Path) -> None:
    write_topics([TOPIC], tmp_path / "new")
    topic = load_topic("owls-near", strategies, topics_dir=tmp_path / "new")
    assert (topic.keywords, topic.seeds) == (TOPIC.keywords, TOPIC.seeds)
    assert (topic.budget.pages, topic.reading.fold_index) == (0, False)


def test_nothing_that_a_crawl_is_judged_by_is_in_the_topic_file() -> None:
    text = TOPIC.topic_file()
    for secret in (*FOUND.targets, TOPIC.description, "subject.Birds", "texas"):
        assert secret not in text
        assert secret in TOPIC.label_file()


def test_labels_are_read_as_they_were_written(tmp_path: Path) -> None:
    write_topics([TOPIC], tmp_path)
    assert read_labels(tmp_path / "owls-near.labels.json") == Labels(FOUND, TOPIC.description, TOPIC.origin)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "not JSON"),
        ("[]", "not a label file: 'topic' must name one"),
        ('{"topic": 3}', "not a label file"),
        ('{"topic": "owls"}', "'targets' is empty"),
        ('{"topic": "owls", "targets": "http://a.example/"}', "'targets' must be a list of URLs"),
        ('{"topic": "owls", "targets": [1]}', "'targets' must be a list of URLs"),
        ('{"topic": "owls", "targets": ["http://a.example/"], "origin": "Texas"}', "'origin' must be a table"),
    ],
)
def test_a_damaged_label_file_is_told_with_its_name(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "owls.labels.json"
    file.write_text(text)
    with pytest.raises(EvaluationError, match=f"owls.labels.json: {told}"):
        read_labels(file)


def test_what_the_seeds_do_not_lead_to_is_not_reachable() -> None:
    links = {"a": ["b", "a"], "b": ["c", "b"], "c": ["a"], "d": ["a"]}
    assert reachable(["a"], links.__getitem__) == {"a", "b", "c"}
    assert reachable([], links.__getitem__) == set()


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "owls-near.toml").mkdir()
    with pytest.raises(EvaluationError, match=r"owls-near\.toml: cannot be written: Is a directory"):
        write_topics([TOPIC], tmp_path)


def test_labels_that_nobody_knows_are_written_as_unknown() -> None:
    unknown = LabelledTopic((), (), Judgements("owls", frozenset({"http://a.example/"})), "", {})
    assert json.loads(unknown.label_file())["reachable"] is None
