"""Wikispeedia as a recorded web: rendering, hosts, what is not shown, and (where the data set is at hand) its known sizes."""

from __future__ import annotations

import re
import tarfile
from html import unescape
from pathlib import Path

import pytest

from focused.page.page import Page
from focused.page.reader import Reader, ReadingOptions
from focused.simulation.known_webs import open_web
from lab.webs.wikispeedia import ArticleText, Block, Wikispeedia, read_article, render
from tests.small_wikispeedia import Entry, full_data, write_wikispeedia

BIRDS, CHEMISTRY = "subject.Science.Biology.Birds", "subject.Science.Chemistry.Chemical_elements"
ENTRIES = {
    "%C3%85land": Entry("Some text.", ["subject.Countries"], ["Owl"]),
    "AC_DC": Entry("A band.", ["subject.Music.Performers"]),
    "AC%2FDC": Entry("The same band.", ["subject.Music.Performers"]),
    "Mercury_%28element%29": Entry("A metal.", [CHEMISTRY]),
    "Owl": Entry(
        "   An owl is no mercury & no gull, but\n   hunts in %C3%85land.", [BIRDS], ["Mercury_%28element%29", "Zebra"]
    ),
    "Zebra": Entry("No category here."),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_wikispeedia(tmp_path, ENTRIES)


def body(web: Wikispeedia, url: str) -> str:
    answer = web.answer(url)
    assert answer and answer.status == 200
    assert answer.header("content-type") == "text/html; charset=utf-8"
    return answer.body.decode()


class TestText:
    TEXT = """   #copyright

Zinc

2007 Schools Wikipedia Selection. Related subjects: Chemical elements;
Chemistry

   Zinc
   Symbol       Zn

   Zinc is a chemical element in the periodic table that has the symbol
   Zn and atomic number 30.
   \t
Uses

   It galvanises steel.
   Retrieved from " http://en.wikipedia.org/wiki/Zi
   nc" This reference article is mainly selected from the English Wikipedia.
"""

    def test_labels_origin_and_licence_are_dropped(self) -> None:
        article = read_article(self.TEXT)
        assert article.title == "Zinc"
        assert [block.text for block in article.blocks] == [
            "Zinc Symbol Zn",
            "Zinc is a chemical element in the periodic table that has the symbol Zn and atomic number 30.",
            "Uses",
            "It galvanises steel.",
        ]

    def test_the_first_paragraph_is_running_text_and_no_table(self) -> None:
        assert read_article(self.TEXT).first_paragraph.startswith("Zinc is a chemical element")


class TestLinks:
    def page(self, text: str, **links: str) -> str:
        """The rendered paragraph and list, links given as name = title."""
        article = ArticleText("A", (Block("Owl", heading=True), Block(text)))
        html = render(article, {f"/{name}": title for name, title in links.items()}).decode()
        return html.partition("<h2>Owl</h2>\n")[2].removesuffix("</body>\n</html>\n").replace("\n", "")

    def test_a_link_stands_at_the_first_mention_of_its_target_in_any_case(self) -> None:
        assert self.page("An owl, the Owl.", o="Owl") == '<p>An <a href="/o">owl</a>, the Owl.</p>'

    def test_targets_that_are_not_mentioned_are_listed_under_their_titles(self) -> None:
        expected = (
            '<p>Nothing.</p><h2>See also</h2><ul><li><a href="/z">Zebra</a></li><li><a href="/o">Owl</a></li></ul>'
        )
        assert self.page("Nothing.", z="Zebra", o="Owl") == expected


class TestHosts:
    def test_subjects_have_numbered_hosts_as_a_name_would_tell_the_label(self, folder: Path) -> None:
        assert list(Wikispeedia(folder).urls()) == [
            "http://wiki01.example/wiki/%C3%85land",
            "http://wiki02.example/wiki/AC%2FDC",
            "http://wiki02.example/wiki/AC_DC",
            "http://wiki03.example/wiki/Mercury_%28element%29",
            "http://wiki03.example/wiki/Owl",
            "http://wiki01.example/wiki/Zebra",
        ]

    def test_each_article_can_have_a_host_of_its_own(self, folder: Path) -> None:
        web = Wikispeedia(folder, "article")
        assert list(web.urls()) == [
            f"http://{host}.example/" for host in ("aland", "ac-dc", "ac-dc-2", "mercury-element", "owl", "zebra")
        ]
        assert '<a href="http://zebra.example/">Zebra</a>' in body(web, "http://owl.example/")


def test_an_archive_holds_the_same_web_as_its_folder(folder: Path, tmp_path: Path) -> None:
    archive = tmp_path / "data.tar.xz"
    with tarfile.open(archive, "w:xz") as tar:
        tar.add(folder, "wikispeedia")
    for name in (archive, folder, folder.parent):
        web = open_web([str(name)])
        assert isinstance(web, Wikispeedia)
        assert web.articles == Wikispeedia(folder).articles


def test_a_title_is_what_the_text_says_and_else_what_the_name_says(folder: Path) -> None:
    texts = folder / "plaintext_articles"
    (texts / "AC_DC.txt").write_text("   #copyright\n\nAC/DC\n\n   A band.\n")
    (texts / "AC%2FDC.txt").write_text("")
    titles = [article.title for article in Wikispeedia(folder).articles.values()]
    assert titles == ["Åland", "AC/DC", "AC/DC", "Mercury (element)", "Owl", "Zebra"]


@pytest.fixture(scope="module")
def full() -> Wikispeedia:
    return Wikispeedia(full_data("wikispeedia"))


def test_the_full_data_has_its_published_size(full: Wikispeedia) -> None:
    assert (len(full.articles), len(full.hosts), full.lost) == (4598, 15, (0, 0))
    assert sum(len(article.links) for article in full.articles.values()) == 119_879


def test_every_link_of_the_full_data_is_rendered_once_and_no_label_is(full: Wikispeedia) -> None:
    reader = Reader(ReadingOptions())
    for url in list(full.articles)[::40]:
        html = body(full, url)
        links = sorted(full.articles[url].links)
        assert sorted(map(unescape, re.findall(r'<a href="([^"]*)">', html))) == links
        page = reader.read(url, html.encode(), "text/html; charset=utf-8")
        assert isinstance(page, Page)
        assert sorted(link.url for link in page.links) == [
            link for link in links if link != url
        ]  # 110 link to themselves
        assert "Related subjects:" not in html
        assert "Schools Wikipedia" not in html
        assert not any(category in html for category in full.articles[url].categories)
