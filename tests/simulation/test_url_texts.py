"""Texts come back by id as they were given."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.simulation.simulator import UrlTexts


@given(st.lists(st.text(st.characters(exclude_categories=("Cs",)))))
def test_texts_come_back_by_id(given_texts: list[str]) -> None:
    texts = UrlTexts()
    texts.extend(given_texts[:2])
    texts.extend(given_texts[2:])
    assert [texts[url] for url in range(len(texts))] == given_texts


@pytest.mark.parametrize("url", [-1, 1])
def test_an_id_that_is_not_known_is_refused(url: int) -> None:
    texts = UrlTexts()
    texts.extend(["http://a.example/"])
    with pytest.raises(IndexError):
        texts[url]
