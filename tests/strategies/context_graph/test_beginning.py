"""A crawl by context graphs begins with the pages that lead to its seeds; they are asked for, fetched and learned from."""

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import numpy as np
import pytest

from focused.crawl.crawl import Crawl
from focused.crawl.events import Aliased, BacklinksNamed, Failed, Started
from focused.crawl.strategy import Strategy
from focused.crawl.url_table import State, UrlTable
from focused.page.page import Page
from focused.papers.strategies.context_graph import Beginning, ContextGraph
from focused.testing.strategy_contract import start
from focused.testing.toy_world import Visits, key_of, toy_world
from tests.crawl.web import address, fetch_next, make_crawl, make_page, make_topic, restart, run
from tests.strategies.context_graph.test_layer_classifier import document

#: Who links to whom: 1 and 2 to the seed 0, 3 to both of these, 4 to 2 and 0, 5 to 3.
PARENTS = {0: [1, 2, 4], 1: [3], 2: [3, 4], 3: [5], 10: [2]}


def built(*seeds: int, depth: int = 4, most: int = 300, known: Mapping[int, Sequence[int]] = PARENTS) -> Beginning:
    """A beginning whose questions have all been answered, and whose pages have all been fetched."""
    beginning = Beginning(seeds, depth, most)
    found = dict.fromkeys(seeds)
    while beginning.open:
        page = next(iter(beginning.open))
        found |= dict.fromkeys(beginning.answered(page, known.get(page, ()), Random(page)))
    for page in found:
        beginning.add(page, page, document("word"))
    return beginning


class TestGraphs:
    def test_a_page_stands_in_the_layer_of_its_shortest_way_and_once_for_each_page_it_leads_to(self) -> None:
        assert built(0).layers() == [[0], [1, 2, 4], [3, 3], [5, 5], []]

    def test_the_graphs_of_all_seeds_are_merged(self) -> None:
        assert built(0, 10).layers() == [[0, 10], [1, 2, 4, 2], [3, 3, 3, 4], [5, 5, 5], []]

    def test_no_layer_lies_deeper_than_the_last_and_nobody_asks_about_that(self) -> None:
        beginning = Beginning([0], 2, 300)
        assert list(beginning.open) == [0]
        assert beginning.answered(0, [1, 2, 4], Random(0)) == [1, 2, 4]
        assert list(beginning.open) == [1, 2, 4]
        assert [beginning.answered(page, PARENTS.get(page, ()), Random(0)) for page in (4, 2, 1)] == [[], [], [3]]
        assert not beginning.open

    def test_of_a_large_layer_some_are_drawn_for_each_graph_and_only_these_are_followed(self) -> None:
        many = {0: range(100, 500), 1: range(1000, 1500), **{page: [page + 10_000] for page in range(100, 1500)}}
        beginning = built(0, 1, most=300, depth=2, known=many)
        assert [len(layer) for layer in beginning.layers()] == [2, 600, 600]
        assert {page - 10_000 for page in beginning.layers()[2]} == set(beginning.layers()[1])

    def test_an_answer_that_nobody_waits_for_changes_nothing(self) -> None:
        beginning = Beginning([0], 2, 300)
        assert beginning.answered(7, [1], Random(0)) == []
        assert list(beginning.open) == [0]

    def test_pages_that_could_not_be_fetched_are_left_out(self) -> None:
        beginning = Beginning([0], 1, 300)
        beginning.answered(0, [1, 2], Random(0))
        for page in (0, 2, 9):
            beginning.add(page, page, document("word"))
        assert beginning.layers() == [[0], [2]]

    @pytest.mark.parametrize(
        ("state", "over"), [(State.WAITING, False), (State.PICKED, False), (State.DONE, True), (State.FREE, True)]
    )
    def test_it_is_over_when_no_page_waits_or_is_under_way(self, state: State, over: bool) -> None:
        urls, beginning = UrlTable(), Beginning([0], 1, 300)
        urls.meet(np.arange(3))
        urls.state[0] = State.DONE
        assert not beginning.is_over(urls)  # a question is open
        beginning.answered(0, [1, 2], Random(0))
        urls.state[1], urls.state[2] = State.DONE, state
        assert beginning.is_over(urls) is over


SEED = "http://seed.example/"
PORTAL, LIST, NEWS = "http://portal.example/", "http://list.example/", "http://news.example/"
#: The portal links to a list and to news, twelve of each; a list to targets, one of them the seed; news to games.


def page(url: str, words: str, *links: str) -> Page:
    return make_page(url, words, [(link, "") for link in links])


