"""The main text: what stays, what goes, how blocks become Markdown, and that nothing a page says does harm."""

import re
import sys
import time
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.exceptions import FocusedError
from focused.page.main_text import MainText, main_text

URL = "http://wood.example/a/balsa.html"
LONG = "Balsa grows fast, in five years to the height of a house, and its wood is the lightest that is sold. "
MENU = "<ul><li><a href=/>Home</a><li><a href=/news>News</a><li><a href=/shop>Shop</a></ul>"


def markdown(body: str, *, links: bool = False) -> str:
    return main_text(f"<body>{body}", URL, links=links).markdown


def article(around: str) -> MainText:
    """Of a page with a text, and something around it in place of TEXT."""
    return main_text(f"<title>Balsa</title><body>{around.replace('TEXT', f'<h1>Balsa</h1><p>{LONG}<p>{LONG}')}", URL)


EXPECTED = f"# Balsa\n\n{LONG.strip()}\n\n{LONG.strip()}\n"


@pytest.mark.parametrize(
    "around",
    [
        f"<nav>{MENU}</nav>TEXT",
        f"<header>{MENU}<p>Wood of the world</header><main>TEXT</main>",
        f"<div class='site-nav'>{MENU}</div><div>TEXT</div>",
        "TEXT<footer><p>We are a family of wood merchants since 1890, and proud of it.</footer>",
        f"<div role=navigation>{MENU}</div>TEXT",
        "<div id=cookie-banner><p>We use cookies to make this site better for you. Accept all?</div><div>TEXT</div>",
        f"<article>TEXT</article><aside><h2>More</h2>{MENU}</aside>",
        f"<div class=content>TEXT</div><div class='related-posts'><h3>Wind turbines</h3>{MENU}</div>",
        "<div>TEXT</div><div class='share-buttons'><a href=x>Tell your friends</a></div>",
        "<div>TEXT</div><section id=comments><p>First! I have never seen a wood as light as this one.</section>",
        "<div>TEXT</div><p>© 2026 Wood merchants</p>",
        "<div style='display: none'>Nobody sees this text of a page, so nobody reads it.</div>TEXT",
        "<noscript>Please switch JavaScript on to read this page as it is meant.</noscript>TEXT",
        f"{MENU}TEXT",
        "<h1>Wood merchants</h1>TEXT",
        "<div><div>TEXT</div></div><div><p>A box of which the names tell nothing at all.</div>",
    ],
)
def test_what_lies_around_the_text_is_left_out(around: str) -> None:
    assert article(around).markdown == EXPECTED


def test_a_name_is_not_believed_of_what_holds_the_text() -> None:
    assert article("<div class='page with sidebar'>TEXT</div>").markdown == EXPECTED


def test_an_introduction_above_a_long_section_stays() -> None:
    text = markdown(f"<div><h1>Wood</h1><p>{LONG}<div><h2>Balsa</h2><p>{LONG}<p>{LONG}<p>{LONG}<p>{LONG}</div></div>")
    assert text.startswith(f"# Wood\n\n{LONG.strip()}\n\n## Balsa\n")


def test_an_example_is_not_the_text_however_long_it_is() -> None:
    code = "chop(tree)\n" * 100
    text = markdown(f"<div class=page><p>{LONG}<div><pre>{code}</pre></div><p>{LONG}</div>")
    assert text.count(LONG.strip()) == 2 and text.count("chop") == 100


def test_what_stands_above_the_heading_of_a_long_part_stays() -> None:
    text = markdown(f"<div><h1>Balsa</h1><p>{LONG}<h2>Details</h2><div>{f'<p>{LONG}' * 9}</div></div>")
    assert text.startswith(f"# Balsa\n\n{LONG.strip()}\n\n## Details\n\n")
    text = markdown(f"<div>{MENU}<h2>Balsa</h2><div>{f'<p>{LONG}' * 9}</div></div>")
    assert "Shop" not in text  # a menu is no text above the heading


def test_a_line_that_leads_from_page_to_page_is_left_out_at_either_end() -> None:
    turn = (
        "<div><span>8.7</span><div><a href=/>top</a> <a href=/>contents</a> ← prev <a href=/>up</a> next →</div></div>"
    )
    text = markdown(f"<div>{turn}<h2>Balsa</h2><p>{LONG}<p>next up<p>{LONG * 3}<p>{LONG}<p>{LONG}{turn}</div>")
    assert "contents" not in text
    assert "next up" in text  # in the midst it may be anything


