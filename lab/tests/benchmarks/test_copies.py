"""The bench of copies: what a pair counts, which ways find it, its tables and its mistakes."""

from __future__ import annotations

from pathlib import Path

import pytest

from focused.crawl.novelty import EXACT
from focused.exceptions import EvaluationError
from focused.reporting.progress_line import ProgressLine
from lab.benchmarks import copies, copies_built, url_variants
from lab.benchmarks.copies import COPY, OTHER, PAIRS, TWIN, Judged, Pair, judged, precision_recall, read_pairs, table
from lab.benchmarks.main_text_pages import SPLITS
from lab.webs.copies import CopyWeb

WEB = CopyWeb(articles=4)
QUIET = ProgressLine(1e9)


def pair(label: str, stands_for: int = 1) -> Pair:
    return Pair(label, stands_for, f"http://{label}.com/", "http://earlier.com/")


def ways(kind: str) -> frozenset[str]:
    """Which ways call a page of this kind a copy of its article."""
    url, page = next((url, page) for url, page in WEB.pages.items() if page.kind == kind)
    article = page.original or next(iter(link for link in WEB.pages if link.startswith(url.split("/more/")[0] + "/")))
    (found,) = judged(WEB, [Pair(COPY, 1, url, article)], 3, QUIET)
    return found.found


def test_the_labelled_pairs_are_enough_and_each_split_has_hosts_of_its_own() -> None:
    by_split = [read_pairs(PAIRS, split) for split in SPLITS]
    hosts = [{one.page.split("/")[2] for one in pairs} for pairs in by_split]
    assert sum(map(len, by_split)) >= 150
    assert not hosts[0] & hosts[1]
    assert all({COPY, TWIN, OTHER} == {one.label for one in pairs} for pairs in by_split)


def test_a_label_that_is_none_is_one_clear_line(tmp_path: Path) -> None:
    file = tmp_path / "pairs.csv"
    file.write_text("label,similarity,stands_for,page,earlier\nmaybe,0.5,3,http://a.com/,http://b.com/\n")
    with pytest.raises(EvaluationError, match=r"pairs.csv: no such label: maybe; there are copy, twin, other"):
        read_pairs(file, SPLITS[0])


def test_a_page_that_the_web_does_not_have_is_named() -> None:
    with pytest.raises(EvaluationError, match=r"http://amp\.com/none is not in this web"):
        list(judged(WEB, [Pair(COPY, 1, "http://amp.com/none", "http://amp.com/")], 0, QUIET))


def test_a_variant_is_found_in_all_ways_but_as_the_same_bytes() -> None:
    found = ways("session")
    assert {"all text, 0.9", "main text, 0.9", "crawl, 0.8"} <= found
    assert EXACT not in found and "rel=canonical" not in found


def test_what_a_page_declares_is_found() -> None:
    assert "rel=canonical" in ways("amp")


def test_a_menu_makes_pages_alike_but_a_crawl_is_not_misled() -> None:
    found = ways("menu")
    assert "crawl, 0.8" not in found


def test_precision_and_recall_count_what_a_pair_stands_for() -> None:
    pairs = [pair(COPY, 30), pair(TWIN, 10), pair(OTHER, 60)]
    assert precision_recall([pairs[0], pairs[2]], pairs, [COPY]) == (30 / 90, 1)
    assert precision_recall([pairs[0], pairs[2]], pairs, [COPY, TWIN]) == (30 / 90, 30 / 40)
    assert precision_recall([], pairs, [COPY]) == (1, 0)


def test_the_table_has_a_row_for_each_way() -> None:
    rows = table(
        [Judged(pair(COPY), frozenset((EXACT, "crawl, 0.8"))), Judged(pair(OTHER), frozenset(("crawl, 0.8",)))]
    )
    by_name = {row[0]: row[1:] for row in rows[1:]}
    assert by_name[EXACT] == ["1", "1", "0", "0", "1.00", "1.00", "1.00", "1.00"]
    assert by_name["crawl, 0.8"] == ["2", "1", "0", "1", "0.50", "1.00", "0.50", "1.00"]
    assert len(by_name) == 2 + 3 * len(copies.THRESHOLDS)


def test_a_crawl_of_the_built_web_finds_all_articles_and_tells_copies() -> None:
    counts = copies_built.crawled(WEB, copies_built.NO_PLACES)
    assert counts.fetched["article"] == sum(page.kind == "article" for page in WEB.pages.values())
    assert counts.called_copies["session"] == counts.fetched["session"] > 0
    assert counts.called_copies["article"] == counts.called_copies["translation"] == 0


def test_the_built_table_has_a_row_for_each_kind_of_page() -> None:
    found = copies_built.table(WEB, {"as it is": copies_built.Counts()})
    assert {row[0] for row in found[1:]} == {page.kind for page in WEB.pages.values()}
    assert {row[0]: row[1] for row in found}["menu"] == "no"


@pytest.mark.parametrize(("bench", "option"), [(copies, "--before"), (copies_built, "--articles")])
def test_a_number_that_cannot_be_is_refused(bench, option, monkeypatch, capsys) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr("sys.argv", ["bench", *(["web"] if bench is copies else []), option, "-1"])
    with pytest.raises(SystemExit):
        bench.main()
    assert f"{option} -1: give a number from" in capsys.readouterr().err


def test_what_variants_would_leave_out_is_counted_with_what_is_right_of_it() -> None:
    web = CopyWeb(articles=40)
    urls = sorted(url for url, page in web.pages.items() if "session.com" in url or "translation.com" in url)
    tally = url_variants.tallied(url_variants.pages_of(web, urls, QUIET))
    assert tally.left_out["session.com"] == tally.rightly["session.com"] > 20
    assert not tally.left_out["translation.com"]
    rows = {row[0]: row[1:] for row in url_variants.table(tally)}
    assert rows["session.com"][3] == "1.00"
    assert rows["all 2 hosts"][2] == str(tally.left_out["session.com"])
    assert rows["session.com"][5] == r"'/;visit=#\n' to '/\n'"


def test_whole_hosts_are_drawn() -> None:
    urls = url_variants.drawn(WEB, SPLITS[0], 25)
    hosts = {url.split("/")[2] for url in urls}
    assert urls and len(urls) <= 25
    assert len(urls) == sum(url.split("/")[2] in hosts for url in WEB.urls())
