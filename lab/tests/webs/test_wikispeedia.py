"""Wikispeedia as a recorded web: rendering, hosts, what is not shown, and (where the data set is at hand) its known sizes."""

from __future__ import annotations

import re
import tarfile
from html import unescape
from pathlib import Path

import pytest

from focused.exceptions import WebError
from focused.reading.page import Page
from focused.reading.reader import Reader, ReadingOptions
from focused.simulation.known_webs import open_web
from lab.webs.wikispeedia import ArticleText, Block, Wikispeedia, read_article, read_title, render
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

    @pytest.mark.parametrize("text", [TEXT, "Zinc", "Zinc\n\nIt is.", "", "   #copyright\n"])
    def test_the_title_can_be_read_alone(self, text: str) -> None:
        assert read_title(text) == read_article(text).title

    def test_headings_are_what_is_not_indented(self) -> None:
        assert [block.text for block in read_article(self.TEXT).blocks if block.heading] == ["Uses"]

    def test_the_first_paragraph_is_running_text_and_no_table(self) -> None:
        assert read_article(self.TEXT).first_paragraph.startswith("Zinc is a chemical element")

    @pytest.mark.parametrize("text", ["", "\n\n \n", "   #copyright\n"])
    def test_an_empty_text_is_an_empty_article(self, text: str) -> None:
        assert read_article(text) == ArticleText("", ())
        assert read_article(text).first_paragraph == ""


class TestLinks:
    def page(self, text: str, **links: str) -> str:
        """The rendered paragraph and list, links given as name = title."""
        article = ArticleText("A", (Block("Owl", heading=True), Block(text)))
        html = render(article, {f"/{name}": title for name, title in links.items()}).decode()
        return html.partition("<h2>Owl</h2>\n")[2].removesuffix("</body>\n</html>\n").replace("\n", "")

    def test_a_link_stands_at_the_first_mention_of_its_target_in_any_case(self) -> None:
        assert self.page("An owl, the Owl.", o="Owl") == '<p>An <a href="/o">owl</a>, the Owl.</p>'

    def test_a_part_of_a_word_is_no_mention(self) -> None:
        assert self.page("The howling owlet.", o="Owl").startswith("<p>The howling owlet.</p><h2>See also</h2>")

    def test_the_longer_title_wins(self) -> None:
        expected = '<p><a href="/ny">New York</a> and <a href="/y">York</a></p>'
        assert self.page("New York and York", y="York", ny="New York") == expected

    def test_a_qualifier_needs_no_mention(self) -> None:
        assert self.page("On Mercury.", m="Mercury (planet)") == '<p>On <a href="/m">Mercury</a>.</p>'

    def test_targets_that_are_not_mentioned_are_listed_under_their_titles(self) -> None:
        expected = (
            '<p>Nothing.</p><h2>See also</h2><ul><li><a href="/z">Zebra</a></li><li><a href="/o">Owl</a></li></ul>'
        )
        assert self.page("Nothing.", z="Zebra", o="Owl") == expected

    def test_text_is_escaped(self) -> None:
        expected = '<p>a &lt;b&gt; &amp; <a href="/a">AT&amp;T</a> &lt;/p&gt;</p>'
        assert self.page("a <b> & AT&T </p>", a="AT&T") == expected


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

    def test_a_page_is_found_however_its_url_is_written(self, folder: Path) -> None:
        web = Wikispeedia(folder)
        for path in ("Mercury_%28element%29", "Mercury_(element)"):
            assert "A metal." in body(web, f"http://WIKI03.example/wiki/{path}")

    def test_other_pages_are_not_found_and_other_hosts_not_there(self, folder: Path) -> None:
        web = Wikispeedia(folder)
        answer = web.answer("http://wiki03.example/wiki/Gull")
        assert answer and answer.status == 404
        assert web.answer("http://owl.example/") is None
        assert web.answer("mailto:owl") is None


def test_an_archive_holds_the_same_web_as_its_folder(folder: Path, tmp_path: Path) -> None:
    archive = tmp_path / "data.tar.xz"
    with tarfile.open(archive, "w:xz") as tar:
        tar.add(folder, "wikispeedia")
    for name in (archive, folder, folder.parent):
        web = open_web([str(name)])
        assert isinstance(web, Wikispeedia)
        assert web.articles == Wikispeedia(folder).articles


def test_the_layout_is_an_option_of_this_web_alone(folder: Path) -> None:
    assert "owl.example" in open_web([f"{folder}:layout=article"]).hosts
    with pytest.raises(WebError, match="'hosts' is not a layout of Wikispeedia: choose from subject, article"):
        open_web([f"{folder}:layout=hosts"])
    with pytest.raises(WebError, match="leave --fold-index out"):
        open_web([str(folder)], fold_index=True)


def test_links_and_labels_of_articles_without_text_are_counted(folder: Path) -> None:
    with (folder / "links.tsv").open("a") as links, (folder / "categories.tsv").open("a") as categories:
        links.write("Owl\tGull\nGull\tOwl\n")
        categories.write(f"Gull\t{BIRDS}\n")
    assert Wikispeedia(folder).lost == (2, 1)


def test_a_title_is_what_the_text_says_and_else_what_the_name_says(folder: Path) -> None:
    texts = folder / "plaintext_articles"
    (texts / "AC_DC.txt").write_text("   #copyright\n\nAC/DC\n\n   A band.\n")
    (texts / "AC%2FDC.txt").write_text("")
    titles = [article.title for article in Wikispeedia(folder).articles.values()]
    assert titles == ["Åland", "AC/DC", "AC/DC", "Mercury (element)", "Owl", "Zebra"]


def test_an_incomplete_data_set_is_told(folder: Path) -> None:
    (folder / "plaintext_articles" / "Owl.txt").unlink()
    with pytest.raises(WebError, match=r"1 of the articles in articles\.tsv have no text"):
        Wikispeedia(folder)
    (folder / "links.tsv").unlink()
    with pytest.raises(WebError, match=r"not the Wikispeedia data set: links\.tsv missing"):
        Wikispeedia(folder)


def test_a_damaged_table_is_told_by_its_line(folder: Path) -> None:
    (folder / "links.tsv").write_text("# comment\nOwl\tZebra\tGull\n")
    with pytest.raises(WebError, match=r"links\.tsv: line 2 has not two columns"):
        Wikispeedia(folder)


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
