"""The page model that learns: keywords first, then seeds that look like the topic, then the best pages so far."""

from math import hypot, log, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focused.scorers.topic_model import BEST, HEAD, MOST_NEW, SAMPLE, TopicModel
from focused.scorers.vectors import hashed, number, unit
from focused.scorers.word_vectors import WordVectors

KEYWORDS = {"solar": 1, "energy": 1}
VECTORS = WordVectors()


def weight(model: TopicModel, term: str) -> float:
    return float(model.weights[number(term)])


def read(model: TopicModel, *texts: str, seeds: int = 0) -> list[float]:
    """Let a model learn pages of which the first so many are seeds; return their relevance."""
    return [model.learn(model.read(text.split()), is_seed=number < seeds) for number, text in enumerate(texts)]


def web(pages: int = 50) -> list[str]:
    """Pages of which every eighth is about the topic, and of solar inverters; the others are about football."""
    return [f"solar inverter {n}" if n % 8 == 7 else f"football cup {n}" for n in range(pages)]


def kept(model: TopicModel) -> int:
    return len(model.state()["kept"])


def test_the_idf_counts_the_pages_that_have_a_term() -> None:
    model = TopicModel(KEYWORDS)
    read(model, "solar tax tax", "tax", "law")
    ids = hashed(["tax", "solar", "never"])
    assert model.idf(ids) == pytest.approx([log(4 / 2.5), log(4 / 1.5), log(4 / 0.5)])


def test_a_page_comes_back_as_numbers_in_order() -> None:
    model = TopicModel(KEYWORDS)
    words = model.read(["tax", "solar", "tax"])
    assert words.tokens.tolist() == hashed(["tax", "solar", "tax"]).tolist()
    assert dict(zip(words.ids.tolist(), words.weights.tolist(), strict=True)) == pytest.approx(
        {number("tax"): 1 + log(2), number("solar"): 1.0}
    )


def test_at_first_the_keywords_alone_make_the_direction() -> None:
    model = TopicModel(KEYWORDS)
    read(model, "tax law", "solar law", "law")
    # idf: ln(4 / 1.5) = 0.9808 of solar, ln(4 / 0.5) = 2.0794 of energy; of unit length
    assert (weight(model, "solar"), weight(model, "energy")) == pytest.approx((0.4266, 0.9044), abs=1e-4)
    assert (weight(model, "tax"), weight(model, "law")) == (0.0, 0.0)


def test_pages_with_keywords_are_relevant_and_others_are_not() -> None:
    relevance = read(TopicModel(KEYWORDS), "tax", "law", "solar tax", "solar energy", "football")
    assert relevance == [0.0, 0.0, 1.0, 1.0, 0.0]


def test_the_relevance_lies_between_the_quantiles_of_the_pages_so_far() -> None:
    model = TopicModel({"solar": 1})
    others = ["tax", "law", "cup"]
    *_, relevance = read(model, *others, "solar", "solar", *others, "tax", "law", "solar tax tax tax")
    # The last fit is after page 10: q' = solar, and one of one term has a BM25 of idf * 2.2 / 2.2. Its 98 % quantile
    # over ten pages lies 0.82 of the way from the second highest to the highest, and so does that of the raw scores.
    page_4, page_5 = log(5 / 1.5), log(6 / 2.5)
    bm25_top = page_5 + 0.82 * (page_4 - page_5)
    raw_4, raw_5 = 1 + 0.5 * page_4 / bm25_top, 1 + 0.5 * page_5 / bm25_top
    top = raw_5 + 0.82 * (raw_4 - raw_5)  # and low is 0, eight of the ten being 0
    # Page 11 has 4 terms, and pages have 14 / 11 on average. The idf of solar is ln(12 / 3.5), that of tax ln(12 / 4.5).
    solar, tax = log(12 / 3.5), log(12 / 4.5) * (1 + log(3))
    bm25 = solar * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 4 * 11 / 14))
    assert relevance == pytest.approx((solar / hypot(solar, tax) + 0.5 * bm25 / bm25_top) / top)


def test_a_seed_that_looks_like_the_topic_shifts_the_weights() -> None:
    with_seed, without = TopicModel(KEYWORDS), TopicModel(KEYWORDS)
    read(with_seed, "solar collector", *web(49), seeds=1)
    read(without, "solar collector", *web(49))
    assert weight(with_seed, "collector") > weight(without, "collector") + 0.1


def test_a_seed_that_looks_unlike_the_topic_is_not_trusted() -> None:
    with_seed, without = TopicModel(KEYWORDS), TopicModel(KEYWORDS)
    read(with_seed, "recipe cake", *web(49), seeds=1)
    read(without, "recipe cake", *web(49))
    assert weight(with_seed, "recipe") == 0.0
    np.testing.assert_array_equal(with_seed.weights, without.weights)


def test_examples_are_trusted_at_once() -> None:
    model = TopicModel(KEYWORDS, [["collector", "glass"]])
    read(model, "football")
    assert weight(model, "collector") > 0
    assert weight(model, "solar") > 0


