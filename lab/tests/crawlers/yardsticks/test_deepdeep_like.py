"""What links are worth is learned from what they led to, and the best are followed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from focused.crawl.strategy import Rescoring, Waiting
from focused.testing.toy_world import Visits, make_page
from lab.crawlers.yardstick import YardstickWorld
from lab.crawlers.yardsticks.deepdeep_like import (
    BEFORE_LEARNING,
    EPSILON,
    GAMMA,
    HASHED,
    SAME_HOST,
    DeepDeepLike,
    Experience,
    LinearQ,
)

NONE, ONE, FOUR = (np.array(features, np.int32) for features in ([], [3], [0, 1, 2, 3]))


def test_it_learns_what_it_is_shown_often():
    q = LinearQ()
    q.learn([ONE, FOUR] * 500, [1.0, -0.5] * 500, 5)
    assert q.values([ONE, FOUR]).tolist() == pytest.approx([1.0, -0.5], abs=1e-3)


URLS = {
    words: f"http://b.example/{words.replace(' ', '-')}" for words in ("solar cells", "list of", "tax law", "new words")
}


def begin() -> DeepDeepLike:
    return DeepDeepLike(DeepDeepLike.Options(), YardstickWorld({"solar": 1}, words=("solar",)))


def learner() -> tuple[DeepDeepLike, Visits]:
    """One that has followed a link to a relevant page 200 times, one to a page before it, and one to nothing."""
    crawling, visits = begin(), Visits()
    hub = make_page("http://a.example/", *((words, [url]) for words, url in URLS.items()))
    crawling.visited(visits.of(hub))
    crawling.rescore_every = 0
    pages = {
        "solar cells": make_page(URLS["solar cells"], ("solar", [])),
        "list of": make_page(URLS["list of"], ("solar cells", [URLS["solar cells"]])),
        "tax law": make_page(URLS["tax law"], ("tax", [])),
    }
    for number in range(200):
        for words, page in pages.items():
            crawling.world.picks += 1
            crawling.visited(replace(visits.of(page), relevance=float(words == "solar cells")))
        if number % 33 == 32:
            take_effect(crawling, visits)
    return crawling, visits


def take_effect(crawling: DeepDeepLike, visits: Visits) -> Rescoring:
    ids = np.array([visits.id(url) for url in URLS.values()])
    job = crawling.rescore(Waiting(ids, np.zeros(len(ids)), np.zeros((len(ids), 1))))
    assert job is not None
    rescoring = job()
    crawling.adopt(rescoring.learned)
    return rescoring


def test_a_link_is_known_by_its_anchor_and_whether_it_stays_on_its_host():
    crawling, visits = begin(), Visits()
    page = make_page(
        "http://a.example/", ("solar cells", ["http://a.example/x", "http://b.example/y", "http://a.example/x"])
    )
    visit = visits.of(page)
    crawling.visited(visit)
    inside, outside = (set(crawling._features[url].tolist()) for url in visit.targets[:2].tolist())
    assert inside == outside | {SAME_HOST}
    assert max(outside) < HASHED


def test_values_are_rewards_now_and_discounted_rewards_later():
    crawling, visits = learner()
    rescoring = take_effect(crawling, visits)
    assert rescoring.changes.replace
    values = dict(zip(URLS, rescoring.changes.scores.tolist(), strict=True))
    assert values["solar cells"] == pytest.approx(1.0, abs=0.02)
    assert values["list of"] == pytest.approx(GAMMA, abs=0.02)
    assert values["tax law"] == pytest.approx(0.0, abs=0.02)


def test_the_best_link_of_a_page_counts_by_the_function_that_chooses():
    crawling, visits = begin(), Visits()
    crawling.visited(visits.of(make_page("http://a.example/", ("solar", list(URLS.values())))))
    crawling.visited(replace(visits.of(make_page(URLS["tax law"], ("", ["http://c.example/"]))), relevance=0.5))
    (experience,) = crawling._experiences
    links = [visits.id("http://c.example/")]
    assert experience == Experience(visits.id(URLS["tax law"]), 0.5, experience.links, BEFORE_LEARNING)
    assert experience.links.tolist() == links


class Ready:
    def ready(self) -> Waiting:
        return Waiting(np.arange(10), np.zeros(10), np.zeros((10, 1)))


def test_every_fifth_link_is_a_random_one():
    crawling, chosen = begin(), []
    for _ in range(2000):
        crawling.world.picks += 1
        chosen.append(crawling.choose(Ready()))
    drawn = [url for url in chosen if url is not None]
    assert len(drawn) / len(chosen) == pytest.approx(EPSILON, abs=0.03)
    assert set(drawn) == set(range(10))
