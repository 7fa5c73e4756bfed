"""The topics of WebKB: keywords of the paper, the department as seed, each university for itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.topics.labelled_topics import LabelledTopic
from lab.topics.webkb_topics import webkb_topics
from lab.webs.webkb import WebKB
from tests.small_topics import write_webkb
from tests.small_wikispeedia import full_data


@pytest.fixture
def topics(tmp_path: Path) -> dict[str, LabelledTopic]:
    return {topic.name: topic for topic in webkb_topics(WebKB(write_webkb(tmp_path)))}


def test_there_are_four_topics_at_each_of_four_universities(topics: dict[str, LabelledTopic]) -> None:
    assert len(topics) == 16
    assert topics["texas-faculty"].keywords[:3] == ("faculty", "university", "professor")
    assert topics["texas-faculty"].seeds == ("http://www.texas.example/",)
    assert topics["texas-faculty"].judgements.targets == {"http://www.texas.example/faculty/"}
    assert all(topic.fold_index for topic in topics.values())


def test_links_to_other_universities_lead_nowhere(topics: dict[str, LabelledTopic]) -> None:
    assert topics["texas-faculty"].judgements.reachable == {"http://www.texas.example/faculty/"}
    assert topics["texas-course"].judgements.reachable == set()
    assert topics["cornell-course"].judgements.reachable == {"http://www.cornell.example/course/"}


def test_a_university_is_left_out_of_what_its_crawls_may_learn_from(topics: dict[str, LabelledTopic]) -> None:
    assert topics["texas-course"].origin["train on"] == ["cornell", "washington", "wisconsin"]


def test_the_full_data_set_has_the_targets_of_the_paper() -> None:
    cornell = {topic.name: topic.judgements for topic in webkb_topics(WebKB(full_data("webkb")), ["cornell"])}
    counts = {name: (len(found.targets), len(found.reachable_targets)) for name, found in cornell.items()}
    assert counts == {
        "cornell-course": (44, 36),
        "cornell-faculty": (34, 34),
        "cornell-project": (20, 20),
        "cornell-student": (128, 128),
    }
