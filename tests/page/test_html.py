"""What is read from HTML: text, title, links and what stands around each link."""

from itertools import accumulate, chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.page import html
from focused.page.html import MAX_ANCHOR_LENGTH, MAX_DEPTH, MAX_TAG_PATH, HtmlDocument, walked, with_terms

PAGE = """<!DOCTYPE html><html lang="en-GB"><head><title> A &amp;
 title</title><base href="/b/"><base href="/c/"><meta name="ROBOTS" content="noindex">
<style>.no{}</style><script>no()</script></head><body>one<!-- no --> two
<ul class=x><li>three <a href="x" rel="external NoFollow">four <b>five</b></a> six</li><li><a href=y>seven</a></li></ul>
<template><p>no <a href=no>no</a></p></template><noscript>eight</noscript></body></html>"""

flow = ["<div>", "</div>", "<p>", "</p>", "<b>", "</b>", "<li>", "<table>", "<td>", "</table>", "words of text ", "ü€"]
links = ["<a href=x>", "</a>", "<a>", "<a href>", "<img alt='pic ture'>", "<img alt>", "<area href=z alt>"]
heads = ["<title>", "</title>", "<html lang>", "<meta name=robots content>", "<base href>", "<body>", "</body></html>"]
raw = ["<script>", "</script>", "<template>", "</template>", "<iframe src=g>", "</iframe>", "<svg>", "<frame src=f>"]
broken = [
    *"<>\0'\"",
    "<!--",
    "-->",
    "&amp;",
    "&#0;",
    "<![CDATA[",
    "<?xml ?>",
    "</",
    "<a href='x",
    "<a rel",
    "<frameset>",
]
documents = st.lists(st.sampled_from([*flow, *links, *heads, *raw, *broken]), max_size=40).map("".join)


def words_of_each(texts: list[str]) -> tuple[list[str], list[int]]:
    words = [text.split() for text in texts]
    return [*chain.from_iterable(words)], [0, *accumulate(map(len, words))]


def read(markup: str, levels_up: int = 1) -> HtmlDocument:
    return with_terms(walked(markup, levels_up), words_of_each)


def anchors(document: HtmlDocument) -> list[list[str]]:
    return [document.terms[link.anchor_start : link.anchor_end] for link in document.links]


def contexts(document: HtmlDocument) -> list[list[str]]:
    return [document.terms[link.context_start : link.context_end] for link in document.links]


def test_terms_are_those_of_title_and_visible_text_in_document_order() -> None:
    document = read(PAGE)
    assert document.title == "A & title"
    assert document.text == "one two three four five six seven eight"
    assert document.terms == [*document.title.split(), *document.text.split()]


def test_what_the_head_says_is_read() -> None:
    document = read(PAGE)
    assert (document.language, document.base, document.robots) == ("en-GB", "/b/", ["noindex"])
    assert read("<html xml:lang=de>").language == "de"


def test_each_link_knows_its_anchor_its_path_and_whether_to_follow_it() -> None:
    document = read(PAGE)
    assert [(link.href, link.anchor, link.tag_path, link.nofollow) for link in document.links] == [
        ("x", "four five", "ul/li/a", True),
        ("y", "seven", "ul/li/a", False),
    ]
    assert anchors(document) == [["four", "five"], ["seven"]]


def test_what_stands_around_a_text_is_told_from_its_own_header_and_footer() -> None:
    markup = (
        "<header>a <nav>b</nav></header> c <main><header>d</header> e <nav>f</nav> <article>g <aside>h</aside></article></main>"
        "<aside>i <article>j</article></aside> k <footer>l"
    )
    document = with_terms(walked(markup), words_of_each)
    assert ["".join(document.terms[start:end]) for start, end in document.around] == ["ab", "f", "ij", "l"]


def test_the_context_of_a_link_is_the_text_of_an_ancestor_up_to_the_body() -> None:
    items = ["three", "four", "five", "six", "seven"]
    body = ["one", "two", *items, "eight"]
    assert contexts(read(PAGE, 1)) == [["three", "four", "five", "six"], ["seven"]]
    assert contexts(read(PAGE, 2)) == [items, items]
    assert contexts(read(PAGE, 3)) == contexts(read(PAGE, 10)) == [body, body]


def test_the_alt_text_of_an_image_in_a_link_is_anchor_text() -> None:
    document = read("<img alt=no><a href=x>a <img alt='b c'></a><map><area href=y alt=' d  e '></map>")
    assert [link.anchor for link in document.links] == ["a b c", "d e"]
    assert anchors(document) == [["a", "b", "c"], []]


def test_frames_are_links_without_text_of_their_own() -> None:
    document = read("<frameset><frame src=a><frame src=b></frameset><noframes>no</noframes>")
    assert [link.href for link in document.links] == ["a", "b"]
    assert contexts(document) == [[], []]
    assert contexts(read("<p>one <iframe src=a>no</iframe> two")) == [["one", "two"]]


def test_a_link_ends_where_the_next_one_starts() -> None:
    document = read("<p><a href=x>one <b>two <a href=y>three</b></a> four")
    assert anchors(document) == [["one", "two"], ["three"]]


