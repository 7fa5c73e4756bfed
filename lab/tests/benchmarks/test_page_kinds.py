"""The labelled kinds of pages, and the comparison of rules and models on them."""

from __future__ import annotations

from dataclasses import replace
from itertools import cycle, islice

import numpy as np
import pytest

from focused.exceptions import EvaluationError
from focused.page.page import Page
from focused.page.page_kind import KINDS
from focused.page.reader import Reader, ReadingOptions
from lab.benchmarks.page_kinds import (
    CONTENT,
    LABELS,
    Labelled,
    Read,
    by_models,
    drawn_weights,
    features,
    labelled_pages,
    read_pages,
    report,
    scores,
)

WORDS = (
    "balsa",
    "wood",
    "grows",
    "light",
    "forest",
    "river",
    "boats",
    "planes",
    "rotor",
    "blades",
    "glue",
    "paper",
    "kites",
)


def read(number: int, kind: str) -> Read:
    """A page of a site of its own: a text, or a list of links."""
    url = f"http://site{number}.example/"
    text = " ".join(islice(cycle(WORDS), 40 + number))
    body = f"<p>{text}" if kind == CONTENT else "".join(f"<li><a href=/{n}>{n} wood</a>" for n in range(9))
    page = Reader(ReadingOptions()).read(url, body.encode(), "text/html")
    assert isinstance(page, Page)
    own = sum(words for _, words in page.own)
    return Read(Labelled("docs", url, kind, "", 1.0 + number % 3), page, own, features(url, page))


PAGES = [read(number, kind) for number, kind in zip(range(60), cycle((CONTENT, "index", "listing")), strict=False)]


def test_each_labelled_page_has_one_known_kind_and_a_weight() -> None:
    labels = labelled_pages()
    assert len({label.url for label in labels}) == len(labels) == 502
    assert {label.kind for label in labels} == {CONTENT, *KINDS} and min(label.weight for label in labels) >= 1
    assert sum(bool(label.again) for label in labels) == 60 and LABELS.stat().st_size < 200_000


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("http://www.cs.cornell.edu/a", "cornell.edu"),
        ("http://lxml.de/", "lxml.de"),
        ("http://six.readthedocs.io/", "six.readthedocs.io"),
    ],
)
def test_what_one_publisher_has_is_a_site(url: str, site: str) -> None:
    assert replace(PAGES[0].label, url=url).site == site


def test_pages_count_by_their_weights() -> None:
    due, said = np.array([True, True, False]), np.array([True, False, True])
    assert scores(due, said, np.array([3.0, 1.0, 1.0])) == pytest.approx([3 / 4, 3 / 4, 3 / 4])


def test_draws_take_whole_sites() -> None:
    same = [replace(PAGES[0], label=replace(PAGES[0].label, url=f"http://a.example/{n}")) for n in range(3)]
    assert all(len(set(drawn)) == 1 for drawn in drawn_weights(same))


def test_models_learn_what_is_content_and_what_is_not() -> None:
    for name, kinds in by_models(PAGES[:30], PAGES[30:]):
        assert [kind == CONTENT for kind in kinds] == [one.label.kind == CONTENT for one in PAGES[30:]], name


def test_rules_and_models_stand_in_one_table() -> None:
    lines = list(report(PAGES))
    assert sum(line.startswith(("| rules | 1.000", "| logistic regression", "| boosted trees")) for line in lines) == 3


def test_a_web_without_the_pages_is_named() -> None:
    with pytest.raises(EvaluationError, match="demo: none of the labelled pages"):
        read_pages(labelled_pages(), ["demo"])
