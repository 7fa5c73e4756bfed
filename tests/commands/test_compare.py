"""`scrapy compare`, run in this process on the demo web."""

import json
from pathlib import Path

import pytest

from focused.simulation.commands.compare import Command
from tests.commands.running import refusal, run_command

PICKED = ("--strategies", "dom,breadth_first")


def compare(data: Path, *arguments: str) -> int:
    return run_command(Command(), "-a", "topic=demo", "-a", "pages=120", *arguments, data_dir=data)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


def test_the_table_has_the_best_first(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert compare(data, *PICKED, "demo") == 0
    title, head, *rows = capsys.readouterr().out.splitlines()
    assert title == "Relevant pages found for demo, by the topic's own page model; best curve first"
    assert head.split() == ["strategy", "50", "pages", "100", "pages", "120", "pages"]
    assert [row.split()[0] for row in rows] == ["dom", "breadth_first"]
    assert all(int(row.split()[1]) <= 50 for row in rows)


def test_several_orders_show_how_far_they_differ(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert compare(data, *PICKED, "--orders", "2", "--in-flight", "4", "demo") == 0
    out = capsys.readouterr().out
    assert "mean ± standard deviation of 2 orders" in out
    assert " ± " in out.splitlines()[2]


def test_the_curves_are_drawn(data: Path) -> None:
    assert compare(data, *PICKED, "--plot", str(data / "curves.png"), "demo") == 0
    assert (data / "curves.png").read_bytes().startswith(b"\x89PNG")


TARGETS = [f"http://sunpower.example/{name}" for name in ("", "about", "products")]


def label_file(data: Path, name: str = "demo", **values: object) -> Path:
    path = data / f"{name}.labels.json"
    path.write_text(json.dumps({"topic": name, "targets": TARGETS, **values}))
    return path


def test_by_labels_there_are_recall_precision_area_and_a_test(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = (*PICKED, "--orders", "3", "--in-flight", "4", "--labels", str(label_file(data)))
    assert compare(data, *arguments, "demo") == 0
    out = capsys.readouterr().out
    assert "Recall of the targets of demo, by the labels, mean ± standard deviation of 3 crawls" in out
    assert "Precision: relevant among the pages fetched for demo" in out
    assert "Is the area of dom larger? 3 orders in pairs" in out
    assert compare(data, *arguments, "--processes", "1", "demo") == 0
    assert capsys.readouterr().out == out


def test_one_crawl_is_not_tested(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert compare(data, *PICKED, "--labels", str(label_file(data)), "demo") == 0
    assert "No test: that takes two topics (--topics), or two orders" in capsys.readouterr().out


def test_topics_with_labels_beside_them_are_compared_together(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine = data / "mine"
    mine.mkdir()
    for name, keyword in (("sun", "solar"), ("wind", "wind power")):
        seed = "http://sunpower.example/"
        (mine / f"{name}.toml").write_text(f'[topic]\nkeywords = ["{keyword}"]\nseeds = ["{seed}"]\n')
        label_file(mine, name)
    arguments = ("-a", "pages=40", *PICKED, "--topics", str(mine), "demo")
    assert run_command(Command(), *arguments, data_dir=data) == 0
    out = capsys.readouterr().out
    assert "Recall of the targets of 2 topics" in out
    assert "40 pages" in out
    assert "2 topics in pairs" in out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--strategies", "dmo", "demo"), "did you mean dom?"),
        (("--orders", "0", "demo"), "--orders 0: give a number from 1 on"),
        (("--plot", "x.gif", "demo"), "ends with .png, .svg or .pdf"),
        (("--labels", "no.json", "demo"), "no.json: cannot be read"),
        (("--processes", "0", "demo"), "--processes 0: give a number from 1 on"),
    ],
)
def test_a_mistake_is_one_line_before_anything_is_crawled(
    data: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], told: str
) -> None:
    assert told in refusal(compare(data, *arguments), capsys)
