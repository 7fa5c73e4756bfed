"""The usual link scorers: columns of URLs, from all links to them and from what became of their like."""

import numpy as np
import pytest

from focused.crawl.arrays import IntArray
from focused.page.page import Page
from focused.scorers.link_classifier import GROUPS
from focused.scorers.link_scorer import LinkHistory
from focused.scorers.pipeline import USUAL
from focused.scorers.topic_model import TopicModel, Words
from focused.scorers.vectors import number
from focused.scorers.word_vectors import WordVectors
from focused.testing.toy_world import Visits, make_page, toy_world

KEYWORDS = {"solar": 1, "energy": 1}
URL = "http://b.example/~ann/solar/7.html?x=1"
ONE = make_page("http://a.example/", ("solar energy tax law", [URL]))
OTHER = make_page("http://b.example/other", ("tax law solar energy", [URL]), ("tax", ["http://b.example/"]))


class Seen:
    """Evidence of some pages, in a world in which all terms are equally rare: each has an idf of ln 2."""

    def __init__(self, model: TopicModel | None = None) -> None:
        self.visits, self.world = Visits(KEYWORDS), toy_world(KEYWORDS)
        self.model = model or TopicModel(KEYWORDS)
        if model is None:
            self.model.weights[number("law")] = 0.6  # the only word of the topic so far
        self.history = LinkHistory(self.world)
        self.scorers = [scorer(self.world, self.history) for scorer in USUAL]

    def add(self, page: Page, relevance: float, words: Words | None = None) -> None:
        visit = self.visits.of(page)
        self.visits.show(self.world)
        links = self.history.read(visit, self.model, words or self.model.read(page.terms), relevance)
        for scorer in self.scorers:
            scorer.add_links(links)
        self.history.add(links)

    def turned_out(self, url: str, relevance: float) -> None:
        for scorer in self.scorers:
            scorer.add_outcome(self.visits.id(url), relevance, is_seed=False)

    def ids(self, *urls: str) -> IntArray:
        ids = np.array([self.visits.id(url) for url in urls])
        self.visits.show(self.world)
        return ids

    def of(self, url: str) -> dict[str, float]:
        ids = self.ids(url)
        return {
            name: float(value)
            for scorer in self.scorers
            for name, (value,) in zip(scorer.prior, scorer.columns(ids), strict=True)
        }


def seen(*pages: tuple[Page, float]) -> Seen:
    made = Seen()
    for page, relevance in pages:
        made.add(page, relevance)
    return made


def listing(name: str, *urls: str) -> Page:
    """A page with a link to each URL, all of the same words."""
    return make_page(name, *(("tax", [url]) for url in urls))


def test_the_features_of_a_url_that_two_pages_link_to() -> None:
    assert seen((ONE, 0.5), (OTHER, 0.2)).of(URL) == pytest.approx(
        {
            "anchor_keywords": 1.0,  # of "solar energy"; of "tax law" 0
            "anchor_topic": 0.4242641,  # 0.6 / sqrt 2, of "tax law"; of "solar energy" 0
            "anchor_meaning": 0.0,  # a model without vectors knows of none
            "aggregated": 0.7071068,  # 2 / (sqrt 4 sqrt 2), by term frequencies
            "contexts_topic": 0.2,  # 0.6 / sqrt 4, in both: (0.3 + 0.3) / 3
            "url_keywords": 0.3535534,  # "~ ann solar html", numbers left out: 1 / (sqrt 4 sqrt 2)
            "url_topic": 0.0,
            "url_meaning": 0.0,
            "host": 0.05,  # nothing was fetched yet: what is expected of any page
            "directory": 0.05,
            "siblings": 0.25,  # what is expected is the mean of its sources
            "pattern": 0.05,
            "words": 0.0,
            "best_hub": 0.05,
            "mean_hub": 0.05,
            "seed_hosts": 0.0,
            "promise": 0.0,
            "same_host": 0.0,
            "url_depth": 0.5,  # 2 slashes / 4
            "user_page": 1.0,
            "is_folder": 0.0,
            "has_query": 1.0,
            "links_beside": 0.01,
            "anchor_length": 0.4,  # 2 / 5
            "context_length": 0.1,  # 4 / 40
        }
    )


def test_words_of_similar_meaning_speak_for_a_link_wherever_they_stand() -> None:
    def of(anchor: str, behind: str, url: str) -> tuple[float, ...]:
        made = Seen(TopicModel({"astronomi": 1}, vectors=WordVectors()))
        page = make_page("http://a.example/", (f"{anchor} {behind}", [url]))
        made.add(page, 0.5)
        features = made.of(url)
        return tuple(features[name] for name in ("anchor_meaning", "url_meaning"))

    vectors = WordVectors().of(["astronomi", "galaxies", "planet"])
    topic, *words = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    galaxies, planet = (float(word @ topic) - WordVectors.unrelated for word in words)
    anchor, url = of("galaxies planet", "football cup", "http://b.example/football")
    assert anchor == pytest.approx((galaxies + planet) / 2**0.5, abs=0.01)
    assert url == 0.0
    anchor, url = of("football cup", "tax law", "http://b.example/galaxies")
    assert anchor == 0.0
    assert url == pytest.approx(galaxies, abs=0.01)


