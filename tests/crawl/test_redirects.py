"""What becomes of a redirect: it is followed, or makes an alias of what is known, or fails with the reason."""

from __future__ import annotations

import pytest

from focused.crawl.crawl import Crawl
from focused.crawl.redirects import Redirection, judge_redirect
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
    crawl.start([address(SEED), address(WAITING)])
    pick = crawl.next()
    assert pick is not None
    assert pick.id == crawl.urls.find(address(SEED).key)
    return crawl


def judged(crawl: Crawl, target: str) -> Redirection:
    return judge_redirect(crawl, RULES, crawl.urls.find(address(SEED).key), target)


def test_a_new_url_is_followed_under_its_canonical_name(crawl: Crawl) -> None:
    assert judged(crawl, f"{NEW}#top") == Redirection("follow", address(NEW))


def test_a_known_url_makes_an_alias(crawl: Crawl) -> None:
    assert judged(crawl, WAITING) == Redirection("alias", address(WAITING), "redirects to a known URL")


def test_itself_and_where_it_was_sent_before_are_followed_so_that_circles_end_as_such(crawl: Crawl) -> None:
    crawl.reserve(crawl.urls.find(address(SEED).key), address(NEW))
    assert [judged(crawl, url).fate for url in (SEED, NEW)] == ["follow", "follow"]


def test_what_the_scope_bars_fails_with_its_reason(crawl: Crawl) -> None:
    found = judged(crawl, "http://denied.example/")
    assert (found.fate, found.barred, found.reason) == ("fail", "host denied", "redirects out of scope: host denied")


def test_what_is_no_url_of_the_web_fails_and_is_shown_in_part(crawl: Crawl) -> None:
    found = judged(crawl, "mailto:" + "x" * 1000)
    assert (found.fate, found.address) == ("fail", None)
    assert found.reason == f"redirects to mailto:{'x' * 193}: not an http(s) URL"


def test_a_judgement_changes_nothing(crawl: Crawl) -> None:
    before = crawl.events, len(crawl.urls), len(crawl.frontier)
    for target in (NEW, WAITING, "http://denied.example/", "mailto:us"):
        judged(crawl, target)
    assert (crawl.events, len(crawl.urls), len(crawl.frontier)) == before
