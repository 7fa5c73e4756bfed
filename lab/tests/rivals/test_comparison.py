"""`python -m lab.rivals` as a person calls it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lab.rivals import __main__ as command
from lab.rivals import rivals
from lab.tests.rivals.small_rivals import BREADTH_FIRST, stand_in
from lab.tests.small_comparison import ONE, TWO, write_small_web
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


def test_another_topic_or_web_of_the_same_name_is_crawled_anew(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Or a crawl for other keywords, or of other pages, would stand in the table as if it were of these."""
    crawled: list[str] = []
    crawl = command.crawl

    def counting(files: command.Files, *given: object) -> object:
        crawled.append(files.topic)
        return crawl(files, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(command, "crawl", counting)
    run(monkeypatch, folder, crawlers=("breadth",))
    topic = folder / "topics/one.toml"
    topic.write_text(topic.read_text().replace('"telescope"', '"zebra"'))
    run(monkeypatch, folder, crawlers=("breadth",))
    assert crawled == ["one", "two", "one"]
    page = next(path for path in (folder / "webkb").rglob("*") if path.is_file())
    page.write_bytes(page.read_bytes() + b"<p>More.</p>")
    run(monkeypatch, folder, crawlers=("breadth",))
    assert crawled[3:] == ["one", "two"]


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


@pytest.mark.parametrize("given", [("--pages", "0"), ("--orders", "x"), ("--latency", "nan"), ("--minutes", "-1")])
def test_numbers_that_make_no_sense_are_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], given: tuple[str, str]
) -> None:
    with pytest.raises(SystemExit):
        run(monkeypatch, folder, *given)
    assert f"argument {given[0]}: " in capsys.readouterr().err


def test_two_comparisons_do_not_write_into_one_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each begins the logs anew that the other is judged by."""
    crawl = command.crawl
    told: list[object] = []

    def crawl_while_another_starts(*given: object) -> object:
        if not told:
            told.append("")
            with pytest.raises(SystemExit) as stop:
                run(monkeypatch, folder)
            told[0] = stop.value.code
        return crawl(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(command, "crawl", crawl_while_another_starts)
    run(monkeypatch, folder)
    assert told == [f"rivals: {folder / 'out'}: another comparison writes there; wait for it, or give another --out"]
    run(monkeypatch, folder)  # the first is over


def test_a_baseline_that_does_not_crawl_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Or the table would have no differences, without a word."""
    with pytest.raises(SystemExit):
        run(monkeypatch, folder, "--baseline", "bredth")
    assert "--baseline bredth: not among the crawlers: breadth twin" in capsys.readouterr().err


def test_a_crawler_named_twice_counts_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Or the two orders of a topic would be the same one, without spread."""
    run(monkeypatch, folder, crawlers=("breadth", "breadth"))
    assert "| breadth | 2 |" in capsys.readouterr().out


def read(folder: Path) -> list[dict[str, dict[str, str]]]:
    made = json.loads((folder / "out/rivals.json").read_text())
    assert isinstance(made, list)
    return made
