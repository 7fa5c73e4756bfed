"""Sitemaps and feeds become pages whose links have titles and summaries around them."""

import gzip
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.page import link_lists
from focused.page.link_lists import FEED, MOST_ENTRIES, SITEMAP, named_in_robots_txt, read_link_list
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


def of_sitemap(*locs: str, head: str = '<?xml version="1.0"?>') -> list[str]:
    rows = "".join(f"<url><loc>{loc}</loc></url>" for loc in locs)
    listed = read_link_list(f"{head}<urlset>{rows}</urlset>".encode())
    assert listed is not None
    return [entry.url for entry in listed.entries]


@pytest.mark.parametrize(
    ("loc", "url"),
    [
        ("http://h/s?y=2017&mm=07&dd=11", "http://h/s?y=2017&mm=07&dd=11"),
        ("http://h/s?a=1&amp;b=2&lt=3&copy=4&#38;c=5&#x26;d", "http://h/s?a=1&b=2&lt=3&copy=4&c=5&d"),
        ("http://h/1&Acirc;&ordm;-x.html", "http://h/1Âº-x.html"),
        ("http://h/s?a=1&unknown;b", "http://h/s?a=1&unknown;b"),
        ("<![CDATA[http://h/s?a=1&b=2&amp;c]]>", "http://h/s?a=1&b=2&amp;c"),
        ("\n  http://h/a \t", "http://h/a"),
        ("http://h/<!-- a note -->b", "http://h/b"),
        ("http://h/a?x<3&y< 4<<5", "http://h/a?x<3&y< 4<<5"),
        ("http://h/a?b[c[d]]>e", "http://h/a?b[c[d]]>e"),
        ("http://h/a<!b", "http://h/a<!b"),
        ("http://h/a&#0000000038;b&#xe9;", "http://h/a&bé"),
        ("http://h/a<", "http://h/a<"),
    ],
)
def test_a_url_of_a_sitemap_is_the_one_that_its_author_wrote(loc: str, url: str) -> None:
    assert of_sitemap(loc, "http://h/next") == [url, "http://h/next"]


@pytest.mark.parametrize(
    "loc",
    [
        *(
            "http://h/a\x01b",
            "http://h/a&#0;b",
            "http://h/a&#xFFFF;b",
            "http://h/a&#99999999;b&#1;",
            "http://h/<b>c</b>d",
            "http://h/a\nb",
            "http://h/a\tb",
            "http://h/a&#13;b",
            "http://h/a&NewLine;b",
            "http://h/a\x85b",
            "http://h/a<?php b ?>c",
            "http://h/a<b",
            "http://h/a<b>",
            "http://h/a</",
            f"   http://h/{'x' * 2_080}",
        ),
        *("", "  "),
    ],
)
def test_a_url_that_lost_a_part_is_left_out(loc: str) -> None:
    assert [url for url in of_sitemap(loc, "http://h/next") if "99999999" not in url] == ["http://h/next"]


def test_an_entity_of_the_document_itself_is_not_replaced_and_its_urls_are_left_out() -> None:
    head = '<?xml version="1.0"?><!DOCTYPE urlset [<!ENTITY site "http://evil/"><!ENTITY b "&site;&site;">]>'
    assert of_sitemap("&site;a", "http://h/&b;", "http://h/a?x&y=1", head=head) == ["http://h/a?x&y=1"]
    assert of_sitemap("&my-site;a", head='<!DOCTYPE urlset [<!ENTITY my-site "http://evil/">]>') == []
    assert of_sitemap("http://h/&copy;", head='<!DOCTYPE urlset [<!ENTITY copy "x">]>') == []
    assert of_sitemap("http://h/&far;", "http://h/&copy;", head='<!DOCTYPE urlset SYSTEM "http://h/x.dtd">') == [
        "http://h/©"
    ]


#: As somebody writes it, and what that says; markup says nothing of a URL.
WRITTEN = {
    **{
        same: same
        for same in ("a", "?", "=", "&", "é", "]]>", ">", "]]", "<3", "< ", "<!x", "<? x ?>", "&#", "&nothing;", "/")
    },
    "&amp;": "&",
    "&lt;": "<",
    "&eacute;": "é",
    "&#65;": "A",
    "&#x26;": "&",
    "<![CDATA[&]]>": "&",
    **dict.fromkeys(("<b>", "</b>", "</>", "<i/>", "<!-- x -->", "<?x y?>", "</loc>"), ""),
    **dict.fromkeys(("\x01", "&#1;"), "?!"),
}


