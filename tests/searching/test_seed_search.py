"""The search as a whole, over stand-ins: what is asked, what is fetched, what becomes a seed, and when it ends."""

import asyncio
from typing import Any

import pytest

from focused.exceptions import SearchError
from focused.seeds.searching.new_topic import with_seeds
from focused.seeds.searching.queries import first_queries
from focused.seeds.searching.search_options import SearchBudget
from focused.seeds.searching.search_providers import Providers, SearchResult
from focused.seeds.searching.seed_search import COPY, NOT_RELEVANT, RELEVANT, Origin, SeedJudge, SeedSearch, chosen
from focused.topic.topic import Scope
from tests.searching.stand_ins import CATS, SUN, WORDS, Provider, Topic, Web, now, page_about, solar

ALL = "solar energy photovoltaic"


def sun(number: int) -> bytes:
    return page_about(f"solar energy photovoltaic {number} " * 9)


def many(count: int) -> dict[str, bytes | Exception | int]:
    return {f"http://s{n}.example/": sun(n) for n in range(count)}


def searched(
    web: Web, *providers: Any, topic: Topic | None = None, hubs: Any = (), listed: Any = (), **wish: Any
) -> tuple[SeedSearch, list[str]]:
    told: list[str] = []
    search = SeedSearch(
        SeedJudge(topic or solar()), Providers(list(providers), list(hubs)), web, SearchBudget(**wish), told.append
    )
    now(search.run(listed))
    return search, told


def seeds(search: SeedSearch, **wish: Any) -> list[str]:
    return [page.url for page in chosen(search.judged, SearchBudget(**wish))]


def test_what_is_named_is_fetched_judged_and_the_relevant_pages_are_seeds() -> None:
    web = Web({"http://a.example/": SUN, "http://b.example/": CATS, "http://c.example/": 404})
    search, told = searched(web, Provider(list(web.answers)))
    assert {page.url: page.verdict for page in search.judged} == {
        "http://a.example/": RELEVANT,
        "http://b.example/": NOT_RELEVANT,
        "http://c.example/": "FAILED: http 404",
    }
    assert seeds(search) == ["http://a.example/"]
    assert told[0] == f"stand-in: {ALL!r}: 3 pages"


def test_no_page_is_fetched_twice_however_often_it_is_named() -> None:
    web = Web(many(3))
    searched(web, Provider(list(web.answers)), Provider(list(web.answers)))
    assert sorted(web.asked) == sorted(web.answers)


def test_links_that_no_crawl_would_follow_are_not_asked_for() -> None:
    bad = [
        "javascript:alert(1)",
        "http://127.0.0.1/",
        "http://10.0.0.1:8000/",
        "file:///etc/passwd",
        "http://x.example:22/",
        "::",
    ]
    web = Web(many(1))
    _, told = searched(
        web, Provider([*bad, "http://no.example/a.zip", "http://denied.example/", *web.answers]), topic=denying()
    )
    assert web.asked == list(web.answers)
    assert told[0].endswith(": 1 pages")


def denying() -> Topic:
    return solar(scope=Scope(denied_hosts=("denied.example",)))


def test_copies_are_no_seeds() -> None:
    web = Web({"http://a.example/": SUN, "http://b.example/": SUN})
    search, _ = searched(web, Provider(list(web.answers)))
    assert sorted(page.verdict for page in search.judged) == sorted([RELEVANT, COPY])


def test_a_site_gives_no_more_seeds_than_it_may_and_few_more_pages_are_asked_of_it() -> None:
    web = Web({f"http://{n}.big.com/": sun(50 + n) for n in range(10)} | many(2))
    search, _ = searched(web, Provider(list(web.answers)), per_site=2)
    found = seeds(search, per_site=2)
    assert len(found) == 4
    assert sum("big.com" in url for url in web.asked) == 3


def test_a_stub_is_no_seed() -> None:
    web = Web({"http://a.example/": b"<html><body><p>solar energy photovoltaic</p></body></html>"})
    search, _ = searched(web, Provider(list(web.answers)))
    assert [page.verdict for page in search.judged] == ["stub"]
    assert seeds(search) == []


def test_words_of_relevant_pages_make_the_next_questions() -> None:
    first = many(2) | {"http://c.example/": CATS}
    provider = Provider({ALL: list(first), "solar energy inverter": [], "photovoltaic inverter": []})
    searched(Web(first), provider)
    later = provider.queries[3:]
    assert provider.queries[:3] == [ALL, "solar energy", "photovoltaic"]
    assert later
    assert all(query.startswith(("solar energy ", "photovoltaic ")) for query in later)


def test_what_only_a_later_question_finds_becomes_a_seed() -> None:
    class Learning(Provider):
        async def search(self, query: str, most: int) -> list[SearchResult]:
            self.queries.append(query)
            learned = query not in (ALL, "solar energy", "photovoltaic")
            return (
                [SearchResult("http://late.example/")]
                if learned
                else [SearchResult(f"http://s{n}.example/", rank=n) for n in range(2)]
            )

    search, _ = searched(Web(many(2) | {"http://late.example/": sun(99)}), Learning(()))
    assert "http://late.example/" in seeds(search)


def test_no_more_questions_are_asked_than_allowed() -> None:
    one, other = Provider(list(many(3))), Provider(list(many(3)))
    search, _ = searched(Web(many(3)), one, other, questions=5)
    assert search.questions == len(one.queries) + len(other.queries) == 5


