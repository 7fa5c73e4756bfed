"""From responses to pages: whatever arrives, a Page or a reason."""

import codecs
import pickle
from math import sqrt
from time import process_time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import ValidationError

from focused.page import html
from focused.page import reader as reader_module
from focused.page.page import Page, Unreadable
from focused.page.reader import Reader, ReadingOptions

URL = "http://example.com/a/b.html"
READER = Reader(ReadingOptions())
EVERYTHING = Reader(ReadingOptions(documents=True, max_bytes=50, levels_up=3, fold_index=True))

HTML = b"""<html lang=de><title>Solar cells</title><body><p>Solar power <a href=c.html?utm_source=x>wind</a>
<p><a href=#top>top</a> <a href=/a/b.html>self</a> <a href=mailto:a@b.c>mail</a> <a href=javascript:go()>go</a>
<p><a href=c.html>solar solar wind</a>"""

types = ["", "text/html", "text/plain", "application/pdf", "application/xhtml+xml", "image/png", ";,;"]
charsets = ["utf-16", "big5", "punycode", "hex", "undefined", "no-such-thing", '"']
headers = st.sampled_from([*types, "text/html; charset", *(f"text/html; charset={charset}" for charset in charsets)])
bodies = st.binary() | st.integers(0, len(HTML)).map(lambda end: HTML[:end])


def read(body: bytes, content_type: str = "text/html", reader: Reader = READER, url: str = URL, tag: str = "") -> Page:
    page = reader.read(url, body, content_type, tag)
    assert isinstance(page, Page)
    return page


def test_a_page_of_html_has_text_terms_and_links() -> None:
    page = read(HTML)
    assert (page.url, page.host, page.content_type, page.language) == (URL, "example.com", "text/html", "de")
    assert page.title == "Solar cells"
    assert page.text == "Solar power wind top self mail go solar solar wind"
    assert page.terms[:5] == ["solar", "cell", "solar", "power", "wind"]
    assert page.norm == pytest.approx(sqrt(4**2 + 2**2 + 6))
    assert page.key == READER.rules.key(URL)


def test_links_to_other_pages_stay_with_each_of_their_contexts() -> None:
    first, second = read(HTML).links
    assert first.url == second.url == "http://example.com/a/c.html"
    assert (first.key, first.host) == (READER.rules.key(first.url), "example.com")
    assert (first.anchor, second.anchor) == ("wind", "solar solar wind")
    assert first.context_norm == pytest.approx(sqrt(3))
    assert second.context_norm == pytest.approx(sqrt(5))


def test_links_are_relative_to_the_base_of_the_page() -> None:
    (link,) = read(b"<base href=/x/><a href=y>").links
    assert link.url == "http://example.com/x/y"
    (link,) = read(b"<base href='mailto:x'><a href=y>").links
    assert link.url == "http://example.com/a/y"


def test_a_page_says_at_which_other_url_it_lies() -> None:
    def declared(href: str) -> str:
        return read(
            f'<head><link rel="stylesheet" href="s.css"><link rel="Canonical" href="{href}"></head>x'.encode()
        ).canonical

    assert declared("/article#top") == "http://example.com/article"
    assert declared("mailto:me@example.com") == declared("") == declared(URL) == ""
    assert read(b'<link rel="canonical" href="one"><link rel="canonical" href="two">').canonical.endswith("/one")


def test_no_more_than_so_many_links_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader_module, "MAX_LINKS", 2)
    assert [link.anchor for link in read(b"<a href=#>0</a><a href=1>1</a><a href=2>2</a><a href=3>3</a>").links] == [
        "1",
        "2",
    ]


@pytest.mark.parametrize(
    ("body", "tag", "noindex", "nofollow"),
    [
        (b"<p>", "", False, False),
        (b"<meta name=robots content='noindex, follow'>", "", True, False),
        (b"<meta name=robots content=none>", "", True, True),
        (b"<meta name=robots content=noindex>", "nofollow", True, True),
        (b"<meta name=googlebot content=noindex>", "googlebot: nofollow", False, False),
    ],
)
def test_robots_directives_of_page_and_header_hold(body: bytes, tag: str, noindex: bool, nofollow: bool) -> None:
    page = read(body, tag=tag)
    assert (page.noindex, page.nofollow) == (noindex, nofollow)


@pytest.mark.parametrize(
    ("body", "tag", "nofollow"),
    [
        (b"<meta name=BugBot content=nofollow>", "", True),
        (b"<meta name=robots content='bugbot: nofollow'>", "", True),
        (b"<p>", "otherbot: noindex, bugbot: nofollow", True),
        (b"<p>", "googlebot: nofollow\nBUGBOT: none", True),
        (b"<meta name=bug content=nofollow><template><meta name=bugbot content=none></template>", "bug: none", False),
    ],
)
def test_what_is_said_to_our_name_alone_holds_too(body: bytes, tag: str, nofollow: bool) -> None:
    ours = pickle.loads(pickle.dumps(Reader(ReadingOptions(), robot="bugbot")))
    assert read(body, tag=tag, reader=ours).nofollow is nofollow
    assert not read(body, tag=tag).nofollow
    assert not ours.reads_like(READER)


def test_only_the_first_bytes_are_read_and_the_hash_is_of_all() -> None:
    reader = Reader(ReadingOptions(max_bytes=20))
    page = read(b"<p>one two</p>      three", reader=reader)
    other = read(b"<p>one two</p>      four", reader=reader)
    assert page.text == other.text == "one two"
    assert page.truncated
    assert page.content_hash != other.content_hash
    assert not read(b"<p>one two", reader=reader).truncated
    assert not read(b"x" * 2_000_000, reader=Reader(ReadingOptions(max_bytes=0))).truncated


