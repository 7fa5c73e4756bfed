"""The background of a latent analysis: trained, or gathered from the topic's texts and the first pages of a crawl."""

import numpy as np

from focused.collection.snapshot import decode, encode
from focused.papers.models.term_documents import Background, BackgroundCorpus

KEYWORDS = {"solar": 2, "cell": 1}


def gathered(size: int = 2) -> Background:
    background = Background(KEYWORDS, [["solar", "roof"]], size)
    background.add(["tax", "tax", "cell"])
    return background


def trained() -> Background:
    corpus = BackgroundCorpus.of([["tax", "tax", "solar"], ["law", "tax"]], 2)
    return Background(KEYWORDS, [["roof"]], 500, corpus)


def test_texts_of_the_topic_come_first_and_then_pages_until_there_are_enough() -> None:
    background = gathered(size=2)
    assert not background.complete
    background.add(["law"])
    assert background.complete
    background.add(["never", "seen"])
    assert background.vocabulary.terms == ["solar", "cell", "roof", "tax", "law"]
    assert background.counts().toarray().tolist() == [[1, 0, 1, 0, 0], [0, 1, 0, 2, 0], [0, 0, 0, 0, 1]]


def test_the_terms_are_the_most_frequent_ones_and_the_keywords() -> None:
    background = gathered()
    terms = background.terms(background.counts(), 1)
    assert [background.vocabulary.terms[number] for number in terms] == ["solar", "cell", "tax"]
    assert background.query(terms).tolist() == [2, 1, 0]


def test_a_trained_corpus_is_complete_and_takes_neither_the_topic_s_texts_nor_pages() -> None:
    background = trained()
    background.add(["roof", "solar"])
    assert background.complete
    assert background.count == 2
    # solar and cell are the first terms, as everywhere; of the corpus, its two most frequent terms are known
    assert background.vocabulary.terms == ["solar", "cell", "tax"]
    assert background.counts().toarray().tolist() == [[1, 0, 2], [0, 0, 1]]


def test_a_restored_one_goes_on_as_the_first() -> None:
    one, other = gathered(size=3), Background(KEYWORDS, [["solar", "roof"]], 3)
    other.restore(decode(encode(one.snapshot())))
    for background in (one, other):
        for text in (["law"], ["court"], ["late"]):
            background.add(text)
    assert np.array_equal(one.counts().toarray(), other.counts().toarray())
    assert one.vocabulary.terms == other.vocabulary.terms
    assert other.complete


def test_a_trained_one_has_nothing_to_save() -> None:
    background = trained()
    background.restore(decode(encode(background.snapshot())))
    assert background.count == 2


def test_a_trained_corpus_may_have_more_texts_than_terms_some_of_them_empty() -> None:
    corpus = BackgroundCorpus.of([["solar", "solar"], ["solar"], []], 5)
    background = Background(KEYWORDS, [], 500, corpus)
    assert background.count == 3
    assert background.counts().toarray().tolist() == [[2, 0], [1, 0], [0, 0]]


def test_a_corpus_of_texts_without_terms_has_a_row_for_each() -> None:
    assert BackgroundCorpus.of([[], []], 5).counts.shape == (2, 0)
