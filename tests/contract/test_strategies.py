"""The contract of every strategy: whatever lies in `focused/strategies` must pass all of this, and so must the yardsticks.

A strategy may drop a link (its score is NaN) and may answer with links of other pages. It stands alone here, without a
crawl around it. Formulas are tested one by one in `tests/strategies`.
"""

from __future__ import annotations

import copy
import json
import os
import re
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

from focused.collection.snapshot import decode, encode
from focused.crawl.strategy import Changes, Seeds, Strategy, StrategyOptions, Visit
from focused.page.page import Page
from lab.crawlers.yardstick import Yardstick
from tests.contract.crawlers import NAMES, answers_of, crawler, digest_of, world_for
from tests.contract.world import KEYWORDS, Visits, arrive, hand_over, host_of, make_page, toy_web

ROOT = Path(__file__).parents[2]

EDGE_PAGES = {
    "empty": make_page("http://a.example/"),
    "no terms": make_page("http://a.example/", ("", ["http://host0.example/", "http://b.example/"])),
    "no links": make_page("http://a.example/", ("solar energy", [])),
    "unicode": make_page(
        "http://bücher.example/größe", ("größe 太阳能 ☀️ \u0000 العربية", ["http://例え.example/太阳能?ü=☀"])
    ),
    "one URL many times": make_page("http://a.example/", ("solar", ["http://host0.example/"] * 5)),
    "only itself": make_page("http://a.example/", ("solar", ["http://a.example/"])),
}

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


def restarted(crawling: Strategy, visits: Visits) -> Strategy:
    """The same strategy after a restart: in a new world that has got back what the crawl saves, its columns included."""
    world = crawling.world
    again = begin(type(crawling))
    again.world.seed_hosts, again.world.pages, again.world.picks = world.seed_hosts, world.pages, world.picks
    visits.show(again.world)
    hand_over(world, again.world)
    again.world.graph.restore(decode(encode(world.graph.snapshot())))
    again.restore(decode(encode(crawling.state())))
    return again


def start(crawling: Strategy, visits: Visits, *urls: str) -> Changes:
    seeds = Seeds(np.array([visits.id(url) for url in urls], np.int64), [host_of(url) for url in urls])
    visits.show(crawling.world)
    return crawling.start(seeds)


def walk(crawling: Strategy, pages: list[Page], visits: Visits) -> list[Changes]:
    return [arrive(crawling, visits.of(page), visits) for page in pages]


def assert_same(some: list[Changes], others: list[Changes]) -> None:
    for one, other in zip(some, others, strict=True):
        for name in ("ids", "scores", "parts"):
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


def assert_sound(changes: Changes, strategy: type[Strategy]) -> None:
    """Aligned, numbers only, and a score for whatever is not dropped."""
    count = len(changes.ids)
    assert changes.ids.shape == changes.scores.shape == (count,)
    assert changes.parts.shape == (count, len(strategy.parts))
    assert np.issubdtype(changes.ids.dtype, np.integer)
    assert not np.isinf(changes.scores).any()
    assert np.isfinite(changes.parts[~np.isnan(changes.scores)]).all()


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


class TestWhatItSaysOfItself:
    def test_its_name_is_that_of_its_file(self, strategy: type[Strategy]) -> None:
        package = "lab.crawlers.yardsticks" if issubclass(strategy, Yardstick) else "focused.strategies"
        assert strategy.__module__.startswith(package)
        assert strategy.__module__.rpartition(".")[2] == strategy.name

    def test_its_docstring_cites_a_source_and_explains_every_part(self, strategy: type[Strategy]) -> None:
        text = strategy.__doc__ or ""
        assert re.search(r"^ *Source: \S", text, re.MULTILINE)
        for part in strategy.parts:
            assert re.search(rf"^ +{part}: \S", text, re.MULTILINE), f"part {part!r} is not explained"

    def test_its_parts_have_different_names(self, strategy: type[Strategy]) -> None:
        assert len(set(strategy.parts)) == len(strategy.parts)

    def test_it_gives_a_meaning_to_every_part_or_to_none(self, strategy: type[Strategy]) -> None:
        assert set(strategy.meanings) in (set(), set(strategy.parts))

    def test_it_says_why_it_chooses_another_url_than_the_best_if_it_does(self, strategy: type[Strategy]) -> None:
        assert bool(strategy.choice) == (strategy.choose is not Strategy.choose)

    def test_each_option_is_described_and_has_a_valid_default(self, strategy: type[Strategy]) -> None:
        assert issubclass(strategy.Options, StrategyOptions)
        defaults = strategy.Options().model_dump()
        assert strategy.Options.model_validate(defaults).model_dump() == defaults
        for name, option in strategy.Options.model_fields.items():
            assert option.description, f"option {name!r} is not described"


