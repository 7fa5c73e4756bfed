"""The file that describes an experiment: what it says, what it refuses, and that it can be written and read again."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from focused.exceptions import EvaluationError
from focused.topic.topic import Topic
from lab.experiment.experiment import Experiment, experiment_of, read_tables

TEXT = """
[experiment]
web = ["web.tar.xz"]
topics = ["topics", "$ELSEWHERE/more"]
pages = 300
repeats = 3

[strategies.dom]
[strategies.anchors]
name = "dom"
alpha = 0.1
[strategies.breadth_first]

[network]
delay = 2
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ELSEWHERE", "/elsewhere")
    path = tmp_path / "mine.toml"
    path.write_text(TEXT)
    return path


def read(path: Path) -> Experiment:
    return experiment_of(read_tables(path), path.name)


def test_a_file_says_who_is_compared_on_what(file: Path) -> None:
    experiment = read(file)
    assert {label: entrant.name for label, entrant in experiment.strategies.items()} == {
        "dom": "dom",
        "anchors": "dom",
        "breadth_first": "breadth_first",
    }
    assert [experiment.strategies[label].options["alpha"] for label in ("dom", "anchors")] == [0.25, 0.1]
    assert (experiment.plan.pages, experiment.network.delay, experiment.network.in_flight) == (300, 2.0, 16)


def test_what_is_written_describes_the_same_experiment(file: Path, tmp_path: Path) -> None:
    experiment = read(file)
    again = tmp_path / "elsewhere.toml"
    again.write_text(experiment.as_toml())
    assert read(again) == experiment
    assert tomllib.loads(experiment.as_toml())["strategies"]["anchors"] == {
        "name": "dom",
        "alpha": 0.1,
        "min_score": 0.0,
        "topic": {"traps": {"on": False}},
    }


def test_systems_of_papers_have_no_defence_against_traps_and_one_may_have_other_keys_of_a_topic(file: Path) -> None:
    file.write_text(
        TEXT
        + "\n[strategies.adaptive]\ntopic.traps.turns = false\n\n[strategies.defended]\nname = 'dom'\ntopic.traps.on = true\n"
    )
    topic = Topic(name="test", keywords=("solar",), seeds=("http://a.example/",))
    traps = {label: entrant.topic_of(topic).traps for label, entrant in read(file).strategies.items()}
    assert (traps["dom"].on, traps["defended"].on) == (False, True)
    assert (traps["adaptive"].on, traps["adaptive"].turns) == (True, False)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("pages = 300", "pages = -1", "mine.toml: [experiment] pages: must be at least 0, not -1"),
        ("pages = 300", "page = 300", "mine.toml: [experiment] page: unknown; did you mean pages?"),
        ('web = ["web.tar.xz"]', "", "mine.toml: [experiment] web: is missing"),
        ('["web.tar.xz"]', "[]", "mine.toml: [experiment] web: "),
        ("alpha = 0.1", "topic.trap.on = true", "mine.toml: [strategies.anchors] topic: unknown; did you mean traps?"),
        ("alpha = 0.1", "topic.traps.on = 3", "mine.toml: [strategies.anchors.topic.traps] on: "),
        ("alpha = 0.1", "topic = 3", "mine.toml: [strategies.anchors] topic: must be tables of a topic"),
        ("alpha = 0.1", "alpha = 3", "mine.toml: [strategies.anchors] alpha: must be at most 1"),
        (
            'name = "dom"',
            'name = "no.Such"',
            "mine.toml: [strategies.anchors] name: strategy 'no.Such' cannot be imported",
        ),
        ('name = "dom"', 'name = "domm"', "mine.toml: [strategies.anchors] name: 'domm' is unknown; did you mean dom?"),
        ("[strategies.dom]", "[strategies.'a b']", "mine.toml: [strategies]: 'a b' cannot be a name"),
        ("[strategies.dom]", "[strategies]\ndom = 1", "mine.toml: [strategies.dom]: must be a table of options"),
        ("[network]", "[netwerk]", "mine.toml: [netwerk]: unknown; did you mean network?"),
        ("delay = 2", "in_flight = 0", "mine.toml: [network] in_flight: must be at least 1, not 0"),
        (
            "pages",
            'challenger = "don"\npages',
            "mine.toml: [experiment] challenger: 'don' is unknown; did you mean dom?",
        ),
        ("pages", 'baselines = ["dom"]\npages', "[experiment] baselines: dom is the challenger and cannot be tested"),
        ("[network]\ndelay = 2", "[measures]\nrecall = [0]", "mine.toml: [measures] recall[0]: must be more than 0"),
    ],
)
def test_a_mistake_is_told_in_one_line_with_its_place(file: Path, old: str, new: str, told: str) -> None:
    file.write_text(TEXT.replace(old, new, 1))
    with pytest.raises(EvaluationError) as error:
        read(file)
    assert told in str(error.value)
    assert len(str(error.value).splitlines()) == 1


def test_a_strategy_may_be_given_by_its_import_path(file: Path) -> None:
    path = "focused.strategies.dom.Dom"
    file.write_text(TEXT.replace('name = "dom"', f'name = "{path}"', 1))
    assert read(file).strategies["anchors"].name == path
