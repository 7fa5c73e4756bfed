"""Turns: which domains go first when some have had their pages."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from focused.crawl.events import OrderGiven, Started
from focused.crawl.hosts import Hosts
from focused.crawl.standing_orders import Order
from focused.crawl.turns import LATELY, RANK_AFTER, WORTH_WAITING, Turns
from focused.page.page import Page
from focused.page.urls import host_of
from tests.crawl.trap_pages import WORDS, defended, page, text
from tests.crawl.web import address, make_page, restart, run

SEED = "http://seed.com/"
WAITS = "focused.crawl.turns.OVERDRAFT"
LETTERS = str.maketrans("0123456789", "abcdefghij")


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A domain that has had its pages lets others go first, however few pages were taken like this; no newcomer does."""
    monkeypatch.setattr(WAITS, -1.0)
    monkeypatch.setattr("focused.crawl.newcomers.FREE", 1000)


def site(domain: str, pages: int, *, rich: bool = False) -> dict[str, Page]:
    """A site about the topic in which each page leads to the next, and back; it says what others say, or new words as well."""
    urls = [f"http://{domain}/{number}" for number in range(pages + 1)]
    return {
        url: page(url, f"solar solar {text(url)} {new_words(number) if rich else ''}", [after, *urls[:number][-2:]])
        for number, (url, after) in enumerate(pairwise(urls))
    }


def new_words(number: int) -> str:
    """Words that stand nowhere else but on the next page and the one before."""
    names = [str(of).translate(LETTERS) for of in (number, number + 1)]
    return " ".join(f"word{name}{chr(97 + place)}" for name in names for place in range(6))


def small_sites(count: int = 60) -> dict[str, Page]:
    """Sites of one page that is hardly about the topic."""
    return {url: page(url) for number in range(count) if (url := f"http://small{number}.com/")}


def seed_page(links: list[str]) -> dict[str, Page]:
    """A page with all the words that other pages are made of, and a second one; and the first words of a rich site."""
    words = f"{SEED}words"
    return {
        SEED: page(SEED, " ".join([*WORDS, new_words(0)]), [words, *links]),
        words: page(words, " ".join(WORDS[::-1])),
    }


def web_of(*parts: dict[str, Page]) -> dict[str, Page]:
    """A seed that leads to the first page of each part, to each of small sites, and these."""
    first = [url for part in parts for url in part if url.endswith("/0") or url.startswith("http://small")]
    return seed_page(first) | {url: made for part in parts for url, made in part.items()}


def order_of(web: dict[str, Page], strategy: str = "best_first", most: int = 200, **options: bool) -> list[str]:
    crawl = defended(strategy, **options)
    crawl.apply(Started([address(SEED)]))
    return run(crawl, web, most=most)


def before_the_last(order: list[str], part: str, last: str) -> int:
    """Pages of a part before the last page of another."""
    end = max(place for place, url in enumerate(order) if last in url)
    return sum(part in url for url in order[:end])


@pytest.mark.parametrize("strategy", ["best_first", "adaptive", "info_spiders", "dom"])
def test_a_site_that_writes_without_end_lets_others_go_first(strategy: str) -> None:
    order = order_of(web_of(site("endless.com", 150), small_sites()), strategy)
    assert before_the_last(order, "endless", "small") < 40


