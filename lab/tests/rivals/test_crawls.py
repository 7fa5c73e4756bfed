"""A rival is served politely, judged by the log of the server, and stopped when it has enough."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator, Set
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from focused.exceptions import FocusedError
from focused.page.urls import UrlRules
from focused.simulation.known_webs import open_web
from focused.simulation.labelled_files import LabelledFile, labelled_files
from focused.simulation.proxy import WebServer
from focused.simulation.recorded_web import Answer, html_answer
from lab.rivals import rivals
from lab.rivals import served as served_module
from lab.rivals.crawls import ENOUGH, NOTHING_LEFT, Conditions, Files, Outcome, crawl
from lab.rivals.served import START, AccessLog, WithStart, served
from lab.tests.rivals.small_rivals import BREADTH_FIRST, BROKEN, ENDLESS, stand_in
from lab.tests.small_comparison import ONE, labelled, url, urls, write_small_web
from lab.topics.labelled_topics import write_topics


@pytest.fixture
def one(tmp_path: Path) -> LabelledFile:
    write_topics([ONE], tmp_path / "topics")
    write_small_web(tmp_path)
    return labelled_files([str(tmp_path / "topics")])[0]


def crawled(
    folder: Path, topic: LabelledFile, name: str, pages: int = 6, minutes: float = 1.0
) -> tuple[Files, Outcome]:
    files = Files(folder / "out", name, "one", 0)
    web = open_web([str(folder / "webkb")])
    outcome = crawl(files, topic, "1", Conditions(pages, 10, 0.0, minutes), web, lambda _: None)
    return files, outcome


def pages_of(files: Files, topic: LabelledFile) -> list[str]:
    return list(AccessLog(files.log, UrlRules(topic.topic.reading.fold_index)).update().pages.values())


def test_a_crawl_leaves_its_log_and_what_it_cost(
    tmp_path: Path, one: LabelledFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(monkeypatch, tmp_path, breadth=BREADTH_FIRST)
    files, outcome = crawled(tmp_path, one, "breadth", pages=100)
    assert pages_of(files, one) == urls("one/ one/hub one/x one/y one/t one/u")
    assert outcome.ended == NOTHING_LEFT
    assert outcome.cpu > 0
    assert files.read() == outcome


def test_the_judge_ends_a_crawl_and_counts_a_page_once(
    tmp_path: Path, one: LabelledFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By distinct pages of the log: fetching one page again and again is no progress."""
    stand_in(monkeypatch, tmp_path, endless=ENDLESS)
    files, outcome = crawled(tmp_path, one, "endless", pages=2)
    assert (pages_of(files, one), outcome.ended) == (urls("one/ one/hub"), ENOUGH)


