"""Adaptive: scores that learn, exploration of unfamiliar hosts, and patience towards better links on busy hosts."""

from collections import deque
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from focused.crawl.arrays import IntArray
from focused.crawl.columns import Columns
from focused.crawl.crawl import Crawl
from focused.crawl.events import PageArrived, Picked, Started
from focused.crawl.frontier import Frontier
from focused.crawl.strategy import WAIT, Seeds, Waiting
from focused.live.assemble import assemble
from focused.page.page import Page
from focused.page.reader import ReadingOptions
from focused.scorers.regressions import LinkRegression, PageRegression, TopicRegressions
from focused.scorers.topic_model import ANY, WARM_UP
from focused.scorers.vectors import hashed
from focused.simulation.recorded_web import Answer, html_answer
from focused.simulation.simulator import Fetch, Network, Simulator
from focused.strategies.adaptive import FAILING, HASTY, LAST, LEAST, LOST, Adaptive
from focused.testing.toy_world import Visits, arrive, crawled, key_of, make_page, toy_web, toy_world
from focused.topic.topic import Budget
from tests.crawl.web import address, fetch_next, make_crawl, make_topic, restart
from tests.simulation.simulated import simulate, simulator_of, topic_of
from tests.simulation.test_simulator import many_hosts

PARTS_OF_NONE = np.zeros(len(Adaptive.parts))
FEW_HOSTS = many_hosts(70, hosts=4)
FEW_SEEDS = tuple(list(FEW_HOSTS)[:3])


@pytest.fixture(scope="module")
def reachable() -> list[str]:
    """All that a crawl of the web of few hosts can come to."""
    urls = sorted(fetch.url for fetch in simulate(FEW_HOSTS, topic_of(*FEW_SEEDS, strategy="breadth_first")))
    assert len(urls) > 2 * WARM_UP
    return urls


def adaptive(model: TopicRegressions | None = None, **options: Any) -> Adaptive:
    known = replace(toy_world({"solar": 1, "energy": 1}), model=model)
    return Adaptive(Adaptive.Options(**options), known)


def frontier_of(scores: dict[int, float], *held: int, distinct_hosts: int = 0) -> Frontier:
    """A frontier with one URL a host, of the same number, some of the hosts busy."""
    frontier = Frontier(Columns(), len(Adaptive.parts), distinct_hosts=distinct_hosts)
    for host, score in scores.items():
        frontier.offer(host, host, score, PARTS_OF_NONE)
    for host in held:
        frontier.hold(host)
    return frontier


def warmed_up(*picked: int, explores: bool, **options: Any) -> Adaptive:
    """A strategy past its first pages, none of them relevant, at a pick at which it explores, or does not.

    picked : of each host, how many pages were picked
    """
    strategy = adaptive(**{"explore": 0.5, **options})
    visits = Visits()
    for number in range(WARM_UP):
        arrive(strategy, visits.of(make_page(f"http://a.example/{number}", (f"football {number}", []))), visits)
    for number, count in enumerate(picked):
        strategy.world.hosts.intern(f"{number}.example")
        strategy.world.hosts.picked[number] = count
    chance = max(LEAST, strategy.options.explore)
    while (strategy.world.chance("explore").random() < chance) is not explores:
        strategy.world.picks += 1
    return strategy


def trained_on(text_on_topic: str, text_off: str) -> TopicRegressions:
    """What pages, and links, with these texts teach."""
    on, off = (make_page(f"http://{name}.example/", (name, [])) for name in ("on", "off"))
    hub = make_page("http://hub.example/", (text_on_topic, [on.url]), (text_off, [off.url]))
    pages = [make_page(f"http://{n}.example/", (text, [])) for n, text in enumerate([text_on_topic, text_off] * 5)]
    regression = PageRegression.fit([page.terms for page in pages], [True, False] * 5, cost=10.0, head=0, least=1)
    return TopicRegressions(
        regression, LinkRegression.fit([hub] * 5, {on.url: 1.0, off.url: 0.0}, cost=1.0, window=0, head=0, least=1)
    )