class TestWhatItAnswers:
    def test_every_seed_gets_a_finite_score(self, strategy: type[Strategy]) -> None:
        changes = start(begin(strategy), Visits(), "http://host0.example/", "http://host1.example/")
        assert_sound(changes, strategy)
        assert changes.ids.tolist() == [0, 1]
        assert np.isfinite(changes.scores).all()

    def test_no_seeds_are_no_mistake(self, strategy: type[Strategy]) -> None:
        assert_sound(start(begin(strategy), Visits()), strategy)

    @pytest.mark.parametrize("page", EDGE_PAGES.values(), ids=EDGE_PAGES.keys())
    def test_an_odd_page_gets_a_sound_answer_and_is_left_as_it_was(self, strategy: type[Strategy], page: Page) -> None:
        for keywords in (KEYWORDS, {}):
            hosts = frozenset({"host0.example"} if keywords else ())
            crawling, visits = begin(strategy, keywords=keywords, seed_hosts=hosts), Visits(keywords)
            visit = visits.of(page)
            before = copy.deepcopy(visit)
            assert_sound(arrive(crawling, visit, visits), strategy)
            assert_equal_visits(visit, before)

    @settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(pages=st.lists(random_pages, max_size=6, unique_by=lambda page: page.url))
    def test_any_pages_get_sound_answers(self, strategy: type[Strategy], pages: list[Page]) -> None:
        for changes in walk(begin(strategy), pages, Visits()):
            assert_sound(changes, strategy)

    def test_all_links_of_a_page_are_scored_in_one_call(self, strategy: type[Strategy]) -> None:
        visits = Visits()
        visit = visits.of(page_of_links(84))
        assert arrive(begin(strategy), visit, visits).ids.tolist() == visit.targets.tolist()

    def test_six_times_the_links_cost_at_most_about_six_times_as_much(self, strategy: type[Strategy]) -> None:
        def cost(links: int) -> int:
            crawling, visits = begin(strategy), Visits()
            visit = visits.of(page_of_links(links))
            visits.show(crawling.world)
            return instructions(lambda: crawling.visited(visit))

        assert cost(1200) <= 7 * cost(200)


class TestHowItGoesOn:
    def test_another_process_gives_the_same_answers(
        self, name: str, answers_of_another_process: dict[str, str]
    ) -> None:
        assert digest_of(answers_of(name)) == answers_of_another_process[name]

    @pytest.mark.parametrize("stop", [0, 20, 35])
    def test_a_restored_strategy_goes_on_as_if_nothing_had_happened(self, strategy: type[Strategy], stop: int) -> None:
        pages, visits = list(toy_web().values()), Visits()
        undisturbed = begin(strategy)
        start(undisturbed, visits, pages[0].url)
        walk(undisturbed, pages[:stop], visits)
        restored = restarted(undisturbed, visits)
        same_visits = copy.deepcopy(visits)
        assert_same(walk(restored, pages[stop:], same_visits), walk(undisturbed, pages[stop:], visits))

    def test_taking_its_state_changes_nothing(self, name: str) -> None:
        watched, visits, answers = begin(crawler(name)), Visits(), []
        for page in toy_web().values():
            answers += walk(watched, [page], visits)
            encode(watched.state())
        assert_same(answers, answers_of(name))


def page_of_links(count: int) -> Page:
    texts = [("solar tax", [f"http://host{n % 50}.example/{n}"]) for n in range(count)]
    return make_page("http://a.example/", *texts)


def assert_equal_visits(one: Visit, other: Visit) -> None:
    assert one.page == other.page
    np.testing.assert_array_equal(one.targets, other.targets)
    assert (one.id, one.depth, one.relevance, one.relevant) == (other.id, other.depth, other.relevance, other.relevant)
