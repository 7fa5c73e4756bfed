"""The scoring pipeline: which scorers it asks, and that each of them works alone and beside one of somebody's own."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from scrapy.crawler import Crawler as ScrapyCrawler
from scrapy.settings import Settings

from focused.crawl.arrays import FloatArray, IntArray
from focused.crawl.crawl import Crawl
from focused.crawl.events import PageArrived, Started
from focused.crawl.world import World
from focused.exceptions import FocusedError, StorageError, TopicError
from focused.inspection.explanation import _in_words
from focused.live import last_run
from focused.live.assemble import assemble
from focused.live.last_run import topic_of_last_run
from focused.live.session import Session
from focused.scorers import link_scorers, with_scorers
from focused.scorers.dom_context import DomContext
from focused.scorers.hub_score import HubScore
from focused.scorers.link_classifier import LinkClassifier
from focused.scorers.link_scorer import LinkHistory, LinkScorer, PageLinks
from focused.scorers.pipeline import USUAL
from focused.settings import LINK_SCORERS
from focused.spiders.topical import TopicalSpider
from focused.strategies.adaptive import Adaptive
from focused.testing.toy_world import key_of, toy_web, toy_world
from focused.topic.topic import Budget
from tests.crawl.web import address, make_crawl, make_topic, restart
from tests.simulation.simulated import topic_of

WEB = toy_web(60)
TEXTS = {key_of(url): url for page in WEB.values() for url in [page.url, *(link.url for link in page.links)]}
SEEDS = [address(url) for url in list(WEB)[:3]]


class EvenHost(LinkScorer):
    """Somebody's own: it prefers hosts of even ids, by much."""

    column = "even"
    title = "parity"
    prior: ClassVar[Mapping[str, float]] = {"even": 50.0}
    parts: ClassVar[Mapping[str, tuple[str, ...]]] = {"parity": ("even",)}
    meanings: ClassVar[Mapping[str, str]] = {"parity": "its host is even"}

    def __init__(self, world: World, history: LinkHistory) -> None:
        super().__init__(world, history)
        self._even = world.column(self.column, np.float32)

    def add_links(self, links: PageLinks) -> None:
        self._even[links.urls] = self.world.urls.host[links.urls] % 2 == 0

    def columns(self, ids: IntArray) -> FloatArray:
        return np.asarray(self._even.take(ids)[np.newaxis])


class SecondContext(DomContext):
    """One that calls its columns as another does."""


class Other:
    """Has scorers that are called as others are."""

    class EvenHost(EvenHost):
        """Columns of the same names."""

    class DomContext(EvenHost):
        """Columns of its own, and a state, under a name that is taken twice."""

        prior: ClassVar[Mapping[str, float]] = {"other": 1.0}
        parts: ClassVar[Mapping[str, tuple[str, ...]]] = {"other": ("other",)}
        column = "other"

        def state(self) -> dict[str, Any]:
            return {"of": self.column}

        def restore(self, state: Mapping[str, Any]) -> None:
            assert state == {"of": self.column}


class Third:
    """The same once more."""

    class DomContext(Other.DomContext):
        prior: ClassVar[Mapping[str, float]] = {"third": 2.0}
        parts: ClassVar[Mapping[str, tuple[str, ...]]] = {"third": ("third",)}
        column = "third"


SAME_EVEN = EvenHost
EVEN, SECOND = f"{__name__}.EvenHost", f"{__name__}.SecondContext"


def new_crawl(*scorers: type[LinkScorer]) -> Crawl:
    world = toy_world()
    world.scorers = scorers
    return make_crawl(make_topic(budget=Budget(pages=0)), Adaptive, world, explore=0)


def go_on(crawl: Crawl, pages: int) -> list[str]:
    order: list[str] = []
    while len(order) < pages and (pick := crawl.next()) is not None:
        texts = {crawl.urls.find(key): url for key, url in TEXTS.items()}
        order.append(texts[pick.id])
        crawl.apply(PageArrived(pick.id, WEB[texts[pick.id]], 1))
    return order


