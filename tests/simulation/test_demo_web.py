"""The demo web: always the same, with the shape and the oddities it promises, and a topic file that fits it."""

import heapq
import re
import tomllib
from collections.abc import Callable
from importlib import resources

import pytest

from focused.exceptions import WebError
from focused.page.page import Link, Page
from focused.page.reader import Reader, ReadingOptions
from focused.page.urls import host_of
from focused.simulation.demo_web import DemoWeb

WEB = DemoWeb()
READER = Reader(ReadingOptions())
TOPIC = tomllib.loads(resources.files("focused").joinpath("topics/demo.toml").read_text())
SEEDS = TOPIC["topic"]["seeds"]


def read(url: str) -> Page | None:
    """The page at a URL, redirects followed; None if there is no readable page."""
    for _ in range(5):
        answer = WEB.answer(url)
        if answer is None or answer.status != 301:
            break
        url = READER.rules.canonical(answer.header("location"), url) or ""
    if answer is None or answer.status != 200 or "html" not in answer.header("content-type"):
        return None
    page = READER.read(url, answer.body, answer.header("content-type"))
    assert isinstance(page, Page)
    return page


def crawl(pages: int, score: Callable[[Page, Link], float]) -> list[str]:
    """URLs of the pages that a crawl from the topic's seeds fetches, best score first, first in first out."""
    waiting = [(-1e9, number, url) for number, url in enumerate(SEEDS)]
    seen, fetched = set(SEEDS), []
    while waiting and len(fetched) < pages:
        page = read(heapq.heappop(waiting)[2])
        if page is None or page.url in fetched:
            continue
        fetched.append(page.url)
        for link in page.links:
            if link.url not in seen:
                seen.add(link.url)
                heapq.heappush(waiting, (-score(page, link), len(seen), link.url))
    return fetched


def status(url: str) -> int:
    answer = WEB.answer(url)
    assert answer
    return answer.status


def test_equal_seeds_give_equal_webs_and_others_do_not() -> None:
    def content(web: DemoWeb, urls: list[str]) -> list[object]:
        return [web.answer(url) for url in urls]

    urls = list(WEB.urls())
    assert content(DemoWeb(1), urls) == content(WEB, urls)
    assert content(DemoWeb(1), urls[::-1]) == content(WEB, urls[::-1])
    assert list(DemoWeb(2).urls()) != urls


def test_it_has_the_promised_size() -> None:
    assert len(WEB.hosts) == 12
    assert all(host.endswith(".example") for host in WEB.hosts)
    assert 400 <= len(list(WEB.urls())) <= 600
    assert len(set(WEB.urls())) == len(list(WEB.urls()))


def test_every_link_of_every_page_leads_somewhere() -> None:
    dead = {
        link.url
        for url in WEB.pages
        if (page := read(url))
        for link in page.links
        if (answer := WEB.answer(link.url)) is None or answer.status == 404
    }
    assert dead == {"http://gardenpath.example/gone.html"}


def test_every_relevant_page_can_be_reached_from_the_seeds() -> None:
    def calendar_last(_: Page, link: Link) -> float:
        return -float("calendar" in link.url)

    assert WEB.relevant_urls("solar") <= set(crawl(650, calendar_last))


def test_the_truth_holds_articles_only() -> None:
    relevant = WEB.relevant_urls("solar")
    assert 120 <= len(relevant) <= 200
    assert not any("/print/" in url or "/index/" in url or "linkyard" in url for url in relevant)
    with pytest.raises(WebError, match="no topic 'solr': choose from solar, wind"):
        WEB.relevant_urls("solr")


def test_best_first_finds_clearly_more_than_breadth_first() -> None:
    words = re.compile("solar|photovoltaic|panel|inverter|battery|sunlight", re.IGNORECASE)

    def likeness(page: Page, link: Link) -> float:
        context = " ".join(page.terms[link.context_start : link.context_end])
        return len(words.findall(context)) + len(words.findall(page.text)) / 20

    relevant = WEB.relevant_urls("solar")
    breadth_first = len(relevant.intersection(crawl(150, lambda *_: 0.0)))
    best_first = len(relevant.intersection(crawl(150, likeness)))
    assert best_first > 1.7 * breadth_first


