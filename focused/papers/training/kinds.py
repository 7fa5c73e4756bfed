"""The kinds of trained models: each says what it needs, learns from examples, and tells how good it is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Container, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import compress
from random import Random
from typing import Any, ClassVar

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from focused.collection.trained_model import KNOWLEDGE, WEIGHTS, Card, shipped_weights, versions
from focused.crawl.arrays import BoolArray, FloatArray, IntArray
from focused.exceptions import TrainingError
from focused.page.page import Page
from focused.papers.models.layers import LayerClassifier, TermCounts, context_graph, distances, merged
from focused.papers.models.taxonomy import Taxonomy, name_of
from focused.papers.models.term_documents import BackgroundCorpus
from focused.papers.strategies.rl_spider import PathValues, words_of
from focused.papers.strategies.ss1 import TermSpace
from focused.papers.training.examples import (
    Examples,
    Followed,
    TrainingDocument,
    counted_pages,
    parts,
    require_documents,
    require_good_nodes,
    require_keywords,
    require_pages_on_both_sides,
    require_targets,
)
from focused.scorers.pipeline import BASE
from focused.scorers.regressions import LinkRegression, PageRegression, TopicRegressions
from focused.scorers.similarity import page_similarity
from focused.scorers.word_weights import Knowledge
from focused.topic.mistakes import nearest, shown

ShowProgress = Callable[[str], None]  #: shows a person how far it is
FEWEST = 10  #: pages in all, or pages on topic that links lead to
FEWEST_LINKS = 10  #: between pages, to learn which links lead to pages on topic
CHANCE = "layers"  #: what a large layer is drawn by: the same examples give the same model


class KindOptions(BaseModel):
    """What can be chosen when a model is trained, as ``--set NAME=VALUE``; every field says what it is."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Kind(ABC):
    """Base class of all kinds; those in `KINDS` can be trained.

    A strategy takes its model by `Strategy.trained` = the name of the kind, and finds it in `World.model`; one that is learned
    from crawls by `Strategy.knows`, in `World.knowledge`.
    """

    name: ClassVar[str]
    about: ClassVar[str]  #: in one line: what it is, and for which strategies
    from_crawls: ClassVar[str] = ""  #: what of `Examples` it learns from, if that is earlier crawls and no other source
    option: ClassVar[str] = "model"  #: of the strategy, which takes the name of such a model
    Options: ClassVar[type[KindOptions]] = KindOptions

    def __init__(self, options: KindOptions | None = None) -> None:
        self.options: Any = options or self.Options()

    @abstractmethod
    def check(self, examples: Examples, folds: int) -> None:
        """Raise TrainingError if there is too little to learn from, or for ``folds`` parts: how much there is and is needed."""

    @abstractmethod
    def fit(self, examples: Examples) -> Any:
        """Learn from examples that passed `check`; the same examples give the same model.

        What is returned is a plain value, or has ``state`` and ``restored`` (`focused.scorers.plain_state`), so that it is kept
        as data. Its class must be at the top of a module that crawls have too, not of this package.
        """

    @abstractmethod
    def scores(self, examples: Examples, count: int, said: ShowProgress) -> Mapping[str, float]:
        """Quality on examples that were not learned from, by cross-validation over ``count`` parts, by name of measure."""

    def counts(self, model: Any) -> dict[str, int]:
        """What a model is made of, for its card."""
        return {}

    def on_card(self, model: Any) -> dict[str, Any]:
        """What else its card says."""
        return {}


def folds(labels: Sequence[str], count: int, said: ShowProgress) -> Iterator[tuple[list[int], list[int]]]:
    """The parts of a cross-validation (see `parts`), while a person is told how far it is."""
    for number, both in enumerate(parts(labels, count), start=1):
        said(f"cross-validation, part {number} of {count}")
        yield both


