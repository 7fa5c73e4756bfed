"""The classifier shows a person what to look at first, and a person's word is what is learned."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from focused.collection.repository import Stored
from focused.exceptions import TaxonomyError, TrainingError
from focused.page.reader import Reader, ReadingOptions
from focused.papers.taxonomies.guesses import Guess, guesses
from focused.papers.taxonomies.taxonomy_store import Listing, TaxonomyStore
from focused.papers.training.sources import taxonomy_documents
from tests.taxonomies.energy import OWN, WRONG, fill, keep, url_of

READER = Reader(ReadingOptions())


@pytest.fixture
def store(tmp_path: Path) -> Iterator[TaxonomyStore]:
    opened = TaxonomyStore(tmp_path, make=True)
    yield opened
    opened.close()


def classified(store: TaxonomyStore) -> list[Guess]:
    return guesses(store, READER, 3, lambda _: None)


def learned(store: TaxonomyStore) -> dict[str, tuple[str, ...]]:
    return {document.page.url: document.node for document in taxonomy_documents(store, READER)}


def test_an_example_in_the_wrong_place_comes_first_and_one_without_a_place_next(store: TaxonomyStore) -> None:
    fill(store)
    first, second, *others = classified(store)
    assert (first.example.url, first.node, first.agrees) == (WRONG, ("Energy", "Sun"), False)
    assert (second.example.url, second.node, second.agrees) == (OWN, ("Energy", "Wind"), None)
    assert [guess.agrees for guess in others] == [True] * 18


def test_what_a_person_has_judged_comes_last(store: TaxonomyStore) -> None:
    fill(store)
    store.judge({WRONG: "Sports"})
    assert classified(store)[-1].example.url == WRONG


def test_no_model_has_learned_from_the_page_that_it_judges(store: TaxonomyStore) -> None:
    """One page of words that no other has: a model that knew it would be sure of its category."""
    fill(store)
    odd = url_of("Sports", 0)
    keep(store, {odd: "zither quince"})
    (guess,) = (guess for guess in classified(store) if guess.example.url == odd)
    assert guess.probability < 0.6


def test_a_category_above_the_guess_is_no_disagreement(store: TaxonomyStore) -> None:
    fill(store)
    store.judge({url_of("Energy/Sun", 0): "Energy"})
    (guess,) = (guess for guess in classified(store) if guess.example.url == url_of("Energy/Sun", 0))
    assert (guess.node, guess.agrees) == (("Energy", "Sun"), True)


def test_learned_is_what_a_person_says_and_nothing_that_is_dropped(store: TaxonomyStore) -> None:
    fill(store)
    store.judge({WRONG: "Energy/Sun", url_of("Sports", 0): None})
    found = learned(store)
    assert found[WRONG] == ("Energy", "Sun")
    assert url_of("Sports", 0) not in found
    assert OWN not in found
    store.judge({OWN: "Energy/Wind"})
    assert learned(store)[OWN] == ("Energy", "Wind")


def test_of_two_examples_that_lead_to_one_page_the_judged_one_counts(store: TaxonomyStore) -> None:
    store.take_in([Listing("A", "http://a.example/"), Listing("B", "http://b.example/")], "two.tsv")
    for url in ("http://a.example/", "http://b.example/"):
        store.keep_page(url, Stored("http://end.example/", 200, (), b"<p>words"), "")
    assert learned(store) == {"http://end.example/": ("A",)}
    store.judge({"http://b.example/": "B"})
    assert learned(store) == {"http://end.example/": ("B",)}


def test_too_little_to_learn_from_is_told(store: TaxonomyStore) -> None:
    with pytest.raises(TrainingError, match="0 pages to learn from, at least 10 are needed"):
        classified(store)
    store.take_in([Listing("A", url_of("A", number)) for number in range(12)], "one.tsv")
    keep(store, {url_of("A", number): f"words {number}" for number in range(12)})
    with pytest.raises(TaxonomyError, match="all fetched examples are of one category"):
        classified(store)
