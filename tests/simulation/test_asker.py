"""A simulated crawl asks as a live one does: its answers are events of the same core."""

from pathlib import Path

from focused.live.questions import Question
from focused.live.session import Session
from focused.page.urls import Address
from focused.seeds.searching.occasions import Occasions
from focused.seeds.searching.questioning import feed_of
from focused.seeds.searching.search_providers import SearchResult
from focused.simulation.analysed_web import AnalysedWeb
from focused.simulation.simulator import Fetch, Simulator
from focused.topic.topic import QuestionOptions, Sources
from tests import small_web
from tests.simulation.simulated import ANSWERS, STEP_BY_STEP, SmallWeb, assemble, topic_of
from tests.small_web import fetch, url_of

QUESTIONS = QuestionOptions(most=3, harvest_floor=1, harvest_window=5)
NAMED = {"one": (33,), "two": (12, 5), "three": ()}
NO_LISTS = Sources(sitemaps=False, feeds=False)
TOPIC = topic_of(url_of(7), strategy="adaptive", questions=QUESTIONS, sources=NO_LISTS)


def answer(words: str) -> tuple[Address, bytes]:
    question = Question("stand-in", words)
    found = [SearchResult(url_of(number), "solar energy", rank=rank) for rank, number in enumerate(NAMED[words], 1)]
    return question.address, feed_of(question, found)


class Scripted:
    """Asks three questions, when a live crawl would."""

    def __init__(self, crawl: object) -> None:
        self.occasions, self.crawl, self.at = Occasions(QUESTIONS), crawl, list[int]()

    @property
    def may_ask(self) -> bool:
        return self.occasions.may_ask

    def due(self) -> bool:
        return bool(self.occasions.due(self.crawl))  # type: ignore[arg-type]

    def ask(self) -> tuple[Address, bytes] | None:
        self.occasions.passes(self.crawl.totals)  # type: ignore[attr-defined]
        self.at.append(self.crawl.world.picks)  # type: ignore[attr-defined]
        self.occasions.asked += 1
        return answer(list(NAMED)[self.occasions.asked - 1])


def simulated() -> tuple[Simulator, Scripted, list[Fetch]]:
    reader, crawl = assemble(TOPIC)
    asker = Scripted(crawl)
    simulator = Simulator(crawl, AnalysedWeb(SmallWeb(ANSWERS), reader, hide_outside=False), STEP_BY_STEP, asker=asker)
    return simulator, asker, list(simulator.fetches())


def test_a_session_that_is_answered_at_the_same_picks_goes_the_same_way(tmp_path: Path) -> None:
    _, asker, fetches = simulated()
    session, order = Session(TOPIC, tmp_path), list[str]()
    questions = iter(zip(asker.at, NAMED, strict=True))
    at, words = next(questions)
    pick = session.next()
    while pick is not None or session.crawl.world.picks == at:
        while session.crawl.world.picks == at:  # the answer comes while the next page is under way
            session.found(*answer(words))
            at, words = next(questions, (-1, ""))
        if pick is not None:
            session.interrupted.append(pick)
            order.append(fetch(session) or "")
        pick = session.next()
    session.close()
    assert order == [one.url for one in fetches]


def test_it_ends_when_its_questions_are_used_up() -> None:
    simulator, asker, fetches = simulated()
    assert len(asker.at) == 3
    assert simulator.ended == "dead end: no URL is left to fetch"
    assert url_of(33) in [one.url for one in fetches]
    assert not any("search.invalid" in one.url for one in fetches)


def test_who_has_no_more_questions_lets_the_crawl_end() -> None:
    reader, crawl = assemble(TOPIC)
    asker = Scripted(crawl)
    asker.ask = lambda: asker.occasions.passes(crawl.totals)  # type: ignore[method-assign]
    simulator = Simulator(crawl, AnalysedWeb(SmallWeb(ANSWERS), reader, hide_outside=False), STEP_BY_STEP, asker=asker)
    assert list(simulator.fetches())
    assert simulator.ended == "dead end: no URL is left to fetch"


def test_small_web_is_what_the_tests_believe() -> None:
    assert url_of(33) in small_web.WEB
