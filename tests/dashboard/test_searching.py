"""The search page: what it finds and counts, what a person may type, and what it says of an index that is not ready."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from html import unescape
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from focused.collection.desk import Desk
from focused.desk.dashboard import answering, finding
from focused.desk.dashboard.app import create_app
from focused.desk.dashboard.served import Served
from focused.desk.dashboard.tasks import update_index
from focused.desk.dashboard.views import search_view
from focused.desk.job import Worker
from focused.page.plain_text import cell
from tests.collection.collecting import collect
from tests.dashboard.conftest import ADDRESS

BASE = "/c/test/search"


def page(title: str, text: str, language: str = "en") -> str:
    return f"<html lang={language}><title>{title}</title><p>{text}"


PAGES = {
    "http://a.example/roof": page("Roofs", "Solar panels lie on roof tiles of slate."),
    "http://a.example/mill": page("Mills", "The mill grinds solar corn; tiles of a roof are not named side by side."),
    "http://b.a.example/sun": page("Solar", "All of the sun."),
    "http://c.example/de": page("Dächer", "Das Café hat Solarzellen und solar.", "de"),
    "http://d.example/football": page("Football", "Goals and more goals."),
    "http://e.example/copy": page("Roofs", "Solar panels lie on roof tiles of slate."),
}


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Folders for which work would have begun; none does."""
    folders: list[Path] = []
    monkeypatch.setattr(Worker, "start", lambda worker: folders.append(worker._folder))
    return folders


@pytest.fixture
def folder(tmp_path: Path, started: list[Path]) -> Path:
    collect(tmp_path / "test", PAGES)
    update_index(tmp_path / "test")
    started.clear()
    return tmp_path / "test"


@pytest.fixture
def client(folder: Path) -> Iterator[TestClient]:
    with TestClient(create_app(Served(folder.parent)), base_url=ADDRESS, follow_redirects=False) as client:
        yield client


def text_of(client: TestClient, query: str = "") -> str:
    answer = client.get(f"{BASE}?{query}")
    assert answer.status_code == 200
    return answer.text


def found(client: TestClient, query: str = "") -> list[str]:
    """URLs of the pages that are listed, without their scheme."""
    shown = re.findall(r'<p class="url">([^<]*)</p>', text_of(client, query))
    return [unescape(url).removeprefix("http://") for url in shown]


def facet(client: TestClient, label: str, query: str = "") -> dict[str, int]:
    """What a facet counts."""
    section = re.search(rf"<h2>{label}</h2>(.*?)</section>", text_of(client, query), re.DOTALL)
    pairs = re.findall(r'<span>([^<]*)</span> <span class="num">([\d,]+)</span>', section[1]) if section else []
    return {value: int(count.replace(",", "")) for value, count in pairs}


@pytest.mark.parametrize(
    ("words", "urls"),
    [
        ("panel", {"a.example/roof"}),
        ('"roof tiles"', {"a.example/roof"}),
        ("solar -slate -sun", {"a.example/mill", "c.example/de"}),
        ("slate OR corn", {"a.example/roof", "a.example/mill"}),
        ("solarz*", {"c.example/de"}),
        ("nowhere", set()),
    ],
)
def test_words_phrases_and_endings_find_pages(client: TestClient, words: str, urls: set[str]) -> None:
    assert set(found(client, f"q={quote(words)}&words=all")) == urls


def test_pages_with_some_of_the_words_follow_those_with_all(client: TestClient) -> None:
    assert found(client, "q=solar+corn")[0] == "a.example/mill"
    assert len(found(client, "q=solar+corn")) == 4
    assert "Pages with some of the words" in text_of(client, "q=solar+corn")
    assert "No page has all these words" in text_of(client, "q=corn+goals")
    assert found(client, "q=solar+corn&words=all") == ["a.example/mill"]


def test_without_words_all_pages_are_listed_the_newest_first(client: TestClient) -> None:
    newest_first = [url.removeprefix("http://") for url in list(PAGES)[::-1]]
    assert found(client, "copies=yes") == newest_first
    assert found(client, "q=solar&sort=newest") == [
        url for url in newest_first if url in found(client, "q=solar") and url != "e.example/copy"
    ]


def test_words_are_marked(client: TestClient) -> None:
    assert "<mark>Solar</mark> panels lie on <mark>roof</mark> tiles" in text_of(client, "q=solar+roof")


