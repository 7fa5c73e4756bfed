"""Cora is read from its two tables: papers as pages, citations as links both ways."""

from __future__ import annotations

from pathlib import Path

import pytest

from focused.exceptions import WebError
from focused.page.page import Page
from focused.page.reader import Reader, ReadingOptions
from focused.simulation.known_webs import open_web
from lab.tests.webs.small_cora import CLASSES, MEMBERS, write_cora
from lab.webs.cora import Cora, parts
from tests.small_wikispeedia import full_data


@pytest.fixture
def cora(tmp_path: Path) -> Cora:
    web = open_web([str(write_cora(tmp_path))])
    assert isinstance(web, Cora)
    return web


def test_a_paper_is_a_page_of_its_words_that_links_to_what_it_cites_and_what_cites_it(cora: Cora) -> None:
    answer = cora.answer("http://cora.example/0")
    assert answer
    page = Reader(ReadingOptions()).read("http://cora.example/0", answer.body, answer.header("content-type"))
    assert isinstance(page, Page)
    assert list(page.terms) == ["w0000", "w0002"]
    assert [link.url for link in page.links] == ["http://cora.example/100", "http://cora.example/1"]


def test_classes_are_the_labels_and_no_page_says_them(cora: Cora) -> None:
    assert [cora.class_of(url) for url in cora.urls()] == [(name,) for name in CLASSES for _ in range(MEMBERS)]
    bodies = [answer.body for url in cora.urls() if (answer := cora.answer(url))]
    assert not any(name.encode() in body for name in CLASSES for body in bodies)


def test_an_unknown_paper_is_not_found_and_another_host_is_no_part(cora: Cora) -> None:
    unknown = cora.answer("http://cora.example/999")
    assert unknown
    assert unknown.status == 404
    assert cora.answer("http://other.example/0") is None


def test_ends_of_lines_do_not_matter_to_what_a_copy_holds(tmp_path: Path) -> None:
    files = parts(write_cora(tmp_path))
    assert list(files) == ["cora.cites", "cora.content"]
    assert b"\r" not in files["cora.content"]


@pytest.mark.parametrize(
    ("file", "text", "told"),
    [
        ("cora.cites", "0\t7777\n", "'0\\t7777' are not two known papers"),
        ("cora.content", None, "cora.content missing"),
    ],
)
def test_what_is_no_whole_data_set_is_told(tmp_path: Path, file: str, text: str | None, told: str) -> None:
    write_cora(tmp_path)
    (tmp_path / file).unlink()
    if text is not None:
        (tmp_path / file).write_text(text)
    with pytest.raises(WebError) as raised:
        Cora(tmp_path)
    assert told in str(raised.value)


def test_the_full_data_set_has_the_papers_and_citations_that_all_count() -> None:
    web = Cora(full_data("cora"))
    assert len(web.papers) == 2708
    assert sum(len(paper.links) for paper in web.papers.values()) == 2 * 5278  # 5,429 citations, 151 of them mutual
