"""The trap web is what it promises: a good web with an end, traps without one, the same for the same seed, true to itself."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from html import unescape
from itertools import islice

import pytest
from tldextract import TLDExtract

from focused.exceptions import WebError
from focused.page.urls import UrlRules, host_of
from focused.simulation.known_webs import open_web
from lab.topics.labelled_topics import reachable
from lab.webs.traps import KINDS, NONE, SETS, TrapOptions, TrapWeb, as_asked, kinds
from lab.webs.traps_text import DATA, FRESH, SEEN
from lab.webs.traps_trap import Trap

HREF = re.compile(r'<a href="([^"]+)"|0;url=([^\']+)')
RULES = UrlRules()
SMALL = {"good": 60, "others": 150}
ALL_KINDS = [(chosen, kind) for chosen in SETS for kind in kinds(chosen)]
SUFFIXES = TLDExtract(suffix_list_urls=(), cache_dir=None)
ENDLESS = 40  #: pages that are followed into a trap


@cache
def web_of(chosen: str, only: str = "", seed: int = 1) -> TrapWeb:
    return TrapWeb(TrapOptions(**SMALL, seed=seed, set=chosen, only=only))


def body(web: TrapWeb, url: str) -> str:
    answer = web.answer(url)
    assert answer is not None
    assert answer.status == 200, url
    return answer.body.decode()


def links_of(web: TrapWeb, url: str) -> list[str]:
    """What a page leads to, as a browser asks for it, or where it sends its visitor."""
    answer = web.answer(url)
    assert answer is not None, url
    targets = (
        [answer.header("Location")] if answer.header("Location") else map("".join, HREF.findall(answer.body.decode()))
    )
    return [found for target in targets if (found := as_asked(unescape(target), url))]


@pytest.fixture(scope="module", params=SETS)
def web(request: pytest.FixtureRequest) -> TrapWeb:
    return web_of(request.param)


class TestGoodPart:
    def test_the_same_seed_makes_the_same_web_in_whatever_order_it_is_asked(self, web: TrapWeb) -> None:
        urls = list(islice(web.urls(), 0, None, 20))
        other = TrapWeb(web.options)
        assert {url: body(other, url) for url in reversed(urls)} == {url: body(web, url) for url in urls}

    def test_all_good_pages_are_reached_from_the_seeds_without_any_trap(self, web: TrapWeb) -> None:
        good = set(web.urls())
        found = reachable(web.good.seeds, lambda url: [link for link in links_of(web, url) if link in good])
        assert good <= found | set(web.good.seeds)

    def test_it_has_what_looks_like_a_trap_and_is_none(self) -> None:
        good = TrapWeb(TrapOptions(only=NONE)).good
        relevant = [page.url for page in good.relevant]
        assert max(map(len, relevant)) > 130
        assert any("/en/docs/en/" in url for url in relevant)
        assert any("?id=" in url for url in relevant)
        assert any("page=7" in url for url in good.pages)
        by_host = [sum(host_of(url) == host for url in relevant) for host in good.sites]
        assert max(by_host) == 60
        domains = {SUFFIXES.extract_str(host).top_domain_under_public_suffix for host in good.sites}
        assert 30 < len(domains) < len(good.sites) - 10  # a platform has many blogs


class TestTraps:
    @pytest.mark.parametrize(("chosen", "kind"), ALL_KINDS)
    def test_a_trap_is_entered_from_the_good_web_and_knows_its_kind(self, chosen: str, kind: str) -> None:
        web = web_of(chosen, kind)
        entered = {link for url in web.urls() for link in links_of(web, url)} - set(web.urls())
        assert {web.kind_of_trap(url) for url in entered} == {kind}
        assert all(web.is_trap(url) for url in entered)
        assert {web.kind_of_trap(url) for url in web.urls()} == {None}

    @pytest.mark.parametrize(("chosen", "kind"), ALL_KINDS)
    def test_a_trap_goes_on_and_on_and_each_page_is_the_same_when_asked_again(self, chosen: str, kind: str) -> None:
        web, again = web_of(chosen, kind), TrapWeb(TrapOptions(**SMALL, set=chosen, only=kind))
        for trap in web.traps:
            door = as_asked(trap.doors(trap.of("doors"))[0].url)
            assert door is not None
            seen, waiting = {door}, [door]
            for url in islice(_taken(waiting), ENDLESS):
                assert web.answer(url) == again.answer(url)
                new = {link for link in links_of(web, url) if web.kind_of_trap(link) == kind} - seen
                seen |= new
                waiting += sorted(new)
            assert len(seen) >= (ENDLESS if is_endless(trap) else 10), trap.seed

    @pytest.mark.parametrize(("chosen", "kind"), ALL_KINDS)
    def test_a_copy_has_an_original_and_nothing_else_has(self, chosen: str, kind: str) -> None:
        web = web_of(chosen, kind)
        doors = [as_asked(door.url) or "" for trap in web.traps for door in trap.doors(trap.of("doors"))]
        originals = {web.original_of(url) for url in doors}
        assert originals - {None} <= set(web.urls())
        assert (originals != {None}) == any(type(trap).original is not Trap.original for trap in web.traps)

    def test_hosts_of_a_zone_are_without_number_and_lie_on_one_address(self) -> None:
        web = web_of("seen", "wildcard")
        zone = web.traps[0].zone
        names = [f"{name}.{zone}" for name in ("a", "b-2", "x.y")]
        assert all(name in web.hosts for name in names)
        assert len({web.address(name) for name in names}) == 1
        assert f"not{zone}" not in web.hosts

    def test_a_page_that_cannot_be_is_not_found_on_good_sites_but_those_with_a_trap_for_it(self, web: TrapWeb) -> None:
        answers = [web.answer(f"http://{host}/no-such-page-{number}") for number, host in enumerate(web.good.sites)]
        assert sum(answer is None or answer.status != 404 for answer in answers) == 1


class TestNames:
    def test_it_is_opened_by_name(self) -> None:
        web = open_web(["traps:good=20,others=30,seed=2,set=seen,only=farm+calendar"])
        assert isinstance(web, TrapWeb)
        assert web.options == TrapOptions(20, 30, 2, "seen", "farm+calendar")
        assert {trap.kind for trap in web.traps} == {"farm", "calendar"}
        assert isinstance(open_web(["traps"]), TrapWeb)

    def test_what_is_elsewhere_is_not_there(self) -> None:
        web = web_of("seen", NONE)
        seed = web.good.seeds[0]
        assert web.answer("http://elsewhere.example/") is None
        for url in (f"{seed}-none", seed.replace("http://", "https://"), f"http://{host_of(seed)}/robots.txt"):
            answer = web.answer(url)
            assert answer is not None
            assert answer.status == 404

    @pytest.mark.parametrize(
        ("name", "told"),
        [
            ("traps:good=many", "good='many': give a number"),
            ("traps:good=1", "good=1: give a number from 5 to 20,000"),
            ("traps:set=both", "set=both: choose from seen, fresh"),
            ("traps:only=pit", "only=pit: no such trap in this set"),
            ("traps:size=5", "option size"),
        ],
    )
    def test_a_name_that_means_no_web_is_told(self, name: str, told: str) -> None:
        with pytest.raises(WebError, match=re.escape(told)):
            open_web([name])


def is_endless(trap: Trap) -> bool:
    """Copies of so many articles have an end."""
    return trap.kind not in ("mirror", "staging_copy")


def _taken(waiting: list[str]) -> Iterator[str]:
    while waiting:
        yield waiting.pop(0)


OLDER = (SEEN,)


def fresh(only: str = "") -> TrapWeb:
    return web_of(FRESH, only)


def doors_of(trap: Trap) -> list[str]:
    return [as_asked(door.url) or "" for door in trap.doors(trap.of("doors"))]


def followed(web: TrapWeb, start: str, count: int = 10_000) -> set[str]:
    """Pages of a trap that one leads to, nearest first, until there are so many."""
    seen, waiting = {start}, [start]
    while waiting and len(seen) < count:
        new = {link for link in links_of(web, waiting.pop(0)) if web.is_trap(link)} - seen
        seen |= new
        waiting += sorted(new)
    return seen


def _top(html: str) -> str:
    """The first tag of a page's body."""
    return html.partition("<body>\n")[2].partition(">")[0]