@given(st.lists(st.sampled_from(sorted(WRITTEN)), max_size=8))
def test_no_url_lost_a_character_on_the_way(parts: list[str]) -> None:
    listed = read_link_list(
        f"<urlset><url><loc>http://h/{''.join(parts)}</loc></url><url><loc>http://h/next</loc></url></urlset>".encode()
    )
    before_its_end = parts[: parts.index("</loc>")] if "</loc>" in parts else parts
    said = "http://h/" + "".join(WRITTEN[part] for part in before_its_end).rstrip()
    assert listed is None or {entry.url for entry in listed.entries} <= {said, "http://h/next"}


def test_what_follows_a_tag_that_is_not_closed_is_read() -> None:
    rows = "<url><loc>http://h/b<br></loc></url><url><loc>http://h/c</loc></url><url><loc>http://h/d</loc></url>"
    listed = read_link_list(f"<urlset>{rows}</urlset>".encode())
    assert listed is not None
    assert [entry.url for entry in listed.entries] == ["http://h/c", "http://h/d"]


@pytest.mark.parametrize(
    "mistake", ["<lastmod>x</lostmod>", "<a b='1' b='2'/>", "<x:y/>", "<b>", "<loc>", "&nbsp;", "\x01"]
)
def test_behind_a_mistake_references_are_what_they_were(mistake: str) -> None:
    urls = of_sitemap(f"http://h/a</loc>{mistake}</url><url><loc>http://h/?x=1&amp;y=2&lt;3&amp;copy;")
    assert urls[-1:] == ["http://h/?x=1&y=2<3&copy;"]


def test_the_places_of_pictures_are_no_pages() -> None:
    inside = "<i:image><i:loc>http://h/i.png</i:loc></i:image>"
    assert of_sitemap(f"http://h/a</loc>{inside}<loc>http://h/b") == ["http://h/a", "http://h/b"]


@pytest.mark.parametrize("cut", range(1, 60))
def test_no_half_url_is_read_from_a_list_that_breaks_off(cut: int) -> None:
    whole = b"<urlset><url><loc>http://h/one</loc></url><url><loc>http://h/another-page</loc></url></urlset>"
    listed = read_link_list(whole[:-cut])
    urls = [entry.url for entry in listed.entries] if listed else []
    assert urls in (["http://h/one", "http://h/another-page"], ["http://h/one"], [])


@pytest.mark.parametrize("end", ["http://h/a>", "http://h/a<!-- x> y", "<![CDATA[http://h/a>b", "http://h/a<?x >"])
def test_a_url_in_which_a_list_breaks_off_is_left_out(end: str) -> None:
    listed = read_link_list(f"<urlset><url><loc>http://h/one</loc></url><url><loc>{end}".encode())
    assert listed is not None
    assert [entry.url for entry in listed.entries] == ["http://h/one"]


def test_xml_that_says_utf16_in_ascii_letters_is_utf8() -> None:
    assert of_sitemap("http://h/ü", head='<?xml version="1.0" encoding="utf-16"?>') == ["http://h/ü"]


@pytest.mark.parametrize("change", [bytes, gzip.compress, lambda body: b"\xef\xbb\xbf" + body])
def test_a_plain_text_of_urls_is_a_sitemap(change: Callable[[bytes], bytes]) -> None:
    listed = read_link_list(change(b"http://h/s1\r\nhttps://h/s2\r\n\r\n"))
    assert listed is not None
    assert [entry.url for entry in listed.entries] == ["http://h/s1", "https://h/s2"]


@pytest.mark.parametrize(
    "text", ["", "http://h/a is a page", "see\nhttp://h/a", "http://h/a\nand more", "ftp://h/a", "\ufffd"]
)
def test_any_other_text_is_none(text: str) -> None:
    assert read_link_list(text.encode()) is None


