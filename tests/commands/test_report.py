"""`scrapy report`: what crawls have collected, in tables and as a picture."""

from contextlib import closing
from pathlib import Path

import pytest

from focused.collection.collection import hold, open_to_read
from focused.crawl.budget import DEAD_END
from focused.inspection.collection_report import harvest_curve
from focused.inspection.commands.report import Command
from focused.inspection.commands.verify import Command as Check
from focused.live.session import Session
from tests.commands.running import run_command
from tests.small_web import WEB, crawl, topic_of


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of data with one finished crawl and one that has fetched nothing yet."""
    folder = tmp_path_factory.mktemp("data")
    session = Session(topic_of(), folder / "test")
    crawl(session)
    session.close(DEAD_END)
    Session(topic_of(), folder / "empty").close()
    return folder


def test_the_report_counts_what_was_collected(data, capsys):
    assert run_command(Command(), "test", data_dir=data) == 0
    text = capsys.readouterr().out
    assert f"test: {len(WEB)} pages" in text
    assert "dead end: no URL is left to fetch" in text
    assert "Harvest rate, last 200 " in text
    assert "Harvest fell" not in text
    assert "host0.example" in text
    assert "http 404" in text


def test_the_report_says_that_nobody_has_judged_the_crawl_and_how_to(data, capsys):
    assert run_command(Command(), "test", data_dir=data) == 0
    assert "Nobody has judged these pages." in (text := capsys.readouterr().out)
    assert "scrapy judge test --findings tells for this one" in text


def test_a_collection_that_cannot_be_looked_at_does_not_hide_the_others(tmp_path, capsys):
    for name in ("broken", "test"):
        session = Session(topic_of(), tmp_path / name)
        crawl(session, 4)
        session.close()
    with closing(hold(tmp_path / "broken")):
        assert run_command(Check(), data_dir=tmp_path) == 1
    told = capsys.readouterr()
    assert "broken: another crawl of this topic is running" in told.err
    assert "test: all is well" in told.out
    (tmp_path / "broken" / "crawl.db").write_bytes(b"no database " * 100)
    assert run_command(Command(), data_dir=tmp_path) == 1
    told = capsys.readouterr()
    assert "broken/crawl.db: file is not a database" in told.err
    assert "test: 4 pages" in told.out


def test_a_run_that_was_cut_off_runs_only_as_long_as_its_crawl(tmp_path, capsys):
    session = Session(topic_of(), tmp_path / "test")
    crawl(session, 3)
    session.commit()
    for state in ("running", "cut off"):
        assert run_command(Command(), "test", data_dir=tmp_path) == 0
        (line,) = (line for line in capsys.readouterr().out.splitlines() if "adaptive" in line)
        assert state in line
        assert "None" not in line
        session.collection.close()  # as kill -9 does


def test_the_harvest_curve_is_the_share_of_relevant_pages_so_far(data):
    store = open_to_read(data / "test")
    overall, sliding = harvest_curve(store)
    relevant = [row[0] for row in store.execute("SELECT relevant FROM fetches WHERE outcome = 'page' ORDER BY seq")]
    store.close()
    assert overall.tolist() == pytest.approx([sum(relevant[: n + 1]) / (n + 1) for n in range(len(relevant))])
    assert sliding.tolist() == overall.tolist()  # fewer pages than the window


def test_the_harvest_curve_is_drawn(data, tmp_path):
    assert run_command(Command(), "test", "--plot", str(tmp_path / "curve.svg"), data_dir=data) == 0
    assert (tmp_path / "curve.svg").stat().st_size > 1000


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (("tset",), "no such collection"),
        (("a" * 300,), "crawl.db: cannot be looked at: File name too long"),
        (("empty", "--plot", "x.png"), "nothing to draw"),
        (("test", "--plot", "/nowhere/x.png"), "there is no folder /nowhere"),
    ],
)
def test_a_mistake_ends_in_one_line(data, capsys, argv, words):
    assert run_command(Command(), *argv, data_dir=data) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert words in line
