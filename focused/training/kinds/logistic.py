"""Logistic regression over the terms of pages, on topic or not: for the strategy adaptive."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from pydantic import Field

from focused.scoring.page_regression import PageRegression
from focused.scoring.taxonomy import name_of
from focused.training.examples import Examples
from focused.training.folds import parts
from focused.training.kind import Kind, KindOptions, Said
from focused.training.requirements import require_documents, require_good_nodes, require_pages_on_both_sides

FEWEST = 10  #: pages in all


class Logistic(Kind):
    name = "logistic"
    about = "logistic regression over the terms of pages, on topic or not (strategy adaptive)"

    class Options(KindOptions):
        cost: float = Field(
            10.0, gt=0, le=1e6, description="what an error costs against the size of the weights; C of scikit-learn"
        )
        head: int = Field(
            8, ge=0, le=1000, description="so many first terms, those of the title, count once more on their own"
        )
        least: int = Field(2, ge=1, le=1000, description="a term must occur in so many pages")

    def check(self, examples: Examples, folds: int) -> None:
        require_documents(examples, FEWEST)
        require_good_nodes(examples)
        require_pages_on_both_sides(examples, folds)

    def fit(self, examples: Examples) -> PageRegression:
        texts = [document.page.terms for document in examples.documents]
        on_topic = [examples.is_good(document) for document in examples.documents]
        return PageRegression.fit(texts, on_topic, **self.options.model_dump())

    def scores(self, examples: Examples, count: int, said: Said) -> Mapping[str, float]:
        from sklearn.metrics import average_precision_score, brier_score_loss, roc_auc_score

        documents = examples.documents
        relevance = [0.0] * len(documents)
        for number, (learned, tested) in enumerate(parts([name_of(one.node) for one in documents], count), start=1):
            said(f"cross-validation, part {number} of {count}")
            model = self.fit(examples.of([documents[i] for i in learned]))
            for i in tested:
                relevance[i] = model.relevance(documents[i].page.terms)
        on_topic = [examples.is_good(document) for document in documents]
        return {
            "ROC-AUC": float(roc_auc_score(on_topic, relevance)),
            "average precision": float(average_precision_score(on_topic, relevance)),
            "Brier score": float(brier_score_loss(on_topic, relevance)),
        }

    def counts(self, model: Any) -> dict[str, int]:
        return {"features": int(np.count_nonzero(model.idf))}
