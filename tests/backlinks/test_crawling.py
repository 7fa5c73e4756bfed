"""Backlinks while a crawl goes on: whoever drives it, pages that were named are fetched, and a replay comes to the same."""

import json
import sqlite3
from pathlib import Path

import pytest

from focused.live.assemble import assemble
from focused.live.session import Session
from focused.simulation.analysed_web import AnalysedWeb
from focused.simulation.commands.compare import Command
from focused.simulation.first_reading import RecordedBacklinks
from focused.simulation.recorded_web import Answer
from focused.simulation.simulator import Network, Simulator
from focused.topic.topic import BacklinkOptions, Scope, Topic
from tests.commands.running import refusal, run_command
from tests.crawls.crawling import crawl as crawl_live
from tests.crawls.crawling import fetched, rows
from tests.crawls.mock_web import MockWeb, page, serving
from tests.simulation.simulated import SmallWeb
from tests.simulation.simulated import topic_of as simulated_topic
from tests.small_web import WEB, fetch, name_backlinks, topic_of, url_of

OPTIONS = {"begin": False, "parents": True, "least_targets": 3, "refit_every": 5}
BEGINNING = {"depth": 2, "layer_pages": 3}
PARENTS = {url: [page for page, text in WEB.items() if f'"{url}"' in text and page != url] for url in WEB}


def asking_topic(options: dict[str, object] = OPTIONS, **tables: object) -> Topic:
    backlinks = BacklinkOptions(provider="crawls", crawls=("any",))
    return topic_of(strategy="context_graph", strategy_options=options, backlinks=backlinks, **tables)


def crawl(session: Session, most: int = 1000) -> list[str]:
    """Fetch page after page; the oldest question is answered after each, and when nothing can be fetched before."""
    urls: list[str] = []
    while len(urls) < most and ((url := fetch(session)) is not None or session.crawl.asking):
        urls += [url] if url is not None else []
        if (asked := next(iter(session.crawl.asking), None)) is not None:
            name_backlinks(session, asked, PARENTS.get(session.store.url(asked), [])[:3])
    return urls