def test_a_packed_text_that_breaks_off_has_no_half_line() -> None:
    body = gzip.compress("".join(f"http://h/{n * 7919}\n" for n in range(5_000)).encode())
    listed = read_link_list(body[: len(body) // 2])
    assert listed is not None
    assert all(int(entry.url.rpartition("/")[2]) % 7919 == 0 for entry in listed.entries)


def of_feed(body: str, url: str = "http://h/feed") -> list[str]:
    listed = read_link_list(body.encode(), url)
    assert listed is not None
    return [entry.url for entry in listed.entries]


def test_a_permanent_link_counts_where_there_is_no_other() -> None:
    items = (
        "<item><guid isPermaLink='true'>http://h/g1</guid></item><item><guid>http://h/g2</guid></item>"
        "<item><guid isPermaLink='false'>http://h/no</guid></item><item><guid>tag:h,2026:1</guid></item>"
        "<item><guid>http://h/no</guid><link>http://h/l</link></item>"
    )
    assert of_feed(f"<rss><channel>{items}</channel></rss>") == ["http://h/g1", "http://h/g2", "http://h/l"]


def test_the_base_of_a_feed_holds_for_its_links() -> None:
    entry = '<entry xml:base="y/"><link href="z"/></entry>'
    namespace = 'xmlns="http://www.w3.org/2005/Atom"'
    assert of_feed(f'<feed {namespace} xml:base="http://other/x/">{entry}</feed>') == ["http://other/x/y/z"]
    assert of_feed(f"<feed {namespace}>{entry}</feed>", "http://h/a/feed") == ["http://h/a/y/z"]
    assert of_feed(f'<feed {namespace} xml:base="http://[">{entry}</feed>') == []


@pytest.mark.parametrize(
    "relation", ["", "alternate", " Alternate ", "http://www.iana.org/assignments/relation/alternate"]
)
def test_a_link_of_a_feed_leads_to_its_entry(relation: str) -> None:
    other = "<link rel='enclosure' href='http://h/no'/><link rel='self' href='http://h/no'/>"
    assert of_feed(f"<feed><entry>{other}<link rel='{relation}' href='http://h/a'/></entry></feed>") == ["http://h/a"]


def test_the_link_behind_a_counter_of_readers_counts() -> None:
    item = "<item><link>http://counts/1</link><feedburner:origLink>http://h/a</feedburner:origLink></item>"
    assert of_feed(f"<rss>{item}</rss>") == ["http://h/a"]


def test_a_base_holds_for_the_text_of_a_link_too_and_may_not_be_too_much() -> None:
    assert of_feed("<rss xml:base='http://o/x/'><item><link>y</link></item></rss>") == ["http://o/x/y"]
    assert of_feed(f"<rss xml:base='http://o/{'x' * 3_000}'><item><link>y</link></item></rss>") == []
    deep = "<a xml:base='b/'>" * 200
    assert of_feed(f"<rss>{deep}<item><link>y</link></item></rss>") == []


@pytest.mark.parametrize("href", ["http://h/a\x01b", "http://h/a&#0;b", "http://h/\ufffd", ""])
def test_a_damaged_link_of_a_feed_is_left_out(href: str) -> None:
    entry = f"<entry><link href='{href}'/></entry>"
    assert of_feed(f"<feed>{entry}</feed>") == of_feed(f"<feed xml:base='http://o/'>{entry}</feed>") == []
    assert of_feed(f"<feed xml:base='http://o/\x01'><entry><link href='{href or 'a'}'/></entry></feed>") == []


@pytest.mark.parametrize(
    "line",
    [
        *(
            "Sitemap http://h/sm.xml",
            "Site map: http://h/sm.xml",
            "Sitemap: <http://h/sm.xml>",
            'Sitemap: "http://h/sm.xml"',
        ),
        *(
            "Sitemap: http://h/sm.xml # main",
            "Site-map: http://h/sm.xml",
            "sitemap :http://h/sm.xml",
            "  SITEMAP:\thttp://h/sm.xml\t",
        ),
        *("x\rSitemap: http://h/sm.xml\ry", "\ufeffSitemap: http://h/sm.xml#part"),
    ],
)
def test_a_line_of_robots_txt_names_a_sitemap_however_it_is_written(line: str) -> None:
    named = named_in_robots_txt("http://h/robots.txt", line.encode())
    assert named is not None
    assert named.lists == ["http://h/sm.xml"]


@pytest.mark.parametrize("end", ["", "</urlset>"])
@pytest.mark.parametrize(
    "piece", ["&", "&a", "&eacute;", "<![CDATA[", "<!--", "&#", "</", "<", "<3", "]]>", "<!-- -->", "\x01", "<?"]
)
def test_a_hostile_document_costs_no_more_than_it_is_long(piece: str, end: str) -> None:
    listed = read_link_list(f"<urlset>{piece * 100_000}{end}".encode())
    assert listed is None or listed.entries == []


def test_two_sitemaps_on_a_line_are_two_and_what_is_damaged_is_none() -> None:
    lines = (
        "Sitemap: http://h/a http://h/b, http://h/c",
        "Sitemap of this site",
        "Sitemap:",
        "Sitemap: http://h/d\x85e",
        "Sitemap: http://h/\0f",
    )
    named = named_in_robots_txt("http://h/robots.txt", "\n".join(lines).encode())
    assert named is not None
    assert named.lists == ["http://h/a", "http://h/b", "http://h/c"]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-8-sig"])
def test_a_robots_txt_names_sitemaps_in_the_encodings_of_its_rules(encoding: str) -> None:
    named = named_in_robots_txt("http://h/robots.txt", "Sitemap: http://h/a\r\n".encode(encoding))
    assert named is not None
    assert named.lists == ["http://h/a"]
