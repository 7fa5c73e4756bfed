"""The experiment of Almpanidis et al. (2007): their printed figures stand beside ours, computed by hand on a made-up WebKB."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lab.benchmarks import reproduce_webkb
from lab.benchmarks.reproduce_webkb import PAPER, reproduce
from lab.experiment import comparing
from tests.small_topics import write_webkb
from tests.small_wikispeedia import write_files

CHOSEN = ["breadth_first", "dom", "ss1-trained", "ss2-trained", "hcla-trained"]
#: Pages of other universities: SS1 does not learn from them, HCLA does.
MISC = {f"other/misc/http:^^misc.example^{n}": "<html><p>The student body" for n in range(3)}


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """The folder of a finished run and its report."""
    folder = tmp_path_factory.mktemp("reproduced")
    web = write_webkb(folder)
    write_files(web, MISC)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(comparing, "draw", lambda *_: [])
        return folder / "out", reproduce(web, folder / "out", 1, CHOSEN).splitlines()


@pytest.fixture(scope="module")
def report(done: tuple[Path, list[str]]) -> list[str]:
    return done[1]


def cells(lines: list[str], name: str) -> list[str]:
    line = next(line for line in lines if line.startswith(f"| {name}"))
    return [cell.strip() for cell in line.strip("|").split("|")[1:]]


def test_the_papers_figures_of_a_strategy_stand_above_ours(report: list[str]) -> None:
    student = report[report.index("## student") : report.index("## course")]
    assert cells(student, "hcla, paper") == ["0.56", "0.37", "0.21", "0.18", "0.43", "0.35"]
    assert len([line for line in student if ", paper" in line]) == len(PAPER)
    names = [line.split("|")[1].strip() for line in student if ", paper" in line or ", here" in line]
    assert names.index("breadth_first, here") == names.index("breadth_first, paper") + 1
    assert names.index("hcla-trained, here") == names.index("hcla, paper") + 1
    # The student's page comes fourth at every university: P = 1/4, R = 1, F1 = 0.5 / 1.25.
    assert cells(student, "breadth_first, here") == ["0.25"] * 3 + ["0.40"] * 3


@pytest.mark.parametrize(("name", "source"), [("ss1", "cornell, misc"), ("ss2", "cornell, misc"), ("hcla", "cornell")])
def test_the_papers_models_learn_from_the_other_universities_and_only_hcla_from_misc(
    done: tuple[Path, list[str]], name: str, source: str
) -> None:
    card = json.loads((done[0] / f"models/cornell-student/{name}.json").read_text())
    assert card["sources"] == [f"WebKB without {source}"]
    assert card["options"]["terms"] == 1000
    assert card["counts"]["pages"] == 3 * 5 + (len(MISC) if name == "hcla" else 0)


def test_crawls_go_to_the_end_one_request_at_a_time_and_variants_are_no_baselines(tmp_path: Path) -> None:
    chosen = {"dom": {}, "adaptive": {}, "hcla-own": {"name": "hcla", "own": True}, "oracle": {}}
    made = reproduce_webkb.experiment(tmp_path, 3, chosen, [tmp_path])
    assert (made.plan.pages, made.network.in_flight, made.network.delay) == (0, 1, 0)
    assert made.baselines == ("dom",)
