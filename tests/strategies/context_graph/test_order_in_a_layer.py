"""After a rescoring, as before it, a layer is a queue in order of likelihood (section 3.3): links of typical pages come first."""

import pytest

from focused.page.page import Page
from focused.papers.models.layers import TermCounts
from focused.papers.strategies.context_graph import ContextGraph
from tests.crawl.web import key, make_page, run
from tests.strategies.context_graph.test_context_graph import HOST, crawl_of, web

FIRST_TARGETS = 17  #: pages until two targets are in: the seed, its 12 links, and the links of the first two of these


def uneven_web() -> dict[str, Page]:
    """The portal, whose lists are the more typical the fewer matches they name; some news name members, as lists do."""
    pages = web()
    for n in range(6):
        for kind, word in (("list", "match"), ("news", "member")):
            url = f"{HOST}/{kind}{n}"
            words = [*pages[url].terms[: -len(pages[url].links)], *[word] * (5 * n % 6)]
            pages[url] = make_page(url, " ".join(words), [(link.url, "go") for link in pages[url].links])
    return pages


def test_what_waits_gets_layer_and_likelihood_of_its_page_and_comes_in_that_order() -> None:
    pages = uneven_web()
    crawl = crawl_of(least_targets=2, refit_every=FIRST_TARGETS)
    run(crawl, pages, most=FIRST_TARGETS)
    assert isinstance(crawl.strategy, ContextGraph)
    classifier = crawl.strategy._classifier
    assert classifier is not None
    parents = {link.url: page for url, page in pages.items() for link in page.links}
    waiting = crawl.frontier.view()
    scores = dict(zip(waiting.ids.tolist(), waiting.scores.tolist(), strict=True))
    parts = dict(zip(waiting.ids.tolist(), map(tuple, waiting.parts.tolist()), strict=True))
    expected = {}
    for url, page in parents.items():
        if (known := crawl.urls.find(key(url))) in scores:
            (layer,), (mean,) = classifier.classify([TermCounts.of(page.terms)])
            likelihood = 1 / (1 - mean)
            expected[url] = likelihood - layer
            assert parts[known] == pytest.approx((layer, likelihood))
            assert scores[known] == pytest.approx(expected[url])
    assert len(expected) == len(scores) == 20
    assert len({round(score, 6) for score in expected.values()}) > len({layer for layer, _ in parts.values()}) > 1
    order = [expected[url] for url in run(crawl, pages, most=FIRST_TARGETS - 1)]  # until layers are learned once more
    assert order == sorted(expected.values(), reverse=True)[: len(order)]
