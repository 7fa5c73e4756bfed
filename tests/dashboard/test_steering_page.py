"""What a person asks for on a page lies on the desk as one of the fixed commands, and the page says what became of it."""

from __future__ import annotations

import csv
import html
import io
import json
import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from focused.collection.desk import DONE, REFUSED, Desk
from focused.desk.dashboard.served import Served
from focused.desk.dashboard.standing import order
from focused.exceptions import FocusedError
from focused.live.session import Session
from tests.small_web import crawl, topic_of


def ask(client: TestClient, served: Served, **fields: str) -> tuple[int, str]:
    """Status of the answer, and where it leads or what it says."""
    answer = client.post("/c/test/steer", data={"token": served.token, **fields})
    told = re.search(r"<h1>That did not work</h1>\s*<p>(.*?)</p>", answer.text, re.DOTALL)
    return answer.status_code, answer.headers.get("location") or (told[1] if told else "")


class TestAsking:
    @pytest.mark.parametrize(
        ("fields", "asked"),
        {
            "a URL": (
                {"kind": "raise_url", "argument": " http://a.example/x "},
                ("raise_url", "http://a.example/x", ""),
            ),
            "a host": ({"kind": "deny_host", "argument": "Spam.Example"}, ("deny_host", "spam.example", "")),
            "a budget": ({"kind": "budget", "pages": "500", "hours": ""}, ("budget", "", "pages=500")),
            "a budget in one": ({"kind": "budget", "value": "pages=5 hours=1.5"}, ("budget", "", "pages=5 hours=1.5")),
        }.values(),
    )
    def test_it_lies_on_the_desk(self, client: TestClient, served: Served, data: Path, fields, asked) -> None:
        assert ask(client, served, **fields) == (303, "/c/test/")
        (found,) = Desk(data / "test").commands()
        assert (found.kind, found.argument, found.value) == asked

    @pytest.mark.parametrize(
        "fields",
        [
            {},
            {"kind": "rm -rf"},
            {"kind": "pause"},
            {"kind": "stop"},
            {"kind": "raise_url"},
            {"kind": "raise_url", "argument": "file:///etc/passwd"},
            {"kind": "raise_url", "argument": "javascript:alert(1)"},
            {"kind": "deny_host", "argument": "no host"},
            {"kind": "deny_host", "argument": ""},
            {"kind": "budget"},
            {"kind": "budget", "pages": "many"},
            {"kind": "budget", "hours": "nan"},
            {"kind": "budget", "pages": "-1"},
            {"kind": "budget", "value": "megabytes=1"},
        ],
    )
    def test_what_makes_no_sense_is_told_in_a_sentence_and_asked_of_nobody(
        self, client: TestClient, served: Served, data: Path, fields: dict[str, str]
    ) -> None:
        status, told = ask(client, served, **fields)
        assert status == 409
        assert told.endswith(".")
        assert "\n" not in told
        assert Desk(data / "test").commands() == []

    @pytest.mark.parametrize(
        ("back", "leads"),
        [
            ("/c/test/hosts?page=2", "/c/test/hosts?page=2"),
            ("https://evil.example/", "/c/test/"),
            ("//evil.example/c/test/", "/c/test/"),
            ("/c/other/", "/c/test/"),
            ("/c/test/\r\nX: y", "/c/test/%0D%0AX:%20y"),
        ],
    )
    def test_it_leads_back_to_a_page_of_the_same_collection_only(
        self, client: TestClient, served: Served, back: str, leads: str
    ) -> None:
        assert ask(client, served, kind="deny_host", argument="a.example", back=back) == (303, leads)

    def test_a_damaged_desk_is_told_in_a_sentence_and_the_overview_stands(
        self, client: TestClient, served: Served, data: Path
    ) -> None:
        (data / "test" / "desk.db").write_bytes(b"no database at all" * 100)
        status, told = ask(client, served, kind="deny_host", argument="a.example")
        assert status == 409
        assert "desk.db" in told
        overview = client.get("/c/test/")
        assert overview.status_code == 200
        assert "desk.db" in overview.text


