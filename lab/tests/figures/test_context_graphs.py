"""Figures 4 to 7 of Diligenti et al. (2000): who crawls with which classifier, and what is told of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from focused.storage.trained_model import load_model
from focused.strategies.context_graph.layer_classifier import LayerClassifier
from lab.figures.figure import Bench
from lab.figures.papers import context_graphs
from lab.figures.papers.context_graphs import GRAPHS, SEED_SET, ContextGraphs, Task, _articles, save_models
from lab.tests.figures.bench import HUB, bench, drawn

__all__ = ["bench", "drawn"]


def test_the_examples_of_an_article_are_its_seeds(bench: Bench) -> None:
    (birds,) = _articles(bench)
    good = {document.page.url for document in birds.examples.documents if birds.examples.is_good(document)}
    assert good == set(birds.topic.seeds)
    assert HUB in {document.page.url for document in birds.examples.documents}


def test_both_models_have_the_same_classifier_of_the_seed_set(bench: Bench) -> None:
    (birds,) = _articles(bench)
    save_models(birds.examples, bench.folder)
    graphs, alone = (
        load_model(name, "layers", "en", bench.folder, model_class=LayerClassifier) for name in (GRAPHS, SEED_SET)
    )
    assert alone.layers.tolist() == [0]
    assert len(graphs.layers) > 1
    assert alone.vocabulary.tolist() == graphs.vocabulary.tolist()
    assert alone.log_probabilities[:, 0].tolist() == graphs.log_probabilities[:, 0].tolist()


def test_the_figures_are_drawn_together_and_tell_what_the_paper_says(
    bench: Bench, drawn: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def universities(bench: Bench) -> Iterator[Task]:
        return _articles(bench)

    monkeypatch.setattr(context_graphs, "_universities", universities)
    both = replace(bench, webs={**bench.webs, "webkb": bench.webs["wikispeedia"]})
    lines = ContextGraphs().make(both)
    assert drawn == ["figures-4-to-7"]
    rows = [line.split("|")[1].strip() for line in lines if line.startswith("| ")]
    assert rows.count("context") == rows.count("focused") == rows.count("breadth_first") == 2
    assert rows.count("context-parents") == rows.count("context-begins") == 1
    assert sum(row.startswith(("(4)", "(5)", "(6)", "(7)")) for row in rows) == 10
