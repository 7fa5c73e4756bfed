"""The topics of WebKB: keywords of the paper, the department as seed, each university for itself."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from focused import strategies
from focused.exceptions import EvaluationError
from focused.topic.topic_file import load_topic
from lab.topics.labelled_topics import LabelledTopic, write_topics
from lab.topics.webkb_topics import webkb_topics
from lab.webs.webkb import WebKB
from tests.lab.small_topics import write_webkb


@pytest.fixture
def topics(tmp_path: Path) -> dict[str, LabelledTopic]:
    return {topic.name: topic for topic in webkb_topics(WebKB(write_webkb(tmp_path)))}


def test_there_are_four_topics_at_each_of_four_universities(topics: dict[str, LabelledTopic]) -> None:
    assert len(topics) == 16
    assert topics["texas-faculty"].keywords[:3] == ("faculty", "university", "professor")
    assert topics["texas-faculty"].seeds == ("http://www.texas.example/",)
    assert topics["texas-faculty"].judgements.targets == {"http://www.texas.example/faculty/"}


def test_links_to_other_universities_lead_nowhere(topics: dict[str, LabelledTopic]) -> None:
    assert topics["texas-faculty"].judgements.reachable == {"http://www.texas.example/faculty/"}
    assert topics["texas-course"].judgements.reachable == set()
    assert topics["cornell-course"].judgements.reachable == {"http://www.cornell.example/course/"}


def test_a_university_is_left_out_of_what_its_crawls_may_learn_from(topics: dict[str, LabelledTopic]) -> None:
    assert topics["texas-course"].origin["train on"] == ["cornell", "washington", "wisconsin"]


def test_the_description_is_made_of_titles_and_beginnings(topics: dict[str, LabelledTopic]) -> None:
    assert topics["texas-project"].description == "The project. Welcome to texas"


def test_a_crawl_is_told_neither_targets_nor_description(topics: dict[str, LabelledTopic], tmp_path: Path) -> None:
    write_topics(topics.values(), tmp_path)
    for name, made in topics.items():
        text = (tmp_path / f"{name}.toml").read_text()
        assert not any(secret in text for secret in (*made.judgements.targets, "Welcome"))
        topic = load_topic(name, strategies, topics_dir=tmp_path)
        assert (topic.keywords, topic.seeds, topic.reading.fold_index) == (made.keywords, made.seeds, True)


def test_an_incomplete_data_set_is_told(tmp_path: Path) -> None:
    folder = write_webkb(tmp_path)
    (folder / "student/texas/http:^^www.texas.example^student^").unlink()
    with pytest.raises(EvaluationError, match="texas: no page of category 'student'"):
        webkb_topics(WebKB(folder), ["texas"])
    (folder / "department/texas/http:^^www.texas.example^").unlink()
    with pytest.raises(EvaluationError, match="texas: no single department page"):
        webkb_topics(WebKB(folder), ["texas"])


def test_the_full_data_set_has_the_targets_of_the_paper() -> None:
    path = Path(os.environ.get("FOCUSED_DATASETS", "")) / "webkb.tar.xz"
    if "FOCUSED_DATASETS" not in os.environ or not path.exists():
        pytest.skip("FOCUSED_DATASETS names no folder with webkb.tar.xz")
    cornell = {topic.name: topic.judgements for topic in webkb_topics(WebKB(path), ["cornell"])}
    counts = {name: (len(found.targets), len(found.reachable_targets)) for name, found in cornell.items()}
    assert counts == {
        "cornell-course": (44, 36),
        "cornell-faculty": (34, 34),
        "cornell-project": (20, 20),
        "cornell-student": (128, 128),
    }
