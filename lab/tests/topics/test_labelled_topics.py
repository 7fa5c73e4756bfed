"""Topics with labels: what a crawler may read lies apart from what it is judged by."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from focused import strategies
from focused.exceptions import EvaluationError, FocusedError
from focused.simulation.labelled_files import labelled_files
from focused.simulation.labels import Judgements, Labels, read_labels
from focused.topic.topic_file import load_topic
from lab.tests.small_comparison import ONE, TWO
from lab.topics.labelled_topics import LabelledTopic, write_topics

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


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    origin = {"university": "texas", "split": "report"}
    write_topics([ONE, replace(TWO, origin=origin)], tmp_path)
    return tmp_path


def names(*given: Path) -> list[str]:
    return [labelled.topic.name for labelled in labelled_files([str(path) for path in given])]


def test_files_folders_and_patterns_are_taken_each_topic_once(folder: Path) -> None:
    assert names(folder) == ["one", "two"]
    assert names(folder / "t*.toml", folder / "one.toml", folder) == ["two", "one"]
    assert names(folder / "t*") == ["two"]


def test_mistakes_are_told_in_one_line(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    write_topics([ONE], other)
    (other / "three.toml").write_text((other / "one.toml").read_text())
    cases = {
        (folder / "nowhere",): "nowhere: no topic with labels there",
        (folder / "one.labels.json",): "no topic with labels there",
        (folder, other / "one.toml"): "two topics are called one",
        (other / "three.toml",): "three.toml: three.labels.json is missing beside it",
    }
    for given, told in cases.items():
        with pytest.raises(FocusedError, match=told) as error:
            names(*given)
        assert len(str(error.value).splitlines()) == 1
