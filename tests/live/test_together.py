"""What topics of one process share: answers of robots.txt, wishes of hosts, pages; and the CPU time that each takes."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from scrapy.settings import Settings

from focused.collection.repository import Stored
from focused.collection.store import Store
from focused.exceptions import FocusedError
from focused.live import clocks
from focused.live.clocks import CpuTime
from focused.live.courtesy import Courtesy
from focused.live.robots.requesting import Heard
from focused.live.session import Session
from focused.live.shared_run import SharedPage
from focused.page.reader import Reader, ReadingOptions
from focused.together.together import PagesFetched, RobotsHeard, TopicsTogether
from focused.topic.topic import Budget, Relevance, Scope, Topic, Traps

FOUND, AWAY = Heard(200, b"User-agent: *"), Heard(503, None, "robots.txt unreachable: http 503")
HTML = (("Content-Type", "text/html"),)


def answers(heard: RobotsHeard, replies: list[Heard | Exception]) -> tuple[list[object], int]:
    """What as many topics hear that ask at once, and how often the server was asked."""
    asked = 0

    async def ask(_: str) -> Heard:
        nonlocal asked
        asked += 1
        await asyncio.sleep(0.01)
        reply = replies[min(asked, len(replies)) - 1]
        if isinstance(reply, Exception):
            raise reply
        return reply

    async def all_of_them() -> list[object]:
        return await asyncio.gather(*(heard.ask("http://a", ask) for _ in range(3)), return_exceptions=True)

    return asyncio.run(all_of_them()), asked


def test_a_robots_txt_is_asked_for_once_for_all() -> None:
    heard = RobotsHeard()
    assert answers(heard, [FOUND]) == ([FOUND] * 3, 1)
    assert answers(heard, [AWAY]) == ([FOUND] * 3, 0)


def test_an_answer_in_vain_holds_for_a_moment() -> None:
    now = 0.0
    heard = RobotsHeard(5.0, lambda: now)
    assert answers(heard, [AWAY]) == ([AWAY] * 3, 1)
    now = 5.0
    assert answers(heard, [FOUND]) == ([FOUND] * 3, 1)


def test_one_whose_request_is_cut_off_leaves_it_to_the_next() -> None:
    found, asked = answers(RobotsHeard(), [ConnectionError(), FOUND])
    assert [type(found[0]), *found[1:], asked] == [ConnectionError, FOUND, FOUND, 2]


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("focused.together.together.MOST_BYTES", 2000)
    heard, asked = RobotsHeard(), []

    async def ask(origin: str) -> Heard:
        asked.append(origin)
        return Heard(200, b"x" * 400)

    async def many() -> None:
        for number in (1, 2, 3, 3, 1):
            await heard.ask(f"http://{number}", ask)

    asyncio.run(many())
    assert asked == ["http://1", "http://2", "http://3", "http://1"]


def test_what_a_host_asked_of_one_it_asked_of_all(tmp_path: Path) -> None:
    wishes: dict = {}
    stores = [Store(tmp_path / f"{number}.db") for number in range(2)]
    first, second = (Courtesy(store, longest_delay=60, longest_wait=3600, wishes=wishes) for store in stores)
    first.leave_alone("a.example", 100.0)
    assert first.slow_down("a.example", 2.0) == 4.0
    assert second.is_left_alone("a.example")
    assert second.delay("a.example") == 4.0
    assert second.statements() == []  # each keeps what it was told itself
    for statement, row in first.statements():
        stores[0].execute(statement, row)
    later = Courtesy(stores[0], longest_delay=60, longest_wait=3600, wishes={})
    assert later.delay("a.example") == 4.0
    for store in stores:
        store.close()


def test_settings_about_hosts_must_agree() -> None:
    together = TopicsTogether()
    together.admit("solar", Settings({"USER_AGENT": "us", "DOWNLOAD_SLOTS": {"a": {"delay": 1}}}))
    together.admit("wind", Settings({"USER_AGENT": "us", "DOWNLOAD_SLOTS": {"a": {"delay": 1}}, "LOG_LEVEL": "INFO"}))
    with pytest.raises(FocusedError, match=r"^hydro: USER_AGENT = 'they', but 'us' for solar: topics that are"):
        together.admit("hydro", Settings({"USER_AGENT": "they", "DOWNLOAD_SLOTS": {"a": {"delay": 1}}}))


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        (({}, ["solar energy"]), ({}, ["wind"]), True),
        (({}, ["solar"]), ({"max_bytes": 10}, ["solar"]), False),
        (({}, ["solar"]), ({}, ["it"]), False),  # a stop word that counts
        (({"language": "german"}, ["wind"]), ({"language": "german"}, ["sonne"]), True),
        (({"language": ("en", "de")}, ["wind"]), ({"language": ("en", "de")}, ["sun"]), False),
    ],
)
def test_readers_are_alike_where_pages_are(one: tuple, other: tuple, alike: bool) -> None:
    readers = [Reader(ReadingOptions(**options), keep=words) for options, words in (one, other)]
    assert readers[0].reads_like(readers[1]) is alike
    if alike:
        text = b"<p>It is solar, wind, sun and sonne: all of it</p>"
        assert readers[0].read("http://a/", text) == readers[1].read("http://a/", text)


def topic(name: str, words: str, **more: object) -> Topic:
    return Topic(
        name=name,
        keywords=(words,),
        seeds=(f"http://{name}.example/",),
        traps=Traps(on=False),
        relevance=Relevance(also=("index", "listing", "stub")),
        **more,
    )


def opened(tmp_path: Path, topic: Topic) -> Session:
    return Session(topic, tmp_path / topic.name)


def fetched(session: Session, url: str, text: str) -> SharedPage:
    stored = Stored(url, 200, HTML, f"<html><p>{text}</p></html>".encode())
    page = session.reader.read(url, stored.body, "text/html")
    return SharedPage(stored, page)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "more", "takes"),
    [
        ("wind turbine", {}, True),
        ("solar energy", {}, False),
        ("wind turbine", {"scope": Scope(denied_hosts=("a.example",))}, False),
        ("wind turbine", {"scope": Scope(max_depth=3)}, False),  # how deep it lies nobody knows
        ("wind turbine", {"scope": Scope(content_types=("application/pdf",))}, False),
    ],
)
def test_a_topic_takes_over_what_it_wants(tmp_path: Path, text: str, more: dict, takes: bool) -> None:
    solar, wind = (
        opened(tmp_path, topic("solar", "solar energy")),
        opened(tmp_path, topic("wind", "wind turbine", **more)),
    )
    awake: list[bool] = []
    pages = PagesFetched()
    taker = pages.join(wind, lambda: awake.append(True))
    page = fetched(solar, "http://a.example/1", text)
    pages.arrived(solar, page, "text/html", "")
    found = taker.next()
    assert (found is not None, awake) == (takes, [True] * takes)
    if found is not None:
        pick, same = found
        assert same.page is page.page  # read once
        record = wind.fetched(pick.id, same.stored, "text/html", read=same.page)
        assert not isinstance(record, str)
        assert record.arrival.visit.relevant
        pages.arrived(solar, page, "text/html", "")
        assert taker.next() is None  # it has it
    assert wind.cpu.seconds > 0 == solar.cpu.seconds
    for session in (solar, wind):
        session.close()


def test_a_topic_at_its_budget_takes_nothing(tmp_path: Path) -> None:
    solar = opened(tmp_path, topic("solar", "solar energy"))
    wind = opened(tmp_path, topic("wind", "wind turbine", budget=Budget(pages=1)))
    pages = PagesFetched()
    taker = pages.join(wind, lambda: None)
    for number in range(2):
        pages.arrived(solar, fetched(solar, f"http://a.example/{number}", "wind turbine"), "text/html", "")
    assert taker.next() is not None
    assert taker.next() is None
    for session in (solar, wind):
        session.close()


def test_a_page_picked_later_comes_from_where_it_is_kept(tmp_path: Path) -> None:
    solar, wind = opened(tmp_path, topic("solar", "solar energy")), opened(tmp_path, topic("wind", "wind turbine"))
    pages, page = PagesFetched(), fetched(solar, "http://a.example/1", "solar energy")
    pick = solar.next()
    assert pick is not None
    record = solar.fetched(pick.id, page.stored, "text/html")
    assert not isinstance(record, str)
    solar.journal.keep(record)
    assert record.place is not None
    pages.arrived(solar, page, "text/html", "")
    assert pages.find(wind, page.page.key) is page  # it may be picked before it is kept
    pages.kept(solar, page.page.key, record.place, "")
    solar.journal.finish(record)
    solar.close()  # a topic may have ended meanwhile
    found = pages.find(wind, page.page.key)
    assert found is not None
    assert (found.page, found.stored.body) == (page.page, page.stored.body)
    assert pages.find(solar, page.page.key) is None  # its own
    assert pages.find(wind, 7) is None
    next((tmp_path / "solar" / "pages").iterdir()).unlink()
    assert pages.find(wind, page.page.key) is None  # asked for on the Web then
    wind.close()


def test_cpu_time_counts_once_what_lies_within_and_what_other_threads_do(monkeypatch: pytest.MonkeyPatch) -> None:
    now = iter(range(100))
    monkeypatch.setattr(clocks, "thread_time", lambda: float(next(now)))
    cpu = CpuTime()
    with cpu, cpu:
        pass
    assert cpu.seconds == 1
    assert cpu.around(lambda: "done")() == "done"
    assert cpu.seconds == 2
    with pytest.raises(ValueError, match="no"), cpu:
        raise ValueError("no")
    assert cpu.seconds == 3
