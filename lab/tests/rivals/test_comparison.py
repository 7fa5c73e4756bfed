"""`python -m lab.rivals` as a person calls it, and what its tables say of crawls."""

from __future__ import annotations

import csv
import json
from io import StringIO
from pathlib import Path

import pytest

from focused.simulation.labelled_files import labelled_files
from lab.rivals import __main__ as command
from lab.rivals import rivals
from lab.rivals.crawls import Conditions, Files, Outcome
from lab.rivals.report import Judge, Score, compared_by, report, rows
from lab.tests.rivals.small_rivals import BREADTH_FIRST, stand_in
from lab.tests.small_comparison import ONE, TWO, url, write_small_web
from lab.topics.labelled_topics import write_topics

CRAWLERS = ("breadth", "twin")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_topics([ONE, TWO], tmp_path / "topics")
    write_small_web(tmp_path)
    stand_in(monkeypatch, tmp_path, breadth=BREADTH_FIRST, twin=BREADTH_FIRST)
    return tmp_path


def run(monkeypatch: pytest.MonkeyPatch, folder: Path, *more: object, crawlers: tuple[str, ...] = CRAWLERS) -> None:
    places = ("--topics", folder / "topics", "--cache", folder / "cache", "--out", folder / "out")
    given = (folder / "webkb", *places, "--pages", 5, "--latency", 0, "--crawlers", *crawlers, *more)
    monkeypatch.setattr("sys.argv", ["rivals", *map(str, given)])
    command.main()


def test_crawls_are_judged_printed_and_written(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run(monkeypatch, folder, "--baseline", "breadth")
    text = capsys.readouterr().out
    assert "| breadth | 2 |" in text and "| twin | 2 |" in text
    assert text.rstrip("\n") == (folder / "out/rivals.md").read_text().rstrip("\n")
    found = {(one["outcome"]["crawler"], one["outcome"]["topic"]): one for one in read(folder)}
    assert {name: one["found"]["5"] for name, one in found.items()} == {
        ("breadth", "one"): 1,  # the seed, three pages beside each other, and then one target
        ("breadth", "two"): 1,
        ("twin", "one"): 1,
        ("twin", "two"): 1,
    }
    assert len((folder / "out/crawls.csv").read_text().splitlines()) == 1 + 4


def test_a_stopped_comparison_goes_on(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    crawled: list[str] = []
    crawl = command.crawl

    def stopping(files: object, *given: object) -> object:
        if len(crawled) == 1:
            raise KeyboardInterrupt
        crawled.append(str(files))
        return crawl(files, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(command, "crawl", stopping)
    with pytest.raises(SystemExit, match="stopped; the same command goes on from here"):
        run(monkeypatch, folder)
    monkeypatch.setattr(command, "crawl", lambda files, *given: crawled.append(str(files)) or crawl(files, *given))
    run(monkeypatch, folder)
    run(monkeypatch, folder)
    assert len(crawled) == 4 == len({*crawled})


def test_another_version_or_number_of_pages_crawls_anew(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    crawled: list[object] = []
    crawl = command.crawl
    monkeypatch.setattr(command, "crawl", lambda files, *given: crawled.append(files) or crawl(files, *given))
    only = ("breadth",)
    run(monkeypatch, folder, crawlers=only)
    run(monkeypatch, folder, "--pages", 4, crawlers=only)
    script = rivals.RIVALS["breadth"].script
    Path(script).write_text(BREADTH_FIRST + "\n")
    run(monkeypatch, folder, "--pages", 4, crawlers=only)
    assert len(crawled) == 6


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("--crawlers", "nobody"), "rivals: nobody: no such crawler; there are breadth, twin and"),
        (("--topics", "nowhere"), "rivals: nowhere: no topic with labels there"),
    ],
)
def test_mistakes_are_told_in_one_line(
    folder: Path, monkeypatch: pytest.MonkeyPatch, given: tuple[str, ...], message: str
) -> None:
    with pytest.raises(SystemExit, match=message) as stop:
        run(monkeypatch, folder, *given)
    assert "\n" not in str(stop.value)


def read(folder: Path) -> list[dict[str, dict[str, str]]]:
    made = json.loads((folder / "out/rivals.json").read_text())
    assert isinstance(made, list)
    return made


def outcome(crawler: str, topic: str = "one", order: int = 0, pages: int = 4) -> Outcome:
    return Outcome(crawler, topic, order, "1", Conditions(pages, 10, 0.0, 1.0), "enough pages", 2.0, 3.0)


def score(crawler: str, topic: str, order: int, found: int, area: float, group: str = "") -> Score:
    return Score(outcome(crawler, topic, order), group, {4: found}, area, 4, 5, 9)


def judged(tmp_path: Path, fetched: str, pages: int = 4) -> Score:
    """A crawl of topic ``one``, of which t, u and the lost one are targets."""
    write_topics([ONE], tmp_path / "topics")
    (labelled,) = labelled_files([str(tmp_path / "topics")])
    files = Files(tmp_path / "out", "x", "one", 0)
    files.make_folder()
    files.log.write_text("".join(f"- GET {url(f'one/{page}')} 200 1\n" for page in fetched.split()))
    return Judge(labelled).score(files, outcome("x", pages=pages))


def test_targets_are_counted_by_the_labels(tmp_path: Path) -> None:
    made = judged(tmp_path, "hub t x u")
    assert (made.found, made.pages) == ({4: 2}, 4)


def test_orders_of_a_topic_are_one_observation() -> None:
    """Ten crawls of one topic must not outweigh one of another, nor make an interval narrow."""
    scores = [score("a", "one", order, 10, 0.5) for order in range(10)] + [score("a", "two", 0, 20, 0.5)]
    scores += [score("b", "one", order, 0, 0.1) for order in range(10)] + [score("b", "two", 0, 0, 0.1)]
    made = compared_by(scores, "a", "b", lambda one: float(one.found[4]))
    assert made is not None
    comparison, wins, losses = made
    assert (comparison.difference.value, comparison.difference.topics, wins, losses) == (15.0, 2, 2, 0)
    assert "| a | 11 | 15.0 |" in report(scores, "a")


def test_a_topic_that_one_has_not_crawled_yet_counts_for_nobody() -> None:
    """A comparison that was stopped: means over other topics would be no comparison."""
    scores = [score("a", "one", 0, 10, 0.5), score("b", "one", 0, 0, 0.1), score("a", "two", 0, 99, 0.9)]
    assert "| a | 1 | 10.0 | 0.500 |" in report(scores, "a")
    assert report(scores[1:], "a") == "No topic was crawled by all yet.\n"


def test_each_kind_of_seeds_has_a_table_of_its_own() -> None:
    scores = [score(name, f"{t}-{g}", 0, 3, 0.5, g) for name in "ab" for t in "xy" for g in ("easy", "hard")]
    text = report(scores, "a")
    assert [line for line in text.splitlines() if line.startswith("##")] == [
        "## All topics (4)",
        "## Easy seeds (2)",
        "## Hard seeds (2)",
    ]
    assert "`a` less `b`:" in text


def test_the_table_of_crawls_holds_every_crawl() -> None:
    (row,) = csv.DictReader(StringIO(rows([score("a", "one", 3, 7, 0.25, "easy")])))
    assert (row["crawler"], row["order"], row["seeds"], row["found_4"], row["area"]) == (
        "a",
        "3",
        "easy",
        "7",
        "0.25000",
    )
