"""A domain with much of the harvest that nobody vouches for is told of, once, with the harvest with and without it."""

import logging
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from focused.collection.collection import opened
from focused.collection.desk import Desk
from focused.explain.strangers import (
    LINKING_PAGES,
    MOST_NAMED,
    Stranger,
    StrangerWatch,
    harvest_without,
    strangers,
    vouched_for,
    warnings_of,
)
from focused.live.session import Session
from focused.topic.topic import Scope
from tests import small_web
from tests.small_collections import collection
from tests.small_web import topic_of

GOOD, PAGES = 3, 12  #: good domains, and pages of each
LARGE_COUNT = 30  #: in these tests, so that small webs do
SPAM = "spam.com"
SEED = "http://good0.com/0"
TOPIC: dict[str, Any] = {"seeds": (SEED,), "strategy": "breadth_first"}
Web = dict[str, list[str]]  #: URLs that each URL links to


def good(linking: int = 1, to: str = f"http://{SPAM}/0", givers: Iterable[int] = (1,)) -> Web:
    """Domains that all link to each other, of which so many pages of some link to a URL."""
    return {
        f"http://good{site}.com/{number}": [
            *(f"http://good{other}.com/{(number + step) % PAGES}" for other in range(GOOD) for step in (0, 1)),
            *([to] if site in givers and number < linking else []),
        ]
        for site in range(GOOD)
        for number in range(PAGES)
    }


def site(domain: str = SPAM, pages: int = LARGE_COUNT + 5, also: Iterable[str] = ()) -> Web:
    """Pages each of which links to the next, and to others."""
    return {f"http://{domain}/{number}": [f"http://{domain}/{number + 1}", *also] for number in range(pages)}


@pytest.fixture(autouse=True)
def small_webs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("focused.explain.strangers.LARGE_COUNT", LARGE_COUNT)