def test_links_are_judged_by_what_their_own_page_has_taught() -> None:
    model = TopicModel({}, [["galaxi", "telescop"]], vectors=WordVectors())  # knows no topic before its first page
    made = Seen(model)
    page = make_page("http://a.example/", ("galaxi", [URL]))
    words = model.read(page.terms)
    model.learn(words, is_seed=True)
    made.add(page, 1.0, words)
    assert made.of(URL)["anchor_meaning"] > 0.2


def test_a_url_seen_again_keeps_the_form_in_which_it_was_first_found() -> None:
    first = seen((OTHER, 0.2), (ONE, 0.5)).of(URL)
    assert (first["same_host"], first["links_beside"]) == pytest.approx((1.0, 0.02))
    second = seen((ONE, 0.5), (OTHER, 0.2)).of(URL)
    assert (second["same_host"], second["links_beside"]) == pytest.approx((0.0, 0.01))


def test_a_page_that_links_twice_to_a_url_counts_once() -> None:
    page = make_page("http://a.example/", ("tax law", [URL]), ("solar energy", [URL]))
    features = seen((page, 0.5)).of(URL)
    assert features["siblings"] == pytest.approx(0.275)  # what is expected is the mean of its sources: (0.5 + 0.05) / 2
    assert (features["anchor_keywords"], features["anchor_topic"]) == pytest.approx((1.0, 0.4242641))


def test_context_reaches_twenty_terms_to_either_side() -> None:
    page = make_page("http://a.example/", (" ".join(["tax"] * 22 + ["law"]), [URL]))
    features = seen((page, 0.5)).of(URL)
    assert features["contexts_topic"] == 0.0  # the 23rd term, the anchor being the first two
    assert features["context_length"] == pytest.approx(0.55)  # 22 / 40


def test_a_root_is_a_folder_of_no_depth() -> None:
    features = seen((OTHER, 0.2)).of("http://b.example/")
    assert (features["is_folder"], features["url_depth"], features["url_keywords"]) == (1.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("fetched", "waits", "alike"),
    [
        ("http://b.example/x/1.html", "http://b.example/x/2.html", {"host", "directory", "pattern"}),
        ("http://b.example/~ann/1.html", "http://b.example/~bob/2.html", {"host", "pattern"}),
        ("http://b.example/x/1.html", "http://b.example/y/1.html", {"host"}),
        ("http://b.example/x/1.html", "http://c.example/x/1.html", set()),
    ],
)
def test_what_a_url_turned_out_to_be_speaks_for_its_like(fetched: str, waits: str, alike: set[str]) -> None:
    some = seen((listing("http://a.example/", fetched), 0.0), (listing("http://d.example/", waits), 0.0))
    some.turned_out(fetched, 1.0)
    features = some.of(waits)
    # (1 + 3 * 0.05) / (1 + 3) of the host, (1 + 2 * 0.05) / (1 + 2) of the others
    expected = {"host": 0.2875, "directory": 0.3666667, "pattern": 0.3666667}
    assert {name: features[name] for name in expected} == pytest.approx(
        {name: value if name in alike else 0.05 for name, value in expected.items()}
    )
    assert features["siblings"] == pytest.approx(0.025)  # they stand on different pages: (0 + 0.05) / 2


def test_links_that_stand_alike_on_a_page_are_siblings() -> None:
    some = seen((listing("http://a.example/", "http://b.example/1", "http://c.example/2"), 0.3))
    some.turned_out("http://b.example/1", 1.0)
    assert some.of("http://c.example/2")["siblings"] == pytest.approx(0.45)  # (1 + 2 * (0.3 + 0.05) / 2) / (1 + 2)


def test_a_page_that_nobody_links_to_speaks_for_its_host_alone() -> None:
    some = seen((listing("http://a.example/", "http://b.example/x/1.html"), 0.0))
    some.ids("http://b.example/x/seed.html")
    some.turned_out("http://b.example/x/seed.html", 1.0)
    features = some.of("http://b.example/x/1.html")
    assert (features["host"], features["directory"], features["pattern"]) == pytest.approx((0.2875, 0.05, 0.05))


def test_groups_are_hashes_within_the_range_and_hosts_beyond_it_share_means() -> None:
    some = seen((listing("http://a.example/", "http://b.example/1"), 0.0))
    url = some.visits.id("http://b.example/1")
    some.world.urls.host[url] += GROUPS
    shared = some.of("http://b.example/1")["host"]
    some.turned_out("http://b.example/1", 1.0)
    some.world.urls.host[url] -= GROUPS
    assert (shared, some.of("http://b.example/1")["host"]) == pytest.approx((0.05, 0.2875))


def test_it_knows_the_urls_that_some_page_links_to() -> None:
    some = seen((ONE, 0.5))
    assert some.history.knows(some.ids(URL, "http://a.example/")).tolist() == [True, False]


def test_a_page_without_terms_gives_finite_features() -> None:
    some = seen((make_page("http://a.example/", ("", [URL])), 0.5))
    features = some.of(URL)
    assert (features["anchor_keywords"], features["contexts_topic"], features["context_length"]) == (0.0, 0.0, 0.0)
