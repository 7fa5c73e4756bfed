"""Plain values and numpy arrays as JSON or bytes and back, without pickle: data is never code."""

from __future__ import annotations

import base64
import io
import json
import zipfile
from collections.abc import Mapping
from typing import Any

import numpy as np

_BYTES = "__bytes__"  # marks bytes, which JSON has none of
_PAIRS = "__pairs__"  # marks a dict whose keys are not all text


def to_json(value: Any) -> str:
    """A value as JSON; tuples become lists. Raises TypeError for anything that is no plain value."""
    return json.dumps(_marked(value))


def from_json(text: str) -> Any:
    """What `to_json` was given. Raises ValueError for anything that it did not write."""
    return _unmarked(json.loads(text))


def _marked(value: Any) -> Any:
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, bytes):
        return {_BYTES: base64.b64encode(value).decode()}
    if isinstance(value, list | tuple):
        return [_marked(item) for item in value]
    if isinstance(value, dict):
        if all(isinstance(key, str) for key in value) and not value.keys() & {_BYTES, _PAIRS}:
            return {key: _marked(item) for key, item in value.items()}
        return {_PAIRS: [[_marked(key), _marked(item)] for key, item in value.items()]}
    raise TypeError(f"{type(value).__name__} is no plain value (text, bytes, numbers, lists and dicts of these)")


def _unmarked(value: Any) -> Any:
    if isinstance(value, list):
        return [_unmarked(item) for item in value]
    if not isinstance(value, dict):
        return value
    if value.keys() == {_BYTES}:
        return base64.b64decode(value[_BYTES])
    if value.keys() == {_PAIRS}:
        return {_unmarked(key): _unmarked(item) for key, item in value[_PAIRS]}
    return {key: _unmarked(item) for key, item in value.items()}


PLAIN = "plain"  #: name of the entry that holds all plain values, as JSON


def encode(state: Mapping[str, Any]) -> bytes:
    """Return the bytes of a state whose leaves are arrays or what JSON can hold; keys are strings without ``/``."""
    arrays: dict[str, np.ndarray[Any, Any]] = {}

    def strip(value: Any, path: str) -> Any:
        if isinstance(value, np.ndarray):
            arrays[path] = value
            return None
        if isinstance(value, Mapping):
            return {key: strip(item, f"{path}/{key}") for key, item in value.items()}
        return value

    plain = strip(state, "")
    arrays[PLAIN] = np.frombuffer(json.dumps(plain).encode(), np.uint8)
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()


def decode(data: bytes) -> dict[str, Any]:
    """Return the state that `encode` was given.

    Raises ValueError (or what zipfile raises, a subclass of Exception) for bytes that are damaged.
    """
    with np.load(io.BytesIO(data), allow_pickle=False) as entries:
        if any(entry.compress_type != zipfile.ZIP_STORED for entry in entries.zip.infolist()):
            raise ValueError("compressed, as we never write it")  # and might swell to any size
        state: dict[str, Any] = json.loads(entries[PLAIN].tobytes())
        for path in entries.files:
            if path == PLAIN:
                continue
            *parents, name = path.strip("/").split("/")
            inner = state
            for parent in parents:
                inner = inner[parent]
            inner[name] = entries[path]
    return state
