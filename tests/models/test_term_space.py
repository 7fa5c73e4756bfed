"""How terms are spread over documents: for BM25, and as a background corpus."""

from __future__ import annotations

from focused.papers.models.term_documents import BackgroundCorpus
from focused.papers.strategies.ss1 import TermSpace

TEXTS = [["sun", "sun", "wind"], ["sun"], ["rain", "wind", "wind", "wind"]]


def test_a_space_counts_documents_and_not_occurrences() -> None:
    space = TermSpace.of(TEXTS)
    assert (space.documents, space.mean_length) == (3, 8 / 3)
    assert space.frequencies == {"sun": 2, "wind": 2, "rain": 1}


def test_only_the_most_frequent_terms_count_if_so_many_are_asked_for() -> None:
    assert TermSpace.of(TEXTS, 2).frequencies == {"wind": 2, "sun": 2}


def test_no_texts_are_no_mistake() -> None:
    assert TermSpace.of([]) == TermSpace(0, 0.0, {})


def test_a_corpus_is_a_matrix_of_counts_of_the_most_frequent_terms() -> None:
    corpus = BackgroundCorpus.of([*TEXTS, ["hail"], []], 2)
    assert corpus.terms == ("wind", "sun")
    assert corpus.counts.toarray().tolist() == [[1, 2], [0, 1], [3, 0], [0, 0], [0, 0]]
