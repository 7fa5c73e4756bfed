"""Each importance of a page, against numbers computed by hand on the small web of the comparisons."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from focused.page.reader import Reader
from focused.simulation.web_opener import WebOpener
from focused.topic.topic import Topic
from lab.importance import IMPORTANCES
from lab.judging.evidence import Evidence
from lab.tests.small_comparison import url, urls, write_small_web

ALL = "one/ one/hub one/x one/y one/t one/u two/ two/hub two/x two/t"


@pytest.fixture
def told(tmp_path: Path) -> Callable[..., dict[str, float]]:
    """The importance, by name of the page, of pages that were fetched."""
    web_folder = write_small_web(tmp_path)

    def importance(
        name: str, fetched: str = ALL, relevant: str = "one/t one/u", keywords: tuple[str, ...] = ("telescope",)
    ) -> dict[str, float]:
        topic = Topic(name="one", keywords=keywords, seeds=(url("one/"),))
        opener = WebOpener([str(web_folder)], tmp_path / "cache")
        web = opener.open(topic, Reader(topic.reading, keep=topic.keywords))
        evidence = Evidence(topic, frozenset(urls(relevant)), web, dict.fromkeys(urls(fetched)))
        found = IMPORTANCES[name](evidence)
        opener.close()
        assert list(found) == urls(fetched)
        return dict(zip(fetched.split(), found.values(), strict=True))

    return importance


def test_keywords_are_the_share_of_them_on_the_page(told: Callable[..., dict[str, float]]) -> None:
    found = told("keywords", keywords=("telescope", "planet", "moon", "comet"))
    assert (found["one/hub"], found["one/x"]) == (0.5, 0.25)  # every page has planets, the hubs have telescopes too


def test_similarity_to_the_query_is_told_by_the_keywords_that_not_all_pages_have(
    told: Callable[..., dict[str, float]],
) -> None:
    found = told("query")
    assert found["two/hub"] > 0 == found["one/x"]


def test_similarity_to_the_seeds_is_1_for_the_only_seed(told: Callable[..., dict[str, float]]) -> None:
    found = told("seeds")
    assert found["one/"] == pytest.approx(1)
    assert found["one/"] > found["two/"] > found["two/t"] == 0  # "start" is on both first pages, and "two" on no seed


def test_the_retrieval_rank_lists_pages_in_equal_steps_and_ties_share(told: Callable[..., dict[str, float]]) -> None:
    found = told("retrieval_rank", "one/ one/hub one/x one/y")
    assert found == {"one/hub": 1.0, **dict.fromkeys(("one/", "one/x", "one/y"), pytest.approx((1 + 2 + 3) / 3 / 4))}


def test_in_links_are_those_of_the_whole_web_and_not_of_what_was_fetched(
    told: Callable[..., dict[str, float]],
) -> None:
    assert told("in_links", "one/t one/") == {"one/t": 1.0, "one/": 0.0}


def test_pagerank_is_1_on_average_and_flows_along_links(told: Callable[..., dict[str, float]]) -> None:
    found = told("pagerank")
    assert sum(found.values()) / len(found) == pytest.approx(1)
    # What a page without links has (7 of 10 pages) is spread over all; what the first page has goes to three in equal parts.
    rest = found["one/"]
    assert found["one/x"] == pytest.approx(rest + 0.85 * rest / 3)
    assert found["one/t"] == pytest.approx(rest + 0.85 * found["one/hub"] / 2)


def test_authority_is_what_the_best_hub_links_to(told: Callable[..., dict[str, float]]) -> None:
    found = told("authority")
    # The first page of `one` links to the most, so that with every round all authority goes to its three links.
    assert found["one/x"] == pytest.approx(10 / 3, rel=1e-3)
    assert found["one/t"] == pytest.approx(0, abs=1e-3)


def test_the_classifier_judges_each_page_by_what_the_other_half_has_taught(
    told: Callable[..., dict[str, float]],
) -> None:
    topic = "one/ one/hub one/t one/u one/x one/y"
    found = told("classifier", relevant=topic)
    # one/u holds "planet" and "on". It is judged by one/, one/t and one/x (terms: planet 3, on 3, start 1) against two/ and
    # two/t (planet 2, two 2, start 1), which have 4 different terms.
    on_topic, other = 0.6 * (4 / 11) * (4 / 11), 0.4 * (3 / 9) * (1 / 9)
    assert found["one/u"] == pytest.approx(on_topic / (on_topic + other), rel=1e-5)
    assert told("classifier", relevant=topic.replace("one/u ", ""))["one/u"] == found["one/u"]


def test_the_likelihood_is_the_mean_probability_of_a_term_on_relevant_pages(
    told: Callable[..., dict[str, float]],
) -> None:
    found = told("likelihood", relevant="one/hub one/t")
    # Of their 6 terms, 4 of them different, planet and on come twice, telescope and hub once: P = 3/10 and 2/10.
    assert found["one/x"] == pytest.approx(0.3)
    assert found["one/hub"] == pytest.approx((0.3 * 0.3 * 0.2 * 0.2) ** (1 / 4))
    assert found["two/hub"] == pytest.approx((0.3 * 0.2 * 0.2) ** (1 / 3))  # "two" is no term of theirs
