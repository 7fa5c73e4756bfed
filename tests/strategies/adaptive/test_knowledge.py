"""Knowledge: words of links that led to relevant pages in earlier crawls help a related crawl, and do an unrelated one no harm."""

from functools import partial

import numpy as np
import pytest

from focused.crawl.crawl import Crawl
from focused.crawl.events import Started
from focused.crawl.world import World
from focused.live.assemble import assemble
from focused.scorers.word_regression import WORDS
from focused.scorers.word_weights import LINKS, MOST, VARIANCE, Knowledge, Outcomes, Trust
from focused.simulation.analysed_web import AnalysedWeb
from focused.simulation.recorded_web import Answer, html_answer
from focused.simulation.simulator import Simulator
from focused.strategies.adaptive import Adaptive
from tests.crawl.web import address, make_crawl, restart, run
from tests.crawl.web import make_page as make_core_page
from tests.simulation.simulated import STEP_BY_STEP, SmallWeb, topic_of

HALF = 60  #: pages on topic, and as many others
SEED = "http://list.example/"
RIDGE = 20.0


def web(topic: str, *, good: str, bad: str) -> dict[str, Answer]:
    """A list of links that say nothing of the topic: those with the word ``good`` lead to it, those with ``bad`` do not."""
    kinds = [(f"{SEED}{n}", good if n % 2 else bad, topic if n % 2 else "football match") for n in range(2 * HALF)]
    links = "".join(f'<li><a href="{url}">{word} {n}</a></li>' for n, (url, word, _) in enumerate(kinds))
    pages = {url: f"<title>Page</title><p>{text} {n}</p>" for n, (url, _, text) in enumerate(kinds)}
    return {url: html_answer(text.encode()) for url, text in {SEED: f"<title>{topic}</title>{links}", **pages}.items()}


def crawled(
    topic: str, *, good: str, bad: str = "gallery", knowledge: Knowledge | None = None
) -> tuple[list[bool], Outcomes]:
    """Crawl such a web; return of each page but the list whether it is on topic, in order, and what links led to."""

    def world(*texts: object, **rest: object) -> World:
        return World(*texts, **{**rest, "knowledge": knowledge})  # type: ignore[arg-type]

    about = topic_of(SEED, keywords=(topic,), strategy="adaptive")
    reader, crawl = assemble(about, Adaptive, world=world)
    fetches = Simulator(crawl, AnalysedWeb(SmallWeb(web(topic, good=good, bad=bad)), reader), STEP_BY_STEP).fetches()
    found = [int(fetch.final_url.removeprefix(SEED) or -1) for fetch in fetches]
    assert len(found) == 1 + 2 * HALF and isinstance(crawl.strategy, Adaptive)
    return [number % 2 == 1 for number in found[1:]], crawl.strategy.scorers[-1].outcomes()


@pytest.fixture(scope="module")
def wind() -> Knowledge:
    """What a crawl about wind taught: chapters are good, galleries are not."""
    return Knowledge.of([crawled("wind turbine", good="chapter")[1]], RIDGE)


def test_a_crawl_without_links_teaches_nothing_and_does_no_harm(wind: Knowledge) -> None:
    nothing = Outcomes(np.zeros((0, LINKS, WORDS), np.uint16), np.zeros(0, np.uint8), np.zeros(0))
    both = Knowledge.of([nothing, crawled("wind turbine", good="chapter")[1]], RIDGE)
    assert np.array_equal(both.words, wind.words)


solar = partial(crawled, "solar energy")


def test_a_related_crawl_finds_good_pages_from_the_first_one_on(wind: Knowledge) -> None:
    without, with_it = solar(good="chapter")[0], solar(good="chapter", knowledge=wind)[0]
    assert sum(without[:15]) <= 10
    assert sum(with_it[:15]) >= 14


def test_an_unrelated_crawl_finds_as_much_as_ever(wind: Knowledge) -> None:
    names = {"good": "report", "bad": "shop"}
    without, with_it = solar(**names)[0], solar(**names, knowledge=wind)[0]
    assert sum(with_it[:HALF]) >= 0.95 * sum(without[:HALF])


def test_a_crawl_where_it_is_the_other_way_round_soon_knows_better(wind: Knowledge) -> None:
    names = {"good": "gallery", "bad": "chapter"}
    without, misled = solar(**names)[0], solar(**names, knowledge=wind)[0]
    assert not any(misled[:3]) and any(without[:3])
    assert sum(misled[:HALF]) >= 0.9 * sum(without[:HALF])


def test_a_crawl_that_goes_on_knows_and_trusts_what_it_did(wind: Knowledge) -> None:
    links = [(f"http://a.example/{n}", "chapter" if n % 2 else "gallery") for n in range(40)]
    texts = {url: "football" if word == "chapter" else "solar" for url, word in links}
    pages = {"http://seed.example/": make_core_page("http://seed.example/", "list", links)}
    pages |= {url: make_core_page(url, f"{text} {url[-2:]}", []) for url, text in texts.items()}

    def fresh() -> Crawl:
        return make_crawl(strategy="adaptive", world=World({"solar": 1}, knowledge=wind))

    whole, begun = fresh(), fresh()
    for crawl in (whole, begun):
        crawl.apply(Started([address("http://seed.example/")]))
    expected = run(whole, pages)
    first = run(begun, pages, most=3)
    assert 0.0 < begun.strategy.state()["scorers"]["LinkClassifier"]["_of_words"]["trust"] < MOST
    assert first + run(restart(begun, fresh(), pages), pages) == expected


def test_weights_are_learned_from_each_crawls_own_mean() -> None:
    """A word that led to pages no better than others of its crawl is worth nothing, however good that crawl was."""
    words = np.zeros((4, LINKS, WORDS), np.uint16)
    words[:, 0, 0] = [7, 7, 8, 9]
    ones = np.ones(4, np.uint8)
    good = Outcomes(words, ones, np.array([0.9, 0.9, 0.9, 0.9]))
    told = Outcomes(words, ones, np.array([0.0, 0.0, 0.0, 0.4]))
    known = Knowledge.of([good, told], 1.0)
    # Word 7: four pages, those of the second crawl .1 below its mean: -.2 / (4 + 1); word 9: .3 / (2 + 1)
    assert known.words[[7, 8, 9]].tolist() == pytest.approx([-0.04, -1 / 30, 0.1])
    assert (known.crawls, known.pages) == (2, 8)
    assert known.foretold(told).tolist() == pytest.approx([-0.04, -0.04, -1 / 30, 0.1])


class TestTrust:
    def test_it_is_bayes_rule(self) -> None:
        trust = Trust()
        trust.learn(0.1, 0.5)
        odds = np.exp(MOST + (0.01 - 0.25) / (2 * VARIANCE))
        assert trust.share == pytest.approx(2 * odds / (1 + odds) - 1)

    def test_where_knowledge_foretells_worse_than_nothing_it_counts_nothing_until_it_does_better(self) -> None:
        trust = Trust()
        for _ in range(20):
            trust.learn(0.1, 0.5)
        assert trust.share == 0.0
        for _ in range(4):
            trust.learn(0.5, 0.1)
        assert trust.share > 0.9
