"""Hosts, failures, dropped URLs and the queue: what they count, how they are asked, and what a row lets a person do."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from html import unescape
from pathlib import Path
from time import monotonic, sleep

import pytest
from starlette.testclient import TestClient

from focused.collection.collection import open_to_read
from focused.collection.desk import Desk
from focused.desk.dashboard import long_tables, tasks
from focused.desk.dashboard.app import create_app
from focused.desk.dashboard.long_tables import QueueView, WaitingUrls
from focused.desk.dashboard.served import Served
from focused.desk.dashboard.tasks import waiting
from focused.desk.job import Worker
from focused.exceptions import FocusedError
from focused.live.session import Session
from tests.dashboard.conftest import ADDRESS
from tests.small_web import crawl, topic_of

PATIENCE = 120  #: seconds for a process to read a queue, on the slowest machine


def rows_of(text: str) -> list[list[str]]:
    """The cells of the first table, as texts."""
    body = re.search(r"<tbody>(.*?)</tbody>", text, re.DOTALL)
    rows = re.findall(r"<tr>(.*?)</tr>", body[1], re.DOTALL) if body else []
    return [
        [
            " ".join(unescape(re.sub("<[^>]*>", " ", cell)).split())
            for cell in re.findall(r"<td[^>]*>(.*?)</td>", row, re.DOTALL)
        ]
        for row in rows
    ]


def counted(data: Path, query: str) -> int:
    with closing(open_to_read(data / "test")) as store:
        return int(store.execute(query).fetchone()[0] or 0)


@pytest.fixture
def half(tmp_path: Path) -> Path:
    """The data folder of a collection, ``test``, whose crawl has ended in the middle."""
    session = Session(topic_of(strategy="combined"), tmp_path / "data" / "test")
    crawl(session, 10)
    session.close()
    return tmp_path / "data"


class TestHosts:
    def test_each_host_has_its_figures(self, client: TestClient, data: Path) -> None:
        rows = {row[0]: row[1:] for row in rows_of(client.get("/c/test/hosts").text)}
        with closing(open_to_read(data / "test")) as store:
            expected = store.execute("SELECT host, relevant, pages, failures FROM host_totals").fetchall()
        assert {(host, row[0], row[1], row[3]) for host, row in rows.items()} == {
            (host, str(relevant or 0), str(pages), str(failures)) for host, relevant, pages, failures in expected
        }

    @pytest.mark.parametrize("column", ["relevant", "pages", "failures"])
    def test_they_can_be_ordered_by_any_figure_both_ways(self, client: TestClient, column: str) -> None:
        place = {"relevant": 1, "pages": 2, "failures": 4}[column]
        down, up = (
            [int(row[place]) for row in rows_of(client.get(f"/c/test/hosts?sort={column}{way}").text)]
            for way in ("", "&up=yes")
        )
        assert down == sorted(down, reverse=True)
        assert up == sorted(up)

    def test_they_can_be_filtered_and_cut_into_pages(self, client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
        assert [row[0] for row in rows_of(client.get("/c/test/hosts?q=HOST3").text)] == ["host3.example"]
        monkeypatch.setattr(long_tables, "PER_PAGE", 2)
        names = [
            row[0] for page in (1, 2, 3) for row in rows_of(client.get(f"/c/test/hosts?page={page}&sort=host").text)
        ]
        assert names == sorted(names)
        assert len(set(names)) == 5

    def test_manners_are_told(self, client: TestClient, data: Path) -> None:
        with closing(sqlite3.connect(data / "test" / "crawl.db")) as db, db:
            db.execute(
                "INSERT OR REPLACE INTO manners VALUES ('host1.example', NULL, 7.5, '2026-01-02T03:04:05+00:00')"
            )
        text = client.get("/c/test/hosts?q=host1").text
        assert "7.5 s" in text
        assert "left alone until 2026-01-02 03:04 UTC" in text

    def test_a_name_leads_to_the_pages_of_the_host(self, client: TestClient) -> None:
        assert 'href="/c/test/search?host=host1.example"' in client.get("/c/test/hosts").text


class TestFailuresAndDrops:
    def test_failures_are_counted_by_reason(self, client: TestClient, data: Path) -> None:
        failures = counted(data, "SELECT count(*) FROM failures")
        text = client.get("/c/test/failures").text
        assert f"<strong>{failures}</strong>" in text
        assert re.search(rf'<span>http 404</span> <span class="num">{failures}</span>', text)
        assert len(rows_of(text)) == failures > 0
        assert rows_of(client.get("/c/test/failures?reason=timeout").text) == []
        assert len(rows_of(client.get("/c/test/failures?reason=http+404").text)) == failures

    def test_a_text_filters_them_whatever_it_is(self, client: TestClient) -> None:
        (first, *_), *_ = rows_of(client.get("/c/test/failures").text)
        url = first.split()[0]
        assert [
            row[0].split()[0] for row in rows_of(client.get("/c/test/failures", params={"q": url.upper()}).text)
        ] == [url]
        for text in ("%", "_", "'", '"', "\\", "\x00", "\ud800".encode("utf-8", "replace").decode(), "x" * 5000):
            assert client.get("/c/test/failures", params={"q": text}).status_code == 200

    def test_dropped_urls_have_their_rules(self, data: Path, tmp_path: Path) -> None:
        session = Session(topic_of(scope={"max_depth": 1}), tmp_path / "data" / "shallow")
        crawl(session)
        session.close()
        client = TestClient(create_app(Served(data)), base_url=ADDRESS)
        with closing(open_to_read(data / "shallow")) as store:
            expected = store.execute("SELECT url, reason FROM dropped ORDER BY seq DESC").fetchall()
        rows = rows_of(client.get("/c/shallow/dropped").text)
        assert sorted((row[0], row[1]) for row in rows) == sorted(expected)
        assert expected

    def test_many_are_cut_into_pages(self, client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
        every = rows_of(client.get("/c/test/failures").text)
        monkeypatch.setattr("focused.desk.dashboard.long_tables.PER_PAGE", 1)
        monkeypatch.setattr(long_tables, "PER_PAGE", 1)
        assert [rows_of(client.get(f"/c/test/failures?page={n}").text) for n in range(1, len(every) + 1)] == [
            [row] for row in every
        ]


class TestQueue:
    def test_it_is_what_the_crawl_would_take_next(self, half: Path) -> None:
        session = Session(topic_of(strategy="combined"), half / "test")
        ids, scores = session.crawl.frontier.waiting()
        expected = [(session.store.url(url), score) for url, score in zip(ids.tolist(), scores.tolist(), strict=True)]
        session.close()
        found = waiting(half / "test")
        assert [(url["url"], url["score"]) for url in found["urls"]] == expected
        assert found["count"] == len(expected) == sum(found["hosts"].values())
        assert all(url["source"].startswith("http") for url in found["urls"])
        assert any(url["meanings"] for url in found["urls"])

    def test_a_process_reads_it_and_the_page_shows_it(self, half: Path) -> None:
        client = TestClient(create_app(Served(half)), base_url=ADDRESS)
        assert "Reading the state of the crawl" in client.get("/c/test/queue").text
        deadline = monotonic() + PATIENCE
        while not client.get("/c/test/queue/progress").json()["done"]:
            assert monotonic() < deadline
            sleep(0.05)
        expected = waiting(half / "test")
        rows = rows_of(client.get("/c/test/queue").text)
        assert [row[2].split()[0] for row in rows] == [url["url"] for url in expected["urls"][:50]]
        hosts = {row[0]: row[5] for row in rows_of(client.get("/c/test/hosts").text)}
        assert {host: int(count) for host, count in hosts.items() if count != "–"} == expected["hosts"]
        assert rows_of(client.get("/c/test/queue?q=nowhere").text) == []

    def test_why_it_cannot_be_read_is_told(self, half: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        with closing(sqlite3.connect(half / "test" / "crawl.db")) as db, db:
            db.execute("DELETE FROM snapshots")
        monkeypatch.setattr(tasks, "MOST_EVENTS", 3)
        with pytest.raises(FocusedError, match="has saved no state that can be read here"):
            waiting(half / "test")

    def test_a_trouble_is_shown_and_not_tried_at_each_look(self, half: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        started: list[str] = []

        def fail(worker: Worker) -> None:
            started.append("once")
            worker.said, worker.failed = "<b>its model is gone</b>", True

        monkeypatch.setattr(Worker, "start", fail)
        client = TestClient(create_app(Served(half)), base_url=ADDRESS)
        for _ in range(3):
            assert "&lt;b&gt;its model is gone&lt;/b&gt;" in client.get("/c/test/queue").text
        assert started == ["once"]

    def test_an_older_look_stays_while_a_newer_one_is_read(self, half: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(long_tables, "STALE_SECONDS", 0)
        started: list[Worker] = []
        monkeypatch.setattr(Worker, "start", lambda worker: started.append(worker))
        urls = WaitingUrls(half / "test")
        urls._worker.said = json.dumps(waiting(half / "test"))
        assert look(urls, half).waiting is not None
        assert started == []
        session = Session(topic_of(strategy="combined"), half / "test")
        crawl(session, 5)
        session.close()
        assert look(urls, half).waiting is not None
        assert started == [urls._worker]


def look(urls: WaitingUrls, data: Path) -> QueueView:
    with closing(open_to_read(data / "test")) as store:
        return urls.look(store)


@pytest.mark.parametrize("path", ["hosts", "failures"])
def test_buttons_of_a_row_ask_the_crawl_and_lead_back(client: TestClient, data: Path, path: str) -> None:
    text = client.get(f"/c/test/{path}").text
    forms = re.findall(r'<form method="post" action="/c/test/steer".*?</form>', text, re.DOTALL)
    for form in forms[:4]:
        fields = {name: unescape(value) for name, value in re.findall(r'name="(\w+)" value="([^"]*)"', form)}
        answer = client.post("/c/test/steer", data=fields)
        assert answer.status_code == 303
        assert answer.headers["location"].startswith(f"/c/test/{path}")
    asked = {(one.kind, bool(one.argument)) for one in Desk(data / "test").commands()}
    assert asked >= {("deny_host", True)}


class TestTrouble:
    @pytest.fixture
    def damaged(self, data: Path) -> Iterator[TestClient]:
        (data / "test" / "crawl.db").write_bytes(b"SQLite format 3\x00" + b"damage" * 5000)
        for name in ("crawl.db-wal", "crawl.db-shm"):
            (data / "test" / name).unlink(missing_ok=True)
        yield TestClient(create_app(Served(data)), base_url=ADDRESS)

    @pytest.mark.parametrize(
        "path", ["hosts", "failures", "dropped", "queue", "search", "page?url=http://host0.example/0"]
    )
    def test_a_damaged_database_is_told_in_a_sentence(self, damaged: TestClient, path: str) -> None:
        answer = damaged.get(f"/c/test/{path}")
        assert answer.status_code == 500
        assert "put a copy back" in answer.text
        assert "Traceback" not in answer.text

    @pytest.mark.parametrize(
        "path",
        [
            "hosts",
            "failures",
            "dropped",
            "queue",
            "search",
            "page",
            "replay",
            "download",
            "search.csv",
            "search/progress",
        ],
    )
    def test_no_collection_no_page(self, client: TestClient, path: str) -> None:
        assert client.get(f"/c/none/{path}?url=http://host0.example/0").status_code == 404

    @pytest.mark.parametrize("path", ["hosts", "failures", "dropped", "queue"])
    @pytest.mark.parametrize("query", ["page=-1", "page=x", "page=99999999999", "sort=%00", "up=x", "reason=%F0"])
    def test_no_address_is_a_mistake(self, client: TestClient, path: str, query: str) -> None:
        assert client.get(f"/c/test/{path}?{query}").status_code == 200
