"""A person who looks first where the classifier disagrees mends mistakes sooner than one who looks anywhere."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from focused.reading.reader import Reader, ReadingOptions
from focused.simulation.recorded_web import Answer
from lab.benchmarks import taxonomy_corrections
from lab.benchmarks.taxonomy_corrections import classes_of, rounds, table

CLASSES = ("sun", "wind", "goal")
READER = Reader(ReadingOptions())


class Web:
    """Pages of three classes, whose words tell them apart."""

    hosts = frozenset({"a.example"})
    parts = ()

    def urls(self) -> Iterator[str]:
        return (f"http://a.example/{name}/{number}" for name in CLASSES for number in range(12))

    def class_of(self, url: str) -> tuple[str, ...] | None:
        return (url.split("/")[3],)

    def part_of(self, url: str) -> str | None:
        return None

    def answer(self, url: str) -> Answer | None:
        _, _, _, name, number = url.split("/")
        return Answer(200, (("Content-Type", "text/html"),), f"<p>{name} {name}ny number{number}".encode())


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = {"EXAMPLES": 8, "TESTED": 4, "WRONG": 0.125, "LOOK": 3, "ROUNDS": 1, "FOLDS": 3}
    for name, value in sizes.items():
        monkeypatch.setattr(taxonomy_corrections, name, value)


def test_the_first_pages_of_the_list_are_the_wrong_ones() -> None:
    (before, _), (after, accuracy) = rounds(Web(), classes_of(Web(), READER), READER, 0, at_random=False)
    assert (before, after, accuracy) == (3, 0, 1.0)


def test_the_table_has_a_row_for_each_round() -> None:
    lines = table(Web(), READER, 2).splitlines()
    assert [line.split("|")[1].strip() for line in lines[2:]] == ["0 of 24", "3 of 24"]
    first, at_random = (float(cell) for cell in lines[-1].split("|")[2:4])
    assert first < at_random
