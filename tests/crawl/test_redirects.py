"""What becomes of a redirect: it is followed, or makes an alias of what is known, or fails with the reason."""

from __future__ import annotations

import pytest

from focused.crawl.answers import redirection
from focused.crawl.crawl import Crawl
from focused.crawl.events import Aliased, Failed, PickEnded, Started
from focused.page.urls import Address, UrlRules, host_of
from focused.topic.topic import Scope
from tests.crawl.web import make_crawl, make_topic

RULES = UrlRules()
SEED, WAITING, NEW = "http://seed.example/", "http://waiting.example/", "http://new.example/"


def address(url: str) -> Address:
    return Address(RULES.key(url), host_of(url), url)


@pytest.fixture
def crawl() -> Crawl:
    """One seed is under way, another waits."""
    crawl = make_crawl(make_topic(scope=Scope(denied_hosts=("denied.example",))))
    crawl.apply(Started([address(SEED), address(WAITING)]))
    pick = crawl.next()
    assert pick is not None
    assert pick.id == crawl.urls.find(address(SEED).key)
    return crawl


def seed_of(crawl: Crawl) -> int:
    return crawl.urls.find(address(SEED).key)


def judged(crawl: Crawl, target: str) -> Address | PickEnded:
    return redirection(crawl, RULES, seed_of(crawl), target, 301)


def test_a_new_url_is_followed_under_its_canonical_name(crawl: Crawl) -> None:
    assert judged(crawl, f"{NEW}#top") == address(NEW)


def test_a_known_url_makes_an_alias(crawl: Crawl) -> None:
    assert judged(crawl, WAITING) == Aliased(seed_of(crawl), address(WAITING), "redirects to a known URL", 301)


def test_itself_and_where_it_was_sent_before_are_followed_so_that_circles_end_as_such(crawl: Crawl) -> None:
    crawl.reserve(seed_of(crawl), address(NEW))
    assert [judged(crawl, url) for url in (SEED, NEW)] == [address(SEED), address(NEW)]


def test_what_the_scope_bars_fails_with_its_reason(crawl: Crawl) -> None:
    found = judged(crawl, "http://denied.example/")
    assert found == Failed(seed_of(crawl), "redirects out of scope: host denied", 301)


def test_what_is_no_url_of_the_web_fails_and_is_shown_in_part(crawl: Crawl) -> None:
    found = judged(crawl, "mailto:" + "x" * 1000)
    assert found == Failed(seed_of(crawl), f"redirects to mailto:{'x' * 193}: not an http(s) URL", 301)
