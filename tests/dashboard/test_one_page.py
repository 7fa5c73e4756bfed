"""The page of one URL: what it tells, that its neighbours lead on, what people say of it, and that its bytes stay shut in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from html import unescape
from pathlib import Path
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from focused.collection.collection import open_to_read
from focused.collection.desk import Desk
from focused.desk.dashboard import neighbours
from focused.desk.dashboard.app import create_app
from focused.desk.dashboard.neighbours import fates_of
from focused.desk.dashboard.served import Served, Shown
from focused.desk.dashboard.tasks import update_index
from focused.desk.dashboard.views import page_view
from focused.desk.dashboard.views.page_view import dossier
from focused.live.session import Session
from tests.collection.collecting import collect
from tests.dashboard.conftest import ADDRESS
from tests.small_web import fetch, topic_of

START, ROOF, COOK = "http://a.example/", "http://a.example/roof", "http://a.example/cook"
GONE, PDF = "http://a.example/gone", "http://b.example/paper.pdf"
TEXT = "Solar panels lie on the roof of every house in this town, and give solar energy to all of them."
PAGES = {
    START: (
        f"<html><title>Solar start</title><p>{TEXT}<p>go <a href=/roof>to the roof</a> or <a href=/gone>away</a>, "
        f"or <a href=/cook>cook</a>; read <a href={PDF}>the paper</a>"
    ),
    ROOF: f"<html><title>Roofs</title><p>{TEXT}<p>Tiles of slate. <a href=/>back</a>",
    COOK: "<html><title>Soup</title><p>Boil water and add salt, carrots, onions and a leaf of laurel, and wait for an hour.",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    collect(tmp_path / "test", PAGES, seeds=(START,))
    update_index(tmp_path / "test")
    return tmp_path / "test"


@pytest.fixture
def served(folder: Path) -> Served:
    return Served(folder.parent)


@pytest.fixture
def client(served: Served) -> Iterator[TestClient]:
    with TestClient(create_app(served), base_url=ADDRESS, follow_redirects=False) as client:
        yield client


def text_of(client: TestClient, url: str, more: str = "") -> str:
    answer = client.get(f"/c/test/page?url={quote(url, safe='')}{more}")
    assert answer.status_code == 200
    return unescape(re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", answer.text)))


def test_it_says_what_the_page_says_and_why_it_was_fetched(client: TestClient) -> None:
    text = text_of(client, ROOF)
    assert TEXT in text
    assert "Tiles of slate." in text
    assert "1 link from a seed" in text
    assert re.search(r"The way to it http://a.example/ “to the roof” → this page", text)


def test_a_seed_is_a_start(client: TestClient) -> None:
    assert "as a start of the crawl" in text_of(client, START)
    assert "The way to it" not in text_of(client, START)


def test_links_tell_what_became_of_them(client: TestClient) -> None:
    text = text_of(client, START)
    assert re.search(r"to the roof http://a.example/roof [-–\d.]+ (relevant|fetched), \d", text)
    assert re.search(r"away http://a.example/gone [-–\d.]+ failed: http 404", text)
    assert re.search(r"the paper http://b.example/paper.pdf [-–\d.]+ dropped: file type", text)
    assert re.search(r"Links to it 1 .*back http://a.example/roof", text)


def test_a_url_without_a_page_has_its_story_too(client: TestClient) -> None:
    assert "failed: http 404" in text_of(client, GONE)
    assert "to it 1" in text_of(client, GONE)
    assert "It was not chosen: dropped: file type" in text_of(client, PDF)


def test_what_waits_or_is_under_way_is_told(tmp_path: Path) -> None:
    session = Session(topic_of(), tmp_path / "half")
    for _ in range(3):
        fetch(session)
    pick = session.next()
    assert pick is not None
    session.commit()
    shown = Shown("half", tmp_path / "half")
    with closing(open_to_read(shown.folder)) as store:
        versions = shown.figures.versions(store)
        waiting = session.crawl.frontier.ids().tolist()
        fates = fates_of(store, versions, [pick.id, *waiting])
        assert fates.pop(pick.id).kind == "under way"
        assert {fate.kind for fate in fates.values()} == {"waits"}
        assert dossier(shown, store, versions, store.url(waiting[0])).fate.words == "waits"
    session.close()


@pytest.mark.parametrize("url", ["http://a.example/rof", "no url", "", "javascript:alert(1)", "http://[", "x" * 9000])
def test_what_is_not_known_is_said_so(client: TestClient, url: str) -> None:
    answer = client.get("/c/test/page", params={"url": url})
    assert answer.status_code == 404
    assert "Nothing is stored there" in answer.text


def test_a_near_url_is_offered(client: TestClient) -> None:
    assert "did you mean http://a.example/roof?" in client.get("/c/test/page?url=https://www.a.example/roof/").text


def test_pages_like_it_have_its_words(client: TestClient) -> None:
    found = re.search(r"More like this(.*?)</section>", client.get(f"/c/test/page?url={quote(START)}").text, re.DOTALL)
    assert found is not None
    assert "a.example/roof" in found[1]


def test_links_read_from_columns_and_by_a_scan_are_the_same(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = served.find("test")
    assert shown is not None
    with shown.store() as store:
        versions = shown.figures.versions(store)
        by_columns = [dossier(shown, store, versions, url).links for url in (START, ROOF, GONE)]
        monkeypatch.setattr(neighbours.LinkColumns, "rows", lambda *_: None)
        assert [dossier(shown, store, versions, url).links for url in (START, ROOF, GONE)] == by_columns
    assert [len(links.incoming) for links in by_columns] == [1, 1, 1]


def test_long_columns_are_read_in_the_background(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbours, "AT_ONCE", 2)
    monkeypatch.setattr(neighbours, "BATCH", 2)
    shown = served.find("test")
    assert shown is not None
    with shown.store() as store:
        count = store.execute("SELECT count(*) FROM links").fetchone()[0]
        assert shown.links.rows(store, 0, []) is None
        while (rows := shown.links.rows(store, 0, [])) is None:
            pass
        expected = store.execute("SELECT rowid FROM links WHERE page = 0 OR target = 0").fetchall()
    assert rows.tolist() == [row for (row,) in expected]
    assert shown.links._last == count


def test_many_links_have_pages(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_view, "PER_PAGE", 2)
    assert "1 of 2" in text_of(client, START)
    assert "away" in text_of(client, START)
    assert "2 of 2" in text_of(client, START, "&out=2")
    assert text_of(client, START, "&out=99") == text_of(client, START, "&out=2")
    assert text_of(client, START, "&out=x") == text_of(client, START)


class TestWhatPeopleSay:
    def test_tags_notes_and_verdicts_are_kept_and_taken_back(
        self, client: TestClient, served: Served, folder: Path
    ) -> None:
        def say(**fields: str) -> str:
            answer = client.post("/c/test/say", data={"token": served.token, "url": ROOF, **fields})
            assert answer.status_code == 303
            return client.get(answer.headers["location"]).text

        assert "&lt;b&gt;" in say(kind="tag", tag="<b>")
        assert "a note &amp; more" in say(kind="note", note="a note & more")
        assert 'aria-pressed="true"' in say(kind="verdict", verdict="yes")
        desk = Desk(folder)
        assert (desk.tags(), desk.notes()) == ({ROOF: ["<b>"]}, {ROOF: "a note & more"})
        assert [(one.url, one.pile, one.relevant) for one in desk.verdicts()] == [(ROOF, "teach", True)]
        say(kind="untag", tag="<b>")
        say(kind="note", note="")
        assert 'aria-pressed="true"' not in say(kind="verdict", verdict="")
        assert (desk.tags(), desk.notes(), desk.verdicts()) == ({}, {}, [])

    def test_an_empty_tag_is_refused_in_a_sentence(self, client: TestClient, served: Served) -> None:
        answer = client.post("/c/test/say", data={"token": served.token, "url": ROOF, "kind": "tag", "tag": " "})
        assert (answer.status_code, "a tag needs a name" in answer.text) == (409, True)


class TestItsBytes:
    def test_a_replay_may_do_nothing(self, client: TestClient) -> None:
        answer = client.get(f"/c/test/replay?url={quote(ROOF)}")
        policy = answer.headers["Content-Security-Policy"].split("; ")
        assert {"sandbox", "default-src 'none'", "form-action 'none'", "frame-ancestors 'self'"} <= set(policy)
        assert not any("script" in part or "http" in part for part in policy)
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert "<not-a href=/>back" in answer.text

    def test_a_download_is_a_file_and_nothing_else(self, client: TestClient) -> None:
        answer = client.get(f"/c/test/download?url={quote(ROOF)}")
        assert answer.content == str(PAGES[ROOF]).encode()
        assert answer.headers["Content-Type"] == "application/octet-stream"
        assert answer.headers["Content-Disposition"].startswith("attachment")
        assert "sandbox" in answer.headers["Content-Security-Policy"]

    @pytest.mark.parametrize("path", ["replay", "download"])
    def test_where_there_are_none_nothing_is_shown(self, client: TestClient, path: str) -> None:
        for url in (GONE, "http://nowhere.example/", "x"):
            assert client.get(f"/c/test/{path}?url={quote(url)}").status_code == 404

    def test_the_page_itself_never_holds_a_stored_page(self, client: TestClient) -> None:
        shown = client.get(f"/c/test/page?url={quote(ROOF)}").text
        assert "<iframe" not in shown
        with_frame = client.get(f"/c/test/page?url={quote(ROOF)}&replay=1").text
        assert re.search(r"<iframe [^>]*\bsandbox\b(?!=)", with_frame)
        assert "srcdoc" not in with_frame

    def test_bytes_that_are_gone_are_told(self, client: TestClient, folder: Path) -> None:
        for file in (folder / "pages").iterdir():
            file.unlink()
        assert "cannot" in text_of(client, ROOF)
        assert client.get(f"/c/test/replay?url={quote(ROOF)}").status_code == 404
        assert client.get(f"/c/test/download?url={quote(ROOF)}").status_code == 404
