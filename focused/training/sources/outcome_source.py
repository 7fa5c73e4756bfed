"""What links led to in an earlier crawl, as `adaptive` saw it, or would have seen it."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from focused.exceptions import TrainingError
from focused.run.assemble import KNOWLEDGE, MODEL, assemble
from focused.run.last_run import topic_of_last_run
from focused.run.resume import restore
from focused.storage.collection import PAGES, open_to_read
from focused.storage.repositories import open_repository
from focused.strategies.adaptive.adaptive import Adaptive
from focused.strategies.adaptive.word_weights import Outcomes


def link_outcomes(folder: Path) -> Outcomes:
    """Give a collection's journal to `adaptive` once more: from its last snapshot on, where a crawl by `adaptive` left one.

    The crawl may have followed another strategy: then `adaptive` sees all its pages in the order in which they came. It has
    no trained model here, nor knowledge: these may be gone.

    Raises StorageError if there is no such collection, TrainingError if it has no page.
    """
    with closing(open_to_read(folder)) as store:
        topic = topic_of_last_run(store)
        options = topic.strategy_options if topic.strategy == Adaptive.name else {}
        own = {option: value for option, value in options.items() if option not in (MODEL, KNOWLEDGE)}
        topic = topic.model_copy(update={"strategy": Adaptive.name, "strategy_options": own})
        reader, crawl = assemble(topic)
        restore(crawl, reader, store, open_repository(topic.storage.pages, folder / PAGES))
    if not crawl.totals.pages:
        raise TrainingError(f"{folder}: no page was fetched by this crawl")
    assert isinstance(crawl.strategy, Adaptive)
    return crawl.strategy.evidence.outcomes()
