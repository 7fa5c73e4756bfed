"""A naive Bayes classifier over a taxonomy of topics, some of them good: for the strategy focused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import Field

from focused.papers.models.taxonomy import Taxonomy, name_of
from focused.papers.training.examples import (
    Examples,
    parts,
    require_documents,
    require_good_nodes,
    require_pages_on_both_sides,
)
from focused.papers.training.kind import Kind, KindOptions, ShowProgress

FEWEST = 10  #: pages in all


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
        texts = [document.page.terms for document in examples.documents]
        nodes = [document.node for document in examples.documents]
        return Taxonomy.fit(texts, nodes, examples.good, least=self.options.least, length=self.options.length)

    def scores(self, examples: Examples, count: int, said: ShowProgress) -> Mapping[str, float]:
        from sklearn.metrics import accuracy_score, f1_score, roc_auc_score

        documents = examples.documents
        labels = [name_of(document.node) for document in documents]
        predicted, relevance = list(labels), [0.0] * len(labels)
        for number, (learned, tested) in enumerate(parts(labels, count), start=1):
            said(f"cross-validation, part {number} of {count}")
            model = self.fit(examples.of([documents[i] for i in learned]))
            for i in tested:
                found = model.probabilities(documents[i].page.terms)
                predicted[i], relevance[i] = name_of(model.best_leaf(found)), model.relevance(found)
        good = [examples.is_good(document) for document in documents]
        return {
            "accuracy": accuracy_score(labels, predicted),
            "macro F1": f1_score(labels, predicted, average="macro", zero_division=0.0),
            "ROC-AUC of R(p)": roc_auc_score(good, relevance),
            "accuracy on or off topic": accuracy_score(good, [value >= 0.5 for value in relevance]),
        }

    def counts(self, model: Any) -> dict[str, int]:
        return {"terms": len(model.classifiers[()].vocabulary), "classes": len(model.nodes)}
