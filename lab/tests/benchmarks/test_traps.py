"""The bench of traps: what counts as wasted, as found, and as the true harvest; its tables and its mistakes."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest

from focused.explain.plain_output import ProgressLine
from lab.benchmarks import traps
from lab.benchmarks.traps import Crawled, Tally, Way, crawled, kinds_table, main, table
from lab.webs.traps import NONE, TrapOptions, TrapWeb

SMALL = {"good": 30, "others": 60}


def crawl(only: str, pages: int = 150, **more: str) -> Crawled:
    web = TrapWeb(TrapOptions(**SMALL, only=only))
    return crawled(web, "dom", Way(pages, more=more), ProgressLine(1e9))


def made(**changed: object) -> Crawled:
    figures = {
        "set": "seen",
        "seed": 1,
        "strategy": "dom",
        "pages": 100,
        "good": 20,
        "found": 10,
        "copies": 1,
        "fetched": 9,
    }
    figures |= {"own_harvest": 0.9, "kinds": {"farm": 60, "calendar": 5}, "failures": {}, "ended": "", **changed}
    return Crawled(**figures)  # type: ignore[arg-type]


def run(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> None:
    monkeypatch.setattr("sys.argv", ["traps", *map(str, arguments)])
    main()


def test_a_crawl_without_traps_wastes_nothing_and_its_true_harvest_is_what_it_found() -> None:
    found = crawl(NONE)
    assert (found.kinds, found.wasted, found.copies) == ({}, 0, 0)
    assert 0.9 * found.good < found.found <= found.good == SMALL["good"]
    assert found.true_harvest == found.found / found.pages
    assert found.true_harvest <= found.own_harvest


def test_pages_of_traps_are_wasted_and_good_pages_are_not() -> None:
    web = TrapWeb(TrapOptions(**SMALL, only="farm"))
    (farm, _) = web.traps
    doors = [door.url for door in farm.doors(farm.of("doors"))[:3]]
    tally = Tally(web)
    for url in [*doors, *web.good.seeds, f"http://{web.good.directory.host}/"]:
        tally.page(url)
    tally.failure(doors[0])
    assert (tally.kinds, tally.failures) == ({"farm": 3}, {"farm": 1})
    assert (tally.found, tally.fetched, tally.copies) == (set(web.good.seeds), len(web.good.seeds), 0)


def test_the_first_copy_of_an_article_is_no_waste_and_the_second_is() -> None:
    web = TrapWeb(TrapOptions(**SMALL, only="mirror"))
    first = web.traps[0].doors(web.traps[0].of("doors"))[0].url
    second = next(url for host in web.traps[0].hosts if (url := f"http://{host}/{first.split('/', 3)[3]}") != first)
    original = web.original_of(first)
    assert original is not None
    tally = Tally(web)
    for url, counts in ((first, (1, 0, 0)), (second, (1, 0, 1)), (original, (1, 1, 1))):
        tally.page(url)
        assert (tally.copies, tally.fetched, tally.kinds["mirror"]) == counts
    assert tally.found == {original}


def test_tables_have_means_over_seeds() -> None:
    some = [made(), made(seed=2, found=20, kinds={"farm": 20}), made(strategy="adaptive", kinds={})]
    assert table(some)[1] == ["seen", "dom", "2", "100", "42.5%", "15.0 of 20", "9.0", "90.0%", "15.0%"]
    assert table(some)[2][:5] == ["seen", "adaptive", "1", "100", "0.0%"]
    assert kinds_table(some) == [
        ["trap", "dom, seen", "adaptive, seen"],
        ["calendar", "2.5", "0.0"],
        ["farm", "40.0", "0.0"],
    ]


def test_figures_are_printed_and_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    run(monkeypatch, "--sets", "fresh", "--seeds", "1", "--strategies", "dom", "--pages", 20, "--out", out)
    printed = capsys.readouterr().out
    assert (out / "table.md").read_text().strip() in printed
    with (out / "crawls.csv").open(newline="") as file:
        (row,) = csv.DictReader(file)
    (whole,) = json.loads((out / "crawls.json").read_text())
    assert (row["set"], row["pages"], whole["pages"]) == ("fresh", "20", 20)
    assert float(row["wasted"]) == sum(whole["kinds"].values()) / 20


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--keep-trap", "pit"), "only=pit: no such trap in this set"),
        (("--strategies", "best", "--sets", "seen"), "best"),
        (("--in-flight", "0"), "at least 1 request"),
    ],
)
def test_a_mistake_is_told_in_one_line(arguments: tuple[str, ...], told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["traps", *arguments])
    with pytest.raises(traps.FocusedError, match=re.escape(told)):
        main()
