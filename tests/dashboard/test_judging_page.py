"""Pages are judged one after the other: what is said lies on the desk, in its pile, and the crawl's opinion comes afterwards."""

from __future__ import annotations

import json
import os
import re
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from focused.collection.collection import open_to_read
from focused.collection.desk import DESK, Desk
from focused.desk.dashboard.served import Served
from focused.desk.judging.audit import harvest_in_short
from focused.desk.judging.labelling import to_audit, to_teach
from focused.desk.judging.sheet import read_sheet


def draw(client: TestClient, served: Served, size: str = "20") -> int:
    return client.post("/c/test/judge/draw", data={"token": served.token, "size": size}).status_code


def say(
    client: TestClient, served: Served, url: str | list[str], said: str | list[str], pile: str = "audit", **more: str
):
    fields = {"token": served.token, "pile": pile, "url": url, "said": said, **more}
    return client.post("/c/test/judge", data=fields)


def ahead(client: TestClient, pile: str, without: str = "") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.get(f"/c/test/judge/ahead?pile={pile}&without={without}").json()
    return found


def verdicts(data: Path) -> dict[tuple[str, str], bool]:
    return {(one.pile, one.url): one.relevant for one in Desk(data / "test").verdicts()}


class TestThePage:
    def test_without_a_sample_it_offers_to_draw_one(self, client: TestClient, served: Served, data: Path) -> None:
        assert "Nothing is drawn yet" in client.get("/c/test/judge").text
        assert not (data / "test" / "audit.csv").exists()
        assert draw(client, served) == 303
        assert len(read_sheet(data / "test" / "audit.csv")) == 20
        assert "of 20 judged" in client.get("/c/test/judge").text

    @pytest.mark.parametrize("size", ["", "0", "-5", "many", "1e3", "9999999999999999999"])
    def test_a_sample_of_no_size_is_told(self, client: TestClient, served: Served, size: str) -> None:
        assert draw(client, served, size) == 409

    @pytest.mark.parametrize("pile", ["audit", "teach"])
    def test_nothing_tells_the_opinion_of_the_crawl_before_it_is_judged(
        self, client: TestClient, served: Served, pile: str
    ) -> None:
        draw(client, served)
        text = client.get(f"/c/test/judge?pile={pile}").text
        assert "the crawl said" not in text
        pages = ahead(client, pile)
        assert set(pages[0]) == {"seq", "url", "shown_url", "open", "title", "host", "text"}
        judged = say(client, served, pages[0]["url"], "yes", pile)
        assert re.search(r"the crawl said [01]\.\d\d, (not )?relevant", client.get(judged.headers["location"]).text)

    def test_a_form_alone_judges_page_after_page(self, client: TestClient, served: Served, data: Path) -> None:
        draw(client, served, "5")
        for left in range(5, 0, -1):
            text = client.get("/c/test/judge").text
            assert f'<strong id="judged">{5 - left}</strong> of 5 judged' in text
            (url,) = set(re.findall(r'name="url" value="([^"]+)"', text))
            say(client, served, url, "no")
        assert len(verdicts(data)) == 5
        assert "All pages of the sample are judged" in client.get("/c/test/judge").text

    def test_what_was_said_last_can_be_taken_back(self, client: TestClient, served: Served, data: Path) -> None:
        draw(client, served)
        url = ahead(client, "audit")[0]["url"]
        say(client, served, url, "yes")
        assert verdicts(data) == {("audit", url): True}
        say(client, served, url, "undo")
        assert verdicts(data) == {}
        assert ahead(client, "audit")[0]["url"] == url

    def test_the_script_gets_the_opinion_of_what_it_sent(self, client: TestClient, served: Served, data: Path) -> None:
        draw(client, served)
        urls = [page["url"] for page in ahead(client, "audit")[:3]]
        answer = say(client, served, urls, ["yes", "no", "yes"], script="yes")
        assert set(answer.json()["thought"]) == set(urls)
        assert verdicts(data) == dict(zip([("audit", url) for url in urls], [True, False, True], strict=True))

    @pytest.mark.parametrize(
        "fields",
        [
            {"url": "http://a/", "said": "maybe"},
            {"url": "http://a/"},
            {"said": "yes"},
            {"url": ["http://a/", "http://b/"], "said": "yes"},
            {"url": "http://a/", "said": "yes", "pile": "other"},
        ],
    )
    def test_what_is_no_verdict_is_refused(self, client: TestClient, served: Served, data: Path, fields: Any) -> None:
        answer = client.post("/c/test/judge", data={"token": served.token, "pile": "audit", **fields})
        assert answer.status_code in (400, 404)
        assert verdicts(data) == {}

    def test_a_damaged_sheet_is_told_in_a_sentence(self, client: TestClient, data: Path) -> None:
        (data / "test" / "audit.csv").write_text("url,relevant\nhttp://a/,maybe\n")
        answer = client.get("/c/test/judge")
        assert answer.status_code == 500
        assert "audit.csv" in answer.text
        assert "Traceback" not in answer.text


