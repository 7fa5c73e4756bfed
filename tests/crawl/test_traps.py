"""A core that meets traps: what it follows, what it drops, and that it goes on as if it had not been stopped."""

from __future__ import annotations

import pytest

from focused.crawl.crawl import Crawl
from focused.crawl.events import PageArrived, ProbeAnswered, Started
from focused.crawl.scope import ScopeRules
from focused.crawl.traps import OFF
from focused.crawl.url_forms import form_of, repeats
from focused.crawl.world import World
from focused.page.page import Page
from focused.page.urls import without_session_ids
from focused.topic.topic import Scope, Traps
from tests.crawl.trap_pages import defended, page, text
from tests.crawl.web import address, restart, run

SEED = "http://seed.example/"
TEMPLATE = text("calendar", 150)


def started(crawl: Crawl) -> Crawl:
    crawl.apply(Started([address(SEED)]))
    return crawl


def calendar_web(days: int = 60) -> dict[str, Page]:
    """A good site of 20 pages, and a calendar in which every day leads to the next two."""
    good = {f"http://good.example/{number}": page(f"http://good.example/{number}") for number in range(20)}
    calendar = {
        f"http://seed.example/day/{day}": page(
            f"http://seed.example/day/{day}",
            f"{TEMPLATE} day{day}",
            [f"http://seed.example/day/{day + 1}", f"http://seed.example/day/{day + 2}"],
        )
        for day in range(days)
    }
    return {SEED: page(SEED, links=["http://seed.example/day/0", *good]), **good, **calendar}


def reference_web(new_every: int, entries: int = 60, leads_to: str = "") -> dict[str, Page]:
    """A generated reference, whose index names all entries. One entry in so many says something new; all link to the next.

    leads_to : beginning of the URL of another new page that each entry links to
    """
    urls = [f"http://www.ref.com/api/{number}" for number in range(entries)]
    web = {SEED: page(SEED, links=urls)}
    for number, url in enumerate(urls):
        says = text(url, 60) if new_every and number % new_every == 0 else f"{TEMPLATE} entry{number}"
        more = [f"{leads_to}{number}"] if leads_to else []
        web[url] = page(url, says, [urls[(number + 1) % entries], *more])
    return web


def entries_of(order: list[str]) -> int:
    return sum("/api/" in url for url in order)


class TestReferences:
    """A page that hardly says anything new and leads nowhere new may be the entry of a reference; a trap leads on."""

    def test_one_whose_entries_are_alike_is_fetched_whole(self) -> None:
        assert entries_of(run(started(defended()), reference_web(new_every=4))) == 60

    def test_one_that_never_says_anything_new_is_left(self) -> None:
        order = run(started(defended()), reference_web(new_every=0, entries=300))
        assert 5 < entries_of(order) <= 25

    @pytest.mark.parametrize("leads_to", ["http://www.ref.com/day/", "http://day.ref.com/"])
    def test_entries_that_lead_on_within_their_domain_are_a_trap(self, leads_to: str) -> None:
        assert entries_of(run(started(defended()), reference_web(new_every=0, leads_to=leads_to))) <= 6

    def test_a_link_by_which_each_entry_may_be_edited_elsewhere_is_no_way_on(self) -> None:
        web = reference_web(new_every=4, leads_to="http://hoster.example/edit?page=")
        assert entries_of(run(started(defended()), web)) == 60

    def test_copies_of_other_domains_are_left_though_they_lead_nowhere(self) -> None:
        articles = {url: page(url) for url in (f"http://good{number % 3}.org/{number}" for number in range(30))}
        copies = {url.replace("good", "mirror.com/good"): url for url in articles}
        web = {SEED: page(SEED, links=[*articles, *copies]), **articles}
        web |= {url: page(url, text(original)) for url, original in copies.items()}
        order = run(started(defended()), web)
        assert sum(url in articles for url in order) == 30
        assert sum(url in copies for url in order) <= 4

    def test_a_restarted_crawl_goes_on_as_it_would_have(self) -> None:
        web = reference_web(new_every=0, entries=40)
        whole = run(started(defended()), web)
        first = started(defended())
        begun = run(first, web, most=6)
        second = restart(first, defended(), [SEED, *(link.url for one in web.values() for link in one.links)])
        assert begun + run(second, web) == whole


