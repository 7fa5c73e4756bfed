"""Lists of URLs as people have them, each told by its content."""

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.exceptions import SearchError
from focused.seeds.searching.seed_sources import MOST_BYTES, MOST_URLS, read_list

A, B = "http://a.example/1", "http://b.example/2"
BOOKMARKS = f"""<!DOCTYPE NETSCAPE-Bookmark-file-1>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8"><TITLE>Bookmarks</TITLE><H1>Bookmarks</H1>
<DL><p><DT><H3>Sun</H3><DL><p><DT><A HREF="{A}" ADD_DATE="1">First</A><DT><A HREF="javascript:void(0)">x</A>
<DT><A HREF="place:sort=8">y</A><DT><A HREF="{B}">Second</A></DL><p></DL><p>"""
OPML = f"""<?xml version="1.0"?><opml version="2.0"><head><title>x</title></head><body><outline text="Sun">
<outline text="First" type="rss" xmlUrl="http://a.example/feed" htmlUrl="{A}"/>
<outline text="Second" xmlUrl="{B}"/></outline></body></opml>"""
SITEMAP = f"""<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>{A}</loc><lastmod>2026-01-01</lastmod></url><url><loc> {B} </loc></url></urlset>"""
FEED = f"<rss version='2.0'><channel><item><link>{A}</link></item><item><link>{B}</link></item></channel></rss>"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (BOOKMARKS, "a page of links"),
        (OPML, "OPML"),
        (SITEMAP, "a sitemap"),
        (FEED, "a feed"),
        (f'title,url,note\nFirst,{A},x\n"Se\ncond",{B},y\nno row\n', "a table"),
        (f"URL;Title\n{A};First\n{B};Second\n", "a table"),
        (f"# mine\n{A}\n\n  {B} # good\n#http://c.example/\n", "a list of URLs"),
    ],
)
@pytest.mark.parametrize("code", ["utf-8", "utf-8-sig", "gzip"])
def test_each_kind_is_told_by_its_content(text: str, kind: str, code: str) -> None:
    data = gzip.compress(text.encode()) if code == "gzip" else text.encode(code)
    listed = read_list(data)
    assert (listed.kind, [found.url for found in listed.found]) == (kind, [A, B])


def test_titles_come_with_bookmarks() -> None:
    assert [found.title for found in read_list(BOOKMARKS.encode()).found] == ["First", "Second"]


def test_an_index_of_sitemaps_names_them() -> None:
    index = SITEMAP.replace("urlset", "sitemapindex").replace("<url>", "<sitemap>").replace("</url>", "</sitemap>")
    assert read_list(index.encode()).sitemaps == (A, B)


def test_a_list_that_is_not_utf_8_is_read_all_the_same() -> None:
    assert [found.url for found in read_list(f"Müll\n{A}\n".encode("latin-1")).found] == [A]


def test_of_a_long_list_only_the_first_are_taken() -> None:
    lines = "".join(f"http://a.example/{n}\n" for n in range(300_000))  # 8 MB
    assert len(read_list(lines.encode()).found) == MOST_URLS


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "no http"),
        (b"x" * (MOST_BYTES + 1), "longer than"),
        (gzip.compress(b" " * (MOST_BYTES + 1)), "longer than"),
        (b"\x1f\x8b broken", "gzip"),
        (b"\x00\x01\x02" * 1000, "no http"),
        (b"<?xml version='1.0'?><svg><path/></svg>", "<svg>"),
        (b"<?xml version='1.0'?>", "XML"),
        (b"url,title\n,\n", "no http"),
        (b"<opml>" + b"<outline>" * 100_000, "no http"),
        (b"<html>" + b"<div>" * 500_000, "no http"),
    ],
)
def test_what_is_no_list_is_told_in_one_line(data: bytes, told: str) -> None:
    with pytest.raises(SearchError, match=told) as error:
        read_list(data)
    assert "\n" not in str(error.value)


def test_a_url_that_is_damaged_is_left_out_and_one_with_a_bare_ampersand_is_whole() -> None:
    outline = f"<outline xmlUrl='{A}?x&y=1'/><outline xmlUrl='http://a.example/\x01b'/>"
    listed = read_list(f"<opml><body>{outline}</body></opml>".encode())
    assert [found.url for found in listed.found] == [f"{A}?x&y=1"]
    rows = f"<url><loc>{A}?x&copy=1</loc></url><url><loc>http://a.example/b\x01c</loc></url><url><loc>http://a.exa"
    listed = read_list(f"<urlset>{rows}".encode())
    assert [found.url for found in listed.found] == [f"{A}?x&copy=1"]


@given(st.binary(max_size=400))
def test_no_file_raises_anything_but_a_search_error(data: bytes) -> None:
    try:
        read_list(data)
    except SearchError as error:
        assert str(error)
