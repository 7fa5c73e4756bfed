"""The page of news shows what a person has not seen there; the page of sites shows those that are no seeds."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from xml.etree import ElementTree

from starlette.testclient import TestClient

from focused.desk.dashboard.served import Served


def upto(client: TestClient) -> str:
    found = re.search(r'name="upto" value="(\d+)"', client.get("/c/test/news").text)
    return found[1] if found else ""


class TestNews:
    def test_what_was_seen_is_not_new_any_more(self, client: TestClient, served: Served) -> None:
        assert "<li>" in client.get("/c/test/news").text
        fields = {"token": served.token, "upto": upto(client)}
        assert client.post("/c/test/news/seen", data=fields).headers["location"] == "/c/test/news"
        text = client.get("/c/test/news").text
        assert ("<li>" in text.partition("<main")[2], upto(client)) == (False, "")
        assert "nothing since you looked" in text

    def test_what_has_come_since_the_page_was_loaded_stays_new(self, client: TestClient, served: Served) -> None:
        client.post("/c/test/news/seen", data={"token": served.token, "upto": str(int(upto(client)) // 2)})
        assert upto(client)

    def test_nobody_sees_the_future(self, client: TestClient, served: Served) -> None:
        for strange in ("9" * 12, "-1", "x", ""):
            client.post("/c/test/news/seen", data={"token": served.token, "upto": strange})
            assert upto(client)

    def test_the_feed_is_one(self, client: TestClient) -> None:
        answer = client.get("/c/test/news.atom")
        assert answer.headers["content-type"].startswith("application/atom+xml")
        assert ElementTree.fromstring(answer.content).tag.endswith("feed")


class TestSites:
    def test_seeds_are_left_out_unless_asked_for(self, client: TestClient) -> None:
        assert "host0.example" not in client.get("/c/test/companies").text
        assert "host1.example" in client.get("/c/test/companies").text
        assert "host0.example" in client.get("/c/test/companies?seeds=yes").text

    def test_the_table_is_the_same(self, client: TestClient) -> None:
        lines = client.get("/c/test/companies.csv?seeds=yes&q=host1").text.splitlines()
        assert [line.split(",")[0] for line in lines] == ["site", "host1.example"]

    def test_a_contact_page_is_of_the_web_or_none(self, client: TestClient, data: Path) -> None:
        with closing(sqlite3.connect(data / "test" / "crawl.db")) as db, db:
            db.execute("UPDATE urls SET url = 'javascript:alert(1)//host1.example/contact' WHERE id = 4")
        assert 'href="javascript' not in client.get("/c/test/companies?seeds=yes").text