def web() -> dict[str, Page]:
    pages = {SEED: page(SEED, "solar panel directory", PORTAL)}
    links = [f"{kind}{n}" for n in range(12) for kind in (NEWS, LIST)]
    pages[PORTAL] = page(PORTAL, "portal directory welcome", *links)
    for n in range(12):
        targets = [f"http://target.example/{n}{letter}" for letter in "ab"]
        games = [f"http://game.example/{n}{letter}" for letter in "ab"]
        pages[f"{LIST}{n}"] = page(f"{LIST}{n}", "solar member staff directory", *targets, *([SEED] if n < 2 else []))
        pages[f"{NEWS}{n}"] = page(f"{NEWS}{n}", "paper politics sport", *games)
        pages |= {url: page(url, "solar panel", PORTAL) for url in targets}
        pages |= {url: page(url, "game match", PORTAL) for url in games}
    return pages


def made(
    answers: bool = True, pages: int = 0, strategy: str | type[Strategy] = "context_graph", **options: object
) -> Crawl:
    crawl = make_crawl(make_topic(budget={"pages": pages}), strategy, **options)
    crawl.world.answers, crawl.world.page_budget = answers, pages
    return crawl


def begun(*seeds: str, **options: Any) -> Crawl:
    crawl = made(**options)
    crawl.apply(Started([address(url) for url in seeds or (SEED,)]))
    return crawl


def linking(url: str) -> list[str]:
    return [page.url for page in web().values() if any(link.url == url for link in page.links)]


def crawled(crawl: Crawl, most: int = 1000, *, known: bool = True) -> list[str]:
    """Crawl; when nothing can be fetched before a question is answered, the oldest one is."""
    order = run(crawl, web(), most=most)
    while len(order) < most and crawl.asking:
        asked = next(iter(crawl.asking))
        (url,) = (url for url in web() if crawl.urls.find(address(url).key) == asked)
        crawl.apply(BacklinksNamed(asked, [address(parent) for parent in linking(url)] if known else []))
        order += run(crawl, web(), most=most - len(order))
    return order


def kinds(urls: Sequence[str]) -> list[str]:
    return [url.split("/")[2].split(".")[0] for url in urls]


