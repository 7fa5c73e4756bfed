"""Trained models on disk: NAME.npz, which is data and runs nothing when it is read, and NAME.json, its card.

The weights of `adaptive` are a few numbers: they stand in their card itself, where a person reads them, and may change them.

The card is checked first (kind, language, version, and the digest of the very bytes that are then read); whatever does not fit is
refused, with the command that makes the model anew.
"""

from __future__ import annotations

import hashlib
import json
import platform
import shlex
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, ValidationError
from scrapy.utils.conf import closest_scrapy_cfg

from focused import __version__
from focused.collection.repository import storage_errors
from focused.collection.snapshot import decode, encode
from focused.crawl.strategy import Restorable
from focused.exceptions import ModelError, TopicError, needs_extra
from focused.topic.mistakes import in_plain_words, nearest, shown
from focused.topic.plain_files import is_checkout, read_bytes, replace_file, shown_path
from focused.topic.topic import TOPIC_NAME

MODELS = "models"  #: folder of the user's models in FOCUSED_DATA_DIR, and of those that come with the package
CARD, DATA = ".json", ".npz"
OLD = ".joblib"  #: a pickle, as earlier releases made them: it would run whatever its maker wrote
STATE, VALUE = "state", "value"  #: of a model with a class of its own, and of one that is a plain value
KNOWLEDGE, WEIGHTS = "knowledge", "weights"  #: the kinds that are learned from crawls alone
SHIPPED = "adaptive"  #: the weights that come with the package
DIGITS = 12  #: of a digest: enough to tell weights apart
SAME_NUMBERS = 2  #: of the version of focused that made a model, which made its terms


class Card(BaseModel):
    """What is known of a trained model without opening it; a card of an earlier release may tell more."""

    model_config = ConfigDict(frozen=True)

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
    sha256: str = Field("", description="of the model's file")
    weights: Mapping[str, FiniteFloat] = Field(
        {}, description="of columns of link scorers, where that is the model; no file then"
    )
    strength: float = Field(30.0, gt=0, le=1e6, description="pages that these weights count as when a crawl begins")
    licence: str = Field("", description="of what comes with the package")
    note: str = Field("", description="what a person should know of it")

    @property
    def digest(self) -> str:
        """What tells these weights from others: a crawl that began with others is scored anew."""
        return hashlib.sha256(repr((sorted(self.weights.items()), self.strength)).encode()).hexdigest()[:DIGITS]


def home_of(name: str, folder: Path) -> Path:
    """Where a model is written: the project's ``models``, so that its egg takes it along, where the user's folder lies in a project
    that has such a folder; else, or where that has a model of this name, which would come before it, the user's folder.
    """
    beside = _of_project(folder)
    return folder if beside is None or (folder / f"{name}{CARD}").exists() else beside


def _of_project(folder: Path) -> Path | None:
    """The folder ``models`` beside the scrapy.cfg above the user's folder, if there is one."""
    config = closest_scrapy_cfg(folder.resolve())
    beside = Path(config).parent / MODELS
    return beside if config and beside.is_dir() else None


def versions() -> dict[str, str]:
    """Versions that help to make a model again; it is tied to that of focused. FocusedError without the extra ``training``."""
    with needs_extra("training", "a trained model"):
        packages = {name: version(name) for name in ("scikit-learn", "numpy", "scipy")}
    return {"focused": __version__, "python": platform.python_version(), **packages}


