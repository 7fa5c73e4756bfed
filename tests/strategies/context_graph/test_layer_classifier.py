"""The layers of a context graph are told apart by naive Bayes, with numbers worked out by hand."""

from math import log

import numpy as np
import pytest

from focused.papers.models.layers import LayerClassifier, Reference, TermCounts


def document(text: str) -> TermCounts:
    return TermCounts.of(text.split())


# Terms of the targets, which are the vocabulary: cell (in 2 of 3 documents), sun (2), wind (1).
A, B, C = document("cell cell sun"), document("sun wind"), document("menu cell")
CLASSIFIER = LayerClassifier.fit([[0, 1], [2]], [A, B, C])


def classify(text: str, classifier: LayerClassifier = CLASSIFIER) -> tuple[int, float]:
    layers, likelihoods = classifier.classify([document(text)])
    return int(layers[0]), float(likelihoods[0])


def test_a_document_keeps_its_most_frequent_terms() -> None:
    assert TermCounts.of(["b", "a", "a", "c", "b", "a"], 2).counts.tolist() == [3, 2]
    assert TermCounts.of([]).keys.dtype == np.uint32


def test_probabilities_count_the_terms_of_each_layer() -> None:
    # Layer 0: cell 2, sun 2, wind 1 of 5; layer 1: cell 1 of 1 (menu is no term of the targets).
    rows = np.searchsorted(CLASSIFIER.vocabulary, document("cell sun wind").keys)
    by_term = dict(
        zip(document("cell sun wind").keys.tolist(), CLASSIFIER.log_probabilities[rows].tolist(), strict=True)
    )
    for term, expected in {"cell": (3 / 8, 2 / 4), "sun": (3 / 8, 1 / 4), "wind": (2 / 8, 1 / 4)}.items():
        (key,) = document(term).keys.tolist()
        assert by_term[key] == pytest.approx([log(probability) for probability in expected])


def test_a_threshold_is_the_smallest_likelihood_in_the_layer() -> None:
    # A: log 3/8 = -0.980829; B: (log 3/8 + log 2/8) / 2 = -1.183562; C: log 2/4
    assert CLASSIFIER.thresholds == pytest.approx([-1.183562, log(2 / 4)])


@pytest.mark.parametrize(
    ("text", "layer", "likelihood"),
    [
        ("sun wind", 0, -1.183562),
        ("sun", 0, log(3 / 8)),
        ("cell", 1, log(2 / 4)),
        ("cell news cell", 1, log(2 / 4)),
        # likelier in layer 1 than in its own, but below its threshold
        ("cell cell sun", 2, (2 * log(2 / 4) + log(1 / 4)) / 3),
        ("wind wind", 2, log(2 / 8)),
        ("menu", 2, -np.inf),
        ("", 2, -np.inf),
    ],
)
def test_the_likelier_layer_wins_if_it_reaches_its_threshold(text: str, layer: int, likelihood: float) -> None:
    assert classify(text) == (layer, pytest.approx(likelihood))
    together = CLASSIFIER.classify([document(other) for other in ("sun wind", text, "", "cell")])
    assert (together[0][1], together[1][1]) == classify(text)  # many are judged as one by one


def test_the_likelihood_as_printed_is_the_product_over_the_terms_of_a_document_each_once() -> None:
    printed = LayerClassifier.fit([[0, 1], [2]], [A, B, C], as_printed=True)
    assert printed.log_probabilities == pytest.approx(CLASSIFIER.log_probabilities)
    # A has cell and sun, B sun and wind: the threshold of layer 0 is B's.
    assert printed.thresholds == pytest.approx([log(3 / 8 * 2 / 8), log(2 / 4)])
    assert classify("sun sun wind", printed) == (0, pytest.approx(log(3 / 8 * 2 / 8)))
    assert classify("cell cell", printed) == (1, pytest.approx(log(2 / 4)))
    assert classify("cell sun wind", printed) == (2, pytest.approx(log(3 / 8 * 3 / 8 * 2 / 8)))
    assert classify("menu", printed) == (2, -np.inf)
    assert LayerClassifier.restored(printed.state()).as_printed


