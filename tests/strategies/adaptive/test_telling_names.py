"""Names of hosts that say what the topic is about."""

from collections import Counter

import numpy as np
import pytest

from focused.page.text import TextAnalyser
from focused.strategies.adaptive import TellingNames
from focused.testing.toy_world import toy_world


@pytest.mark.parametrize(
    ("name", "speaks"),
    [
        ("docs.sqlalchemy.org", True),
        ("www.postgresql.org", True),
        ("www.example.sql", False),  # the last label says nothing
        ("db.example.org", False),  # too short
        ("www.example.org", False),
        ("sql", False),
        ("", False),
    ],
)
def test_a_keyword_of_three_letters_or_more_is_found_also_inside_of_a_word(name: str, speaks: bool) -> None:
    world = toy_world({"sql": 1, "db": 2})
    host = world.hosts.intern(name)
    assert TellingNames(world).speak(np.array([host])).tolist() == [speaks]


@pytest.mark.parametrize("name", ["docs.cryptography.example", "libraries.example", "my-library.example"])
def test_a_keyword_that_ends_in_y_is_found_though_its_stem_does_not(name: str) -> None:
    world = toy_world(Counter(TextAnalyser("english").terms("cryptography library")))
    host = world.hosts.intern(name)
    assert TellingNames(world).speak(np.array([host])).tolist() == [True]


def test_hosts_that_were_heard_of_later_are_known_too() -> None:
    world = toy_world({"sql": 1})
    names = TellingNames(world)
    first = world.hosts.intern("one.example")
    assert names.speak(np.array([first])).tolist() == [False]
    second = world.hosts.intern("mysql.example")
    assert names.speak(np.array([second, first, second])).tolist() == [True, False, True]
    assert names.speak(np.empty(0, np.int64)).tolist() == []