@pytest.mark.parametrize(
    ("line", "is_heading"),
    [
        ("<div>Balsa of the tropics</div>", True),
        ("<h2>Balsa</h2><div>Balsa of the tropics</div>", False),  # an element is believed first
        ("<div>Wood of the World</div>", False),  # the name of the site
        ("<div><a href=/>Balsa of the tropics</a></div>", False),  # the way to the page
    ],
)
def test_a_line_that_is_most_of_the_title_is_the_heading_where_no_element_is_one(line: str, is_heading: bool) -> None:
    page = f"<title>Balsa of the tropics | Wood of the World</title><body>{line}<div><p>{LONG}<p>{LONG}</div>"
    found = main_text(page, URL).markdown
    assert found.startswith("# Balsa of the tropics\n") is is_heading


def test_a_heading_beside_the_text_belongs_to_it_if_the_title_says_so() -> None:
    page = f"<title>Balsa | Wood</title><body><div><h2>Balsa</h2></div><div><p>{LONG}<p>{LONG}</div>"
    assert main_text(page, URL).markdown.startswith("## Balsa\n\nBalsa grows")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<p>bal<b>sa</b> and H<sub>2</sub>O", "balsa and H2O\n"),
        ("<p>a\n  b <i> c</i>  d", "a b c d\n"),
        ("<p>a<br>b", "a  \nb\n"),
        ("<p>one<div>two</div>three", "one\n\ntwo\n\nthree\n"),
        ("<h2>A <em>heading</em></h2>x", "## A heading\n\nx\n"),
        ("<h2>A</h2>text<h2>B</h2>more", "## A\n\ntext\n\n## B\n\nmore\n"),
        ("<h2>A <div>and</div> B</h2>more", "## A\n\n## and\n\n## B\n\nmore\n"),
        ("<h2>Head<a class=headerlink href=#h>¶</a></h2><p>x <a href=#h>¶</a>", "## Head\n\nx\n"),
        ("<ul><li>a<ul><li>b</ul><li>c</ul>", "- a\n  - b\n- c\n"),
        ("<ol><li>a<li><p>b<p>c</ol>", "1. a\n2. b\n\n   c\n"),
        ("<blockquote><p>a<p>b</blockquote>", "> a\n>\n> b\n"),
        ("<p>Call <code>f(a_b)</code> now", "Call `f(a_b)` now\n"),
        ("<p>Type <code>a</code><code>b</code> <a href=x> in</a>", "Type `ab` in\n"),
        ("<blockquote><blockquote><p>a<p>b</blockquote></blockquote>", "> > a\n> >\n> > b\n"),
        ("<p><code>a`b</code>", "``a`b``\n"),
        ("<pre>a\n  b\n</pre>", "```\na\n  b\n```\n"),
        ("<pre><code class='language-python'>x = 1</code></pre>", "```python\nx = 1\n```\n"),
        (
            "<div class='highlight-c notranslate'><div class=highlight><pre>int a;</pre></div></div>",
            "```c\nint a;\n```\n",
        ),
        ("<pre>```</pre>", "````\n```\n````\n"),
        ("<table><tr><th>a<th>b<tr><td>1<td>x|y</table>", "| a | b |\n|---|---|\n| 1 | x\\|y |\n"),
        ("<table><tr><td>a<tr><td>1<td>2</table>", "| a |  |\n|---|---|\n| 1 | 2 |\n"),
        ("<table><tr><td><h2>a</h2><td>b<tr><td>c<td>d</table>", "## a\n\nb\n\nc\n\nd\n"),  # a layout
        ("<dl><dt>balsa<dd>a wood</dl>", "balsa\n\na wood\n"),
    ],
)
def test_blocks_become_markdown(body: str, expected: str) -> None:
    assert markdown(body) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<p>&lt;script>alert(1)&lt;/script>", "\\<script>alert(1)\\</script>\n"),
        ("<p>&amp;lt;b&amp;gt;", "\\&lt;b\\&gt;\n"),
        ("<p>[x](javascript:alert(1))", "[x\\](javascript:alert(1))\n"),
        ("<p>[x]: javascript:alert(1)", "[x\\]: javascript:alert(1)\n"),
        ("<p># no heading", "\\# no heading\n"),
        ("<p>1. no item", "1\\. no item\n"),
        ("<p>a<br>- no item", "a  \n\\- no item\n"),
        ("<p>a\u202eb\x1b[31mc\x07", "a b [31mc\n"),
        ("<p>a\\<br>b", "a\\\\  \nb\n"),
    ],
)
def test_a_page_cannot_write_markdown_of_its_own(body: str, expected: str) -> None:
    assert markdown(body) == expected


