"""The contract of every strategy: those of focused and its wings pass `check_strategy`, and so do the yardsticks, and what follows.

Formulas are tested one by one in `tests/strategies`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from focused.crawl.strategy import Changes, Strategy
from focused.crawl.world import World
from focused.page.page import Page
from focused.strategies.best_first import BestFirst
from focused.testing import check_strategy
from focused.testing.strategy_contract import CHECKS, assert_sound, page_of_links, walk
from focused.testing.toy_world import KEYWORDS, Visits, make_page
from lab.crawlers.yardstick import Yardstick
from tests.contract.crawlers import NAMES, answers_of, crawler, digest_of, world_for

ROOT = Path(__file__).parents[2]

words = st.sampled_from([*KEYWORDS, "tax", "law", "рынок"])
urls = st.integers(0, 30).map(lambda number: f"http://host{number % 5}.example/{number}")
paragraphs = st.tuples(st.lists(words, max_size=8).map(" ".join), st.lists(urls, max_size=4))
random_pages = st.builds(lambda url, texts: make_page(url, *texts), urls, st.lists(paragraphs, max_size=5))


@pytest.fixture(params=NAMES)
def name(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


@pytest.fixture
def strategy(name: str) -> type[Strategy]:
    return crawler(name)


@pytest.fixture(scope="module")
def answers_of_another_process() -> dict[str, str]:
    """What all strategies answer, in short, in a process that hashes strings differently."""
    script = (
        "import json; from tests.contract.crawlers import NAMES, answers_of, digest_of; "
        "print(json.dumps({name: digest_of(answers_of(name)) for name in NAMES}))"
    )
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    command = [sys.executable, "-c", script]
    found: dict[str, str] = json.loads(
        subprocess.check_output(command, cwd=ROOT, env=os.environ | {"PYTHONHASHSEED": seed})
    )
    return found


def begin(strategy: type[Strategy], **world: Any) -> Strategy:
    """A new strategy with its default options."""
    return strategy(strategy.Options(), world_for(strategy, **world))


def instructions(call: Callable[[], object]) -> int:
    """Number of Python instructions that a call executes: what it costs, the same on every machine."""
    executed = 0

    def trace(frame: FrameType, event: str, _: object) -> Any:
        nonlocal executed
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        executed += event == "opcode"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(before)
    return executed


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_it_keeps_the_contract(strategy: type[Strategy], check: Callable[..., None]) -> None:
    check(lambda **known: begin(strategy, **known))


def test_its_name_is_that_of_its_file(strategy: type[Strategy]) -> None:
    of_ours = ("focused.strategies.", "focused.papers.strategies.")
    assert strategy.__module__.startswith("lab.crawlers.yardsticks" if issubclass(strategy, Yardstick) else of_ours)
    assert strategy.__module__.rpartition(".")[2] == strategy.name


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pages=st.lists(random_pages, max_size=6, unique_by=lambda page: page.url))
def test_any_pages_get_sound_answers(strategy: type[Strategy], pages: list[Page]) -> None:
    for changes in walk(begin(strategy), pages, Visits()):
        assert_sound(changes, len(strategy.parts))


def test_six_times_the_links_cost_at_most_about_six_times_as_much(strategy: type[Strategy]) -> None:
    def cost(links: int) -> int:
        crawling, visits = begin(strategy), Visits()
        visit = visits.of(page_of_links(links))
        visits.show(crawling.world)
        return instructions(lambda: crawling.visited(visit))

    assert cost(1200) <= 7 * cost(200)


def test_another_process_gives_the_same_answers(name: str, answers_of_another_process: dict[str, str]) -> None:
    assert digest_of(answers_of(name)) == answers_of_another_process[name]


class Forgetful(BestFirst):
    """A strategy of somebody who keeps a count of pages and no state.

    Source: none.

    pages: seen so far
    """

    name = "forgetful"
    parts = ("pages",)
    pages = 0

    def visited(self, visit: Any) -> Changes:
        self.pages += 1
        count = len(visit.targets)
        return Changes(visit.targets, np.full(count, 1 / self.pages), np.full((count, 1), float(self.pages)))


def test_a_strategy_of_ones_own_is_told_what_it_breaks() -> None:
    with pytest.raises(AssertionError, match="Forgetful: A restored strategy goes on as if nothing had happened"):
        check_strategy(Forgetful)


def test_a_good_strategy_passes_in_the_world_that_it_needs() -> None:
    def world(**known: Any) -> World:
        return world_for(BestFirst, **known)

    check_strategy(BestFirst, world)
