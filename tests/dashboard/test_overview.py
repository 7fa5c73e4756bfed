"""What the first page and the overview say is what the collection holds, also while it grows, and where it is damaged."""

from __future__ import annotations

import json
import os
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from starlette.testclient import TestClient

from focused.collection.collection import open_to_read
from focused.crawl.budget import SLIDING
from focused.desk.dashboard.figures import Figures
from focused.desk.dashboard.served import Served
from focused.desk.dashboard.standing import curve, sparkline, standing
from focused.explain.strangers import strangers
from focused.live.session import Session
from tests.small_web import crawl, topic_of


def tile(text: str, key: str) -> str:
    found = re.search(rf'data-live="{key}">([^<]*)<', text)
    assert found is not None
    return found[1]


def counted(data: Path, query: str) -> int:
    with closing(open_to_read(data / "test")) as store:
        return int(store.execute(query).fetchone()[0] or 0)


class TestOverview:
    def test_the_figures_are_those_of_the_database(self, client: TestClient, data: Path) -> None:
        text = client.get("/c/test/").text
        assert tile(text, "pages") == str(counted(data, "SELECT count(*) FROM fetches WHERE outcome = 'page'"))
        assert tile(text, "relevant") == str(counted(data, "SELECT sum(relevant) FROM fetches"))
        assert tile(text, "failures") == str(counted(data, "SELECT count(*) FROM failures"))
        assert tile(text, "hosts") == "5"

    def test_the_queue_is_what_the_crawl_said(self, tmp_path: Path, data: Path) -> None:
        session = Session(topic_of(), data / "half")
        crawl(session, 5)
        session.commit()
        waiting = len(session.crawl.frontier)
        served = Served(data)
        shown = served.find("half")
        assert shown is not None
        with shown.store() as store:
            assert json.loads(store.execute("SELECT status FROM runs").fetchone()[0])["waiting"] == waiting
        session.close()

    def test_a_running_crawl_is_called_so_until_it_ends(self, client: TestClient, data: Path) -> None:
        session = Session(topic_of(), data / "alive")
        crawl(session, 10)
        session.commit()
        assert "running" in client.get("/c/alive/").text
        first = tile(client.get("/c/alive/").text, "pages")
        crawl(session, 10)
        session.commit()
        assert int(tile(client.get("/c/alive/").text, "pages")) > int(first)
        session.close()
        assert ">ended<" in client.get("/c/alive/").text

    def test_titles_of_the_web_are_text(self, client: TestClient, data: Path) -> None:
        title = "<script>window.run = 1</script>\u202e" + "x" * 5000
        with closing(sqlite3.connect(data / "test" / "crawl.db")) as db, db:
            db.execute("UPDATE fetches SET title = ?", (title,))
        text = client.get("/c/test/").text
        assert "<script>window" not in text
        assert "\u202e" not in text
        assert "&lt;script&gt;window.run" in text
        assert "x" * 400 not in text

    def test_pages_that_bring_nothing_new_are_warned_of(self, client: TestClient, data: Path) -> None:
        with closing(sqlite3.connect(data / "test" / "crawl.db")) as db, db:
            columns = [row[1] for row in db.execute("PRAGMA table_info(fetches)") if row[1] not in ("seq", "verdict")]
            names = ", ".join(columns)
            one = "SELECT seq FROM fetches WHERE outcome = 'page' LIMIT 1"
            for seq in range(10_000, 10_000 + SLIDING):
                db.execute(
                    f"INSERT INTO fetches (seq, verdict, {names}) SELECT ?, 'near copy', {names} FROM fetches WHERE seq = ({one})",
                    (seq,),
                )
        text = client.get("/c/test/").text
        assert f"{SLIDING} of the last {SLIDING} pages bring nothing new (near copy)" in text

    @pytest.mark.parametrize(
        ("until", "told"), [("2999-01-01T12:34:56+00:00", True), ("2020-01-01T00:00:00+00:00", False)]
    )
    def test_hosts_that_are_too_busy_are_told_while_the_crawl_runs(
        self, client: TestClient, data: Path, until: str, told: bool
    ) -> None:
        session = Session(topic_of(), data / "alive")
        crawl(session, 5)
        session.commit()
        with closing(sqlite3.connect(data / "alive" / "crawl.db")) as db, db:
            db.execute("INSERT INTO manners VALUES ('busy.example', NULL, 4.0, ?)", (until,))
        assert ("busy.example until 12:34 UTC" in client.get("/c/alive/").text) is told
        session.close()