def save_model(folder: Path, card: Card, model: Any) -> Path:
    """Write a model and its card; return the path of the card. Older ones of that name are replaced.

    The card comes last: a model without its own card is never loaded. Raises StorageError if the folder cannot be written to, and
    ModelError for a model that cannot be kept as data.
    """
    check_name(card.name)
    content = b"" if card.weights else _as_data(card.name, model)
    if content:
        card = card.model_copy(update={"sha256": hashlib.sha256(content).hexdigest()})
    with storage_errors(folder, "write a model"):
        folder.mkdir(parents=True, exist_ok=True)
        if content:
            replace_file(folder / f"{card.name}{DATA}", content)
        replace_file(folder / f"{card.name}{CARD}", card.model_dump_json(indent=1).encode() + b"\n")
    return folder / f"{card.name}{CARD}"


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
    model_class : what the model is; None for a plain value
    Raises ModelError for a model that is missing, foreign, damaged, of another version, or a pickle.
    """
    check_name(name)
    place = _find(name, kind, folder)
    card = _read_card(place, name, kind)
    again = f"make it anew: scrapy train {shlex.join(card.command)}"
    file = place.joinpath(name + DATA)
    where = shown_path(file)
    if not file.is_file() and (old := place.joinpath(name + OLD)).is_file():
        raise ModelError(
            f"{shown_path(old)}: a pickle of an earlier release, which could run anything, is not read; {again}"
        )
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
    then = card.versions.get("focused", "unknown")
    if then.split(".")[:SAME_NUMBERS] != __version__.split(".")[:SAME_NUMBERS]:
        raise ModelError(f"{where}: made with focused {then}, and {__version__} is installed; {again}")
    try:
        content = read_bytes(file)
    except TopicError as error:
        raise ModelError(f"{error}; {again}") from None
    if hashlib.sha256(content).hexdigest() != card.sha256:
        raise ModelError(f"{where}: damaged, or not the file that {name}{CARD} vouches for; {again}")
    try:
        found = decode(content)
        return found[VALUE] if model_class is None else model_class.restored(found[STATE])
    except Exception as error:  # whatever bytes that somebody else wrote make their reader raise
        raise ModelError(f"{where}: cannot be loaded ({type(error).__name__}: {error}); {again}") from error


def load_weights(name: str, folder: Path | None = None) -> Card:
    """The weights of this name, which their card holds; parameters and errors are those of `load_model`."""
    check_name(name)
    place = _find(name, WEIGHTS, folder)
    card = _read_card(place, name, WEIGHTS)
    if card.kind != WEIGHTS or not card.weights:
        what = "no weights of columns" if card.kind == WEIGHTS else f"a model of kind {shown(card.kind)}, no weights"
        raise ModelError(f"{shown_path(place.joinpath(name + CARD))}: {what}; {_how_to_make(WEIGHTS, name)}")
    return card


@cache
def shipped_weights() -> Card:
    """The weights that come with the package, whatever a person's own models are called."""
    try:
        return load_weights(SHIPPED)
    except ModelError as error:
        raise ModelError(f"{str(error).partition('; ')[0]}; it comes with focused: install that again") from None


def model_digest(name: str, kind: str, folder: Path | None = None) -> str:
    """The digest of a model that its card tells; parameters and errors are those of `load_model`."""
    check_name(name)
    return _read_card(_find(name, kind, folder), name, kind).sha256


def model_kind(name: str, kinds: Sequence[str], folder: Path | None = None) -> str:
    """The kind of a model, by its card, which must be one of these; other parameters and errors are those of `load_model`."""
    check_name(name)
    kind = _read_card(_find(name, kinds[0], folder), name, kinds[0]).kind
    if kind not in kinds:
        raise ModelError(
            f"model {name!r}: a model of kind {shown(kind)} judges no pages, those of kind {', '.join(kinds)} do"
        )
    return kind


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


def _as_data(name: str, model: Any) -> bytes:
    """The bytes of a model: of its ``state`` where it has one, else of itself. ModelError for one that is no plain value either."""
    if hasattr(model, "state") and hasattr(model, "restored"):
        return encode({STATE: model.state()})
    try:
        if json.loads(json.dumps(model)) == model:
            return encode({VALUE: model})
    except (TypeError, ValueError, RecursionError):
        pass
    raise ModelError(
        f"model {name}: a {type(model).__name__} is no plain value that JSON gives back as it is: "
        "give its class the methods state and restored (see docs/how-to/train-a-model.md)"
    )


def _places(folder: Path | None) -> Iterator[Traversable]:
    """Where models are looked for, those folders that exist."""
    packaged: Traversable = files("focused").joinpath(MODELS)
    beside = Path(__file__).parents[2] / MODELS if is_checkout() else packaged  # setup.py moves it when it builds
    for place in (folder, folder and _of_project(folder), packaged, beside):
        if place is not None and place.is_dir():
            yield place


def _find(name: str, kind: str, folder: Path | None) -> Traversable:
    for place in _places(folder):
        if any(place.joinpath(name + suffix).is_file() for suffix in (CARD, DATA)):
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
    topic = "" if kind in (KNOWLEDGE, WEIGHTS) else " -a topic=TOPIC"
    return f"make it: scrapy train {name} {kind}{topic} --crawl FOLDER (see scrapy train --help)"
