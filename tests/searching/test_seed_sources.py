"""Where a person has URLs already: files, addresses, earlier crawls, Wikipedia."""

import json
from pathlib import Path

import pytest

from focused.exceptions import SearchError
from focused.seeds.searching.seed_sources import check_source, is_wiki_page, listed_in, wiki_links
from tests.commands.running import crawled
from tests.searching.stand_ins import Web, now

A, B = "http://a.example/1", "http://b.example/2"
WIKI = "https://en.wikipedia.org"
ASKED = f"{WIKI}/w/api.php?action=query&format=json&formatversion=2"


def urls(source: str, data: Path, web: Web | None = None) -> list[str]:
    told: list[str] = []
    listed = now(listed_in(source, data, web or Web({}), told.append))
    assert listed is not None, told
    return [found.url for found in listed[1]]


def refusal(source: str, data: Path, web: Web | None = None) -> str:
    told: list[str] = []
    assert now(listed_in(source, data, web or Web({}), told.append)) is None
    (line,) = told
    return line


def test_a_file(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text(f"{A}\n{B}\n")
    assert urls(str(tmp_path / "mine.txt"), tmp_path) == [A, B]


def test_a_file_that_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("nothing")
    assert refusal(str(tmp_path / "mine.txt"), tmp_path).endswith(
        "mine.txt: no http(s) URL is found in it (read as a list of URLs)"
    )
    assert "a folder or a device" in refusal(str(tmp_path), tmp_path)


def test_an_address(tmp_path: Path) -> None:
    web = Web({"http://s.example/list": f"{A}\n{B}".encode()}, {"http://s.example/list": "text/plain"})
    assert urls("http://s.example/list", tmp_path, web) == [A, B]
    assert web.named == ["http://s.example/list"]
    assert "404" in refusal("http://s.example/none", tmp_path, web)


def test_the_sitemaps_of_an_index_are_asked_for_and_nobody_has_named_these(tmp_path: Path) -> None:
    index = "<sitemapindex>" + "".join(f"<sitemap><loc>http://s.example/{n}.xml</loc></sitemap>" for n in range(50))
    web = Web({"http://s.example/index.xml": f"{index}</sitemapindex>".encode()})
    for n in range(50):
        web.answers[f"http://s.example/{n}.xml"] = f"<urlset><url><loc>{A}{n}</loc></url></urlset>".encode()
    web.kinds = dict.fromkeys(web.answers, "application/xml")
    assert urls("http://s.example/index.xml", tmp_path, web) == [f"{A}{n}" for n in range(5)]
    assert web.named == ["http://s.example/index.xml", *[""] * 5]


def test_the_best_pages_of_an_earlier_crawl(tmp_path: Path) -> None:
    order = crawled(tmp_path / "mine")
    by_name, by_path = urls("mine", tmp_path), urls(str(tmp_path / "mine"), tmp_path / "elsewhere")
    assert by_name == by_path
    assert by_name
    assert set(by_name) <= set(order)


@pytest.mark.parametrize("source", ["none", "http://", "ftp://a.example/x", "http://me:pw@a.example/"])
def test_a_source_that_cannot_be_one_is_told_at_once(tmp_path: Path, source: str) -> None:
    with pytest.raises(SearchError, match=r"^--from"):
        check_source(source, tmp_path)


class TestWikipedia:
    def test_the_links_of_an_article(self) -> None:
        links = [{"url": A}, {"url": B.replace("http:", "")}, {"url": 3}, "x"]
        web = Web({f"{ASKED}&titles=Solar+cell&prop=extlinks&ellimit=max": answer({"ns": 0, "extlinks": links})})
        listed = now(wiki_links(f"{WIKI}/wiki/Solar_cell", web))
        assert [found.url for found in listed.found] == [A, B.replace("http:", "https:")]

    def test_of_a_category_its_articles_and_what_most_of_them_link_to(self) -> None:
        category = f"{ASKED}&titles=Category%3ASun&prop=extlinks&ellimit=max"
        members = f"{ASKED}&prop=extlinks&ellimit=max&generator=categorymembers&gcmtitle=Category%3ASun&gcmtype=page&gcmlimit=50"
        one = {"ns": 0, "title": "Solar cell", "extlinks": [{"url": A}, {"url": B}]}
        web = Web(
            {category: answer({"ns": 14}), members: answer(one, {"ns": 0, "title": "Ré", "extlinks": [{"url": B}]})}
        )
        listed = now(wiki_links(f"{WIKI}/wiki/Category:Sun", web))
        assert [found.url for found in listed.found] == [f"{WIKI}/wiki/Solar_cell", f"{WIKI}/wiki/R%C3%A9", B, A]

    def test_where_robots_txt_bars_the_api_the_page_is_read(self) -> None:
        barred = SearchError("its robots.txt bars the question")
        page = f'<a href="{A}">a</a><a href="/wiki/Other">o</a>'.encode()
        web = Web({f"{ASKED}&titles=Sun&prop=extlinks&ellimit=max": barred, f"{WIKI}/wiki/Sun": page})
        assert [found.url for found in now(wiki_links(f"{WIKI}/wiki/Sun", web)).found] == [A]

    @pytest.mark.parametrize("body", [b"<html>", b"[]", b'{"error": {"code": "x"}}', b'{"query": {"pages": 3}}', b"{}"])
    def test_what_the_api_may_not_say_is_one_line(self, body: bytes) -> None:
        web = Web({f"{ASKED}&titles=Sun&prop=extlinks&ellimit=max": body})
        with pytest.raises(SearchError):
            now(wiki_links(f"{WIKI}/wiki/Sun", web))

    def test_which_pages_are_of_wikipedia(self) -> None:
        assert is_wiki_page("https://de.wikipedia.org/wiki/Sonne")
        assert not is_wiki_page("https://wikipedia.org.evil.example/wiki/Sun")
        assert not is_wiki_page("https://en.wikipedia.org/")


def answer(*pages: object) -> bytes:
    return json.dumps({"batchcomplete": True, "query": {"pages": list(pages)}}).encode()
