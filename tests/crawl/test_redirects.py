"""What becomes of a redirect: it is followed, or makes an alias of what is known, or fails with the reason."""

from __future__ import annotations

import numpy as np
import pytest

from focused.crawl.answers import redirection
from focused.crawl.crawl import Crawl
from focused.crawl.events import Aliased, Failed, PageArrived, PickEnded, Started
from focused.crawl.newcomers import FREE
from focused.crawl.traps import OTHERS_FIRST
from focused.page.urls import Address, UrlRules, host_of
from focused.topic.topic import Scope
from tests.crawl.trap_pages import defended, page
from tests.crawl.web import make_crawl, make_topic

RULES = UrlRules()
SEED, WAITING, NEW = "http://seed.example/", "http://waiting.example/", "http://new.example/"
OUT = f"{SEED}out?u="


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


class TestWhereOthersGoFirst:
    """A page of a trap cannot be had by way of a site whose turn it is."""

    @pytest.fixture
    def full(self) -> Crawl:
        """The newcomers have had their share; a link of the seed to an open redirect of its own site is under way."""
        crawl = defended()
        crawl.apply(Started([address(SEED)]))
        crawl.next()
        crawl.apply(PageArrived(seed_of(crawl), page(SEED, links=[OUT]), 1))
        for number in range(FREE + 1):
            crawl.traps.turns.newcomers.showed(crawl.hosts.intern(f"new{number}.example"))
        pick = crawl.next()
        assert pick is not None
        assert pick.id == crawl.urls.find(address(OUT).key)
        return crawl

    def test_its_target_waits(self, full: Crawl) -> None:
        out = full.urls.find(address(OUT).key)
        alias = redirection(full, RULES, out, NEW, 302)
        assert alias == Aliased(out, address(NEW), OTHERS_FIRST, 302)
        assert isinstance(alias, Aliased)
        full.apply(alias)
        known = full.urls.find(address(NEW).key)
        assert known in full.frontier
        assert full.urls.source[known] == seed_of(full)

    def test_it_waits_once(self, full: Crawl) -> None:
        """Otherwise hosts that redirect to each other would be asked without end."""
        out = full.urls.find(address(OUT).key)
        full.apply(Aliased(out, address(NEW), OTHERS_FIRST, 302))
        pick = full.next()
        assert pick is not None
        further = "http://further.example/"
        assert redirection(full, RULES, pick.id, further, 302) == address(further)

    def test_a_redirect_within_the_site_is_followed(self, full: Crawl) -> None:
        out = full.urls.find(address(OUT).key)
        assert redirection(full, RULES, out, f"{SEED}moved", 302) == address(f"{SEED}moved")

    def test_where_newcomers_have_their_share_left_it_is_followed(self, full: Crawl) -> None:
        out = full.urls.find(address(OUT).key)
        full.traps.turns.newcomers.vouch(1, np.array([full.hosts.find("new0.example")]))
        full.traps.turns.newcomers.vouch(2, np.array([full.hosts.find("new0.example")]))
        assert redirection(full, RULES, out, NEW, 302) == address(NEW)

    def test_a_seed_is_followed_wherever_it_leads(self, full: Crawl) -> None:
        full.apply(Started([address(WAITING)]))
        waiting = full.urls.find(address(WAITING).key)
        assert redirection(full, RULES, waiting, NEW, 301) == address(NEW)

    def test_such_redirects_without_end_are_left_in_the_end_and_the_site_is_not(self, full: Crawl) -> None:
        links = [f"{OUT}{number}" for number in range(30)]
        out = full.urls.find(address(OUT).key)
        full.apply(PageArrived(out, page(OUT, links=[f"{SEED}article", *links]), 1))
        asked = []
        while (pick := full.next()) is not None and len(asked) < 100:
            url = next(
                url for url in (*links, f"{SEED}article", "") if not url or full.urls.find(address(url).key) == pick.id
            )
            asked.append(url)
            target = address(f"http://e{len(asked)}.example/")
            full.apply(Aliased(pick.id, target, OTHERS_FIRST, 302) if url in links else Failed(pick.id))
        assert 3 < sum(url in links for url in asked) < 20
        assert f"{SEED}article" in asked