class Classifier(Kind):
    name = "classifier"
    about = "naive Bayes over classes of pages, some of them on topic (strategy focused)"

    class Options(KindOptions):
        least: int = Field(2, ge=1, le=1000, description="least pages that a term must occur in")
        length: int = Field(
            50,
            ge=0,
            le=100_000,
            description="a longer page counts as one of this many terms; 0: each term is new evidence",
        )

    def check(self, examples: Examples, folds: int) -> None:
        require_documents(examples, FEWEST)
        require_good_nodes(examples)
        require_pages_on_both_sides(examples, folds)

    def fit(self, examples: Examples) -> Taxonomy:
        nodes = [document.node for document in examples.documents]
        return Taxonomy.fit(examples.texts, nodes, examples.good, least=self.options.least, length=self.options.length)

    def scores(self, examples: Examples, count: int, said: ShowProgress) -> Mapping[str, float]:
        from sklearn.metrics import accuracy_score, f1_score, roc_auc_score

        texts, labels = examples.texts, examples.labels
        predicted, relevance = list(labels), [0.0] * len(labels)
        for learned, tested in folds(labels, count, said):
            model = self.fit(examples.of(learned))
            for i in tested:
                found = model.probabilities(texts[i])
                predicted[i], relevance[i] = name_of(model.best_leaf(found)), model.relevance(found)
        good = examples.on_topic
        return {
            "accuracy": accuracy_score(labels, predicted),
            "macro F1": f1_score(labels, predicted, average="macro", zero_division=0.0),
            "ROC-AUC of R(p)": roc_auc_score(good, relevance),
            "accuracy on or off topic": accuracy_score(good, [value >= 0.5 for value in relevance]),
        }

    def counts(self, model: Any) -> dict[str, int]:
        return {"terms": len(model.classifiers[()].vocabulary), "classes": len(model.nodes)}


class _OfTerms(Kind):
    """A kind whose models know terms: its quality is the share of the terms of other pages, counted as often as they occur."""

    @abstractmethod
    def known(self, model: Any) -> Container[str]:
        """The terms that a model knows."""

    def is_tested(self, page: Page, examples: Examples) -> bool:
        """Whether a page that was not learned from is one of those that a model shall know."""
        return True

    def scores(self, examples: Examples, count: int, said: ShowProgress) -> Mapping[str, float]:
        found = total = 0
        for learned, tested in folds([""] * len(examples.documents), count, said):
            known = self.known(self.fit(examples.of(learned)))
            for page in (examples.documents[i].page for i in tested):
                if self.is_tested(page, examples):
                    found += sum(term in known for term in page.terms)
                    total += len(page.terms)
        return {"known terms": found / max(1, total)}


class Corpus(_OfTerms):
    name = "corpus"
    about = "term-document matrix of background texts, classes ignored (strategy hcla)"

    class Options(KindOptions):
        terms: int = Field(1000, ge=1, le=1_000_000, description="number of terms: the most frequent")

    def check(self, examples: Examples, folds: int) -> None:
        require_documents(examples, max(FEWEST, folds))

    def fit(self, examples: Examples) -> BackgroundCorpus:
        return BackgroundCorpus.of(examples.texts, self.options.terms)

    def known(self, model: Any) -> Container[str]:
        return frozenset(model.terms)

    def counts(self, model: Any) -> dict[str, int]:
        return {"pages": model.counts.shape[0], "terms": len(model.terms)}