def test_many_keywords_leave_half_of_the_questions_for_what_is_learned() -> None:
    topic = Topic(name="sun", keywords=("solar energy", "photovoltaic", *"abcdefgh"), seeds=("http://seed.invalid/",))
    provider = Provider(list(many(3)))
    searched(Web(many(3)), provider, topic=topic, questions=8)
    first, later = provider.queries[:4], provider.queries[4:]
    assert first == first_queries(topic.keywords)[:4]
    assert later
    assert {query.rpartition(" ")[2] for query in later} <= set(WORDS.split())


def test_no_more_pages_are_fetched_than_allowed() -> None:
    web = Web({f"http://s{n}.example/": CATS + str(n).encode() for n in range(50)})
    searched(web, Provider(list(web.answers)), pages=7, results=50)
    assert len(web.asked) == 7


def test_it_ends_when_there_are_enough() -> None:
    provider = Provider(list(many(10)))
    searched(Web(many(10)), provider, seeds=5)
    assert len(provider.queries) == 3  # the first round


def test_it_ends_when_a_round_brings_nothing_new() -> None:
    provider = Provider(list(many(3)))
    search, _ = searched(Web(many(3)), provider, questions=1000)
    assert search.questions <= 6


def test_a_provider_that_fails_costs_one_line_and_is_not_asked_again() -> None:
    broken, good = Provider(SearchError("HTTP status 429")), Provider(list(many(3)))
    search, told = searched(Web(many(3)), broken, good)
    assert len(broken.queries) == 1
    assert [line for line in told if "429" in line] == ["stand-in: HTTP status 429; it is not asked again"]
    assert len(seeds(search)) == 3


def test_whatever_goes_wrong_with_an_answer_or_a_page_costs_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    judge = SeedJudge.judge

    def failing(self: SeedJudge, url: str, response: Any, origin: Origin) -> Any:
        if "s0" in url:
            raise RecursionError
        return judge(self, url, response, origin)

    class Hubs:
        name = "hubs"

        async def linking_to(self, urls: Any, most: int) -> list[SearchResult]:
            raise KeyError("x")

    monkeypatch.setattr(SeedJudge, "judge", failing)
    broken, good = Provider(ValueError("Invalid IPv6 URL")), Provider(list(many(3)))
    search, told = searched(Web(many(3)), broken, good, hubs=[Hubs()])
    assert told[0] == "stand-in: its answer cannot be read; it is not asked again"
    assert "hubs: its answer cannot be read" in told
    assert {page.url: page.verdict for page in search.judged}["http://s0.example/"] == "FAILED: cannot be judged"
    assert len(seeds(search)) == 2


def test_a_provider_that_does_not_answer_does_not_hold_the_others_up(monkeypatch: pytest.MonkeyPatch) -> None:
    class Silent(Provider):
        async def search(self, query: str, most: int) -> list[SearchResult]:
            await asyncio.sleep(60)
            return []

    monkeypatch.setattr("focused.seeds.searching.seed_search.LONGEST_QUESTION", 0.05)
    search, told = searched(Web(many(3)), Silent(()), Provider(list(many(3))))
    assert told[0] == "stand-in: no answer in time; it is not asked again"
    assert len(seeds(search)) == 3


def test_pages_that_hang_are_given_up_when_time_is_over() -> None:
    class Hanging(Web):
        async def send(self, request: Any) -> Any:
            if "s0" in request.url:
                await asyncio.sleep(60)
            return await super().send(request)

    search, _ = searched(Hanging(many(3)), Provider(list(many(3))), seconds=0.3)
    assert {page.url: page.good for page in search.judged}["http://s0.example/"] is False
    assert len(seeds(search)) == 2


def test_pages_that_a_person_lists_are_judged_without_asking_anybody() -> None:
    web = Web(many(30))
    search, told = searched(
        web, listed=[(Origin("bookmarks"), [SearchResult(url, rank=1) for url in web.answers])], seeds=25
    )
    assert len(seeds(search, seeds=25)) == 25
    assert told == ["bookmarks: 30 URLs that can be asked for"]


def test_hubs_of_the_best_pages_are_looked_at() -> None:
    class Hubs:
        name = "hubs"

        async def linking_to(self, urls: Any, most: int) -> list[SearchResult]:
            assert len(urls) == 3
            return [SearchResult("http://hub.example/", rank=1)]

    web = Web(many(3) | {"http://hub.example/": sun(50)})
    search, told = searched(web, Provider(list(many(3))), hubs=[Hubs()])
    assert "http://hub.example/" in seeds(search)
    assert "hubs: 1 pages link to several of the 3 best" in told


def test_seeds_are_written_with_where_they_came_from_whatever_their_texts_say() -> None:
    web = Web({"http://a.example/": SUN})
    search, _ = searched(web, Provider(list(web.answers)))
    (page,) = chosen(search.judged, SearchBudget())
    hostile = type(page)(page.url, page.host, 0.5, RELEVANT, True, Origin("p", 'q\n[topic]\nname = "x" \x1b[31m'))
    text = with_seeds('[topic]\nkeywords = ["sun"]\nseeds = []\n', ["http://given.example/"], [hostile])
    assert text.splitlines() == [
        "[topic]",
        'keywords = ["sun"]',
        "seeds = [",
        '    "http://given.example/",',
        '    "http://a.example/", # 0.50, p: q [topic] name = "x"  [31m',
        "]",
    ]
