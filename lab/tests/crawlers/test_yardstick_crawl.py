"""A crawl by a yardstick is shown labels only if it is meant to see them."""

from __future__ import annotations

import pytest

from focused import strategies
from focused.exceptions import EvaluationError
from focused.reading.reader import Reader, ReadingOptions
from focused.simulation.analysed_web import AnalysedWeb
from focused.simulation.labels import Judgements
from focused.simulation.simulator import Simulator
from lab.crawlers.entrants import yardstick_crawl
from lab.crawlers.yardstick import JudgedWorld, YardstickWorld
from lab.crawlers.yardsticks import get_yardstick, names
from tests import small_web
from tests.simulation.simulated import ANSWERS, STEP_BY_STEP, SmallWeb

URLS = list(ANSWERS)
TOPIC = small_web.topic_of(keywords=("energy of the Sun", "solar energy"))
SOME = Judgements("test", frozenset(URLS[10:14]), also=frozenset(URLS[20:22]))
OTHERS = Judgements("test", frozenset(URLS[30:34]), also=frozenset(URLS[22:24]))
SEEING = [name for name in names() if get_yardstick(name).sees_labels]
BLIND = [name for name in names() if name not in SEEING]


def web() -> AnalysedWeb:
    return AnalysedWeb(SmallWeb(ANSWERS), Reader(ReadingOptions()))


def fetched(name: str, judgements: Judgements, seed: int = 0) -> list[str]:
    analysed = web()
    crawl = yardstick_crawl(name, TOPIC, analysed, judgements, seed=seed)
    return [fetch.url for fetch in Simulator(crawl, analysed, STEP_BY_STEP).fetches()]


@pytest.mark.parametrize("name", BLIND)
def test_those_that_see_no_labels_are_given_none(name):
    assert type(yardstick_crawl(name, TOPIC, web(), SOME).world) is YardstickWorld


@pytest.mark.parametrize("name", SEEING)
def test_those_that_see_labels_go_where_the_targets_are(name):
    assert fetched(name, SOME) != fetched(name, OTHERS)
    for judgements in (SOME, OTHERS):
        places = sorted(map(fetched(name, judgements).index, judgements.targets))
        anywhere = sorted(map(fetched("random", judgements).index, judgements.targets))
        assert sum(places) < sum(anywhere)


def test_labels_are_known_by_key():
    world = yardstick_crawl("oracle", TOPIC, web(), SOME).world
    assert isinstance(world, JudgedWorld)
    key = web().reader.rules.key
    assert world.targets == set(map(key, SOME.targets))
    assert world.relevant == set(map(key, SOME.targets | SOME.also))


def test_the_words_are_the_keywords_as_they_are_written():
    world = yardstick_crawl("keyword_priority", TOPIC, web(), SOME).world
    assert isinstance(world, YardstickWorld)
    assert world.words == ("energy", "sun", "solar")


def test_the_seed_decides_what_is_random():
    assert fetched("random", SOME, seed=1) == fetched("random", SOME, seed=1) != fetched("random", SOME, seed=2)


def test_reading_the_links_of_the_web_is_told_of():
    told = []
    yardstick_crawl("oracle", TOPIC, web(), SOME, progress=lambda done, most: told.append((done, most)))
    assert told[-1] == (len(ANSWERS), len(ANSWERS))


def test_no_name_means_a_strategy_and_a_yardstick():
    assert not set(names()) & set(strategies.names())


def test_an_unknown_yardstick_is_refused():
    with pytest.raises(EvaluationError, match="yardstick 'dom' is unknown"):
        yardstick_crawl("dom", TOPIC, web(), SOME)
