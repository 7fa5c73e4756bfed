"""Pages that hardly say anything themselves, from the core to what a person sees: no harvest, but their links count as ever."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from unittest.mock import patch

import pytest

from focused.collection.collection import open_to_read
from focused.crawl.events import Started
from focused.desk.judging.sheet import population
from focused.export.commands.export import Command as Export
from focused.inspection.commands.report import Command as Report
from focused.inspection.commands.show import Command as Show
from focused.inspection.explanation import explain
from focused.live.session import Session
from focused.page.reader import Reader, ReadingOptions
from focused.papers.training.examples import OTHER, RELEVANT
from focused.papers.training.sources import crawl_documents
from focused.topic.topic import Relevance, Topic
from tests.commands.running import run_command
from tests.crawl.web import address, make_crawl, make_page, make_topic, run
from tests.small_web import WEB, crawl, topic_of, url_of

KINDS = "SELECT url, kind, relevant FROM history WHERE outcome = 'page' ORDER BY url"


def strict(**tables: object) -> Topic:
    """Of which no page counts that hardly says anything: none of the small web."""
    return topic_of(relevance=Relevance(), **tables)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    session = Session(strict(strategy="dom"), folder / "test")
    crawl(session)
    session.close()
    return folder


def test_it_does_not_count_but_its_links_are_followed_and_a_strategy_sees_it_as_before() -> None:
    seed, leaf = "http://seed.example/", "http://a.example/1"
    for kind, also, counts in (("", (), 2), ("index", (), 1), ("stub", ("index",), 1), ("index", ("index", "stub"), 2)):
        web = {seed: make_page(seed, "solar", [(leaf, "solar")], kind=kind), leaf: make_page(leaf, "solar", [])}
        core = make_crawl(make_topic(relevance=Relevance(also=also)))
        core.apply(Started([address(seed)]))
        with patch.object(core.strategy, "visited", wraps=core.strategy.visited) as visited:
            assert run(core, web) == [seed, leaf]
        assert core.totals.relevant == counts
        assert [(call.args[0].relevant, call.args[0].kind) for call in visited.mock_calls] == [(True, kind), (True, "")]


def test_what_is_counted_decides_no_pick(tmp_path: Path, data: Path) -> None:
    session = Session(topic_of(strategy="dom"), tmp_path / "test")
    picks = crawl(session)
    assert session.crawl.totals.relevant > 0
    session.close()
    with closing(open_to_read(data / "test")) as store:
        assert [url for (url,) in store.execute("SELECT url FROM history ORDER BY seq")] == picks


def test_the_history_says_what_a_page_is_and_a_replay_says_the_same(tmp_path: Path) -> None:
    session = Session(strict(), tmp_path / "test", snapshot_every=7)
    crawl(session, 20)
    session.close()
    session = Session(strict(), tmp_path / "test")
    found = session.store.execute(KINDS).fetchall()
    assert {kind for _, kind, _ in found} == {"index", "stub"} and not any(relevant for *_, relevant in found)
    session.store.execute("UPDATE fetches SET kind = NULL, relevant = 1")
    session.close()
    session = Session(
        topic_of(keywords=("solar energy", "sun"), relevance=Relevance()), tmp_path / "test"
    )  # reads all again
    assert session.store.execute(KINDS).fetchall() == found
    session.close()


def test_a_person_sees_it(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def said(command: object, *argv: str) -> str:
        assert run_command(command, *argv, data_dir=data, topics_dir=tmp_path) == 0  # type: ignore[arg-type]
        return capsys.readouterr().out

    report = said(Report(), "test")
    assert f", {len(WEB)} that hardly say anything, " in report
    assert "Pages that hardly say anything themselves" in report
    shown = said(Show(), "test", url_of(0))
    assert "  kind       index: lists of links and hardly a word besides\n" in shown or "  kind       stub: " in shown
    with closing(Session(strict(strategy="dom"), data / "test")) as session:
        page = session.store.execute("SELECT id FROM urls WHERE url = ?", (url_of(0),)).fetchone()[0]
        assert any(
            line.endswith(", so it does not count as relevant") for line in explain(session.store, session.crawl, page)
        )
    said(Export(), "test", str(tmp_path / "all.csv"), "--fields", "url,kind")
    lines = (tmp_path / "all.csv").read_text().splitlines()
    assert {line.partition(",")[2] for line in lines} == {"kind", "index", "stub"}
    assert "| what a page is, by its form | pages |" in (tmp_path / "all.card.md").read_text()
    assert run_command(Export(), "test", str(tmp_path / "some.csv"), "--relevant", data_dir=data) == 1


def test_an_audit_asks_for_it_but_no_threshold_is_learned_from_its_relevance(data: Path) -> None:
    with closing(open_to_read(data / "test")) as store:
        pages = population(store)
        assert store.execute("SELECT max(relevance) FROM history").fetchone()[0] > 0.1
    assert len(pages) == len(WEB) and not pages.relevance.any() and not pages.called.any()


def test_a_classifier_learns_it_neither_as_on_topic_nor_as_off(data: Path) -> None:
    nodes = {document.page.url: document.node for document in crawl_documents(data / "test", Reader(ReadingOptions()))}
    assert set(nodes.values()) == {OTHER} and len(nodes) < len(WEB)
    labelled = crawl_documents(data / "test", Reader(ReadingOptions()), labels=lambda _: RELEVANT)
    assert len(list(labelled)) == len(WEB)