class TestWhatBecameOfIt:
    def test_the_overview_tells(self, client: TestClient, data: Path) -> None:
        desk = Desk(data / "test")
        first, second = desk.ask("deny_host", "<b>.example"), desk.ask("raise_url", "http://a.example/")
        desk.ask("stop")
        desk.taken({first: (DONE, "3 URLs dropped"), second: (REFUSED, "the scope <i>bars</i> it")})
        text = client.get("/c/test/").text
        assert "3 URLs dropped" in text
        assert "the scope &lt;i&gt;bars&lt;/i&gt; it" in text
        assert "&lt;b&gt;.example" in text
        assert "the next run takes it" in text

    def test_the_part_that_changes_is_the_same_alone(self, client: TestClient, data: Path) -> None:
        Desk(data / "test").ask("stop")
        part, whole = (re.sub(r"\d+ s ago", "", client.get(f"/c/test/{path}").text) for path in ("steered", ""))
        assert "stop" in part
        assert part in whole

    def test_a_crawl_that_was_told_to_stop_is_looked_up_until_it_has_ended(
        self, client: TestClient, data: Path
    ) -> None:
        def steered() -> list[str]:
            return re.findall(r'data-(?:waits|state)="(\w+)"', client.get("/c/alive/steered").text)

        session = Session(topic_of(), data / "alive")
        crawl(session, 10)
        desk = Desk(data / "alive")
        desk.taken({desk.ask("raise_url", "http://a.example/"): (DONE, "")})
        session.commit()
        assert steered() == ["running", "no"]
        desk.taken({desk.ask("stop"): (DONE, "")})
        assert steered() == ["running", "yes"]
        session.close()
        assert steered() == ["ended", "no"]

    def test_lines_for_the_topic_file_hold_what_was_done(self, client: TestClient, data: Path) -> None:
        desk = Desk(data / "test")
        for kind, argument, value, state in (
            ("deny_host", "a.example", "", DONE),
            ("deny_host", "b.example", "", DONE),
            ("deny_host", "c.example", "", REFUSED),
            ("allow_host", "a.example", "", DONE),
            ("budget", "", "pages=7", DONE),
            ("budget", "", "pages=500 hours=2", DONE),
        ):
            desk.taken({desk.ask(kind, argument, value): (state, "")})
        kept = re.search(r'<pre class="keep">(.*?)</pre>', client.get("/c/test/").text, re.DOTALL)
        assert kept is not None
        assert html.unescape(kept[1]).splitlines() == [
            "[budget]",
            "pages = 500",
            "hours = 2",
            "[scope]",
            'denied_hosts = ["b.example"]',
        ]


def test_an_order_is_spelt_as_the_crawl_reads_it() -> None:
    assert order("budget", "", " hours=2   pages=10 ") == ("budget", "", "hours=2 pages=10")
    assert order("pause", "of no use", "either") == ("pause", "", "")
    with pytest.raises(FocusedError, match="Budget"):
        order("budget", "", "pages=1 pages=2 seeds=3")


class TestTakingAway:
    def test_csv_has_the_relevant_pages_and_no_texts(self, client: TestClient) -> None:
        answer = client.get("/c/test/export?format=csv")
        rows = list(csv.DictReader(io.StringIO(answer.text)))
        assert answer.headers["content-disposition"] == "attachment; filename*=UTF-8''test.csv"
        assert len(rows) > 5
        assert {row["relevant"] for row in rows} == {"1"}
        assert "text" not in rows[0]

    def test_json_lines_have_the_texts(self, client: TestClient) -> None:
        found = [json.loads(line) for line in client.get("/c/test/export?format=jsonl").text.splitlines()]
        assert found
        assert all("solar" in page["text"] for page in found)

    def test_both_have_the_same_pages_however_many_are_sent_at_once(self, client: TestClient, monkeypatch) -> None:
        whole = client.get("/c/test/export?format=jsonl").text
        monkeypatch.setattr("focused.desk.dashboard.views.hits_view.ROWS_WITH_TEXT", 3)
        assert client.get("/c/test/export?format=jsonl").text == whole

    def test_an_unknown_format_is_told(self, client: TestClient) -> None:
        assert client.get("/c/test/export?format=exe").status_code == 404
