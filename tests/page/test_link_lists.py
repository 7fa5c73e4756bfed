"""Sitemaps and feeds become pages whose links have titles and summaries around them."""

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.page import link_lists
from focused.page.link_lists import FEED, MOST_ENTRIES, SITEMAP, read_link_list
from focused.page.page import Page
from focused.page.reader import Reader, ReadingOptions

SITEMAPS_ORG = "http://www.sitemaps.org/schemas/sitemap/0.9"
NEWS = "http://www.google.com/schemas/sitemap-news/0.9"
ATOM_FEED = b"""<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Solar news</title>
<entry><title>Solar &lt;panels&gt;</title><link rel="edit" href="/no"/><link href="/panels"/><updated>2026-03-01T00:00:00Z</updated>
<summary type="html">All about &lt;b&gt;roofs&lt;/b&gt;</summary></entry></feed>"""
RSS = b"""<rss version="2.0"><channel><title>News</title><link>http://a.example/</link><item><title>One</title>
<link>http://a.example/1</link><description>first</description><pubDate>Sun, 01 Mar 2026</pubDate></item></channel></rss>"""
RDF = b"""<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">
<channel><title>Old</title></channel><item><title>Two</title><link>http://a.example/2</link></item></rdf:RDF>"""


def sitemap(*entries: str, root: str = "urlset") -> bytes:
    return f'<?xml version="1.0"?><{root} xmlns="{SITEMAPS_ORG}" xmlns:n="{NEWS}">{"".join(entries)}</{root}>'.encode()


def entry(path: str, more: str = "") -> str:
    return f"<url><loc>http://a.example/{path}</loc>{more}</url>"


def test_a_sitemap_names_urls_the_newest_and_most_important_first() -> None:
    found = read_link_list(
        sitemap(
            entry("old", "<lastmod>2020-01-01</lastmod><priority>1.0</priority>"),
            entry("plain"),
            entry("new", "<lastmod>2026-01-01T10:00:00Z</lastmod>"),
            entry("same-day", "<lastmod>2026-01-01T23:00:00Z</lastmod><priority>0.9</priority>"),
            entry("odd", "<priority>many</priority>"),
            entry("news", "<n:news><n:title>Solar record</n:title></n:news><priority>7</priority>"),
        )
    )
    assert found is not None
    assert found.kind == SITEMAP
    assert [one.url.rpartition("/")[2] for one in found.entries] == ["same-day", "new", "old", "news", "plain", "odd"]
    assert found.entries[3].title == "Solar record"
    assert [one.priority for one in found.entries] == [0.9, 0.5, 1.0, 1.0, 0.5, 0.5]


def test_an_index_names_sitemaps() -> None:
    data = sitemap("<sitemap><loc>http://a.example/s1.xml</loc></sitemap>", root="sitemapindex")
    found = read_link_list(gzip.compress(data, mtime=0))
    assert found is not None
    assert [(one.url, one.is_list) for one in found.entries] == [("http://a.example/s1.xml", True)]


@pytest.mark.parametrize(
    ("data", "url", "title"),
    [(ATOM_FEED, "/panels", "Solar <panels>"), (RSS, "http://a.example/1", "One"), (RDF, "http://a.example/2", "Two")],
)
def test_feeds_of_all_sorts_name_urls_with_titles(data: bytes, url: str, title: str) -> None:
    found = read_link_list(data)
    assert found is not None
    assert found.kind == FEED
    assert [(one.url, one.title) for one in found.entries] == [(url, title)]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{}",
        b"<html><body>text</body></html>",
        b"\x1f\x8bnothing",
        b"<?xml version='1.0'?>",
        b"just words",
        gzip.compress(b"<html/>", mtime=0),
    ],
)
def test_what_is_no_list_is_none(data: bytes) -> None:
    assert read_link_list(data) is None


def test_a_list_that_means_harm_stays_within_its_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    many = read_link_list(sitemap(*(entry(str(number)) for number in range(MOST_ENTRIES + 1))))
    assert many is not None
    assert many.truncated
    assert len(many.entries) == MOST_ENTRIES
    entities = b'<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY x SYSTEM "file:///etc/passwd">]><rss><item><link>&x;</link></item></rss>'
    found = read_link_list(entities)
    assert found is not None
    assert found.entries == []
    monkeypatch.setattr(link_lists, "MOST_BYTES", 1000)
    assert read_link_list(gzip.compress(sitemap(*(entry(str(number)) for number in range(100))))) is None


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_not(data: bytes) -> None:
    read_link_list(data)
    read_link_list(b"<urlset><url><loc>" + data)
    read_link_list(b"<rss><item>" + data)


def test_a_reader_makes_a_page_of_a_feed_whose_links_stand_in_their_texts() -> None:
    reader = Reader(ReadingOptions())
    page = reader.read("http://a.example/feed", ATOM_FEED, "application/atom+xml; charset=utf-8")
    assert isinstance(page, Page)
    assert (page.kind, page.title, page.language) == (FEED, "Solar news", "")
    (link,) = page.links
    assert (link.url, link.anchor) == ("http://a.example/panels", "Solar <panels>")
    assert page.terms[link.anchor_start : link.anchor_end] == ["solar", "panel"]
    assert "roof" in page.terms[link.context_start : link.context_end]


def test_other_xml_is_a_page_without_text() -> None:
    page = Reader(ReadingOptions()).read("http://a.example/data", b"<data><a href='x'>y</a></data>", "text/xml")
    assert isinstance(page, Page)
    assert (page.kind, page.text, page.links) == ("", "", [])
