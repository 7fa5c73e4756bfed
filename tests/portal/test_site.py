"""The site of a portal: what it shows, what it leaves out, and that the next time only what has changed is written."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from xml.etree import ElementTree

import pytest
from scrapy.exceptions import UsageError

from focused.collection.collection import opened
from focused.collection.desk import TEACH_PILE, Desk
from focused.collection.repository import Stored
from focused.crawl.novelty import COPIES
from focused.desk.commands.portal import Command
from focused.desk.portal.editing import Placements
from focused.desk.portal.entry import abstract_of, key_of
from focused.desk.portal.site_pages import slug_of
from tests.collection.collecting import collect
from tests.commands.running import crawled, refusal, run_command

RELEVANT = "SELECT u.url FROM fetches f JOIN urls u ON u.id = f.final_url WHERE f.relevant = 1 ORDER BY f.seq"
OTHERS = RELEVANT.replace("relevant = 1", "relevant = 0")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    crawled(tmp_path / "data" / "test")
    return tmp_path / "data"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return tmp_path / "site"


def portal(data: Path, *argv: str) -> int:
    return run_command(Command(), "test", *argv, data_dir=data)


def urls(data: Path, query: str = RELEVANT) -> list[str]:
    with opened(data / "test") as store:
        return [url for (url,) in store.execute(query)]


def write(data: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(data / "test" / "crawl.db")) as db, db:
        assert db.execute(statement, values).rowcount > 0


def pages(site: Path) -> set[str]:
    return {path.stem for path in (site / "p").iterdir()}


def files(site: Path) -> dict[str, tuple[int, bytes]]:
    return {
        str(path.relative_to(site)): (path.stat().st_mtime_ns, path.read_bytes())
        for path in site.rglob("*")
        if path.is_file()
    }


class TestWhatIsShown:
    def test_each_relevant_page_has_a_page_and_a_place_in_one_category(self, data: Path, site: Path) -> None:
        assert portal(data, "--out", str(site)) == 0
        keys = {key_of(url) for url in urls(data)}
        assert pages(site) == keys
        listed = [path.read_text() for path in (site / "c").glob("*.html")]
        assert all(sum(f"p/{key}.html" in text for text in listed) == 1 for key in keys)

    @pytest.mark.parametrize(
        "statement",
        [
            "UPDATE fetches SET noindex = 1 WHERE final_url = (SELECT id FROM urls WHERE url = ?)",
            f"UPDATE fetches SET verdict = '{COPIES[0]}' WHERE final_url = (SELECT id FROM urls WHERE url = ?)",
        ],
    )
    def test_pages_that_ask_not_to_be_indexed_and_copies_stay_away_even_when_accepted(
        self, data: Path, site: Path, statement: str
    ) -> None:
        url = urls(data)[1]
        write(data, statement, url)
        portal(data, "--accept", url, "--out", str(site))
        assert key_of(url) not in pages(site)
        assert not any(url.encode() in content for _, content in files(site).values())

    @pytest.mark.parametrize(
        ("meta", "header"),
        [("nosnippet", ""), ("max-snippet: 0", ""), ("", "nosnippet"), ("", "max-snippet:0"), ("", "")],
    )
    def test_of_a_page_that_wants_no_piece_shown_the_title_alone_is(
        self, tmp_path: Path, site: Path, meta: str, header: str
    ) -> None:
        url, text = "http://a.example/", "Solar energy from the roof feeds the house."
        body = f'<title>Solar roofs</title><meta name="robots" content="{meta}"><p>{text}</p>'.encode()
        headers = (("Content-Type", "text/html"), *((("X-Robots-Tag", header),) if header else ()))
        collect(tmp_path / "data" / "test", {url: Stored(url, 200, headers, body)})
        portal(tmp_path / "data", "--out", str(site), "--accept", url)
        shown = "".join(content.decode() for _, content in files(site).values())
        assert "Solar roofs" in shown
        assert (text in shown) is not bool(meta or header)

    def test_a_page_that_a_person_judged_is_shown_or_not_as_they_said(self, data: Path, site: Path) -> None:
        off, on = urls(data)[0], urls(data, OTHERS)[0]
        Desk(data / "test").judge([(off, TEACH_PILE, False), (on, TEACH_PILE, True)])
        portal(data, "--out", str(site))
        assert key_of(off) not in pages(site)
        assert key_of(on) in pages(site)

    def test_feeds_are_atom_and_name_each_page_once(self, data: Path, site: Path) -> None:
        portal(data, "--out", str(site), "--url", "https://portal.example/solar")
        root = ElementTree.fromstring((site / "new.xml").read_bytes())
        atom = "{http://www.w3.org/2005/Atom}"
        found = [entry.find(f"{atom}link").get("href") for entry in root.iter(f"{atom}entry")]  # type: ignore[union-attr]
        assert sorted(map(str, found)) == sorted(urls(data))
        assert root.find(f"{atom}link").get("href") == "https://portal.example/solar/new.xml"  # type: ignore[union-attr]
        assert len(list((site / "c").glob("*.xml"))) == len(list((site / "c").glob("*[!0-9].html")))


class TestEditors:
    def test_a_rejected_page_disappears_and_comes_back_when_that_is_forgotten(self, data: Path, site: Path) -> None:
        url = urls(data)[2]
        portal(data, "--out", str(site))
        portal(data, "--reject", url, "--out", str(site))
        assert key_of(url) not in pages(site)
        assert not any(key_of(url).encode() in content for _, content in files(site).values())
        portal(data, "--forget", url, "--out", str(site))
        assert key_of(url) in pages(site)

    def test_a_moved_page_lies_in_its_new_category(self, data: Path, site: Path) -> None:
        url = urls(data, OTHERS)[0]
        portal(data, "--move", url, "Heat <pumps>", "--out", str(site))
        assert f"p/{key_of(url)}.html" in (site / "c" / "heat-pumps.html").read_text()
        assert "Heat &lt;pumps&gt;" in (site / "p" / f"{key_of(url)}.html").read_text()

    def test_accepted_alone(self, data: Path, site: Path) -> None:
        url = urls(data)[0]
        portal(data, "--accept", url)
        portal(data, "--out", str(site), "--accepted")
        assert pages(site) == {key_of(url)}

    def test_decisions_outlive_the_crawl(self, data: Path, site: Path) -> None:
        url = urls(data)[0]
        portal(data, "--reject", url)
        for path in (data / "test").glob("crawl.db*"):
            path.unlink()
        assert Placements(data / "test").all()[url].accepted is False

    def test_a_strange_page_is_refused(self, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert "no page of this collection" in refusal(portal(data, "--reject", "http://x.example/"), capsys)
        assert Placements(data / "test").all() == {}

    def test_who_contradicts_himself_is_refused(self, data: Path) -> None:
        with pytest.raises(UsageError, match="named twice"):
            portal(data, "--reject", urls(data)[0], "--accept", urls(data)[0])


class TestTheNextTime:
    def test_nothing_is_written_where_nothing_changed(self, data: Path, site: Path) -> None:
        portal(data, "--out", str(site))
        before = files(site)
        portal(data, "--out", str(site))
        assert files(site) == before

    def test_pages_are_not_read_again(self, data: Path, site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        portal(data, "--out", str(site))
        read: list[object] = []
        monkeypatch.setattr("focused.export.reading_processes.page_content", lambda *given: read.append(given))
        portal(data, "--out", str(site))
        assert read == []

    def test_a_lost_memory_gives_the_same_site(self, data: Path, site: Path) -> None:
        portal(data, "--out", str(site))
        before = files(site)
        (data / "test" / "portal.db").unlink()
        portal(data, "--out", str(site))
        assert {name: content for name, (_, content) in files(site).items()} == {
            name: content for name, (_, content) in before.items()
        }

    def test_files_of_other_people_stay(self, data: Path, site: Path) -> None:
        portal(data, "--out", str(site))
        for name in ("CNAME", "p/notes.txt", "c/Mine.html"):
            (site / name).write_text("mine")
        (site / "p" / "0123456789abcdef.html").write_text("of a page that is gone")
        portal(data, "--out", str(site))
        assert all((site / name).exists() for name in ("CNAME", "p/notes.txt", "c/Mine.html"))
        assert not (site / "p" / "0123456789abcdef.html").exists()


class TestRefusals:
    def test_a_folder_with_files_of_other_people(
        self, data: Path, site: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        site.mkdir()
        (site / "thesis.txt").write_text("mine")
        assert "not of a portal" in refusal(portal(data, "--out", str(site)), capsys)
        assert list(files(site)) == ["thesis.txt"]

    def test_the_portal_of_another_collection(self, data: Path, site: Path, capsys: pytest.CaptureFixture[str]) -> None:
        crawled(data / "other")
        run_command(Command(), "other", "--out", str(site), data_dir=data)
        capsys.readouterr()
        assert "another collection (other)" in refusal(portal(data, "--out", str(site)), capsys)

    def test_a_file(self, data: Path, site: Path, capsys: pytest.CaptureFixture[str]) -> None:
        site.write_text("mine")
        assert "is a file" in refusal(portal(data, "--out", str(site)), capsys)

    def test_no_collection(self, data: Path, site: Path, capsys: pytest.CaptureFixture[str]) -> None:
        code = run_command(Command(), "nothing", "--out", str(site), data_dir=data)
        assert "no such collection" in refusal(code, capsys)

    def test_no_page(self, data: Path, site: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert "no page was accepted yet" in refusal(portal(data, "--out", str(site), "--accepted"), capsys)
        assert not site.exists()

    def test_a_taxonomy_that_there_is_not(self, data: Path, site: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert "no such taxonomy" in refusal(portal(data, "--out", str(site), "--taxonomy", "energy"), capsys)

    @pytest.mark.parametrize(
        "argv", [(), ("--out", "x", "--url", "javascript:x()"), ("--move", "http://a.example/", " ")]
    )
    def test_arguments_that_make_no_sense(self, data: Path, argv: tuple[str, ...]) -> None:
        with pytest.raises(UsageError):
            portal(data, *argv)


@pytest.mark.parametrize(
    ("name", "slug"),
    [("Heat pumps", "heat-pumps"), ("Énergie · solaire", "energie-solaire"), ("../../etc/passwd", "etc-passwd")],
)
def test_addresses_of_categories(name: str, slug: str) -> None:
    assert slug_of(name) == slug


def test_names_in_other_scripts_have_addresses_that_differ() -> None:
    found = {slug_of(name) for name in ("太陽光", "風力", "солнце", "···", "")}
    assert len(found) == 5
    assert all(slug.isascii() and slug for slug in found)


def test_an_abstract_is_what_the_page_says_else_how_it_begins() -> None:
    assert abstract_of("Of panels.", "Text.") == "Of panels."
    assert (
        abstract_of("", "Panels Panels turn light into current.", "Panels - A Shop")
        == "Panels turn light into current."
    )
    long = abstract_of("", "One sentence. " * 100)
    assert long.endswith("sentence.")
    assert len(long) <= 500
    assert len(abstract_of("", "x" * 5000)) <= 501


def test_shards_hold_plain_values_only(data: Path, site: Path) -> None:
    portal(data, "--out", str(site))
    for path in (site / "s").iterdir():
        text = path.read_text()
        name, _, rest = text.partition("(")
        assert name in ("portal.words", "portal.titles", "portal.about")
        json.loads(f"[{rest.rstrip().removesuffix(');')}]")
