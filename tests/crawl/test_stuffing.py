"""Texts that are stuffed with words, and lists that are not."""

from __future__ import annotations

from random import Random

import pytest

from focused.crawl.stuffing import is_stuffed

HEAT = frozenset(("heat", "pump"))
NAMES = [
    "alpha",
    "bravo",
    "charlie",
    "delta",
    "echo",
    "foxtrot",
    "golf",
    "hotel",
    "india",
    "juliet",
    "kilo",
    "lima",
    "mike",
    "november",
    "oscar",
    "papa",
]
SIZES = range(5, 20)


def linked(*rows: str, heading: str = "heat pump") -> tuple[list[str], list[tuple[int, int]]]:
    """The terms of a heading and of a list of links, with the spans of these."""
    terms, spans = heading.split(), []
    for row in rows:
        spans.append((len(terms), len(terms) + len(row.split())))
        terms += row.split()
    return terms, spans


LISTS = {
    "eight products": [f"{name} heat pump {size} kw" for name, size in zip(NAMES[:8], SIZES, strict=False)],
    "products": [f"{name} heat pump {size} kw" for name, size in zip(NAMES, SIZES, strict=False)],
    "all sizes of all brands": [f"{name} heat pump {size} kw" for name in NAMES for size in SIZES],
    "prices": [f"{name} heat pump {size} kw {size * 137} eur" for name in NAMES for size in SIZES],
    "headlines": [f"{name} minister on heat pump in {name}land" for name in NAMES],
    "towns": [f"heat pump {name}" for name in NAMES],
    "companies": [f"{name} heat pump ltd {name}street {size}" for name, size in zip(NAMES, SIZES, strict=False)],
    "glossary": [f"heat pump {name} {name}ing {name}ed" for name in NAMES],
    "one keyword in another": [f"air source heat pump {name}" for name in NAMES],
}


@pytest.mark.parametrize("rows", LISTS.values(), ids=LISTS)
def test_a_list_of_the_topics_own_things_is_not_stuffed(rows: list[str]) -> None:
    terms, spans = linked(*rows)
    keywords = HEAT | {"air", "source"}
    assert not is_stuffed(terms, keywords, spans)
    assert not is_stuffed(terms, keywords)  # a table without links


def test_what_is_said_of_an_entry_may_name_the_topic_again() -> None:
    terms, spans = ["apache", "functions"], []
    for name in NAMES:
        spans.append((len(terms), len(terms) + 2))
        terms += ["apache", name, "server", name, "apache", "process"]
    assert not is_stuffed(terms, {"apache", "server"}, spans)
    assert is_stuffed([*terms, *["apache", "server", "cheap"] * 20], {"apache", "server"}, spans)


def test_a_stuffed_text_with_a_link_here_and_there_is_no_list() -> None:
    terms, spans = [], []
    for name in NAMES:
        spans.append((len(terms), len(terms) + 1))
        terms += [name, *["heat", "pump", "cheap", "heat", "pump", "best", "heat", "pump"]]
    assert is_stuffed(terms, HEAT, spans)


def test_a_list_may_show_its_entries_twice_and_what_can_be_done_with_each() -> None:
    cards = [row for entry in LISTS["products"] for row in (entry, entry, "buy heat pump")]
    terms, spans = linked(*cards)
    assert not is_stuffed(terms, HEAT, spans)


def test_a_heading_and_a_menu_that_name_the_topic_alone_do_not_make_a_list_stuffed() -> None:
    terms, spans = linked("home", "heat pump", *LISTS["eight products"], heading="heat pump supplier heat pump")
    assert not is_stuffed(terms, HEAT, spans)


def test_links_that_say_nothing_but_the_topic_are_stuffed() -> None:
    """As sites have them that do nothing but recommend each other."""
    names = ["heat", "pump", "heat pump", "pump heat", "heat pump partner", "heat partner", "pump partner"]
    terms, spans = linked(*names * 2, heading=" ".join(NAMES[:8]))
    assert is_stuffed(terms, HEAT, spans)


def test_links_of_a_few_words_may_name_the_topic_as_often_as_they_like() -> None:
    combined = [f"heat pump {kind} {name}" for name in NAMES for kind in ("indoor", "outdoor", "split")]
    terms, spans = linked(*combined)
    assert not is_stuffed(terms, HEAT, spans)


def test_a_table_that_names_no_keyword_is_not_stuffed() -> None:
    assert not is_stuffed(
        [word for name in NAMES for size in SIZES for word in (name, "boiler", str(size), "kw")], HEAT
    )


def sold(count: int, words: str) -> list[str]:
    """So many words drawn from a few."""
    return Random(1).choices(words.split(), k=count)


PROSE = [word for name in NAMES for word in f"buy heat pump {name} cheap heat pump heat pump heat pump".split()]
STUFFED_TEXTS = {
    "one word": ["heat"] * 200,
    "one phrase": ["heat", "pump"] * 100,
    "words of no topic": ["casino", "bonus"] * 100,
    "a few words": sold(200, "heat pump cheap best buy"),
    "with numbers here and there": sold(200, "heat pump cheap best buy heat pump cheap 1 best 2"),
    "numbered": [word for number in range(60) for word in ("heat", "pump", str(number))],
    "names in between": PROSE,
    "many words of the topic": sold(
        150, "heat pump " * 12 + " ".join(f"{name} {name}s" for name in NAMES) + " coil fan valve duct loop brine"
    ),
}


@pytest.mark.parametrize("terms", STUFFED_TEXTS.values(), ids=STUFFED_TEXTS)
def test_a_stuffed_text_is_found_wherever_it_stands(terms: list[str]) -> None:
    assert is_stuffed(terms, HEAT)
    menu, spans = linked(*NAMES)
    assert is_stuffed([*menu, *terms], HEAT, spans)  # beside a list
    assert is_stuffed(terms, HEAT, [(0, len(terms))])  # all of it one link


@pytest.mark.parametrize("row", ["heat pump", "cheap heat pump", "heat pump cheap {} heat pump", "{} pump heat pump"])
def test_stuffing_within_links_is_found(row: str) -> None:
    terms, spans = linked(*(row.format(name) for name in NAMES * 3))
    assert is_stuffed(terms, HEAT, spans)


def test_a_long_list_of_other_things_does_not_hide_a_stuffed_text() -> None:
    terms, spans = linked(*(f"{name} {size}" for name in NAMES for size in SIZES), heading="home")
    assert is_stuffed([*terms, *PROSE], HEAT, spans)


def test_a_list_does_not_hide_a_stuffed_text_below_it() -> None:
    terms, spans = linked(*LISTS["products"])
    assert is_stuffed([*terms, *PROSE], HEAT, spans)
    assert is_stuffed([*terms, *PROSE], HEAT)
