"""The labels of kinds of pages are whole, and the table counts what it says."""

from collections import Counter

from focused.reading.page_kind import KINDS, SPEAKS
from lab.benchmarks.page_kinds import BEDS, SPLITS, Judged, Labelled, judged, labelled_pages, report


def test_the_labels_are_of_many_pages_of_all_kinds_on_both_halves() -> None:
    pages = labelled_pages()
    assert len(pages) == len({page.url for page in pages}) >= 200
    assert {page.kind for page in pages} == {SPEAKS, *KINDS}
    assert {page.bed for page in pages} == set(BEDS)
    assert all(page.weight >= 1 and page.reason for page in pages)
    for split in SPLITS:
        counts = Counter(bool(page.kind) for page in pages if page.split == split)
        assert min(counts.values()) > 40


def test_a_site_lies_in_one_half() -> None:
    one, other = (Labelled("WebKB", f"http://{host}.utexas.edu/", "", 1.0, "") for host in ("www.cs", "www.ma"))
    assert one.split == other.split


def test_pages_of_a_web_are_judged_and_others_left_out() -> None:
    pages = [page for page in labelled_pages() if page.bed in ("demo", "Wikispeedia")]
    found = list(judged(pages, ["demo"]))
    assert {one.page.bed for one in found} == {"demo"}
    assert len(found) == sum(page.bed == "demo" for page in pages)
    assert all(one.kind == one.page.kind for one in found)


def test_the_table_counts_what_was_kept_apart_and_how_much_of_it_rightly() -> None:
    said = {"a": ("stub", "index"), "b": ("", "index"), "c": ("listing", ""), "d": ("", ""), "e": ("index", "index")}
    found = [
        Judged(Labelled("demo", url, kind, 2.0 if url == "c" else 1.0, "x"), by_rule, 1.0, 0.5)
        for url, (kind, by_rule) in said.items()
    ]
    text = "\n".join(report(found))
    assert "2 of 3: 0.67 (" in text
    assert "0.67, 0.50" in text  # by weights: 2 of the 4 that are due
    assert "1.00 ms a page for reading it, and 0.50 ms for its kind" in text