def test_feedback_adds_the_words_of_the_best_pages() -> None:
    model = TopicModel(KEYWORDS)
    read(model, *web(30))
    assert weight(model, "inverter") == 0.0
    read(model, "football")  # page 31: the model is fitted anew
    assert weight(model, "inverter") > 0.1
    assert weight(model, "football") == weight(model, "cup") == 0.0


def test_words_learned_tell_pages_apart_that_say_the_keywords_alike() -> None:
    model = TopicModel(KEYWORDS)
    read(model, *web())
    rest = " ".join(f"w{n}" for n in range(40))
    learned, other, without = read(model, f"solar inverter {rest}", f"solar football {rest}", f"inverter {rest}")
    assert learned > other > without == 0.0


def test_the_best_of_a_crawl_that_fails_is_not_relevant() -> None:
    words = ["football", "cup", "goal", "tax", "law", "court", "flour", "oven", "poem", "rhyme"]
    pages = [" ".join(words[(n + step) % 10] for step in range(1 + n % 4)) for n in range(80)]
    failing = [*pages, "flour oven solar poem rhyme " + " ".join(f"w{n}" for n in range(3000))]
    assert max(read(TopicModel(KEYWORDS), *failing)) < 0.5
    assert read(TopicModel(KEYWORDS), *pages, "solar energy flour")[-1] == 1.0


def density(keywords: list[str], text: str, *examples: str, vectors: WordVectors | None = None) -> float:
    model = TopicModel(dict.fromkeys(keywords, 1), [example.split() for example in examples], vectors=vectors)
    return model.read(text.split()).density


def test_density_is_the_cosine_of_keywords_and_term_frequencies() -> None:
    text = "solar solar solar solar energy tax law court"
    assert density(["solar", "energy"], text) == pytest.approx(5 / sqrt(2 * 20))
    assert density(["solar", "energy"], "") == density(["solar", "energy"], "tax law") == 0.0
    assert density(["solar"], "solar") == 1.0


