"""The index of a collection: what it finds, that it is up to date at each search, and that nothing that befalls it shows."""

import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from focused.collection.collection import Collection, open_repository, open_to_read
from focused.collection.repository import Stored
from focused.exceptions import StorageError
from focused.inspection import search
from focused.inspection.search import IndexEntry, Search, SearchFilter, SearchIndex
from focused.inspection.search_query import parts, query_of, unmarked
from focused.page import page_text as reading
from focused.page.reader import ReadingOptions
from tests.collection.collecting import TYPE, collect
from tests.page.test_plain_text import HOSTILE

Find = Callable[..., list[str]]


def page(title: str, text: str, language: str = "en") -> str:
    return f"<html lang={language}><title>{title}</title><p>{text}"


PAGES = {
    "http://a.example/roof": page("Roofs", "Solar panels lie on roof tiles of slate."),
    "http://a.example/mill": page(
        "Windmills", "The mill grinds solar corn; tiles of a roof are not named side by side."
    ),
    "http://b.a.example/solar": page("Solar", "All of the sun."),
    "http://c.example/de": page("Dächer", "Das Café hat Solarzellen.", "de"),
    "http://c.example/zh": page("太陽", "太陽光發電是把陽光轉換成電能。", "zh"),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    collect(tmp_path / "test", PAGES)
    return tmp_path / "test"


def searching(folder: Path) -> Search:
    return Search(folder, ReadingOptions(), open_repository("warc", folder / "pages"))


@pytest.fixture
def find(folder: Path) -> Find:
    """URLs without their scheme, best first."""

    def run(text: str, most: int = 10, **wanted: object) -> list[str]:
        hits = searching(folder).hits(query_of(text), SearchFilter(**wanted), most, lambda *_: None)  # type: ignore[arg-type]
        return [hit.url.removeprefix("http://") for hit in hits]

    return run


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str | None]:
    """The texts that were read since."""
    texts: list[str | None] = []

    def noted(*args: object) -> str | None:
        texts.append(reading.page_text(*args))  # type: ignore[arg-type]
        return texts[-1]

    monkeypatch.setattr(search, "page_text", noted)
    return texts


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("panel", {"a.example/roof"}),  # in another form
        ("mills", {"a.example/mill"}),
        ("roof tile", {"a.example/roof", "a.example/mill"}),
        ('"roof tiles"', {"a.example/roof"}),
        ("solar -slate -sun", {"a.example/mill"}),
        ("slate OR corn", {"a.example/roof", "a.example/mill"}),
        ("cafe", {"c.example/de"}),
        ("solarz*", {"c.example/de"}),
        ("sol* -slate", {"a.example/mill", "b.a.example/solar", "c.example/de"}),
        ("dacher", {"c.example/de"}),
        ("陽光", {"c.example/zh"}),
        ("光陽", set()),
        ("nowhere", set()),
    ],
)
def test_words_are_found_in_any_form_and_order_phrases_as_they_are(find: Find, text: str, found: set[str]) -> None:
    assert set(find(text)) == found


def test_pages_with_all_words_come_before_those_with_some(find: Find) -> None:
    both = ["a.example/mill"]
    assert find("solar corn", all_words=True) == both
    assert find("solar corn")[0:1] == both
    assert set(find("solar corn")) == {"a.example/mill", "a.example/roof", "b.a.example/solar"}
    assert find("solar corn", most=1) == both
    assert find("solar nowhere -slate -corn", all_words=True) == []
    assert find("solar nowhere -slate -corn") == ["b.a.example/solar"]
    assert find('corn "tiles roof"') == both
    assert find("corn OR nowhere") == both


def test_a_word_in_the_title_weighs_more(find: Find) -> None:
    assert find("solar")[0] == "b.a.example/solar"


def test_only_so_many_are_given(find: Find) -> None:
    assert len(find("solar", most=2)) == 2


def test_what_is_wanted_limits_what_is_found(find: Find) -> None:
    every = set(find("solar"))
    assert every == {"a.example/roof", "a.example/mill", "b.a.example/solar"}
    assert set(find("solar", host="a.example")) == every
    assert find("solar", host="b.a.example") == ["b.a.example/solar"]
    assert find("solar", host="example") == find("solar")
    assert find("solar", host="xa.example") == []
    assert find("cafe", language="de") == ["c.example/de"]
    assert find("cafe", language="en") == []


