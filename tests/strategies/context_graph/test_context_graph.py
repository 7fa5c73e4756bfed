"""Context graph: links are worth what the layer of their page says, learned before the crawl or while it goes on."""

import numpy as np
import pytest

from focused.crawl.crawl import Crawl
from focused.crawl.events import PageArrived, Started
from focused.crawl.world import World
from focused.page.page import Page
from focused.papers.models.layers import LayerClassifier
from focused.papers.models.siblings import BLOCK_SCORE
from focused.papers.strategies.context_graph import ContextGraph
from focused.papers.strategies.ss1 import TermSpace
from focused.testing.toy_world import make_page, visit_of
from tests.crawl.web import address, make_crawl, restart, run
from tests.crawl.web import make_page as page_of
from tests.strategies.context_graph.test_layer_classifier import CLASSIFIER

LINKS = ["http://x.example/1", "http://x.example/2"]


def strategy(model: LayerClassifier | None = CLASSIFIER, **options: object) -> ContextGraph:
    return ContextGraph(ContextGraph.Options(**options), World({"sun": 1}, model=model))


# Likelihoods by hand: see tests/strategies/context_graph/test_layer_classifier.py.
@pytest.mark.parametrize(
    ("text", "layer", "likelihood"),
    [
        ("sun wind", 0, 1 / (1 + 1.183562)),
        ("cell", 1, 1 / (1 + np.log(2))),
        ("wind wind", 2, 1 / (1 + np.log(4))),
        ("news", 2, 0),
        ("", 2, 0),
    ],
)
def test_links_get_the_layer_of_their_page_and_its_likelihood(text: str, layer: int, likelihood: float) -> None:
    changes = strategy().visited(visit_of(make_page("http://a.example/", (text, LINKS))))
    assert changes.scores == pytest.approx([likelihood - layer] * 2)
    assert changes.parts == pytest.approx(np.array([[layer, likelihood]] * 2))


def test_with_trained_layers_nothing_is_learned_or_remembered() -> None:
    crawling = strategy()
    crawling.visited(visit_of(make_page("http://a.example/", ("sun", LINKS))))
    assert crawling.rescore_every == 0
    assert crawling.state()["remembered"]["pages"].tolist() == []


def test_before_anything_is_learned_it_is_breadth_first() -> None:
    changes = strategy(None, depth=3).visited(visit_of(make_page("http://a.example/", ("sun", LINKS))))
    assert changes.parts.tolist() == [[4.0, 0.0]] * 2


HOST = "http://seed.example"
SEED = f"{HOST}/"


def web() -> dict[str, Page]:
    """A portal whose links lead to lists and news, in turn; only lists lead to targets (solar)."""
    pages = {
        SEED: page_of(SEED, "portal", [(f"{HOST}/{kind}{n}", "go") for n in range(6) for kind in ("news", "list")])
    }
    for n in range(6):
        for kind, words, leaf in (
            ("list", "member directory staff", "solar"),
            ("news", "paper politics sport", "game"),
        ):
            links = [(f"{HOST}/{leaf}{n}{letter}", "go") for letter in "ab"]
            pages[f"{HOST}/{kind}{n}"] = page_of(f"{HOST}/{kind}{n}", words, links)
            for target, _ in links:
                pages[target] = page_of(target, f"{leaf} {leaf} member match", [])
    return pages


def crawl_of(**options: object) -> Crawl:
    crawl = make_crawl(None, "context_graph", **options)
    crawl.strategy.rescore_lag = 0
    crawl.apply(Started([address(SEED)]))
    return crawl


def test_without_a_model_it_learns_from_the_links_it_has_seen() -> None:
    order = [url.removeprefix(SEED) for url in run(crawl_of(least_targets=2, refit_every=1), web())]
    breadth_first = [url.removeprefix(SEED) for url in run(crawl_of(), web())]
    second = breadth_first.index("solar0b") + 1
    assert order[:second] == breadth_first[:second]
    # From then on the children of lists, which are told by their words, come before those of news.
    rest = order[second:]
    assert max(map(rest.index, (f"solar{n}{letter}" for n in range(1, 6) for letter in "ab"))) < min(
        rest.index(f"game{n}{letter}") for n in range(1, 6) for letter in "ab"
    )