class TestWhatIsNew:
    def test_kinds_topics_and_words_of_links_are_not_those_of_the_other_sets(self) -> None:
        older = [kinds(chosen) for chosen in OLDER]
        assert len(kinds(FRESH)) == len(KINDS[FRESH]) == 18
        assert not any(kinds(FRESH).keys() & names.keys() for names in older)
        assert not set(DATA["sets"][FRESH]["topics"]) & {
            topic for chosen in OLDER for topic in DATA["sets"][chosen]["topics"]
        }
        sentences = {sentence for chosen in OLDER for sentence, _ in DATA["sets"][chosen]["spam"] if sentence}
        assert not sentences & {sentence for sentence, _ in DATA["sets"][FRESH]["spam"]}

    def test_no_trap_is_made_of_one_of_the_other_sets(self) -> None:
        older = tuple(kind for chosen in OLDER for kind in KINDS[chosen])
        assert not any(issubclass(kind, older) for kind in KINDS[FRESH])

    def test_good_sites_name_their_pages_and_are_made_in_ways_of_their_own(self) -> None:
        first, other = TrapWeb(TrapOptions(**SMALL)).good, fresh().good
        assert not {site.style for site in first.sites.values()} & {site.style for site in other.sites.values()}
        assert 5 < sum(host.startswith("www.") for host in other.sites) < len(other.sites) / 2
        tops = [{_top(good.html(page).decode()) for page in good.relevant} for good in (first, other)]
        assert min(map(len, tops)) > 2
        assert not tops[0] & tops[1]


