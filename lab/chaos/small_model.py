"""A small trained model, for strategies that cannot begin without one: of pages that link to each other, half on topic."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from random import Random

from focused.reading.page import Page
from focused.reading.reader import Reader, ReadingOptions
from focused.storage.trained_model import MODELS, Card, save_model, versions
from focused.strategies import get_strategy
from focused.training.examples import OTHER, RELEVANT, Document, Examples
from focused.training.kinds import get_kind
from lab.chaos.replies import SYLLABLES, TOPICAL

NAME = "small"
PAGES = 24
LINKS = 4  #: of each page


def save_small_model(strategy: str, data: Path) -> None:
    """Train what a strategy needs and save it as `NAME` among the models of a data folder."""
    kind = get_kind(get_strategy(strategy).trained)
    examples = Examples(_documents(), sources=("pages made up",))
    card = Card(
        kind=kind.name,
        name=NAME,
        command=(kind.name, NAME),
        made=datetime.now(UTC).isoformat(timespec="seconds"),
        language=examples.language,
        options={},
        sources=tuple(examples.sources),
        data=examples.digest(),
        counts=examples.counts(),
        scores={},
        versions=versions(),
    )
    save_model(data / MODELS, card, kind().fit(examples))


def _documents() -> list[Document]:
    """Every second page is on topic; a link is surrounded by words of the page that it leads to."""
    reader, random, documents = Reader(ReadingOptions()), Random(1), []
    for number in range(PAGES):
        links = "".join(
            f'<p>{_words(random, target)} <a href="/{target}">{_words(random, target)}</a></p>'
            for target in random.sample(range(PAGES), LINKS)
        )
        body = f"<html><title>{number}</title><p>{_words(random, number)}</p>{links}</html>"
        page = reader.read(f"http://small.example/{number}", body.encode(), "text/html")
        assert isinstance(page, Page)
        documents.append(Document(page, OTHER if number % 2 else RELEVANT))
    return documents


def _words(random: Random, page: int) -> str:
    words = ["".join(random.choices(SYLLABLES, k=2)) for _ in range(50)] if page % 2 else TOPICAL
    return " ".join(random.choices(words, k=6))
