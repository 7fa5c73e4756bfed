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
from focused.reading.urls import UrlRules, host_of
from focused.simulation.known_webs import open_web
from lab.topics.labelled_topics import reachable
from lab.webs.traps import NONE, SETS, TrapOptions, TrapWeb, as_asked, kinds
from lab.webs.traps_good import MANNERS
from lab.webs.traps_trap import Trap

HREF = re.compile(r'<a href="([^"]+)"|0;url=([^\']+)')
RULES = UrlRules()
SMALL = {"good": 60, "others": 150}
KINDS = [(chosen, kind) for chosen in SETS for kind in kinds(chosen)]
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

    def test_another_seed_makes_another_web(self, web: TrapWeb) -> None:
        other = web_of(web.options.set, seed=3)
        assert other.options.topic == web.options.topic
        assert not set(other.urls()) & set(web.urls())

    def test_every_url_is_canonical_and_listed_once(self, web: TrapWeb) -> None:
        urls = list(web.urls())
        assert len(set(urls)) == len(urls)
        assert [url for url in urls if RULES.canonical(url) != url] == []
        assert len({RULES.key(url) for url in urls}) == len(urls)

    def test_articles_are_as_many_as_were_asked_for(self, web: TrapWeb) -> None:
        relevant = set(web.relevant_urls())
        assert len(relevant) == SMALL["good"]
        assert len(web.good.articles) == SMALL["good"] + SMALL["others"]
        assert relevant <= set(web.urls())

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

    def test_no_two_good_articles_have_the_same_text(self, web: TrapWeb) -> None:
        texts = [tuple(web.good.content(page).paragraphs) for page in web.good.articles]
        assert len(set(texts)) == len(texts)


class TestTraps:
    @pytest.mark.parametrize(("chosen", "kind"), KINDS)
    def test_a_trap_is_entered_from_the_good_web_and_knows_its_kind(self, chosen: str, kind: str) -> None:
        web = web_of(chosen, kind)
        entered = {link for url in web.urls() for link in links_of(web, url)} - set(web.urls())
        assert {web.kind_of_trap(url) for url in entered} == {kind}
        assert all(web.is_trap(url) for url in entered)
        assert {web.kind_of_trap(url) for url in web.urls()} == {None}

    @pytest.mark.parametrize(("chosen", "kind"), KINDS)
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

    @pytest.mark.parametrize(("chosen", "kind"), KINDS)
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

    def test_sites_share_addresses_as_real_ones_do(self) -> None:
        web = TrapWeb()
        above = Counter(host.partition(".")[2] for host in web.good.sites if host.count(".") == 2)
        platform = max(set(above) - {"co.uk", "ac.uk"}, key=above.__getitem__)
        of_blogs = [host for host in web.good.sites if host.endswith(f".{platform}")]
        assert len(of_blogs) == MANNERS["seen"].blogs
        assert len({web.address(host) for host in of_blogs}) == 1
        farm = next(trap for trap in web.traps if trap.kind == "farm")
        assert len({web.address(host) for host in farm.hosts}) < len(farm.hosts) / 10
        sites = [web.address(host) for host in web.good.sites if host not in of_blogs]
        assert len(sites) / 2 < len(set(sites)) < len(sites)

    def test_a_page_that_cannot_be_is_not_found_on_good_sites_but_those_with_a_trap_for_it(self, web: TrapWeb) -> None:
        answers = [web.answer(f"http://{host}/no-such-page-{number}") for number, host in enumerate(web.good.sites)]
        assert sum(answer is None or answer.status != 404 for answer in answers) == 1

    def test_good_articles_keep_their_places_when_traps_lie_on_their_hosts(self) -> None:
        web = web_of("seen")
        host = next(trap.host for trap in web.traps if trap.site)
        assert [url for url in web.urls() if host_of(url) == host and web.is_trap(url)] == []


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
