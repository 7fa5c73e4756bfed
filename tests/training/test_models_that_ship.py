"""What models/ holds is read by this version, small, and as good as the documents say, on pages that it was not learned from."""

import json
from itertools import pairwise
from pathlib import Path

import pytest

from focused.collection.trained_model import MODELS, home_of, load_model, save_model
from focused.live.assemble import assemble
from focused.page.page import Page
from focused.page.reader import Reader, ReadingOptions
from focused.papers.models.taxonomy import Taxonomy
from focused.papers.strategies.ss1 import TermSpace
from focused.simulation.demo_web import DemoWeb
from tests.crawl.web import make_topic
from tests.training.models import card_of

SHIPPED = Path(__file__).parents[2] / MODELS


def test_the_demo_model_tells_solar_pages_on_hosts_that_it_never_saw() -> None:
    command = json.loads((SHIPPED / "demo.json").read_text())["command"]
    unseen = {host for option, host in pairwise(command) if option == "--without"}
    assert len(unseen) == 3 and (SHIPPED / "demo.npz").stat().st_size < 300_000
    web, reader = DemoWeb(), Reader(ReadingOptions(), {"en": ["solar"]})
    model: Taxonomy = load_model("demo", "classifier", "en", model_class=Taxonomy)
    right = {True: 0, False: 0}, {True: 0, False: 0}
    for url in web.urls():
        if web.part_of(url) in unseen and (node := web.class_of(url)):
            answer = web.answer(url)
            page = reader.read(url, answer.body) if answer else None
            assert isinstance(page, Page)
            right[node == ("solar",)][(model.on_topic(page.terms) >= 0.5) == (node == ("solar",))] += 1
    others, solar = right
    assert (solar[True] + solar[False], others[True] + others[False]) == (59, 80)
    assert (solar[True], others[True]) == (59, 76)


def test_the_counts_of_english_are_small_common_and_taken_by_the_strategies_that_ask_for_a_corpus() -> None:
    card = json.loads((SHIPPED / "english.json").read_text())
    assert "GFDL" in card["licence"] and card["counts"]["pages"] == 4597
    assert sum((SHIPPED / f"english{end}").stat().st_size for end in (".npz", ".json")) < 300_000
    corpus: TermSpace = load_model("english", "space", "en", model_class=TermSpace)
    assert min(corpus.frequencies.values()) == 5 and max(corpus.frequencies.values()) <= corpus.documents
    assert corpus.frequencies["world"] > corpus.frequencies["solar"] > 5
    for strategy, option in (("context_graph", "knowledge"), ("ss1", "model"), ("ss2", "model")):
        topic = make_topic(keywords=("solar energy",), strategy=strategy, strategy_options={option: "english"})
        assert getattr(assemble(topic)[1].world, option) == corpus


@pytest.mark.parametrize("is_project, has_models", [(True, True), (True, False), (False, True)])
def test_a_model_is_written_where_the_egg_of_its_project_takes_it(
    tmp_path: Path, is_project: bool, has_models: bool
) -> None:
    own = tmp_path / "data" / MODELS
    if has_models:
        (tmp_path / MODELS).mkdir()
    if is_project:
        (tmp_path / "scrapy.cfg").touch()
    home = home_of("sun", own)
    assert home == (tmp_path / MODELS if is_project and has_models else own)
    save_model(home, card_of(), {"solar": 1.5})
    assert load_model("sun", "classifier", "en", own) == {"solar": 1.5}
    save_model(own, card_of(), {"solar": 2.5})  # comes first
    assert home_of("sun", own) == own
