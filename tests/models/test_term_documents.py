"""Term-document matrices: counts by document and term, the most frequent terms, and places in a list of ids."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from focused.collection.snapshot import decode, encode
from focused.papers.models.term_documents import TermDocuments, TermNumbers, most_frequent, positions

PAGES = np.array([7, 3, 5])


def three_texts() -> TermDocuments:
    documents = TermDocuments(TermNumbers(["solar"]))
    documents.add(3, ["cell", "solar", "cell"])
    documents.add(7, ["tax"])
    documents.add(3, ["tax", "cell"])
    return documents


def test_counts_stand_in_the_order_asked_for_and_texts_of_one_document_are_added_up() -> None:
    # terms: solar, cell, tax
    assert three_texts().matrix(PAGES).toarray().tolist() == [[0, 0, 1], [1, 3, 1], [0, 0, 0]]


def test_a_closed_vocabulary_takes_no_new_terms() -> None:
    documents = three_texts()
    documents.vocabulary.closed = True
    documents.add(5, ["law", "solar"])
    assert documents.matrix(PAGES).toarray().tolist() == [[0, 0, 1], [1, 3, 1], [1, 0, 0]]


def test_documents_that_are_not_kept_are_forgotten() -> None:
    documents = three_texts()
    documents.keep(np.array([7, 99]))
    assert documents.matrix(PAGES).toarray().tolist() == [[0, 0, 1], [0, 0, 0], [0, 0, 0]]


def test_a_restored_one_has_the_same_counts_and_numbers_new_terms_alike() -> None:
    documents = three_texts()
    vocabulary = TermNumbers()
    vocabulary.restore(decode(encode(documents.vocabulary.snapshot())))
    restored = TermDocuments(vocabulary)
    restored.restore(decode(encode(documents.snapshot())))
    for one in (documents, restored):
        one.add(5, ["law"])
    assert restored.matrix(PAGES).toarray().tolist() == documents.matrix(PAGES).toarray().tolist()
    assert vocabulary.terms == ["solar", "cell", "tax", "law"]


def test_the_most_frequent_terms_are_those_of_all_documents_together_and_earlier_ones_win_ties() -> None:
    counts = csr_array(np.array([[1, 0, 2, 0, 1], [1, 0, 0, 3, 1]]))
    assert most_frequent(counts, 2).tolist() == [0, 3]
    assert most_frequent(counts, 3).tolist() == [0, 2, 3]
    assert most_frequent(counts, 9).tolist() == [0, 2, 3, 4]


def test_terms_that_must_be_there_are_there_even_if_they_never_occur() -> None:
    assert most_frequent(csr_array(np.array([[1, 0, 2]])), 1, always=[1]).tolist() == [1, 2]


@given(st.lists(st.integers(0, 9)), st.lists(st.integers(0, 9), unique=True))
def test_positions_are_those_of_a_search_by_eye(values: list[int], among: list[int]) -> None:
    expected = [among.index(value) if value in among else -1 for value in values]
    assert positions(np.array(values, np.int64), np.array(among, np.int64)).tolist() == expected


def test_a_vocabulary_that_was_closed_is_closed_when_it_is_restored() -> None:
    vocabulary, restored = TermNumbers(["solar"]), TermNumbers()
    vocabulary.closed = True
    restored.restore(decode(encode(vocabulary.snapshot())))
    assert restored.number("tax") is None
