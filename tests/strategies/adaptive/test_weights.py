"""What adaptive believes before it has learned anything stands in a card: the one of the package, or one's own."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from focused.collection.trained_model import save_model, shipped_weights
from focused.crawl.world import World
from focused.exceptions import ModelError
from focused.live.assemble import assemble, model_of
from focused.scorers.pipeline import BASE, USUAL
from focused.strategies.adaptive import Adaptive
from focused.topic.topic import Topic
from tests.training.models import card_of

ROOT = Path(__file__).parents[3]


def topic(**options: Any) -> Topic:
    return Topic(name="sun", keywords=("solar",), seeds=("http://sun.example/",), strategy_options=options)


def save(folder: Path, **values: Any) -> None:
    save_model(folder, card_of("weights", "mine", **{"weights": {BASE: 0.1, "host": 0.5}} | values), None)


def believed(folder: Path | None, **options: Any) -> dict[str, float]:
    strategy = assemble(topic(**options), models=folder)[1].strategy
    assert isinstance(strategy, Adaptive)
    base, weights = strategy.weights
    return {BASE: base, **dict(zip(strategy.names, weights.tolist(), strict=True))}


def refusal(folder: Path) -> str:
    with pytest.raises(ModelError) as refused:
        assemble(topic(weights="mine"), models=folder)
    assert len(str(refused.value).splitlines()) == 1
    return str(refused.value)


def test_the_package_says_how_each_column_is_weighed_at_first() -> None:
    columns = {BASE, *(column for scorer in USUAL for column in scorer.prior)}
    assert shipped_weights().weights.keys() == columns
    assert believed(None) == dict(shipped_weights().weights)


def test_no_scorer_of_ours_holds_trained_numbers() -> None:
    assert {weight for scorer in USUAL for weight in scorer.prior.values()} == {0.0}


def test_the_card_that_ships_tells_a_person_where_it_comes_from() -> None:
    card = json.loads((ROOT / "models" / "adaptive.json").read_text())
    assert all(card[key] for key in ("note", "licence", "sources", "versions"))


def test_a_model_of_the_same_name_in_ones_own_folder_is_not_what_ships(tmp_path: Path) -> None:
    (tmp_path / "adaptive.json").write_text("{}")
    assert believed(tmp_path) == dict(shipped_weights().weights)


def test_ones_own_weights_are_taken_by_name_and_a_column_they_do_not_name_begins_as_its_scorer_says(
    tmp_path: Path,
) -> None:
    save(tmp_path)
    assert not (tmp_path / "mine.npz").exists()
    assert {name: weight for name, weight in believed(tmp_path, weights="mine").items() if weight} == {
        BASE: 0.1,
        "host": 0.5,
    }


def test_a_column_that_no_scorer_has_is_left_out_and_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    save(tmp_path, weights={"host": 0.5, "hots": 1.0})
    assert believed(tmp_path, weights="mine")["host"] == 0.5
    assert [record.getMessage() for record in caplog.records] == [
        "Weights mine: no scorer here has hots; take it out of the card, or its scorer into LINK_SCORERS"
    ]


def test_the_card_says_how_strong_its_weights_are_unless_the_topic_does(tmp_path: Path) -> None:
    save(tmp_path, strength=100.0)

    def moved(**options: Any) -> float:
        strategy = assemble(topic(weights="mine", **options), models=tmp_path)[1].strategy
        assert isinstance(strategy, Adaptive)
        before = strategy.regression.weights.copy()
        strategy.regression.learn(np.ones(len(before)), 1.0)
        strategy.regression.solve()
        return float(np.abs(strategy.regression.weights - before).max())

    assert moved() == moved(prior=100.0) < moved(prior=30.0)


@pytest.mark.parametrize("weight", ["NaN", "Infinity", '"much"', "null", "[]"])
def test_a_weight_that_is_no_number_is_refused_in_one_line(tmp_path: Path, weight: str) -> None:
    save(tmp_path)
    path = tmp_path / "mine.json"
    path.write_text(path.read_text().replace("0.5", weight))
    assert f"{path}: not the card of a model: weights.host" in refusal(tmp_path)


@pytest.mark.parametrize("content", ["", "{", "[]", "\0" * 100, "{" * 100_000])
def test_a_damaged_card_is_refused_in_one_line(tmp_path: Path, content: str) -> None:
    (tmp_path / "mine.json").write_text(content)
    assert "make it: scrapy train mine weights --crawl FOLDER" in refusal(tmp_path)


def test_another_kind_of_model_or_none_is_refused_in_one_line(tmp_path: Path) -> None:
    assert "no model 'mine'" in refusal(tmp_path)
    save_model(tmp_path, card_of("classifier", "mine"), {"solar": 1.5})
    assert "a model of kind 'classifier', no weights" in refusal(tmp_path)


def test_other_weights_are_another_model_to_a_crawl_that_goes_on(tmp_path: Path) -> None:
    save(tmp_path)
    one, state = (
        model_of(topic(weights="mine"), tmp_path),
        Adaptive(Adaptive.Options(), World({"sun": 1})).state_version,
    )
    save(tmp_path, weights={"host": 0.6})
    assert one and model_of(topic(weights="mine"), tmp_path) not in (one, "")
    assert model_of(topic(), tmp_path) == ""
    crawl = assemble(topic(weights="mine"), models=tmp_path)[1]
    assert crawl.strategy.state_version != state
    assert "weights mine (trained 2026-11-21)" in crawl.strategy.weighed_by


def test_an_option_of_that_name_of_another_strategy_is_its_own(tmp_path: Path) -> None:
    fixed = topic(weights={"words": 1.0}).model_copy(update={"strategy": "combined"})
    assert assemble(fixed, models=tmp_path)[1].world.weights is None
    assert model_of(fixed, tmp_path) == ""