def test_relevance_is_asked_of_the_crawl_where_it_may_change(find: Find, folder: Path) -> None:
    find("solar")
    with closing(sqlite3.connect(folder / "crawl.db")) as db, db:
        db.execute("UPDATE fetches SET relevant = (title = 'Roofs')")
    assert find("solar", relevant=True) == ["a.example/roof"]


def test_copies_are_left_out_unless_they_are_asked_for(tmp_path: Path) -> None:
    text = page("Twice", "solar energy")
    collect(tmp_path / "test", {"http://a.example/": text, "http://b.example/": text})
    urls = [
        [hit.url for hit in searching(tmp_path / "test").hits(query_of("solar"), wanted, 9, lambda *_: None)]
        for wanted in (SearchFilter(), SearchFilter(copies=True))
    ]
    assert urls == [["http://a.example/"], ["http://a.example/", "http://b.example/"]]


def test_copied_text_is_a_copy_too(tmp_path: Path) -> None:
    collect(tmp_path / "test", {"http://a.example/": page("Once", "solar energy")})
    with closing(sqlite3.connect(tmp_path / "test" / "crawl.db")) as db, db:
        db.execute("UPDATE fetches SET verdict = 'copied text'")
    assert searching(tmp_path / "test").hits(query_of("solar"), SearchFilter(), 9, lambda *_: None) == []


def test_each_page_is_read_once_and_new_ones_at_the_next_search(
    find: Find, folder: Path, read: list[str | None]
) -> None:
    assert find("solar") and len(read) == len(PAGES)
    assert find("panel") and len(read) == len(PAGES)
    collect(folder, {**PAGES, "http://d.example/": page("New", "Novelties")})
    assert find("novelty") == ["d.example/"]
    assert len(read) == len(PAGES) + 1


