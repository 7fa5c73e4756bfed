"""Variants of URLs: what made URLs copies of each other is learned, and only that."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from focused.crawl import variants as variants_module
from focused.crawl.crawl import Crawl
from focused.crawl.hosts import Hosts
from focused.crawl.novelty import NEAR, Finding
from focused.crawl.url_table import UrlTable
from focused.crawl.variants import ENOUGH, MOST_RULES, TRIED, VARIANT, Difference, Variants, difference
from focused.reading.page import Page
from focused.reading.urls import UrlRules
from tests.crawl.trap_pages import defended, page, text
from tests.crawl.web import address, restart, run

SEED = "http://seed.example/"
SITE = "http://site.com"


def left(urls: list[str]) -> set[str]:
    """Those of some variants that are fetched: the first, until they are known for variants, and then one in `TRIED`."""
    return {*urls[:ENOUGH], *(url for url in urls if UrlRules.key(url) % TRIED == 0)}


def patient(**options: object) -> Crawl:
    """A core that leaves no place, so that only what is learned of URLs keeps it from copies."""
    crawl = defended(patience=0, detour=0, turns=False, **options)
    crawl.start([address(SEED)])
    return crawl


def web_of(originals: list[str], copies: list[str], *, differ: bool = False) -> dict[str, Page]:
    """Each original leads to its copy, and the seed to all originals; ``differ``: what look like copies are none."""
    web = {SEED: page(SEED, links=originals)}
    for one, other in zip(originals, copies, strict=True):
        web[one] = page(one, text(one), [other])
        web[other] = page(other, text(other if differ else one))
    return web


def variants(form: str, count: int = 12) -> tuple[list[str], list[str]]:
    """URLs of articles and those of their copies, which have this form."""
    names = [f"{first}{second}" for first in "bcdfghklmn" for second in "aeiouy"][:count]
    plain = re.sub(r"(?<=//)amp\.|(?<!/)[/;.]amp", "", form)
    return [plain.replace("NAME", name) for name in names], [form.replace("NAME", name) for name in names]


parts = st.lists(st.sampled_from(["a", "amp", "v1", "12", ".", "/", ";", "=", "-", "print"]), max_size=8).map("".join)
urls = st.builds(
    "{}://{}/{}{}".format,
    st.sampled_from(["http", "https"]),
    st.sampled_from(["x.org", "m.x.org"]),
    parts,
    st.sampled_from(["", "?", "?a=1"]),
)

FORMS = [
    f"{SITE}/NAME/amp/",
    f"{SITE}/NAME/amp",
    f"{SITE}/amp/NAME",
    f"{SITE}/news/amp/NAME?id=1",
    f"{SITE}/NAME;amp",
    f"{SITE}/NAME.amp.html",
    "http://amp.site.com/NAME",
]


class TestDifferences:
    @pytest.mark.parametrize(
        ("longer", "shorter", "old", "new"),
        [
            ("http://x.org/a/amp/", "http://x.org/a/", "/amp/\n", "/\n"),
            ("http://x.org/print/a", "http://x.org/a", "/print/", "/"),
            ("http://x.org/a.print.html", "http://x.org/a.html", ".print.", "."),
            ("http://x.org/a;v=17", "http://x.org/a", ";v=#\n", "\n"),
            ("http://x.org/v3/a", "http://x.org/v2/a", "/v3/", "/v2/"),
            ("http://x.org/en/a", "http://x.org/de/a", "/en/", "/de/"),
            ("http://m.x.org/a?b=1", "http://x.org/a?b=1", "://m.x.org/", "://x.org/"),
            ("https://x.org/a", "http://x.org/a", "https://", "http://"),
            ("http://x.org/a/index.html", "http://x.org/a/", "/index.html\n", "/\n"),
        ],
    )
    def test_one_place_leads_from_the_longer_url_to_the_shorter(
        self, longer: str, shorter: str, old: str, new: str
    ) -> None:
        for pair in ((longer, shorter), (shorter, longer)):
            assert difference(*pair) == (longer, Difference(old, new))
        assert Difference(old, new).applied(longer) == shorter

    @pytest.mark.parametrize(
        "other",
        ["http://x.org/a/b?c=1", "http://x.org/a/b", "http://x.org/" + "long" * 20, "http://x.org/" + "a/" * 200],
    )
    def test_urls_that_differ_otherwise_have_none(self, other: str) -> None:
        assert difference("http://x.org/a/b?c=2" if "?" in other else "http://x.org/a/b", other) is None

    def test_numbers_stand_for_any_where_they_go(self) -> None:
        assert Difference(";v=#\n", "\n").applied("http://x.org/a;v=2031") == "http://x.org/a"

    @pytest.mark.parametrize(
        ("found", "url"),
        [
            (Difference(".evil.", "."), "http://victim.evil.com/a"),
            (Difference("://evil.com/", "://bank.com/"), "http://evil.com/a"),
        ],
    )
    def test_no_difference_leads_to_another_domain(self, found: Difference, url: str) -> None:
        assert found.applied(url) == url

    def test_a_path_that_begins_like_its_host_is_still_a_path(self) -> None:
        assert Difference("/x.org/", "/").applied("http://x.org/x.org/a") == "http://x.org/a"

    def test_a_word_is_no_part_of_another_word(self) -> None:
        assert Difference("/amp/", "/").applied("http://x.org/lamp/a") == "http://x.org/lamp/a"

    @given(urls, urls)
    @example("http://x.org/aa.aaa.a", "http://x.org/aa/aaa.a")
    def test_any_two_urls_differ_in_the_same_way_from_either_side(self, one: str, other: str) -> None:
        found = difference(one, other)
        assert found == difference(other, one)
        if found:
            changed = found[1].applied(found[0])
            assert "\n" not in changed
            assert changed != found[0]
            assert isinstance(UrlRules.key(changed), int)


class TestBounds:
    def test_a_host_with_urls_without_end_takes_no_more_memory_than_others(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(variants_module, "MOST_TEXTS", 300)
        monkeypatch.setattr(variants_module, "MOST_LONGER", 50)
        monkeypatch.setattr(variants_module, "MOST_OF_HOST", 100)
        urls, hosts = UrlTable(), Hosts()
        learned = Variants(urls, hosts)
        for number in range(900):
            url = f"http://host{number // 150}.com/{number}/" + "x/" * (number % 7)
            copy, original = page(url + "amp/"), page(url)
            ids, _ = urls.meet(np.array([copy.key, original.key]))
            urls.host[ids] = hosts.intern(copy.host)
            learned.fetched[ids] = True
            learned.learn(int(ids[1]), original, Finding())
            learned.learn(int(ids[0]), copy, Finding(NEAR, int(ids[1]), -1.0))
        state = learned.snapshot()
        assert sum(len(texts) for _, texts in state["texts"]) <= 300
        assert all(len(texts) <= 100 for _, texts in state["texts"])
        assert all(len(known) <= MOST_RULES for _, known in state["points"])
        assert len(state["longer"]) <= 50

    def test_a_site_with_names_without_end_pushes_out_nothing_that_others_have_taught(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(variants_module, "MOST_TEXTS", 300)
        monkeypatch.setattr(variants_module, "MOST_OF_DOMAIN", 100)
        urls, hosts = UrlTable(), Hosts()
        learned = Variants(urls, hosts)
        texts = ["http://good.org/page", *(f"http://h{number}.evil.com/" for number in range(1_000))]
        for url, link in enumerate(texts):
            urls.meet(np.array([UrlRules.key(link)]))
            learned.meet(url, link)
        kept = dict(learned.snapshot()["texts"])
        assert "good.org" in kept
        assert len(kept) <= 101

    def test_a_habit_ends_also_on_a_host_with_more_urls_than_are_remembered(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(variants_module, "MOST_OF_HOST", 20)
        urls, hosts = UrlTable(), Hosts()
        learned = Variants(urls, hosts)

        def arrive(url: str, finding: Finding) -> int:
            ids, _ = urls.meet(np.array([UrlRules.key(url)]))
            urls.host[ids] = hosts.intern("site.com")
            learned.fetched[ids] = True
            learned.learn(int(ids[0]), page(url), finding)
            return int(ids[0])

        for number in range(8):
            original = arrive(f"{SITE}/a{number}/", Finding())
            arrive(f"{SITE}/a{number}/amp/", Finding(NEAR, original, -1.0))
        for number in range(30):
            arrive(f"{SITE}/filler{number}x", Finding())
        for number in range(8):
            arrive(f"{SITE}/b{number}/", Finding())
            arrive(f"{SITE}/b{number}/amp/", Finding())
        ((_, known),) = learned.snapshot()["points"]
        assert max(points for *_, points in known) < ENOUGH


class TestHabits:
    @pytest.mark.parametrize("form", FORMS)
    def test_what_makes_copies_is_learned_and_the_others_are_left_out(self, form: str) -> None:
        originals, copies = variants(form)
        order = run(patient(), web_of(originals, copies))
        assert set(originals) < set(order)
        assert set(copies) & set(order) == left(copies)

    @pytest.mark.parametrize("form", FORMS)
    def test_what_makes_no_copies_is_not_left_out(self, form: str) -> None:
        originals, others = variants(form)
        assert set(run(patient(), web_of(originals, others, differ=True))) >= {*originals, *others}

    @pytest.mark.parametrize("form", FORMS)
    def test_where_copies_come_first_the_originals_are_left_out(self, form: str) -> None:
        originals, copies = variants(form)
        order = run(patient(), web_of(copies, originals))
        assert set(copies) < set(order)
        assert set(originals) & set(order) == left(originals)

    def test_switched_off_all_are_fetched(self) -> None:
        originals, copies = variants(FORMS[0])
        assert set(run(patient(variants=False), web_of(originals, copies))) >= {*originals, *copies}

    def test_what_is_tried_ends_a_habit_that_holds_no_more(self) -> None:
        originals, others = variants(FORMS[0], 60)
        web = web_of(originals, others) | {url: page(url, text(url)) for url in others[ENOUGH:]}
        for one, other, following in zip(originals, others, originals[1:], strict=False):
            web[one] = page(one, text(one), [other, following])
        web[SEED] = page(SEED, links=originals[:1])
        first = next(place for place, url in enumerate(others) if place >= ENOUGH and url in left(others))
        order = run(patient(), web)
        assert set(others) & set(order) == {*others[:ENOUGH], *others[first:]}
        assert first > ENOUGH

    def test_a_drop_has_its_reason(self) -> None:
        originals, copies = variants(FORMS[0])
        crawl, web, whys = patient(), web_of(originals, copies), set()
        while (pick := crawl.next()) is not None:
            url = next(url for url in web if crawl.urls.find(address(url).key) == pick.id)
            whys |= {why for _, why in crawl.fetched(pick.id, web[url], 1).drops}
        assert whys == {VARIANT}

    def test_what_waits_is_dropped_when_it_is_learned_and_one_of_two_stays(self) -> None:
        originals, copies = variants(FORMS[0])
        web = web_of(originals, copies)
        web[SEED] = page(SEED, links=[*originals[:ENOUGH], *copies, *originals[ENOUGH:]])
        order = run(patient(), web)
        assert order[1 : 1 + 2 * ENOUGH] == [*originals[:ENOUGH], *copies[:ENOUGH]]
        assert set(order[1 + 2 * ENOUGH :]) == {*originals[ENOUGH:], *left(copies)} - set(copies[:ENOUGH])

    def test_two_variants_of_an_unknown_page_are_one(self) -> None:
        originals, copies = variants(FORMS[0])
        prints = [f"{url}print/" for url in originals]
        web = web_of(originals[:ENOUGH], copies[:ENOUGH]) | web_of(originals[ENOUGH:8], prints[ENOUGH:8])
        web |= {url: page(url, text(url), [prints[-1]]) for url in copies[-1:]}
        web |= {url: page(url, text(copies[-1])) for url in prints[-1:]}
        web[SEED] = page(SEED, links=[*originals[:8], f"{SITE}/x"])
        web[f"{SITE}/x"] = page(f"{SITE}/x", text("x"), copies[-1:])
        order = run(patient(), web)
        assert copies[-1] in order
        assert prints[-1] not in order

    def test_a_page_that_says_nothing_new_and_declares_its_article_teaches_as_well(self) -> None:
        originals, copies = variants(FORMS[0])
        web = web_of(originals, copies)
        for one, other in zip(originals, copies, strict=True):
            web[other] = page(other, " ".join(text(one).split()[:60]), canonical=one)  # half of it: no near copy
        assert set(copies) & set(run(patient(), web)) == left(copies)

    def test_a_page_that_is_too_short_to_be_judged_ends_no_habit(self) -> None:
        originals, copies = variants(FORMS[0])
        web = web_of(originals, copies) | {url: page(url, f"a stub of {url}") for url in copies[ENOUGH:]}
        assert set(copies) & set(run(patient(), web)) == left(copies)

    def test_a_page_that_failed_stands_for_none(self) -> None:
        originals, copies = variants(FORMS[0])
        web = web_of(originals, copies)
        last, copy = originals[-1], copies[-1]
        del web[last]
        web[SEED] = page(SEED, links=[*originals, f"{SITE}/x"])
        web[f"{SITE}/x"] = page(f"{SITE}/x", text("x"), [copy])
        assert copy in run(patient(), web)

    def test_nothing_is_learned_from_copies_of_another_domain(self) -> None:
        originals, _copies = variants("http://amp.site.com/NAME")
        thefts = [url.replace("site.com", "thief.net") for url in originals]
        order = run(patient(), web_of(thefts, originals))
        assert set(originals) < set(order)

    @pytest.mark.parametrize(
        ("longer", "shorter", "lure", "victim"),
        [
            ("http://a.evil.com/NAME.evil.x", "http://a.evil.com/NAME.x", "http://a.evil.com/", "http://a.com/"),
            ("http://evil.com/r/http://evil.com/NAME", "http://evil.com/r/http://bank.com/NAME", *2 * ("",)),
        ],
    )
    def test_no_site_keeps_the_crawl_from_pages_of_another_one(
        self, longer: str, shorter: str, lure: str, victim: str
    ) -> None:
        lure, victim = lure or "http://evil.com/", victim or "http://bank.com/"
        names = [f"{first}a" for first in "bcdfghklmn"]
        copies, originals = ([form.replace("NAME", name) for name in names] for form in (longer, shorter))
        web = web_of(originals, copies)
        lures, victims = ([f"{root}{name}/page" for name in names] for root in (lure, victim))
        web |= {url: page(url) for url in (*lures, *victims)}
        last = originals[-1]
        web[last] = page(last, text(last), [copies[-1], *lures, f"{SITE}/on"])
        web[f"{SITE}/on"] = page(f"{SITE}/on", text("on"), victims)
        crawl = patient()
        assert set(victims) < set(run(crawl, web))
        if "bank" in victim:  # what leads to another domain is not even noted
            assert "evil.com" not in crawl.traps.variants._points
        else:
            assert max(crawl.traps.variants._points["a.evil.com"].values()) >= ENOUGH

    @pytest.mark.parametrize("stop_after", [1, 5, 9, 20])
    def test_a_restarted_crawl_goes_on_as_it_would_have(self, stop_after: int) -> None:
        originals, copies = variants(FORMS[0])
        web = web_of(originals, copies)
        whole = run(patient(), web)
        first = patient()
        begun = run(first, web, most=stop_after)
        second = restart(first, defended(patience=0, detour=0, turns=False), [SEED, *originals, *copies])
        assert begun + run(second, web) == whole