class TestPiles:
    def test_teaching_leaves_the_sample_of_the_audit_alone(
        self, client: TestClient, served: Served, data: Path
    ) -> None:
        draw(client, served, "10")
        sample = {line.url for line in read_sheet(data / "test" / "audit.csv")}
        offered = {page["url"] for page in ahead(client, "teach")}
        assert offered
        assert not offered & sample

    def test_a_verdict_counts_in_its_own_pile_only(self, client: TestClient, served: Served, data: Path) -> None:
        draw(client, served, "10")
        url = ahead(client, "audit")[0]["url"]
        say(client, served, url, "yes", "teach")
        assert '<strong id="judged">0</strong> of 10' in client.get("/c/test/judge?pile=audit").text

    def test_half_of_what_teaches_is_uncertain_and_half_is_best(self, data: Path) -> None:
        with closing(open_to_read(data / "test")) as store:
            (threshold,) = store.execute("SELECT json_extract(topic, '$.relevance.threshold') FROM runs").fetchone()
            scores = [score for (score,) in store.execute("SELECT relevance FROM fetches WHERE outcome = 'page'")]
            offered = [page.relevance for page in to_teach(store, Desk(data / "test"), 6)]
        uncertain = sorted(scores, key=lambda score: abs(score - threshold))[:3]
        assert sum(abs(score - threshold) <= abs(uncertain[-1] - threshold) for score in offered) >= 3
        assert max(scores) in offered
        assert len(offered) == 6

    def test_pages_are_offered_once_and_what_is_left_out_never(self, client: TestClient, served: Served) -> None:
        draw(client, served)
        for pile in ("audit", "teach"):
            first = ahead(client, pile)
            out = ",".join(str(page["seq"]) for page in first[:4])
            urls = [page["url"] for page in ahead(client, pile, out)]
            assert len(urls) == len(set(urls))
            assert not {page["url"] for page in first[:4]} & set(urls)

    @pytest.mark.parametrize("without", ["x", ",,,", "1e9", "-1", "9" * 30, "1;DROP TABLE fetches", "٣"])
    def test_a_list_of_nonsense_leaves_nothing_out(self, client: TestClient, served: Served, without: str) -> None:
        draw(client, served)
        assert ahead(client, "audit", without) == ahead(client, "audit")

    def test_the_sample_comes_in_the_order_of_its_sheet(self, client: TestClient, served: Served, data: Path) -> None:
        draw(client, served)
        with closing(open_to_read(data / "test")) as store:
            offered = [page.url for page in to_audit(store, Desk(data / "test"), 100)]
        assert offered == [line.url for line in read_sheet(data / "test" / "audit.csv")]


class TestWhatTheSampleSays:
    def test_it_says_the_harvest_rate_of_the_verdicts(self, client: TestClient, served: Served) -> None:
        draw(client, served, "40")
        pages = ahead(client, "audit")
        say(client, served, [page["url"] for page in pages], ["no"] * len(pages))
        told = client.get("/c/test/judge/findings?pile=audit").text
        assert "0% (95% interval 0% to" in told
        assert "0% (" in client.get("/c/test/").text  # of the overview: judged

    def test_the_overview_works_it_out_once_for_the_same_pages_and_verdicts(
        self, client: TestClient, served: Served, data: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        draw(client, served, "10")
        urls = [page["url"] for page in ahead(client, "audit")]
        say(client, served, urls, ["no"] * len(urls))
        db = data / "test" / DESK
        asked: list[str | None] = []
        monkeypatch.setattr(
            "focused.desk.dashboard.served.harvest_in_short",
            lambda store: asked.append(harvest_in_short(store)) or asked[-1],
        )
        os.utime(db, (1e9, 1e9))  # written long ago
        assert all("judged 0% (" in client.get("/c/test/").text for _ in range(3))
        assert len(asked) == 1
        say(client, served, urls[0], "yes")
        os.utime(db, (2e9, 2e9))
        assert all("judged 0% (" not in client.get("/c/test/").text for _ in range(3))
        assert len(set(asked)) == len(asked) == 2

    def test_a_new_draw_keeps_what_was_said(self, client: TestClient, served: Served, data: Path) -> None:
        draw(client, served, "10")
        urls = [page["url"] for page in ahead(client, "audit")]
        say(client, served, urls, ["yes"] * 10)
        draw(client, served, "20")
        assert '<strong id="judged">10</strong> of 20' in client.get("/c/test/judge").text

    def test_verdicts_on_pages_of_an_earlier_crawl_do_no_harm(
        self, client: TestClient, served: Served, data: Path
    ) -> None:
        Desk(data / "test").judge([("http://gone.example/", "audit", True)])
        assert draw(client, served) == 303
        assert client.get("/c/test/judge").status_code == 200


def test_a_page_that_cannot_be_read_is_offered_all_the_same(client: TestClient, served: Served, data: Path) -> None:
    for file in (data / "test" / "pages").iterdir():
        file.write_bytes(b"\x00" * file.stat().st_size)
    draw(client, served)
    assert "no text that can be read" in json.dumps(ahead(client, "audit"))