def test_the_usual_scorers_are_those_of_the_setting() -> None:
    assert link_scorers() == USUAL == link_scorers(LINK_SCORERS)


def test_one_of_your_own_comes_beside_them_at_its_place_and_one_of_them_goes_by_none_or_false() -> None:
    assert link_scorers({EVEN: 150}) == (DomContext, EvenHost, HubScore, LinkClassifier)
    hub = "focused.scorers.hub_score.HubScore"
    assert (
        link_scorers({hub: None}) == link_scorers({EVEN: 1}, {EVEN: False, hub: False}) == (DomContext, LinkClassifier)
    )


@pytest.mark.parametrize(
    ("chosen", "mistake"),
    [
        ({"nowhere.at.All": 1}, r"'nowhere.at.All' cannot be imported: ModuleNotFoundError"),
        ({f"{__name__}.WEB": 1}, "is no subclass of focused.scorers.link_scorer.LinkScorer"),
        ({EVEN: "first"}, "needs a number, its place among the scorers, not 'first'"),
        ("DomContext", "write a table of import paths and places, not 'DomContext'"),
        ({SECOND: 7}, "DomContext and .*SecondContext both|SecondContext and .*DomContext both"),
        ({EVEN: 7, f"{__name__}.Other.EvenHost": 8}, "EvenHost and .*Other.EvenHost both have a column or part"),
        ({EVEN: 7, f"{__name__}.SAME_EVEN": 8}, "EvenHost and .*SAME_EVEN both have a column or part"),
        (dict.fromkeys(LINK_SCORERS), "no scorer is left"),
    ],
)
def test_what_is_no_scorer_is_told_in_one_line(chosen: Mapping[str, object], mistake: str) -> None:
    with pytest.raises(TopicError, match=mistake) as told:
        link_scorers(chosen)
    assert "\n" not in str(told.value)


def test_a_topic_names_scorers_of_its_own_for_the_simulator_too() -> None:
    topic = topic_of("http://a.example/", strategy="adaptive").model_copy(
        update={"settings": {"LINK_SCORERS": {EVEN: 400}}}
    )
    strategy = assemble(topic)[1].strategy
    assert [type(scorer) for scorer in strategy.scorers] == [*USUAL, EvenHost]
    assert strategy.parts[-1] == "parity"
    assert [type(scorer) for scorer in assemble(topic_of("http://a.example/"), Adaptive)[1].strategy.scorers] == [
        *USUAL
    ]


@pytest.mark.parametrize(
    "scorers",
    [*((scorer,) for scorer in USUAL), (*USUAL, EvenHost), (*USUAL, Other.DomContext, Third.DomContext)],
)
def test_each_scorer_works_alone_or_beside_others_and_over_a_restart(scorers: tuple[type[LinkScorer], ...]) -> None:
    undisturbed = new_crawl(*scorers)
    undisturbed.apply(Started(SEEDS))
    go_on(undisturbed, 25)
    restored = restart(undisturbed, new_crawl(*scorers), TEXTS.values())
    expected = go_on(undisturbed, 1000)
    assert len(expected) > 20
    assert go_on(restored, 1000) == expected


def test_one_of_your_own_decides_and_is_explained() -> None:
    crawl = new_crawl(*USUAL, EvenHost)
    crawl.apply(Started(SEEDS))
    go_on(crawl, 3)
    ids, scores = crawl.frontier.waiting()
    linked = crawl.strategy.history.knows(ids)
    even = crawl.urls.host[ids] % 2 == 0
    assert even[linked].any() and not even[linked].all()
    assert (scores > 10)[linked].tolist() == even[linked].tolist()
    told = "\n".join(_in_words(crawl.strategy, crawl.named_parts(int(ids[0]))))
    assert "+50.00  parity\n      +50.00  its host is even" in told
    assert "link classifier" in told


