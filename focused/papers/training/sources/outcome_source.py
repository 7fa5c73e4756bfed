"""What links led to in an earlier crawl, as `adaptive` saw it, or would have seen it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from focused.collection.collection import PAGES, open_repository, opened
from focused.exceptions import TrainingError
from focused.live.assemble import KNOWLEDGE, MODEL, assemble
from focused.live.last_run import topic_of_last_run
from focused.live.resume import restore
from focused.page.reader import Reader
from focused.page.text import TextAnalyser
from focused.papers.training.examples import Examples
from focused.papers.training.kind import Said
from focused.papers.training.sources.crawl_source import reading_of
from focused.scorers.link_classifier import LinkClassifier
from focused.scorers.word_weights import Outcomes
from focused.strategies.adaptive import Adaptive
from focused.topic.plain_files import shown_path


def outcome_examples(folders: Sequence[Path], said: Said) -> Examples:
    """What links led to in these collections, at least one, whose words must be the same terms.

    Raises TrainingError for crawls of several languages, and what `link_outcomes` raises.
    """
    analysers = [Reader(reading_of(folder)).analyser for folder in folders]
    first = analysers[0]
    for folder, analyser in zip(folders, analysers, strict=True):
        if (analyser.language, analyser.stemming) != (first.language, first.stemming):
            raise TrainingError(
                f"{shown_path(folder)}: its words are {_terms(analyser)}, and those of {shown_path(folders[0])} "
                f"{_terms(first)}: learn from crawls that read alike"
            )
    outcomes = []
    for number, folder in enumerate(folders, start=1):
        said(f"reading crawl {shown_path(folder)}: {number} of {len(folders)}")
        outcomes.append(link_outcomes(folder))
    sources = [f"crawl {shown_path(folder)} as it judged its pages itself" for folder in folders]
    return Examples(
        [], frozenset(), language=first.language, sources=sources, stemming=first.stemming, outcomes=outcomes
    )


def _terms(analyser: TextAnalyser) -> str:
    return f"{analyser.language!r}{'' if analyser.stemming else ' without stemming'}"


def link_outcomes(folder: Path) -> Outcomes:
    """Give a collection's journal to `adaptive` once more: from its last snapshot on, where a crawl by `adaptive` left one.

    The crawl may have followed another strategy: then `adaptive` sees all its pages in the order in which they came. It has
    no trained model here, nor knowledge: these may be gone.

    Raises StorageError if there is no such collection, TrainingError if it has no page.
    """
    with opened(folder) as store:
        topic = topic_of_last_run(store)
        options = topic.strategy_options if topic.strategy == Adaptive.name else {}
        own = {option: value for option, value in options.items() if option not in (MODEL, KNOWLEDGE)}
        topic = topic.model_copy(update={"strategy": Adaptive.name, "strategy_options": own})
        reader, crawl = assemble(topic)
        restore(crawl, reader, store, open_repository(topic.storage.pages, folder / PAGES))
    if not crawl.totals.pages:
        raise TrainingError(f"{folder}: no page was fetched by this crawl")
    assert isinstance(crawl.strategy, Adaptive)
    for scorer in crawl.strategy.scorers:
        if isinstance(scorer, LinkClassifier):
            return scorer.outcomes()
    raise TrainingError("LINK_SCORERS names no LinkClassifier, which learns the words of links")
