"""What a person says of an example is never lost: not by an import, a fetch, a kill, or another process that writes."""

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from focused.collection.repository import Stored
from focused.exceptions import StorageError
from focused.papers.taxonomies.taxonomy_store import ExampleUrl, Listing, TaxonomyStore, taxonomy_names

ROOT = Path(__file__).parents[2]
A, B, C = (f"http://{name}.example/" for name in "abc")
PAGE = Stored(A, 200, (("Content-Type", "text/html"),), b"<p>words")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[TaxonomyStore]:
    opened = TaxonomyStore(tmp_path / "taxonomies" / "energy", make=True)
    opened.take_in([Listing("Sun", A, "first"), Listing("Wind", B), Listing("Wind", A)], "one.tsv")
    yield opened
    opened.close()


def examples(store: TaxonomyStore) -> dict[str, ExampleUrl]:
    return {example.url: example for example in store.examples()}


def shown(store: TaxonomyStore, url: str) -> tuple[object, ...]:
    """Where the taxonomy lists a URL, and where that led to, in the view that people ask."""
    found: tuple[object, ...] = store.db.execute(
        "SELECT listed, final_url FROM examples WHERE url = ?", (url,)
    ).fetchone()
    return found


def test_an_example_belongs_where_it_was_listed_first(store: TaxonomyStore) -> None:
    assert {url: one.category for url, one in examples(store).items()} == {A: "Sun", B: "Wind"}
    store.take_in([Listing("Wind", A, "again"), Listing("Sun", A, "newer")], "two.tsv")
    assert (examples(store)[A].category, examples(store)[A].title) == ("Sun", "newer")


def test_what_a_person_said_survives_imports_and_fetches(store: TaxonomyStore) -> None:
    store.judge({A: "Water", B: None})
    said = {url: (one.category, one.judged, one.dropped) for url, one in examples(store).items()}
    assert said == {A: ("Water", said[A][1], False), B: (None, said[B][1], True)}
    store.take_in([Listing("Sun", A), Listing("Sun", B)], "two.tsv", replace=True)
    store.take_in([Listing("Sun", C)], "three.tsv", replace=True)  # lists neither
    store.keep_page(A, PAGE, "a title")
    store.keep_failure(B, "http 404")
    found = examples(store)
    assert {url: (found[url].category, found[url].judged, found[url].dropped) for url in (A, B)} == said
    assert shown(store, A) == (None, A)


def test_a_replacing_import_forgets_what_is_listed_no_more_and_keeps_own_examples(store: TaxonomyStore) -> None:
    store.add_own({C: "mine"})
    store.take_in([Listing("Wind", B)], "two.tsv", replace=True)
    assert {url: one.category for url, one in examples(store).items()} == {B: "Wind", C: None}
    assert examples(store)[C].title == "mine"


def test_the_draw_of_a_higher_number_holds_that_of_a_lower(tmp_path: Path) -> None:
    drawn = []
    for most in (0, 3, 10):
        store = TaxonomyStore(tmp_path / str(most), make=True)
        urls = [f"http://a.example/{number}" for number in (range(50) if most == 3 else reversed(range(50)))]
        assert store.take_in((Listing("Sun", url) for url in urls), "one.tsv", most=most) == (most or 50)
        drawn.append(set(examples(store)))
        store.close()
    assert drawn[1] < drawn[2] < drawn[0]
    assert {f"http://a.example/{number}" for number in range(3)} != drawn[1]


def test_an_import_that_fails_half_way_changes_nothing(store: TaxonomyStore) -> None:
    before = store.examples()

    def broken() -> Iterator[Listing]:
        yield Listing("Sun", C)
        raise OSError("the file ends")

    with pytest.raises(OSError, match="the file ends"):
        store.take_in(broken(), "two.tsv", replace=True)
    assert store.examples() == before
    assert store.take_in([Listing("Sun", C)], "two.tsv") == 1


