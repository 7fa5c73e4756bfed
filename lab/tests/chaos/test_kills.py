"""The harness of kills: it counts what a server saw, and a crawl that is killed keeps its promises."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from lab.chaos.kills import FILE, PROMISE, Kill, Web, run


def test_every_page_of_the_web_is_linked_from_its_first() -> None:
    web = Web(1, 100)
    found, waiting = set[str](), [web.url(0)]
    while waiting:
        url = waiting.pop()
        answer = web.answer(url)
        assert answer is not None
        if url in found or answer.status == 404:
            continue
        found.add(url)
        waiting += [part.split('"')[0] for part in answer.body.decode().split('href="')[1:]]
        waiting += [value for name, value in answer.headers if name == "Location"]
    assert set(web.urls()) <= found


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_three_kills_lose_nothing_and_cost_no_more_than_is_promised(tmp_path: Path) -> None:
    said: list[str] = []
    kills = run(3, tmp_path, said.append, size=150)
    assert len(kills) == len(said) == 3
    assert [kill.problem for kill in kills] == ["", "", ""]
    assert {kill.check for kill in kills} <= {"well", ""}
    assert max(kill.again for kill in kills) <= PROMISE
    with (tmp_path / FILE).open() as file:
        assert next(tuple(row) for row in csv.reader(file)) == Kill._fields