def test_it_does_not_while_pages_that_were_taken_so_are_less_than_a_share_of_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What says nothing for a site says nothing against it."""
    found = []
    for share in (-1.0, 1 / 3, 2 / 3):
        monkeypatch.setattr(WAITS, share)
        order = order_of(web_of(site("endless.com", 150), small_sites(30)))
        found.append(
            before_the_last(order, "endless", "small") / (1 + max(n for n, url in enumerate(order) if "small" in url))
        )
    strict, third, most = found
    assert strict < third - 0.05 < most - 0.1
    assert third < 0.33 + strict + 0.1


def test_then_it_goes_on() -> None:
    assert sum("endless" in url for url in order_of(web_of(site("endless.com", 150), small_sites()))) > 100


def test_it_does_not_where_turns_are_off() -> None:
    order = order_of(web_of(site("endless.com", 150), small_sites()), turns=False)
    assert before_the_last(order, "endless", "small") > 100


def test_a_rich_site_whose_pages_say_new_words_goes_on() -> None:
    order = order_of(web_of(site("rich.com", 100, rich=True), small_sites()))
    assert before_the_last(order, "rich", "small") > 90


def test_a_domain_of_a_seed_goes_on() -> None:
    web = site("seed.com", 100)
    web |= seed_page(["http://seed.com/0", *small_sites()])
    assert before_the_last(order_of(web | small_sites()), "seed.com/", "small") > 90


def test_a_domain_that_a_person_trusts_goes_on_after_a_restart_as_well() -> None:
    web = web_of(site("endless.com", 150), small_sites())
    crawl = defended("best_first")
    crawl.apply(Started([address(SEED)]))
    begun = run(crawl, web, most=20)
    assert crawl.steering.against(Order("trust_host", argument="com")) == "no URL of its domain is known"
    trust = Order("trust_host", argument="www.endless.com")
    assert crawl.steering.against(trust) == ""
    crawl.apply(OrderGiven(trust))
    begun += run(crawl, web, most=20)
    crawl = restart(crawl, defended("best_first"), [*web, "http://endless.com/150"])
    assert before_the_last([*begun, *run(crawl, web, most=160)], "endless", "small") > 100


def test_names_below_a_domain_share_its_turns() -> None:
    urls = [f"http://n{number}.endless.com/0" for number in range(151)]
    endless = {url: page(url, f"solar solar {text(url)}", [after]) for url, after in pairwise(urls)}
    web = seed_page([urls[0], *small_sites()]) | endless | small_sites()
    assert before_the_last(order_of(web), "endless", "small") < 40


NO_LINKS = (np.empty(0, np.int64), np.empty(0, np.bool_))


def test_an_open_redirect_lends_its_turns_to_nobody() -> None:
    """Pages of another domain, asked for at a trusted one, are pages of theirs."""
    hosts = Hosts()
    turns = Turns(hosts, on=True)
    good, endless = hosts.intern("good.com"), hosts.intern("endless.com")
    turns.begin([good])
    for _ in range(3):
        turns.took(good)
        turns.led(good, endless, *NO_LINKS, good)
    assert (turns.is_over(good), turns.is_over(endless)) == (False, True)
    turns.led(good, hosts.intern("www.good.com"), *NO_LINKS, good)
    assert not turns.is_over(hosts.intern("www.good.com"))


@pytest.mark.parametrize(("pages", "unmet", "over"), [(LATELY - 1, 6, False), (LATELY, 6, True), (LATELY, 3, False)])
def test_a_site_without_end_lets_others_go_first_at_once(monkeypatch, pages: int, unmet: int, over: bool) -> None:
    """Of six links on each of its pages so many lead to pages that nobody has met."""
    monkeypatch.setattr(WAITS, 1.0)
    hosts = Hosts()
    turns = Turns(hosts, on=True)
    site, other = hosts.intern("site.com"), hosts.intern("other.com")
    for _ in range(pages):
        turns.took(site)
        turns.led(site, site, np.array([site] * 6 + [other] * 6), np.arange(12) < unmet, site)
        turns.said(site, 0, NO_LINKS[0])
    assert turns.is_over(site) == over


def test_a_host_that_nobody_has_asked_about_yet_is_no_matter() -> None:
    crawl = defended("best_first")
    crawl.apply(Started([address(SEED)]))
    run(crawl, seed_page(["http://a.com/", "http://b.com/"]), most=2)
    crawl.hosts.intern("new.com")
    assert crawl.traps.turns.take(crawl.frontier) is not None


def test_new_words_earn_a_site_without_end_nothing(monkeypatch) -> None:
    monkeypatch.setattr(WAITS, 1.0)
    found = []
    for unmet in (0.0, 1.0):
        turns = Turns(hosts := Hosts(), on=True)
        site = hosts.intern("site.com")
        for _ in range(100):
            turns.took(site)
            turns.led(site, site, np.array([site]), np.array([unmet > 0]), site)
            turns.said(site, 50, NO_LINKS[0])
        found.append(turns.is_over(site))
    assert found == [False, True]


def test_a_farm_that_links_to_itself_gets_no_more_than_one_site() -> None:
    hosts = [f"farm{number}.com" for number in range(10)]
    farm = {
        f"http://{host}/{number}": page(
            f"http://{host}/{number}",
            f"solar solar {text((host, number))}",
            [f"http://{other}/{number + 1}" for other in hosts],
        )
        for host in hosts
        for number in range(40)
    }
    web = seed_page(["http://farm0.com/0", *small_sites(100)]) | farm | small_sites(100)
    assert before_the_last(order_of(web, most=300), "farm", "small") < 80


@pytest.mark.parametrize(("known", "most"), [(True, 5), (False, 40)])
def test_names_at_one_address_count_as_one_where_it_is_known(known: bool, most: int) -> None:
    farm = {url: page(url, f"solar solar {text(url)}") for number in range(40) if (url := f"http://farm{number}.com/0")}
    others, hub = small_sites(100), "http://hub.com/0"
    web = seed_page([hub, *others]) | {hub: page(hub, f"solar solar {text(hub)}", [*farm])} | farm | others
    crawl = defended("best_first")
    crawl.apply(Started([address(SEED)]))
    for url in farm if known else ():
        crawl.lies_on(host_of(url), "4:7f000001")
    assert most // 2 < sum("farm" in url for url in run(crawl, web, most=100)) <= most


def test_a_site_with_pages_to_spare_lends_them_to_its_neighbours() -> None:
    neighbours = {url: page(url, f"solar {text(url)}") for number in range(20) if (url := f"http://blog{number}.com/0")}
    web = web_of(site("rich.com", 100, rich=True), neighbours, small_sites(100))
    crawl = defended("best_first")
    crawl.apply(Started([address(SEED)]))
    for host in ("rich.com", *map(host_of, neighbours)):
        crawl.lies_on(host, "4:7f000001")
    order = run(crawl, web, most=180)
    assert before_the_last(order, "blog", "small") == 20


def test_a_link_marked_nofollow_vouches_for_nobody() -> None:
    def endless_among(mark: str) -> int:
        """Pages of a site that the seed links to, and each page of a rich one."""
        rich = {
            f"http://rich.com/{number}": make_page(
                f"http://rich.com/{number}",
                f"{text(number)} {new_words(number)}",
                [(f"http://rich.com/{to}", "more") for to in (number + 1, number - 1, 0)]
                + [(f"{mark}http://endless.com/{number}", "solar")],
                body=f"rich {number}",
            )
            for number in range(60)
        }
        endless = {f"http://endless.com/{number}": page(f"http://endless.com/{number}") for number in range(61)}
        web = seed_page(["http://rich.com/0", "http://endless.com/0"]) | rich | endless
        return before_the_last(order_of(web, most=150), "endless", "rich")

    assert endless_among("nofollow:") < endless_among("") / 2


def test_busy_hosts_are_waited_for_before_a_domain_that_has_had_its_pages_is_asked() -> None:
    web = web_of(site("endless.com", 150), small_sites(WORTH_WAITING))
    crawl = defended("best_first")
    crawl.apply(Started([address(SEED)]))
    run(crawl, web, most=1)
    for host in range(len(crawl.hosts)):
        if "small" in crawl.hosts.names[host]:
            crawl.frontier.hold(host)
    order = run(crawl, web)
    assert 0 < len(order) < 40
    crawl.frontier.release(crawl.hosts.names.index("small0.com"))
    assert run(crawl, web)[0] == "http://small0.com/"


def test_a_crawl_that_goes_on_takes_the_same_turns() -> None:
    web = web_of(site("endless.com", 100), site("rich.com", 60, rich=True), small_sites())
    whole = order_of(web, most=180)
    crawl = defended("best_first")
    crawl.apply(Started([address(SEED)]))
    begun = run(crawl, web, most=90)
    assert (
        begun
        + run(
            restart(crawl, defended("best_first"), [*web, "http://endless.com/100", "http://rich.com/60"]), web, most=90
        )
        == whole
    )


def test_hosts_that_were_met_after_the_saved_state_are_no_matter() -> None:
    names = ["seed.com", "a.com", "b.com", *(f"late{number}.com" for number in range(30))]
    hosts, all_hosts = Hosts(), Hosts()
    for name in names:
        all_hosts.intern(name)
    turns, restored = Turns(hosts, on=True), Turns(all_hosts, on=True)
    turns.begin([hosts.intern(names[0])])
    turns.said(0, 9, np.array([hosts.intern(name) for name in names[1:3]]))
    restored.restore(turns.snapshot())
    for name in names:
        hosts.intern(name)
    for one in (turns, restored):
        for _ in range(RANK_AFTER):
            one.took(1)
        one.said(2, 0, np.array([1, 9]))
    assert [restored.is_over(host) for host in range(33)] == [turns.is_over(host) for host in range(33)]
