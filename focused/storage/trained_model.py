"""Trained models on disk: NAME.npz, which is data, or NAME.joblib, which is a program, and NAME.json, the card of either.

The card is checked first (kind, language, versions, and the digest of the very bytes that are then read); whatever does not fit is
refused, with the command that makes the model anew. A joblib file is a pickle, and loading one runs what it says: so its card must
be signed with the key of this user, who made the model or said that it is trusted.
"""

from __future__ import annotations

import hashlib
import platform
import shlex
from collections.abc import Iterator
from importlib.metadata import version
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from focused import __version__
from focused.crawl.strategy import Restorable
from focused.exceptions import ModelError, TopicError, needs_extra
from focused.storage.model_format import SUFFIX, Format, model_bytes, model_of_data, model_of_pickle
from focused.storage.own_key import is_signed, signature
from focused.storage.repository import storage_errors
from focused.topic.mistakes import in_plain_words, nearest, shown
from focused.topic.plain_files import is_checkout, read_bytes, shown_path
from focused.topic.topic import TOPIC_NAME

MODELS = "models"  #: folder of the user's models in FOCUSED_DATA_DIR, and of those that come with the package
CARD = ".json"
KNOWLEDGE = "knowledge"  #: the kind that is learned from crawls alone

#: So many numbers of a version must be those of the training. Terms are those of focused; of pickled objects the others promise
#: no more.
SAME_NUMBERS: dict[Format, dict[str, int]] = {
    "data": {"focused": 2},
    "pickle": {"focused": 2, "scikit-learn": 2, "numpy": 1},
}


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
    format: Literal["data", "pickle"] = Field("pickle", description="of the model's file: NAME.npz or NAME.joblib")
    sha256: str = Field("", description="of the model's file")
    signature: str = Field("", description="of a pickle: HMAC-SHA256 of the rest of the card with the user's key")


def versions() -> dict[str, str]:
    """Versions that a model is tied to, or that help to make it again. FocusedError where the extra ``training`` is missing."""
    with needs_extra("training", "a trained model"):
        packages = {name: version(name) for name in ("scikit-learn", "numpy", "scipy", "joblib")}
    return {"focused": __version__, "python": platform.python_version(), **packages}


def save_model(folder: Path, card: Card, model: Any) -> Path:
    """Write a model and its card; return the path of the card. Older ones of that name are replaced.

    The card comes last: a model without its own card is never loaded. Raises StorageError if the folder cannot be written to, and
    ModelError if a pickle cannot be signed.
    """
    check_name(card.name)
    form, content = model_bytes(model)
    card = card.model_copy(update={"format": form, "sha256": hashlib.sha256(content).hexdigest(), "signature": ""})
    if form == "pickle":
        card = _signed(card)
    with storage_errors(folder, "write a model"):
        folder.mkdir(parents=True, exist_ok=True)
        _write(folder / f"{card.name}{SUFFIX[form]}", content)
        _write(folder / f"{card.name}{CARD}", _json(card))
        for other in SUFFIX.values():
            if other != SUFFIX[form]:  # of an older model
                (folder / f"{card.name}{other}").unlink(missing_ok=True)
    return folder / f"{card.name}{CARD}"


def trust_model(name: str, folder: Path) -> Path:
    """Sign a pickled model of somebody else's, which may then run whatever it says; return its path.

    Raises ModelError for one that is missing, damaged, or needs no trust, and StorageError if its card cannot be written.
    """
    check_name(name)
    card = known_card(name, folder)
    if card is None:
        raise ModelError(f"{shown_path(folder / (name + CARD))}: no card of a model, so that nothing can be trusted")
    path = folder / f"{name}{SUFFIX[card.format]}"
    if card.format == "data":
        raise ModelError(f"{shown_path(path)}: is data, which runs nothing: it needs no trust")
    if hashlib.sha256(read_bytes(path)).hexdigest() != card.sha256:
        raise ModelError(f"{shown_path(path)}: damaged, or not the file that {name}{CARD} tells of")
    with storage_errors(folder, "sign a model"):
        _write(folder / f"{name}{CARD}", _json(_signed(card)))
    return path


def load_model(
    name: str,
    kind: str,
    language: str,
    folder: Path | None = None,
    *,
    stemming: bool = True,
    model_class: type[Restorable] | None = None,
) -> Any:
    """Load a model from the user's folder or, if it is not there, from the models of the package.

    kind, language, stemming : what the strategy and the topic need
    model_class : what a model that was kept as data is; None for a plain value
    Raises ModelError, before anything is unpickled, for a model that is missing, foreign, damaged, of other versions, or a pickle
    that this user neither made nor trusts.
    """
    check_name(name)
    place = _find(name, kind, folder)
    card = _read_card(place, name, kind)
    again = f"make it anew: scrapy train {shlex.join(card.command)}"
    file = place.joinpath(name + SUFFIX[card.format])
    where = shown_path(file)
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
    for package, numbers in SAME_NUMBERS[card.format].items():
        then, now = card.versions.get(package, "unknown"), __version__ if package == "focused" else versions()[package]
        if then.split(".")[:numbers] != now.split(".")[:numbers]:
            raise ModelError(f"{where}: made with {package} {then}, and {now} is installed; {again}")
    try:
        content = read_bytes(file)
    except TopicError as error:
        raise ModelError(f"{error}; {again}") from None
    if hashlib.sha256(content).hexdigest() != card.sha256:
        raise ModelError(f"{where}: damaged, or not the file that {name}{CARD} vouches for; {again}")
    if card.format == "pickle" and not is_signed(_to_sign(card), card.signature):
        raise ModelError(
            f"{where}: a pickle is a program, and your key has not signed this one: if you would run programs of whoever made it, "
            f"scrapy train --trust {name}; else {again}"
        )
    try:
        return model_of_pickle(content) if card.format == "pickle" else model_of_data(content, model_class)
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


def _to_sign(card: Card) -> bytes:
    """All that a card says, which with the digest of the file is all that the model is."""
    return card.model_copy(update={"signature": ""}).model_dump_json().encode()


def _signed(card: Card) -> Card:
    return card.model_copy(update={"signature": signature(_to_sign(card))})


def _json(card: Card) -> bytes:
    return card.model_dump_json(indent=1).encode() + b"\n"


def _write(path: Path, data: bytes) -> None:
    """Write a file at once."""
    new = path.with_name(f"{path.name}.new")
    new.write_bytes(data)
    new.replace(path)


def _places(folder: Path | None) -> Iterator[Traversable]:
    """Where models are looked for, those folders that exist."""
    packaged: Traversable = files("focused").joinpath(MODELS)
    beside = Path(__file__).parents[2] / MODELS if is_checkout() else packaged  # setup.py moves it when it builds
    for place in (folder, packaged, beside):
        if place is not None and place.is_dir():
            yield place


def _find(name: str, kind: str, folder: Path | None) -> Traversable:
    for place in _places(folder):
        if any(place.joinpath(name + suffix).is_file() for suffix in (CARD, *SUFFIX.values())):
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
