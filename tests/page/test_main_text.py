"""The main text: what stays, what goes, how blocks become Markdown, and that nothing a page says does harm."""

import re
import sys
import time
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.page.blocks import read_blocks
from focused.page.main_text import main_blocks, main_text
from focused.page.markdown import markdown_of
from focused.page.page_facts import PageFacts, facts_of

URL = "http://wood.example/a/balsa.html"
LONG = "Balsa grows fast, in five years to the height of a house, and its wood is the lightest that is sold. "
MENU = "<ul><li><a href=/>Home</a><li><a href=/news>News</a><li><a href=/shop>Shop</a></ul>"


def markdown(body: str) -> str:
    """What our rules take for the text."""
    found = read_blocks(f"<body>{body}")
    return markdown_of(main_blocks(found), found.tables)


def article(around: str) -> str:
    """Of a page with a text, and something around it in place of TEXT."""
    return markdown(around.replace("TEXT", f"<h1>Balsa</h1><p>{LONG}<p>{LONG}"))


def facts(page: str) -> PageFacts:
    return facts_of(read_blocks(page), URL)


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
    assert article(around) == EXPECTED


def test_a_name_is_not_believed_of_what_holds_the_text() -> None:
    assert article("<div class='page with sidebar'>TEXT</div>") == EXPECTED


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


def test_plain_text_has_the_same_blocks() -> None:
    body = "<h1>Wood</h1><p>bal<b>sa</b> &lt;3<ul><li>a<li>b</ul><table><tr><td>1<td>2<tr><td>3<td>4</table><pre>x  y</pre>"
    assert main_text(body) == "Wood\n\nbalsa <3\n\na\nb\n\n1\t2\n3\t4\n\nx  y"


def test_a_page_tells_of_itself() -> None:
    page = f"""<html lang=en-GB><head><title>Balsa - Wood</title><base href=http://wood.example/b/>
    <link rel=canonical href=balsa><meta property=og:title content="Balsa"><meta name=author content=" A.  Tree ">
    <meta name=description content="Light wood"><meta property=og:site_name content=Wood>
    <meta property=article:published_time content=2024-02-29T10:00:00Z></head><body><p>{LONG}"""
    found = facts(page)
    assert (found.title, found.author, found.description) == ("Balsa", "A. Tree", "Light wood")
    assert (found.date, found.site_name) == ("2024-02-29", "Wood")
    assert found.canonical == "http://wood.example/b/balsa"


def test_json_ld_tells_what_meta_elements_do_not() -> None:
    data = '{"@graph": [{"datePublished": "2024-01-02", "author": [{"name": "A"}, {"name": "B"}], "publisher": {"name": "P"}}]}'
    found = facts(f"<script type='application/ld+json'>{data}</script><p>x")
    assert (found.author, found.date, found.site_name) == ("A, B", "2024-01-02", "P")


def test_a_meta_element_without_a_name_tells_nothing() -> None:
    assert facts("<meta http-equiv=refresh content='0; url=x'><p>x").author == ""


@pytest.mark.parametrize("date", ["2024-02-30", "yesterday", "99999-01-01", "1" * 100_000])
def test_a_date_that_is_none_is_left_out(date: str) -> None:
    assert facts(f"<meta name=date content='{date}'>").date == ""


flow = [
    *("<div>", "</div>", "<p>", "<b>", "</b>", "<li>", "<ul>", "</ul>", "<ol>", "<table>", "<tr>", "<td>"),
    *("</table>", "<br>"),
]
kinds = [
    *("<pre>", "</pre>", "<code>", "</code>", "<blockquote>", "</blockquote>", "<h1>", "</h1>", "<h3>", "<main>"),
    "</main>",
]
boxes = [
    *("<nav>", "</nav>", "<footer>", "<div class=sidebar>", "<a href=x>", "</a>", "<a href='javascript:1'>"),
    *("<script>", "</script>"),
]
words = [
    *("alpha beta ", "gamma", "ü€ ", "delta\n", "`", "|", "[", "](", "# ", "1. ", "&lt;", "\0", "<!--", "-->"),
    *("¶", "\u202e", "\x1b"),
]
documents = st.lists(st.sampled_from([*flow, *kinds, *boxes, *words]), max_size=50).map("".join)