def test_only_the_heaviest_terms_of_a_document_count() -> None:
    # B: sun log 3/2 = 0.41, wind log 3/1 = 1.10; A: cell 2 log 3/2, sun log 3/2. So layer 0 knows cell 2 and wind 1 of 3.
    classifier = LayerClassifier.fit([[0, 1], [2]], [A, B, C], kept=1)
    assert classify("sun wind", classifier) == (0, pytest.approx(log(2 / 6)))


def test_only_the_heaviest_terms_of_the_targets_are_the_vocabulary() -> None:
    # In both targets together: cell 2 log 3/2 = 0.81, sun 2 log 3/2 = 0.81, wind log 3 = 1.10
    classifier = LayerClassifier.fit([[0, 1], [2]], [A, B, C], vocabulary_terms=1)
    assert classifier.vocabulary.tolist() == document("wind").keys.tolist()


def test_a_document_that_stands_twice_in_a_layer_counts_twice() -> None:
    # Layer 0: cell 4, sun 3, wind 1 of 8
    classifier = LayerClassifier.fit([[0, 0, 1], [2]], [A, B, C])
    assert classify("sun wind", classifier)[1] == pytest.approx((log(4 / 11) + log(2 / 11)) / 2)


def test_a_layer_without_pages_is_never_chosen() -> None:
    classifier = LayerClassifier.fit([[0], [], [1]], [A, C])
    assert classifier.layers.tolist() == [0, 2]
    assert classifier.other == 3
    assert classify("cell", classifier)[0] in (0, 2)


def test_targets_without_terms_leave_every_page_out() -> None:
    classifier = LayerClassifier.fit([[0], [1]], [document(""), C])
    assert classify("cell", classifier) == (2, -np.inf)


def test_a_target_that_stands_twice_counts_twice_where_the_vocabulary_is_chosen() -> None:
    # cell is in 2 of 4 documents, wind in 1: once each, wind log 4 = 1.39 is heavier than cell log 2 = .69; three times, cell is.
    corpus = [document("cell"), document("wind"), document("cell menu"), document("menu")]
    once = LayerClassifier.fit([[0, 1]], corpus, vocabulary_terms=1)
    often = LayerClassifier.fit([[0, 0, 0, 1]], corpus, vocabulary_terms=1)
    assert once.vocabulary.tolist() == document("wind").keys.tolist()
    assert often.vocabulary.tolist() == document("cell").keys.tolist()


def test_a_reference_corpus_says_how_rare_terms_are_and_one_unknown_is_as_rare_as_its_rarest() -> None:
    reference = Reference.of(100, {"sun": 1, "cell": 50, "menu": 10})
    assert reference.rarity_of(document("cell").keys) == pytest.approx([log(2)])
    classifier = LayerClassifier.fit([[0, 1], [2]], [A, B, C], reference=reference)
    rows = np.searchsorted(classifier.vocabulary, [document(term).keys[0] for term in ("cell", "sun", "wind")])
    assert classifier.rarity[rows] == pytest.approx([log(2), log(100), log(100)])
    # Among the documents wind is the rarest; in the corpus sun, which is in both targets, is heavier.
    best = LayerClassifier.fit([[0, 1], [2]], [A, B, C], vocabulary_terms=1, reference=reference)
    assert best.vocabulary.tolist() == document("sun").keys.tolist()


@pytest.mark.parametrize("frequencies", [{}, {"sun": 0}, {"sun": 2**31}, {"\ud800": 1}])
def test_counts_that_cannot_be_give_no_weight_that_is_no_number(frequencies: dict[str, int]) -> None:
    for documents in (0, 10):
        rarity = Reference.of(documents, frequencies).rarity_of(document("sun wind").keys)
        assert np.isfinite(rarity).all() and (rarity >= 0).all()
