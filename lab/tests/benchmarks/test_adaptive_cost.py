"""What adaptive costs: the pages that are made, what is counted, and the tables."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from focused.crawl.crawl import Crawl
from lab.benchmarks import adaptive_cost
from lab.benchmarks.adaptive_cost import LINKS_TABLE, WAITING_TABLE, PerPage, crawl_of, grown, held, main, take
from lab.benchmarks.generated_pages import HOSTS, KINDS, GeneratedPages, Kind, address

SMALL = Kind(terms=60, links=6, new=4, anchor=1, context=10)


def crawled(strategy: str, pages: int, *, rescores: bool = False) -> Crawl:
    source = GeneratedPages(SMALL)
    crawl = crawl_of(strategy, source, rescores=rescores)
    for _ in range(pages):
        take(crawl, source.next())
    return crawl


def run(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> None:
    monkeypatch.setattr("sys.argv", ["adaptive_cost", *map(str, arguments)])
    monkeypatch.setattr(adaptive_cost, "KINDS", {"small": SMALL, "ordinary": SMALL})
    main()


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


class TestPages:
    @pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
    def test_a_page_has_the_terms_and_links_of_its_kind(self, kind: Kind) -> None:
        source = GeneratedPages(kind)
        source.next()
        page = source.next()
        assert (len(page.terms), len(page.links)) == (kind.terms, kind.links)
        known = {address(number).key for number in range(HOSTS + kind.new)}
        assert sum(link.key not in known for link in page.links) == kind.new
        for link in page.links:
            assert 0 <= link.context_start <= link.anchor_start < link.anchor_end <= link.context_end <= len(page.terms)

    def test_no_page_is_an_exact_copy_of_another(self) -> None:
        assert crawled("dom", 20).totals.duplicates == 0

    def test_a_url_is_numbered_as_the_crawl_numbers_it(self) -> None:
        crawl = crawled("dom", 10)
        assert len(crawl.urls) == HOSTS + 10 * SMALL.new
        assert [crawl.urls.find(address(number).key) for number in range(len(crawl.urls))] == list(
            range(len(crawl.urls))
        )

    def test_pages_are_the_same_whatever_is_fetched(self) -> None:
        crawls = [crawled(strategy, 40) for strategy in ("dom", "adaptive")]
        assert len(crawls[0].urls) == len(crawls[1].urls)
        assert not np.array_equal(crawls[0].urls.state, crawls[1].urls.state)


class TestFigures:
    def test_only_the_crawl_that_is_to_rescore_rescores(self) -> None:
        assert crawled("adaptive", 20).rescorings.begun_at == 0
        assert crawled("adaptive", 20, rescores=True).rescorings.begun_at > 0

    def test_what_a_strategy_holds_are_its_arrays_without_those_of_the_crawl(self) -> None:
        strategy = crawled("dom", 5).strategy
        without = held(strategy)
        strategy.kept = [np.zeros(1000)]  # type: ignore[attr-defined]
        assert 8000 < held(strategy) - without < 8500
        strategy.world.hosts.columns.reach(10_000)
        assert held(strategy) - without < 8500

    def test_rows_tell_of_as_many_urls_as_were_asked_for_and_of_no_state_that_was_there_before(self) -> None:
        few, many = grown([1_400, 400], lambda _: None)
        assert few.waiting in range(400, 420) and many.waiting in range(1_400, 1_420)
        assert (few.every, many.every) == (5, 5)
        assert 0 < many.state_bytes * many.waiting < many.state_mb * 2**20 - 2**20
        assert 100 < many.saved_bytes < 1_000
        assert many.ms_per_page == many.rescoring_ms / 5 > many.frontier_ms / 5


class TestCommand:
    def test_tables_are_printed_and_written(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        run(monkeypatch, "--pages", 10, "--turns", 1, "--waiting", 400, "--out", tmp_path / "out")
        small, _ = rows(tmp_path / "out" / LINKS_TABLE)
        assert float(small["beyond_per_page"]) == pytest.approx(float(small["adaptive"]) - float(small["dom"]))
        assert float(small["beyond_per_link"]) == pytest.approx(float(small["beyond_per_page"]) / SMALL.links)
        assert [int(row["waiting"]) >= 400 for row in rows(tmp_path / "out" / WAITING_TABLE)] == [True]
        printed = capsys.readouterr().out.splitlines()
        assert printed[0].count("|") == len(PerPage.__slots__) + 1
        assert printed[2].startswith("| small | 60 | 6 | 4 |")

    @pytest.mark.parametrize(
        ("option", "value"), [("--pages", 1), ("--turns", 0), ("--waiting", 1), ("--turns", "few")]
    )
    def test_a_number_too_small_is_told_in_one_line(
        self, option: str, value: object, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        with pytest.raises(SystemExit, match="2"):
            run(monkeypatch, option, value)
        assert "give a number from" in capsys.readouterr().err.splitlines()[-1]

    def test_a_folder_that_cannot_be_made_is_told_in_one_line(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "file").touch()
        with pytest.raises(SystemExit, match=r"^adaptive_cost: .*cannot be written: "):
            run(monkeypatch, "--pages", 2, "--turns", 1, "--waiting", "--out", tmp_path / "file")
