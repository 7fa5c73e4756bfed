"""Trained models on disk: NAME.joblib, which is code as far as Python goes, and NAME.json, the card that vouches for it.

A joblib file is a pickle: loading one runs what it says. So the card is checked first (kind, language, versions, and the
digest of the very bytes that are then unpickled); whatever does not fit is refused, with the command that makes the model anew.
"""

from __future__ import annotations

import hashlib
import io
import platform
import shlex
from collections.abc import Iterator
from importlib.metadata import version
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from focused import __version__
from focused.exceptions import ModelError, TopicError, needs_extra
from focused.storage.repository import storage_errors
from focused.topic.mistakes import in_plain_words, nearest, shown
from focused.topic.plain_files import is_checkout, read_bytes, shown_path
from focused.topic.topic import TOPIC_NAME

MODELS = "models"  #: folder of the user's models in FOCUSED_DATA_DIR, and of those that come with the package
MODEL, CARD = ".joblib", ".json"
KNOWLEDGE = "knowledge"  #: the kind that is learned from crawls alone

#: So many numbers of a version must be those of the training: scikit-learn and we promise no more for pickled objects.
SAME_NUMBERS = {"focused": 2, "scikit-learn": 2, "numpy": 1}


class Card(BaseModel):
    """What is known of a trained model without opening it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: str = Field(description="what was trained: a kind of `scrapy train`")
    name: str
    command: tuple[str, ...] = Field(description="arguments of the `scrapy train` that made it")
    made: str = Field(description="when, ISO 8601")
    language: str = Field(description="ISO 639-1 code whose stop words and stemmer made the terms")
    stemming: bool = Field(True, description="the terms are stems; otherwise words as they are written")
    options: dict[str, Any] = Field(description="of the kind")
    sources: tuple[str, ...] = Field(description="where the documents come from, for a person")
    data: str = Field(description="SHA-256 of the documents trained on, labels included")
    counts: dict[str, int] = Field(description="what the model is made of: documents, terms, pages of each class")
    scores: dict[str, float] = Field(description="quality by cross-validation")
    versions: dict[str, str]
    sha256: str = Field("", description="of the joblib file")


def versions() -> dict[str, str]:
    """Versions that a model is tied to, or that help to make it again. FocusedError where the extra ``training`` is missing."""
    with needs_extra("training", "a trained model"):
        packages = {name: version(name) for name in ("scikit-learn", "numpy", "scipy", "joblib")}
    return {"focused": __version__, "python": platform.python_version(), **packages}


def save_model(folder: Path, card: Card, model: Any) -> Path:
    """Write a model and its card; return the path of the card. Older ones of that name are replaced.

    The card comes last: a model without its own card is never loaded. Raises StorageError if the folder cannot be written to.
    """
    import joblib  # only who trains or uses a model waits for it

    check_name(card.name)
    buffer = io.BytesIO()
    joblib.dump(model, buffer, compress=3)
    content = buffer.getvalue()
    card = card.model_copy(update={"sha256": hashlib.sha256(content).hexdigest()})
    with storage_errors(folder, "write a model"):
        folder.mkdir(parents=True, exist_ok=True)
        for suffix, data in ((MODEL, content), (CARD, card.model_dump_json(indent=1).encode() + b"\n")):
            new = folder / f"{card.name}{suffix}.new"
            new.write_bytes(data)
            new.replace(folder / f"{card.name}{suffix}")
    return folder / f"{card.name}{CARD}"


def load_model(name: str, kind: str, language: str, folder: Path | None = None, *, stemming: bool = True) -> Any:
    """Load a model from the user's folder or, if it is not there, from the models of the package.

    kind, language, stemming : what the strategy and the topic need
    Raises ModelError, before anything is unpickled, for a model that is missing, foreign, damaged or of other versions.
    """
    check_name(name)
    place = _find(name, kind, folder)
    card = _read_card(place, name, kind)
    again = f"make it anew: scrapy train {shlex.join(card.command)}"
    where = shown_path(place.joinpath(name + MODEL))
    if card.kind != kind:
        raise ModelError(
            f"{where}: a model of kind {shown(card.kind)}, but {kind!r} is needed; {_how_to_make(kind, name)}"
        )
    if card.language != language:
        raise ModelError(
            f"{where}: made of terms in language {shown(card.language)}, but the topic's is {language!r}; "
            f"{_how_to_make(kind, name)}"
        )
    if card.stemming != stemming:
        made, read = ("stems", "words as they are written") if card.stemming else ("words as they are written", "stems")
        raise ModelError(
            f"{where}: made of {made}, but the topic counts {read} ([reading] stemming = {str(stemming).lower()}); "
            f"{_how_to_make(kind, name)}"
        )
    for package, numbers in SAME_NUMBERS.items():
        then, now = card.versions.get(package, "unknown"), versions()[package]
        if then.split(".")[:numbers] != now.split(".")[:numbers]:
            raise ModelError(f"{where}: made with {package} {then}, and {now} is installed; {again}")
    try:
        content = read_bytes(place.joinpath(name + MODEL))
    except TopicError as error:
        raise ModelError(f"{error}; {again}") from None
    if hashlib.sha256(content).hexdigest() != card.sha256:
        raise ModelError(f"{where}: damaged, or not the file that {name}{CARD} vouches for; {again}")
    import joblib

    try:
        return joblib.load(io.BytesIO(content))
    except Exception as error:  # a class that has moved, a module that is missing: pickle raises anything
        raise ModelError(f"{where}: cannot be loaded ({type(error).__name__}: {error}); {again}") from error


def model_digest(name: str, kind: str, folder: Path | None = None) -> str:
    """The digest of a model that its card tells; parameters and errors are those of `load_model`."""
    check_name(name)
    return _read_card(_find(name, kind, folder), name, kind).sha256


def known_card(name: str, folder: Path) -> Card | None:
    """The card of a model of the user's own; None where there is none, or one that cannot be read."""
    try:
        return Card.model_validate_json((folder / (name + CARD)).read_bytes())
    except (OSError, ValidationError):
        return None


