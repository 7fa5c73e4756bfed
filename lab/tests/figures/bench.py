"""A bench for figures on a made-up Wikispeedia: thirty articles on birds in a ring, and a page that links to all of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lab.figures import figure
from lab.figures.figure import Bench
from tests.small_topics import LEAD, MEMBERS
from tests.small_wikispeedia import Entry, write_wikispeedia

BIRDS, FISH = "subject.Science.Biology.Birds", "subject.Science.Biology.Fish"
LIST, COPIES = "List_of_birds", "Copy_of_the_birds"
HUB, COPY = "http://list-of-birds.example/", "http://copy-of-the-birds.example/"
PAGES = 20


def write_data(folder: Path) -> Path:
    """Two topics. A list links to all birds; so does a copy of all their texts; nothing links to two fish."""
    birds = [f"Bird_{n:02}" for n in range(MEMBERS)]
    fish = [f"Fish_{n:02}" for n in range(MEMBERS)]
    entries = {name: Entry(LEAD, [BIRDS], [birds[n - 1]]) for n, name in enumerate(birds)}
    entries |= {name: Entry("   A fish swims.", [FISH], [fish[n - 1]]) for n, name in enumerate(fish)}
    entries[LIST] = Entry("   All there are, of many a feather, in the order of the alphabet.", (), birds)
    entries[COPIES] = Entry("\n".join([LEAD] * MEMBERS), (), birds)
    return write_wikispeedia(folder, entries)


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    monkeypatch.setattr(figure, "report", lambda: (BIRDS, "never taken: every second is", FISH))
    monkeypatch.setattr(figure, "PAGES", PAGES)
    webs = {"wikispeedia": write_data(tmp_path)}
    return Bench(webs, tmp_path / "out", tmp_path / "cache", processes=1, interval=60)


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the pictures that a figure draws; drawing itself takes its time, and has tests of its own."""
    names: list[str] = []

    def save(path: Path, *fills: Callable[[Any], None], columns: int = 1) -> None:
        assert fills
        assert columns
        names.append(path.name)

    monkeypatch.setattr(figure, "save_picture", save)
    return names
