"""What a person is told when something cannot be done: one clear line (what, where, what to do), never a traceback."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path


class FocusedError(Exception):
    """A mistake or a limit that a person can act on; ``str(error)`` is the message to print, usually one line."""


class TopicError(FocusedError):
    """A topic (its file or its arguments) cannot be used; the message lists every mistake, one a line."""


class ModelError(TopicError):
    """A trained model that a topic names is missing, foreign, damaged or of other versions; the message says how to make it."""


class StorageError(FocusedError):
    """The collection of a topic cannot be opened, read or written."""


class WebError(FocusedError):
    """A recorded web cannot be read."""


class BacklinkError(FocusedError):
    """Nobody can be asked which pages link to a URL, or the answer is of no use."""


class SearchError(FocusedError):
    """A search provider cannot be asked, or a list of seeds cannot be read, or nothing that was found is of use."""


class TrainingError(FocusedError):
    """Nothing can be learned: too few documents, an unknown class, a file of labels that cannot be read."""


class TaxonomyError(FocusedError):
    """A taxonomy cannot be read, or has no such category or example, or what a person says of it makes no sense."""


class AuditError(FocusedError):
    """A sample cannot be drawn, or judgements cannot be read or counted."""


class ExportError(FocusedError):
    """Pages of a collection cannot be written down as asked."""


class EvaluationError(FocusedError):
    """Crawls cannot be judged or compared: labels, runs or figures that make no sense."""


@contextmanager
def needs_extra(extra: str, purpose: str) -> Iterator[None]:
    """Turn the ImportError of a package that an extra installs into one line that names the extra.

    purpose : what it is needed for, such as ``"drawing a picture"``
    """
    try:
        yield
    except ImportError as error:
        missing = error.name or str(error)
        raise FocusedError(
            f"{purpose} needs the package {missing}, which is not installed: {how_to_install(extra)}"
        ) from error


DISTRIBUTION = "scrapy-focused"  #: what `pip` calls this package; `focused` on PyPI is somebody else's


def how_to_install(extra: str) -> str:
    """The command that adds an extra to this installation, from where it came: a checkout, a folder, a file, or the index."""
    place = Path(__file__).parents[1].as_uri() if (Path(__file__).parents[1] / "scrapy.cfg").is_file() else ""
    with suppress(PackageNotFoundError, ValueError, TypeError, AttributeError):
        place = place or json.loads(distribution(DISTRIBUTION).read_text("direct_url.json") or "{}").get("url", "")
    stranger = "pip uninstall focused (a stranger's); " if is_a_stranger_here() else ""
    return f"{stranger}pip install '{DISTRIBUTION}[{extra}]{f' @ {place}' if place else ''}'"


def is_a_stranger_here() -> bool:
    """Whether the package that PyPI has under the name `focused` lies over this one, or beside it. Ours had it up to 0.2."""
    try:
        return not distribution("focused").version.startswith("0.")
    except PackageNotFoundError:
        return False


@contextmanager
def seeing(error: type[FocusedError]) -> Iterator[None]:
    """Turn what hinders looking for a file, such as a name too long or a folder that nobody may enter, into one line."""
    try:
        yield
    except OSError as cause:
        raise error(f"{cause.filename}: cannot be looked at: {cause.strerror}") from None