@given(documents)
def test_it_never_raises_and_says_nothing_that_the_page_does_not(markup: str) -> None:
    found = read_blocks(markup)
    text, everything = main_text(markup), {word for block in found.blocks for word in block.text.split()}
    assert (
        set(text.replace("\u202e", " ").split())
        <= {part for word in everything for part in re.split("[\0\x1b\u202e]", word)} | everything
    )
    for written in (text, markdown_of(found.blocks, found.tables)):
        assert "\u202e" not in written and "\x1b" not in written
    marked = markdown_of(found.blocks, found.tables)
    assert not re.search(r"(?<!\\)<[a-z/!]", re.sub(r"(`+).*?\1", "", marked, flags=re.DOTALL))


@given(st.text(max_size=200))
def test_whatever_the_text_is_it_does_not_raise(markup: str) -> None:
    main_text(markup)


#: A page that says that it is an article is given to trafilatura, too.
ARTICLE = "<html><head><meta property=og:type content=article></head><body>"


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
        "".join(f"<p>{LONG * 4}" for _ in range(12_000)),
        "sun " * 1_250_000,
        "<div>" * 190 + "<p>" + "sun " * 200_000,
        "<p><b><i>sun</p>" * 60_000,
        "<table><tr>" + "<td>a" * 9_500,
        "<div>" * 190 + f"<p>{LONG}" * 4_000,
    ],
    ids=[
        *("nested", "tables", "lists", "open links", "links", "cells", "brackets", "nulls", "json", "5 MB"),
        *("endless", "deep", "broken", "row", "deep and long"),
    ],
)
def test_a_hostile_page_takes_time_in_proportion_to_its_length(markup: str) -> None:
    start = time.process_time()
    main_text(f"{ARTICLE}{markup}")
    assert time.process_time() - start < 8  # each takes less than 1 s


