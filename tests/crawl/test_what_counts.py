"""Which pages of a site count as harvest: those that say something themselves, whatever the site says on all its pages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.collection.snapshot import decode, encode
from focused.crawl.events import PageArrived, Picked, Requested
from focused.crawl.hosts import Hosts
from focused.crawl.novelty import EXACT, NEW, SiteText
from focused.page.html import walked, with_terms
from focused.page.page import Page
from focused.page.page_kind import EDGE, LISTING, SPEAKS, own_text
from focused.page.reader import Reader, ReadingOptions
from focused.page.text import TextAnalyser
from focused.page.urls import UrlRules
from focused.topic.topic import Relevance, Scope, Traps
from tests.crawl.university import ARTICLE, BARE, LISTS, TEXTS, THEMES, Theme
from tests.crawl.web import make_crawl, make_topic

READER = Reader(ReadingOptions())
ANALYSER = TextAnalyser("english")
HOME = "<h1>Welcome</h1><p>Our group is known for solar cells that last, for theses that are read, and for a fine view.</p>"


def read(path: str, markup: str, content_type: str = "text/html") -> Page:
    page = READER.read(f"http://solar.example/{path}", markup.encode(), content_type)
    assert isinstance(page, Page)
    return page


def counted(*pages: Page) -> list[bool]:
    """Which of these pages count in a crawl that fetches one after the other."""
    topic = make_topic(relevance=Relevance(threshold=0.01), traps=Traps(), scope=Scope(content_types=()))
    crawl = make_crawl(topic)
    found = []
    for page in pages:
        url = crawl.apply(Requested(UrlRules.address(page.url), 1.0)).urls[0]
        crawl.apply(Picked(url))
        found.append(crawl.apply(PageArrived(url, page, 1)).arrived.visit.counts)
    return found


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("case", LISTS)
def test_a_list_counts_as_nothing_whatever_stands_around_it(case: str, theme: Theme) -> None:
    assert counted(read("", theme(HOME)), read("page", theme(LISTS[case])))[1:] == [False]


@pytest.mark.parametrize("case", BARE)
def test_what_a_server_writes_counts_as_nothing(case: str) -> None:
    page = read("page", BARE[case], "text/plain" if "VCALENDAR" in BARE[case] else "text/html")
    assert counted(page) == [False]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("case", TEXTS)
def test_a_text_counts_whatever_stands_around_it(case: str, theme: Theme) -> None:
    assert counted(read("", theme(HOME)), read("page", theme(TEXTS[case])))[1:] == [True]
    assert counted(read("", theme(LISTS["tag"])), read("page", theme(TEXTS[case])))[1:] == [True]


def test_the_first_page_of_a_site_is_taken_at_its_word_and_others_only_for_what_they_add() -> None:
    first, second = (read(path, THEMES[1](LISTS["archive of a month"])) for path in ("2024/05", "2024/06"))
    assert counted(first, second) == [True, False]
    assert second.kind == SPEAKS and second.otherwise == LISTING


def test_hosts_are_told_apart_and_no_page_is_compared_with_itself() -> None:
    article = read("a", THEMES[1](ARTICLE))
    elsewhere = READER.read("http://other.example/a", THEMES[1](f"{ARTICLE}<p>Reprinted.</p>").encode(), "text/html")
    assert isinstance(elsewhere, Page)
    hosts = Hosts()
    texts = SiteText(hosts)
    here, there = hosts.intern("solar.example"), hosts.intern("other.example")
    assert texts.judged(1, here, article) is article
    assert texts.judged(1, here, article) is article  # it has been asked for once more, and has hardly changed
    assert texts.judged(2, there, elsewhere) is elsewhere
    assert texts.judged(3, here, article).kind == article.otherwise != SPEAKS


def test_a_copy_of_the_last_page_is_a_copy_and_no_stub() -> None:
    article, copy = read("a", THEMES[1](ARTICLE)), read("b", THEMES[1](ARTICLE))
    crawl = make_crawl(make_topic(traps=Traps()))
    visits = []
    for page in (article, copy):
        url = crawl.apply(Requested(UrlRules.address(page.url), 1.0)).urls[0]
        crawl.apply(Picked(url))
        visits.append(crawl.apply(PageArrived(url, page, 1)).arrived.visit)
    assert [(visit.kind, visit.verdict) for visit in visits] == [(SPEAKS, NEW), (SPEAKS, EXACT)]


def test_a_page_without_text_of_its_own_is_nothing_to_compare_with() -> None:
    hosts = Hosts()
    texts, host = SiteText(hosts), hosts.intern("solar.example")
    home, silent, tag = (
        read("", THEMES[1](HOME)),
        read("moved", "<a href=/>Here</a>"),
        read("tag", THEMES[1](LISTS["tag"])),
    )
    kinds = [texts.judged(url, host, page).kind for url, page in enumerate((home, silent, tag))]
    assert kinds == [SPEAKS, silent.kind, LISTING]


def test_the_middle_of_a_long_text_is_its_own_wherever_it_stands() -> None:
    paragraphs = "".join(f"<p>Solar cell {word} stands on its roof.</p>" for word in "abcdefghijklmnopqrstuvwxyz" * 2)
    page = read("long", paragraphs)
    assert len(page.own) == 2 * EDGE + 1
    assert [words for block, words in page.own if not block] == [(52 - 2 * EDGE) * page.own[0][1]]
    hosts = Hosts()
    texts, host = SiteText(hosts), hosts.intern("solar.example")
    assert all(texts.judged(url, host, page) is page for url in range(2))


def test_what_a_host_repeats_is_known_again_by_a_crawl_that_goes_on() -> None:
    pages = [read("", THEMES[1](HOME)), read("tag", THEMES[1](LISTS["tag"]))]
    before, after = make_crawl(make_topic()), make_crawl(make_topic())
    for crawl in (before, after):
        home, tag = (crawl.apply(Requested(UrlRules.address(page.url), 1.0)).urls[0] for page in pages)
    before.apply(Picked(home))
    before.apply(PageArrived(home, pages[0], 1))
    after.restore(decode(encode(before.snapshot())))
    after.apply(Picked(tag))
    assert after.apply(PageArrived(tag, pages[1], 1)).arrived.visit.kind == LISTING


ITEMS = [
    "<li><a href='/{0}'>{1} {0}</a></li>",
    "<p><a href='/{0}'>{1}</a> {1}</p>",
    "<tr><td><a href='/{0}'>{1}</a><td>{1} {0}",
]


@given(
    *[st.lists(st.tuples(st.sampled_from(ITEMS), st.integers(0, 30), st.text("ab ", max_size=60)), max_size=4)] * 2,
    st.sampled_from(["div", "ul", "table", "section", "main"]),
)
def test_links_around_a_text_make_no_list_of_it(
    above: list[tuple[str, int, str]], below: list[tuple[str, int, str]], tag: str
) -> None:
    def links(lists: list[tuple[str, int, str]]) -> str:
        return "".join(
            f"<{tag}>{''.join(item.format(number, words) for number in range(count))}</{tag}>"
            for item, count, words in lists
        )

    markup = f"{links(above)}{ARTICLE}{ARTICLE}{links(below)}"
    assert own_text(with_terms(walked(markup), ANALYSER.terms_of_each)).kind == SPEAKS
