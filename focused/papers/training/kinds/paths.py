"""From the words around a link to the worth of following it, learned on sites whose relevant pages are known: for rl_spider."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from pydantic import Field

from focused.papers.strategies.rl_spider import PathValues, distances, words_of
from focused.papers.training.examples import (
    Examples,
    TrainingDocument,
    parts,
    require_documents,
    require_good_nodes,
    require_targets,
)
from focused.papers.training.kind import Kind, KindOptions, ShowProgress

FEWEST = 10  #: pages in all, and relevant pages that links lead to


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
        return self._fit(examples.documents, self._distances(examples))

    def scores(self, examples: Examples, count: int, said: ShowProgress) -> Mapping[str, float]:
        """Measured on the links of pages whose links were not learned from; distances are those of the whole web."""
        from scipy.stats import spearmanr
        from sklearn.metrics import accuracy_score, roc_auc_score

        documents, known = examples.documents, self._distances(examples)
        truth: list[int] = []
        predicted: list[int] = []
        q: list[float] = []
        values: list[float] = []
        for number, (learned, tested) in enumerate(parts([""] * len(documents), count), start=1):
            said(f"cross-validation, part {number} of {count}")
            model = self._fit([documents[i] for i in learned], known)
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

    def _distances(self, examples: Examples) -> dict[str, int]:
        links = {document.page.url: [link.url for link in document.page.links] for document in examples.documents}
        targets = [document.page.url for document in examples.documents if examples.is_good(document)]
        return distances(links, targets)

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