def test_a_search_that_was_killed_goes_on_where_it_was(
    find: Find, folder: Path, read: list[str | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "BATCH", 2)

    def kill(done: int, total: int) -> None:
        assert (done, total) == (2, len(PAGES))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        searching(folder).hits(query_of("solar"), SearchFilter(), 10, kill)
    assert len(find("solar")) == 3
    assert len(read) == len(PAGES)


def test_a_long_text_ends_a_batch(find: Find, read: list[str | None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "BATCH_CHARACTERS", 0)
    assert len(find("solar")) == 3
    assert len(read) == len(PAGES)


@pytest.fixture
def index(folder: Path) -> Iterator[SearchIndex]:
    with closing(SearchIndex(folder / "search.db", "this")) as one:
        yield one


def entry(seq: int, url: int = 0, text: str = "sun") -> IndexEntry:
    return IndexEntry(seq, url, f"page {seq}", "", text)


def test_of_two_searches_that_add_the_same_pages_one_does(index: SearchIndex, folder: Path) -> None:
    with closing(SearchIndex(folder / "search.db", "this")) as other, closing(open_to_read(folder)) as store:
        assert index.up_to(store) == other.up_to(store) == 0
        other.add(0, [entry(3)])
        index.add(0, [entry(3), entry(4)])
        assert index.ranked("sun") == [3]


def test_an_index_that_another_has_begun_anew_takes_nothing(index: SearchIndex, folder: Path) -> None:
    with closing(SearchIndex(folder / "search.db", "that")) as other, closing(open_to_read(folder)) as store:
        index.up_to(store)
        other.up_to(store)
        index.add(0, [entry(3)])
        assert other.ranked("sun") == []


def test_a_page_that_is_fetched_again_is_found_by_its_new_text(index: SearchIndex, folder: Path) -> None:
    with closing(open_to_read(folder)) as store:
        index.up_to(store)
    index.add(0, [entry(3, url=7, text="old words"), entry(4, url=8), entry(5, url=7, text="new words")])
    assert index.ranked("old") == []
    assert index.ranked("words") == [5]


@pytest.mark.parametrize(
    "befalls",
    [
        lambda path: path.write_bytes(b"no database at all" * 1000),
        lambda path: path.write_bytes(path.read_bytes()[:5000] + b"\xff" * 20_000),
        lambda path: path.write_bytes(b""),
        lambda path: path.unlink(),
        lambda path: change(path, "PRAGMA user_version = 99"),
        lambda path: change(path, "UPDATE state SET made_of = 'something else'"),
        lambda path: change(path, "UPDATE state SET page = 'another page'"),
        lambda path: change(path, "DELETE FROM state"),
    ],
    ids=["garbage", "damaged", "empty", "gone", "other release", "other text", "other crawl", "no state"],
)
def test_whatever_befalls_the_index_it_is_made_anew(
    find: Find, folder: Path, read: list[str | None], befalls: Callable[[Path], object]
) -> None:
    right = find("solar")
    befalls(folder / "search.db")
    assert find("solar") == right
    assert len(read) == 2 * len(PAGES)


def change(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(statement)


def test_another_way_to_read_texts_makes_it_anew(
    find: Find, read: list[str | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    find("solar")
    monkeypatch.setattr(reading, "VERSION", reading.VERSION + 1)
    find("solar")
    assert len(read) == 2 * len(PAGES)


def test_a_crawl_that_starts_afresh_has_no_pages_of_the_one_before(find: Find, folder: Path) -> None:
    assert find("slate")
    Collection(folder, pages="warc", fresh=True).close()
    collect(folder, {"http://d.example/": page("New", "Nothing but novelties")})
    assert find("slate") == []
    assert find("novelty") == ["d.example/"]


def test_where_nobody_may_write_a_complete_index_still_answers(
    find: Find, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = find("solar")
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert find("solar") == right
    assert not (folder / "search.db-wal").exists()


def test_where_nobody_may_write_one_line_says_so(find: Find, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as nobody:
        nobody.setattr(os, "access", lambda *_: False)
        with pytest.raises(StorageError, match=r"search.db: cannot be made, for nobody may write to this folder"):
            find("solar")
    find("solar")
    collect(folder, {**PAGES, "http://d.example/": page("New", "Novelties")})
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(StorageError, match=r"search.db: is not up to date, and nobody may write"):
        find("solar")


def test_without_fts5_one_line_says_what_to_do(find: Find, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "_TABLES", ("CREATE VIRTUAL TABLE texts USING fts6(text)",))
    with pytest.raises(StorageError, match="SQLite is built without FTS5 here"):
        find("solar")


def test_a_damaged_page_is_found_by_its_title_and_counted(folder: Path) -> None:
    with closing(open_to_read(folder)) as store:
        file, offset = store.execute("SELECT file, offset FROM fetches WHERE title = 'Windmills'").fetchone()
    with (folder / "pages" / file).open("r+b") as warc:
        warc.seek(offset)
        warc.write(b"damaged")
    one = searching(folder)
    assert [hit.title for hit in one.hits(query_of("windmill"), SearchFilter(), 10, lambda *_: None)] == ["Windmills"]
    assert one.unreadable == 1


def excerpt_of(tmp_path: Path, text: str, words: str) -> str:
    body = text.encode("utf-8", "surrogatepass")
    collect(tmp_path / "one", {"http://a.example/": Stored("http://a.example/", 200, (("Content-Type", TYPE),), body)})
    (hit,) = searching(tmp_path / "one").hits(query_of(words), SearchFilter(), 10, lambda *_: None)
    return hit.excerpt


def test_the_excerpt_has_all_words_if_a_passage_has_and_marks_them(tmp_path: Path) -> None:
    filling = "nothing to see here. " * 30
    found = excerpt_of(
        tmp_path, f"<p>solar solar solar {filling} a roof. {filling} solar on roofs {filling}", "roof solar"
    )
    assert [part for part, is_marked in parts(found) if is_marked] == ["solar", "roofs"]
    assert unmarked(found).startswith("…") and unmarked(found).endswith("…")
    assert len(found) < 300


def test_a_page_whose_title_alone_answers_shows_its_beginning(tmp_path: Path) -> None:
    assert excerpt_of(tmp_path, "<title>Solar</title><p>It begins so.", "solar") == "It begins so."


def test_an_excerpt_is_safe_for_a_terminal_and_a_page_cannot_mark_words(tmp_path: Path) -> None:
    found = excerpt_of(tmp_path, f"<p>so\xadlar \x02bold\x03 {HOSTILE}", "solar")
    assert [part for part, is_marked in parts(found) if is_marked] == ["solar"]
    assert unmarked(found).isprintable()


def test_the_letters_of_unspaced_scripts_stand_side_by_side_in_an_excerpt(tmp_path: Path) -> None:
    assert unmarked(excerpt_of(tmp_path, "<p>太陽光發電", "陽光")) == "太陽光發電"


@pytest.mark.parametrize("text", ["solar " * 160_000, "solar" * 190_000 + " solar", "a " * 400_000 + "solar"])
def test_a_page_that_says_one_word_all_over_costs_no_more_than_its_length(tmp_path: Path, text: str) -> None:
    """FTS5's own snippet() takes minutes for the first of these."""
    began = time.process_time()
    assert len(excerpt_of(tmp_path, f"<p>{text}", "solar")) < 500
    assert time.process_time() - began < 20