def model_names(folder: Path | None = None) -> list[str]:
    """Names of all models that have a card, in alphabetical order."""
    files_in_places = (file for place in _places(folder) for file in place.iterdir())
    return sorted({file.name.removesuffix(CARD) for file in files_in_places if file.name.endswith(CARD)})


def check_name(name: str) -> None:
    """Raise ModelError for a name that is not a safe file name."""
    if not TOPIC_NAME.fullmatch(name):
        raise ModelError(f"{name!r} is not a name for a model: use letters, digits, _ . and -, a letter or digit first")


def _places(folder: Path | None) -> Iterator[Traversable]:
    """Where models are looked for, those folders that exist."""
    packaged: Traversable = files("focused").joinpath(MODELS)
    beside = Path(__file__).parents[2] / MODELS if is_checkout() else packaged  # setup.py moves it when it builds
    for place in (folder, packaged, beside):
        if place is not None and place.is_dir():
            yield place


def _find(name: str, kind: str, folder: Path | None) -> Traversable:
    for place in _places(folder):
        if place.joinpath(name + CARD).is_file() or place.joinpath(name + MODEL).is_file():
            return place
    guess = nearest(name, model_names(folder))
    hint = f"; did you mean {guess}?" if guess else ""
    looked = "" if folder is None else f" in {shown_path(folder)}, nor in the package"
    raise ModelError(f"no model {name!r}{looked}{hint}; {_how_to_make(kind, name)}")


def _read_card(place: Traversable, name: str, kind: str) -> Card:
    path = place.joinpath(name + CARD)
    try:
        return Card.model_validate_json(read_bytes(path))
    except TopicError as error:
        reason = str(error)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        reason = (
            f"{shown_path(path)}: not the card of a model: {': '.join(filter(None, (where, in_plain_words(first))))}"
        )
    raise ModelError(f"{reason}; {_how_to_make(kind, name)}")


def _how_to_make(kind: str, name: str) -> str:
    topic = "" if kind == KNOWLEDGE else " -a topic=TOPIC"
    return f"make it: scrapy train {kind} {name}{topic} --crawl FOLDER (see scrapy train --help)"
