"""The comparison of page models: what each model answers on made-up pages, and the whole on a made-up WebKB."""

from __future__ import annotations

import csv
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from focused.reading.page import Page
from focused.run.assemble import assemble
from focused.simulation.analysed_web import AnalysedWeb
from focused.simulation.demo.demo_web import DemoWeb
from focused.simulation.labels import Judgements
from focused.simulation.simulator import Simulator
from focused.strategies.adaptive.adaptive import Adaptive
from focused.topic.topic import Topic
from lab.benchmarks import page_models
from lab.benchmarks.page_model_trials import adaptive_with, ranking, without
from lab.benchmarks.rival_page_models import BM25, EVERY, MODELS, Centroid, Cosine, PageModel, PositiveUnlabelled, Scale
from lab.topics.labelled_topics import LabelledTopic
from tests.small_topics import write_webkb

KEYWORDS = {"solar": 1, "energy": 1}
TOPICAL = ("solar", "energy", "panel", "inverter", "roof", "cell")
OTHER = tuple(f"word{number}" for number in range(200))


def page(url: str, terms: Sequence[str]) -> Page:
    return Page(url, 0, "a.example", "text/html", "", terms=list(terms))


def pages(count: int = 300, seed: int = 0) -> list[Page]:
    """Every fourth page is relevant: its words are of the topic, but seldom its keywords."""
    chance = Random(seed)
    return [
        page(
            f"http://a.example/{'yes' if number % 4 == 0 else 'no'}/{number}",
            [*chance.choices(OTHER, k=30), *(chance.choices(TOPICAL, k=6) if number % 4 == 0 else ())],
        )
        for number in range(count)
    ]


def answers(model: PageModel, of: Sequence[Page]) -> np.ndarray:
    return np.array([model.learn(one, is_seed=number == 0) for number, one in enumerate(of)])


def auc(model: PageModel, of: Sequence[Page]) -> float:
    return float(roc_auc_score(["/yes/" in one.url for one in of], answers(model, of)))


@pytest.mark.parametrize("name", MODELS)
def test_every_model_ranks_pages_on_the_topic_first_and_stays_within_0_and_1(name: str) -> None:
    found = answers(MODELS[name](KEYWORDS, ()), pages())
    assert found.min() >= 0
    assert found.max() <= 1
    assert auc(MODELS[name](KEYWORDS, ()), pages()) > 0.8


@pytest.mark.parametrize("name", MODELS)
def test_no_answer_depends_on_a_later_page(name: str) -> None:
    some = answers(MODELS[name](KEYWORDS, ()), pages()[:120])
    assert answers(MODELS[name](KEYWORDS, ()), pages())[:120] == pytest.approx(some)


@pytest.mark.parametrize("name", MODELS)
def test_every_model_bears_pages_without_words(name: str) -> None:
    found = answers(MODELS[name](KEYWORDS, ()), [page(f"http://a.example/{number}", ()) for number in range(60)])
    assert np.isfinite(found).all()


def test_bm25_is_that_of_the_paper() -> None:
    model = BM25(KEYWORDS, ())
    model.learn(page("http://a.example/1", ("solar", "word1", "word2", "word3")), is_seed=False)
    document = model._texts.document(("solar", "solar", "word1", "word1"))
    # df of solar 1 of 1 page: CFW ln(2 / 1.5); tf 2 of a page of mean length: 2 · 2.2 / (2 + 1.2)
    assert model._texts.bm25(document) == pytest.approx(math.log(2 / 1.5) * 2 * 2.2 / 3.2)


def test_the_scale_goes_from_the_25_to_the_98_percent_quantile() -> None:
    scale = Scale()
    for raw in range(100):
        scale.of(raw)
    low, top = np.quantile(range(101), (0.25, 0.98))
    assert scale.of(100) == 1.0
    assert scale.of(0) == 0.0
    assert scale.of(50) == pytest.approx((50 - low) / (top - low), abs=0.02)


def test_examples_help_the_centroid_to_words_that_are_no_keywords() -> None:
    examples = [one.terms for one in pages(40, seed=1) if "/yes/" in one.url]
    assert auc(Centroid(KEYWORDS, examples), pages()) > auc(Centroid(KEYWORDS, ()), pages())


