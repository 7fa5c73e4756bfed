"""A collection is checked: damage is found and told, and repaired so that the next run fetches again what is lost."""

import errno
import gzip
import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator

from focused.collection.warc import record_of_length
from focused.exceptions import StorageError
from focused.inspection.checking import Findings, check, check_and_repair
from focused.live.session import Session
from focused.strategies import get_strategy
from focused.topic.topic import StorageOptions, Topic, Traps
from tests.small_collections import STRATEGIES, collection
from tests.small_web import WEB, crawl, topic_of
from tests.training.models import save_toy_model

FIRST = "pages-00001.warc.gz"


def nobody(done: int, total: int) -> None:
    """Is told how far a check is."""


def crawled(folder: Path, most: int = 1000, **topic: object) -> Topic:
    """A collection of the small web, the whole of it or a part."""
    collection(folder, most, **topic)
    return topic_of(**topic)


def go_on(topic: Topic, folder: Path, models: Path | None = None) -> list[str]:
    session = Session(topic, folder, models=models)
    urls = crawl(session)
    session.close()
    return urls


def rows(folder: Path, query: str) -> list[tuple]:
    with closing(sqlite3.connect(folder / "crawl.db")) as db:
        return db.execute(query).fetchall()


def change(folder: Path, statement: str) -> None:
    with closing(sqlite3.connect(folder / "crawl.db", isolation_level=None)) as db:
        db.execute(statement)


def flip(path: Path, place: int) -> None:
    data = bytearray(path.read_bytes())
    data[place] ^= 0xFF
    path.write_bytes(data)


