"""The weights that ship are fitted again by one command: from crawls that also take what `adaptive` would leave."""

import json
from pathlib import Path

import pytest

from focused.collection.trained_model import load_weights, shipped_weights
from focused.simulation.labels import Judgements
from lab.benchmarks import link_weights
from lab.benchmarks.link_weights import ONE_BY_ONE, Sampling
from lab.topics.labelled_topics import LabelledTopic, write_topics
from tests.commands.running import crawled
from tests.small_web import url_of


@pytest.fixture(scope="module")
def bed(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """A web, the collection of an earlier crawl, and the folder of two topics."""
    folder = tmp_path_factory.mktemp("bed")
    crawled(folder / "web")
    topics = [
        LabelledTopic(("solar energy",), (url_of(seed),), Judgements(f"sun{seed}", frozenset({url_of(9)})), "", {})
        for seed in (0, 7)
    ]
    write_topics(topics, folder / "topics")
    return str(folder / "web"), str(folder / "topics")


def fitted(bed: tuple[str, str], out: Path, monkeypatch: pytest.MonkeyPatch, *more: str) -> Path:
    argv = ["link_weights", "--bed", *bed, "--pages", "20", "--cache", str(out / "cache"), "--out", str(out), *more]
    monkeypatch.setattr("sys.argv", argv)
    link_weights.main()
    return out / "adaptive.json"


def test_a_card_is_written_that_crawls_can_begin_with_and_a_person_reads(
    bed: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    card = json.loads(fitted(bed, tmp_path, monkeypatch).read_text())
    assert load_weights("adaptive", tmp_path).weights.keys() == shipped_weights().weights.keys()
    assert card["licence"] and card["note"] and card["scores"] and "commit" in card["versions"]
    assert card["sources"] == ["web, topics"]
    told = capsys.readouterr().out
    assert "in use" in told and "mean squared error of the package's weights" in told


def test_the_same_webs_give_the_same_weights(
    bed: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = (json.loads(fitted(bed, tmp_path / name, monkeypatch).read_text()) for name in ("a", "b"))
    assert (one["weights"], one["data"]) == (other["weights"], other["data"])


def test_half_of_the_picks_are_drawn(bed: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    by_chance = json.loads(fitted(bed, tmp_path / "a", monkeypatch).read_text())["data"]
    monkeypatch.setattr(link_weights, "AT_RANDOM", 0.0)
    assert json.loads(fitted(bed, tmp_path / "b", monkeypatch).read_text())["data"] != by_chance
    assert ONE_BY_ONE.in_flight == 1 and Sampling.name != "adaptive"