def test_the_hash_is_equal_for_exact_duplicates() -> None:
    assert read(HTML).content_hash == read(HTML, "text/plain", url="http://other.org/").content_hash


def test_xhtml_with_an_xml_declaration_is_read() -> None:
    body = '<?xml version="1.0" encoding="latin-1"?><html xmlns="http://www.w3.org/1999/xhtml"><p>Grüße</p></html>'
    assert read(body.encode("latin-1"), "application/xhtml+xml").text == "Grüße"


def test_without_a_content_type_the_body_decides() -> None:
    assert read(HTML, "").links == read(HTML).links


def test_plain_text_has_terms_and_no_links() -> None:
    page = read(b"Solar  cells\n<a href=x>", "text/plain")
    assert (page.text, page.links) == ("Solar cells <a href=x>", [])
    assert page.terms == ["solar", "cell", "href"]
    assert page.norm == pytest.approx(sqrt(3))


def test_other_types_are_pages_without_text() -> None:
    for reader in (READER, EVERYTHING):
        page = read(b"\x89PNG", "IMAGE/PNG; x=y", reader)
        assert (page.content_type, page.text, page.terms, page.links, page.norm) == ("image/png", "", [], [], 0.0)


def test_pdf_is_read_only_if_asked_for() -> None:
    assert read(b"%PDF-1.4 broken", "application/pdf").text == ""
    assert EVERYTHING.read(URL, b"%PDF-1.4 broken", "application/pdf") == Unreadable("broken PDF")


def test_the_language_is_guessed_if_asked_for() -> None:
    body = b"<p>Der schnelle braune Fuchs springt in den Wald und schaut sich dann nach den Hunden um."
    assert read(body).language == ""
    assert read(body, reader=Reader(ReadingOptions(detect_language=True))).language == "de"


def test_keywords_of_the_topic_are_terms() -> None:
    assert read(b"<p>about it", reader=Reader(ReadingOptions(), keep=["IT"])).terms == ["it"]


def test_a_response_without_content_is_unreadable() -> None:
    assert READER.read(URL, b"", "text/html") == Unreadable("empty body")
    assert READER.read("ftp://h/x", b"x") == Unreadable("not an http(s) URL")


@given(bodies, headers)
@example(b"\0", "text/html")
@example(codecs.BOM_UTF16_LE + b"<", "text/html")
@example(b"<html><meta charset=utf-7>+ADw-", "")
def test_no_bytes_are_too_bad_to_read(body: bytes, header: str) -> None:
    for reader in (READER, EVERYTHING):
        assert isinstance(reader.read(URL, body, header, header), Page | Unreadable)


@pytest.mark.parametrize(
    "options", [{"levels_up": 0}, {"levels_up": 11}, {"max_bytes": -1}, {"language": "germn"}, {"no_such_option": 1}]
)
def test_options_that_make_no_sense_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        ReadingOptions.model_validate(options)


def test_every_option_is_described() -> None:
    assert all(field.description for field in ReadingOptions.model_fields.values())


def filled(piece: bytes, size: int = 1_000_000) -> bytes:
    return piece * (size // len(piece))


MANY_PARAMETERS = b"&".join(b"a%d=+" % n for n in range(90))
#: What took from 0.6 s to minutes, and takes 0.1 to 0.2 s.
HOSTILE = {
    "marks that combine, in no order": b"a" + filled("\u0301\u0316".encode()),
    "end tags that end nothing, deep inside": b"<div>" * 4_900 + filled(b"</p>"),
    "links that repeat a long base": b"<base href='http://h/?" + b"a&" * 1_000 + b"'>" + filled(b"<a href=''>x</a>"),
    "links with many parameters": b"".join(
        b"<a href='?%d&%s'>x" % (number, MANY_PARAMETERS) for number in range(1_700)
    ),
    "a million parameters": filled(b"<a href='http://h/?" + b"a&" * 1_000 + b"'>x</a>"),
    "one character that stands for eighteen": filled("\ufdfa".encode()),
    "only links": filled(b"<a href=a>"),
    "only elements": filled(b"<p>"),
    "only nulls": filled(b"<p>\0"),
    "only entities": filled(b"&zzzz;"),
    "only attributes": b"<a " + b" ".join(b"a%x=1" % number for number in range(110_000)) + b">x</a>",
    "one word": filled(b"x"),
    "other words": b" ".join(b"w%xz" % number for number in range(150_000)),
}
CPU_SECONDS = 6.0  #: for 1 MB, thirty times what any of these takes where nothing else runs; what grows with the square takes more


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE)
def test_no_page_takes_much_longer_to_read_than_a_plain_one_of_its_size(body: bytes) -> None:
    started = process_time()
    read(body)
    assert process_time() - started < CPU_SECONDS


def test_a_page_of_too_many_tags_is_cut_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    body = b"<p>first <a href=x>link</a>" + filled(b"<p>more", 200_000) + b"<p>last"
    assert not read(body).truncated
    monkeypatch.setattr(html, "MAX_WORK", 1_000_000)
    page = read(body)
    assert page.truncated
    assert (page.text[:10], page.text[-4:], len(page.links)) == ("first link", "more", 1)


def test_links_are_read_until_their_urls_are_too_long_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader_module, "MAX_URL_LENGTHS", 100)
    body = b"".join(b"<a href=http://h.example/%d>x</a>" % number for number in range(10, 30))
    assert len(read(body).links) == 6  # five of 19 characters each, and the one that is too much
    assert len(read(body.replace(b">x", b"?a&b>x")).links) == 3


def test_only_so_many_links_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html, "MAX_HREFS", 2)
    assert [link.anchor for link in read(b"<a href=1>one</a><a href=2>two</a><a href=3>three</a>").links] == [
        "one",
        "two",
    ]
