"""Hosts that have proved worth it are asked for their sitemaps and feeds, within limits."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from focused.crawl.answers import answer
from focused.crawl.crawl import Crawl
from focused.crawl.events import Arrival, NoList, OrderGiven, Started
from focused.crawl.standing_orders import Order
from focused.live.assemble import assemble
from focused.page.page import Unreadable
from focused.topic.topic import Budget, Relevance, Scope, Sources, Topic, Traps
from tests.small_web import SHORT_PAGES

HOST = "http://a.example"
ROBOTS, SITEMAP, INDEX = f"{HOST}/robots.txt", f"{HOST}/sitemap.xml", f"{HOST}/sitemap_index.xml"
ON = Sources(sitemaps=True, feeds=True, after=2)
GOOD, BAD = "solar energy from solar panels", "football"


class Web:
    """A crawl that is fed by hand: what each URL gives, as media type and body; a page about the topic where nothing is said."""

    def __init__(self, answers: dict[str, tuple[str, str]] | None = None, **tables: object) -> None:
        values = {"name": "t", "keywords": ("solar energy",), "seeds": (f"{HOST}/",), "strategy": "breadth_first"}
        shared = {"traps": Traps(on=False), "relevance": SHORT_PAGES, "sources": ON}
        self.reader, self.crawl = assemble(Topic(**{**values, **shared, **tables}))  # type: ignore[arg-type]
        self.crawl.lists.on = True
        self.answers = answers or {}
        started = Started([self.reader.rules.address(seed) for seed in self.crawl.topic.seeds])
        self.urls = [new.url for new in self.crawl.apply(started).new_urls]
        self.asked: list[str] = []

    def step(self) -> Arrival | None:
        """Fetch the next URL; None where it gave no list and no page."""
        pick = self.crawl.next()
        assert pick is not None
        url = self.urls[pick.id]
        self.asked.append(url)
        kind, body = self.answers.get(url, ("", ""))
        page = self.reader.read(url, body.encode(), kind) if body else None
        found = page if page is not None else Unreadable("http 404")
        outcome = self.crawl.apply(answer(self.crawl, pick.id, found, len(body)))
        self.urls += [new.url for new in outcome.new_urls]
        return outcome.arrival

    def run(self, most: int = 100) -> list[str]:
        while len(self.asked) < most and self.crawl.stop(0.0) is None:
            self.step()
        return self.asked


def html(text: str = GOOD, links: Sequence[str] = (), feed: str = "") -> tuple[str, str]:
    head = f'<link rel="alternate" type="application/atom+xml" href="{feed}">' if feed else ""
    return "text/html", f"{head}<p>{text}</p>" + "".join(f"<a href='{link}'>x</a> " for link in links)


def urlset(*urls: str) -> tuple[str, str]:
    return "text/xml", f"<urlset>{''.join(f'<url><loc>{url}</loc></url>' for url in urls)}</urlset>"


def index(*urls: str) -> tuple[str, str]:
    return "text/xml", f"<sitemapindex>{''.join(f'<sitemap><loc>{url}</loc></sitemap>' for url in urls)}</sitemapindex>"


def robots(*urls: str) -> tuple[str, str]:
    return "text/plain", "User-agent: *\nDisallow:\n" + "".join(f"Sitemap: {url}\n" for url in urls)


#: Two relevant pages, after which the host has proved worth it.
START = {f"{HOST}/": html(links=["/1"]), f"{HOST}/1": html()}


def test_a_host_is_asked_once_it_has_proved_worth_it() -> None:
    web = Web(
        {
            **START,
            ROBOTS: robots(f"{HOST}/map.xml"),
            f"{HOST}/map.xml": urlset(f"{HOST}/hidden"),
            f"{HOST}/hidden": html(f"more {GOOD}"),
        }
    )
    assert web.run() == [f"{HOST}/", f"{HOST}/1", ROBOTS, f"{HOST}/map.xml", f"{HOST}/hidden"]
    totals = web.crawl.lists.totals
    assert (totals.asked, totals.brought, totals.links, totals.pages, totals.relevant) == (2, 2, 1, 1, 1)
    assert (web.crawl.totals.pages, web.crawl.totals.failures) == (3, 0)
    assert web.crawl.hosts.picked[0] == 3


@pytest.mark.parametrize(
    "tables",
    [
        {"sources": Sources(after=3, sitemaps=True)},
        {"sources": Sources(after=2, feeds=True)},
        {"sources": Sources(after=1, share=0.9, sitemaps=True), "relevance": Relevance(threshold=0.99)},
    ],
)
def test_a_host_that_has_not_is_not_asked(tables: dict[str, object]) -> None:
    assert Web(START, **tables).run() == [f"{HOST}/", f"{HOST}/1"]


def test_where_robots_txt_names_none_the_usual_places_are_tried() -> None:
    web = Web({**START, ROBOTS: robots(), SITEMAP: html(BAD), INDEX: urlset(f"{HOST}/2"), f"{HOST}/2": html()})
    assert web.run() == [f"{HOST}/", f"{HOST}/1", ROBOTS, SITEMAP, INDEX, f"{HOST}/2"]
    assert web.crawl.totals.pages == 3  # the page in the place of the sitemap is none of the collection
    assert Web(START).run()[2:] == [ROBOTS, SITEMAP, INDEX]


def test_an_index_is_followed_to_a_depth_and_never_round_in_circles() -> None:
    names = [f"{HOST}/index{number}.xml" for number in range(6)]
    answers = {
        name: index(name, following, ROBOTS) for name, following in zip(names, [*names[1:], names[0]], strict=True)
    }
    asked = Web({**START, ROBOTS: robots(names[0]), **answers}).run()
    assert asked[2:] == [ROBOTS, *names[:3]]


def test_lists_of_a_host_are_counted() -> None:
    many = [f"{HOST}/part{number}.xml" for number in range(50)]
    web = Web({**START, ROBOTS: robots(*many)}, sources=Sources(after=2, lists=4, sitemaps=True))
    assert web.run()[2:] == [ROBOTS, *many[:3]]


def test_a_sitemap_speaks_for_its_own_domain() -> None:
    home, elsewhere = "http://solar.com", "http://cdn.com/a.xml"
    web = Web(
        {
            f"{home}/": html(links=["/1"]),
            f"{home}/1": html(),
            f"{home}/robots.txt": robots(elsewhere, f"{home}/index.xml"),
            elsewhere: urlset(f"{home}/own", "http://www.solar.com/sub", "http://cdn.com/x", "http://b.com/y"),
            f"{home}/index.xml": index("http://c.com/map.xml"),
        },
        seeds=(f"{home}/",),
    )
    assert web.run()[3:] == [elsewhere, f"{home}/index.xml", f"{home}/own", "http://www.solar.com/sub"]


def test_a_feed_that_a_relevant_page_names_is_asked_for_and_may_lead_anywhere() -> None:
    feed = (
        "application/rss+xml",
        "<rss><channel><item><title>solar</title><link>http://b.example/new</link></item></channel></rss>",
    )
    answers = {**START, f"{HOST}/1": html(feed="/news.rss"), f"{HOST}/news.rss": feed}
    web = Web(answers, sources=Sources(after=2, feeds=True))
    assert web.run()[2:] == [f"{HOST}/news.rss", "http://b.example/new"]
    assert Web(answers, sources=Sources()).run()[2:] == []
    far = {**START, f"{HOST}/1": html(feed="http://b.example/feed")}
    assert Web(far, sources=Sources(after=2, feeds=True)).run()[2:] == []


def test_a_list_that_waits_as_a_page_is_asked_for_as_a_list() -> None:
    answers = {**START, f"{HOST}/": html(links=["/1", "/sitemap.xml"]), SITEMAP: html(BAD)}
    web = Web(answers)
    assert web.run() == [f"{HOST}/", f"{HOST}/1", ROBOTS, SITEMAP, INDEX]
    assert web.crawl.totals.pages == 2


@pytest.mark.parametrize(
    ("scope", "asked"),
    [
        (Scope(allow=(r"example/($|\d|new)",)), True),
        (Scope(allowed_hosts=("a.example",)), True),
        (Scope(pages_per_host=2), False),
    ],
)
def test_the_scope_says_where_lists_may_lie_not_what_they_are_called(scope: Scope, *, asked: bool) -> None:
    assert (ROBOTS in Web(START, scope=scope).run()) == asked


def test_lists_take_no_place_in_the_budget_and_end_with_it() -> None:
    web = Web(
        {**START, ROBOTS: robots(SITEMAP), SITEMAP: urlset(f"{HOST}/2"), f"{HOST}/2": html()}, budget=Budget(pages=3)
    )
    assert web.run()[-1] == f"{HOST}/2"
    assert Web(START, budget=Budget(pages=2)).run() == [f"{HOST}/", f"{HOST}/1"]


def test_nothing_is_asked_of_a_host_that_a_person_denied_or_that_is_silent() -> None:
    denied, silent = Web(START), Web(START)
    for web in (denied, silent):
        web.run(2)
    denied.crawl.apply(OrderGiven(Order("deny_host", None, "a.example", "")))
    assert denied.crawl.stop(0.0) is not None
    silent.crawl.hosts.silent[0] = 9
    pick = silent.crawl.next()
    assert pick is not None
    silent.crawl.apply(NoList(pick.id, silent=True))
    assert not silent.crawl.lists.waiting


def test_a_sitemap_of_a_trap_does_not_switch_the_defences_off() -> None:
    trap = [f"{HOST}/t{number}" for number in range(400)]
    same = "<p>solar energy " + " ".join(f"word{number}" for number in range(60))
    answers = {**START, ROBOTS: robots(SITEMAP), SITEMAP: urlset(*trap), **dict.fromkeys(trap, ("text/html", same))}
    web = Web(answers, traps=Traps(soft_404=False), relevance=SHORT_PAGES)
    web.run(300)
    assert 0 < sum(url in trap for url in web.asked) < 20


def test_a_snapshot_holds_what_is_asked_for() -> None:
    web = Web({**START, ROBOTS: robots(SITEMAP)})
    web.run(2)
    web.crawl.next()
    state = web.crawl.snapshot()["lists"]
    other: Crawl = Web().crawl
    other.lists.restore(state)
    assert (other.lists.under_way, other.lists.waiting) == (web.crawl.lists.under_way, web.crawl.lists.waiting)
    assert other.lists.under_way
