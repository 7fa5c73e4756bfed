"""Terms as numbers: the same in every process, in the order of the text, and never more than so many remembered."""

from __future__ import annotations

import pytest

from focused.scoring import term_ids
from focused.scoring.term_ids import DIMENSIONS, TermIds


def test_a_number_is_the_checksum_of_the_term_within_the_range() -> None:
    assert TermIds()["123456789"] == 0xCBF43926 % DIMENSIONS == 14630  # the check value of CRC-32


def test_terms_become_numbers_in_order() -> None:
    ids = TermIds()
    assert ids.of(["solar", "größe", "solar"]).tolist() == [ids["solar"], ids["größe"], ids["solar"]]
    assert ids["solar"] != ids["größe"]


def test_no_terms_are_no_numbers() -> None:
    assert TermIds().of([]).shape == (0,)


def test_what_is_forgotten_gets_the_same_number_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(term_ids, "MOST_KNOWN", 2)
    ids, terms = TermIds(), ["a", "b", "c", "a"]
    assert ids.of(terms).tolist() == TermIds().of(terms).tolist()
    assert set(ids) == {"c", "a"}


def test_a_term_that_is_no_valid_text_has_a_number_too() -> None:
    assert 0 <= TermIds()["\ud800"] < DIMENSIONS