class Space(_OfTerms):
    name = "space"
    about = "document frequencies over the pages that best match the keywords, or over all (strategies ss1, ss2, context_graph)"

    class Options(KindOptions):
        best: int = Field(
            500, ge=0, le=1_000_000, description="take this many pages that match the keywords best; 0: all pages"
        )
        terms: int = Field(1000, ge=0, le=1_000_000, description="count only this many most frequent terms; 0: all")
        least: int = Field(1, ge=1, le=1_000_000, description="least pages that a term must occur in")

    def check(self, examples: Examples, folds: int) -> None:
        require_documents(examples, max(FEWEST, folds))
        if not self.options.best:
            return
        require_keywords(examples)
        if not any(page_similarity(examples.keywords, document.page) for document in examples.documents):
            raise TrainingError(f"none of the {len(examples.documents)} pages holds a keyword of the topic")

    def fit(self, examples: Examples) -> TermSpace:
        texts = examples.texts
        if self.options.best:
            matches = [page_similarity(examples.keywords, document.page) for document in examples.documents]
            ranked = sorted(range(len(matches)), key=lambda position: (-matches[position], position))
            texts = [texts[position] for position in ranked[: self.options.best] if matches[position] > 0]
        return TermSpace.of(texts, self.options.terms, self.options.least)

    def known(self, model: Any) -> Container[str]:
        return frozenset(model.frequencies)

    def is_tested(self, page: Page, examples: Examples) -> bool:
        return not self.options.best or page_similarity(examples.keywords, page) > 0

    def counts(self, model: Any) -> dict[str, int]:
        return {"pages in the space": model.documents, "terms": len(model.frequencies)}


class KnowledgeOfCrawls(Kind):
    name = option = KNOWLEDGE
    about = "words of links that led to relevant pages in earlier crawls, no labels needed (strategy adaptive)"
    from_crawls = "outcomes"

    class Options(KindOptions):
        ridge: float = Field(
            100.0,
            gt=0,
            le=1e6,
            description="pages that count against the weight of a word; the more, the less it weighs",
        )

    def check(self, examples: Examples, folds: int) -> None:
        pages = sum(len(crawl.links) for crawl in examples.outcomes)
        if pages < FEWEST:
            raise TrainingError(f"{counted_pages(pages)} that links led to, at least {FEWEST} are needed: add a crawl")

    def fit(self, examples: Examples) -> Knowledge:
        return Knowledge.of(examples.outcomes, self.options.ridge)

    def scores(self, examples: Examples, count: int, said: ShowProgress) -> Mapping[str, float]:
        """How well a crawl's good links are told by what other crawls taught; of one crawl alone, by the rest of it."""
        crawls, found = examples.outcomes, list[float]()
        several = len(crawls) > 1
        for learned, tested in folds([""] * (len(crawls) if several else len(crawls[0].links)), count, said):
            known, others = (
                [crawls[i] for i in some] if several else [crawls[0].of(some)] for some in (learned, tested)
            )
            model = Knowledge.of(known, self.options.ridge) if known else None
            found += [_area(model.foretold(crawl), crawl.beyond > 0) for crawl in others] if model else []
        return {"ROC-AUC of links to better than average pages": float(np.mean(found))} if found else {}

    def counts(self, model: Any) -> dict[str, int]:
        return {"crawls": model.crawls, "pages": model.pages, "words of links": int(np.count_nonzero(model.words))}