class TestPlaces:
    def test_a_calendar_is_left_after_a_few_days_and_all_else_is_fetched(self) -> None:
        crawl = started(defended())
        order = run(crawl, calendar_web())
        assert sum("/day/" in url for url in order) <= 5
        assert sum("good" in url for url in order) == 20

    def test_each_drop_has_its_reason(self) -> None:
        crawl, reasons = started(defended()), set()
        web = calendar_web()
        while (pick := crawl.next()) is not None:
            url = next(url for url in web if crawl.urls.find(address(url).key) == pick.id)
            reasons |= {why for _, why in crawl.apply(PageArrived(pick.id, web[url], 1)).drops}
        assert reasons <= {
            "nothing new from its directory",
            "nothing new from its part of the site",
            "nothing new from URLs of its form",
            "nothing new from such links of its page",
            "found only on pages that bring nothing new",
        }
        assert reasons

    def test_switched_off_every_day_is_fetched(self) -> None:
        assert sum("/day/" in url for url in run(started(defended(on=False)), calendar_web())) >= 60

    def test_what_brings_nothing_new_is_no_harvest(self) -> None:
        crawl = started(defended(patience=0, detour=0))
        run(crawl, calendar_web())
        assert crawl.totals.stale == 59
        assert crawl.totals.pages == 81

    def test_a_seed_that_brings_nothing_new_is_followed_all_the_same(self) -> None:
        stuffed = page(SEED, " ".join(["solar power"] * 100), ["http://a.example/", "http://b.example/"])
        order = run(started(defended()), {SEED: stuffed})
        assert order == [SEED, "http://a.example/", "http://b.example/"]

    @pytest.mark.parametrize("stop_after", [1, 5, 17])
    def test_a_restarted_crawl_drops_and_picks_what_it_would_have(self, stop_after: int) -> None:
        web = calendar_web()
        whole = run(started(defended()), web)
        first = started(defended())
        begun = run(first, web, most=stop_after)
        second = restart(first, defended(), [SEED, *(link.url for one in web.values() for link in one.links)])
        assert begun + run(second, web) == whole


class TestProbes:
    def test_a_host_is_asked_for_a_page_that_cannot_be(self) -> None:
        crawl = started(defended(world=World({"solar": 1}, probes=True)))
        pick = crawl.next()
        assert pick is not None
        links = [f"http://soft.example/{number}" for number in range(20)]
        crawl.apply(PageArrived(pick.id, page(SEED, links=links), 1))
        says, probed = text("sorry", 60), set()
        fetched = 0
        while (pick := crawl.next()) is not None:
            if pick.id in crawl.traps.probes:
                probed.add(crawl.hosts.names[pick.host])
                crawl.apply(ProbeAnswered(pick.id, page("http://soft.example/x", says + " here")))
                continue
            fetched += 1
            url = f"http://soft.example/{fetched}"
            crawl.apply(PageArrived(pick.id, page(url, f"{says} {text(url, 25)}"), 1))
        assert probed == {"soft.example"}
        assert fetched < 12
        assert crawl.totals.failures == 0

    def test_nothing_is_asked_where_the_driver_cannot(self) -> None:
        crawl = started(defended())
        run(crawl, calendar_web())
        assert not crawl.traps.probes.snapshot()["urls"]