@pytest.fixture
def trafilatura_says(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What trafilatura finds on every page from now on; nothing said: it raises."""
    said: list[str] = []
    monkeypatch.setitem(sys.modules, "trafilatura", SimpleNamespace(extract=lambda *_, **__: said[0]))
    return said


BALSA = "The lightest wood that is sold comes from a tree that grows to the height of a house in five years."
TEAK = "Ships were once made of a wood that neither salt water nor the worms of the sea could ever harm."
TWO = f"<div><p>{BALSA}<p>{TEAK}</div>"


def test_the_text_of_an_article_is_what_our_rules_and_trafilatura_both_find(trafilatura_says: list[str]) -> None:
    trafilatura_says[:] = [f"{BALSA}\nof another page"]
    headed = f"{ARTICLE}<div><h1>Woods</h1><h2>Balsa</h2><p>{BALSA}<h2>Teak</h2><p>{TEAK}</div>"
    assert main_text(headed) == f"Woods\n\nBalsa\n\n{BALSA}"  # headings go with what they stand above


def test_of_a_page_that_does_not_say_that_it_is_an_article_our_rules_decide() -> None:
    assert main_text(TWO) == f"{BALSA}\n\n{TEAK}"


@pytest.mark.parametrize("tag", ["article", "main", "div itemprop=articleBody"])
def test_no_part_of_a_text_is_lost_beside_a_longer_one(tag: str) -> None:
    paragraphs = [f"Paragraph {n} of twelve: {BALSA}" for n in range(12)]
    parts = ("".join(f"<p>{one}" for one in some) for some in (paragraphs[:8], paragraphs[8:]))
    page = f"<{tag}>{''.join(f'<div>{part}</div>' for part in parts)}</{tag.partition(' ')[0]}>"
    assert main_text(page) == "\n\n".join(paragraphs)


def test_what_trafilatura_leaves_out_inside_of_a_text_is_part_of_it(trafilatura_says: list[str]) -> None:
    trafilatura_says[:] = [f"{BALSA}\n{TEAK}"]
    table = "<table><tr><td>AX-100q<td>5 kW<tr><td>BX-7<td>7 kW</table>"
    items = f"<ul><li>Light: {'it floats on water like a cork. ' * 3}<li>Soft</ul>"
    text = main_text(
        f"{ARTICLE}<div><p>{BALSA}{table}<p>There are two:{items}<p>{TEAK}</div><p>A box of which nothing is told, that follows."
    )
    assert all(word in text for word in ("AX-100q", "7 kW", "There are two:", "it floats", "Soft", BALSA, TEAK))
    assert "A box" not in text


def test_a_formula_takes_no_sentence_away(trafilatura_says: list[str]) -> None:
    trafilatura_says[:] = [f"{BALSA}\n{TEAK}"]
    formula = "<math><mi>x</mi><mo>=</mo><mn>1</mn></math>"
    text = main_text(f"{ARTICLE}<div><p>{BALSA}<p>Let {formula} be its weight. {TEAK}</div>")
    assert "be its weight" in text


FORUM = '<script type="application/ld+json">{"@type": "DiscussionForumPosting"}</script>'


@pytest.mark.parametrize("head", [FORUM, '<meta name=generator content="phpBB 3">'])
def test_what_readers_write_is_the_text_of_a_forum(head: str) -> None:
    posts = f"<div class=comments><div class=comment><p>{TEAK}</div></div>"
    page = f"<main><h1>Woods</h1><p>{BALSA}{posts}</main>"
    assert TEAK in main_text(head + page)
    assert TEAK not in main_text(page.replace("<p>", f"<p>{BALSA} " * 5, 1))


@pytest.mark.parametrize(
    "page",
    [
        f"<meta name=generator content='Docutils 0.19'><meta property=og:type content=article>{TWO}",
        TWO.replace("</div>", "<pre>x = 1</pre></div>"),
        TWO.replace("</div>", "<p>Call <code>f()</code></div>"),
        ARTICLE + "<div>" * 300 + TWO,  # too deep for it
    ],
)
def test_trafilatura_is_not_asked_of_what_is_no_article(page: str, trafilatura_says: list[str]) -> None:
    trafilatura_says[:] = [BALSA]
    assert TEAK in main_text(page)


@pytest.mark.parametrize(
    "said",
    [
        "<meta property=article:published_time content=2026-01-01>",
        '<script type=application/ld+json>{"@type": ["NewsArticle"]}</script>',
    ],
)
def test_an_article_says_so_in_several_ways_and_may_hold_code(said: str, trafilatura_says: list[str]) -> None:
    trafilatura_says[:] = [BALSA]
    assert main_text(f"{said}{TWO}<pre>x = 1</pre>") == BALSA


def test_where_our_rules_find_little_of_what_trafilatura_finds_its_text_is_taken(trafilatura_says: list[str]) -> None:
    trafilatura_says[:] = [f"{BALSA}\n{TEAK}"]
    page = f"{ARTICLE}<div class=comments><p>{BALSA}<p>{TEAK}</div><div><p>{LONG * 3}</div>"
    assert main_text(page) == f"{BALSA}\n\n{TEAK}"


@pytest.mark.parametrize("said", [[], [""], [None]])
def test_where_trafilatura_fails_or_finds_nothing_the_text_is_had_all_the_same(
    said: list[str], trafilatura_says: list[str]
) -> None:
    trafilatura_says[:] = said
    assert main_text(ARTICLE + TWO) == f"{BALSA}\n\n{TEAK}"


def test_the_same_article_gives_the_same_text_whatever_was_read_before_it() -> None:
    pages = [f"{ARTICLE}<nav>Home</nav><article><h1>Wood {number}</h1>{TWO}</article>" for number in range(3)]
    assert [main_text(page) for page in pages] == [main_text(page) for page in reversed(pages)][::-1]


def test_soft_hyphens_part_no_word() -> None:
    assert main_text("<p>so\xadlar panels") == "solar panels"


def test_a_page_without_a_body_tag_has_its_text_all_the_same() -> None:
    page = "<title>Panels</title><nav><a href=/>Home</a></nav><main><h1>Sun</h1><p>Panels make power.</main>"
    assert (facts(page).title, main_text(page)) == ("Panels", "Sun\n\nPanels make power.")


@pytest.mark.parametrize("name", ["permalink", "post comment-count permalink-of-post"])
def test_the_name_of_a_box_hides_no_text_in_it(name: str) -> None:
    assert article(f"<div class='{name}'>TEXT</div>") == EXPECTED


def test_a_shadow_root_is_text_and_what_no_one_sees_says_nothing_of_the_page() -> None:
    unseen = "<title>no</title><base href=/no/><meta name=author content=No><link rel=canonical href=/no>"
    unseen += '<script type=application/ld+json>{"headline": "no"}</script><time datetime=2020-01-02></time>'
    shadow = f"<template shadowrootmode=open>{unseen}<h1>Balsa</h1><p>{LONG}<p>{LONG}</template>"
    picture = "<link href=/style.css><base target=_top><base href=/b/><svg><title>Icon</title></svg>"
    page = f"{picture}<template>{unseen}</template>{shadow}"
    found = facts(page)
    assert (found.title, found.author, found.canonical, found.date) == ("", "", "", "")
    assert found.base == "http://wood.example/b/"
    assert markdown(page) == EXPECTED
