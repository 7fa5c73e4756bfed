"""HCLA as a strategy: what goes into the matrix, what is ordered by it, and when."""

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from focused.collection.snapshot import decode, encode
from focused.crawl.strategy import Changes
from focused.crawl.world import World
from focused.page.page import Page
from focused.papers.models.term_documents import BackgroundCorpus
from focused.papers.strategies.hcla import DECIMALS, Hcla, Hypertext, frontier_cosines
from focused.testing.toy_world import Visits, crawled, make_page, rescored, waiting

KEYWORDS = {"solar": 1}
# a links to b, c and two URLs that wait, c to d and one that waits: after four pages, "beside b and c" and "beside d"
A = make_page("http://a/", ("welcome", ["http://b/", "http://c/", "http://beside-solar/", "http://beside-solar/2"]))
B = make_page("http://b/", ("solar cell solar", []))
C = make_page("http://c/", ("cell solar", ["http://d/", "http://beside-tax/"]))
D = make_page("http://d/", ("tax law tax", []))
WAITING = ["http://beside-solar/", "http://beside-solar/2", "http://beside-tax/"]


def hcla(world: World | None = None, **options: Any) -> Hcla:
    return Hcla(Hcla.Options(**options), world or World(KEYWORDS))


def changes(*pages: Page, world: World | None = None, **options: Any) -> Changes:
    visits = Visits(KEYWORDS)
    strategy = crawled(hcla(world, **options), visits, *pages)
    return rescored(strategy, waiting(strategy, visits, WAITING)).changes


def test_links_wait_behind_until_they_are_ordered() -> None:
    visits = Visits(KEYWORDS)
    scores, parts = crawled(hcla(), visits, A).score(visits.of(C))
    assert (scores.tolist(), parts.tolist()) == ([-1, -1], [[0, 0], [0, 0]])


def test_the_scores_are_the_cosines_of_the_matrix_by_hand() -> None:
    # keywords first: terms solar, welcome, cell, tax, law; one page, a, is the background; rows of G and R are sources a to d
    found = changes(A, B, C, D, corpus=4, factors=3)
    texts = [[0, 2, 1, 0], [1, 0, 0, 0], [0, 1, 1, 0], [0, 0, 0, 2], [0, 0, 0, 1]]
    by_hand = Hypertext(
        background=csr_array(np.array(texts, float)),
        texts=csr_array(np.array(texts, float)),
        anchors=csr_array((5, 3)),
        links=csr_array(np.array([[0, 1, 1, 0], [0, 0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 0]], float)),
        frontier_links=csr_array(np.array([[1, 1, 0], [0, 0, 0], [0, 0, 1], [0, 0, 0]], float)),
    )
    cosines = frontier_cosines(by_hand, np.array([1.0, 0, 0, 0, 0]), 3, seed=0)
    assert found.parts[:, 0] == pytest.approx(cosines, abs=10**-DECIMALS)
    assert found.parts[:, 1].tolist() == [1, 1, 1]
    assert found.scores == pytest.approx((1 + cosines) / 2, abs=10**-DECIMALS)
    assert found.scores[0] == found.scores[1]  # to the last bit: equal links stay equal


def test_only_the_last_pages_are_in_the_matrix_and_links_of_others_keep_their_scores() -> None:
    visits = Visits(KEYWORDS)
    strategy = crawled(hcla(pages=2, factors=3), visits, A, B, C, D)
    found = rescored(strategy, waiting(strategy, visits, WAITING)).changes
    assert found.ids.tolist() == [visits.id("http://beside-tax/")]


def test_anchor_texts_bring_a_link_near_the_keywords() -> None:
    anchored = make_page("http://c/", ("cell solar", ["http://d/", "http://beside-tax/"]), ("solar", [WAITING[2]]))
    without, with_anchors = (
        changes(A, B, anchored, D, factors=4, anchors=anchors).scores[2] for anchors in (False, True)
    )
    assert with_anchors > without


def test_a_page_that_describes_itself_hands_its_terms_to_its_links() -> None:
    # nothing of what C links to is fetched: its row is zero but for the frontier
    without, with_own = (changes(A, B, C, factors=3, own=own).parts[2, 0] for own in (False, True))
    assert without == 0
    assert with_own > 0.1


def test_links_may_be_read_in_either_direction() -> None:
    scores = [tuple(changes(A, B, C, D, factors=3, links=links).scores) for links in ("in", "out", "both")]
    assert len(set(scores)) == 3


def test_an_update_of_the_complete_background_s_space_is_kept_for_the_next_one() -> None:
    visits = Visits(KEYWORDS)
    strategy = crawled(hcla(update="zha_simon", corpus=4, factors=3), visits, A, B, C, D)
    first = rescored(strategy, waiting(strategy, visits, WAITING))
    assert first.learned is not None
    strategy.adopt(first.learned)
    again = rescored(strategy, waiting(strategy, visits, WAITING))
    assert again.learned is first.learned
    assert again.changes.scores.tolist() == first.changes.scores.tolist()


def test_the_space_of_a_background_that_still_grows_is_not_kept() -> None:
    visits = Visits(KEYWORDS)
    strategy = crawled(hcla(update="zha_simon", corpus=5, factors=3), visits, A, B, C, D)
    assert rescored(strategy, waiting(strategy, visits, WAITING)).learned is None


def test_a_trained_corpus_is_the_background() -> None:
    corpus = BackgroundCorpus.of([["solar", "cell"], ["tax", "law"]], 1000)
    trained = changes(A, B, C, D, world=World(KEYWORDS, model=corpus), factors=3)
    assert trained.scores.tolist() != changes(A, B, C, D, factors=3).scores.tolist()


def test_without_keywords_or_links_there_is_nothing_to_order() -> None:
    for world, urls in ((World({}), WAITING), (World(KEYWORDS), [])):
        visits = Visits(world.keywords)
        strategy = crawled(hcla(world), visits, A)
        assert strategy.rescore(waiting(strategy, visits, urls)) is None


def test_the_next_reordering_after_a_restart_is_the_same() -> None:
    visits = Visits(KEYWORDS)
    strategy = crawled(hcla(anchors=True, factors=3), visits, A, B, C, D)
    restored = Hcla(strategy.options, strategy.world)
    restored.restore(decode(encode(strategy.state())))
    one, other = (rescored(each, waiting(each, visits, WAITING)).changes for each in (strategy, restored))
    assert one.scores.tolist() == other.scores.tolist()
