"""Which words of links led to relevant pages in earlier crawls, whatever they were about: for the strategy adaptive."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from pydantic import Field

from focused.exceptions import TrainingError
from focused.papers.training.examples import Examples, parts
from focused.papers.training.kind import Kind, KindOptions, ShowProgress
from focused.scorers.word_weights import Knowledge, Outcomes

FEWEST = 10  #: pages that links led to, of all crawls together


class KnowledgeOfCrawls(Kind):
    name = "knowledge"
    about = "words of links that led to relevant pages in earlier crawls, no labels needed (strategy adaptive)"
    from_crawls = True

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
            raise TrainingError(
                f"{pages} page{'' if pages == 1 else 's'} that links led to, at least {FEWEST} are needed: add a crawl"
            )

    def fit(self, examples: Examples) -> Knowledge:
        return Knowledge.of(examples.outcomes, self.options.ridge)

    def scores(self, examples: Examples, count: int, said: ShowProgress) -> Mapping[str, float]:
        """How well a crawl's good links are told by what other crawls taught; of one crawl alone, by the rest of it."""
        found = []
        for number, (learned, tested) in enumerate(_parts(examples, count), start=1):
            said(f"cross-validation, part {number} of {count}")
            model = Knowledge.of(learned, self.options.ridge) if learned else None
            found += [_area(model.foretold(crawl), crawl.beyond > 0) for crawl in tested] if model else []
        return {"ROC-AUC of links to better than average pages": float(np.mean(found))} if found else {}

    def counts(self, model: Any) -> dict[str, int]:
        return {"crawls": model.crawls, "pages": model.pages, "words of links": int(np.count_nonzero(model.words))}


def _parts(examples: Examples, count: int) -> Iterator[tuple[list[Outcomes], list[Outcomes]]]:
    """What to learn from and what to test on: whole crawls, or pages of the only one."""
    crawls = examples.outcomes
    several = len(crawls) > 1
    for learned, tested in parts([""] * (len(crawls) if several else len(crawls[0].links)), count):
        if several:
            yield [crawls[i] for i in learned], [crawls[i] for i in tested]
        else:
            yield [crawls[0].of(learned)], [crawls[0].of(tested)]


def _area(foretold: np.ndarray[Any, Any], good: np.ndarray[Any, np.dtype[np.bool_]]) -> float:
    """ROC-AUC; .5 where all are alike."""
    from sklearn.metrics import roc_auc_score

    return float(roc_auc_score(good, foretold)) if 0 < good.sum() < len(good) else 0.5
