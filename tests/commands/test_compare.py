"""`scrapy compare`, run in this process on the demo web."""

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


def test_labels_decide_where_there_are_some(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (data / "demo.labels.json").write_text('{"topic": "demo", "targets": ["http://sunpower.example/"]}')
    assert compare(data, *PICKED, "--labels", str(data / "demo.labels.json"), "demo") == 0
    assert "by the labels" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--strategies", "dmo", "demo"), "did you mean dom?"),
        (("--orders", "0", "demo"), "--orders 0: give a number from 1 on"),
        (("--plot", "x.gif", "demo"), "ends with .png, .svg or .pdf"),
        (("--labels", "no.json", "demo"), "no.json: cannot be read"),
    ],
)
def test_a_mistake_is_one_line_before_anything_is_crawled(
    data: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], told: str
) -> None:
    assert told in refusal(compare(data, *arguments), capsys)