class WeightsOfLinks(Kind):
    """Weights that tell best what links led to: least squares, drawn to the package's weights as far as folds of crawls advise.

    Every crawl counts the same. A column that never varied keeps its weight.
    """

    name = option = WEIGHTS
    about = "how columns of link scorers are weighed when a crawl begins, from earlier crawls, no labels needed (strategy adaptive)"
    from_crawls = "followed"

    class Options(KindOptions):
        strength: float = Field(30.0, gt=0, le=1e6, description="pages that the weights count as when a crawl begins")

    def check(self, examples: Examples, folds: int) -> None:
        crawls = examples.followed
        if len({tuple(crawl.prior) for crawl in crawls}) > 1:
            raise TrainingError(
                "these crawls have not the same link scorers: learn from those with the same LINK_SCORERS"
            )
        links, least = sum(len(crawl.relevance) for crawl in crawls), max(FEWEST, folds)
        if links < least:
            raise TrainingError(f"{counted_pages(links)} that links led to, at least {least} are needed: add a crawl")

    def fit(self, examples: Examples) -> dict[str, float]:
        from sklearn.linear_model import RidgeCV
        from sklearn.model_selection import GroupKFold

        crawls = [crawl for crawl in examples.followed if len(crawl.relevance)]
        before = _package_weights(crawls[0])
        columns, left, groups = [], [], []
        for number, crawl in enumerate(crawls):
            size = len(crawl.relevance)
            share = np.sqrt(LINKS_OF_CRAWL / size)
            features = _with_base(crawl)
            columns.append(features * share)
            left.append((crawl.relevance - features @ np.array(list(before.values()))) * share)
            # Of one crawl alone, its parts in the order in which they were crawled.
            groups.append(np.full(size, number) if len(crawls) > 1 else np.arange(size) * RIDGE_FOLDS // size)
        group = np.concatenate(groups)
        folds = GroupKFold(min(RIDGE_FOLDS, len(np.unique(group)))).split(group, groups=group)
        ridge = RidgeCV(RIDGES, fit_intercept=False, cv=list(folds), scoring="neg_mean_squared_error")
        moved = ridge.fit(np.concatenate(columns), np.concatenate(left)).coef_
        return {
            name: round(float(weight + by), DECIMALS) for (name, weight), by in zip(before.items(), moved, strict=True)
        }

    def scores(self, examples: Examples, count: int, said: ShowProgress) -> Mapping[str, float]:
        """Measured on crawls that were not learned from, beside the weights of the package; on one crawl alone, nothing is."""
        crawls = [crawl for crawl in examples.followed if len(crawl.relevance)]
        if len(crawls) < 2:
            return {}
        package = _package_weights(crawls[0])
        found = np.zeros((len(crawls), 2, 2))
        for learned, tested in folds([""] * len(crawls), min(count, len(crawls)), said):
            fitted = self.fit(replace(examples, followed=[crawls[i] for i in learned]))
            for i in tested:
                for which, weights in enumerate((fitted, package)):
                    foretold = _with_base(crawls[i]) @ np.array(list(weights.values()))
                    good = crawls[i].relevance > crawls[i].relevance.mean()
                    error = np.mean((foretold - crawls[i].relevance) ** 2)
                    found[i, which] = error, _area(foretold, good)
        (error, area), (error_before, area_before) = found.mean(axis=0).tolist()
        return {
            "mean squared error": error,
            "mean squared error of the package's weights": error_before,
            "ROC-AUC of links to better than average pages": area,
            "the same by the package's weights": area_before,
        }

    def counts(self, model: Any) -> dict[str, int]:
        return {"columns": len(model) - 1}

    def on_card(self, model: Any) -> dict[str, Any]:
        return {"weights": model, "strength": self.options.strength}


RIDGES = tuple(
    10.0**power for power in range(-1, 6)
)  #: links that count for the weights of the package, to choose from
RIDGE_FOLDS = 5
LINKS_OF_CRAWL = 500  #: that each crawl counts as
DECIMALS = 3  #: of a weight: a person reads them


def _package_weights(crawl: Followed) -> dict[str, float]:
    """What `adaptive` would begin with, by name, the base first."""
    given = shipped_weights().weights
    return {BASE: given.get(BASE, 0.0), **{name: given.get(name, weight) for name, weight in crawl.prior.items()}}


def _with_base(crawl: Followed) -> FloatArray:
    return np.hstack((np.ones((len(crawl.relevance), 1)), crawl.columns))


def _area(foretold: FloatArray, good: BoolArray) -> float:
    """ROC-AUC; .5 where all are alike."""
    from sklearn.metrics import roc_auc_score

    return float(roc_auc_score(good, foretold)) if 0 < good.sum() < len(good) else 0.5


class Layers(Kind):
    name = "layers"
    about = "how many links a page lies before a page on topic (strategy context_graph)"

    class Options(KindOptions):
        depth: int = Field(4, ge=1, le=10, description="layers beside that of the pages on topic")
        layer_pages: int = Field(
            300, ge=1, le=2000, description="pages of a layer of each graph; of more, these are drawn"
        )
        document_terms: int = Field(40, ge=1, le=200, description="terms of a page that its layer is told by")
        vocabulary: int = Field(1000, ge=1, le=100_000, description="terms of pages on topic that are looked at")
        as_printed: bool = Field(
            False, description="the likelihood of a page is the product over its terms, as in the paper"
        )

    def check(self, examples: Examples, folds: int) -> None:
        require_documents(examples, max(FEWEST, folds))
        require_good_nodes(examples)
        require_targets(examples, FEWEST)

    def fit(self, examples: Examples) -> LayerClassifier:
        return self._fit(
            list(map(TermCounts.of, examples.texts)), self._layers(examples), range(len(examples.documents))
        )

    def scores(self, examples: Examples, count: int, said: ShowProgress) -> Mapping[str, float]:
        """Measured on pages that were not learned from; their layers are those of the whole web."""
        from scipy.stats import spearmanr
        from sklearn.metrics import accuracy_score, roc_auc_score

        texts, layers = list(map(TermCounts.of, examples.texts)), self._layers(examples)
        truth = _steps(examples, self.options.depth)
        predicted, scores = np.zeros(len(texts), np.int64), np.zeros(len(texts))
        for learned, tested in folds([str(layer) for layer in truth], count, said):
            classifier = self._fit(texts, layers, learned)
            found, likelihoods = classifier.classify([texts[i] for i in tested])
            predicted[tested], scores[tested] = found, 1 / (1 - likelihoods) - found
        on_topic = truth == 0
        varied = len(set(truth)) > 1 and len(set(predicted.tolist())) > 1
        return {
            "accuracy": accuracy_score(truth, predicted),
            "rank correlation with distance": float(spearmanr(truth, predicted).statistic) if varied else 0.0,
            "ROC-AUC of pages on topic": roc_auc_score(on_topic, scores) if not on_topic.all() else 0.5,
        }

    def counts(self, model: Any) -> dict[str, int]:
        return {"terms": len(model.vocabulary), "layers": len(model.layers)}

    def _fit(self, texts: Sequence[TermCounts], layers: list[list[int]], learned: Collection[int]) -> LayerClassifier:
        chosen = sorted(learned)
        place = {position: number for number, position in enumerate(chosen)}
        options = self.options
        return LayerClassifier.fit(
            [[place[position] for position in layer if position in place] for layer in layers],
            [texts[position] for position in chosen],
            vocabulary_terms=options.vocabulary,
            kept=options.document_terms,
            as_printed=options.as_printed,
        )

    def _layers(self, examples: Examples) -> list[list[int]]:
        """The merged context graph: one graph for each page on topic; pages by their position."""
        chance, links, options = Random(CHANCE), _links(examples), self.options
        graphs = [
            context_graph([target], *links, depth=options.depth, most=options.layer_pages, chance=chance)
            for target in np.flatnonzero(examples.on_topic).tolist()
        ]
        return merged(graphs)


def _links(examples: Examples) -> tuple[IntArray, IntArray]:
    """Sources and ends (e,) of all links between the documents, by position."""
    position = {document.page.key: i for i, document in enumerate(examples.documents)}
    pairs = [
        (i, position[key])
        for i, document in enumerate(examples.documents)
        for key in dict.fromkeys(link.key for link in document.page.links)
        if key in position
    ]
    both = np.array(pairs, np.int64).reshape(-1, 2)
    return both[:, 0], both[:, 1]


def _steps(examples: Examples, most: int) -> IntArray:
    """(d,) links from each page to the nearest page on topic; ``most`` + 1 for more."""
    targets = np.flatnonzero(examples.on_topic).tolist()
    return distances(targets, *_links(examples), pages=len(examples.documents), depth=most)


def _known_steps(examples: Examples) -> dict[str, int]:
    """The same by URL, however many these are; a page from which no page on topic can be reached is not in it."""
    most = len(examples.documents)
    found = zip(examples.documents, _steps(examples, most).tolist(), strict=True)
    return {document.page.url: steps for document, steps in found if steps <= most}


class Logistic(Kind):
    name = "logistic"
    about = "logistic regression over the terms of pages, on topic or not, and the words of links to them (strategy adaptive)"

    class Options(KindOptions):
        cost: float = Field(
            10.0, gt=0, le=1e6, description="what an error costs against the size of the weights; C of scikit-learn"
        )
        head: int = Field(
            8, ge=0, le=1000, description="this many first terms, those of the title, count once more on their own"
        )
        least: int = Field(
            2, ge=1, le=1000, description="least pages that a term must occur in, and links for the word of a link"
        )
        link_cost: float = Field(0.1, gt=0, le=1e6, description="the same as cost, for links")
        gamma: float = Field(0.5, ge=0, lt=1, description="worth of a link to a page on topic one link further away")
        window: int = Field(10, ge=0, le=1000, description="terms of a link's context before and after its anchor")

    def check(self, examples: Examples, folds: int) -> None:
        require_documents(examples, FEWEST)
        require_good_nodes(examples)
        require_pages_on_both_sides(examples, folds)

    def fit(self, examples: Examples) -> TopicRegressions:
        return TopicRegressions(self._pages(examples), self._links(examples, self._worth(examples)))

    def scores(self, examples: Examples, count: int, said: ShowProgress) -> Mapping[str, float]:
        """Measured on pages, and links of pages, that were not learned from; how far links lead is told by the whole web."""
        from sklearn.metrics import average_precision_score, brier_score_loss, roc_auc_score

        documents, worth, on_topic = examples.documents, self._worth(examples), examples.on_topic
        relevance = [0.0] * len(documents)
        promised: list[float] = []
        kept: list[bool] = []
        for learned, tested in folds(examples.labels, count, said):
            pages, links = self._pages(examples.of(learned)), self._links(examples.of(learned), worth)
            for page, i in ((documents[i].page, i) for i in tested):
                relevance[i] = pages.relevance(page.terms)
                if links is not None and page.links:
                    known = [link.url in worth and link.url != page.url for link in page.links]
                    promised += links.promise(page)[known].tolist()
                    kept += [worth[link.url] == 1 for link in compress(page.links, known)]
        quality = {
            "ROC-AUC": float(roc_auc_score(on_topic, relevance)),
            "average precision": float(average_precision_score(on_topic, relevance)),
            "Brier score": float(brier_score_loss(on_topic, relevance)),
        }
        if any(kept) and not all(kept):
            quality["ROC-AUC of links to pages on topic"] = float(roc_auc_score(kept, promised))
        return quality

    def counts(self, model: Any) -> dict[str, int]:
        words = 0 if model.links is None else int(np.count_nonzero(model.links.weights))
        return {"features": int(np.count_nonzero(model.pages.idf)), "words of links": words}

    def _pages(self, examples: Examples) -> PageRegression:
        options = self.options
        return PageRegression.fit(
            examples.texts, examples.on_topic, cost=options.cost, head=options.head, least=options.least
        )

    def _links(self, examples: Examples, worth: Mapping[str, float]) -> LinkRegression | None:
        pages, options = [document.page for document in examples.documents], self.options
        if sum(link.url in worth and link.url != page.url for page in pages for link in page.links) < FEWEST_LINKS:
            return None
        return LinkRegression.fit(
            pages, worth, cost=options.link_cost, window=options.window, head=options.head, least=options.least
        )

    def _worth(self, examples: Examples) -> dict[str, float]:
        """What a link to each of the pages is worth, by URL; of other pages nothing is known."""
        steps, urls = _known_steps(examples), (document.page.url for document in examples.documents)
        return {url: self.options.gamma ** steps[url] if url in steps else 0.0 for url in urls}


class Paths(Kind):
    name = "paths"
    about = "discounted distance of a link to relevant pages, from the words around it (strategy rl_spider)"

    class Options(KindOptions):
        gamma: float = Field(0.5, ge=0, lt=1, description="worth of a relevant page one link further away")
        classes: int = Field(
            3,
            ge=2,
            le=10,
            description="the last class holds links whose target is farther than all others, or unreachable",
        )
        window: int = Field(20, ge=0, le=1000, description="terms of a link's context before and after its anchor")

    def check(self, examples: Examples, folds: int) -> None:
        require_documents(examples, max(FEWEST, folds))
        require_good_nodes(examples)
        require_targets(examples, FEWEST)

    def fit(self, examples: Examples) -> PathValues:
        return self._fit(examples.documents, _known_steps(examples))

    def scores(self, examples: Examples, count: int, said: ShowProgress) -> Mapping[str, float]:
        """Measured on the links of pages whose links were not learned from; distances are those of the whole web."""
        from scipy.stats import spearmanr
        from sklearn.metrics import accuracy_score, roc_auc_score

        documents, known = examples.documents, _known_steps(examples)
        truth: list[int] = []
        predicted: list[int] = []
        q: list[float] = []
        values: list[float] = []
        for learned, tested in folds([""] * len(documents), count, said):
            model = self._fit(examples.of(learned).documents, known)
            for page in (documents[i].page for i in tested if documents[i].page.links):
                found = model.probabilities(page)
                links = [known.get(link.url) for link in page.links]
                truth += map(self._class, links)
                q += map(self._worth, links)
                predicted += found.argmax(axis=1).tolist()
                values += (found @ model.values).tolist()
        on_topic = [one == 0 for one in truth]
        both = any(on_topic) and not all(on_topic)
        varied = len(set(q)) > 1 and len(set(values)) > 1
        return {
            "accuracy": accuracy_score(truth, predicted),
            "rank correlation with Q": float(spearmanr(q, values).statistic) if varied else 0.0,
            "ROC-AUC of links to relevant pages": roc_auc_score(on_topic, values) if both else 0.5,
        }

    def counts(self, model: Any) -> dict[str, int]:
        return {"terms": len(model.classifier.vocabulary), "classes": len(model.values)}

    def _fit(self, documents: Sequence[TrainingDocument], known: Mapping[str, int]) -> PathValues:
        pages = [document.page for document in documents]
        texts = [words for page in pages for words in words_of(page, self.options.window)]
        steps = [known.get(link.url) for page in pages for link in page.links]
        q = np.array([self._worth(one) for one in steps])
        return PathValues.fit(texts, q, [*map(self._class, steps)], self.options.classes, self.options.window)

    def _worth(self, steps: int | None) -> float:
        """Q of a link whose page is this many links away from a target."""
        return 0.0 if steps is None else float(self.options.gamma**steps)

    def _class(self, steps: int | None) -> int:
        last: int = self.options.classes - 1
        return last if steps is None else min(steps, last)


#: All that `scrapy train` knows, by name.
KINDS: dict[str, type[Kind]] = {
    kind.name: kind for kind in (Classifier, Corpus, KnowledgeOfCrawls, Layers, Logistic, Paths, Space, WeightsOfLinks)
}


def names() -> list[str]:
    """Names of all kinds, in alphabetical order."""
    return sorted(KINDS)


def get_kind(name: str) -> type[Kind]:
    """The class of a kind; TrainingError, naming the nearest and listing all, if there is none of that name."""
    if name in KINDS:
        return KINDS[name]
    guess = nearest(name, KINDS)
    hint = f"; did you mean {guess}?" if guess else "."
    raise TrainingError(f"kind {shown(name)} is unknown{hint} Kinds: {', '.join(names())}")


def card_of(
    kind: Kind, name: str, command: Sequence[str], examples: Examples, model: Any, scores: Mapping[str, float]
) -> Card:
    """The card of a model that a kind has learned from these examples.

    command : arguments of the `scrapy train` that makes it again
    scores : by cross-validation; empty where nobody measured
    """
    classes = {f"pages of {label}": count for label, count in examples.counts().items()}
    pages = len(examples.documents) + sum(len(crawl.relevance) for crawl in examples.followed)
    return Card(
        kind=kind.name,
        name=name,
        command=tuple(command),
        made=datetime.now(UTC).isoformat(timespec="seconds"),
        language=examples.language,
        stemming=examples.stemming,
        options=kind.options.model_dump(),
        sources=tuple(examples.sources),
        data=examples.digest(),
        counts={"pages": pages, **classes, **kind.counts(model)},
        scores=dict(scores),
        versions=versions(),
        **kind.on_card(model),
    )