def test_facets_count_all_hits_by_the_filters_of_the_others(client: TestClient) -> None:
    assert facet(client, "Host", "q=solar") == {"a.example": 2, "b.a.example": 1, "c.example": 1}
    assert facet(client, "Language", "q=solar") == {"en": 3, "de": 1}
    assert facet(client, "Host", "q=solar&language=de&host=c.example") == {"c.example": 1}
    assert facet(client, "Language", "q=solar&language=de") == {"en": 3, "de": 1}
    everything = facet(client, "Relevant")
    assert everything == {value: len(found(client, f"relevant={value}")) for value in ("yes", "no")}


def test_filters_keep_what_they_say(client: TestClient) -> None:
    assert set(found(client, "host=a.example")) == {"a.example/roof", "a.example/mill", "b.a.example/sun"}
    assert found(client, "host=xa.example") == []
    assert found(client, "q=solar&language=de") == ["c.example/de"]
    assert set(found(client, "relevant=yes")) & set(found(client, "relevant=no")) == set()
    assert len(found(client, "relevant=yes")) + len(found(client, "relevant=no")) == 5
    assert len(found(client, "date=20")) == 5
    assert found(client, "date=1999") == []
    assert len(found(client, "run=1")) == 5
    assert found(client, "run=2") == found(client, "run=x") == []


def test_copies_are_left_out_unless_they_are_asked_for(client: TestClient) -> None:
    assert "e.example/copy" not in found(client, "q=slate")
    assert "1 copy is left out" in re.sub("<[^>]*>", "", text_of(client, "q=slate"))
    assert set(found(client, "q=slate&copies=yes")) == {"a.example/roof", "e.example/copy"}


def test_tags_of_the_desk_are_a_facet(client: TestClient, folder: Path) -> None:
    for url in list(PAGES)[:2]:
        Desk(folder).tag(url, "to <b>read</b>")
    assert facet(client, "Tag") == {"to &lt;b&gt;read&lt;/b&gt;": 2}
    assert set(found(client, f"tag={quote('to <b>read</b>')}")) == {"a.example/roof", "a.example/mill"}
    assert found(client, "tag=none") == []


def test_the_answer_has_pages(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_view, "PER_PAGE", 2)
    listed = [found(client, f"page={number}") for number in (1, 2, 3)]
    assert [len(some) for some in listed] == [2, 2, 1]
    assert len({url for some in listed for url in some}) == 5
    assert found(client, "page=99") == listed[2]
    assert 'rel="next"' not in text_of(client, "page=3")


def test_so_many_pages_that_titles_and_relevance_order_them(
    client: TestClient, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = set(found(client, "q=solar"))
    monkeypatch.setattr(finding, "MOST_RANKED", 1)
    fresh = TestClient(create_app(Served(folder.parent)), base_url=ADDRESS)
    assert set(found(fresh, "q=solar")) == expected
    assert found(fresh, "q=solar")[0] == "b.a.example/sun"
    assert "So many pages have these words" in text_of(fresh, "q=solar")


@pytest.fixture(scope="module")
def typing(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], int]:
    """The status of the answer to a query."""
    folder = tmp_path_factory.mktemp("typed") / "test"
    collect(folder, PAGES)
    update_index(folder)
    client = TestClient(create_app(Served(folder.parent)), base_url=ADDRESS)
    return lambda query: client.get(f"{BASE}?{query}").status_code


class TestWhatPeopleType:
    @given(text=st.text(max_size=80))
    def test_no_text_is_a_mistake(self, typing: Callable[[str], int], text: str) -> None:
        assert typing(f"q={quote(text, errors='replace')}") == 200

    @given(
        name=st.sampled_from(["host", "language", "relevant", "tag", "run", "date", "copies", "sort", "page", "words"]),
        text=st.text(max_size=40),
    )
    def test_nor_is_any_filter(self, typing: Callable[[str], int], name: str, text: str) -> None:
        assert typing(f"q=solar&{name}={quote(text, errors='replace')}") == 200

    def test_what_cannot_be_searched_is_told(self, client: TestClient) -> None:
        assert "give a word to look for" in text_of(client, "q=-solar")
        assert "too many words" in text_of(client, f"q={'x+' * 60}")


def test_a_search_is_saved_opened_and_forgotten(client: TestClient, folder: Path) -> None:
    token = client.app.state.served.token  # type: ignore[attr-defined]
    query = "q=solar&host=a.example&evil=1&page=1"
    answer = client.post(f"{BASE}es", data={"token": token, "query": query, "as": "<i>sun</i>"})
    assert (answer.status_code, answer.headers["location"]) == (303, f"{BASE}?q=solar&host=a.example")
    assert "&lt;i&gt;sun&lt;/i&gt;" in text_of(client)
    assert f"{BASE}?q=solar&amp;host=a.example" in text_of(client)
    client.post(f"{BASE}es", data={"token": token, "query": "", "forget": "<i>sun</i>"})
    assert Desk(folder).searches() == []


