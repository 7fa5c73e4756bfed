"""Which text of a page the page model sees, in the benchmark that compares them."""

from __future__ import annotations

from focused.reading.page import Page
from focused.reading.reader import Reader, ReadingOptions
from lab.benchmarks.page_texts import ALL, MAIN, TEXTS, Figures, Texts, report

READER = Reader(ReadingOptions())
SENTENCE = "panels turn sunlight into electricity and nobody thinks of them again"


def markup(number: int) -> str:
    menu = "<nav><ul><li><a href=/>football</a><li><a href=/b>cricket</a></ul></nav>"
    return (
        f"<title>page</title>{menu}<main><h1>solar{number}</h1><p>{SENTENCE} mill{number} <a href=/x>roofs</a></main>"
    )


def terms_of(texts: Texts, number: int, host: str = "a.example") -> dict[str, list[str]]:
    page = READER.read(f"http://{host}/{number}", markup(number).encode(), "text/html; charset=utf-8")
    assert isinstance(page, Page)
    return texts.of(page, markup(number))


def test_each_kind_of_text_leaves_out_what_it_says() -> None:
    texts = Texts(READER)
    first = terms_of(texts, 1)
    assert {"footbal", "roof", "panel", "solar1"} <= set(first[ALL])
    assert not {"footbal", "roof"} & set(first["no links"])
    assert "footbal" not in first[MAIN] and {"panel", "roof", "solar1"} <= set(first[MAIN])


def test_what_stood_on_two_pages_of_the_host_repeats() -> None:
    texts = Texts(READER)
    assert "footbal" in terms_of(texts, 1)["no repeats"]
    assert "footbal" in terms_of(texts, 2)["no repeats"]
    third = terms_of(texts, 3)["no repeats"]
    assert "footbal" not in third and "solar3" in third
    assert "footbal" in terms_of(texts, 4, "b.example")["no repeats"]


def test_the_table_compares_each_text_with_all_text() -> None:
    found = [
        Figures(topic, text, 10, 5, {"average precision": value, "ROC-AUC": value})
        for topic, start in (("sun", 0.5), ("wind", 0.6), ("water", 0.4))
        for text, value in ((text, start + 0.1 * number) for number, text in enumerate(TEXTS))
    ]
    rows = report(found)
    assert len(rows) == 2 + len(TEXTS)
    assert "0.500 ±" in rows[2] and "+0.100" in rows[3] and "3 of 3 topics" in rows[3]
