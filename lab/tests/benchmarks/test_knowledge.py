"""The benchmark of knowledge: which earlier crawls a topic is given, and what its table says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from focused.exceptions import FocusedError
from focused.simulation.labels import Judgements
from lab.benchmarks.knowledge import Figure, bed_of, csv_of, earlier_topics, table, tried
from lab.topics.labelled_topics import LabelledTopic
from tests.small_topics import write_webkb


def topic(name: str, **origin: str) -> LabelledTopic:
    return LabelledTopic((name,), (), Judgements(name, frozenset({"http://a.example/"})), "", origin)


WEBKB = [
    topic(f"{university}-{kind}", university=university, category=kind)
    for university in ("cornell", "texas", "wisconsin")
    for kind in ("course", "student")
]
WIKISPEEDIA = [topic(name, category=f"subject.{name.title()}") for name in ("art", "art.music", "science", "sport")]


@pytest.mark.parametrize(
    ("among", "related", "unrelated"),
    [
        (WEBKB, {"texas-course", "wisconsin-course"}, {"texas-student", "wisconsin-student"}),
        (WIKISPEEDIA, {"art.music"}, {"science", "sport"}),
    ],
)
def test_earlier_crawls_are_of_other_sites_or_topics_and_related_or_not(
    among: list[LabelledTopic], related: set[str], unrelated: set[str]
) -> None:
    assert set(earlier_topics(among[0], among, "related", 9)) == related
    assert set(earlier_topics(among[0], among, "unrelated", 9)) == unrelated
    one = earlier_topics(among[0], among, "unrelated", 1)
    assert len(one) == 1 and one == earlier_topics(among[0], among, "unrelated", 1)


def test_both_crawls_of_each_topic_are_compared(tmp_path: Path) -> None:
    bed = bed_of(write_webkb(tmp_path), tmp_path / "cache", split="development", layout="article", seeds="near")
    # No page of this web leads to a target: recall is counted as if one did.
    judged = [replace(one.judgements, reachable=one.judgements.targets) for one in bed.topics]
    topics = [replace(one, judgements=known) for one, known in zip(bed.topics, judged, strict=True)]
    found = list(tried(replace(bed, topics=topics), 8, 2))
    assert {figure.relation for figure in found} == {"related", "unrelated"}
    assert {(figure.earlier, figure.pages) for figure in found} == {(2, 2), (2, 4), (2, 8)}
    assert all(0.0 <= area <= 1.0 for figure in found for area in (figure.without, figure.with_it))
    assert len(csv_of(found).splitlines()) == 1 + len(found)


def test_the_table_tells_the_mean_difference_and_where_it_is_worse() -> None:
    figures = [
        Figure("bed", name, "related", 5, 50, *areas) for name, areas in {"a": (0.1, 0.3), "b": (0.2, 0.1)}.items()
    ]
    heading, row = table(figures)
    assert row[:6] == ["bed", "related", "2", "50", "0.150", "0.200"]
    assert row[6].startswith("+0.050 (") and row[7] == "1"
    assert len(heading) == len(row)


def test_other_data_are_told(tmp_path: Path) -> None:
    with pytest.raises(FocusedError, match="knowledge is tried on Wikispeedia and WebKB"):
        bed_of(tmp_path, tmp_path, split="report", layout="article", seeds="near")
