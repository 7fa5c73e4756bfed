"""One crawl of a comparison: labels change nothing in it, and a record is that of exactly this crawl."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from focused import strategies
from focused.simulation.demo_web import DemoWeb
from focused.simulation.labelled_files import labelled_files
from focused.simulation.labels import Judgements
from focused.simulation.web_opener import WebOpener
from focused.topic.topic_file import load_topic
from lab.crawlers import entrants
from lab.experiment import crawling
from lab.experiment.crawling import Crawling, crawl, crawlings
from lab.experiment.experiment import Experiment, experiment_of
from lab.tests.small_comparison import ONE, TWO, small_experiment, url, urls
from lab.topics.labelled_topics import LabelledTopic, write_topics
from tests.training.models import save_toy_model

BLIND = [name for name in entrants.names() if not entrants.sees_labels(name)]


def planned(folder: Path, experiment: Experiment, models: Path | None = None) -> list[Crawling]:
    opener = WebOpener(experiment.plan.web, folder / "cache")
    topics = labelled_files(experiment.plan.topics)
    return list(crawlings(experiment, topics, opener, folder / "crawls", models or folder / "models"))


def opener_of(folder: Path, experiment: Experiment) -> WebOpener:
    return WebOpener(experiment.plan.web, folder / "cache")


@pytest.fixture(scope="module")
def demo_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.mark.parametrize("strategy", BLIND)
def test_shuffled_labels_change_no_fetch(strategy: str, tmp_path: Path, demo_cache: Path) -> None:
    demo, web = load_topic("demo", strategies), DemoWeb()
    pages = sorted(web.pages)
    truth = frozenset(web.relevant_urls("solar") - set(demo.seeds))
    shuffled = frozenset(Random(1).sample(pages, len(truth)))
    models, options = tmp_path / "models", {}
    if entrants.get_entrant(strategy).needs_model:
        options["model"] = save_toy_model(strategy, models)
    orders = []
    for name, targets in (("true", truth), ("shuffled", shuffled)):
        labels = Judgements("solar", targets, reachable=targets)
        write_topics([LabelledTopic(demo.keywords, demo.seeds, labels, name, {})], tmp_path / name)
        experiment = experiment_of(
            {
                "experiment": {"web": ["demo"], "topics": [str(tmp_path / name)], "pages": 60},
                "strategies": {strategy: options},
            }
        )
        crawls = planned(tmp_path / name, experiment, models)
        opener = WebOpener(("demo",), demo_cache)
        orders += [crawl(which, opener).urls for which in crawls]
        opener.close()
    assert truth != shuffled
    assert orders[0] == orders[1]
    assert len(orders[0]) == 60


def test_a_crawl_fetches_what_the_strategy_decides(tmp_path: Path) -> None:
    experiment = small_experiment(tmp_path)
    orders = {
        (which.strategy, which.topic.name): crawl(which, opener_of(tmp_path, experiment)).urls
        for which in planned(tmp_path, experiment)
    }
    assert orders["best_first", "one"] == urls("one/ one/hub one/t one/u one/x one/y")
    assert orders["breadth_first", "one"] == urls("one/ one/hub one/x one/y one/t one/u")
    assert orders["best_first", "two"] == urls("two/ two/hub two/t two/x")


def test_all_crawls_of_a_topic_stand_in_a_row_and_halves_of_the_seeds_come_once(tmp_path: Path) -> None:
    seeds = tuple(urls("one/ one/hub one/x"))
    experiment = small_experiment(
        tmp_path, "dom", topics=[replace(ONE, seeds=seeds), TWO], experiment={"repeats": 2, "robustness": True}
    )
    crawls = planned(tmp_path, experiment)
    assert [(which.topic.name, which.repeat, which.half) for which in crawls] == [
        ("one", 1, ""),
        ("one", 1, "first"),
        ("one", 1, "second"),
        ("one", 2, ""),
        ("two", 1, ""),
        ("two", 2, ""),
    ]
    assert [crawls[place].topic.seeds for place in (1, 2)] == [(seeds[0], seeds[2]), (seeds[1],)]


CHANGES: dict[str, dict[str, Any]] = {
    "pages": {"experiment": {"pages": 2}},
    "outside": {"experiment": {"outside": "fail"}},
    "latency drawn": {"experiment": {"repeats": 2}},
    "network": {"network": {"in_flight": 2}},
    "option": {"strategies": {"dom": {"alpha": 0.5}}},
    "seeds": {"topics": [replace(ONE, seeds=(url("one/hub"),))]},
}


def test_what_labels_measures_and_other_strategies_say_does_not_matter_for_the_file(tmp_path: Path) -> None:
    before = planned(tmp_path, small_experiment(tmp_path, "dom", topics=[ONE]))[0].path
    other = Judgements("one", frozenset(urls("one/x")))
    changed = small_experiment(
        tmp_path, "dom", "best_first", topics=[replace(ONE, judgements=other)], measures={"recall": [0.3]}
    )
    assert planned(tmp_path, changed)[0].path == before


def test_labels_matter_for_the_file_of_a_crawler_that_is_shown_them(tmp_path: Path) -> None:
    before = planned(tmp_path, small_experiment(tmp_path, "oracle", topics=[ONE]))[0]
    other = replace(ONE, judgements=Judgements("one", frozenset(urls("one/x"))))
    after = planned(tmp_path, small_experiment(tmp_path, "oracle", topics=[other]))[0]
    assert before.path != after.path
    assert before.labelled is not None


def test_changed_code_makes_crawls_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    experiment = small_experiment(tmp_path, "dom", "breadth_first", topics=[ONE])
    before = {which.strategy: which.path for which in planned(tmp_path, experiment)}
    changed = {"dom": "another text"}
    monkeypatch.setattr(crawling, "strategy_code", lambda strategy: changed.get(strategy, original(strategy)))
    after = {which.strategy: which.path for which in planned(tmp_path, experiment)}
    assert {name: before[name] == after[name] for name in before} == {"dom": False, "breadth_first": True}


original = crawling.strategy_code


@pytest.mark.parametrize(
    ("strategy", "packages", "modules"),
    [
        ("dom", set(), {"focused.strategies.dom"}),
        ("adaptive", {"focused.scorers"}, {"focused.strategies.adaptive"}),
        ("oracle", {"lab.crawlers"}, {"lab.crawlers.yardsticks.oracle"}),
    ],
)
def test_a_crawl_depends_on_the_code_of_its_strategy_and_no_other(
    strategy: str, packages: set[str], modules: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crawling, "code_digest", lambda packages, modules: (packages, modules))
    of_packages, of_modules = map(set, crawling.strategy_code(strategy))
    assert of_packages - {*crawling.PACKAGES} == packages
    assert of_modules - {*crawling.MODULES} == modules


def test_a_record_counts_what_was_hidden_and_what_failed(tmp_path: Path) -> None:
    experiment = small_experiment(tmp_path, "dom", topics=[ONE])
    hub = tmp_path / "webkb/other/misc" / url("one/hub").replace("/", "^")
    hub.write_text(hub.read_text() + "<a href=/lost>lost</a>")
    records = {}
    for outside in ("hide", "fail"):
        opener = WebOpener(experiment.plan.web, tmp_path / "cache", hide_outside=outside == "hide")
        records[outside] = crawl(planned(tmp_path, experiment)[0], opener)
    found = {name: (record.links, record.hidden, record.failures) for name, record in records.items()}
    assert found == {"hide": (6, 1, 0), "fail": (6, 0, 1)}
    assert json.dumps(records["hide"].duplicates) == "{}"