def test_a_snapshot_of_other_scorers_is_not_read() -> None:
    own = (Other.DomContext, Third.DomContext)
    crawls = [new_crawl(*scorers) for scorers in (USUAL, (*USUAL, EvenHost), (*USUAL, *own), (*USUAL, *own[::-1]))]
    assert len({crawl.strategy.state_version for crawl in crawls}) == len(crawls)


ARGUMENTS = {"keywords": "solar", "seeds": "http://a.example/"}


@pytest.mark.parametrize("level", ["default", "addon", "project"])
def test_settings_that_come_from_no_file_name_scorers_too(level: str) -> None:
    """As those of `CrawlerProcess(settings)`, whatever project the process was started in."""
    settings = Settings()
    settings.set("LINK_SCORERS", {EVEN: 400}, level)
    topic = TopicalSpider.from_crawler(ScrapyCrawler(TopicalSpider, settings), **ARGUMENTS).topic
    assert [type(scorer) for scorer in assemble(topic)[1].strategy.scorers] == [*USUAL, EvenHost]


@pytest.mark.parametrize(
    ("level", "chosen"), [("project", (EvenHost, HubScore, LinkClassifier)), ("cmdline", (*USUAL, EvenHost))]
)
def test_a_topic_changes_what_its_project_names_and_the_command_line_has_the_last_word(
    level: str, chosen: tuple[type[LinkScorer], ...]
) -> None:
    settings, context = Settings(), f"{DomContext.__module__}.DomContext"
    settings.set("LINK_SCORERS", {EVEN: 400}, level)
    topic = topic_of("http://a.example/", strategy="adaptive")
    assert with_scorers(topic, Settings()) is topic
    topic = topic.model_copy(update={"settings": {"LINK_SCORERS": {context: False, EVEN: 50}}})
    assert with_scorers(topic, Settings()) is topic
    assert link_scorers(with_scorers(topic, settings).settings["LINK_SCORERS"]) == chosen


@pytest.mark.parametrize("junk", ["EvenHost", "[1]", 7])
def test_a_setting_that_is_no_table_of_components_is_told_in_one_line(junk: object) -> None:
    settings = Settings()
    settings.set("LINK_SCORERS", junk, "cmdline")
    with pytest.raises(FocusedError, match=r"^LINK_SCORERS = .*: it must be a table of import paths$"):
        TopicalSpider.update_settings(settings)


@pytest.mark.parametrize("own", [{}, {EVEN: 400}])
def test_a_spider_and_the_command_line_name_scorers_too(own: dict[str, int]) -> None:
    class Spider(TopicalSpider):
        custom_settings: ClassVar[Any] = {"LINK_SCORERS": own} if own else {}

    for given, wanted in (({}, own), ({"LINK_SCORERS": json.dumps({SECOND: None, EVEN: 7})}, {SECOND: None, EVEN: 7})):
        settings = Settings()
        settings.update(given, "cmdline")
        crawler = ScrapyCrawler(Spider, settings)
        topic = Spider.from_crawler(crawler, **ARGUMENTS).topic
        assert topic.settings == ({"LINK_SCORERS": LINK_SCORERS | wanted} if wanted else {})


def test_a_database_names_no_code_that_is_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session(
        topic_of("http://a.example/").model_copy(update={"settings": {"LINK_SCORERS": {EVEN: 400}}}), tmp_path
    )
    assert topic_of_last_run(session.store).settings == {"LINK_SCORERS": {EVEN: 400}}  # this module is imported
    monkeypatch.delitem(sys.modules, __name__)
    with pytest.raises(
        StorageError, match=r"names the link scorer 'tests.scorers.test_pipeline.EvenHost', which is no code"
    ):
        topic_of_last_run(session.store)
    monkeypatch.setenv("SCRAPY_SETTINGS_MODULE", "any.settings")
    monkeypatch.setattr(last_run, "get_project_settings", lambda: Settings({"LINK_SCORERS": {EVEN: 400}}))
    monkeypatch.setattr(last_run, "topic_of_run", lambda tables, *_: tables["settings"])
    assert topic_of_last_run(session.store) == {"LINK_SCORERS": {EVEN: 400}}  # a person named it, too
    session.close()