def test_a_text_node_is_one_text_whatever_stands_inside() -> None:
    assert read("<p>AT&amp;T wor<!-- no -->ld").terms == ["AT&T", "world"]


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<p>bal<b>sa</b> wood", "balsa wood"),
        ("H<sub>2</sub>O and CO<sub>2</sub>", "H2O and CO2"),
        ("<p>one<b> two</b><i>three</i>", "one twothree"),
        ("<p>see <a href=x>this</a>, and (<a href=y>that</a>)", "see this, and (that)"),
        ("<td>one</td><td>two</td>", "one two"),
        ("<p>one<p>two", "one two"),
        ("one<br>two<hr>three", "one two three"),
        ("<li><b>one</b><li><b>two</b>", "one two"),
        ("one<span> </span>two", "one two"),
        ("one<b>\n</b>two", "one two"),
        ("one<script>x</script>two", "one two"),
        ("<a href=x>one</a><a href=y>two</a>", "onetwo"),
        ("<a href=x>one</a> <a href=y>two</a>", "one two"),
        ("<b><p>one</p></b>two", "one two"),
        ("a<!-- no -->b", "ab"),
        ("<title>x</title>one", "one"),
    ],
)
def test_words_are_joined_as_a_browser_shows_them(markup: str, text: str) -> None:
    assert read(markup).text == text


def test_a_word_that_goes_on_in_another_element_is_one_term() -> None:
    assert read("<p>bal<b>sa</b> <i>wood</i>").terms == ["balsa", "wood"]
    assert read("<p>plug<a href=x>in</a>s").terms == ["plug", "in", "s"]  # an anchor has terms of its own


def test_a_long_text_keeps_its_characters() -> None:
    text = "ä" * 70_001
    assert read(f"<p>{text}").text == text


def test_an_anchor_that_is_never_closed_is_cut() -> None:
    (link,) = read("<a href=x>" + "<p>word" * 1_000).links
    assert len(link.anchor) == MAX_ANCHOR_LENGTH
    assert link.anchor_end == 1_000


def test_deep_nests_are_read_down_to_a_limit() -> None:
    document = read("<body>" + "<div>word<a href=x>y</a>" * 10_000)
    assert len(document.links) == MAX_DEPTH - 3  # html and body are open too, and each link is
    assert document.links[-1].tag_path == "div/" * (MAX_TAG_PATH - 1) + "a"
    assert document.links[0].context_end == len(document.terms)


def test_end_tags_without_end_below_a_deep_nest_stop_the_reading() -> None:
    assert read("<div>" * 100_000 + "</p>" * 100_000).links == []  # would take libxml2 20 s


@pytest.mark.parametrize("markup", ["", " ", "\0", "<", "<!---->", "<!DOCTYPE html>", "<?xml version='1.0'?>"])
def test_a_document_without_elements_is_empty(markup: str) -> None:
    assert read(markup).links == []


@given(documents | st.text())
def test_spans_lie_inside_each_other_however_broken_the_document_is(markup: str) -> None:
    document = read(markup)
    for link in document.links:
        assert 0 <= link.context_start <= link.anchor_start <= link.anchor_end <= len(document.terms)
        assert link.context_start <= link.context_end <= len(document.terms)
    spans = sorted({(link.context_start, link.context_end) for link in document.links})
    for start, end in spans:
        assert not any(start < other_start < end < other_end for other_start, other_end in spans)


@given(documents)
def test_every_text_node_is_read_once(markup: str) -> None:
    document = read(markup)
    characters = "".join(f"{document.title} {document.text}".split())
    assert sorted(characters) == sorted("".join(document.terms))


@given(documents)
def test_reading_in_pieces_changes_nothing(markup: str) -> None:
    def terms(piece: int) -> list[str]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(html, "_PIECE", piece)
            return read(markup).terms

    assert terms(5) == terms(1_000_000)


META = "<base href=/w/><title>no</title><meta name=robots content=none><link rel=canonical href=/c>"
FEED = "<link rel=alternate type=application/rss+xml href=/f><input type=password>"


@pytest.mark.parametrize(
    "element",
    ["template", "textarea", "noembed", "noframes", "iframe", "script type=text/template", "style", "xmp", "title"],
)
def test_what_stands_where_nothing_is_shown_is_not_there(element: str) -> None:
    inside = META.replace("<title>no</title>", "") + FEED + "<a href=z>z</a>"
    document = read(f"<{element}>{inside}</{element.split()[0]}><a href=x>y</a>")
    assert [link.href for link in document.links] == ["x"]
    assert (document.base, document.robots, document.canonical, document.feeds) == ("", [], "", [])
    assert not document.asks_password


def test_a_template_in_a_template_ends_with_the_outer_one() -> None:
    document = read(f"<template><template>{META}</template>{META}<a href=z>z</a></template>{META}<a href=x>y</a>")
    assert (document.base, document.title, len(document.robots)) == ("/w/", "no", 1)
    assert [link.href for link in document.links] == ["x"]


@pytest.mark.parametrize("mode", ["open", "CLOSED"])
def test_a_shadow_root_is_shown_and_says_nothing_of_its_page(mode: str) -> None:
    inside = f"{META}<a href=s>shown</a><template><a href=z>no</a></template>"
    document = read(f"<div><template shadowrootmode={mode}>{inside}</template></div><a href=x>y</a>")
    assert [link.href for link in document.links] == ["s", "x"]
    assert document.text == "shown y"
    assert (document.base, document.title, document.robots, document.canonical) == ("", "", [], "")


def test_links_of_pictures_are_links_and_their_titles_are_no_title_of_the_page() -> None:
    picture = "<svg><title>Icon menu</title><a xlink:href=s><text>go</text></a><a href=t></a></svg>"
    document = read(f"<body>{picture}<a xlink:href=no>y</a>")
    assert [(link.href, link.anchor) for link in document.links] == [("s", "go"), ("t", "")]
    assert document.title == ""
    assert read(f"<body>{picture}<title>Page</title>").title == "Page"


def test_meta_elements_named_as_we_are_speak_to_us() -> None:
    others = "<meta name=bug content=a><meta name='' content=b><meta content=c>"
    markup = f"<meta name=BugBot content=nofollow>{others}<meta name=robots content=noindex>"
    assert walked(markup, robot="bugbot").document.robots == ["nofollow", "noindex"]
    assert walked(markup).document.robots == ["noindex"]
