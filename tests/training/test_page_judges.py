"""A trained model judges pages: what is on topic is its word, for every strategy."""

from pathlib import Path
from typing import Any

import pytest

from focused import strategies
from focused.collection.trained_model import save_model
from focused.exceptions import ModelError, TopicError
from focused.live.assemble import assemble, model_of
from focused.papers.models.layers import LayerClassifier, TermCounts
from focused.papers.models.taxonomy import Taxonomy
from focused.scorers.regressions import PageRegression, TopicRegressions
from focused.testing.toy_world import make_page
from focused.topic.mistakes import Mistakes
from focused.topic.topic import Topic
from focused.topic.topic_tables import build_topic, doubts_about
from tests.training.models import card_of

SUN, LAW, STRANGE = "solar panel roof invert", "court judg verdict appeal", "zebra qwertz"
TEXTS = [*[["solar", "panel", "roof", "invert"]] * 6, *[["court", "judg", "verdict", "appeal"]] * 6]
KINDS: dict[str, Any] = {
    "classifier": lambda: Taxonomy.fit(TEXTS, [("relevant",)] * 6 + [("other",)] * 6, [("relevant",)]),
    "logistic": lambda: TopicRegressions(
        PageRegression.fit(TEXTS, [True] * 6 + [False] * 6, cost=100, head=2, least=1), None
    ),
    "layers": lambda: LayerClassifier.fit(
        [[*range(6)], [*range(6, 12)]],
        [TermCounts.of(text) for text in [*TEXTS[:6], *[["solar", "list", "link"]] * 6, ["court"]]],
    ),
}


@pytest.fixture
def models(tmp_path: Path) -> Path:
    for kind, made in KINDS.items():
        save_model(tmp_path, card_of(kind, f"my-{kind}"), made())
    save_model(tmp_path, card_of("knowledge", "mine"), {"wind": 0.5})
    save_model(tmp_path, card_of("classifier", "german", language="de"), KINDS["classifier"]())
    return tmp_path


def topic(strategy: dict[str, Any] | None = None, keywords: Any = ("harvest",), **relevance: Any) -> Topic:
    tables = {
        "topic": {"keywords": keywords if isinstance(keywords, dict) else [*keywords], "seeds": ["http://a.example/"]},
        "strategy": strategy or {"name": "breadth_first"},
        "relevance": relevance,
    }
    return build_topic("t", tables, strategies, Mistakes("here"))


def judged(chosen: Topic, models: Path, text: str) -> float:
    return assemble(chosen, models=models)[1].judge.model(make_page("http://a.example/", (text, [])))


@pytest.mark.parametrize("kind", ["classifier", "logistic"])
@pytest.mark.parametrize("strategy", ["breadth_first", "adaptive", "focused"])
def test_its_word_decides_whatever_the_keywords_and_the_strategy(models: Path, kind: str, strategy: str) -> None:
    chosen = topic({"name": strategy}, model=f"my-{kind}")
    assert chosen.relevance.threshold == 0.5
    assert judged(chosen, models, SUN) > 0.5 > judged(chosen, models, LAW) >= 0


def test_the_first_layer_are_the_pages_on_topic() -> None:
    model = KINDS["layers"]()
    assert model.on_topic(["solar", "panel", "roof", "invert"]) > 0.5
    assert 0 < model.on_topic(["solar", "list", "link"]) < 0.5


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("text", [STRANGE, ""])
def test_a_page_without_a_word_that_it_knows_is_not_on_topic(models: Path, kind: str, text: str) -> None:
    assert judged(topic(model=f"my-{kind}"), models, text) == 0


@pytest.mark.parametrize(
    "name, kind", [("focused", "classifier"), ("adaptive", "logistic"), ("context_graph", "layers")]
)
def test_the_model_of_the_strategy_judges_where_nobody_says_otherwise(name: str, kind: str) -> None:
    named = {"name": name, "model": f"my-{kind}"}
    assert (topic(named).relevance.model, topic(named).relevance.threshold) == (f"my-{kind}", 0.5)
    assert topic(named, model="cosine").relevance.model == "cosine"
    assert topic(named, threshold=0.8).relevance.threshold == 0.8
    assert topic({"name": name}).relevance.model == "cosine"
    assert topic({"name": "ss1", "model": "space"}).relevance.model == "cosine"


def test_it_judges_by_the_classes_that_the_strategy_calls_good(models: Path) -> None:
    chosen = topic({"name": "focused", "model": "my-classifier", "good": ["other"]})
    assert judged(chosen, models, LAW) > 0.5 > judged(chosen, models, SUN)


@pytest.mark.parametrize(
    "name, message",
    [
        ("cosin", r"\[relevance\] model: no model 'cosin'.*did you mean cosine\?"),
        ("my-clasifier", "did you mean my-classifier"),
        ("mine", "kind 'knowledge' judges no pages, those of kind classifier, logistic, layers do"),
        ("german", "made of terms in language 'de'"),
    ],
)
def test_what_cannot_judge_is_told_in_a_line(models: Path, name: str, message: str) -> None:
    with pytest.raises(ModelError, match=message) as refused:
        assemble(topic(model=name), models=models)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", ["../x", "", "a/b", 3])
def test_a_name_is_no_path(name: Any) -> None:
    with pytest.raises(TopicError, match=r"\[relevance\] model"):
        topic(model=name)


def test_a_topic_in_several_languages_is_not_judged_by_a_model_of_one(models: Path) -> None:
    several = {"en": ["sun"], "de": ["Sonne"]}
    with pytest.raises(ModelError, match="knows one language, and the topic has several: en, de"):
        assemble(topic(keywords=several, model="my-classifier"), models=models)
    named = {"name": "focused", "model": "my-classifier"}
    assert topic(named, several).relevance.model == "cosine"  # as nobody asked for more


def test_another_model_is_another_crawl(models: Path) -> None:
    one, none, both = (
        model_of(chosen, models)
        for chosen in (topic(model="my-classifier"), topic(), topic({"name": "focused", "model": "my-classifier"}))
    )
    assert one == both != none == ""
    versions = {
        assemble(topic(model=name), models=models)[1].judge.version for name in ("my-classifier", "my-logistic")
    }
    assert len(versions) == 2


def test_what_no_longer_judges_is_told() -> None:
    told = "\n".join(doubts_about(topic(model="mine", threshold=0.1)))
    assert "the trained model mine judges pages; keywords, description and examples do not" in told
    assert "threshold is 0.1, of a probability" in told