class TestScores:
    def test_the_parts_sum_to_the_score(self) -> None:
        strategy, visits = adaptive(), Visits()
        answers = [arrive(strategy, visits.of(page), visits) for page in toy_web().values()]
        assert any(changes.scores.any() for changes in answers)
        for changes in answers:
            assert changes.parts.sum(axis=1) == pytest.approx(changes.scores)

    def test_every_column_belongs_to_one_part(self) -> None:
        assert sorted(place for places in adaptive()._places for place in places) == list(range(len(adaptive().names)))

    def test_before_anything_is_learned_a_link_of_the_keywords_is_preferred(self) -> None:
        strategy, visits = adaptive(), Visits()
        page = make_page("http://a.example/", ("solar energy", ["http://b.example/"]), ("tax", ["http://c.example/"]))
        solar, tax = arrive(strategy, visits.of(page), visits).scores.tolist()
        assert solar > tax

    def test_a_link_beside_relevant_links_is_preferred_after_learning(self) -> None:
        before, after = scores_beside_good_and_bad()
        assert before[0] == pytest.approx(before[1])
        assert after[0] > after[1] + 0.05

    @pytest.mark.parametrize(
        ("language", "options", "counts"),
        [
            ("en", {}, True),
            ("en", {"meaning": False}, False),
            ("de", {}, False),
            ("de", {"foreign": True}, True),
            ("sv", {"foreign": True}, False),
        ],
    )
    def test_what_words_mean_counts_in_english_and_in_other_languages_if_asked_for(
        self, language: str, options: dict[str, bool], counts: bool
    ) -> None:
        world = replace(toy_world({"astronomy": 1}), language=language)
        strategy, visits = Adaptive(Adaptive.Options(**options), world), Visits()
        page = make_page("http://a.example/", ("galaxies", ["http://b.example/"]), ("football", ["http://c.example/"]))
        scores = arrive(strategy, visits.of(page), visits).scores
        assert bool(scores[0] > scores[1]) == counts

    def test_a_feature_that_is_dropped_adds_nothing(self) -> None:
        _, after = scores_beside_good_and_bad(drop=("siblings", "best_hub", "mean_hub"))
        assert after[0] == pytest.approx(after[1])

    def test_what_waits_is_rescored_the_more_seldom_the_more_waits(self) -> None:
        strategy = adaptive()
        for waiting, every in ((0, 5), (1_200, 5), (9_000, 30)):
            ids = np.arange(waiting)
            strategy.world.urls.intern(ids)
            strategy.rescore(Waiting(ids, np.zeros(waiting), np.zeros((waiting, len(Adaptive.parts)))))
            assert strategy.rescore_every == every

    def test_a_score_is_the_same_to_the_last_bit_whatever_is_scored_beside_it(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        visits = Visits()
        strategy = crawled(adaptive(), visits, *toy_web().values())
        ids = np.array([visits.id(url) for url in toy_web()])
        ids = ids[strategy.history.knows(ids)]
        together = rescored(strategy, ids)
        assert len(set(together)) > 10
        assert [rescored(strategy, ids[row : row + 1])[0] for row in range(len(ids))] == together
        monkeypatch.setattr("focused.scorers.pipeline.AT_ONCE", 7)
        assert rescored(strategy, ids) == together

    def test_a_seed_that_waits_keeps_the_place_of_a_seed_though_pages_link_to_it(self) -> None:
        strategy, visits = adaptive(), Visits()
        strategy.start(Seeds(np.array([visits.id("http://seed.example/")])))
        page = make_page("http://a.example/", ("tax", ["http://seed.example/"]), ("tax", ["http://c.example/"]))
        changes = arrive(strategy, visits.of(page), visits)
        assert changes.scores[0] == pytest.approx(1.0) and changes.scores[1] < 1.0
        assert changes.parts.sum(axis=1) == pytest.approx(changes.scores)

    def test_a_page_that_links_to_seeds_is_a_hub_whatever_the_seeds_say(self) -> None:
        def score(*, is_seed: bool) -> float:
            strategy, visits = adaptive(), Visits()
            if is_seed:
                strategy.start(Seeds(np.array([visits.id("http://seed.example/")])))
            arrive(strategy, visits.of(make_page("http://seed.example/", ("football", []))), visits)
            page = make_page("http://hub.example/", ("one", ["http://seed.example/"]), ("two", ["http://new.example/"]))
            return float(arrive(strategy, visits.of(page), visits).scores[1])

        assert score(is_seed=True) > score(is_seed=False)

    def test_a_trained_model_says_what_is_relevant(self) -> None:
        for on, off in (("tax law", "rugby match"), ("rugby match", "tax law")):
            pages = [make_page(f"http://{n}.example/", (text, [])) for n, text in enumerate((on, off) * 3)]
            strategy = crawled(adaptive(model=trained_on(on, off)), Visits(), *pages)
            assert strategy._last[-2] > strategy._last[-1] + 0.5

    def test_a_trained_model_says_which_links_are_promising(self) -> None:
        page = make_page("http://a.example/", ("tax law", ["http://b.example/"]), ("rugby", ["http://c.example/"]))
        for model, prefers in ((None, False), (trained_on("tax law", "rugby match"), True)):
            strategy, visits = adaptive(model=model), Visits()
            changes = arrive(strategy, visits.of(page), visits)
            tax, rugby = changes.parts[:, strategy.parts.index("promise")]
            assert (tax > rugby + 0.1) == prefers

    def test_urls_that_no_page_links_to_keep_their_scores(self) -> None:
        job = adaptive().rescore(Waiting(np.array([0]), np.array([1.0]), np.zeros((1, len(Adaptive.parts)))))
        assert job is not None
        assert job().changes.ids.tolist() == []

    def test_an_exact_copy_is_worth_nothing_and_teaches_no_words(self) -> None:
        first, copy = copied(duplicate=False), copied(duplicate=True)
        assert first.history.mean > copy.history.mean
        # Of the host of the copy: (0 + 3 * 0.99 * mean before) / (1 + 3), the mean having moved by a hundredth
        host = copy.columns(np.array([1]))[copy.names.index("host"), 0]
        assert host == pytest.approx(0.75 * copy.history.mean)
        assert (first.models.pages, copy.models.pages) == (4, 3)


def rescored(strategy: Adaptive, ids: IntArray) -> list[float]:
    """The scores of URLs, all of which wait."""
    job = strategy.rescore(Waiting(ids, np.zeros(len(ids)), np.zeros((len(ids), len(Adaptive.parts)))))
    assert job is not None
    return job().changes.scores.tolist()


def scores_beside_good_and_bad(**options: Any) -> tuple[list[float], list[float]]:
    """Scores of a link beside good ones and one beside bad ones, before and after the others were fetched.

    The links stand on two pages that say the same, and their URLs are alike.
    """
    strategy, visits = adaptive(**options), Visits()
    for name, first in (("good", 0), ("bad", 10)):
        links = [("item", [f"http://h.example/p/{first + number}"]) for number in range(6)]
        arrive(strategy, visits.of(make_page(f"http://h.example/{name}", *links)), visits)
    ids = np.array([visits.id("http://h.example/p/5"), visits.id("http://h.example/p/15")])

    before = rescored(strategy, ids)
    for number in range(5):
        for first, text in ((0, "solar energy"), (10, "football")):
            page = make_page(f"http://h.example/p/{first + number}", (f"{text} {number}", []))
            arrive(strategy, visits.of(page), visits)
    return before, rescored(strategy, ids)


def copied(*, duplicate: bool) -> Adaptive:
    """A strategy that has seen a page with a link, two others, and the page behind that link: about the topic, or a copy."""
    visits = Visits()
    link = make_page("http://a.example/", ("tax", ["http://b.example/"]))
    others = (make_page(f"http://{name}.example/", (name, [])) for name in ("law", "cup"))
    strategy = crawled(adaptive(), visits, link, *others)
    visit = visits.of(make_page("http://b.example/", ("solar energy", [])))
    visit.verdict = "exact copy" if duplicate else ""
    arrive(strategy, visit, visits)
    return strategy


class TestRedirects:
    def test_a_seed_that_redirects_is_a_seed(self) -> None:
        crawl = new_crawl()
        crawl.apply(Started([address("http://old.example/")]))
        fetch_next(crawl, make_page("http://new.example/", ("solar", [])))
        assert crawl.strategy.state()["models"][ANY]["kept"][:, 1].tolist() == [1]

    def test_the_link_that_redirects_is_what_is_learned_from(self) -> None:
        crawl = new_crawl()
        crawl.apply(Started([address("http://a.example/")]))
        links = [("item", ["http://old.example/x/1", "http://old.example/x/2"]), ("tax", []), ("law", [])]
        for page in (
            make_page("http://a.example/", *links),
            make_page("http://new.example/1", ("law", [])),
            make_page("http://new.example/2", ("solar energy", [])),
        ):
            pick = fetch_next(crawl, page)
        strategy, mean = crawl.strategy, crawl.strategy.history.mean
        columns = dict(zip(strategy.names, strategy.columns(np.array([pick.id]))[:, 0], strict=True))
        # two pages, 0 and 1: (0 + 1 + 2 * mean) / (2 + 2)
        assert columns["directory"] == pytest.approx(0.25 + 0.5 * mean)
        assert columns["siblings"] > mean + 0.2
        assert strategy.regression._target.tolist() != adaptive().regression._target.tolist()


class TestExploration:
    def test_it_takes_the_best_url_of_the_ready_hosts_from_which_fewer_than_three_pages_were_picked(self) -> None:
        strategy = warmed_up(3, 1, 2, 0, 0, 0, explores=True)
        strategy._last.extend([FAILING] * LAST)
        frontier = frontier_of({0: 0.9, 1: 0.2, 2: 0.3, 3: 0.5, 5: 0.1}, 3)  # host 3 is busy, nothing waits of 4
        assert strategy.choose(frontier) == 2

    def test_a_failing_crawl_tries_hosts_of_which_it_has_no_page(self) -> None:
        strategy = warmed_up(3, 1, 0, explores=True)
        assert strategy.choose(frontier_of({0: 0.9, 1: 0.3, 2: 0.2})) == 2

    @pytest.mark.parametrize(
        ("pages", "relevance", "share"), [(LOST - 1, 0.0, 0.3), (LOST, 0.0, 0.9), (LOST, 0.03, 0.45)]
    )
    def test_a_lost_crawl_tries_new_hosts_nearly_every_time(self, pages: int, relevance: float, share: float) -> None:
        # 3 * 0.3 * (1 - relevance / 0.06) from page 100 on
        strategy = warmed_up(9, 0, explores=False, explore=0.3)
        while strategy.models.pages < pages:
            strategy.models.of("").learn(strategy.models.of("").read(["word"]), is_seed=False)
        strategy._last.extend([relevance] * LAST)
        frontier, explored = frontier_of({0: 0.9, 1: 0.2}), 0
        for strategy.world.picks in range(2000):
            explored += strategy.choose(frontier) == 1
        assert explored / 2000 == pytest.approx(share, abs=0.03)

    def test_a_host_with_a_keyword_in_its_name_is_tried_before_one_of_which_links_say_a_little_more(self) -> None:
        strategy = warmed_up(9, 0, 0, explores=True)
        named = strategy.world.hosts.intern("docs.solarpanels.example")
        frontier = frontier_of({0: 0.9, 1: 0.2, 2: 0.3, named: 0.15})
        assert strategy.choose(frontier) == named
        frontier.offer(1, 1, 0.4, PARTS_OF_NONE)
        assert strategy.choose(frontier) == 1

    @pytest.mark.parametrize(("held", "chosen"), [((), 0), ((0,), WAIT)])
    def test_with_no_unfamiliar_host_it_chooses_as_ever(self, held: tuple[int, ...], chosen: int) -> None:
        strategy = warmed_up(9, 3, explores=True)
        strategy._last.extend([FAILING] * LAST)
        assert strategy.choose(frontier_of({0: 0.9, 1: 0.2}, *held)) == chosen

    def test_a_failing_crawl_with_no_unfamiliar_host_tries_one_whose_pages_may_tell_of_others(self) -> None:
        assert warmed_up(9, 3, explores=True).choose(frontier_of({0: 0.9, 1: 0.2})) == 1

    def test_it_gives_up_where_no_host_told_of_others(self) -> None:
        assert warmed_up(9, 8, explores=True).choose(frontier_of({0: 0.9, 1: 0.2})) == 0

    def test_otherwise_it_takes_the_best(self) -> None:
        assert warmed_up(9, 0, explores=False).choose(frontier_of({0: 0.9, 1: 0.2})) == 0

    def test_the_first_pages_are_the_best(self) -> None:
        strategy = adaptive(explore=1.0)
        for name in "ab":
            strategy.world.hosts.intern(name)
        strategy.world.hosts.picked[:2] = [9, 0]
        assert strategy.choose(frontier_of({0: 0.9, 1: 0.2})) == 0

    @pytest.mark.parametrize(("relevance", "share"), [(0.0, 0.3), (0.3, 0.15), (0.6, 0.02), (1.0, 0.02)])
    def test_the_more_is_relevant_the_less_is_explored(self, relevance: float, share: float) -> None:
        # 0.3 * (1 - relevance / 0.6), at least 0.02
        strategy = warmed_up(9, 0, explores=False, explore=0.3)
        strategy._last.extend([relevance] * 50)
        frontier, explored = frontier_of({0: 0.9, 1: 0.2}), 0
        for strategy.world.picks in range(2000):
            explored += strategy.choose(frontier) == 1
        assert explored / 2000 == pytest.approx(share, abs=0.02)


class TestPatience:
    @pytest.mark.parametrize(
        ("scores", "held", "chosen"),
        [
            ({0: 0.79, 1: 1.0}, (1,), WAIT),
            ({0: -0.5, 1: 0.1}, (1,), WAIT),
            ({0: 0.81, 1: 1.0}, (1,), 0),  # good enough
            ({0: 0.9, 1: 1.0, 2: 0.8}, (), 1),  # all are ready
            ({0: 1.0, 1: 0.5}, (1,), 0),  # the best is ready
            ({0: -0.5, 1: -0.1}, (1,), 0),  # what waits is worth nothing either
            ({0: -0.5, 1: 0.0}, (1,), 0),
            ({0: -0.1, 1: -0.5}, (1,), 0),
            ({0: 0.1}, (1,), 0),  # nothing waits on the busy host
        ],
    )
    def test_it_waits_only_for_something_better_and_worth_anything(
        self, scores: dict[int, float], held: tuple[int, ...], chosen: int
    ) -> None:
        assert warmed_up(explores=False).choose(frontier_of(scores, *held)) == chosen

    def test_it_is_patient_from_the_first_page_on(self) -> None:
        assert adaptive().choose(frontier_of({0: 0.1, 1: 1.0}, 1)) == WAIT

    def test_a_host_barred_by_the_rule_of_distinct_hosts_is_not_waited_for(self) -> None:
        # It becomes free with the next pick, so that the crawl would wait for ever.
        frontier = frontier_of({0: 0.1, 1: 1.0}, distinct_hosts=2)
        frontier.offer(2, 1, 0.9, PARTS_OF_NONE)
        frontier.take(1)
        assert warmed_up(explores=False).choose(frontier) == 0

    @pytest.mark.parametrize(
        ("patience", "distinct_hosts", "network"),
        [(0.8, 0, Network()), (0.8, 3, Network(in_flight=2, delay=5.0)), (1.0, 2, Network(delay=0, latency=9, seed=1))],
    )
    def test_a_crawl_always_ends_with_all_pages_fetched(
        self, patience: float, distinct_hosts: int, network: Network, reachable: list[str]
    ) -> None:
        crawl = {"strategy": "adaptive", "strategy_options": {"patience": patience, "explore": 0.1}}
        topic = topic_of(*FEW_SEEDS, frontier={"distinct_hosts": distinct_hosts}, **crawl)
        assert sorted(fetch.url for fetch in simulate(FEW_HOSTS, topic, network)) == reachable


class TestTime:
    """One host tells much of the topic, a page a second; others a little, in a page of three that nothing sets apart."""

    PAGES, SECONDS = 80, 30.0

    def test_a_crawl_with_hours_ends_in_time_and_finds_more_than_with_any_fixed_patience(self) -> None:
        simulator = self.simulator(Budget(pages=self.PAGES, hours=self.SECONDS / 3600))
        in_a_hurry = list(simulator.fetches())
        patient, impatient = (
            [fetch for fetch in self.simulator(Budget(pages=self.PAGES), **way).fetches() if self.is_in_time(fetch)]
            for way in ({}, {"patience": 0})
        )
        assert all(fetch.sent < self.SECONDS for fetch in in_a_hurry)
        assert 1.5 * len(patient) < len(in_a_hurry) <= self.PAGES
        assert self.found(in_a_hurry) >= self.found(patient) + 5
        assert self.found(in_a_hurry) >= self.found(impatient) + 5

    def test_a_crawl_with_time_enough_is_as_patient_as_ever(self) -> None:
        budgets = Budget(pages=self.PAGES), Budget(pages=self.PAGES, hours=1)
        patient, with_time = (list(self.simulator(budget).fetches()) for budget in budgets)
        assert with_time == patient

    def test_with_hours_alone_a_part_of_its_patience_is_left(self) -> None:
        with_time = self.simulator(Budget(pages=0, hours=self.SECONDS / 3600), patience=0.8)
        hasty = self.simulator(Budget(pages=0), patience=0.8 * HASTY)
        assert list(with_time.fetches()) == [fetch for fetch in hasty.fetches() if fetch.sent < self.SECONDS]

    def simulator(self, budget: Budget, **options: Any) -> Simulator:
        crawl = {"strategy": "adaptive", "strategy_options": {"explore": 0, **options}}
        return simulator_of(two_kinds_of_hosts(), topic_of("http://index.example/", budget=budget, **crawl), Network())

    def is_in_time(self, fetch: Fetch) -> bool:
        return fetch.arrived <= self.SECONDS

    def found(self, fetches: Iterable[Fetch]) -> int:
        return sum(fetch.relevant for fetch in fetches)


def two_kinds_of_hosts() -> dict[str, Answer]:
    """Pages of a good host, whose links say what they are, and of ten others, of whose pages one in three is on topic."""
    good = {f"http://good.example/{n}": f"solar energy, panel {n}" for n in range(60)}
    poor = {
        f"http://poor{host}.example/{n}": f"solar energy, roof {n} of {host}"
        if n % 3 == host % 3
        else f"football, match {n} of {host}"
        for host in range(10)
        for n in range(6)
    }
    links = [(url, "solar energy") for url in good] + [(url, "energy") for url in poor]
    index = "solar energy " + "".join(f'<p>{said}: <a href="{url}">{said}</a></p>' for url, said in links)
    texts = {"http://index.example/": index, **good, **poor}
    return {url: html_answer(f"<title>page</title><p>{text}</p>".encode()) for url, text in texts.items()}


def test_a_column_that_does_not_exist_is_named() -> None:
    with pytest.raises(ValidationError, match="no column anchr_topic; there are: anchor_keywords"):
        Adaptive.Options(drop=["host", "anchr_topic"])


WEB = toy_web(120)
SEEDS = [address(url) for url in list(WEB)[:3]]
TEXTS = {key_of(url): url for page in WEB.values() for url in [page.url, *(link.url for link in page.links)]}
RELEASED_AFTER = 3  #: picks for which a host is busy
ENDLESS = Budget(pages=0)
IN_SOME_HURRY = Budget(pages=200, hours=190 / 3600)  #: a page a second is nearly as fast as that asks for


class TestGoingOn:
    @pytest.mark.parametrize("budget", [ENDLESS, IN_SOME_HURRY])
    @pytest.mark.parametrize("pages", [2, 36, 77])
    def test_from_any_snapshot_the_picks_are_those_of_the_undisturbed_crawl(self, pages: int, budget: Budget) -> None:
        undisturbed, busy = new_crawl(budget), deque[int](maxlen=RELEASED_AFTER)
        undisturbed.apply(Started(SEEDS))
        go_on(undisturbed, busy, pages)
        restored, still_busy = restart(undisturbed, new_crawl(budget), TEXTS.values()), busy.copy()
        for host in busy:
            restored.frontier.hold(host)
        order, waits = go_on(undisturbed, busy, 1000)
        assert go_on(restored, still_busy, 1000) == (order, waits)
        assert len(order) > WARM_UP
        assert waits

    def test_it_learns_explores_and_waits_in_that_crawl(self) -> None:
        crawl = new_crawl()
        crawl.apply(Started(SEEDS))
        prior = crawl.strategy.regression.weights.copy()
        order, waits = go_on(crawl, deque(maxlen=RELEASED_AFTER), 1000)
        assert len(order) > 2 * WARM_UP
        assert waits > 5
        assert np.abs(crawl.strategy.regression.weights - prior).max() > 0.05


def new_crawl(budget: Budget = ENDLESS) -> Crawl:
    return make_crawl(make_topic(budget=budget), Adaptive, toy_world(), explore=0.5)


def go_on(crawl: Crawl, busy: deque[int], pages: int) -> tuple[list[str], int]:
    """Fetch so many pages, the hosts of the last picks being busy; return them, and how often it chose to wait.

    A page takes a second.
    """
    texts = {crawl.urls.find(key): url for key, url in TEXTS.items()}
    order: list[str] = []
    waits = 0
    while len(order) < pages:
        pick = crawl.next(seconds=crawl.totals.pages)
        if pick is None and not busy:
            break
        waits += pick is None and crawl.frontier.best() is not None
        if pick is None or len(busy) == busy.maxlen:
            crawl.frontier.release(busy.popleft())
        if pick is None:
            continue
        texts |= {crawl.urls.find(key): url for key, url in TEXTS.items()} if pick.id not in texts else {}
        order.append(texts[pick.id])
        busy.append(pick.host)
        crawl.frontier.hold(pick.host)
        crawl.apply(PageArrived(pick.id, WEB[texts[pick.id]], 1))
    return order, waits


@pytest.mark.parametrize(("language", "code"), [("english", "en"), ("german", "de")])
def test_a_crawl_knows_the_language_of_its_topic(language: str, code: str) -> None:
    _, crawl = assemble(topic_of("http://a.example/").model_copy(update={"reading": ReadingOptions(language=language)}))
    assert crawl.world.language == code


def test_the_meaning_of_words_counts_where_they_are_not_stemmed() -> None:
    topic = topic_of("http://a.example/", strategy="adaptive").model_copy(
        update={"keywords": ("galaxies",), "reading": ReadingOptions(stemming=False)}
    )
    reader, crawl = assemble(topic)
    assert crawl.world.keywords == {"galaxies": 1}
    crawl.apply(Started([reader.rules.address("http://a.example/")]))
    links = '<p><a href="http://b.example/">galaxy</a></p><p><a href="http://c.example/">football</a></p>'
    page = reader.read("http://a.example/", links.encode(), "text/html")
    pick = crawl.next()
    assert isinstance(page, Page)
    assert pick is not None
    galaxy, football = crawl.apply(PageArrived(pick.id, page, 1)).arrived.scores
    assert galaxy > football


@pytest.mark.parametrize(("meant", "other"), [("roof", "eclipse"), ("eclipse", "roof")])
def test_what_links_led_to_is_learned_again_as_a_person_judges_it(meant: str, other: str) -> None:
    """Pages behind both kinds of links have the keyword; a person means those of one kind."""
    crawl = make_crawl(strategy="adaptive")
    links = {word: [f"http://h{n}.example/{word}/{n}" for n in range(20)] for word in ("roof", "eclipse")}
    crawl.apply(Started([address("http://seed.example/")]))
    fetch_next(crawl, make_page("http://seed.example/", *((f"solar {word}", urls) for word, urls in links.items())))
    for number in range(19):
        for word, urls in links.items():
            url = crawl.urls.find(key_of(urls[number]))
            crawl.apply(Picked(url))
            crawl.apply(PageArrived(url, make_page(urls[number], (f"solar {word} number{number}", [])), 1))
    (number,) = hashed([meant])
    crawl.strategy.taught(lambda ids, *_: 0.9 * float(number in ids) + 0.05)
    good, bad = (crawl.urls.find(key_of(links[word][19])) for word in (meant, other))
    scores = crawl.strategy._scored(np.array([good, bad])).scores
    assert scores[0] > scores[1] + 0.1


def test_a_crawl_that_has_fetched_nothing_can_be_taught() -> None:
    strategy = adaptive()
    strategy.taught(lambda *_: 1.0)
    assert strategy.models.pages == 0