class TestGoodSites:
    def test_sites_about_the_topic_link_to_each_other_and_back(self) -> None:
        good = fresh().good
        about = {page.site.host for page in good.relevant}
        partners = {host: {host_of(link.url) for link in good.template(good.sites[host]).footer} for host in about}
        partners = {host: others & good.sites.keys() for host, others in partners.items()}
        links = [(host, other) for host, others in partners.items() for other in others & about]
        assert len(links) >= 4 * len(about)
        back = sum(host in partners[other] for host, other in links)
        assert back > 0.9 * len(links)


class TestFreshTraps:
    @pytest.mark.parametrize("kind", kinds(FRESH))
    def test_pages_of_a_trap_lead_to_pages_that_are_there(self, kind: str) -> None:
        web = fresh(kind)
        for trap in web.traps:
            entered = [link for url in doors_of(trap) for link in links_of(web, url)]
            assert entered
            for link in entered:
                answer = web.answer(link)
                assert answer is not None, link
                assert answer.status in (200, 302), link

    def test_a_copy_of_a_site_has_an_end_and_all_its_articles(self) -> None:
        web = fresh("staging_copy")
        for trap in web.traps:
            copies = followed(web, doors_of(trap)[0])
            shown = Counter(web.original_of(url) for url in copies)
            (copied,) = {host_of(url) for url in shown if url}
            assert {url for url in shown if url} == {page.url for page in web.good.articles if page.site.host == copied}
            assert set(Counter(filter(None, map(web.original_of, copies))).values()) == {1}

    def test_texts_of_good_articles_cite_domains_that_expired(self) -> None:
        web = fresh("expired_domains")
        (trap,) = web.traps
        citing = [page for page in web.good.relevant if any(host_of(link.url) in trap.hosts for link in page.inline)]
        assert len(citing) > 20
        main = body(web, citing[0].url).partition("<footer")[0]
        assert any(f'<a href="http://{host}' in main for host in trap.hosts)
