"""What a page brings that is new."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.collection.snapshot import decode, encode
from focused.crawl.novelty import (
    COPIED,
    EXACT,
    NEAR,
    NEW,
    NOTHING_NEW,
    STUFFED,
    Contents,
    is_stuffed,
    phrases_in_order,
    phrases_of,
    signature_of,
)
from focused.crawl.phrase_memory import BITS, KnownPhrases, PhraseMemory
from focused.topic.topic import Traps
from tests.crawl.trap_pages import page, text


@pytest.fixture
def contents() -> Contents:
    return Contents(Traps(), {"solar": 1, "energi": 1})


def verdict(contents: Contents, number: int, url: str, says: str = "") -> str:
    return contents.judge(number, page(url, says)).verdict


def added(memory: PhraseMemory, words: str) -> KnownPhrases:
    return memory.add(phrases_in_order(words.split()), phrases_of(words.split()), "a.example")


def test_a_page_with_a_text_of_its_own_is_new(contents):
    assert [verdict(contents, number, f"http://a.example/{number}") for number in range(20)] == [NEW] * 20


def test_the_same_bytes_are_an_exact_copy_of_the_first(contents):
    same = page("http://a.example/")
    contents.judge(3, same)
    finding = contents.judge(5, same)
    assert (finding.verdict, finding.original) == (EXACT, 3)


def test_a_page_that_differs_in_a_few_words_is_a_near_copy(contents):
    words = text("one", 300)
    contents.judge(1, page("http://a.example/", words))
    finding = contents.judge(2, page("http://a.example/print", words + " printed today"))
    assert (finding.verdict, finding.original) == (NEAR, 1)
    assert finding.worth < 0


def test_pages_that_only_their_menu_makes_alike_are_no_copies(contents):
    menu = text("menu", 600)
    found = [
        verdict(contents, number, f"http://a.example/{number}", f"{menu} {text(number, 60)}") for number in range(6)
    ]
    assert found == [NEW] * 6


def test_words_that_change_here_and_there_make_no_passage(contents):
    words = text("one", 600).split()
    contents.judge(1, page("http://a.example/", " ".join(words)))
    words[::60] = [f"change{number}" for number in range(10)]
    assert verdict(contents, 2, "http://a.example/2", " ".join(words)) == NEAR


def test_a_passage_is_told_in_a_memory_that_is_half_full():
    memory = PhraseMemory()
    taken = np.flatnonzero(np.random.default_rng(1).random(1 << BITS) < 0.4)
    memory._domains.put(taken, 7)
    memory._filled = len(taken)
    known, new = text("known", 300), text("new", 80)
    assert added(memory, known).has_passage
    assert added(memory, f"{known} {new}").has_passage
    assert not added(memory, known).has_passage


def test_paragraphs_of_several_sites_in_another_order_are_copied(contents):
    paragraphs = [text(number, 80) for number in range(6)]
    for number, paragraph in enumerate(paragraphs):
        contents.judge(number, page(f"http://site{number}.com/", paragraph))
    Random(1).shuffle(paragraphs)
    assert verdict(contents, 9, "http://scraper.com/", " ".join(paragraphs[:4])) == COPIED


def test_a_template_with_another_date_brings_nothing_new(contents):
    template = text("template", 200)
    found = [verdict(contents, day, f"http://a.example/{day}", f"{template} day{day}") for day in range(5)]
    assert found[0] == NEW
    assert set(found[1:]) <= {NEAR, NOTHING_NEW}


def test_one_word_again_and_again_has_few_phrases_and_is_stuffing_all_the_same(contents):
    assert verdict(contents, 1, "http://a.example/", "solar " * 200) == STUFFED
    assert verdict(contents, 2, "http://b.example/", "solar energy") == NEW  # too short to say


def test_a_few_words_again_and_again_are_stuffing(contents):
    chance = Random(1)
    words = " ".join(chance.choice(["solar", "energi", "cheap", "panel", "best"]) for _ in range(200))
    finding = contents.judge(1, page("http://a.example/", words))
    assert (finding.verdict, finding.worth) == (STUFFED, -2.0)


def test_a_page_of_hardly_any_words_is_not_judged_by_them(contents):
    for number in range(4):
        assert verdict(contents, number, f"http://a.example/{number}", "solar energi page") == NEW


def test_who_shares_text_with_more_domains_is_blamed_for_it(contents):
    originals = {f"http://site{number}.com/": text(number, 150) for number in range(4)}
    for number, says in enumerate(originals.values()):
        contents.judge(number, page(f"http://copier.com/{number}", says))
    found = [contents.judge(10 + number, page(url, says)) for number, (url, says) in enumerate(originals.items())]
    assert [finding.blamed for finding in found] == ["", *["copier.com"] * 3]
    assert all(finding.worth == 0 for finding in found[1:])


def test_switched_off_only_exact_copies_are_told():
    contents = Contents(Traps(on=False), {})
    words = text("one", 300)
    assert verdict(contents, 1, "http://a.example/", words) == NEW
    assert verdict(contents, 2, "http://a.example/2", words) == NEW


def test_what_was_said_is_known_after_a_restart(contents):
    words = text("one", 300)
    contents.judge(1, page("http://a.example/", words))
    fresh = Contents(Traps(), {"solar": 1, "energi": 1})
    fresh.restore(decode(encode(contents.snapshot())))
    finding = fresh.judge(2, page("http://a.example/2", words + " more"))
    assert (finding.verdict, finding.original) == (NEAR, 1)


@pytest.mark.parametrize("share", [0.0, 0.001, 0.4])
def test_a_memory_of_phrases_goes_on_from_its_state(share):
    memory, restored = PhraseMemory(), PhraseMemory()
    memory._domains.put(np.flatnonzero(np.random.default_rng(1).random(1 << BITS) < share), 7)
    known = added(memory, text("one", 300))
    state = memory.snapshot()
    restored.restore(decode(encode(state)))
    assert (restored.snapshot()["domains"] == state["domains"]).all()
    assert (restored.snapshot()["slots"] == state["slots"]).all()
    assert known.has_passage
    assert added(restored, text("one", 300)) == added(memory, text("one", 300))


def test_a_memory_of_phrases_that_fills_up_still_tells_copies_from_new_texts():
    """Eight times the phrases after which it first looks at fewer of them: as 80,000 pages are to the memory of a crawl."""
    memory = PhraseMemory(bits=16)
    for number in range(330):
        added(memory, text(number, 400))
    assert memory._every <= 16
    copies = [added(memory, text(number, 400)).new for number in range(310, 330)]
    others = [added(memory, text(number, 400)).new for number in range(1000, 1020)]
    assert max(copies) < 0.2 < 0.5 < min(others)


@given(st.lists(st.text(max_size=8), max_size=60))
def test_any_words_have_phrases_each_once_in_order(words):
    phrases = phrases_of(words)
    assert len(phrases) <= max(0, len(words) - 2)
    assert (np.diff(phrases.astype(object)) > 0).all()


def test_a_signature_tells_how_much_two_texts_have_in_common():
    words = text("one", 400).split()
    half = words[:200] + text("two", 200).split()
    one, other = signature_of(phrases_of(words)), signature_of(phrases_of(half))
    assert (one == one).mean() == 1
    assert 0.15 < (one == other).mean() < 0.55  # a third


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


@pytest.mark.parametrize("row", ["heat pump", "heat pump cheap {} heat pump", "{} pump heat pump"])
def test_stuffing_within_links_is_found(row: str) -> None:
    terms, spans = linked(*(row.format(name) for name in NAMES * 3))
    assert is_stuffed(terms, HEAT, spans)


def test_a_list_does_not_hide_a_stuffed_text_below_it() -> None:
    terms, spans = linked(*LISTS["products"])
    assert is_stuffed([*terms, *PROSE], HEAT, spans)
    assert is_stuffed([*terms, *PROSE], HEAT)
