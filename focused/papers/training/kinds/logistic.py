"""Logistic regression over the terms of pages, on topic or not, and over the words of links to them: for the strategy adaptive."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import compress
from typing import Any

import numpy as np
from pydantic import Field

from focused.papers.models.taxonomy import name_of
from focused.papers.strategies.rl_spider import distances
from focused.papers.training.examples import (
    Examples,
    TrainingDocument,
    parts,
    require_documents,
    require_good_nodes,
    require_pages_on_both_sides,
)
from focused.papers.training.kind import Kind, KindOptions, ShowProgress
from focused.scorers.regressions import LinkRegression, PageRegression, TopicRegressions

FEWEST = 10  #: pages in all
FEWEST_LINKS = 10  #: between these pages, to learn which links lead to pages on topic


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
        worth = self._worth(examples)
        return TopicRegressions(self._pages(examples), self._links(examples.documents, worth))

    def scores(self, examples: Examples, count: int, said: ShowProgress) -> Mapping[str, float]:
        """Measured on pages, and links of pages, that were not learned from; how far links lead is told by the whole web."""
        from sklearn.metrics import average_precision_score, brier_score_loss, roc_auc_score

        documents, worth = examples.documents, self._worth(examples)
        relevance = [0.0] * len(documents)
        promised: list[float] = []
        kept: list[bool] = []
        for number, (learned, tested) in enumerate(parts([name_of(one.node) for one in documents], count), start=1):
            said(f"cross-validation, part {number} of {count}")
            pages = self._pages(examples.of([documents[i] for i in learned]))
            links = self._links([documents[i] for i in learned], worth)
            for page, i in ((documents[i].page, i) for i in tested):
                relevance[i] = pages.relevance(page.terms)
                if links is not None and page.links:
                    known = [link.url in worth and link.url != page.url for link in page.links]
                    promised += links.promise(page)[known].tolist()
                    kept += [worth[link.url] == 1 for link in compress(page.links, known)]
        on_topic = [examples.is_good(document) for document in documents]
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
        texts = [document.page.terms for document in examples.documents]
        on_topic = [examples.is_good(document) for document in examples.documents]
        options = self.options
        return PageRegression.fit(texts, on_topic, cost=options.cost, head=options.head, least=options.least)

    def _links(self, documents: Sequence[TrainingDocument], worth: Mapping[str, float]) -> LinkRegression | None:
        pages, options = [document.page for document in documents], self.options
        if sum(link.url in worth and link.url != page.url for page in pages for link in page.links) < FEWEST_LINKS:
            return None
        return LinkRegression.fit(
            pages, worth, cost=options.link_cost, window=options.window, head=options.head, least=options.least
        )

    def _worth(self, examples: Examples) -> dict[str, float]:
        """What a link to each of the pages is worth, by URL; of other pages nothing is known."""
        documents = examples.documents
        links = {document.page.url: [link.url for link in document.page.links] for document in documents}
        steps = distances(links, [document.page.url for document in documents if examples.is_good(document)])
        return {url: self.options.gamma ** steps[url] if url in steps else 0.0 for url in links}