def test_no_page_needs_to_say_hundreds_of_keywords() -> None:
    words = [f"word{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(300)]
    text = " ".join([*words[:10], *(f"w{n}" for n in range(200))])
    assert density(words[:15], text) == density(words[:100], text) == density(words, text) > 0.0


def test_words_near_a_keyword_make_a_page_dense_but_less_than_the_keyword_does() -> None:
    keyword, near, far = (density(["astronomi"], text, vectors=VECTORS) for text in ("astronomi", "telescop", "oven"))
    assert keyword == 1.0
    assert 0.0 < near < 0.9
    assert far == 0.0


def test_far_down_a_page_the_keywords_alone_make_it_dense() -> None:
    beginning = " ".join(f"w{n}" for n in range(HEAD))
    assert density(["astronomi"], f"{beginning} telescop", vectors=VECTORS) == 0.0
    assert density(["astronomi"], f"{beginning} astronomi", vectors=VECTORS) > 0.0


def test_words_learned_make_no_page_denser() -> None:
    model = TopicModel(KEYWORDS)
    read(model, *web())
    assert weight(model, "inverter") > 0.1
    assert model.read(["inverter"]).density == 0.0


def test_a_topic_of_few_keywords_asks_for_less_dense_pages() -> None:
    words = [f"word{chr(97 + n)}" for n in range(10)]
    rest = " ".join(f"w{n}" for n in range(200))
    pages = ["football cup", "tax law", f"{words[0]} {rest}"]
    few, many = (read(TopicModel(dict.fromkeys(words[:count], 1)), *pages)[-1] for count in (1, 10))
    assert few > 3 * many > 0.0


def test_examples_that_hardly_say_the_keywords_let_pages_like_them_be_relevant() -> None:
    filler = " ".join(f"w{n}" for n in range(3000))
    pages = ["football cup", "tax law", f"solar {filler}"]
    assert read(TopicModel(KEYWORDS), *pages)[-1] < 0.6
    assert read(TopicModel(KEYWORDS, [f"solar {filler} x".split()]), *pages)[-1] == 1.0
    assert read(TopicModel(KEYWORDS, [["panel", "roof"]]), *pages, "panel roof")[-1] > 0.0


def test_a_page_that_a_trained_model_knows_needs_no_keyword() -> None:
    def relevance(said: float) -> float:
        model = TopicModel(KEYWORDS)
        read(model, "football cup", "tax law")
        return model.learn(model.read(["panel", "roof"]), is_seed=False, said=said)

    assert relevance(0.9) == pytest.approx(0.9)
    assert relevance(0.0) == 0.0


def test_without_keywords_seeds_or_examples_nothing_is_relevant() -> None:
    assert read(TopicModel({}), *web(10)) == [0.0] * 10


def test_without_keywords_examples_make_the_direction() -> None:
    relevance = read(TopicModel({}, [["solar", "energy"]]), "tax", "law", "solar panel")
    assert relevance == [0.0, 0.0, 1.0]


def test_empty_pages_are_not_relevant_and_do_no_harm() -> None:
    model = TopicModel(KEYWORDS, [[]], vectors=VECTORS)
    assert read(model, *[""] * 60) == [0.0] * 60
    assert read(model, "solar energy") == [1.0]


def test_an_empty_page_is_not_relevant_where_others_mean_the_opposite() -> None:
    model = TopicModel(KEYWORDS, vectors=VECTORS)
    read(model, *web(100))
    assert read(model, "") == [0.0]


def test_words_of_one_number_have_their_own_vectors() -> None:
    model, fresh = (TopicModel(KEYWORDS, vectors=WordVectors()) for _ in range(2))
    assert number("mutu") == number("rigi")
    assert len(model.read(["mutu", "rigi"]).ids) == 1
    np.testing.assert_array_equal(model.read(["rigi"]).meaning, fresh.read(["rigi"]).meaning)


def test_a_page_without_a_keyword_is_relevant_if_its_words_mean_the_topic() -> None:
    pages = ["football cup goal", "tax law court", "telescope galaxy planet", "recipe flour oven"]
    assert read(TopicModel({"astronomi": 1}, vectors=VECTORS), *pages)[2] > 0.9
    assert read(TopicModel({"astronomi": 1}), *pages)[2] == 0.0


def test_words_close_to_the_topic_are_those_that_mean_it() -> None:
    model = TopicModel({"astronomi": 1}, vectors=VECTORS)
    astronomi, galaxy, football, again = model.closeness(
        model.words(["astronomi", "galaxi", "football", "galaxi"]).rows
    )
    assert astronomi == pytest.approx(1 - 0.2, abs=0.01)
    assert 0.1 < galaxy < astronomi
    assert football == 0.0
    assert again == galaxy


def test_an_example_shifts_what_the_topic_means() -> None:
    model = TopicModel({"astronomi": 1}, [["recip", "flour", "oven"]], vectors=VECTORS)
    read(model, "football")
    bread, cup = model.closeness(model.words(["bread", "cup"]).rows)
    assert bread > 0.05 > cup


def test_seeds_and_the_best_pages_shift_what_the_topic_means() -> None:
    def close(seeds: int, pages: int) -> float:
        model = TopicModel({"solar": 1}, vectors=VECTORS)
        read(model, *(f"solar violin {n}" if n % 8 == 0 else f"football cup {n}" for n in range(pages)), seeds=seeds)
        return float(model.read(["violin"]).meaning @ model.meaning)

    keywords_alone = close(0, 30)  # no feedback before page 31
    assert abs(keywords_alone) < 0.1
    assert close(1, 30) > 0.2
    assert close(0, 31) > keywords_alone + 0.05


def test_words_count_less_the_later_a_page_uses_them_first_and_not_again() -> None:
    model = TopicModel(KEYWORDS, vectors=VECTORS)

    def meaning(*terms: str) -> np.ndarray:
        return model.read(terms).meaning

    first, later = meaning("galaxy", *["tax"] * 99, "football"), meaning("football", *["tax"] * 99, "galaxy")
    galaxy = meaning("galaxy")
    assert first @ galaxy > later @ galaxy + 0.1
    np.testing.assert_array_equal(meaning("tax", "galaxy", "tax"), meaning("tax", "galaxy"))
    np.testing.assert_array_equal(meaning("tax", *["law"] * (HEAD - 1), "galaxy"), meaning("tax", "law"))


words = st.sampled_from(["solar", "energy", "inverter", "football", "cup", "größe"])


@settings(max_examples=10)
@given(pages=st.lists(st.tuples(st.lists(words, max_size=6), st.booleans()), max_size=45))
def test_relevance_is_always_between_0_and_1(pages: list[tuple[list[str], bool]]) -> None:
    model = TopicModel(KEYWORDS, vectors=VECTORS)
    relevance = [model.learn(model.read(terms), is_seed=is_seed) for terms, is_seed in pages]
    assert all(0.0 <= value <= 1.0 for value in relevance)
    assert np.linalg.norm(model.weights) == pytest.approx(1.0 if pages else 0.0)


def test_what_it_remembers_is_bounded_and_its_seeds_are_never_forgotten() -> None:
    model = TopicModel(KEYWORDS)
    read(model, *web(2000), seeds=3)
    assert SAMPLE <= kept(model) <= BEST + SAMPLE + MOST_NEW + 3
    model.fit()
    assert SAMPLE <= kept(model) <= BEST + SAMPLE + 3
    numbers, is_seed, draws, _ = model.state()["kept"].T
    assert numbers[is_seed == 1].tolist() == [1, 2, 3]
    sample = numbers[np.argsort(draws)[:SAMPLE]]
    assert np.histogram(sample, bins=4, range=(1, 2000))[0] == pytest.approx([SAMPLE / 4] * 4, abs=10)  # of all times


def test_a_vector_gets_unit_length_and_one_of_length_0_stays() -> None:
    assert unit(np.array([3.0, 4.0])).tolist() == [0.6, 0.8]
    assert unit(np.zeros(2)).tolist() == [0.0, 0.0]