def test_links_are_kept_only_if_asked_for_and_are_absolute() -> None:
    body = "<p>See <a href=../b?x=(1)>the <b>other</b> wood</a>, <a href=javascript:x()>that</a>"
    assert markdown(body) == "See the other wood, that\n"
    assert markdown(body, links=True) == "See [the other wood](http://wood.example/b?x=%281%29), that\n"


def test_plain_text_has_the_same_blocks() -> None:
    body = "<h1>Wood</h1><p>bal<b>sa</b> &lt;3<ul><li>a<li>b</ul><table><tr><td>1<td>2<tr><td>3<td>4</table><pre>x  y</pre>"
    assert main_text(body, URL).text == "Wood\n\nbalsa <3\n\na\nb\n\n1\t2\n3\t4\n\nx  y"


def test_a_page_tells_of_itself() -> None:
    page = f"""<html lang=en-GB><head><title>Balsa - Wood</title><base href=http://wood.example/b/>
    <link rel=canonical href=balsa><meta property=og:title content="Balsa"><meta name=author content=" A.  Tree ">
    <meta name=description content="Light wood"><meta property=og:site_name content=Wood>
    <meta property=article:published_time content=2024-02-29T10:00:00Z></head><body><p>{LONG}"""
    found = main_text(page, URL)
    assert (found.title, found.author, found.description) == ("Balsa", "A. Tree", "Light wood")
    assert (found.date, found.site_name, found.language) == ("2024-02-29", "Wood", "en")
    assert found.canonical == "http://wood.example/b/balsa"


def test_json_ld_tells_what_meta_elements_do_not() -> None:
    data = '{"@graph": [{"datePublished": "2024-01-02", "author": [{"name": "A"}, {"name": "B"}], "publisher": {"name": "P"}}]}'
    found = main_text(f"<script type='application/ld+json'>{data}</script><p>x", URL)
    assert (found.author, found.date, found.site_name) == ("A, B", "2024-01-02", "P")


def test_a_meta_element_without_a_name_tells_nothing() -> None:
    assert main_text("<meta http-equiv=refresh content='0; url=x'><p>x", URL).author == ""


@pytest.mark.parametrize("date", ["2024-02-30", "yesterday", "99999-01-01", "1" * 100_000])
def test_a_date_that_is_none_is_left_out(date: str) -> None:
    assert main_text(f"<meta name=date content='{date}'>", URL).date == ""


def test_the_language_is_guessed_where_the_page_does_not_say() -> None:
    assert main_text(f"<p>{'Der Baum wächst schnell und sein Holz ist sehr leicht. ' * 3}", URL).language == "de"


flow = [
    "<div>",
    "</div>",
    "<p>",
    "<b>",
    "</b>",
    "<li>",
    "<ul>",
    "</ul>",
    "<ol>",
    "<table>",
    "<tr>",
    "<td>",
    "</table>",
    "<br>",
]
kinds = [
    "<pre>",
    "</pre>",
    "<code>",
    "</code>",
    "<blockquote>",
    "</blockquote>",
    "<h1>",
    "</h1>",
    "<h3>",
    "<main>",
    "</main>",
]
boxes = [
    "<nav>",
    "</nav>",
    "<footer>",
    "<div class=sidebar>",
    "<a href=x>",
    "</a>",
    "<a href='javascript:1'>",
    "<script>",
    "</script>",
]
words = [
    "alpha beta ",
    "gamma",
    "ü€ ",
    "delta\n",
    "`",
    "|",
    "[",
    "](",
    "# ",
    "1. ",
    "&lt;",
    "\0",
    "<!--",
    "-->",
    "¶",
    "\u202e",
    "\x1b",
]
documents = st.lists(st.sampled_from([*flow, *kinds, *boxes, *words]), max_size=50).map("".join)


