"""A trained model as bytes and back: as data, which runs nothing when it is read, or as a pickle, which is a program."""

from __future__ import annotations

import io
import json
from typing import Any, Literal

from focused.crawl.strategy import Restorable
from focused.storage.snapshot import decode, encode

Format = Literal["data", "pickle"]
SUFFIX: dict[Format, str] = {"data": ".npz", "pickle": ".joblib"}
STATE, VALUE = "state", "value"  #: of a model with a class of its own, and of one that is a plain value


def model_bytes(model: Any) -> tuple[Format, bytes]:
    """The bytes of a model: of its ``state`` where it has one, of itself where it is a plain value, else its pickle."""
    if hasattr(model, "state") and hasattr(model, "restored"):
        return "data", encode({STATE: model.state()})
    if _is_plain(model):
        return "data", encode({VALUE: model})
    import joblib  # only who trains or uses such a model waits for it

    buffer = io.BytesIO()
    joblib.dump(model, buffer, compress=3)
    return "pickle", buffer.getvalue()


def model_of_data(content: bytes, model_class: type[Restorable] | None) -> Any:
    """The model in bytes of the format ``data``; ``model_class`` restores it, or it is a plain value without one.

    Any Exception for bytes that are damaged, or hold another model.
    """
    found = decode(content)
    if model_class is None:
        return found[VALUE]
    return model_class.restored(found[STATE])


def model_of_pickle(content: bytes) -> Any:
    """Run the program that a pickle is. Any Exception if it fails."""
    import joblib

    return joblib.load(io.BytesIO(content))


def _is_plain(model: Any) -> bool:
    """Whether JSON gives it back as it is."""
    try:
        return bool(json.loads(json.dumps(model)) == model)
    except (TypeError, ValueError, RecursionError):
        return False
