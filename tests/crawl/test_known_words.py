"""Which words are new: those that come back, on the second page that they stand on."""

from __future__ import annotations

import numpy as np
import pytest

from focused.crawl.novelty import SLOTS, TWICE, KnownWords, words_of
from tests.crawl.web import make_page


def words(*named: str, links: str = "") -> np.ndarray:
    return words_of(make_page("http://a.example/", " ".join(named), [("http://a.example/b", links)] if links else []))


def test_a_word_is_new_on_its_second_page_only() -> None:
    known = KnownWords()
    assert [round(known.add(words("sun", "wind"))) for _ in range(4)] == [0, 2, 0, 0]


def test_what_is_made_up_for_a_page_is_never_new() -> None:
    known = KnownWords()
    assert sum(known.add(words(f"made{chr(97 + number)}")) for number in range(26)) == 0


def test_numbers_and_what_stands_in_links_are_no_words() -> None:
    assert len(words("2026", "b12", "sun", links="wind water")) == 1


def test_a_word_counts_once_however_often_a_page_has_it() -> None:
    assert len(words("sun", "sun", "sun")) == 1


def test_where_most_of_its_memory_is_taken_it_tells_of_fewer() -> None:
    known, taken = KnownWords(), SLOTS * 19 // 20
    known.restore({"slots": np.arange(taken, dtype=np.int32), "pages": np.full(taken, TWICE, np.uint8)})
    fresh = np.random.default_rng(1).integers(0, 2**63, 1000, np.uint64)
    known.add(fresh)
    assert 0 <= known.add(fresh) < 10  # of some fifty that find a place


def test_it_goes_on_from_its_state() -> None:
    known, restored = KnownWords(), KnownWords()
    known.add(words("sun", "wind"))
    known.add(words("sun"))
    restored.restore(known.snapshot())
    for following in (words("wind", "rain"), words("rain", "sun")):
        assert restored.add(following) == pytest.approx(known.add(following), abs=0)
