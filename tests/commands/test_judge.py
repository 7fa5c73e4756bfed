"""`scrapy judge`: pages drawn for a person to judge, and what the judgements say of the crawl."""

import csv
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from scrapy.exceptions import UsageError

from focused.collection.collection import open_to_read
from focused.desk.commands.judge import Command
from focused.desk.judging.audit import audit_of
from focused.desk.judging.sheet import SheetLine, population, read_sheet
from focused.inspection.commands.report import Command as Report
from focused.live.session import Session
from focused.page.urls import UrlRules
from focused.papers.training.examples import OTHER, RELEVANT
from focused.papers.training.sources import read_url_labels
from focused.topic.topic import Example
from tests.commands.running import crawled, run_command
from tests.small_web import WEB, topic_of

Audit = Callable[..., str]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder of data with one crawl that has fetched thirty of forty pages."""
    crawled(tmp_path / "test", 30, strategy="breadth_first")
    return tmp_path


@pytest.fixture
def audit(data: Path, capsys: pytest.CaptureFixture[str]) -> Audit:
    def run(*argv: str) -> str:
        code = run_command(Command(), *argv, data_dir=data)
        out, err = capsys.readouterr()
        assert code == 0 or (err.count("\n") == 1 and not out)
        return out if code == 0 else f"{code}: {err}"

    return run


def sheet(data: Path) -> Path:
    return data / "test" / "audit.csv"


def is_relevant(url: str) -> bool:
    return "solar energy" in WEB[url]


def judged_by_the_crawl(data: Path, column: str) -> dict[str, float]:
    store = open_to_read(data / "test")
    found = dict(store.execute(f"SELECT final_url, {column} FROM history WHERE outcome = 'page'").fetchall())
    store.close()
    return found


def fill(path: Path, answer: Callable[[str], bool] = is_relevant, most: int = 1000) -> None:
    """Judge the lines that are not judged yet, from the top."""
    with path.open(newline="") as file:
        lines = list(csv.DictReader(file))
    for line in [line for line in lines if not line["relevant"]][:most]:
        line["relevant"] = "yes" if answer(line["url"]) else "no"
    with path.open("w", newline="") as file:
        rows = csv.DictWriter(file, lines[0].keys())
        rows.writeheader()
        rows.writerows(lines)


def test_the_same_call_writes_the_same_file(data: Path, audit: Audit) -> None:
    assert "a sample of 10 pages, drawn from 30" in audit("test", "--sample", "10")
    first = sheet(data).read_bytes()
    audit("test", "--sample", "10")
    assert sheet(data).read_bytes() == first


def test_the_first_lines_are_one_page_of_each_stratum(data: Path, audit: Audit) -> None:
    audit("test", "--sample", "12")
    assert [line.stratum for line in read_sheet(sheet(data))] == [1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 1, 2]


def test_it_works_while_the_crawl_runs(data: Path, audit: Audit) -> None:
    session = Session(topic_of(), data / "test")
    assert "a sample of 10 pages" in audit("test", "--sample", "10")
    session.close()


def test_judgements_are_kept_when_more_is_drawn(data: Path, audit: Audit) -> None:
    audit("test", "--sample", "10")
    before = {line.url for line in read_sheet(sheet(data))}
    fill(sheet(data))
    assert "a sample of 20 pages, 10 of them judged already" in audit("test", "--sample", "20")
    lines = read_sheet(sheet(data))
    assert {line.url: line.relevant for line in lines[10:]} == {url: is_relevant(url) for url in before}
    assert all(line.relevant is None for line in lines[:10])


def test_what_falls_out_of_the_sample_is_kept_as_a_label_and_counts_for_nothing(data: Path, audit: Audit) -> None:
    audit("test", "--sample", "10")
    fill(sheet(data))
    assert "5 judged earlier that are no longer in it" in audit("test", "--sample", "5")
    last = read_sheet(sheet(data))[5:]
    assert [line.stratum for line in last] == [None] * 5
    assert all(line.relevant is not None for line in last)
    assert audit("test", "--findings").startswith("5 of 5 drawn pages are judged")


def test_a_sample_of_all_pages_knows_the_harvest_rate(data: Path, audit: Audit) -> None:
    told = audit("test", "--sample", "30", "--out", str(data / "all.csv"))
    assert f"Then: scrapy judge test --findings {data / 'all.csv'}" in told
    fill(data / "all.csv")
    found = judged_by_the_crawl(data, "relevant")
    truth, own = sum(map(is_relevant, found)) / 30, sum(found.values()) / 30
    text = audit("test", "--findings", str(data / "all.csv"))
    assert f"harvest rate as judged    {truth:.1%} (95% interval {truth:.1%} to {truth:.1%})" in text
    assert "judged; each counted for the pages it stands for, relevant are " in text
    assert f"the crawl's own estimate  {own:.1%} (outside that interval)" in text


def test_a_better_threshold_is_proposed(data: Path, audit: Audit) -> None:
    audit("test", "--sample", "30")
    relevance = judged_by_the_crawl(data, "relevance")
    strict = sorted(relevance.values())[-4]  # a person who takes only the four best for relevant
    fill(sheet(data), lambda url: relevance[url] >= strict)
    proposed = tomllib.loads("\n".join(audit("test", "--findings").splitlines()[-3:-1]))["relevance"]["threshold"]
    assert {url for url in relevance if relevance[url] >= proposed} == {u for u in relevance if relevance[u] >= strict}


def test_a_threshold_that_agrees_with_the_person_is_kept(data: Path, audit: Audit) -> None:
    audit("test", "--sample", "30")
    called = judged_by_the_crawl(data, "relevant")
    fill(sheet(data), lambda url: bool(called[url]))
    text = audit("test", "--findings")
    assert "Threshold: the present 0.1 agrees with 100% of the judgements (kappa 1.00); none agrees better" in text
    assert "(inside that interval)" in text


def test_pages_that_are_not_judged_count_for_nothing(data: Path, audit: Audit) -> None:
    audit("test", "--sample", "20")
    fill(sheet(data), most=10)
    text = audit("test", "--findings")
    assert text.startswith("10 of 20 drawn pages are judged; they stand for 30 pages\n")
    assert "judge 20 pages or more" in text


def test_judgements_of_older_pages_only_are_told_as_such(data: Path, audit: Audit) -> None:
    audit("test", "--sample", "30")
    fill(sheet(data))
    crawled(data / "test", strategy="breadth_first")
    assert f"{len(WEB) - 30} more were fetched since" in audit("test", "--findings")
    audit("test", "--sample", "40")
    assert f"the newest {len(WEB) - 30} pages of the sample are not judged" in audit("test", "--findings")
    fill(sheet(data))
    assert "Beware" not in audit("test", "--findings")


def test_an_exact_duplicate_is_not_drawn_and_counts_as_a_page() -> None:
    store = FakeStore([(1, 0.5, 1, 1), (2, 0.5, 0, 0), (3, 0.1, 0, 1), (4, 0.0, 0, 0)])
    pages = population(store)  # type: ignore[arg-type]
    assert pages.seqs.tolist() == [1, 3]
    assert pages.fetched.tolist() == [2, 4]
    lines = [SheetLine("http://a.example/", True, 1, 2), SheetLine("http://b.example/", False, 1, 2)]
    found = audit_of(store, pages, lines, "audit.csv")  # type: ignore[arg-type]
    assert (found.harvest.value, found.own_harvest) == (0.25, 0.25)  # one of four pages, not of two
    share = found.relevant_share(called=True)
    assert share is not None and share.value == 1.0


class FakeStore:
    """Rows of pages: seq, relevance, relevant, distinct."""

    def __init__(self, rows: list[tuple[int, float, int, int]]) -> None:
        self.rows = rows

    def execute(self, query: str) -> object:
        if query.startswith("SELECT u.url"):
            return iter([("http://a.example/",), ("http://b.example/",)])
        return self

    def fetchall(self) -> list[tuple[int, float, int, int]]:
        return self.rows


def test_judgements_are_handed_on_as_labels_and_as_examples_of_a_topic(data: Path, audit: Audit) -> None:
    audit("test", "--sample", "10")
    fill(sheet(data))
    text = audit("test", "--export", str(data / "judged"))
    with (data / "judged" / "labels.csv").open(newline="") as file:
        labels = {row["url"]: row["class"] for row in csv.DictReader(file)}
    known = read_url_labels(data / "judged" / "labels.csv", UrlRules())
    assert {url: known(url) for url in labels} == {url: RELEVANT if is_relevant(url) else OTHER for url in labels}
    assert labels == {line.url: "relevant" if is_relevant(line.url) else "other" for line in read_sheet(sheet(data))}
    tables = tomllib.loads(text[text.index("    [topic]") :])
    assert tables["relevance"] == {"model": "centroid"}
    examples = [Example(source=path, body=Path(path).read_bytes()) for path in tables["topic"]["examples"]]
    assert len(examples) == sum(map(is_relevant, labels))
    assert all(b"solar energy from solar panels" in (example.body or b"") for example in examples)


def test_the_report_shows_the_result_in_a_line(data: Path, audit: Audit, capsys: pytest.CaptureFixture[str]) -> None:
    def report() -> str:
        assert run_command(Report(), "test", data_dir=data) == 0
        return "".join(line for line in capsys.readouterr().out.splitlines() if line.startswith("Audit"))

    assert report() == ""
    audit("test", "--sample", "30")
    assert report() == ""
    fill(sheet(data))
    assert "as a person judged 30 of the first 30 pages; the crawl's own estimate of them is" in report()
    sheet(data).write_text("url\n")
    assert "line 1: no column 'relevant'" in report()


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (("tset", "--findings"), "no such collection"),
        (("test", "--findings"), "audit.csv: no such file; `scrapy judge test --sample 100` draws a sample"),
        (("test", "--sample", "0"), "--sample 0: give a number of pages from 1 to"),
        (("test", "--sample", "5", "--seed", "-1"), "--seed -1: give a whole number from 0 on"),
        (("test", "--sample", "5", "--out", "/dev/null/audit.csv"), "cannot be written"),
        (("empty", "--sample", "5"), "no page was fetched yet"),
    ],
)
def test_a_mistake_ends_in_one_line(data: Path, audit: Audit, argv: tuple[str, ...], words: str) -> None:
    Session(topic_of(name="empty"), data / "empty").close()
    assert words in audit(*argv)


@pytest.mark.parametrize(
    "argv",
    [
        (),
        ("a", "b"),
        ("a", "--seed", "1"),
        ("a", "--sample", "5", "--export", "x"),
        ("a", "--findings", "--sample", "5"),
    ],
)
def test_options_that_mean_nothing_together_are_refused(audit: Audit, argv: tuple[str, ...]) -> None:
    with pytest.raises(UsageError):
        audit(*argv)


def test_judgements_that_cannot_be_counted_are_refused(data: Path, audit: Audit) -> None:
    audit("test", "--sample", "10")
    assert "none of its 10 pages is judged" in audit("test", "--findings")
    fill(sheet(data), most=3)
    assert "no page of stratum 4 is judged" in audit("test", "--findings")
    fill(sheet(data))
    strange = sheet(data).read_text().replace("http://host", "http://other")
    sheet(data).write_text(strange)
    assert "is no page of this collection; the file is of another crawl" in audit("test", "--findings")
    assert "was judged, but the collection has no such page" in audit("test", "--sample", "10")
    assert sheet(data).read_text() == strange


def test_strata_larger_than_the_collection_are_refused(data: Path, audit: Audit) -> None:
    audit("test", "--sample", "10")
    fill(sheet(data))
    text = sheet(data).read_text().replace(",5,6,", ",5,600,")
    sheet(data).write_text(text)
    assert "its strata have 624 pages, the collection 30" in audit("test", "--findings")
