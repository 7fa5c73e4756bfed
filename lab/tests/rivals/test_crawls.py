"""One crawl of a rival in a process of its own: when it ends, what is written, what is told."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from focused.exceptions import EvaluationError, FocusedError
from focused.reading.urls import UrlRules
from focused.simulation.known_webs import open_web
from lab.rivals import rivals
from lab.rivals.crawls import ENOUGH, FAILED, NOTHING_LEFT, TIME, Conditions, Files, Outcome, crawl, seeds_in_order
from lab.rivals.served import AccessLog
from lab.tests.rivals.small_rivals import BREADTH_FIRST, BROKEN, ENDLESS, stand_in
from lab.tests.small_comparison import ONE, labelled, url, urls, write_small_web
from lab.topics.labelled_topics import LabelledFile, labelled_files, write_topics


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


def test_time_ends_a_crawl(tmp_path: Path, one: LabelledFile, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(monkeypatch, tmp_path, endless=ENDLESS)
    assert crawled(tmp_path, one, "endless", minutes=0.02)[1].ended == TIME


def test_a_crawler_may_end_by_itself_just_when_the_judge_ends_it(
    tmp_path: Path, one: LabelledFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(monkeypatch, tmp_path, brief=BREADTH_FIRST + "time.sleep(.3)\n")
    web, enough = open_web([str(tmp_path / "webkb")]), Conditions(6, 10, 0.0, 1.0)

    def tell(pages: int) -> None:
        time.sleep(1.0 if pages >= enough.pages else 0.0)  # it ends before the judge acts on what it has seen

    made = crawl(Files(tmp_path / "out", "brief", "one", 0), one, "1", enough, web, tell)
    assert made.ended == ENOUGH
    assert made.cpu > 0


def test_a_crawler_that_breaks_later_is_judged_by_what_it_had(
    tmp_path: Path, one: LabelledFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(monkeypatch, tmp_path, breaking=BREADTH_FIRST + BROKEN)
    assert crawled(tmp_path, one, "breaking", pages=100)[1].ended == FAILED


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


def test_what_is_not_installed_is_told_with_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rivals, "ENVIRONMENTS", tmp_path)
    with pytest.raises(FocusedError, match="crawl4ai is not installed in build/rivals; run: make rivals"):
        rivals.check("crawl4ai")


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


def test_orders_differ_in_the_order_of_the_seeds_alone(one: LabelledFile) -> None:
    many = urls(" ".join(f"one/{number}" for number in range(9)))
    topic = one.topic.model_copy(update={"seeds": tuple(many)})
    first, second = (seeds_in_order(LabelledFile(topic, one.labels, {}, ""), order) for order in (0, 1))
    assert list(first) == many != list(second)
    assert sorted(second) == sorted(many)


def test_a_damaged_outcome_is_told(tmp_path: Path) -> None:
    files = Files(tmp_path, "x", "one", 0)
    files.make_folder()
    files.log.write_text("")
    for text in ("{", "[]", json.dumps({"conditions": 3})):
        files.outcome.write_text(text)
        with pytest.raises(EvaluationError, match=r"one-0\.json: damaged; delete it to crawl again"):
            files.read()
