"""The kind `layers`: from pages and their links to the classifier of context_graph."""

import pytest

from focused.crawl.world import World
from focused.exceptions import TrainingError
from focused.papers.models.layers import TermCounts
from focused.papers.strategies.context_graph import ContextGraph
from focused.papers.training.examples import OTHER, RELEVANT, Examples, TrainingDocument
from focused.papers.training.kinds import get_kind
from focused.testing.toy_world import make_page, visit_of

SITES = 12


def examples(sites: int = SITES) -> Examples:
    """Sites of three pages in a row: a home page, a list of staff, a page on topic; and one page that nothing leads from."""
    documents = [TrainingDocument(make_page("http://lone.example/", ("weather report", [])), OTHER)]
    for n in range(sites):
        home, staff, target = (f"http://site{n}.example/{page}" for page in ("", "staff", "solar"))
        documents += [
            TrainingDocument(make_page(home, (f"welcome solar {n}", [staff])), OTHER),
            TrainingDocument(make_page(staff, ("people list solar panel", [target])), OTHER),
            TrainingDocument(make_page(target, ("solar panel panel welcome people", [home])), RELEVANT),
        ]
    return Examples(documents)


def test_pages_are_told_by_their_distance_to_pages_on_topic() -> None:
    kind = get_kind("layers")()
    kind.check(examples(), 5)
    model = kind.fit(examples())
    texts = [TermCounts.of(words.split()) for words in ("panel panel", "people", "welcome", "nothing known")]
    assert model.classify(texts)[0].tolist() == [0, 1, 2, 5]
    assert kind.counts(model) == {"terms": 4, "layers": 3}


def test_the_strategy_takes_the_model() -> None:
    model = get_kind(ContextGraph.trained)().fit(examples())
    strategy = ContextGraph(ContextGraph.Options(), World({}, model=model))
    changes = strategy.visited(visit_of(make_page("http://x.example/", ("welcome solar 99", ["http://x.example/1"]))))
    assert changes.parts[0, 0] == 2


def test_scores_are_those_of_pages_that_were_not_learned_from() -> None:
    said: list[str] = []
    scores = get_kind("layers")().scores(examples(), 3, said.append)
    assert said == [f"cross-validation, part {n} of 3" for n in (1, 2, 3)]
    assert scores["accuracy"] == pytest.approx(1.0)
    assert scores["rank correlation with distance"] == pytest.approx(1.0)
    assert scores["ROC-AUC of pages on topic"] == pytest.approx(1.0)


def test_options_reach_the_model() -> None:
    kind = get_kind("layers")
    model = kind(kind.Options(depth=1, vocabulary=2, document_terms=3)).fit(examples())
    assert (model.other, len(model.vocabulary), model.kept) == (2, 2, 3)


def test_too_few_targets_that_links_lead_to_are_refused_with_their_number() -> None:
    with pytest.raises(TrainingError, match="links lead to 4 of the 4 pages on topic, at least 10 are needed"):
        get_kind("layers")().check(examples(4), 5)