class TestUrls:
    @pytest.mark.parametrize(
        ("url", "why"),
        [
            ("http://a.example/" + "a" * 300, "URL too long"),
            ("http://a.example/" + "/".join("abcdefghijklmnopqr"), "path too deep"),
            ("http://a.example/x/y/x/z/x/", "path repeats itself"),
            ("http://a.example/?" + "&".join(f"p{number}=1" for number in range(9)), "too many parameters"),
            ("http://a.example/en/docs/en/", ""),
        ],
    )
    def test_one_that_a_program_makes_without_end_is_not_followed(self, url: str, why: str) -> None:
        assert ScopeRules(Scope()).verdict(url, "a.example") == why

    def test_urls_of_one_program_have_one_form(self) -> None:
        assert form_of("http://a.example/2031/05/?view=day")[2] == form_of("http://a.example/2032/11/?view=day")[2]
        assert form_of("http://a.example/blog/a-post")[2] != form_of("http://a.example/blog/77")[2]

    def test_a_path_repeats_what_stands_in_it_most_often(self) -> None:
        assert (repeats("a/b/a/b/a/"), repeats("")) == (3, 0)

    @pytest.mark.parametrize(
        ("url", "same"),
        [
            ("http://a.example/x;jsessionid=0A1B2C3D", "http://a.example/x"),
            ("http://a.example/(S(lit3py55t21z5v55vlm25s55))/x", "http://a.example/x"),
            ("http://a.example/x?PHPSESSID=0123456789abcdef&id=7", "http://a.example/x?id=7"),
            ("http://a.example/x?id=7&sid=0123456789", "http://a.example/x?id=7"),
            ("http://a.example/x?sid=7", "http://a.example/x?sid=7"),
            ("http://a.example/wiki/Sun_(star)/x", "http://a.example/wiki/Sun_(star)/x"),
        ],
    )
    def test_session_identifiers_are_no_part_of_a_url(self, url: str, same: str) -> None:
        assert without_session_ids(url) == same


class TestGoodPagesStay:
    """What traps are must not be held against those that link to them, or that they copy."""

    def test_traps_in_a_list_take_no_good_link_of_the_list_with_them(self) -> None:
        stuffed = {f"http://trap{n}.example/": page(f"http://trap{n}.example/", "solar power " * 60) for n in range(6)}
        good = {f"http://good{n}.example/": page(f"http://good{n}.example/") for n in range(6)}
        mixed = [url for pair in zip(stuffed, good, strict=True) for url in pair]
        order = run(started(defended()), {SEED: page(SEED, links=mixed), **stuffed, **good})
        assert sum("good" in url for url in order) == 6

    def test_links_without_end_to_one_domain_are_left(self) -> None:
        traps = [f"http://trap{n}.evil.com/" for n in range(30)]
        order = run(
            started(defended()), {SEED: page(SEED, links=traps)} | {url: page(url, "sun " * 60) for url in traps}
        )
        assert len(order) < 6

    def test_a_site_whose_pages_a_newcomer_had_first_stays(self) -> None:
        good = {f"http://good.example/{n}": page(f"http://good.example/{n}") for n in range(12)}
        copied = {
            f"http://copy{n}.example/": page(f"http://copy{n}.example/", f"{text(url)} x")
            for n, url in enumerate([*good][:4])
        }
        order = run(started(defended()), {SEED: page(SEED, links=[*copied, *good]), **copied, **good})
        assert sum("good" in url for url in order) == 12

    def test_a_page_that_two_pages_without_news_link_to_is_fetched(self) -> None:
        first, second, third = (f"http://seed.example/{name}" for name in ("a", "b", "c"))
        fourth, wanted, never = "http://seed.example/d", "http://other.example/", "http://never.example/"
        web = {
            SEED: page(SEED, TEMPLATE, [first]),
            first: page(first, f"{TEMPLATE} a", [second, third]),
            second: page(second, f"{TEMPLATE} b", [wanted, never]),
            third: page(third, f"{TEMPLATE} c", [wanted, fourth]),
            wanted: page(wanted),
        }
        order = run(started(defended(patience=0)), web)
        assert wanted in order
        assert never not in order

    def test_a_redirect_to_a_stuffed_page_says_nothing_against_the_site_that_redirects(self) -> None:
        outs, good = [f"{SEED}out?u={n}" for n in range(12)], [f"{SEED}{n}" for n in range(12)]
        trap = {out: page(f"http://trap{n}.example/", "solar power " * 60) for n, out in enumerate(outs)}
        order = run(
            started(defended()), {SEED: page(SEED, links=[*outs, *good])} | {url: page(url) for url in good} | trap
        )
        assert sum(url in good for url in order) == 12
        assert sum(url in outs for url in order) <= 3


def test_without_traps_each_defence_is_off_whatever_options_there_are() -> None:
    assert {name for name, value in OFF if value} == set()
    assert OFF.model_fields_set == Traps.model_fields.keys()
