"""The experiment of Almpanidis et al. (2007): their printed figures stand beside ours, computed by hand on a made-up WebKB."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from lab.benchmarks import reproduce_webkb
from lab.benchmarks.reproduce_webkb import PAPER, reproduce
from lab.benchmarks.reproduce_webkb_figures import ORDERINGS
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


def figure(done: tuple[Path, list[str]], number: int) -> list[list[str]]:
    assert all((done[0] / f"figures/figure-{number}.{ending}").is_file() for ending in ("png", "svg"))
    return list(csv.reader((done[0] / f"figures/figure-{number}.csv").read_text().splitlines()))


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


def test_figure_5_has_the_harvest_rate_by_the_share_of_the_crawl(done: tuple[Path, list[str]]) -> None:
    header, *rows = figure(done, 5)
    assert header == ["curve", "share of the full crawl fetched", "harvest rate", "low", "high"]
    found = {place: float(value) for name, place, value, *_ in rows if name == "breadth_first"}
    # Cornell has four tasks and five pages, the others three tasks and four pages, as nothing links to their course. Faculty comes
    # second, then project, student and course. A quarter of five pages is two: one of 13 tasks has a target by then.
    expected = {"0.25": 1 / 2, "0.5": 2 / 3 + 3 / 2, "0.75": 3 / 4 + 3 * 2 / 3, "1": 4 / 5 + 9 / 4}
    assert {place: found[place] for place in expected} == {
        place: pytest.approx(total / 13, abs=1e-4) for place, total in expected.items()
    }
    assert {name for name, _, _, low, _ in rows if low} == {"hcla-trained", "ss2-trained"}


def test_figure_6_has_the_points_that_the_paper_prints(done: tuple[Path, list[str]]) -> None:
    rows = figure(done, 6)
    assert [row[1:3] for row in rows if row[0] == "hcla-trained, paper"] == [
        ["0.1", "0.56"],
        ["0.5", "0.37"],
        ["1", "0.21"],
    ]
    assert {value for name, _, value, *_ in rows if name == "breadth_first"} == {"0.2500"}


@pytest.mark.parametrize(
    ("number", "curves"),
    [(7, ["hcla50r10", "hcla50r25", "hcla50r50"]), (8, ["hcla30r50", "hcla50r50", "hcla80r50"])],
)
def test_figures_7_and_8_vary_the_reordering_and_the_factors_of_hcla(
    done: tuple[Path, list[str]], number: int, curves: list[str]
) -> None:
    assert list(dict.fromkeys(row[0] for row in figure(done, number)[1:])) == curves
    assert ORDERINGS["hcla30r50"] == {"name": "hcla", "model": "hcla", "factors": 30, "reorder_every": 50}
    assert f"| {curves[0]} " in "\n".join(done[1])


def test_crawls_go_to_the_end_one_request_at_a_time_and_variants_are_no_baselines(tmp_path: Path) -> None:
    chosen = {"dom": {}, "adaptive": {}, "hcla-own": {"name": "hcla", "own": True}, "oracle": {}}
    made = reproduce_webkb.experiment(tmp_path, 3, chosen, [tmp_path])
    assert (made.plan.pages, made.network.in_flight, made.network.delay) == (0, 1, 0)
    assert made.baselines == ("dom",)
