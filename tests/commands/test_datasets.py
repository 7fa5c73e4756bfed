"""`scrapy datasets topics`: files of topics and of labels, from a data set."""

from __future__ import annotations

from pathlib import Path

import pytest
from scrapy.exceptions import UsageError

from focused.commands.datasets import Command
from focused.evaluation.topics import read_labels
from focused.evaluation.wikispeedia_topics import development, report
from focused.topic_file import load_topic, topic_files
from tests.commands.running import run_command
from tests.evaluation.small_topics import write_birds, write_webkb


def written(folder: Path) -> list[str]:
    """Names of the topics in a folder, each of which has its label file."""
    names = [file.name.removesuffix(".labels.json") for file in folder.glob("*.labels.json")]
    assert sorted(names) == sorted(file.stem for file in folder.glob("*.toml"))
    return sorted(names)


def test_the_topics_of_webkb(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    assert run_command(Command(), "topics", str(write_webkb(tmp_path)), "--out", str(out)) == 0
    assert len(written(out)) == 16
    assert set(written(out)) <= topic_files(out).keys()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["TOPIC", "SEEDS", "TARGETS", "REACHABLE", "KEYWORDS"]
    assert next(line for line in lines if line.startswith("texas-course")).split()[1:4] == ["1", "1", "0"]
    assert lines[-1] == f"16 topics are written to {out}, each with its labels beside it."


@pytest.mark.parametrize(("options", "count"), [((), 48), (("--split", "report"), 72)])
def test_the_topics_to_report_on_are_written_only_when_asked_for(
    tmp_path: Path, options: tuple[str, ...], count: int
) -> None:
    data, out = write_birds(tmp_path, (*development(), *report())), tmp_path / "out"
    assert run_command(Command(), "topics", str(data), "--out", str(out), *options) == 0
    names = written(out)
    assert len(names) == count
    assert ("films-near" in names, "birds-near" in names) == (not options, bool(options))


def test_layout_and_seed_are_options_of_wikispeedia(tmp_path: Path) -> None:
    data, out = write_birds(tmp_path, development()), tmp_path / "out"
    seeds = []
    for seed in ("0", "1"):
        argv = ("topics", str(data), "--out", str(out), "--layout", "article", "--seed", seed)
        assert run_command(Command(), *argv) == 0
        topic = load_topic("films-far", topics_dir=out)
        assert all(url.count("/") == 3 for url in topic.seeds)
        assert read_labels(out / "films-far.labels.json").judgements.neutral == set(topic.seeds)
        seeds.append(topic.seeds)
    assert seeds[0] != seeds[1]


def test_mistakes_are_told_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    webkb, out = str(write_webkb(tmp_path)), ("--out", str(tmp_path / "out"))
    cases = {
        ("topics", "nowhere", *out): "nowhere: no such file or folder",
        ("topics", "demo", *out): "demo: no data set with labels",
        ("topics", webkb, *out, "--split", "report"): "--split and --seed are for Wikispeedia",
        ("topics", webkb, *out, "--layout", "article"): "a layout can only be chosen for Wikispeedia",
    }
    for argv, told in cases.items():
        assert run_command(Command(), *argv) == 1
        error = capsys.readouterr().err
        assert error.startswith("scrapy datasets: ")
        assert told in error
        assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("argv", "told"), [((), "one data set"), (("topics",), "one data set"), (("topics", "x"), "--out is missing")]
)
def test_what_is_missing_is_named(argv: tuple[str, ...], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        run_command(Command(), *argv)