def test_a_page_is_kept_with_its_title_and_replaces_a_failure(store: TaxonomyStore) -> None:
    store.keep_failure(A, "timeout")
    assert (examples(store)[A].reason, examples(store)[A].place) == ("timeout", None)
    store.keep_page(A, PAGE, "its own title")
    found = examples(store)[A]
    assert found.place is not None
    assert store.pages.get(found.place).body == PAGE.body
    assert (found.reason, found.title) == (None, "first")
    assert shown(store, A) == ("Sun", A)


def test_marks_and_guesses_are_kept(store: TaxonomyStore) -> None:
    store.mark_good(["Wind", "Sun"])
    store.unmark(["Wind"])
    store.keep_guesses({A: ("Wind", 0.75), B: ("Sun", 0.5)})
    store.keep_guesses({A: ("Wind", 0.5)})
    assert store.good() == ["Sun"]
    assert (examples(store)[A].guess, examples(store)[A].probability, examples(store)[B].guess) == ("Wind", 0.5, None)


def test_two_processes_write_in_turn_and_nothing_is_lost(store: TaxonomyStore) -> None:
    many = [f"http://a.example/{number}" for number in range(100)]
    with writer(store.folder, f"[store.judge({{url: 'Sun'}}) for url in {many}]") as process:
        for url in many:
            store.judge({url + "x": "Wind"})
        assert process.wait(30) == 0
    said = [example.category for example in store.examples() if example.judged]
    assert (said.count("Sun"), said.count("Wind")) == (100, 100)


def test_what_a_person_said_survives_a_kill_in_the_middle_of_an_import(store: TaxonomyStore) -> None:
    before = store.examples()
    endless = (
        "store.judge({'http://said.example/': 'Wind'}); "
        "endless = (Listing('Sun', f'http://a.example/{n}') if n != 30_000 else print('far', flush=True) or Listing('Sun', "
        "'http://x.example/') for n in itertools.count()); store.take_in(endless, 'endless.tsv', replace=True)"
    )
    with writer(store.folder, endless) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "far\n"
        process.send_signal(signal.SIGKILL)
    after = examples(store)
    assert after.pop("http://said.example/").category == "Wind"
    assert list(after.values()) == before


def writer(folder: Path, code: str) -> subprocess.Popen[str]:
    """Another process that writes."""
    begin = (
        "import itertools; from pathlib import Path; "
        f"from focused.papers.taxonomies.taxonomy_store import *; store = TaxonomyStore(Path({str(folder)!r})); "
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen([sys.executable, "-c", begin + code], env=environment, stdout=subprocess.PIPE, text=True)


class TestMistakes:
    def test_a_taxonomy_that_is_not_there_is_told_and_not_made(self, tmp_path: Path) -> None:
        with pytest.raises(StorageError, match="no such taxonomy; make it: scrapy taxonomy none import FILE"):
            TaxonomyStore(tmp_path / "none")
        assert list(tmp_path.iterdir()) == []

    def test_a_damaged_file_is_told(self, tmp_path: Path) -> None:
        (tmp_path / "taxonomy.db").write_bytes(b"no database at all, but long enough to be one" * 100)
        with pytest.raises(StorageError, match=r"damaged or not a taxonomy\.db; put a copy back of the whole folder"):
            TaxonomyStore(tmp_path)

    def test_one_of_a_newer_release_is_told(self, tmp_path: Path) -> None:
        with sqlite3.connect(tmp_path / "taxonomy.db") as db:
            db.execute("PRAGMA user_version = 99")
        db.close()
        with pytest.raises(StorageError, match="written by a newer release; upgrade focused"):
            TaxonomyStore(tmp_path)


@pytest.mark.usefixtures("store")
def test_taxonomies_are_found_by_name(tmp_path: Path) -> None:
    assert taxonomy_names(tmp_path) == ["energy"]
    assert taxonomy_names(tmp_path / "none") == []
