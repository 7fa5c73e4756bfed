"""Topics of an experiment are found with their labels, and mistakes in either file are told."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from focused.exceptions import FocusedError
from focused.simulation.labels import Judgements
from lab.tests.small_comparison import ONE, TWO
from lab.topics.labelled_topics import labelled_files, write_topics


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


def test_a_topic_of_a_folder_without_labels_takes_no_part(folder: Path) -> None:
    (folder / "one.labels.json").unlink()
    assert names(folder) == ["two"]


def test_the_origin_says_which_part_of_the_web_is_meant(folder: Path) -> None:
    one, two = labelled_files([str(folder)])
    assert (one.part, one.split) == ({}, "")
    assert (two.part, two.split) == ({"university": "texas"}, "report")


def test_labels_are_named_as_a_crawl_names_its_pages(tmp_path: Path) -> None:
    written = Judgements("one", frozenset({"HTTP://www.one.example", "http://www.one.example/a?utm_source=b#c"}))
    write_topics([replace(ONE, judgements=written)], tmp_path)
    (found,) = labelled_files([str(tmp_path)])
    assert found.read().judgements.targets == {"http://www.one.example/", "http://www.one.example/a"}


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


@pytest.mark.parametrize(
    ("labels", "told"),
    [
        ({"topic": "two"}, "'topic' is 'two', not 'one' as the file's name"),
        ({"origin": {"university": ["texas"]}}, "'university' in 'origin' must be text"),
    ],
)
def test_labels_of_something_else_are_refused(folder: Path, labels: dict[str, object], told: str) -> None:
    file = folder / "one.labels.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | labels))
    with pytest.raises(FocusedError, match=f"one.labels.json: {told}"):
        names(folder)
