"""`python -m lab datasets topics`: files of topics and of labels, from a data set."""

from __future__ import annotations

import tarfile
from dataclasses import replace
from pathlib import Path

import pytest

import focused.explain.plain_output
import lab.commands.datasets
from focused import strategies
from focused.simulation.labels import read_labels
from focused.topic.topic_file import load_topic, topic_files
from lab.commands.datasets import Command
from lab.topics.wikispeedia_topics import development, report
from lab.webs.published import Tell, content_of, parts, published
from tests.commands.running import refusal, run_command
from tests.small_topics import write_birds, write_webkb


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
    assert lines[0].split() == ["topic", "seeds", "targets", "reachable", "keywords"]
    assert next(line for line in lines if line.startswith("texas-course")).split()[1:4] == ["1", "1", "0"]
    assert lines[-1] == f"16 topics are written to {out}, each with its labels beside it."


@pytest.mark.parametrize(("options", "count"), [((), 24), (("--split", "report"), 72)])
def test_the_topics_to_report_on_are_written_only_when_asked_for(
    tmp_path: Path, options: tuple[str, ...], count: int
) -> None:
    data, out = write_birds(tmp_path, (*development(), *report())), tmp_path / "out"
    assert run_command(Command(), "topics", str(data), "--out", str(out), *options) == 0
    names = written(out)
    assert len(names) == count
    assert ("artists-near" in names, "birds-near" in names) == (not options, bool(options))


def test_layout_and_seed_are_options_of_wikispeedia(tmp_path: Path) -> None:
    data, out = write_birds(tmp_path, development()), tmp_path / "out"
    seeds = []
    for seed in ("0", "1"):
        argv = ("topics", str(data), "--out", str(out), "--layout", "article", "--seed", seed)
        assert run_command(Command(), *argv) == 0
        topic = load_topic("artists-far", strategies, topics_dir=out)
        assert all(url.count("/") == 3 for url in topic.seeds)
        assert read_labels(out / "artists-far.labels.json").judgements.neutral == set(topic.seeds)
        seeds.append(topic.seeds)
    assert seeds[0] != seeds[1]


def test_a_data_set_is_fetched_and_verified(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    source = write_webkb(tmp_path)
    data_set = replace(published()["webkb"], content=content_of(parts("webkb", source)))

    def downloaded(url: str, path: Path, tell: Tell) -> None:
        tell(url, 1_500_000, 3_000_000)
        with tarfile.open(path, "w:gz") as archive:
            archive.add(source, "webkb")

    monkeypatch.setattr("lab.webs.published.download", downloaded)
    monkeypatch.setattr(lab.commands.datasets, "published", lambda: {"webkb": data_set})
    monkeypatch.setattr(lab.commands.datasets, "published_data_set", {"webkb": data_set}.__getitem__)
    monkeypatch.setattr(focused.explain.plain_output, "LIVE_SECONDS", 0)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    out, file = tmp_path / "out", tmp_path / "out" / "webkb.tar.xz"
    for state in ("fetched", "was there already"):
        assert run_command(Command(), "fetch", "webkb", "--out", str(out)) == 0
        printed = capsys.readouterr()
        assert printed.out == f"{file}: WebKB (CMU, 1997), {state}; its content is right.\n"
        assert ("webkb-data.gtar.gz: 1.5 of 3.0 MB" in printed.err) == (state == "fetched")
    for path in (file, source):
        assert run_command(Command(), "verify", str(path)) == 0
        assert capsys.readouterr().out == f"{path}: WebKB (CMU, 1997); its content is right.\n"
    next(file for file in source.rglob("http*")).write_text("changed")
    assert run_command(Command(), "verify", str(source)) == 1
    assert "files differ" in capsys.readouterr().err


def test_mistakes_are_told_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    webkb, out = str(write_webkb(tmp_path)), ("--out", str(tmp_path / "out"))
    empty = tmp_path / "empty"
    empty.mkdir()
    cases = {
        ("topics", "demo", *out): "demo: no data set with labels",
        ("topics", webkb, *out, "--seed", "1"): "--seed means nothing to this data set; leave it out",
        ("fetch", "webkb", "web", *out): "web: unknown; did you mean webkb?",
        ("fetch", "webkb", *out, "--layout", "article"): "--layout means nothing to fetch; leave it out",
        ("fetch", "webkb", *out, "--seeds", "easy"): "--seeds means nothing to fetch; leave it out",
        ("topics", webkb, *out, "--seeds", "easy"): "--seeds means nothing to this data set; leave it out",
        ("verify", webkb, *out): "--out means nothing to verify; leave it out",
        ("verify", "nowhere"): "nowhere: no such file or folder",
        ("verify", str(empty)): "neither webkb nor cora nor wikispeedia",
        ("verify", webkb): "and not 8,282; move it away and fetch webkb again",
        ("topics", webkb, *out, "--layout", "article"): "option layout: unknown",
        ("topics", "nowhere.tsv", *out): "nowhere.tsv: no such file or folder",
        ("topics", "nowhere.tsv", *out, "--split", "report"): "--split means nothing to a directory; leave it out",
        ("topics", "nowhere.json", *out, "--seeds", "7"): "--seeds 7: give easy, hard, both or sites",
    }
    for argv, told in cases.items():
        error = refusal(run_command(Command(), *argv), capsys)
        assert error.startswith("python -m lab datasets: ")
        assert told in error
