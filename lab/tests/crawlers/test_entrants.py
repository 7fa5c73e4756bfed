"""Who is shown labels and who is not; a crawl by a yardstick, and the words that it looks for."""

from __future__ import annotations

import pytest

from focused.page.reader import Reader, ReadingOptions
from focused.page.text import TextAnalyser
from focused.simulation.analysed_web import AnalysedWeb
from focused.simulation.labels import Judgements
from focused.simulation.simulator import Simulator
from lab.crawlers.entrants import yardstick_crawl
from lab.crawlers.yardstick import JudgedWorld, YardstickWorld, keyword_share, keyword_words
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


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("Solar energy", 1.0),
        ("the SOLAR cell", 0.5),
        ("http://solarpanels.example/energy", 1.0),  # within longer words
        ("energies", 0.0),  # a stem would be found here
        ("", 0.0),
        ("solar solar", 0.5),
    ],
)
def test_a_word_counts_once_wherever_it_stands(text, share):
    assert keyword_share(("solar", "energy"), text) == share


def test_the_words_are_those_of_all_keywords_each_once_without_stop_words_and_brackets():
    keywords = ("History of Art", "art (modern)", "C++", "太阳能")
    assert keyword_words(keywords, TextAnalyser("english", keywords)) == ("history", "art", "modern", "c++", "太阳能")
