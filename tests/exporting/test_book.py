"""A book has a chapter a page, and every file of it is what readers of books take."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZIP_STORED, ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from focused.exporting.formats.epub import Epub
from focused.exporting.formats.writer import Order
from focused.exporting.row import Found
from focused.exporting.selection import Selection
from focused.storage.collection import open_to_read
from tests.commands.running import refusal
from tests.exporting.collections import article_crawled, change, export, history

pytest.importorskip("markdown_it", reason="needs focused[epub]")
OPF, XHTML = "{http://www.idpf.org/2007/opf}", "{http://www.w3.org/1999/xhtml}"


def book(data: Path, target: Path, *options: str) -> dict[str, bytes]:
    """Files of a book, all of XML that can be parsed."""
    assert export(data, "test", target, *options) == 0
    with ZipFile(target) as archive:
        first = archive.infolist()[0]
        assert (first.filename, first.compress_type) == ("mimetype", ZIP_STORED)
        files = {name: archive.read(name) for name in archive.namelist()}
    assert files.pop("mimetype") == b"application/epub+zip"
    for content in files.values():
        etree.fromstring(content)
    return files


def test_a_book_has_a_chapter_for_each_page_in_order(finished: Path, tmp_path: Path) -> None:
    files = book(finished, tmp_path / "a.epub", "--relevant")
    urls = history(finished, "final_url, title", "relevant")
    package = etree.fromstring(files["book.opf"])
    listed = {item.get("id"): item.get("href") for item in package.iter(f"{OPF}item")}
    assert set(listed.values()) | {"book.opf", "META-INF/container.xml"} == set(files)
    chapters = [files[listed[item.get("idref")]] for item in package.iter(f"{OPF}itemref")]
    told = [next(etree.fromstring(chapter).iter(f"{XHTML}a")).get("href") for chapter in chapters]
    assert told == [url for url, _ in urls]
    contents = etree.fromstring(files["nav.xhtml"])
    assert [link.text for link in contents.iter(f"{XHTML}a")] == [title for _, title in urls]
    assert [link.get("href") for link in contents.iter(f"{XHTML}a")] == [
        listed[f"page-{n}"] for n in range(1, len(urls) + 1)
    ]


def test_headings_are_headings_and_the_language_is_named(tmp_path: Path) -> None:
    article_crawled(tmp_path / "test")
    chapter = etree.fromstring(book(tmp_path, tmp_path / "a.epub")["page-1.xhtml"])
    assert [heading.text for heading in chapter.iter(f"{XHTML}h1", f"{XHTML}h2")] == ["Panels", "Cells", "Roofs"]
    assert chapter.get("{http://www.w3.org/XML/1998/namespace}lang") == "en"


@pytest.mark.parametrize("title", ["<b>&amp;]]>", "a\x00\x0bb\ufffe", "\"'", ""])
def test_a_title_is_a_text_whatever_it_holds(data: Path, tmp_path: Path, title: str) -> None:
    change(data, "UPDATE fetches SET title = ? WHERE seq = (SELECT min(seq) FROM fetches)", title)
    files = book(data, tmp_path / "a.epub", "--best", "40")
    (link, *_) = etree.fromstring(files["nav.xhtml"]).iter(f"{XHTML}a")
    kept = "".join(letter if letter.isprintable() else " " for letter in title)
    assert link.text == (kept or history(data, "final_url")[0][0])


PIECES = ["<script>alert(1)</script>", "\\<b", "&lt;", "&#0;", "&#xFFFE;", "`x`", "```\n", "| a |\n|---|\n", "# ", "![i](j:k)",
          "[x](javascript:1)", "\n\n", "\x00", "\ufffe", "\ud800", "]]>", "text "]  # fmt: skip


@pytest.fixture(scope="module")
def page(finished: Path) -> Found:
    with closing(open_to_read(finished / "test")) as store:
        return next(Selection().pages(store, ""))


@given(text=st.lists(st.sampled_from(PIECES), max_size=20).map("".join))
def test_a_chapter_is_xml_without_programs_and_pictures_whatever_the_text_is(page: Found, text: str) -> None:
    file = BytesIO()
    writer = Epub(file, Order((), "a.epub", "about", None, {}))  # type: ignore[arg-type]
    writer.write(replace(page, text=text))
    writer.close()
    with ZipFile(file) as archive:
        chapter = etree.fromstring(archive.read("page-1.xhtml"))
    assert not list(chapter.iter(f"{XHTML}script", f"{XHTML}b", f"{XHTML}img"))
    assert all(link.get("href").startswith("http") for link in chapter.iter(f"{XHTML}a"))


def test_a_book_of_too_many_pages_is_told(finished: Path, tmp_path: Path, capsys: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr("focused.exporting.formats.epub.MOST_CHAPTERS", 10)
    assert "a book holds 10 pages: choose the best of them" in refusal(
        export(finished, "test", tmp_path / "a.epub"), capsys
    )
    assert not list(tmp_path.iterdir())


def test_a_table_whose_rows_would_be_filled_without_end_is_shown_as_lines() -> None:
    rows = "\n".join(["|" + " a |" * 100, "|" + "---|" * 100, *["| b |"] * 2_000])
    with ZipFile(BytesIO(), "w") as _, closing(Epub(BytesIO(), Order((), "a.epub", "about", None, {}))) as writer:  # type: ignore[arg-type]
        assert len(writer._body(rows)) < 3 * len(rows)
        assert "<table>" not in writer._body(rows)
        assert "<table>" in writer._body("| a | b |\n|---|---|\n| c | d |")