def damage_page(folder: Path, number: int) -> str:
    """Damage one of the pages in a collection; return its URL."""
    url, file, offset, length = rows(
        folder,
        f"SELECT url, file, offset, length FROM history WHERE file IS NOT NULL ORDER BY seq LIMIT 1 OFFSET {number}",
    )[0]
    flip(folder / "pages" / file, offset + length // 2)
    return url


def pages_of(folder: Path) -> list[str]:
    return sorted(row[0] for row in rows(folder, "SELECT final_url FROM history WHERE outcome = 'page'"))


def lost(found: Findings) -> list[str]:
    return [page.url for page in found.lost]


@pytest.mark.parametrize("kind", ["warc", "files"])
def test_a_collection_that_nobody_harmed_is_well(tmp_path: Path, kind: str) -> None:
    crawled(tmp_path, storage=StorageOptions(pages=kind))
    before = (tmp_path / "crawl.db").read_bytes()
    told: list[tuple[int, int]] = []
    found = check(tmp_path, lambda *values: told.append(values))
    assert found.is_well
    assert found.notes == []
    assert found.pages == len(pages_of(tmp_path)) > 30
    assert told[-1] == (found.pages, found.pages)
    assert (tmp_path / "crawl.db").read_bytes() == before


def test_what_a_kill_leaves_is_no_damage(tmp_path: Path) -> None:
    session = Session(topic_of(), tmp_path)
    crawl(session, 5)
    session.commit()
    crawl(session, 5)
    session.collection.close()
    found = check(tmp_path, nobody)
    assert found.is_well
    assert "bytes after the last commit; the next run cuts them off" in found.notes[0]


@pytest.mark.parametrize("kind", ["warc", "files"])
def test_a_damaged_page_is_told_put_aside_and_fetched_again(tmp_path: Path, kind: str) -> None:
    topic = crawled(tmp_path, storage=StorageOptions(pages=kind))
    pages = pages_of(tmp_path)
    damaged = [damage_page(tmp_path, number) for number in (3, 17)]
    assert lost(check(tmp_path, nobody)) == damaged
    found, done, now = check_and_repair(tmp_path, nobody)
    assert lost(found) == damaged
    assert now.is_well, now
    assert any("the next run fetches 2 lost pages again" in line for line in done)
    assert list(tmp_path.glob("crawl.db.damaged*"))
    assert len(list((tmp_path / "pages").rglob("*.damaged*"))) >= 2
    assert go_on(topic, tmp_path)[:2] == damaged
    assert pages_of(tmp_path) == pages
    assert check(tmp_path, nobody).is_well


def test_a_page_that_would_fill_the_memory_is_put_aside_and_fetched_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("focused.collection.warc.LARGEST", 2**20)
    topic = crawled(tmp_path)
    bomb, path = gzip.compress(bytes(10_000_000)), tmp_path / "pages" / FIRST
    place = path.stat().st_size
    path.write_bytes(path.read_bytes() + bomb)
    last = "SELECT max(seq) FROM fetches WHERE file IS NOT NULL"
    (url,) = rows(tmp_path, f"SELECT url FROM history WHERE seq = ({last})")[0]
    change(tmp_path, f"UPDATE fetches SET offset = {place}, length = {len(bomb)} WHERE seq = ({last})")
    found, _, now = check_and_repair(tmp_path, nobody)
    assert (lost(found), now.is_well) == ([url], True)
    assert "more than 1,048,576 bytes" in found.lost[0].why
    assert go_on(topic, tmp_path) == [url]


class SoftWeb(dict[str, str]):
    """The small web, which answers with a page where it has none."""

    def __contains__(self, _: object) -> bool:
        return True

    def __missing__(self, _: str) -> str:
        return "<title>Sorry</title><p>There is no such page on this host, it may have moved or never have been here"


@pytest.mark.parametrize("kind", ["warc", "files"])
def test_what_a_host_answers_for_a_page_that_cannot_be_is_checked_and_asked_for_again(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.small_web.WEB", SoftWeb(WEB))
    topic = crawled(tmp_path, storage=StorageOptions(pages=kind), traps=Traps())
    probes = rows(tmp_path, "SELECT url, file, offset, length FROM history WHERE outcome = 'probe' ORDER BY seq")
    assert len(probes) == 5
    assert check(tmp_path, nobody).is_well
    url, file, offset, length = probes[1]
    flip(tmp_path / "pages" / file, offset + length // 2)
    found, _, now = check_and_repair(tmp_path, nobody)
    assert lost(found) == [url]
    assert now.is_well, now
    assert go_on(topic, tmp_path)[0] == url
    assert len(rows(tmp_path, "SELECT url FROM history WHERE outcome = 'probe' AND file IS NOT NULL")) == 5
    assert check(tmp_path, nobody).is_well


def test_other_programs_read_the_file_of_a_repaired_page(tmp_path: Path) -> None:
    crawled(tmp_path)
    damage_page(tmp_path, 3)
    check_and_repair(tmp_path, nobody)
    with (tmp_path / "pages" / FIRST).open("rb") as file:
        kinds = [record.rec_type for record in ArchiveIterator(file)]
    assert kinds.count("response") == len(pages_of(tmp_path))
    assert kinds.count("metadata") == 1


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_with_every_strategy_a_repaired_crawl_comes_to_its_end_with_all_pages(tmp_path: Path, strategy: str) -> None:
    models, options = tmp_path / "models", {}
    if get_strategy(strategy).needs_model:
        options["model"] = save_toy_model(strategy, models)
    topic = topic_of(strategy=strategy, strategy_options=options)
    session = Session(topic, tmp_path / "a", models=models)
    crawl(session, 25)
    session.close()
    damaged = {damage_page(tmp_path / "a", number) for number in (0, 1, 7, 8, 20)}
    assert check_and_repair(tmp_path / "a", nobody)[2].is_well
    assert damaged <= set(go_on(topic, tmp_path / "a", models))
    assert damaged <= set(pages_of(tmp_path / "a"))
    assert len(pages_of(tmp_path / "a")) == len(set(pages_of(tmp_path / "a"))) >= 24
    assert check(tmp_path / "a", nobody).is_well


def missing(path: Path) -> None:
    path.unlink()


def torn(path: Path) -> None:
    os.truncate(path, path.stat().st_size - 10)


def nothing_but_zeros(path: Path) -> None:
    path.write_bytes(bytes(path.stat().st_size))


@pytest.mark.parametrize(("harm", "count"), [(missing, "all"), (torn, 1), (nothing_but_zeros, "all")])
def test_a_file_of_pages_that_is_gone_torn_or_empty_is_fetched_again(
    tmp_path: Path, harm: Callable[[Path], None], count: object
) -> None:
    topic = crawled(tmp_path)
    pages = pages_of(tmp_path)
    harm(tmp_path / "pages" / FIRST)
    with pytest.raises(StorageError, match=r"scrapy verify .* \(--repair has it fetched again\)"):
        Session(topic, tmp_path)
    found, _, now = check_and_repair(tmp_path, nobody)
    assert len(found.lost) == (len(pages) if count == "all" else count)
    assert now.is_well
    go_on(topic, tmp_path)
    assert pages_of(tmp_path) == pages


def test_a_crawl_that_goes_on_reads_its_newest_pages_first(tmp_path: Path) -> None:
    topic = crawled(tmp_path, 10)
    damage_page(tmp_path, 8)
    with pytest.raises(StorageError, match="the file is damaged"):
        Session(topic, tmp_path)


def test_a_repair_that_breaks_off_loses_nothing_and_is_finished_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    topic = crawled(tmp_path)
    pages = pages_of(tmp_path)
    damaged = damage_page(tmp_path, 3)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as disk:
        disk.setattr(Path, "write_bytes", full)
        with pytest.raises(StorageError, match="cannot put damaged bytes aside"):
            check_and_repair(tmp_path, nobody)
    assert check(tmp_path, nobody).stretches
    assert check_and_repair(tmp_path, nobody)[2].is_well
    assert go_on(topic, tmp_path) == [damaged]
    assert pages_of(tmp_path) == pages


def test_another_page_at_the_place_of_one_is_noticed(tmp_path: Path) -> None:
    crawled(tmp_path)
    change(tmp_path, "UPDATE fetches SET content_hash = 'other' WHERE seq = (SELECT min(seq) FROM fetches)")
    assert "another page lies at its place" in check(tmp_path, nobody).lost[0].why


def test_a_damaged_state_is_deleted_and_made_anew(tmp_path: Path) -> None:
    topic = crawled(tmp_path, 10)
    change(tmp_path, "UPDATE snapshots SET state = x'00'")
    assert check(tmp_path, nobody).snapshot_error
    assert check_and_repair(tmp_path, nobody)[2].is_well
    assert len(go_on(topic, tmp_path)) > 20


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("DELETE FROM urls WHERE id = 3", "the table urls misses 1 of"),
        ("DELETE FROM hosts WHERE id = 1", "the table hosts misses 1 of"),
        ("DELETE FROM fetches WHERE seq = (SELECT min(seq) FROM fetches)", "the journal misses 1 of"),
        ("UPDATE links SET target = 9999 WHERE rowid = 1", "the table links has 1 rows that name what is not there"),
        ("UPDATE links SET target = 'x' WHERE rowid = 1", "the table links has 1 rows"),
        ("UPDATE picks SET run = 77 WHERE seq = 2", "the table picks has 1 rows"),
        ("INSERT INTO seeds VALUES (2, 0)", "1 events of the journal have a number that another one has"),
        ("INSERT INTO own_fields VALUES (1, '{}')", "the table own_fields has 1 rows that name what is not there"),
        ("UPDATE runs SET topic = '['", "what the last run crawled cannot be read"),
        ("UPDATE fetches SET outcome = 'x' WHERE outcome = 'failed'", "have an outcome that there is not"),
    ],
)
def test_rows_that_do_not_fit_are_told_and_nothing_is_made_worse(tmp_path: Path, statement: str, told: str) -> None:
    crawled(tmp_path)
    change(tmp_path, statement)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    found, done, now = check_and_repair(tmp_path, nobody)
    assert any(told in line for line in found.past_repair), found
    assert done == []
    assert not now.is_well
    assert {path: path.read_bytes() for path in before} == before


def root_of(folder: Path, table: str) -> int:
    return int(rows(folder, f"SELECT rootpage FROM sqlite_schema WHERE name = '{table}'")[0][0])


def leaf_of_answers(folder: Path) -> int:
    """A page of the database that holds some answers and no others."""
    data = (folder / "crawl.db").read_bytes()
    pages = [data[place : place + 4096] for place in range(0, len(data), 4096)]
    leaf_of_table = 13
    return next(n for n, page in enumerate(pages, 1) if page[0] == leaf_of_table and page.count(b"text/html") > 3)


def destroy(folder: Path, page: int, filling: bytes = bytes(4096)) -> None:
    """Overwrite one page of the database."""
    with (folder / "crawl.db").open("r+b") as file:
        file.seek((page - 1) * 4096)
        file.write(filling)


LINKS = "SELECT page, position, target, anchor FROM links ORDER BY 1, 2"


@pytest.mark.parametrize("table", ["links", "drops", "snapshots", "robots", "manners", "migrations", "links, zeros"])
def test_a_malformed_database_is_made_anew_where_what_is_damaged_follows_from_the_rest(
    tmp_path: Path, table: str
) -> None:
    topic = crawled(tmp_path)
    pages, links = pages_of(tmp_path), rows(tmp_path, LINKS)
    table, _, zeros = table.partition(", ")
    destroy(tmp_path, root_of(tmp_path, table), bytes(4096) if zeros else b"\x55" * 4096)
    before = (tmp_path / "crawl.db").read_bytes()
    assert check(tmp_path, nobody).malformed
    assert (tmp_path / "crawl.db").read_bytes() == before
    found, done, now = check_and_repair(tmp_path, nobody)
    assert found.malformed
    assert now.is_well, now
    assert [line.partition(":")[0] for line in done] == [
        "a copy of the database as it was",
        "what could be read of the database is in a new one",
    ]
    assert (tmp_path / "crawl.db.damaged").read_bytes()[8192:] == before[8192:]  # its head counts changes
    assert go_on(topic, tmp_path) == []
    assert (pages_of(tmp_path), rows(tmp_path, LINKS)) == (pages, links)
    assert check(tmp_path, nobody).is_well


OWN = "SELECT h.url, o.fields FROM history h JOIN own_fields o USING (seq)"


@pytest.mark.parametrize("is_malformed", [False, True])
def test_fields_of_ones_own_stay_with_their_pages_and_those_of_a_lost_page_go(
    tmp_path: Path, is_malformed: bool
) -> None:
    crawled(tmp_path)
    change(tmp_path, "INSERT INTO own_fields SELECT seq, '\"' || url || '\"' FROM history WHERE outcome = 'page'")
    lost = damage_page(tmp_path, 3)
    if is_malformed:
        destroy(tmp_path, root_of(tmp_path, "links"))
    kept = [(url, fields) for url, fields in rows(tmp_path, OWN) if url != lost]
    assert check_and_repair(tmp_path, nobody)[2].is_well
    assert rows(tmp_path, OWN) == kept
    assert all(fields == f'"{url}"' for url, fields in kept)
    assert len(kept) > 20


@pytest.mark.parametrize("is_malformed", [False, True])
def test_what_a_crawl_has_learned_from_a_person_stays_with_what_the_person_said(
    tmp_path: Path, is_malformed: bool
) -> None:
    crawled(tmp_path)
    event = rows(tmp_path, "SELECT max(seq) + 1 FROM fetches")[0][0]
    change(tmp_path, f"INSERT INTO steering VALUES ({event}, 1, '', 'judged', 0, 'http://a/', 'yes', 1)")
    change(tmp_path, f"INSERT INTO lessons VALUES ({event}, 1, '', 20, 8, 0.5, 0.75, 1, 9, 2, 1)")
    damage_page(tmp_path, 3)
    if is_malformed:
        destroy(tmp_path, root_of(tmp_path, "links"))
    assert check_and_repair(tmp_path, nobody)[2].is_well
    assert rows(tmp_path, "SELECT seq, judged, after FROM lessons JOIN steering USING (seq)") == [(event - 1, 20, 0.75)]


def test_answers_that_a_malformed_database_has_lost_are_asked_for_again(tmp_path: Path) -> None:
    topic = crawled(tmp_path)
    pages = pages_of(tmp_path)
    destroy(tmp_path, leaf_of_answers(tmp_path))
    with pytest.raises(
        StorageError, match=r"malformed: it is damaged; put a copy back, see .*: scrapy verify .*, or put all"
    ):
        Session(topic, tmp_path)
    _, done, now = check_and_repair(tmp_path, nobody)
    assert now.is_well, now
    again = go_on(topic, tmp_path)
    assert 3 < len(again) < len(pages)
    assert f"{len(again)} answers could not: the next run asks again" in done
    assert pages_of(tmp_path) == pages
    assert check(tmp_path, nobody).is_well


@pytest.mark.parametrize("table", ["sqlite_schema", "runs", "hosts", "urls", "seeds", "requests", "picks", "backlinks"])
def test_a_malformed_database_is_past_repair_where_nobody_can_say_what_is_missing(tmp_path: Path, table: str) -> None:
    crawled(tmp_path)
    destroy(tmp_path, 1 if table == "sqlite_schema" else root_of(tmp_path, table), b"\x55" * 4096)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    found, done, now = check_and_repair(tmp_path, nobody)
    assert table == "sqlite_schema" or found.past_repair[-1].endswith(f"rows cannot be read of {table}")
    assert found.past_repair
    assert (done, now.is_well) == ([], False)
    assert {path: path.read_bytes() for path in before} == before


def test_a_number_that_no_event_can_have_is_told_at_once(tmp_path: Path) -> None:
    crawled(tmp_path)
    change(tmp_path, "UPDATE fetches SET seq = 1000000000000 WHERE seq = (SELECT max(seq) FROM fetches)")
    destroy(tmp_path, root_of(tmp_path, "links"))
    assert "more events are missing than answers can be" in check(tmp_path, nobody).past_repair[-1]


def test_what_a_killed_crawl_wrote_last_is_rescued_and_its_log_does_not_spoil_the_new_database(tmp_path: Path) -> None:
    session = Session(topic_of(), tmp_path / "killed")
    crawl(session, 5)
    session.commit()
    session.collection.store.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    crawl(session, 5)
    session.commit()
    shutil.copytree(tmp_path / "killed", tmp_path / "copy", ignore=shutil.ignore_patterns("*.lock*", "*-shm"))
    destroy(tmp_path / "copy", root_of(tmp_path / "killed", "robots"))
    session.collection.close()
    assert (tmp_path / "copy" / "crawl.db-wal").stat().st_size > 0
    found, _, now = check_and_repair(tmp_path / "copy", nobody)
    assert (bool(found.malformed), now.is_well, now.pages) == (True, True, 10)
    go_on(topic_of(), tmp_path / "copy")
    assert set(pages_of(tmp_path / "copy")) == set(WEB)
    assert check(tmp_path / "copy", nobody).is_well


def test_an_index_that_does_not_fit_is_made_anew(tmp_path: Path) -> None:
    crawled(tmp_path)
    change(tmp_path, "CREATE INDEX by_title ON fetches (title)")
    with closing(sqlite3.connect(tmp_path / "crawl.db", isolation_level=None)) as db:
        db.execute("PRAGMA writable_schema = ON")
        db.execute("UPDATE sqlite_schema SET sql = 'CREATE INDEX by_title ON fetches (reason)' WHERE name = 'by_title'")
    assert check(tmp_path, nobody).index_errors
    assert check_and_repair(tmp_path, nobody)[2].is_well


def test_a_collection_that_is_being_crawled_is_left_alone(tmp_path: Path) -> None:
    session = Session(topic_of(), tmp_path)
    for work in (check, check_and_repair):
        with pytest.raises(StorageError, match="another crawl of this topic is running"):
            work(tmp_path, nobody)
    session.close()


def test_there_must_be_a_collection(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="no such collection"):
        check(tmp_path / "none", nobody)
    assert not (tmp_path / "none").exists()


def test_a_record_of_any_length_that_it_can_have_is_one_that_others_read(tmp_path: Path) -> None:
    shortest = next(length for length in range(1000) if record_of_length(length))
    assert shortest < 300
    for length in (shortest + 10, shortest + 11, 70_000):  # its id is chance, and compressed
        record = record_of_length(length)
        assert record is not None
        assert len(record) == length
        (tmp_path / "a.warc.gz").write_bytes(record)
        with (tmp_path / "a.warc.gz").open("rb") as file:
            assert [record.rec_type for record in ArchiveIterator(file)] == ["metadata"]


@given(places=st.sets(st.floats(0, 0.999), min_size=1, max_size=6))
@settings(max_examples=settings.default.max_examples // 4, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_wherever_bytes_are_damaged_a_repair_brings_all_pages_back(
    tmp_path_factory: pytest.TempPathFactory, places: set[float]
) -> None:
    folder = tmp_path_factory.mktemp("crawl")
    topic = crawled(folder)
    pages = pages_of(folder)
    path = folder / "pages" / FIRST
    for place in {int(place * path.stat().st_size) for place in places}:
        flip(path, place)
    found = check(folder, nobody)  # a time in the head of a gzip member says nothing of its page
    assert found.lost or found.stretches or not go_on(topic, folder)
    assert check_and_repair(folder, nobody)[2].is_well
    go_on(topic, folder)
    assert pages_of(folder) == pages == sorted(pages)
    assert set(pages) == set(WEB)