class TestSession:
    @pytest.mark.parametrize("options", [OPTIONS, BEGINNING])
    def test_from_any_commit_the_picks_are_those_of_an_undisturbed_crawl(
        self, tmp_path: Path, options: dict[str, object]
    ) -> None:
        topic = asking_topic(options)
        whole = Session(topic, tmp_path / "whole")
        expected = crawl(whole)
        whole.close()
        db = sqlite3.connect(tmp_path / "whole" / "crawl.db")
        answers, named = db.execute("SELECT count(DISTINCT seq), count(backlink) FROM backlinks").fetchone()
        db.close()
        assert answers > 5
        assert named > 5
        for cut in (1, 3, len(expected) // 2):
            folder = tmp_path / f"cut{cut}"
            session = Session(topic, folder, snapshot_every=7)
            done = crawl(session, cut)
            session.commit()
            crawl(session, 3)  # happened, but is not on disk
            session.collection.close()
            session = Session(topic, folder, snapshot_every=7)
            assert done + crawl(session) == expected
            session.close()

    def test_what_was_asked_is_asked_again_unless_there_is_nobody_left(self, tmp_path: Path) -> None:
        session = Session(asking_topic(), tmp_path)
        fetch(session)
        asked = list(session.crawl.asking)
        session.close()
        session = Session(asking_topic(), tmp_path)
        assert list(session.crawl.asking) == asked == [0]
        session.close()
        session = Session(asking_topic().model_copy(update={"backlinks": BacklinkOptions()}), tmp_path)
        assert not session.crawl.asking
        session.close()

    def test_a_crawl_that_has_begun_goes_on_where_nobody_answers_any_more(self, tmp_path: Path) -> None:
        session = Session(asking_topic(BEGINNING), tmp_path)
        assert [fetch(session), fetch(session), fetch(session)] == [url_of(0), url_of(7), None]
        session.close()
        session = Session(asking_topic(BEGINNING).model_copy(update={"backlinks": BacklinkOptions()}), tmp_path)
        assert len(crawl(session)) > 30
        session.close()

    def test_what_a_last_empty_answer_makes_it_ask_is_answered_with_nothing_too(self, tmp_path: Path) -> None:
        session = Session(asking_topic(BEGINNING), tmp_path)
        fetch(session)
        name_backlinks(session, 0, PARENTS[url_of(0)][:3])
        assert len(session.crawl.asking) == 1  # about the other seed; the layer is complete with its answer
        session.close()
        session = Session(asking_topic(BEGINNING).model_copy(update={"backlinks": BacklinkOptions()}), tmp_path)
        assert len(crawl(session)) > 30
        session.close()

    def test_a_page_in_doubt_does_not_hold_a_beginning_up(self, tmp_path: Path) -> None:
        """Nothing else may be fetched before it is known what becomes of the last page that it begins with."""
        session = Session(asking_topic(BEGINNING), tmp_path)
        fetch(session)
        silent = session.next()
        assert silent is not None
        session.failed(silent.id, "timeout")
        while session.crawl.asking:
            name_backlinks(session, next(iter(session.crawl.asking)), [])
        assert len(crawl(session)) > 30
        assert silent.id not in session.crawl.in_flight
        session.close()

    @pytest.mark.parametrize("waits", ["a question", "a busy host"])
    def test_a_page_in_doubt_stays_so_while_there_is_more_to_begin_with(self, tmp_path: Path, waits: str) -> None:
        session = Session(asking_topic(BEGINNING), tmp_path)
        fetch(session)
        silent = session.next()
        assert silent is not None
        session.failed(silent.id, "timeout")
        if waits == "a busy host":
            session.crawl.hold("host3.example")
            name_backlinks(session, 0, ["http://host3.example/33"])
            while session.crawl.asking:
                name_backlinks(session, next(iter(session.crawl.asking)), [])
        assert session.next() is None
        assert silent.id in session.crawl.in_flight
        session.close()

    def test_a_changed_strategy_keeps_what_was_named_and_does_not_use_it(self, tmp_path: Path) -> None:
        scope = Scope(allow=("/0$", "/1$", "/2$", "/7$"))
        session = Session(asking_topic(scope=scope), tmp_path)
        fetch(session)
        name_backlinks(session, 0, ["http://new.example/1", url_of(7)])
        session.close()
        session = Session(topic_of(scope=scope), tmp_path)
        known = session.crawl.urls.find(session.reader.rules.key("http://new.example/1"))
        assert session.store.url(known) == "http://new.example/1"
        assert known not in session.crawl.frontier
        session.close()


A, HUB, OTHER = "http://a.example/", "http://hub.example/", "http://b.example/"
#: Links lead from the hub to the seed and another page on topic; none leads to the hub.
ANSWERS = {A: page("solar energy"), HUB: page("links", A, OTHER), OTHER: page("solar energy and more")}


class TestSimulator:
    def simulator(self, *, latency: float = 1.0, parents: bool = True, begin: bool = False) -> Simulator:
        topic = simulated_topic(A, strategy="context_graph", strategy_options={"parents": parents, "begin": begin})
        reader, crawl = assemble(topic)
        web = AnalysedWeb(SmallWeb(ANSWERS), reader)
        return Simulator(crawl, web, Network(delay=0, latency=latency), RecordedBacklinks(web, 10))

    def test_pages_that_only_backlinks_lead_to_are_fetched_a_latency_later(self) -> None:
        fetches = list(self.simulator().fetches())
        assert [(fetch.url, fetch.sent) for fetch in fetches] == [(A, 0.0), (HUB, 2.0), (OTHER, 3.0)]

    def test_a_strategy_that_does_not_ask_is_told_nothing(self) -> None:
        assert [fetch.url for fetch in self.simulator(parents=False).fetches()] == [A]

    def test_a_crawl_that_begins_with_the_pages_that_lead_to_its_seeds_waits_for_them(self) -> None:
        fetches = list(self.simulator(parents=False, begin=True).fetches())
        assert [(fetch.url, fetch.sent) for fetch in fetches] == [(A, 0.0), (HUB, 1.0), (OTHER, 2.0)]

    def test_without_a_provider_questions_stay_unanswered(self) -> None:
        simulator = self.simulator()
        alone = Simulator(simulator.crawl, simulator.web, Network(delay=0))
        assert [fetch.url for fetch in alone.fetches()] == [A]
        assert alone.ended.startswith("dead end")


class TestSimulate:
    def test_the_web_that_is_simulated_may_be_asked(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        options = ("-a", "topic=demo", "-a", "pages=30", "-a", "strategy=context_graph", "-a", "strategy.parents=true")
        assert (
            run_command(Command(), "--alone", *options, "-a", "backlinks.provider=web", "demo", data_dir=tmp_path) == 0
        )
        assert "page budget reached: 30 of 30 pages" in capsys.readouterr().out

    def test_an_api_is_refused(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        api = ("-a", "backlinks.provider=api", "-a", "backlinks.url=http://x.example/{url}", "-a", "backlinks.path=a")
        code = run_command(Command(), "--alone", "-a", "topic=demo", *api, "demo", data_dir=tmp_path)
        assert "an API cannot be asked in a simulation" in refusal(code, capsys)


LIVE = {
    "strategy": "context_graph",
    "strategy__begin": "false",
    "strategy__parents": "true",
    "backlinks__provider": "api",
    "backlinks__url": "http://api.example/?{url}",
    "backlinks__path": "links",
    "backlinks__delay": 0,
}


def api(*links: str) -> Answer:
    return Answer(200, (), json.dumps({"links": links}).encode())


class TestLive:
    def test_a_crawl_begins_with_the_pages_that_lead_to_its_seeds(self, tmp_path: Path) -> None:
        questions = {"http://api.example/?http%3A%2F%2Fa.example%2F": api(HUB)}
        options = {**LIVE, "strategy__begin": "true", "strategy__parents": "false", "strategy__depth": 1}
        with serving(MockWeb({**ANSWERS, **questions})) as web:
            ended = crawl_live(web, tmp_path, [A], **options)
        assert (ended.code, ended.plain) == (0, True), ended.log
        assert fetched(tmp_path) == [A, HUB, OTHER]
        assert "Ended: dead end" in ended.log

    def test_an_api_leads_a_crawl_to_pages_that_no_link_leads_to(self, tmp_path: Path) -> None:
        answers = {**ANSWERS, "http://api.example/?http%3A%2F%2Fa.example%2F": api(HUB)}
        with serving(MockWeb(answers)) as web:
            ended = crawl_live(web, tmp_path, [A], **LIVE)
            asked = [asked.url for asked in web.asked]
        assert (ended.code, ended.plain) == (0, True), ended.log
        assert fetched(tmp_path) == [A, HUB, OTHER]
        assert asked.count("http://api.example/?http%3A%2F%2Fa.example%2F") == 1
        # The answer to the question about the last page is a 404, which is told and counts as none.
        assert ended.log.count("no backlinks of") == 1
        assert rows(tmp_path, "SELECT url, backlink IS NULL FROM backlinks ORDER BY seq")[0] == (0, 0)
        assert "Ended: dead end" in ended.log

    @pytest.mark.parametrize("obeys", [True, False])
    def test_robots_txt_of_an_api_is_obeyed_as_that_of_pages_is(self, tmp_path: Path, obeys: bool) -> None:
        question = "http://api.example/?http%3A%2F%2Fa.example%2F"
        rules = {"http://api.example/robots.txt": Answer(200, (), b"User-agent: *\nDisallow: /")}
        with serving(MockWeb({**ANSWERS, **rules, question: api(HUB)})) as web:
            ended = crawl_live(web, tmp_path, [A], settings=(f"ROBOTSTXT_OBEY={obeys}",), **LIVE)
            asked = [asked.url for asked in web.asked]
        assert (ended.code, ended.plain) == (0, True), ended.log
        assert (question in asked) is not obeys
        assert ended.log.count("robots.txt bars the question") == obeys

    def test_a_provider_that_cannot_be_had_is_one_line(self, tmp_path: Path) -> None:
        with serving(MockWeb(ANSWERS)) as web:
            ended = crawl_live(web, tmp_path, [A], backlinks__provider="crawls", backlinks__crawls="nowhere")
        assert ended.code == 1
        assert ended.plain
        assert "nowhere/crawl.db: no such collection" in ended.log
