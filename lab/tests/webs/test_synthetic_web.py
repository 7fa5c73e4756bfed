"""The synthetic web is what it promises: the same for the same seed, of the declared shape, and true to its own labels."""

from __future__ import annotations

import re
from collections import Counter
from itertools import islice

import numpy as np
import pytest

from focused.exceptions import WebError
from focused.reading.urls import UrlRules, host_of
from focused.simulation.known_webs import is_generated, open_web
from lab.webs.synthetic import SyntheticOptions, SyntheticWeb, synthetic_options
from lab.webs.synthetic_map import MIRROR, TRAP, Day, is_odd

HREF = re.compile(rb'href="([^"]+)"')
OPTIONS = SyntheticOptions(pages=2000, topics=10)


@pytest.fixture(scope="module")
def web() -> SyntheticWeb:
    return SyntheticWeb(OPTIONS)


@pytest.fixture(scope="module")
def links(web: SyntheticWeb) -> dict[str, list[str]]:
    """What every page but those of calendars links to."""
    return {url: links_of(web, url) for url in web.urls()}


def body(web: SyntheticWeb, url: str) -> bytes:
    answer = web.answer(url)
    assert answer is not None
    assert answer.status == 200, url
    return answer.body


def links_of(web: SyntheticWeb, url: str) -> list[str]:
    return [href.decode() for href in HREF.findall(body(web, url))]


def odd_site(web: SyntheticWeb, kind: int) -> int:
    return next(site for site in range(web.plan.sites) if is_odd(site, kind))


def topic_of(web: SyntheticWeb, url: str) -> int | None:
    return getattr(web.plan.place(url), "topic", None)


def test_the_same_seed_makes_the_same_web_in_whatever_order_it_is_asked(web: SyntheticWeb) -> None:
    urls = list(islice(web.urls(), 0, None, 50))
    other = SyntheticWeb(OPTIONS)
    assert {url: body(other, url) for url in reversed(urls)} == {url: body(web, url) for url in urls}


def test_every_url_is_canonical_listed_once_and_answered_by_a_listed_host(web: SyntheticWeb) -> None:
    urls, rules = list(web.urls()), UrlRules()
    assert len(set(urls)) == len(urls) >= 2000
    assert [url for url in urls if rules.canonical(url) != url] == []
    assert {host_of(url) for url in urls} == set(web.hosts)
    assert len(web.hosts) == len(set(web.hosts))
    assert all(host in web.hosts for host in web.hosts)


def test_no_link_is_broken(web: SyntheticWeb, links: dict[str, list[str]]) -> None:
    strangers = {target for targets in links.values() for target in targets} - links.keys()
    assert all(isinstance(web.plan.place(url), Day) for url in strangers)


def test_what_does_not_exist_is_not_found_and_other_hosts_are_outside(web: SyntheticWeb) -> None:
    trap = odd_site(web, TRAP)
    plain = next(site for site in range(web.plan.sites) if not is_odd(site, TRAP) and not is_odd(site, MIRROR))
    missing = [
        f"http://site{plain}.example/100000",
        f"http://site{plain}.example/0",
        f"http://site{plain}.example/calendar/1",
        f"https://site{plain}.example/",
        f"http://site{trap}.example/calendar/",
        "http://directory0.example/",
        "http://site0.example:81/",
    ]
    assert [answer.status for url in missing if (answer := web.answer(url))] == [404] * len(missing)
    outside = [
        f"http://site{web.plan.sites}.example/",
        f"http://mirror{plain}.example/",
        "http://site00.example/",
        "http://directory999.example/0",
        "http://b.example/",
        "mailto:us",
    ]
    assert [web.answer(url) for url in outside] == [None] * len(outside)


def test_the_truth_of_a_topic_is_what_its_pages_are_about(web: SyntheticWeb) -> None:
    truth = [set(web.relevant_urls(topic)) for topic in range(10)]
    assert [len(urls) for urls in truth] == [200] * 10
    assert len(set.union(*truth)) == 2000
    words = set(web.keywords(3))
    mentions = {
        topic: np.mean(
            [sum(body(web, url).decode().count(word) for word in words) for url in sorted(truth[topic])[:40]]
        )
        for topic in (3, 7)
    }
    assert mentions[3] > 10 * max(mentions[7], 0.1)


def test_pages_link_to_their_own_topic_more_than_to_others(web: SyntheticWeb, links: dict[str, list[str]]) -> None:
    own = Counter(
        (topic_of(web, target) - topic) % 10
        for topic in range(10)
        for url in web.relevant_urls(topic)
        for target in links[url]
        if "//site" in target and topic_of(web, target) is not None
    )
    share = {distance: count / own.total() for distance, count in own.items()}
    assert share[0] > 0.5
    assert share[1] > 2 * share[5]


def test_a_calendar_has_no_end_and_is_linked_from_its_site(web: SyntheticWeb) -> None:
    site = odd_site(web, TRAP)
    url = f"http://site{site}.example/calendar/1"
    assert url in links_of(web, f"http://site{site}.example/")
    seen = set()
    for _ in range(50):
        seen.add(url)
        url = next(target for target in links_of(web, url) if target not in seen and "/calendar/" in target)
    far = f"http://site{site}.example/calendar/987654321"
    assert f"http://site{site}.example/calendar/987654322" in links_of(web, far)
    assert url not in set(web.urls())


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("synthetic", SyntheticOptions()),
        ("synthetic:", SyntheticOptions()),
        ("synthetic:pages=500,topics=5,seed=0", SyntheticOptions(500, 5, 0)),
    ],
)
def test_it_is_opened_by_name(name: str, options: SyntheticOptions) -> None:
    web = open_web([name])
    assert isinstance(web, SyntheticWeb)
    assert web.options == options
    assert is_generated(name)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("synthetic:size=5", "'size=5' is no option; give pages=NUMBER"),
        ("synthetic:pages=many", "'pages=many' is no option"),
        ("synthetic:pages=1", "pages=1: give a number from 100 to 100,000,000"),
        ("synthetic:topics=501", "topics=501: give a number from 2 to 500"),
        ("synthetic:pages=400,topics=50", "50 topics need 500 pages at least"),
    ],
)
def test_a_name_that_means_no_web_is_told(name: str, told: str) -> None:
    with pytest.raises(WebError, match=re.escape(told)):
        synthetic_options(name)
