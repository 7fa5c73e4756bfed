"""A background corpus of texts, as a term-document matrix: for the strategy hcla."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import Field

from focused.papers.models.background import BackgroundCorpus
from focused.papers.training.examples import Examples, parts, require_documents
from focused.papers.training.kind import Kind, KindOptions, ShowProgress

FEWEST = 10  #: pages in all


class Corpus(Kind):
    name = "corpus"
    about = "term-document matrix of background texts, classes ignored (strategy hcla)"

    class Options(KindOptions):
        terms: int = Field(1000, ge=1, le=1_000_000, description="number of terms: the most frequent")

    def check(self, examples: Examples, folds: int) -> None:
        require_documents(examples, max(FEWEST, folds))

    def fit(self, examples: Examples) -> BackgroundCorpus:
        return BackgroundCorpus.of([document.page.terms for document in examples.documents], self.options.terms)

    def scores(self, examples: Examples, count: int, said: ShowProgress) -> Mapping[str, float]:
        """Share of the terms of other pages, counted as often as they occur, that the corpus knows."""
        documents = examples.documents
        known = total = 0
        for number, (learned, tested) in enumerate(parts([""] * len(documents), count), start=1):
            said(f"cross-validation, part {number} of {count}")
            terms = frozenset(self.fit(examples.of([documents[i] for i in learned])).terms)
            for page in (documents[i].page for i in tested):
                known += sum(term in terms for term in page.terms)
                total += len(page.terms)
        return {"known terms": known / max(1, total)}

    def counts(self, model: Any) -> dict[str, int]:
        return {"pages": model.counts.shape[0], "terms": len(model.terms)}
