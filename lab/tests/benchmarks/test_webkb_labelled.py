"""The benchmark of labelled pages, on a made-up WebKB: no page of the university that is crawled has taught a model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from focused.commands.train import Command
from lab.benchmarks import webkb_labelled
from lab.benchmarks.webkb_labelled import KINDS, TRAINED
from lab.experiment import comparing
from lab.topics.webkb_topics import KEYWORDS, UNIVERSITIES
from tests.commands.running import run_command
from tests.small_wikispeedia import write_files

EACH = 4  #: pages of a kind at a university: at three of them 12, and `paths` needs 10


def write_pages(folder: Path) -> Path:
    """At each university a department page that leads to four pages of each kind."""
    for university in UNIVERSITIES:
        host = f"http:^^www.{university}.example"
        names = [(kind, f"{kind}{number}") for kind in KEYWORDS for number in range(EACH)]
        links = "".join(f"<p>A {kind} <a href=/{name}/>{name}</a>" for kind, name in names)
        pages = {f"department/{university}/{host}^": f"<html><title>Department</title>{links}"}
        for kind, name in names:
            words = " ".join(KEYWORDS[kind][:4])
            page = f"<html><title>The {kind}</title><p>{words} {name} <a href=/>up</a>"
            pages[f"{kind}/{university}/{host}^{name}^"] = page
        write_files(folder / "webkb", pages)
    return folder / "webkb"


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder of a finished run on the four topics of one university, and its table."""
    folder = tmp_path_factory.mktemp("labelled")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(comparing, "draw", lambda *_: [])
        return folder, webkb_labelled.run(write_pages(folder), folder / "out", 1, ["cornell"])


def card(done: tuple[Path, str], kind: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((done[0] / f"out/models/cornell-course/others-{kind}.json").read_text())
    return found


def test_all_that_can_be_trained_and_the_best_others_are_compared_on_all_topics(done: tuple[Path, str]) -> None:
    table = done[1]
    assert "4 topics, the mean of 3 crawls each; all pages that links lead to" in table
    for name in (*(f"{name}-labelled" for name in TRAINED), "adaptive", "keyword_priority", "dom", "oracle"):
        assert f"\n| {name} " in table
    assert {"focused", "rl_spider", "context_graph"} <= set(TRAINED)
    assert "Missing" not in table
    assert "## adaptive-labelled against each baseline, area under recall" in table
    assert (done[0] / "out/tests.csv").is_file()


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_learned_from_the_other_three_universities(done: tuple[Path, str], kind: str) -> None:
    about = card(done, kind)
    assert about["sources"] == ["WebKB without cornell, misc"]
    assert about["counts"]["pages of course"] == 3 * EACH
    assert about["counts"]["pages of department"] == 3


def test_the_command_on_a_card_learns_from_the_same(done: tuple[Path, str]) -> None:
    about = card(done, "corpus")
    assert run_command(Command(), *about["command"], data_dir=done[0]) == 0
    again = json.loads((done[0] / "models/others-corpus.json").read_text())
    assert (again["data"], again["sha256"]) == (about["data"], about["sha256"])


def test_crawls_go_to_the_end_one_request_at_a_time(tmp_path: Path) -> None:
    made = webkb_labelled.experiment(tmp_path, ["dom"], [tmp_path])
    assert (made.plan.pages, made.network.in_flight, made.network.delay) == (0, 1, 0)
