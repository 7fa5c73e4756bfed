"""Plain values (text, bytes, numbers, lists and dicts of these) as JSON and back: data is never code."""

from __future__ import annotations

import base64
import json
from typing import Any

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