@pytest.fixture
def crawled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Crawls a web to its end, in a collection called test."""

    def crawl(*parts: Web, **tables: object) -> Path:
        pages = {
            url: f"<title>{url}</title><p>solar energy from solar panels {url}</p>"
            + "".join(f'<p><a href="{link}">solar</a></p>' for link in links)
            for part in parts
            for url, links in part.items()
        }
        monkeypatch.setattr(small_web, "WEB", pages)
        collection(tmp_path / "test", **{**TOPIC, **tables})
        return tmp_path / "test"

    return crawl


def found(folder: Path) -> list[Stranger]:
    with opened(folder) as store:
        return strangers(store)


def names(folder: Path) -> list[str]:
    return [one.domain for one in found(folder)]


def test_it_is_told_with_the_harvest_with_and_without_it(crawled) -> None:
    folder = crawled(good(), site())
    with closing(sqlite3.connect(folder / "crawl.db")) as db, db:
        db.execute(
            "UPDATE fetches SET relevant = 0 WHERE final_url IN (SELECT id FROM urls WHERE url LIKE '%good_.com/1_')"
        )
    (one,) = found(folder)
    relevant, pages = 35 + 30, 35 + 36  # two pages of each good domain do not count
    assert one == Stranger(SPAM, 35, 35, pages, relevant)
    assert (one.share, one.harvest) == (35 / relevant, relevant / pages)
    assert one.harvest_without == 30 / 36
    (line,) = warnings_of([one], "test")
    assert "35 of 65 relevant pages (54%) are on spam.com" in line
    assert "Harvest rate 91.5% with it, 83.3% without" in line
    assert "scrapy steer test deny spam.com" in line
    assert "scrapy steer test trust spam.com" in line


def test_hosts_of_one_domain_count_together_and_links_between_them_for_nothing(crawled) -> None:
    names_ = [f"w{number}.{SPAM}" for number in range(5)]
    web = [site(name, 8, [f"http://{other}/{n}" for other in names_ for n in range(8)]) for name in names_]
    assert names(crawled(good(to=f"http://{names_[0]}/0"), *web)) == [SPAM]


@pytest.mark.parametrize(
    ("linking", "givers", "told"),
    [
        (LINKING_PAGES - 1, (0,), True),  # comments, so to say
        (LINKING_PAGES, (1,), True),  # one domain alone
        (1, (1, 2), False),
        (LINKING_PAGES, (0,), False),  # the user named it
    ],
)
def test_two_domains_vouch_or_one_that_the_user_named_by_several_pages(crawled, linking, givers, told) -> None:
    assert names(crawled(good(linking, givers=givers), site())) == ([SPAM] if told else [])


def test_many_links_on_one_page_are_one_page_that_links(crawled) -> None:
    web = good(to=f"http://{SPAM}/0")
    for number in range(3):
        web["http://good0.com/1"].append(f"http://w{number}.{SPAM}/0")
    assert names(crawled(web, site())) == [SPAM]


@pytest.mark.parametrize("pages", [LARGE_COUNT - 1, LARGE_COUNT])
def test_a_domain_with_few_relevant_pages_is_not_told_of(crawled, pages) -> None:
    assert names(crawled(good(), site(pages=pages))) == ([SPAM] if pages == LARGE_COUNT else [])


def test_nor_one_with_a_small_share(crawled) -> None:
    assert names(crawled(good(), site(pages=35), {SEED: ["http://rich.com/0"]}, site("rich.com", 400))) == ["rich.com"]


def test_nor_one_of_a_seed(crawled) -> None:
    assert names(crawled(good(), site(), seeds=(SEED, f"http://www.{SPAM}/0"))) == []


def test_a_farm_cannot_vouch_for_itself_and_only_the_largest_are_named(crawled) -> None:
    farm = [f"farm{number}.com" for number in range(6)]
    web = [site(name, 40 + place, [f"http://{other}/0" for other in farm]) for place, name in enumerate(farm)]
    folder = crawled(good(to="http://farm0.com/0"), *web)
    told = found(folder)
    assert [one.domain for one in told] == farm[::-1]
    lines = [*warnings_of(told, "test")]
    assert len(lines) == MOST_NAMED + 1
    assert "are on farm5.com," in lines[0]
    assert "3 more" in lines[-1]
    assert "100.0% without any" in lines[-1]
    assert harvest_without(told) == 1.0


def test_domains_that_only_a_stranger_links_to_are_strangers() -> None:
    farm = [(f"farm{giver}", f"farm{taker}") for giver in range(4) for taker in range(4) if giver != taker]
    good_ones = [("seed", "a"), ("seed", "b"), ("a", "c"), ("b", "c"), ("a", "d"), ("a", "farm0")]
    assert vouched_for([*farm, *good_ones], {"seed"}) == {"seed", "a", "b", "c"}
    assert vouched_for([*farm, *good_ones], {"seed", "farm1"}) >= {"farm0", "farm2", "farm3"}
    assert vouched_for(farm, set()) == set()


@pytest.mark.parametrize(
    ("orders", "told"),
    [
        ([("trust_host", f"www.{SPAM}")], False),
        ([("deny_host", SPAM)], False),
        ([("deny_host", f"www.{SPAM}")], True),  # only a part of it
        ([("deny_host", SPAM), ("allow_host", SPAM)], True),
        ([("raise_host", SPAM)], True),
    ],
)
def test_what_a_person_said_of_it_counts_before_and_after_a_run_has_taken_it(crawled, orders, told) -> None:
    folder = crawled(good(), site())
    desk = Desk(folder)
    for order in orders:
        desk.ask(*order)
    assert bool(names(folder)) is told
    session = Session(topic_of(**TOPIC), folder)
    session.commit()
    session.close()
    assert desk.waiting() == []
    desk.path.unlink()
    assert bool(names(folder)) is told


def test_a_host_that_the_topic_denies_is_not_told_of(crawled) -> None:
    folder = crawled(good(), site())
    Session(topic_of(**TOPIC, scope=Scope(denied_hosts=(SPAM,))), folder).close()
    assert names(folder) == []


def test_a_damaged_desk_is_no_matter(crawled) -> None:
    folder = crawled(good(), site())
    (folder / "desk.db").write_bytes(b"no database at all" * 100)
    assert names(folder) == [SPAM]


def test_a_name_is_no_command_for_a_shell_or_a_terminal() -> None:
    line = Stranger("$(reboot)\x1b[2J\n.com", 30, 30, 60, 60).warning_of("te st")
    assert "\x1b" not in line
    assert "\n" not in line
    assert "scrapy steer 'te st' deny '$(reboot) [2J .com'" in line


def test_where_nothing_else_was_crawled_the_harvest_without_it_is_0() -> None:
    assert Stranger(SPAM, 30, 30, 30, 30).harvest_without == 0


def test_a_watch_tells_once_a_run_and_looks_when_there_is_a_quarter_more(crawled, caplog, monkeypatch) -> None:
    folder = crawled(good(), site())
    looks = []

    def counted(store):
        looks.append(store)
        return strangers(store)

    monkeypatch.setattr("focused.explain.strangers.strangers", counted)
    caplog.set_level(logging.WARNING)
    watch = StrangerWatch(folder)
    for relevant in (LARGE_COUNT - 1, 40, 49, 50, 62):
        watch.look(relevant)
        if watch._thread:
            watch._thread.join()
    assert len(looks) == 2
    watch.end(50)
    assert len(looks) == 2  # nothing has come since
    watch.end(62)
    assert len(looks) == 3
    (record,) = caplog.records
    assert record.getMessage().startswith("A stranger holds much of the harvest: 35 of 71 relevant pages")


def test_a_collection_that_cannot_be_read_costs_no_more_than_the_look(tmp_path, caplog) -> None:
    (tmp_path / "crawl.db").write_bytes(b"no database" * 100)
    StrangerWatch(tmp_path).end(100)
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]
