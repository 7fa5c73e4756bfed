"""Positive samples: relevance by TF-IDF to the query and to pages distilled from the crawl."""

from collections.abc import Sequence

import pytest

from focused.papers.models.positive_samples import EXAMPLE, PositiveSamples, cosines


def samples_of(*texts: str, query: str = "a", examples: Sequence[str] = (), most: int = 50) -> PositiveSamples:
    samples = PositiveSamples(dict.fromkeys(query.split(), 1), [example.split() for example in examples], most)
    for url, text in enumerate(texts):
        samples.add(url, text.split())
    return samples


def relevance(samples: PositiveSamples) -> list[float]:
    return [float(value) for value in samples.batch(0.0).judge()[0]]


def test_without_samples_relevance_is_the_cosine_with_the_keywords() -> None:
    # a and b have the same weight, for both occur in two documents of three
    assert relevance(samples_of("a", "b", "a b")) == pytest.approx([1.0, 0.0, 0.7071068])


def test_samples_are_asked_for_as_much_as_the_keywords() -> None:
    # weights: a log(1 + 2/1) = 1.0986, b log(1 + 2/2) = .6931; sample (1.0986, .6931) / 1.2990 = (.8457, .5336)
    # wanted: (1, 0) + (.8457, .5336) = (1.8457, .5336), length 1.9213
    found = relevance(samples_of("b", examples=["a b"]))
    assert found == pytest.approx(
        [(0.845737 * 1.845737 + 0.533600 * 0.533600) / 1.921312, 0.533600 / 1.921321], abs=1e-5
    )


def test_the_mean_of_the_samples_counts() -> None:
    # all weights are equal; wanted: (1, 0) + ((1, 0) + (0, 1)) / 2 = (1.5, .5)
    assert relevance(samples_of(examples=["a", "b"])) == pytest.approx([1.5 / 2.5**0.5, 0.5 / 2.5**0.5])


def test_only_the_most_frequent_terms_of_a_page_are_kept() -> None:
    assert relevance(samples_of("b b a", most=1)) == [0.0]


@pytest.mark.parametrize(("share", "distilled"), [(0.0, []), (0.25, [0]), (0.5, [0, 2]), (1.0, [0, 2, 3])])
def test_the_best_of_a_batch_are_distilled_but_nothing_irrelevant(share: float, distilled: list[int]) -> None:
    assert samples_of("a", "b", "a b", "a b b").batch(share).judge()[1] == distilled


def test_a_page_must_be_better_than_the_samples_are_on_average() -> None:
    # weights: a log(1 + 3/3) = .6931, b and c log(1 + 3/1) = 1.3863. The bar is .4472 = cos(a, a b), the sample without itself.
    # The page a c has cos(a + (.4472, .8944), a c) = (1.4472 · .4472) / 1.7013 = .3804, and a has 1.4472 / 1.7013 = .8507
    found, judged = samples_of("a c", "a", examples=["a b"]).batch(1.0).judge()
    assert found[1:] == pytest.approx([0.3804, 0.8507], abs=1e-4)
    assert judged == [0, 2]


def test_each_sample_is_compared_with_the_others() -> None:
    samples = samples_of("a", "a b", "b", "a a b", "c", "a c c")
    samples.samples = [0, 1, 4]
    batch = samples.batch(1.0)
    vectors, keywords = batch._vectors()
    alone = []
    for sample in batch.samples:
        others = [other for other in batch.samples if other != sample]
        alone.append(cosines(vectors[[sample]], keywords + vectors[others].sum(axis=0) / len(others))[0])
    assert batch._relevance_of_samples(vectors[list(batch.samples)], keywords) == pytest.approx(alone)


def test_what_is_a_sample_already_takes_no_place_of_those_that_may_be_distilled() -> None:
    samples = samples_of("a", "a a b", examples=["a"])
    samples.samples.append(1)
    assert samples.batch(0.5).judge()[1] == [0, 1]
    assert samples_of("a", "a b").batch(0.5).judge()[1] == [0]


def test_each_page_is_judged_in_one_batch() -> None:
    samples = samples_of("a")
    samples.adopt(samples.batch(1.0).judge()[1])
    assert samples.samples == [0]
    samples.add(1, ["c"])
    samples.add(2, ["a", "c"])
    batch = samples.batch(1.0)
    assert batch.first == 1
    assert batch.judge()[1] == [0]


def test_samples_that_come_while_a_batch_is_judged_stay() -> None:
    samples = samples_of("a", "b")
    judged = samples.batch(1.0).judge()[1]
    samples.add(7, ["c"], positive=True)
    samples.adopt(judged)
    assert samples.samples == [0, 2]


def test_examples_are_documents_of_no_url() -> None:
    assert samples_of("b", examples=["a"]).batch(0.0).urls.tolist() == [EXAMPLE, 0]


@pytest.mark.parametrize(("query", "texts"), [("", ["a", ""]), ("a", [""]), ("a", []), ("", [])])
def test_what_is_empty_is_irrelevant(query: str, texts: list[str]) -> None:
    assert relevance(samples_of(*texts, query=query)) == [0.0] * len(texts)
