"""Combined: context, hub score and a classifier of links, added up by weights."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from focused.crawl.strategy import Waiting
from focused.exceptions import ModelError
from focused.scoring.hashed_terms import HASHED, hashed
from focused.strategies.adaptive.page_regression import PageRegression
from focused.strategies.adaptive.topic_regressions import TopicRegressions
from focused.strategies.combined import NONE, WORDS, Combined, words_of
from tests.contract.world import KEYWORDS, Visits, make_page, toy_world

PAGE = make_page(
    "http://a.example/",
    ("solar cell solar", ["http://host0.example/good"]),
    ("tax law", ["http://host1.example/bad"]),
)


def combined(**options: object) -> tuple[Combined, Visits]:
    return Combined(Combined.Options(**options), toy_world(KEYWORDS)), Visits(KEYWORDS)


def visited(strategy: Combined, visits: Visits, page: object = PAGE) -> np.ndarray:
    visit = visits.of(page)
    visits.show(strategy.world)
    return strategy.score(visit)[1]


def test_the_score_is_the_weighted_sum_of_its_parts() -> None:
    strategy, visits = combined(context_weight=0.5, hub_weight=0.3, classifier_weight=0.2)
    visit = visits.of(PAGE)
    visits.show(strategy.world)
    scores, parts = strategy.score(visit)
    assert scores == pytest.approx(parts @ [0.5, 0.3, 0.2])
    assert parts[:, 1].tolist() == [0.4, 0.4]  # it points to two seed hosts: 2 · 1 / (1 + 4)
    assert parts[0, 0] > parts[1, 0] == 0.0


def test_before_it_has_learned_all_links_are_as_likely_as_not() -> None:
    strategy, visits = combined()
    assert visited(strategy, visits)[:, 2].tolist() == [0.5, 0.5]


def test_words_that_led_to_relevant_pages_make_a_link_likely() -> None:
    strategy, visits = combined()
    visited(strategy, visits)
    for url, text in (("http://host0.example/good", "solar energy"), ("http://host1.example/bad", "football club")):
        visited(strategy, visits, make_page(url, (text, [])))
    like = make_page(
        "http://c.example/", ("solar cell solar", ["http://x.example/"]), ("tax law", ["http://y.example/"])
    )
    likely = visited(strategy, visits, like)[:, 2]
    assert likely[0] > 0.5 > likely[1]


def test_the_queue_is_scored_anew_by_what_was_learned() -> None:
    strategy, visits = combined()
    visited(strategy, visits)
    for number in range(20):
        leaf = f"http://m{number}.example/"
        visited(strategy, visits, make_page(f"http://n{number}.example/", ("solar cell solar", [leaf])))
        visited(strategy, visits, make_page(leaf, ("solar energy", [])))
    ids = np.array([visits.id("http://host0.example/good"), visits.id("http://a.example/")])
    waiting = Waiting(ids, np.zeros(2), np.array([[1.0, 0.4, 0.5], [0.0, 0.0, 0.0]]))
    changes = strategy.rescore(waiting)().changes
    assert changes.ids.tolist() == ids[:1].tolist()  # a seed has no words
    assert changes.parts[0, 2] > 0.9
    assert changes.parts[0, :2].tolist() == [1.0, 0.4]


def test_of_several_links_to_one_url_the_first_counts() -> None:
    page = make_page("http://a.example/", ("tax law", ["http://b.example/"]), ("solar", ["http://b.example/"]))
    strategy, visits = combined()
    visited(strategy, visits, page)
    stored = strategy._words[visits.id("http://b.example/")]
    assert stored.tolist() == words_of(page, 0, hashed(page.terms)).tolist()


def test_a_link_has_its_distinct_words_the_anchor_first() -> None:
    page = make_page("http://a.example/", ("b a a c", ["http://b.example/"]))
    words = words_of(page, 0, hashed(page.terms))
    b, a, c = hashed(["b", "a", "c"]).tolist()
    assert words.tolist() == [b, a, c, *[NONE] * (WORDS - 3)]


def test_a_model_that_learned_nothing_of_links_is_refused() -> None:
    pages = PageRegression(np.zeros(1, np.float32), np.zeros(1, np.float32), 0.0, 0)
    with pytest.raises(ModelError, match="'courses' has learned nothing of links, which combined needs"):
        Combined(Combined.Options(model="courses"), toy_world(model=TopicRegressions(pages, None)))


def test_how_likely_a_link_is_is_counted_by_hand() -> None:
    good, other, bad = "http://h.example/good", "http://h.example/other", "http://h.example/bad"
    strategy, visits = combined(context_weight=0.5, hub_weight=0.3, classifier_weight=0.2)
    visited(strategy, visits, make_page("http://h.example/", ("solar cell", [good, other]), ("tax", [bad])))
    for url, text in ((good, "solar"), (other, "solar"), (bad, "law")):
        visited(strategy, visits, make_page(url, (text, [])))
    # relevant: 2 pages, solar 2, cell 2 of 4 words; other: 1 page, tax 1 of 1. Prior odds 3 : 2
    once = (HASHED + 1) / (HASHED + 4)  # of a word that neither had, the first has so much more of the second's total
    odds = [3 / 2 * 3 * once, 3 / 2 * 3 * once * 3 * once, 3 / 2 / 2 * once, 3 / 2 * once, 3 / 2 * 3 / 2 * once**2]
    texts = ["solar", "cell solar", "tax", "wind", "cell tax"]
    urls = [f"http://n.example/{number}" for number in range(len(texts))]
    page = make_page("http://n.example/", *((text, [url]) for text, url in zip(texts, urls, strict=True)))
    expected = [pytest.approx(odd / (1 + odd)) for odd in odds]
    assert visited(strategy, visits, page)[:, 2].tolist() == expected
    ids = np.array([visits.id(url) for url in urls])
    changes = strategy.rescore(Waiting(ids, np.zeros(5), np.tile([0.7, 0.4, 0.5], (5, 1))))().changes
    assert changes.parts[:, 2].tolist() == expected
    assert changes.scores == pytest.approx(0.5 * 0.7 + 0.3 * 0.4 + 0.2 * changes.parts[:, 2])


def test_a_url_keeps_the_words_of_the_first_page_that_links_to_it_even_if_it_is_one_word() -> None:
    strategy, visits = combined()
    first, second = (make_page(f"http://{n}.example/", (n, ["http://x.example/"])) for n in ("tax", "solar"))
    visited(strategy, visits, first)
    visited(strategy, visits, second)
    stored = strategy._words[visits.id("http://x.example/")]
    assert stored.tolist() == words_of(first, 0, hashed(first.terms)).tolist()


def test_of_a_context_so_many_terms_are_looked_at_however_often_they_are_the_same() -> None:
    page = make_page("http://a.example/", (" ".join([*["a"] * (2 * WORDS - 1), "b", "c"]), ["http://b.example/"]))
    words = words_of(page, 0, hashed(page.terms))
    assert words[words != NONE].tolist() == hashed(["a", "b"]).tolist()


def test_a_trained_model_says_how_likely_links_are_and_the_queue_is_never_scored_anew() -> None:
    promises = {PAGE.url: [0.25, 0.75]}
    links = SimpleNamespace(promise=lambda page: np.array(promises[page.url]))
    strategy = Combined(Combined.Options(model="courses"), toy_world(KEYWORDS, model=SimpleNamespace(links=links)))
    assert visited(strategy, Visits(KEYWORDS))[:, 2].tolist() == promises[PAGE.url]
    assert strategy.rescore_every == 0
    assert combined(rescore_every=7)[0].rescore_every == 7
