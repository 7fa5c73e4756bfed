"""Every kind learns from examples, tells how good it is, survives the disk, and refuses what is too little."""

import copy
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pytest

from focused.collection.trained_model import WEIGHTS, load_model, save_model, shipped_weights
from focused.exceptions import FocusedError, TrainingError
from focused.papers.models.taxonomy import Taxonomy
from focused.papers.strategies.rl_spider import PathValues
from focused.papers.strategies.ss1 import TermSpace
from focused.papers.training.examples import OTHER, RELEVANT, Examples, Followed, TrainingDocument
from focused.papers.training.kinds import get_kind, names
from focused.scorers.regressions import TopicRegressions
from focused.scorers.word_regression import WORDS
from focused.scorers.word_weights import LINKS, Knowledge, Outcomes
from focused.strategies import get_strategy
from focused.strategies import names as strategies
from focused.testing.toy_world import make_page
from tests.training.models import card_of

SCORED = {"own": 0.2, "url_depth": 0.0, "promise": 0.0}  #: columns of the first are a scorer of somebody's own
GUIDE = Path(__file__).parents[2] / "docs" / "how-to" / "train-a-model.md"


def url(number: int) -> str:
    return f"http://host{number % 4}.example/{number}"


def examples(count: int = 40) -> Examples:
    """Every second page is on topic; a link says what it leads to."""
    documents = []
    for number in range(count):
        on_topic = number % 2 == 0
        links = [((number * 3 + n) % count) for n in (1, 2, 5)]
        paragraphs = [("solar cell" if target % 2 == 0 else "tax law", [url(target)]) for target in links]
        page = make_page(url(number), ("solar energy panel" if on_topic else "court judge", []), *paragraphs)
        documents.append(TrainingDocument(page, RELEVANT if on_topic else OTHER))
    crawls = [*[followed(count // 4)] * 3, followed(count - 3 * (count // 4))]
    both = [outcomes(count // 2), outcomes(count - count // 2)]
    return Examples(documents, keywords={"solar": 1}, outcomes=both, followed=crawls)


def outcomes(count: int) -> Outcomes:
    """Of an earlier crawl: word 7 led to every second page, which was relevant, and word 8 to the others."""
    words = np.zeros((count, LINKS, WORDS), np.uint16)
    words[::2, 0, 0], words[1::2, 0, 0] = 7, 8
    return Outcomes(words, np.ones(count, np.uint8), np.where(np.arange(count) % 2, 0.1, 0.9))


def followed(count: int, prior: Mapping[str, float] = SCORED) -> Followed:
    """Of an earlier crawl: ``own`` tells what links led to, ``url_depth`` nothing, and there never was a ``promise``."""
    good = np.arange(count) % 2 == 0
    columns = np.stack((good, np.arange(count) % 3 / 3, np.zeros(count)), axis=1)
    return Followed(columns, np.where(good, 0.9, 0.1), prior)


def silent(_: str) -> None:
    pass


@cache
def learned(name: str) -> Any:
    return get_kind(name)().fit(examples())


def places(state: Any, above: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """The way to each value of a state, tables included."""
    found = []
    for name, value in state.items():
        found.append((*above, name))
        if isinstance(value, dict) and name != "frequencies":  # of each term
            found += places(value, (*above, name))
    return found


def put(state: Any, place: tuple[str, ...], value: Any) -> None:
    for name in place[:-1]:
        state = state[name]
    state[place[-1]] = value


@pytest.mark.parametrize("name", names())
class TestEveryKind:
    def test_it_is_found_by_its_name_and_explained(self, name: str) -> None:
        kind = get_kind(name)
        assert kind.name == name
        assert all(option.description for option in kind.Options.model_fields.values())
        text = GUIDE.read_text(encoding="utf-8")
        assert f"| `{name}` |" in text
        assert f"<!--made:kind:{name}-->" in text

    def test_some_strategy_uses_it(self, name: str) -> None:
        assert re.search(r"\((strategy \w+|strategies \w+(, \w+)+)\)$", get_kind(name).about)

    def test_it_learns_the_same_from_the_same(self, name: str) -> None:
        kind = get_kind(name)()
        kind.check(examples(), 5)
        assert repr(kind.fit(examples())) == repr(learned(name))

    def test_it_tells_its_quality_in_numbers_from_0_to_1(self, name: str) -> None:
        said: list[str] = []
        scores = get_kind(name)().scores(examples(), 4, said.append)
        assert scores
        assert all(0.0 <= score <= 1.0 for score in scores.values())
        assert said == [f"cross-validation, part {n} of 4" for n in (1, 2, 3, 4)]

    def test_its_model_is_no_part_of_the_training(self, name: str) -> None:
        assert not type(learned(name)).__module__.startswith("focused.papers.training.")

    @pytest.mark.parametrize("count", [0, 1])
    def test_too_few_pages_are_told_in_one_line_with_their_number(self, name: str, count: int) -> None:
        with pytest.raises(TrainingError, match=rf"^{count} page.* at least 10 are needed"):
            get_kind(name)().check(examples(count), 5)


@pytest.mark.parametrize("name", [name for name in names() if name != WEIGHTS])
class TestEveryKindWithAFile:
    def test_its_model_survives_the_disk(self, name: str, tmp_path: Path) -> None:
        save_model(tmp_path, card_of(name, "saved"), learned(name))
        loaded = load_model("saved", name, "en", tmp_path, model_class=type(learned(name)))
        assert joblib.hash(loaded) == joblib.hash(learned(name))

    def test_its_model_is_kept_as_data_that_runs_nothing(self, name: str, tmp_path: Path) -> None:
        save_model(tmp_path, card_of(name, "saved"), learned(name))
        assert {path.name for path in tmp_path.iterdir()} == {"saved.npz", "saved.json"}
        strategies_of_it = [found for found in map(get_strategy, strategies()) if name in (found.trained, found.knows)]
        for found in strategies_of_it:
            assert (found.model_class if name == found.trained else found.knowledge_class) is type(learned(name))

    def test_values_of_a_wrong_kind_or_shape_are_refused(self, name: str) -> None:
        """Each value of the model in turn is what somebody else would have it."""
        for place in places(learned(name).state()):
            for wrong in (None, True, "text", ["x", 5], {"a": None}, np.zeros((3, 3, 3)), np.full(7, np.nan)):
                state = copy.deepcopy(learned(name).state())
                put(state, place, wrong)
                if not (place == ("links",) and wrong is None):  # a model without links is one
                    with pytest.raises(ValueError, match=r"."):
                        type(learned(name)).restored(state)


def test_an_unknown_kind_is_told() -> None:
    with pytest.raises(FocusedError, match="kind 'clasifier' is unknown; did you mean classifier"):
        get_kind("clasifier")


def test_every_strategy_that_is_trained_has_a_kind() -> None:
    kinds = {kind for name in strategies() for kind in (get_strategy(name).trained, get_strategy(name).knows)}
    assert kinds - {""} <= set(names())


class TestWeights:
    def test_a_column_that_tells_what_links_led_to_weighs_and_one_that_never_varied_keeps_its_weight(self) -> None:
        found = learned(WEIGHTS)
        assert found["own"] > 0.6
        assert abs(found["url_depth"]) < 0.05
        assert found["promise"] == shipped_weights().weights["promise"]
        assert list(found) == ["base", *SCORED]

    def test_a_long_crawl_counts_as_much_as_a_short_one(self) -> None:
        other = Followed(*(getattr(followed(1000), name) for name in ("columns", "relevance")), SCORED)
        other.columns[:, 0] = 1 - other.columns[:, 0]  # there it is a bad sign
        found = get_kind(WEIGHTS)().fit(replace(examples(), followed=[followed(40), other]))
        assert abs(found["own"]) < 0.3

    def test_one_crawl_is_enough_but_tells_no_quality(self) -> None:
        alone = replace(examples(), followed=[followed(40)])
        assert get_kind(WEIGHTS)().fit(alone)["own"] > 0.6
        assert get_kind(WEIGHTS)().scores(alone, 5, silent) == {}

    def test_crawls_with_other_scorers_are_refused(self) -> None:
        mixed = replace(examples(), followed=[followed(40), followed(40, {"a": 0.0, "b": 0.0, "c": 0.0})])
        with pytest.raises(TrainingError, match="not the same link scorers"):
            get_kind(WEIGHTS)().check(mixed, 5)


class TestKnowledge:
    def test_words_that_led_to_relevant_pages_weigh(self) -> None:
        model = get_kind("knowledge")().fit(examples())
        assert isinstance(model, Knowledge)
        assert model.words[7] > 0.03 > -0.03 > model.words[8]
        assert get_kind("knowledge")().counts(model) == {"crawls": 2, "pages": 40, "words of links": 2}

    def test_a_larger_ridge_makes_them_weigh_less(self) -> None:
        kind = get_kind("knowledge")
        loose, tight = (kind(kind.Options(ridge=ridge)).fit(examples()) for ridge in (1.0, 1000.0))
        assert loose.words[7] > 10 * tight.words[7] > 0

    @pytest.mark.parametrize("crawls", [1, 3])
    def test_its_quality_is_that_on_crawls_not_learned_from_or_on_pages_of_the_only_one(self, crawls: int) -> None:
        learned_from = replace(examples(), outcomes=[outcomes(20)] * crawls)
        scores = get_kind("knowledge")().scores(learned_from, 5, silent)
        assert scores == {"ROC-AUC of links to better than average pages": 1.0}


class TestClassifier:
    def test_it_tells_the_classes_apart(self) -> None:
        kind = get_kind("classifier")()
        model = kind.fit(examples())
        assert isinstance(model, Taxonomy)
        assert model.relevance(model.probabilities(["panel", "energy"])) > 0.9
        assert model.relevance(model.probabilities(["court", "judge"])) < 0.1
        assert kind.scores(examples(), 5, silent)["ROC-AUC of R(p)"] == 1.0
        assert kind.counts(model)["classes"] == 2

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            (
                lambda found: replace(found, good=frozenset({("sun",)})),
                "--good: no page belongs to 'sun'; .*classes: other, relevant",
            ),
            (lambda found: found.of(range(1, len(found.documents), 2)), "--good: no page belongs to 'relevant'"),
            (
                lambda found: found.of([0, *range(1, len(found.documents), 2)]),
                "class 'relevant' has 1 page, at least 5",
            ),
        ],
    )
    def test_what_it_cannot_learn_from_is_told(self, change: Callable[[Examples], Examples], message: str) -> None:
        with pytest.raises(TrainingError, match=message):
            get_kind("classifier")().check(change(examples()), 5)

    @pytest.mark.parametrize("kind", ["classifier", "logistic"])
    def test_pages_on_topic_alone_teach_nothing(self, kind: str) -> None:
        found = examples()
        with pytest.raises(TrainingError, match=r"^0 pages off topic, at least 5 are needed .*: add a source$"):
            get_kind(kind)().check(found.of(range(0, len(found.documents), 2)), 5)

    def test_nested_good_nodes_are_refused(self) -> None:
        found = examples()
        below = [TrainingDocument(document.page, (*document.node, "x")) for document in found.documents]
        nested = replace(found, documents=below, good=frozenset({RELEVANT, (*RELEVANT, "x")}))
        with pytest.raises(TrainingError, match="--good: 'relevant/x' lies below 'relevant', which is good already"):
            get_kind("classifier")().check(nested, 5)


class TestLogistic:
    def test_ten_labelled_pages_are_enough_to_tell_two_topics_apart(self) -> None:
        kind = get_kind("logistic")()
        kind.check(examples(10), 5)
        model = kind.fit(examples(10))
        assert isinstance(model, TopicRegressions)
        assert model.pages.relevance(["panel", "energy"]) > 0.9 > 0.1 > model.pages.relevance(["court", "judge"])
        assert kind.scores(examples(10), 5, silent)["ROC-AUC"] == 1.0

    def test_labelled_pages_that_link_to_each_other_teach_which_links_to_follow(self) -> None:
        page, links = examples().documents[0].page, learned("logistic").links
        assert links is not None
        on_topic = [int(link.url.rpartition("/")[2]) % 2 == 0 for link in page.links]
        promises = links.promise(page)
        assert sorted(on_topic) == [on_topic[place] for place in np.argsort(promises)] and np.ptp(promises) > 0.2
        found = get_kind("logistic")().scores(examples(), 5, silent)
        assert found["ROC-AUC of links to pages on topic"] == 1.0

    def test_pages_without_links_to_each_other_teach_nothing_of_links(self) -> None:
        alone = [
            TrainingDocument(make_page(url(n), (f"word{n % 2}", [])), RELEVANT if n % 2 else OTHER) for n in range(20)
        ]
        assert get_kind("logistic")().fit(Examples(alone)).links is None

    def test_its_scores_are_those_of_pages_that_were_not_learned_from(self) -> None:
        """A page says nothing of another here, so that each gets the share of pages on topic in the other parts."""
        alone = [TrainingDocument(make_page(url(n), (f"word{n}", [])), RELEVANT if n % 2 else OTHER) for n in range(20)]
        found = get_kind("logistic")().scores(Examples(alone), 5, silent)
        assert found == pytest.approx({"ROC-AUC": 0.5, "average precision": 0.5, "Brier score": 0.25})

    def test_pages_below_a_good_class_are_on_topic(self) -> None:
        kind, found = get_kind("logistic")(), examples()
        below = replace(found, documents=[TrainingDocument(one.page, (*one.node, "x")) for one in found.documents])
        one, other = kind.fit(below), learned("logistic")
        assert np.array_equal(one.pages.weights, other.pages.weights)
        assert np.array_equal(one.links.weights, other.links.weights)


class TestSpace:
    def test_it_is_made_of_the_pages_that_best_match_the_keywords(self) -> None:
        kind = get_kind("space")
        pages = [make_page(url(n), (text, [])) for n, text in enumerate(["solar", "solar tax", "tax", "solar law law"])]
        model = kind(kind.Options(best=2, terms=0)).fit(
            Examples([TrainingDocument(p, OTHER) for p in pages], keywords={"solar": 1})
        )
        assert model == TermSpace(2, 1.5, {"solar": 2, "tax": 1})

    def test_or_of_all_pages_and_their_most_frequent_terms(self) -> None:
        kind = get_kind("space")
        pages = [make_page(url(n), (text, [])) for n, text in enumerate(["solar", "tax law tax", "law tax"])]
        found = Examples([TrainingDocument(p, OTHER) for p in pages])
        assert kind(kind.Options(best=0, terms=2)).fit(found) == TermSpace(3, 2.0, {"tax": 2, "law": 2})
        assert kind(kind.Options(best=0, terms=0, least=2)).fit(found) == TermSpace(3, 2.0, {"tax": 2, "law": 2})
        kind(kind.Options(best=0)).check(replace(examples(), keywords={}), 5)  # needs no keywords

    @pytest.mark.parametrize(
        ("keywords", "message"), [({}, "the topic's keywords are needed"), ({"x": 1}, "none of the 40 pages")]
    )
    def test_without_keywords_that_occur_there_is_nothing_to_learn(
        self, keywords: dict[str, int], message: str
    ) -> None:
        with pytest.raises(TrainingError, match=message):
            get_kind("space")().check(replace(examples(), keywords=keywords), 5)


class TestPaths:
    def fit(self, found: Examples, **options: Any) -> PathValues:
        kind = get_kind("paths")
        model: PathValues = kind(kind.Options(**options)).fit(found)
        return model

    def test_its_classes_are_the_steps_to_the_nearest_target_the_last_all_that_is_farther(self) -> None:
        # 0 -> 1 -> 2 -> 3 -> target, and a page that leads nowhere: links with Q = .125, .25, .5, 1 and 0
        chain = [f"http://a.example/{name}" for name in "0123t"]
        pages = [make_page(chain[n], (f"to {n}", [chain[n + 1]])) for n in range(4)]
        pages += [make_page(chain[4]), make_page("http://b.example/", ("away", ["http://nowhere.example/"]))]
        found = Examples([TrainingDocument(page, RELEVANT if page.url == chain[4] else OTHER) for page in pages])
        assert self.fit(found, classes=3).values == pytest.approx([1.0, 0.5, (0.25 + 0.125 + 0.0) / 3])
        assert self.fit(found, classes=2, gamma=0.0).values == pytest.approx([1.0, 0.0])

    def test_words_that_lead_to_targets_are_worth_most(self) -> None:
        model = self.fit(examples())
        page = make_page("http://p.example/", ("solar cell", [url(0)]), ("tax law", [url(1)]))
        worth = model.probabilities(page) @ model.values
        assert worth[0] > worth[1]

    def test_pages_that_nobody_links_to_teach_nothing(self) -> None:
        found = examples()
        lonely = [TrainingDocument(replace(document.page, links=[]), document.node) for document in found.documents]
        with pytest.raises(TrainingError, match="links lead to 0 of the 20 pages on topic, at least 10 are needed"):
            get_kind("paths")().check(replace(found, documents=lonely), 5)


def test_the_digest_tells_other_examples_apart() -> None:
    found = examples()
    relabelled = replace(found, documents=[*found.documents[:-1], TrainingDocument(found.documents[-1].page, RELEVANT)])
    assert len({found.digest(), relabelled.digest(), replace(found, keywords={}).digest(), examples(38).digest()}) == 4
    assert found.digest() == examples().digest()