class TestDownloads:
    def test_all_hits_are_in_each_file(self, client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(answering, "AT_ONCE", 2)
        urls = [f"http://{url}" for url in found(client, "q=solar")]
        assert client.get(f"{BASE}.txt?q=solar").text.splitlines() == urls
        rows = [json.loads(line) for line in client.get(f"{BASE}.jsonl?q=solar").text.splitlines()]
        assert [row["url"] for row in rows] == urls
        table = list(csv.DictReader(io.StringIO(client.get(f"{BASE}.csv?q=solar").text)))
        assert [row["url"] for row in table] == urls
        assert client.get(f"{BASE}.csv").headers["content-disposition"].startswith("attachment")

    def test_a_spreadsheet_takes_nothing_for_a_formula(self, tmp_path: Path) -> None:
        title = '=HYPERLINK("http://evil.example","solar")'
        collect(tmp_path / "test", {"http://a.example/": page(title, "solar")})
        update_index(tmp_path / "test")
        client = TestClient(create_app(Served(tmp_path)), base_url=ADDRESS)
        (row,) = csv.DictReader(io.StringIO(client.get(f"{BASE}.csv?q=solar").text))
        assert row["title"] == cell(title) == f"'{title}"


class TestAnIndexThatIsNotReady:
    def test_what_is_missing_is_told_and_begun(self, client: TestClient, folder: Path, started: list[Path]) -> None:
        collect(folder, {**PAGES, "http://f.example/new": page("New", "Solar novelties.")})
        assert "6 of 7 pages are ready to be searched" in text_of(client, "q=solar")
        assert started == [folder]
        assert "f.example/new" not in found(client, "q=solar")
        assert client.get(f"{BASE}/progress").json()["done"] is False
        update_index(folder)
        assert "f.example/new" in found(client, "q=solar")
        assert client.get(f"{BASE}/progress").json() == {"told": "", "done": True}

    def test_the_first_answer_loads_itself_and_one_that_somebody_reads_does_not(
        self, client: TestClient, folder: Path, started: list[Path]
    ) -> None:
        collect(folder, {**PAGES, "http://f.example/new": page("New", "Solar novelties.")})
        assert 'data-then="load"' not in client.get(f"{BASE}?q=solar").text
        (folder / "search.db").unlink()
        assert 'data-then="load"' in client.get(f"{BASE}?q=solar").text
        assert started

    def test_a_damaged_index_is_made_anew(self, client: TestClient, folder: Path, started: list[Path]) -> None:
        (folder / "search.db").write_bytes(b"damage" * 1000)
        for name in ("search.db-wal", "search.db-shm"):
            (folder / name).unlink(missing_ok=True)
        assert "0 of 6 pages are ready" in text_of(client, "q=solar")
        assert started == [folder]
        update_index(folder)
        assert found(client, "q=slate") == ["a.example/roof"]

    def test_where_nobody_may_write_a_sentence_says_why(
        self, client: TestClient, folder: Path, started: list[Path], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for name in ("search.db", "search.db-wal", "search.db-shm"):
            (folder / name).unlink(missing_ok=True)
        still(monkeypatch)
        assert "0 of 6 pages are ready to be searched; " in text_of(client, "q=solar")
        assert "nobody may write to this folder" in text_of(client, "q=solar")
        assert started == []
        assert len(found(client)) == 5  # all pages are listed all the same

    def test_where_nobody_may_write_what_is_there_is_searched(
        self, client: TestClient, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        collect(folder, {**PAGES, "http://f.example/new": page("New", "Solar novelties.")})
        still(monkeypatch)
        assert "6 of 7 pages are ready to be searched; Nobody may write" in text_of(client, "q=slate")
        assert found(client, "q=slate") == ["a.example/roof"]

    def test_a_damaged_collection_is_told_in_a_sentence(self, client: TestClient, folder: Path) -> None:
        with closing(sqlite3.connect(folder / "crawl.db")) as db, db:
            db.execute("UPDATE fetches SET final_url = 'nothing'")
        answer = client.get(BASE)
        assert answer.status_code in (200, 500)
        assert "Traceback" not in answer.text


def still(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody may write anywhere."""
    access = os.access
    monkeypatch.setattr(os, "access", lambda path, mode, **more: mode != os.W_OK and access(path, mode, **more))
