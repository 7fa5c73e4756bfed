"""`scrapy compare --alone`, run in this process on the demo web."""

import csv
from pathlib import Path

import pytest

from focused.simulation.commands.compare import Command
from tests.commands.running import crawled, refusal, run_command
from tests.small_web import url_of


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of data, where the cache goes, with one finished crawl."""
    folder = tmp_path_factory.mktemp("data")
    crawled(folder / "test", 20)
    return folder


def simulate(data: Path, *arguments: str) -> int:
    return run_command(Command(), "--alone", "-a", "topic=demo", "-a", "pages=40", *arguments, data_dir=data)


def test_the_summary_says_what_was_fetched_and_by_whose_judgement(data, capsys):
    assert simulate(data, "demo") == 0
    text = capsys.readouterr().out
    assert "ended: page budget reached: 40 of 40 pages" in text
    assert "by the crawl's own page model: harvest rate" in text
    assert "lead out of the recording and were hidden" in text
    assert "pages per second of CPU" in text
    assert "unknown here" not in text


def test_the_order_is_written_and_the_same_every_time(data, tmp_path):
    files = [tmp_path / "one.csv", tmp_path / "other.csv"]
    for file in files:
        assert simulate(data, "--in-flight", "8", "--delay", "2", "--seed", "4", "--order", str(file), "demo") == 0
    assert files[0].read_text() == files[1].read_text()
    rows = list(csv.DictReader(files[0].read_text().splitlines()))
    assert len(rows) == 40
    assert {row["outcome"] for row in rows} == {"page"}
    assert rows[0]["url"].startswith("http")
    assert [float(row["arrived"]) for row in rows] == sorted(float(row["arrived"]) for row in rows)


def test_the_network_is_that_of_the_settings_where_no_option_says_otherwise(data, capsys):
    assert simulate(data, "--delay", "3", "demo") == 0
    assert "1 in flight, 8 per host, delay 3 s, latency 0.5 s\n" in capsys.readouterr().out  # demo.toml, Scrapy, option


def test_an_earlier_crawl_can_be_simulated_and_its_limits_are_told(data, capsys):
    arguments = ("-a", "keywords=solar energy", "-a", f"seeds={url_of(0)}")
    assert run_command(Command(), "--alone", *arguments, str(data / "test"), data_dir=data) == 0
    assert "did not fetch is unknown here, not irrelevant" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "which web?"),
        (["--delay", "-1", "demo"], "--delay -1: give a number from 0 to"),
        (["--in-flight", "0", "demo"], "--in-flight 0: give a number from 1 to"),
        (["--latency", "nan", "demo"], "--latency nan: give a number"),
        (["-a", "strategy=no_such", "demo"], "no_such"),
        (["-a", "seeds=http://unknown.example/", "demo"], "no page was fetched (not recorded)"),
        (["--order", "no/such/folder/order.csv", "demo"], "no/such/folder/order.csv: cannot be written"),
    ],
)
def test_a_mistake_is_one_clear_line(data, capsys, arguments, message):
    assert message in refusal(simulate(data, *arguments), capsys)
