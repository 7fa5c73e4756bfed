"""Crawls of small hostile Webs come to a good end, and the server's access log holds nothing that must not be."""

from __future__ import annotations

from functools import partial

import pytest

from focused.strategies import get_strategy, names
from lab.chaos.checker import EARLY, Entry, Finding
from lab.chaos.replies import endless, honest_host, raw
from lab.chaos.running import lacking, run
from lab.chaos.scenarios.answers import BODY, CHUNKED, OK, lying, scene_of
from lab.chaos.scenarios.links import credentials, private_addresses
from lab.chaos.scenarios.politeness import crawled_by, dead_links, robots_files, throttling
from lab.chaos.scene import LONGEST_BLOCK, MOST_MEMORY, SCENARIOS, Outcome, Scenario, Scene
from lab.chaos.server import Web

ANSWERS = {
    "endless": endless(OK + b"\r\n", b"<p>solar energy " * 4096),
    "too-short": lying(len(BODY) + 1000),
    "negative": lying(-1),
    "bad-chunk": raw(CHUNKED + b"zz\r\nsolar\r\n"),
    "no-head": raw(BODY),
}
SMALL = [
    pytest.param("answers", partial(scene_of, ANSWERS, 4), id="odd answers"),
    pytest.param(
        "strategy", partial(crawled_by, "breadth_first"), id="redirects, retries and delays", marks=pytest.mark.slow
    ),
    pytest.param("dead", partial(dead_links, 40, 5), id="dead links"),
    pytest.param("secrets", credentials, id="credentials"),
    pytest.param("robots", partial(robots_files, ("missing", "error", "all")), id="robots.txt"),
    pytest.param("throttling", partial(throttling, (), 3), id="Retry-After", marks=pytest.mark.slow),
    pytest.param("private", partial(private_addresses, ("127.0.0.1:PORT", "[::1]:PORT"), (22,)), id="sinks"),
]


@pytest.mark.parametrize(("name", "build"), SMALL)
def test_nothing_is_wrong(name, build, tmp_path):
    scene = build()
    quick = {"strategy": "breadth_first", **scene.arguments}  # adaptive takes long to begin
    scene.arguments = quick
    outcome = run(Scenario(name, "", lambda: scene), tmp_path)
    assert list(outcome.wrong()) == [], outcome.log[-3000:]
    assert len(outcome.good) > 2
    assert outcome.asked
    assert outcome.memory > 50  # the pulse was felt


def test_every_strategy_that_needs_no_model_has_a_scenario():
    scenarios = {name.removeprefix("strategy-") for name in SCENARIOS if name.startswith("strategy-")}
    assert scenarios == {name for name in names() if not get_strategy(name).needs_model}


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_scenario_can_be_built(name):
    if lacking(SCENARIOS[name]):
        pytest.skip("this machine lacks what it needs")
    scene = SCENARIOS[name].build()
    assert scene.seeds
    assert scene.inputs
    assert scene.good
    if scene.sinks:
        scene.sinks(9)


GOOD = frozenset({"http://good.example/"})
WELL = {"codes": [0], "log": "", "collected": list(GOOD), "good": GOOD}


@pytest.mark.parametrize(
    ("kinds", "more"),
    [
        ([], {}),
        (["hung"], {"codes": [-9, None]}),
        (["exit"], {"codes": [1]}),
        ([], {"codes": [-9, 0]}),  # killed on purpose, then ended well
        (["traceback"], {"log": "Traceback (most recent call last):\n  File x\nValueError: y"}),
        (["lost"], {"collected": ["http://bad.example/"]}),
        (["block"], {"block": LONGEST_BLOCK + 0.1}),
        (["memory"], {"memory": MOST_MEMORY + 1}),
        (["early"], {"findings": [Finding(EARLY, "good.example", "too early")]}),
        (["more"], {"more": ["something else"]}),
    ],
)
def test_what_is_wrong_is_told(kinds, more):
    assert [kind for kind, _ in Outcome(**WELL | more).wrong()] == kinds


def test_the_log_of_a_server_is_judged_by_the_promise_of_its_scene(tmp_path):
    """A crawl that keeps no delay is found."""
    web = Web()
    seed, good = honest_host(web, 10)
    settings = {"DOWNLOAD_DELAY": 0}
    scene = Scene(web, (seed,), 1, good, settings=settings, arguments={"strategy": "breadth_first"})
    outcome = run(Scenario("impolite", "", lambda: scene), tmp_path)
    assert outcome.found[EARLY] > 5
    assert all(isinstance(entry, Entry) for entry in outcome.asked)