@given(documents, st.booleans())
def test_it_never_raises_and_says_nothing_that_the_page_does_not(markup: str, links: bool) -> None:
    found = main_text(markup, URL, links=links)
    letters = re.sub(r"[^a-zü]", "", re.sub(r"&lt;|<[^>]*>", "", found.text).lower())
    everything = main_text(markup, URL, "all").text
    assert set(found.text.split()) <= set(everything.split())
    assert len(letters) <= len(markup)
    for text in (found.markdown, found.text):
        assert "\u202e" not in text and "\x1b" not in text
    assert not re.search(r"(?<!\\)<[a-z/!]", re.sub(r"(`+).*?\1", "", found.markdown, flags=re.DOTALL))


@given(st.text(max_size=200))
def test_whatever_the_text_is_it_does_not_raise(markup: str) -> None:
    main_text(markup, URL)


@pytest.mark.parametrize(
    "markup",
    [
        "<div>" * 100_000 + "x",
        "<table><tr><td>" * 30_000,
        "<ul><li>a" * 30_000,
        "<a href=x>y<p>" * 30_000,
        "<p>" + "<a href=x>ab</a> " * 30_000,
        "<table><tr>" + "<td>a" * 90 + "<tr><td>b" * 30_000,
        "<p>" + "[" * 300_000 + "](" * 300_000,
        "<p>\0\0" + "\0" * 1_000_000,
        '<script type="application/ld+json">' + "[" * 100_000,
    ],
    ids=["nested", "tables", "lists", "open links", "links", "cells", "brackets", "nulls", "json"],
)
def test_a_hostile_page_takes_time_in_proportion_to_its_length(markup: str) -> None:
    start = time.process_time()
    main_text(markup, URL, links=True)
    assert time.process_time() - start < 8  # each takes less than 1 s


def test_an_unknown_extractor_is_named() -> None:
    with pytest.raises(FocusedError, match="no extractor 'magic'; there are focused, trafilatura, all"):
        main_text("<p>x", URL, "magic")  # type: ignore[arg-type]


def test_trafilatura_that_is_not_installed_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "trafilatura", None)
    with pytest.raises(FocusedError, match="pip install trafilatura"):
        main_text("<p>x", URL, "trafilatura")


def test_trafilatura_decides_if_it_can(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "trafilatura", SimpleNamespace(extract=lambda *_, **__: "th\x1beirs"))
    assert main_text("<p>ours", URL, "trafilatura").text == "th eirs"
    assert main_text("<div>" * 300 + "ours", URL, "trafilatura").text == "ours"  # too deep for it


def test_markdown_of_trafilatura_holds_no_html_and_no_other_links(monkeypatch: pytest.MonkeyPatch) -> None:
    theirs = "a <b>\n[x](javascript:1) [y](http://b.example)\n[z]: data:x\n```\n<code>\n```"
    monkeypatch.setitem(sys.modules, "trafilatura", SimpleNamespace(extract=lambda *_, **__: theirs))
    assert main_text("<p>ours", URL, "trafilatura").markdown == (
        "a \\<b>\n[x\\](javascript:1) [y](http://b.example)\n[z\\]: data:x\n```\n<code>\n```"
    )


def test_where_trafilatura_fails_the_text_is_had_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> str:
        raise RecursionError

    monkeypatch.setitem(sys.modules, "trafilatura", SimpleNamespace(extract=fails))
    assert main_text("<p>ours", URL, "trafilatura").text == "ours"


def test_soft_hyphens_part_no_word() -> None:
    assert main_text("<p>so\xadlar panels", URL).text == "solar panels"


def test_a_page_without_a_body_tag_has_its_text_all_the_same() -> None:
    found = main_text(
        "<title>Panels</title><nav><a href=/>Home</a></nav><main><h1>Sun</h1><p>Panels make power.</main>", URL
    )
    assert (found.title, found.text) == ("Panels", "Sun\n\nPanels make power.")