@pytest.mark.parametrize("block", [False, True])
def test_a_crawl_that_has_learned_goes_on_after_a_restart(block: bool) -> None:
    options = {"least_targets": 2, "refit_every": 4, "as_printed": block}
    undisturbed, restored = crawl_of(**options), crawl_of(**options)
    run(undisturbed, web(), most=20)
    restart(undisturbed, restored, web())
    assert run(restored, web()) == run(undisturbed, web())


def test_what_a_crawl_learns_weighs_terms_by_the_reference_corpus_also_after_a_restart() -> None:
    def crawl() -> Crawl:
        world = World({"solar": 1}, knowledge=TermSpace(8, 3.0, {"solar": 2, "member": 4}))
        found = make_crawl(None, "context_graph", world, least_targets=2, refit_every=4)
        found.strategy.rescore_lag = 0
        found.apply(Started([address(SEED)]))
        return found

    undisturbed, restored = crawl(), crawl()
    run(undisturbed, web(), most=20)
    classifier = undisturbed.strategy.state()["classifier"]
    assert set(classifier["rarity"].tolist()) == {np.log(8 / 2), np.log(8 / 4)}
    restart(undisturbed, restored, web())
    assert run(restored, web()) == run(undisturbed, web())
    assert restored.strategy.state()["classifier"]["rarity"].tolist() == (
        undisturbed.strategy.state()["classifier"]["rarity"].tolist()
    )


def test_pages_beyond_the_memory_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("focused.papers.strategies.context_graph.MOST", 5)
    crawl = crawl_of(least_targets=2, refit_every=3)
    run(crawl, web())
    state = crawl.strategy.state()["remembered"]
    assert len(state["pages"]) == len(state["lengths"]) == 5
    assert set(state["targets"].tolist()) <= set(state["pages"].tolist())


def test_a_block_fetches_all_children_of_a_page_before_those_of_the_next() -> None:
    pages = web()
    pages[f"{HOST}/news0"] = page_of(f"{HOST}/news0", "sun wind", [(f"{HOST}/game0{letter}", "go") for letter in "ab"])
    for block, expected in (
        (False, ["news0", "game0a", "game0b", "list0"]),
        (True, ["news0", "list0", "news1", "list1"]),
    ):
        crawl = make_crawl(None, "context_graph", as_printed=block)
        assert isinstance(crawl.strategy, ContextGraph)
        crawl.strategy._classifier = CLASSIFIER
        crawl.apply(Started([address(SEED)]))
        order = [url.removeprefix(SEED) for url in run(crawl, pages)]
        assert order[1:5] == expected
    assert order[1:13] == [f"{kind}{n}" for n in range(6) for kind in ("news", "list")]


def test_what_is_raised_for_a_block_keeps_its_parts() -> None:
    crawl = make_crawl(None, "context_graph", as_printed=True)
    crawl.apply(Started([address(SEED)]))
    run(crawl, web(), most=2)
    waiting = crawl.frontier.view()
    raised = waiting.scores == BLOCK_SCORE
    assert raised.sum() == 11
    assert waiting.parts[raised].tolist() == [[5.0, 0.0]] * 11


def test_the_scores_of_a_page_s_own_links_are_known_also_where_a_block_begins() -> None:
    crawl = make_crawl(None, "context_graph", as_printed=True)
    crawl.apply(Started([address(SEED)]))
    run(crawl, web(), most=1)
    pick = crawl.next()
    assert pick is not None
    arrival = crawl.apply(PageArrived(pick.id, web()[f"{HOST}/news0"], 1)).arrived
    assert arrival.scores.tolist() == [-5.0, -5.0]