class TestCrawl:
    def test_the_pages_that_lead_to_the_seed_are_fetched_first_and_then_links_by_layer(self) -> None:
        order = kinds(crawled(begun(depth=2)))
        # Two lists link to the seed; the portal links to these.
        assert order[:4] == ["seed", "list", "list", "portal"]
        rest = order[4:]
        assert Counter(rest) == {"target": 24, "list": 10, "news": 12, "game": 24}
        assert max(place for place, kind in enumerate(rest) if kind == "target") < rest.index("game")

    def test_links_wait_until_the_layers_are_learned(self) -> None:
        crawl = begun(depth=2)
        assert run(crawl, web()) == [SEED]
        assert len(crawl.frontier) == 1
        crawl.apply(BacklinksNamed(0, []))
        assert run(crawl, web(), most=1) == [PORTAL]

    def test_what_waits_is_judged_by_the_layers_as_soon_as_they_are_learned(self) -> None:
        crawl = begun(depth=2)
        crawled(crawl, most=4)
        waiting = crawl.frontier.view()
        assert set(waiting.parts[:, 0]) == {1.0, 2.0}  # links of the lists, and of the portal
        assert (waiting.parts[:, 1] > 0).all()

    def test_seeds_that_nobody_links_to_leave_it_breadth_first(self) -> None:
        assert crawled(begun(refit_every=1000), known=False) == crawled(begun(answers=False, refit_every=1000))

    def test_then_they_are_learned_from_the_links_it_has_seen(self) -> None:
        options = {"least_targets": 2, "refit_every": 5}
        order = kinds(crawled(begun(**options), known=False))
        assert order != kinds(crawled(begun(answers=False, refit_every=1000)))

    def test_without_anybody_to_ask_nobody_is_asked(self) -> None:
        assert not begun(answers=False).asking

    @pytest.mark.parametrize("options", [{"begin": False}, {"model": "trained"}])
    def test_nobody_is_asked_who_need_not_be(self, options: dict[str, object]) -> None:
        crawl = make_crawl(None, "context_graph", **options)
        crawl.world.answers = True
        if "model" in options:
            crawl.strategy = ContextGraph(crawl.strategy.options, crawl.world)
            crawl.strategy._has_learned = True
        crawl.apply(Started([address(SEED)]))
        assert not crawl.asking

    @pytest.mark.parametrize("as_printed", [False, True])
    @pytest.mark.parametrize("cut", range(12))
    def test_it_goes_on_after_a_restart(self, cut: int, as_printed: bool) -> None:
        options = {"depth": 2, "pages": 20, "as_printed": as_printed}
        undisturbed, restored = begun(**options), made(**options)
        crawled(undisturbed, most=cut)
        restart(undisturbed, restored, web())
        assert crawled(restored) == crawled(undisturbed)

    def test_pages_that_give_nothing_do_not_hold_it_up(self) -> None:
        crawl = begun(depth=1)
        run(crawl, web())
        crawl.apply(BacklinksNamed(0, [address(url) for url in (f"{LIST}0", "http://gone.example/")]))
        run(crawl, web(), most=1)
        gone = crawl.next()
        assert crawl.next() is None
        crawl.apply(Failed(gone.id if gone else -1))
        assert run(crawl, web(), most=1) == [PORTAL]

    def test_a_seed_that_redirects_to_a_page_known_before_has_that_in_its_place(self) -> None:
        crawl = made(depth=1)
        old = "http://old.example/"
        crawl.apply(Started([address(old)]))
        pick = crawl.next()
        crawl.apply(BacklinksNamed(0, [address(SEED), address(f"{LIST}0")]))
        assert pick is not None
        crawl.apply(Aliased(pick.id, address(SEED)))
        assert set(run(crawl, web(), most=2)) == {SEED, f"{LIST}0"}
        assert crawl.strategy.state()["classifier"]["layers"].tolist() == [0, 1]

    def test_pages_out_of_scope_do_not_hold_it_up(self) -> None:
        crawl = make_crawl(make_topic(scope={"denied_hosts": ("list.example",)}), "context_graph", depth=1)
        crawl.world.answers = True
        crawl.apply(Started([address(SEED)]))
        run(crawl, web())
        crawl.apply(BacklinksNamed(0, [address(f"{LIST}0")]))
        assert run(crawl, web(), most=1) == [PORTAL]

    def test_the_rule_of_distinct_hosts_does_not_hold_it_up(self) -> None:
        crawl = make_crawl(make_topic(frontier={"distinct_hosts": 2}), "context_graph", depth=1)
        crawl.world.answers = True
        crawl.apply(Started([address(SEED)]))
        run(crawl, web())
        crawl.apply(BacklinksNamed(0, [address(f"{LIST}{n}") for n in range(3)]))
        order = kinds(run(crawl, web(), most=4))
        assert order[:2] == ["list", "portal"]
        assert len(order) == 4

    def test_links_of_a_page_that_redirects_are_judged_by_the_layers_too(self) -> None:
        crawl = begun(depth=1)
        run(crawl, web())
        crawl.apply(BacklinksNamed(0, [address("http://moved.example/")]))
        fetch_next(crawl, web()[f"{LIST}0"])
        waiting = crawl.frontier.view()
        assert sorted(waiting.parts[:, 0].tolist()) == [0.0, 1.0, 1.0]  # the portal, and two targets

    def test_seeds_added_before_the_first_page_leave_the_graphs_of_the_first_ones(self) -> None:
        crawl = begun(depth=1)
        crawl.apply(Started([address(PORTAL)]))
        assert list(crawl.asking) == [0]
        crawl.apply(BacklinksNamed(0, [address(f"{LIST}0")]))
        assert kinds(run(crawl, web(), most=3)) == ["seed", "portal", "list"]

    @pytest.mark.parametrize(("pages", "most"), [(0, 300), (1000, 31), (16, 1)])
    def test_all_layers_of_all_graphs_share_a_part_of_the_budget(self, pages: int, most: int) -> None:
        crawl = begun(SEED, PORTAL, pages=pages)
        beginning = crawl.strategy.state()["beginning"]
        assert beginning["most"] == most  # a quarter of the budget / (4 layers · 2 graphs), or 300

    def test_as_printed_the_graphs_come_on_top_of_the_budget_and_the_paper_s_layers_are_full(self) -> None:
        ours, printed = (begun(depth=2, pages=10, as_printed=way) for way in (False, True))
        assert printed.strategy.state()["beginning"]["most"] == 300
        assert (len(crawled(ours)), len(crawled(printed))) == (10, 10 + len(["list", "list", "portal"]))
        assert (ours.budget.pages, printed.budget.pages) == (10, 13)

    def test_as_printed_the_first_targets_found_have_graphs_where_nobody_links_to_the_seeds(self) -> None:
        crawl = begun(PORTAL, depth=1, least_targets=2, refit_every=1000, as_printed=True)
        order = run(crawl, web())
        crawl.apply(BacklinksNamed(0, []))  # nobody links to the portal
        while not crawl.asking:
            order += run(crawl, web(), most=1)
        targets = [url for url in order if "solar" in web()[url].terms]
        assert [crawl.urls.find(address(url).key) for url in targets] == list(crawl.asking)
        assert len(targets) == 2
        order += crawled(crawl)
        assert crawl.strategy.state()["classifier"]["layers"].tolist() == [0, 1]
        assert crawl.strategy.apart == 0  # the portal, which leads to them, had been crawled before
        assert len(order) == len(set(order)) == len(web())

    def test_seeds_that_come_later_begin_no_graph(self) -> None:
        crawl = begun(depth=1)
        run(crawl, web())
        crawl.apply(Started([address(PORTAL)]))
        assert list(crawl.asking) == [0]


def test_a_hub_among_the_seeds_gets_no_graph() -> None:
    world = toy_world()
    world.hubs, world.answers = frozenset({key_of("http://hub.example/")}), True
    crawling, visits = ContextGraph(ContextGraph.Options(), world), Visits()
    asked = start(crawling, visits, "http://hub.example/", "http://target.example/").ask
    assert list(asked) == [visits.id("http://target.example/")]