def test_one_host_is_only_found_through_lists_of_links() -> None:
    sources = {
        host_of(url)
        for url in WEB.pages
        if (page := read(url))
        for link in page.links
        if link.host == "rooftop.example"
    }
    assert sources == {"rooftop.example", "linkyard.example"}


def test_some_link_texts_say_nothing_and_some_carry_tracking() -> None:
    bodies = [answer.body for url in WEB.pages if (answer := WEB.answer(url))]
    assert sum(b">read more<" in body for body in bodies) > 50
    tracked = next(
        url for body in bodies for url in re.findall(r'href="([^"]*utm_source[^"]*)"', body.decode("latin-1"))
    )
    assert status(tracked.replace("&amp;", "&")) == 200


def test_each_host_has_one_scheme_and_redirects_from_the_other() -> None:
    answer = WEB.answer("http://heliopedia.example/")
    assert answer and (answer.status, answer.header("location")) == (301, "https://heliopedia.example/")


@pytest.mark.parametrize(
    ("url", "end"),
    [
        ("http://sunpower.example/old-home", "http://sunpower.example/"),
        ("http://greenpower.example/go/encyclopedia", "https://heliopedia.example/"),
        ("http://panelforum.example/moved/1", "http://panelforum.example/"),
        ("http://kickoff.example/loop/1", None),
    ],
)
def test_redirects_end_at_a_page_but_for_one_that_runs_in_a_circle(url: str, end: str | None) -> None:
    page = read(url)
    assert status(url) == 301
    assert (page and page.url) == end


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://gardenpath.example/gone.html", 404),
        ("http://stargazer.example/fails", 500),
        ("http://windworks.example/busy", 503),
        ("http://daily-news.example/robots.txt", 404),
        ("http://daily-news.example/calendar/9999/12/", 200),
        ("http://daily-news.example/calendar/2024/13/", 404),
        ("http://elsewhere.example/", None),
        ("nonsense", None),
    ],
)
def test_errors_are_there(url: str, expected: int | None) -> None:
    answer = WEB.answer(url)
    assert (answer and answer.status) == expected


def test_robots_txt_forbids_or_delays() -> None:
    private = WEB.answer("https://tastybites.example/robots.txt")
    slow = WEB.answer("http://windworks.example/robots.txt")
    assert private and b"Disallow: /private/" in private.body
    assert slow and b"Crawl-delay: 0.05" in slow.body


def test_the_calendar_never_ends() -> None:
    url = "http://daily-news.example/calendar/2024/12/"
    page = read(url)
    assert page and [link.url[-9:] for link in page.links] == ["/2024/11/", "/2025/01/"]


def test_print_versions_are_equal_byte_for_byte() -> None:
    assert len(WEB.copies) == 8
    for copy, original in WEB.copies.items():
        assert copy != original
        assert WEB.answer(copy) == WEB.answer(original)


def test_nofollow_stands_in_pages_and_in_links() -> None:
    home = read("http://kickoff.example/")
    thread = next(page for url in WEB.pages if "panelforum.example/thread" in url and (page := read(url)))
    assert home and home.nofollow
    assert {link.nofollow for link in thread.links} == {True, False}


def test_pages_come_in_two_encodings_and_both_are_read_right() -> None:
    texts = {
        site: "".join(page.text for url in WEB.pages if site in url and (page := read(url)))
        for site in ("tastybites.example", "daily-news.example")
    }
    assert all("crème brûlée" in text for text in texts.values())
    answer = WEB.answer("https://tastybites.example/")
    assert answer and answer.header("content-type") == "text/html; charset=iso-8859-1"


def test_broken_markup_and_other_media_are_there() -> None:
    broken = read("http://gardenpath.example/roses.html")
    brochure = WEB.answer("http://sunpower.example/brochure.pdf")
    assert broken and "http://kickoff.example/" in {link.url for link in broken.links}
    assert brochure and brochure.body.startswith(b"%PDF-") and brochure.header("content-type") == "application/pdf"


def test_the_demo_topic_starts_at_relevant_pages_of_three_hosts() -> None:
    assert len({host_of(url) for url in SEEDS}) == 3
    assert WEB.relevant_urls("solar").issuperset(SEEDS)
    assert TOPIC["budget"]["pages"] == 200