def test_before_the_first_fit_regression_answers_as_the_cosine() -> None:
    few = pages(29)
    assert answers(PositiveUnlabelled(KEYWORDS, ()), few).tolist() == answers(Cosine(KEYWORDS, ()), few).tolist()


def test_calibration_divides_by_the_share_of_relevant_pages_that_are_labelled() -> None:
    examples = [one.terms for one in pages(40, seed=1) if "/yes/" in one.url]
    model = PositiveUnlabelled(KEYWORDS, examples)
    answers(model, pages(2 * EVERY))
    assert 0 < model._labelled_share < 1


def test_labels_are_neither_wanted_nor_unwanted_once_they_are_examples() -> None:
    found = without(Judgements("t", frozenset("abc"), reachable=frozenset("ab")), frozenset("a"))
    assert (found.targets, found.neutral, found.reachable) == (frozenset("bc"), frozenset("a"), frozenset("b"))
    assert ranking({"a": 0.1, "b": 0.9, "x": 0.2}, found)["roc_auc"] == 1.0
    assert math.isnan(ranking({"a": 0.1, "x": 0.2}, found)["roc_auc"])


def test_adaptive_takes_the_relevance_of_the_model_it_is_given() -> None:
    class Constant:
        def __init__(self, *_: object) -> None:
            self.seeds: list[bool] = []
            made.append(self)

        def learn(self, page: Page, *, is_seed: bool) -> float:
            self.seeds.append(is_seed)
            return 0.5

    made: list[Constant] = []
    topic = Topic(name="t", keywords=("solar",), seeds=tuple(sorted(DemoWeb().urls()))[:2], budget={"pages": 20})

    def judged(strategy: type[Adaptive]) -> Adaptive:
        reader, crawl = assemble(topic, strategy)
        list(Simulator(crawl, AnalysedWeb(DemoWeb(), reader)).fetches())
        assert isinstance(crawl.strategy, Adaptive)
        return crawl.strategy

    assert set(judged(adaptive_with(Constant))._last) == {0.5}
    assert len(set(judged(Adaptive)._last)) > 1
    assert (len(made[0].seeds), sum(made[0].seeds)) == (20, 2)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write_webkb(tmp_path)


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> None:
    monkeypatch.setattr(sys, "argv", ["page_models", *arguments])
    page_models.main()


def test_tables_and_figures_are_written(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run(monkeypatch, str(data), "--topics", "2", "--pages", "9", "--crawl-pages", "9", "--out", str(tmp_path / "out"))
    shown = capsys.readouterr().out
    assert (tmp_path / "out" / "table.md").read_text() in shown
    assert "## WebKB: 2 topics" in shown
    with (tmp_path / "out" / "figures.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert {row["model"] for row in rows} == {*MODELS, "labels"}
    assert all(0 <= float(row["area"]) <= 1 for row in rows if row["area"])
    assert any(row["area"] for row in rows)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(("--topics", "-1"), "--topics -1: give a number from 0 on"), (("--pages", "0"), "--pages 0")],
)
def test_a_wrong_number_is_told_in_a_line(
    data: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: Sequence[str],
    words: str,
) -> None:
    with pytest.raises(SystemExit):
        run(monkeypatch, str(data), *arguments)
    assert words in capsys.readouterr().err.splitlines()[-1]


def test_topics_are_drawn_the_same_each_time_in_their_order() -> None:
    found = page_models.drawn(range(24), 8)
    assert (found, len(found)) == (sorted(found), 8)
    assert found == page_models.drawn(range(24), 8)
    assert page_models.drawn(range(5), 0) == page_models.drawn(range(5), 9) == list(range(5))


def test_labels_reach_no_model(data: Path, tmp_path: Path) -> None:
    (bed,) = page_models.beds([data], 1, tmp_path / "cache")
    labelled = bed.topics[0]
    other = LabelledTopic(
        labelled.keywords,
        labelled.seeds,
        Judgements(labelled.name, frozenset({"http://a.example/other"})),
        "",
        labelled.origin,
        labelled.fold_index,
    )
    for one, two in zip(
        *(
            [(trial._ranks(name, trial._arrived(), []), trial._crawl(name, [])) for name in MODELS]
            for trial in (bed.trial(labelled, 9, 9), bed.trial(other, 9, 9))
        ),
        strict=True,
    ):
        assert one == two