def test_a_crawler_without_a_page_is_a_mistake_and_no_result(
    tmp_path: Path, one: LabelledFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(monkeypatch, tmp_path, broken=BROKEN)
    with pytest.raises(FocusedError, match=r"broken ended on one before its first page:[\s\S]*no_such_rival"):
        crawled(tmp_path, one, "broken")
    assert Files(tmp_path / "out", "broken", "one", 0).read() is None


def test_our_own_crawler_stays_among_the_hosts_that_exist(tmp_path: Path, one: LabelledFile) -> None:
    files, outcome = crawled(tmp_path, one, "best_first", pages=100)
    assert sorted(pages_of(files, one)) == sorted(urls("one/ one/hub one/x one/y one/t one/u"))
    assert outcome.ended == NOTHING_LEFT


@pytest.mark.parametrize("name", [*rivals.RIVALS])
def test_a_rival_as_it_is_published_begins_with_the_seeds_and_follows_links(tmp_path: Path, name: str) -> None:
    """Those with an environment of their own only where `make rivals` made it."""
    try:
        rivals.check(name)
    except FocusedError:
        pytest.skip("not installed: make rivals")
    words = "<p>A page of many words, so that no crawler takes it for an error.</p>" * 10
    links = "".join(f'<p><a href="{url(f"one/{page}")}">here</a></p>' for page in ("x", "y", "telescope", "z"))
    pages = {"one/": links, "one/telescope": "", "one/x": "", "one/y": "", "one/z": ""}
    for page, text in pages.items():
        body = f"<html><head><title>Page</title></head><body>{words}{text}</body></html>"
        path = tmp_path / "webkb/other/misc" / url(page).replace("/", "^")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(body)
    write_topics([labelled("one", "one/telescope")], tmp_path / "topics")
    (one,) = labelled_files([str(tmp_path / "topics")])
    files, _ = crawled(tmp_path, one, name, pages=5)
    first, *others = pages_of(files, one)
    assert (first, sorted(others)) == (url("one/"), sorted(url(page) for page in pages if page != "one/"))


def test_code_of_others_sees_no_secret_of_ours(
    tmp_path: Path, one: LabelledFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_TOKEN", "secret")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    told = tmp_path / "told"
    script = f"import json, os; json.dump(dict(os.environ), open({str(told)!r}, 'w'))\n"
    stand_in(monkeypatch, tmp_path, curious=script + BREADTH_FIRST)
    crawled(tmp_path, one, "curious", pages=100)
    seen = json.loads(told.read_text())
    assert not {"SOME_TOKEN", "PYTHONPATH"} & seen.keys()
    assert seen["http_proxy"].startswith("http://127.0.0.1:")
    assert not Path(seen["HOME"]).exists()


def test_no_process_of_a_rival_imports_ours() -> None:
    for script in rivals.PROCESSES.glob("*.py"):
        text = script.read_text()
        assert "import focused" not in text and "from focused" not in text and "from lab" not in text


def test_rivals_are_pinned() -> None:
    for rival in rivals.RIVALS.values():
        if rival.environment:
            pins = (rivals.HERE / f"{rival.environment}.txt").read_text().splitlines()
            assert all("==" in pin for pin in pins if not pin.startswith("#"))
            assert any(pin.lower().startswith(f"{rival.environment}==") for pin in pins)


HOSTS = ("a.example", "b.example")


class TwoHosts:
    """A page for every path."""

    @property
    def hosts(self) -> Set[str]:
        return frozenset(HOSTS)

    def answer(self, url: str) -> Answer | None:
        return html_answer(url.encode()) if urlsplit(url).hostname in HOSTS else None

    def urls(self) -> Iterator[str]:
        return iter(())


def fetch(proxy: str, url: str) -> str:
    client = urllib.request.build_opener(urllib.request.ProxyHandler({"http": proxy}))
    with client.open(url, timeout=20) as answer:
        return str(answer.read().decode())


def test_a_page_links_to_all_seeds(tmp_path: Path) -> None:
    seeds = ("http://a.example/?x=1&y=2", 'http://b.example/"><script>')
    with served(WithStart(TwoHosts(), seeds), tmp_path / "log", 0.0, 0) as proxy:
        page = fetch(proxy, START)
    assert 'href="http://a.example/?x=1&amp;y=2"' in page
    assert "<script>" not in page


def test_no_host_answers_two_requests_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    under_way: dict[str, int] = dict.fromkeys(HOSTS, 0)
    most = dict(under_way)
    together: list[int] = []
    answer = WebServer.answer

    async def watched(self: WebServer, request: object, url: str, writer: object) -> None:
        host = urlsplit(url).hostname or ""
        under_way[host] += 1
        most[host] = max(most[host], under_way[host])
        together.append(sum(under_way.values()))
        await served_module.asyncio.sleep(0.02)  # others could come in between
        await answer(self, request, url, writer)  # type: ignore[arg-type]
        under_way[host] -= 1

    monkeypatch.setattr(WebServer, "answer", watched)
    urls = [f"http://{host}/{number}" for number in range(6) for host in HOSTS]
    with (
        served(WithStart(TwoHosts(), ()), tmp_path / "log", 0.0, 0) as proxy,
        ThreadPoolExecutor(len(urls)) as threads,
    ):
        assert [*threads.map(lambda url: fetch(proxy, url), urls)] == urls
    assert most == {"a.example": 1, "b.example": 1}
    assert max(together) == 2  # different hosts do answer at a time


TIME = "2026-11-23T11:00:00.000+00:00"


def line(url: str, status: int = 200, method: str = "GET") -> str:
    return f"{TIME} {method} {url} {status} 12\n"


def log_of(tmp_path: Path, *lines: str, fold_index: bool = True) -> AccessLog:
    path = tmp_path / "access.log"
    path.write_text("".join(lines))
    return AccessLog(path, UrlRules(fold_index)).update()


def test_pages_are_answers_200_each_once_in_order(tmp_path: Path) -> None:
    asked = [line("http://b.example/2"), line("http://a.example/1"), line("http://b.example/2")]
    assert list(log_of(tmp_path, *asked).pages.values()) == ["http://b.example/2", "http://a.example/1"]


def test_a_growing_log_is_read_on_and_a_half_written_line_waits(tmp_path: Path) -> None:
    log = log_of(tmp_path, line("http://a.example/1"), line("http://a.example/22")[:-8])
    assert list(log.pages.values()) == ["http://a.example/1"]
    log.path.write_text(line("http://a.example/1") + line("http://a.example/22"))
    assert list(log.update().pages.values()) == ["http://a.example/1", "http://a.example/22"]


def test_a_strategy_of_a_paper_crawls_without_the_defence_against_traps(tmp_path: Path, one: LabelledFile) -> None:
    task = rivals.Task(("one",), ("http://one/",), "http://one/", ("one",), "http://127.0.0.1:1", 1)
    on = {
        name: "traps.on=false" not in rivals.command_of(name, one.topic, task, tmp_path) for name in ("adaptive", "dom")
    }
    assert on == {"adaptive": True, "dom": False}
