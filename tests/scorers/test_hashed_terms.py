"""Hashed terms: numbers without a vocabulary."""

from focused.scorers.vectors import HASHED, hashed


def test_a_term_has_the_same_number_in_every_process() -> None:
    assert hashed(["solar", "größe", "solar"]).tolist() == [127717, 240009, 127717]


def test_numbers_are_small_and_rarely_shared() -> None:
    found = hashed([f"term{number}" for number in range(10_000)])
    assert 0 <= found.min() <= found.max() < HASHED
    assert len(set(found.tolist())) > 9_700


def test_any_string_is_a_term() -> None:
    assert hashed(["", "\ud800", "太阳能"]).shape == (3,)
    assert hashed([]).shape == (0,)