class TestStrangers:
    @pytest.fixture(autouse=True)
    def spam(self, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Nobody vouches for the hosts without a seed, which are three; one has a hostile name."""
        monkeypatch.setattr("focused.explain.strangers.LARGE_COUNT", 2)
        with closing(sqlite3.connect(data / "test" / "crawl.db")) as db, db:
            db.execute("DELETE FROM links")
            db.execute("UPDATE hosts SET name = '<script>alert(1)</script>' WHERE name = 'host1.example'")

    def test_each_is_told_with_the_harvest_without_it_and_two_buttons(self, client: TestClient, data: Path) -> None:
        text = client.get("/c/test/").text
        with closing(open_to_read(data / "test")) as store:
            found = strangers(store)
        assert len(found) == 3
        for one in found:
            assert f"{one.relevant} of {one.all_relevant} relevant pages ({one.share:.0%})" in text
            assert f"{one.harvest:.0%} with it, {one.harvest_without:.0%} without" in text
        assert text.count("Leave it out</button>") == text.count("Trust it</button>") == 3
        assert "<script>alert" not in text
        assert "are on &lt;script&gt;alert" in re.sub("<a [^>]*>", "", text)

    def test_more_than_three_are_counted(self, client: TestClient, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("focused.desk.dashboard.views.overview_view.MOST_NAMED", 1)
        text = client.get("/c/test/").text
        assert text.count("Leave it out</button>") == 1
        with closing(open_to_read(data / "test")) as store:
            assert (
                f"Strangers like these: 2 more. Harvest rate {strangers(store)[0].harvest:.0%} with all of them" in text
            )

    @pytest.mark.parametrize("kind", ["deny_host", "trust_host"])
    def test_one_that_a_person_has_spoken_of_is_told_of_no_more(
        self, client: TestClient, served: Served, data: Path, kind: str
    ) -> None:
        assert "host3.example</a>, to which hardly any trusted site links" in client.get("/c/test/").text
        form = {"token": served.token, "kind": kind, "argument": "host3.example"}
        assert client.post("/c/test/steer", data=form).status_code == 303
        text = client.get("/c/test/").text
        assert "host3.example</a>, to which hardly any trusted site links" not in text
        assert "host4.example</a>, to which hardly any trusted site links" in text


class TestCollections:
    def test_every_collection_is_listed_and_leads_to_its_overview(self, client: TestClient) -> None:
        text = client.get("/").text
        assert 'href="/c/test/"' in text
        assert "finished" in text

    def test_one_that_cannot_be_read_is_told_in_a_sentence_and_the_others_are_shown(
        self, client: TestClient, data: Path
    ) -> None:
        (data / "broken").mkdir()
        (data / "broken" / "crawl.db").write_bytes(b"no database" * 100)
        text = client.get("/").text
        assert 'href="/c/test/"' in text
        assert "broken" in text
        answer = client.get("/c/broken/")
        assert answer.status_code == 500
        assert "That did not work" in answer.text
        assert "Traceback" not in answer.text

    def test_a_collection_that_comes_later_is_shown(self, client: TestClient, data: Path) -> None:
        assert client.get("/c/later/").status_code == 404
        session = Session(topic_of(), data / "later")
        crawl(session, 3)
        session.close()
        assert client.get("/c/later/").status_code == 200

    @pytest.mark.parametrize("name", ["%2e%2e", "..%2f..", "none", "test%00", "<script>"])
    def test_no_name_leads_out_of_the_data_folder(self, client: TestClient, name: str) -> None:
        answer = client.get(f"/c/{name}/")
        assert answer.status_code in (400, 404)
        assert "<script>" not in answer.text.replace("<script src", "")

    def test_folders_of_the_same_name_are_kept_apart(self, data: Path, tmp_path: Path) -> None:
        session = Session(topic_of(), tmp_path / "other" / "test")
        crawl(session, 2)
        session.close()
        served = Served(data, ["test", str(tmp_path / "other" / "test")])
        assert served.names() == ["test", "test-2"]

    @pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
    def test_a_folder_that_nobody_may_write_to_is_shown(self, client: TestClient, data: Path) -> None:
        (data / "test").chmod(0o500)
        try:
            assert client.get("/c/test/").status_code == 200
        finally:
            (data / "test").chmod(0o700)


class TestPace:
    def test_the_time_between_two_runs_is_no_time_of_crawling(self, data: Path) -> None:
        session = Session(topic_of(), data / "late")
        crawl(session, 10)
        session.close()
        with closing(sqlite3.connect(data / "late" / "crawl.db")) as db, db:
            db.execute("UPDATE fetches SET time = '2020-01-01T00:00:00+00:00'")
        session = Session(topic_of(), data / "late")
        crawl(session, 10)
        session.commit()
        shown = Served(data).find("late")
        assert shown is not None
        with shown.store() as store:
            assert standing(shown, store).pace > 0.01
        session.close()


class TestStarting:
    def test_a_dashboard_without_a_launcher_starts_nothing(self, client: TestClient, served: Served) -> None:
        answer = client.post("/start", data={"token": served.token, "topic": "demo"})
        assert answer.status_code == 403


class TestFigures:
    def test_bringing_them_forward_is_reading_them_at_once(self, data: Path) -> None:
        session = Session(topic_of(), data / "grown")
        figures = Figures()
        for _ in range(8):
            crawl(session, 5)
            session.commit()
            with closing(open_to_read(data / "grown")) as store:
                grown = figures.numbers(store)
        session.close()
        with closing(open_to_read(data / "grown")) as store:
            whole = Figures().numbers(store)
            grown = figures.numbers(store)
        for name in whole.pages.__slots__:
            assert np.array_equal(getattr(grown.pages, name), getattr(whole.pages, name)), name
        assert (grown.failures_by_host, grown.hosts) == (whole.failures_by_host, whole.hosts)

    def test_what_was_read_before_stays_as_it_was(self, data: Path) -> None:
        session = Session(topic_of(), data / "grown")
        figures = Figures()
        crawl(session, 5)
        session.commit()
        with closing(open_to_read(data / "grown")) as store:
            before = figures.numbers(store)
        seqs = before.pages.seq.tolist()
        crawl(session, 20)
        session.commit()
        with closing(open_to_read(data / "grown")) as store:
            figures.numbers(store)
        session.close()
        assert before.pages.seq.tolist() == seqs


class TestCurve:
    @pytest.mark.parametrize("count", [0, 1, 2, 199, 200, 201, 5000])
    def test_it_ends_with_the_rates_of_now(self, count: int) -> None:
        relevant = np.arange(count) % 3 == 0
        pages, overall, recent = curve(relevant)
        assert len(pages) == len(overall) == len(recent) <= 400
        if count:
            assert pages[-1] == count
            assert overall[-1] == pytest.approx(relevant.mean(), abs=1e-4)
            assert recent[-1] == pytest.approx(relevant[-SLIDING:].mean(), abs=1e-4)

    def test_a_sparkline_stays_in_its_box(self) -> None:
        points = [tuple(map(float, point.split(","))) for point in sparkline(np.arange(3000) < 700).split()]
        assert all(0 <= x <= 120 and 0 <= y <= 28 for x, y in points)
