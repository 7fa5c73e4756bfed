"""The fresh set of traps: nothing in it is of the first, and its good sites are other ones, which link to each other."""

from __future__ import annotations

import re
from collections import Counter
from html import unescape

import pytest

from focused.reading.urls import host_of
from lab.webs.traps import KINDS, TrapOptions, TrapWeb, as_asked, kinds
from lab.webs.traps_text import DATA, FRESH, SEEN
from lab.webs.traps_trap import Trap

HREF = re.compile(r'<a href="([^"]+)"')
SMALL = {"good": 60, "others": 150}
OLDER = (SEEN,)


def web_of(only: str = "", seed: int = 1) -> TrapWeb:
    return TrapWeb(TrapOptions(**SMALL, seed=seed, set=FRESH, only=only))


def text_of(web: TrapWeb, url: str) -> str:
    answer = web.answer(url)
    assert answer is not None, url
    return answer.body.decode()


def links_of(web: TrapWeb, url: str) -> list[str]:
    """What a page leads to, or where it sends its visitor."""
    answer = web.answer(url)
    assert answer is not None, url
    sent_on = answer.header("Location")
    targets = [sent_on] if sent_on else HREF.findall(answer.body.decode())
    return [found for target in targets if (found := as_asked(unescape(target), url))]


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
        first, fresh = TrapWeb(TrapOptions(**SMALL)).good, web_of().good
        assert not {site.style for site in first.sites.values()} & {site.style for site in fresh.sites.values()}
        assert 5 < sum(host.startswith("www.") for host in fresh.sites) < len(fresh.sites) / 2
        tops = [{_top(good.html(page).decode()) for page in good.relevant} for good in (first, fresh)]
        assert min(map(len, tops)) > 2
        assert not tops[0] & tops[1]


class TestGoodSites:
    def test_sites_about_the_topic_link_to_each_other_and_back(self) -> None:
        good = web_of().good
        about = {page.site.host for page in good.relevant}
        partners = {host: {host_of(link.url) for link in good.template(good.sites[host]).footer} for host in about}
        partners = {host: others & good.sites.keys() for host, others in partners.items()}
        links = [(host, other) for host, others in partners.items() for other in others & about]
        assert len(links) >= 4 * len(about)
        back = sum(host in partners[other] for host, other in links)
        assert back > 0.9 * len(links)

    @pytest.mark.parametrize("seed", [1, 2, 3])
    def test_seeds_can_be_given_with_commas_between_them(self, seed: int) -> None:
        web = web_of(seed=seed)
        assert web.topic["seeds"].split(",") == web.good.seeds
        assert set(web.good.seeds) <= set(web.relevant_urls())


class TestTraps:
    @pytest.mark.parametrize("kind", kinds(FRESH))
    def test_pages_of_a_trap_lead_to_pages_that_are_there(self, kind: str) -> None:
        web = web_of(kind)
        for trap in web.traps:
            entered = [link for url in doors_of(trap) for link in links_of(web, url)]
            assert entered
            for link in entered:
                answer = web.answer(link)
                assert answer is not None, link
                assert answer.status in (200, 302), link

    def test_a_copy_of_a_site_has_an_end_and_all_its_articles(self) -> None:
        web = web_of("staging_copy")
        for trap in web.traps:
            copies = followed(web, doors_of(trap)[0])
            shown = Counter(web.original_of(url) for url in copies)
            (copied,) = {host_of(url) for url in shown if url}
            assert {url for url in shown if url} == {page.url for page in web.good.articles if page.site.host == copied}
            assert set(Counter(filter(None, map(web.original_of, copies))).values()) == {1}

    def test_an_archive_has_each_article_under_any_number_of_addresses(self) -> None:
        web = web_of("web_archive")
        found = followed(web, doors_of(web.traps[0])[0], 100)
        shown = Counter(web.original_of(url) for url in found)
        assert shown.pop(None, 0) <= 1  # its home page
        assert max(shown.values()) > 5

    def test_texts_of_good_articles_cite_domains_that_expired(self) -> None:
        web = web_of("expired_domains")
        (trap,) = web.traps
        citing = [page for page in web.good.relevant if any(host_of(link.url) in trap.hosts for link in page.inline)]
        assert len(citing) > 20
        main = text_of(web, citing[0].url).partition("<footer")[0]
        assert any(f'<a href="http://{host}' in main for host in trap.hosts)

    def test_what_a_machine_wrote_cites_good_articles(self) -> None:
        web = web_of("machine_written+aggregator")
        relevant = set(web.relevant_urls())
        for trap in web.traps:
            assert all(relevant & set(links_of(web, url)) for url in doors_of(trap))
