"""The family of the agents: told as it was, within limits, also after a restart."""

import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from focused.collection.collection import open_to_read
from focused.live.session import Session
from focused.papers.strategies.info_spiders import MOST, NOBODY, TOLD, Family
from tests.small_web import crawl, topic_of


def test_a_child_is_told_with_its_parent_and_its_word() -> None:
    family = Family()
    family.born(0, NOBODY, 0, "")
    family.born(1, 0, 7, "roof")
    family.visited(1, hit=True)
    family.died([0], 9)
    assert family.told({1: 0.5}) == [
        {"number": 0, "parent": -1, "born": 0, "word": "", "died": 9, "pages": 0, "hits": 0, "energy": 0.0},
        {"number": 1, "parent": 0, "born": 7, "word": "roof", "died": -1, "pages": 1, "hits": 1, "energy": 0.5},
    ]


@given(st.lists(st.tuples(st.integers(0, 2_000), st.booleans()), max_size=2_000))
def test_however_many_there_are_it_stays_small_and_no_living_one_is_forgotten(births: list[tuple[int, bool]]) -> None:
    family, living = Family(), {0: 1.0}
    family.born(0, NOBODY, 0, "")
    for number, (parent, dies) in enumerate(births, 1):
        family.born(number, parent % number, number, "x" * 500)
        if dies or len(living) > 60:
            family.died([number], number)
        else:
            living[number] = 1.0 / number
    told = family.told(living)
    assert len(told) <= TOLD
    assert {one["number"] for one in told} <= set(range(len(births) + 1))
    assert all(one["parent"] < one["number"] for one in told)
    assert len(family.state()) <= 2 * MOST + 50 * len(living)
    assert len(json.dumps(told)) < 50_000


def test_a_crawl_that_goes_on_knows_it_still(tmp_path: Path) -> None:
    def told() -> dict[str, object]:
        store = open_to_read(tmp_path / "test")
        try:
            status = store.execute("SELECT status FROM runs ORDER BY id DESC LIMIT 1").fetchone()[0]
        finally:
            store.close()
        found: dict[str, object] = json.loads(status)["strategy"]
        return found

    topic = topic_of(strategy="info_spiders", strategy_options={"theta": 0.2})
    first = Session(topic, tmp_path / "test")
    crawl(first, 20)
    first.close()
    before = told()
    second = Session(topic, tmp_path / "test")
    second.close()
    assert told() == before
    assert len(before["agents"]) > 2  # type: ignore[arg-type]
