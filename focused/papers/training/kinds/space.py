"""How terms are spread over the documents that best match the topic's keywords, or over all: for ss1 and ss2."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import Field

from focused.exceptions import TrainingError
from focused.papers.strategies.ss1 import TermSpace
from focused.papers.training.examples import Examples, parts, require_documents, require_keywords
from focused.papers.training.kind import Kind, KindOptions, ShowProgress
from focused.relevance.similarity import page_similarity

FEWEST = 10  #: pages in all


class Space(Kind):
    name = "space"
    about = "document frequencies over the pages that best match the keywords (strategies ss1, ss2)"

    class Options(KindOptions):
        best: int = Field(
            500, ge=0, le=1_000_000, description="take this many pages that match the keywords best; 0: all pages"
        )
        terms: int = Field(1000, ge=0, le=1_000_000, description="count only this many most frequent terms; 0: all")

    def check(self, examples: Examples, folds: int) -> None:
        require_keywords(examples)
        require_documents(examples, max(FEWEST, folds))
        if not any(page_similarity(examples.keywords, document.page) for document in examples.documents):
            raise TrainingError(f"none of the {len(examples.documents)} pages holds a keyword of the topic")

    def fit(self, examples: Examples) -> TermSpace:
        if not self.options.best:
            return TermSpace.of([document.page.terms for document in examples.documents], self.options.terms)
        matches = [page_similarity(examples.keywords, document.page) for document in examples.documents]
        ranked = sorted(range(len(matches)), key=lambda position: (-matches[position], position))
        best = [position for position in ranked[: self.options.best] if matches[position] > 0]
        return TermSpace.of([examples.documents[position].page.terms for position in best], self.options.terms)

    def scores(self, examples: Examples, count: int, said: ShowProgress) -> Mapping[str, float]:
        """Share of the terms of other pages, counted as often as they occur, that the space knows.

        Unless the space is of all pages, these are pages that match the keywords.
        """
        documents = examples.documents
        known = total = 0
        for number, (learned, tested) in enumerate(parts([""] * len(documents), count), start=1):
            said(f"cross-validation, part {number} of {count}")
            space = self.fit(examples.of([documents[i] for i in learned]))
            for page in (documents[i].page for i in tested):
                if not self.options.best or page_similarity(examples.keywords, page):
                    known += sum(term in space.frequencies for term in page.terms)
                    total += len(page.terms)
        return {"known terms": known / max(1, total)}

    def counts(self, model: Any) -> dict[str, int]:
        return {"pages in the space": model.documents, "terms": len(model.frequencies)}
