"""As ACHE: hard focus, and a classifier of links that is learned from those followed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from focused.crawl.strategy import Rescoring, Waiting
from focused.testing.toy_world import Visits, make_page
from lab.crawlers.yardstick import YardstickWorld
from lab.crawlers.yardsticks.ache_like import AcheLike, link_words, trained

HUB = "http://a.example/hub"
LINK = "http://b.example/"


def begin() -> AcheLike:
    return AcheLike(AcheLike.Options(), YardstickWorld({"solar": 1}, words=("solar",)))


class TestWords:
    def test_a_link_is_known_by_its_url_its_anchor_and_what_stands_around_it(self):
        page = make_page(HUB, ("tax law", []), ("solar cell price", ["http://b.example/Shop/pv-2.html?s%C3%BCd=x"]))
        assert link_words(page, page.links[0]) == (
            *("url shop", "url pv", "url html", "url süd"),
            *("anchor solar", "anchor cell"),
            *("around solar", "around cell", "around price"),
        )


class TestClassifier:
    def test_it_learns_which_words_lead_to_relevant_pages(self):
        samples = [(("anchor solar", "url pv"), True), (("anchor tax", "url pv"), False)] * 3
        classifier = trained(samples)
        assert classifier is not None
        good, neither, bad = map(classifier.probability, (["anchor solar"], ["url pv"], ["anchor tax"]))
        assert 1 > good > neither > bad > 0

    def test_there_are_no_more_irrelevant_samples_than_relevant_ones(self):
        classifier = trained([(("url a",), True), (("url a", "url b"), False), (("url b", "url c"), False)] * 2)
        # In this order the second of each three is taken; the third never is, so that c is in no link.
        assert classifier is not None
        assert sorted(classifier.weights) == ["url a", "url b"]


class TestFocus:
    def test_links_of_a_page_that_is_not_relevant_are_dropped(self):
        visit = replace(Visits().of(make_page(HUB, ("solar", [LINK]))), depth=1, relevant=False)
        assert np.isnan(begin().visited(visit).scores).all()

    @pytest.mark.parametrize(("depth", "relevant"), [(0, False), (0, True), (3, True)])
    def test_links_of_relevant_pages_and_of_seeds_have_the_relevance_of_their_page(self, depth, relevant):
        visit = replace(Visits().of(make_page(HUB, ("solar", [LINK]))), depth=depth, relevant=relevant, relevance=0.3)
        changes = begin().visited(visit)
        assert changes.scores.tolist() == [0.3]
        assert changes.parts.tolist() == [[0.3, 0.0]]


def test_what_was_learned_scores_what_waits_and_what_is_found():
    crawling, visits = begin(), Visits()
    urls = {
        name: f"http://b.example/{name}"
        for name in ("pv/one", "pv/two", "news/one", "news/two", "pv/last", "news/last")
    }
    hub = visits.of(make_page(HUB, ("solar", list(urls.values()))))
    crawling.visited(replace(hub, relevant=True, relevance=0.4))
    for name in list(urls)[:4]:
        visit = visits.of(make_page(urls[name], ("solar", [])))
        crawling.visited(replace(visit, relevant=name.startswith("pv")))
    waiting = hub.targets[4:]
    job = crawling.rescore(Waiting(waiting, np.full(2, 0.4), np.array([[0.4, 0.0]] * 2)))
    assert job is not None
    rescoring = job()
    assert isinstance(rescoring, Rescoring)
    assert rescoring.changes.replace
    assert rescoring.changes.ids.tolist() == waiting.tolist()
    pv, news = rescoring.changes.scores.tolist()
    assert pv > 0.5 > news
    assert rescoring.changes.parts.tolist() == [[0.4, pv], [0.4, news]]

    later = visits.of(make_page("http://a.example/later", ("solar", ["http://c.example/news", "http://c.example/pv"])))
    later = replace(later, relevant=True, relevance=0.2)
    assert crawling.visited(later).scores.tolist() == [0.2, 0.2]  # until what was learned takes effect
    crawling.adopt(rescoring.learned)
    assert np.diff(crawling.visited(later).scores) > 0
