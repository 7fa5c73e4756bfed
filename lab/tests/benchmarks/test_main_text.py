"""The laboratory's judge of extractors: what it counts, where its pages come from, and that sites decide the splits."""

import json
from collections import Counter
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from warcio.warcwriter import WARCWriter

from focused.exceptions import EvaluationError
from lab.benchmarks import main_text as command
from lab.benchmarks.main_text import behind, extractors, interval, judge, overlap, runs_of, table_of, words_of
from lab.benchmarks.main_text_pages import SPLITS, LabelledPage, labelled_pages, split_of, without_names

TEXT = "Balsa grows fast and its wood is light. " * 10
PAGE = LabelledPage("http://a.example/", "a.example", "article", f"<nav>Home News Shop</nav><p>{TEXT}", TEXT)


def both_splits(source: Path) -> list[LabelledPage]:
    return [page for split in SPLITS for page in labelled_pages(source, split)]


def test_words_are_counted_as_a_bag() -> None:
    assert overlap(Counter("aab"), Counter("abbc")) == (2 / 3, 2 / 4, 4 / 7)
    assert overlap(Counter(), Counter("a")) == (0, 0, 0)
    assert words_of("Balsa-wood, 木材!") == ["balsa", "wood", "木", "材"]
    assert runs_of(list("abcde")) == Counter({"a b c d": 1, "b c d e": 1})


def test_the_extractor_of_the_product_beats_all_text() -> None:
    found, _ = extractors()
    focused, everything = (judge(name, found[name], PAGE) for name in ("focused", "all text"))
    assert focused.precision == focused.recall == focused.f1 == 1
    assert everything.recall == 1 and everything.precision < 1


def test_an_extractor_that_fails_has_found_nothing() -> None:
    def fails(*_: str) -> str:
        raise RuntimeError

    judged = judge("it", fails, PAGE)
    assert judged.failed and judged.f1 == 0


def test_an_interval_draws_whole_sites() -> None:
    assert interval([("a", 0.5)] * 10) == (0.5, 0.5)
    assert interval([("a", 0.0)] * 50 + [("b", 1.0)] * 50) == (0, 1)


def test_extractors_are_compared_page_by_page() -> None:
    ours = [replace(judge("focused", lambda *_: TEXT, PAGE), f1=f1) for f1 in (0.9, 0.8)]
    theirs = [replace(row, extractor="theirs", f1=row.f1 - 0.25) for row in ours]
    assert behind(theirs, ours) == "+0.250 (+0.250 to +0.250)"
    assert behind(ours, ours) == "-"


def test_a_folder_has_pages_and_texts(tmp_path: Path) -> None:
    (tmp_path / "html").mkdir()
    (tmp_path / "txt").mkdir()
    (tmp_path / "html" / "one.html").write_text("<p>one")
    (tmp_path / "txt" / "one.txt").write_text("one")
    (tmp_path / "txt" / "two.txt").write_text("of no page")
    (tmp_path / "html" / "three.html").write_text("<p>three")
    truth = {"three": {"articleBody": "three", "url": "http://b.example/x"}}
    (tmp_path / "ground-truth.json").write_text(json.dumps(truth))
    pages = both_splits(tmp_path)
    assert {(page.site, page.markup, page.expected) for page in pages} == {
        ("one", "<p>one", "one"),
        ("b.example", "<p>three", "three"),
    }


def test_a_recorded_web_tells_by_its_templates(tmp_path: Path) -> None:
    body = f"<div class=related>menu</div><div class=body role=main><h1>Balsa<a class=headerlink>¶</a></h1><p>{TEXT}{TEXT}</div>"
    with (tmp_path / "web.warc").open("wb") as file:
        writer = WARCWriter(file, gzip=False)
        for number, page in enumerate((body, "<p>no template", body.replace(TEXT, ""))):
            http = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{page}".encode()
            url = f"http://a.example/{number}"
            writer.write_record(writer.create_warc_record(url, "response", payload=BytesIO(http), length=len(http)))
    pages = both_splits(tmp_path / "web.warc")
    assert [(page.name, page.kind) for page in pages] == [("http://a.example/0", "sphinx")]
    assert words_of(pages[0].expected) == words_of(f"Balsa {TEXT}{TEXT}")


def test_a_source_without_pages_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(EvaluationError, match="no page with a known main text"):
        both_splits(tmp_path)
    monkeypatch.setattr("sys.argv", ["main_text", str(tmp_path / "none")])
    with pytest.raises(SystemExit, match=r"main_text: .*no such file or folder"):
        command.main()


def test_a_site_is_in_one_split() -> None:
    assert {split_of(f"{number}.example") for number in range(50)} == set(SPLITS)


def test_bare_pages_have_the_same_text_without_names() -> None:
    bare = without_names("<nav class=menu id=x role=navigation>a</nav><main>b</main>")
    assert "<div>a</div><div>b</div>" in bare


def test_the_table_has_a_row_for_each_extractor() -> None:
    rows = [judge(name, extract, PAGE) for name, extract in extractors()[0].items() if name in ("focused", "all text")]
    lines = list(table_of(rows))
    assert [line.split(" | ")[0] for line in lines[2:4]] == ["| all text", "| focused"]
    assert "| F1 by kind (pages) | article (1) |" in lines
